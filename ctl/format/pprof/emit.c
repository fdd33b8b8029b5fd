// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of all parts of the writer: packing and writing a part of the
 * message, and writing each name only once.
 */
#include "format/pprof/write.h"

#include <errno.h>
#include <stdlib.h>

#include "base/gzip.h"
#include "base/utf8.h"
#include "base/vec.h"

uint8_t *pprof_reserve(struct pprof_writer *w, size_t size)
{
	if (!w->err && vec_reserve(w->scratch, w->scratch_bytes, size))
		w->err = -ENOMEM;
	return w->err ? NULL : w->scratch;
}

void pprof_emit(struct pprof_writer *w, const Pprof__Profile *part)
{
	size_t size = pprof__profile__get_packed_size(part);

	if (!pprof_reserve(w, size))
		return;
	pprof__profile__pack(part, w->scratch);
	w->err = gzip_write(w->gzip, w->scratch, size);
}

bool pprof_intern(struct pprof_writer *w, struct profile *names,
		  const char *text, uint32_t *number)
{
	uint32_t before = names->nr_frames;

	w->err = profile_add_frame(names, text, FLAMEMOD_FRAME_KERNEL, number);
	return !w->err && names->nr_frames > before;
}

int64_t pprof_write_string(struct pprof_writer *w, const char *text)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	uint32_t index = 0;
	char *escaped;

	if (w->err)
		return 0;
	escaped = utf8_escape(text);
	if (!escaped) {
		w->err = -ENOMEM;
		return 0;
	}
	if (pprof_intern(w, w->strings, escaped, &index)) {
		part.n_string_table = 1;
		part.string_table = &escaped;
		pprof_emit(w, &part);
	}
	free(escaped);
	return index;
}

int64_t pprof_write_stable(struct pprof_writer *w, const char *text)
{
	/* neighbours differ in their last bits, literals and names in others */
	size_t place = ((uintptr_t)text ^ (uintptr_t)text >> 8) % PPROF_STABLE;
	struct pprof_stable *stable = &w->stable[place];

	if (stable->text == text)
		return stable->index;
	stable->index = pprof_write_string(w, text);
	stable->text = w->err ? NULL : text;
	return stable->index;
}
