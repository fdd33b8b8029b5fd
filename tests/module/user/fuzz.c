// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the module's readers of programs under libFuzzer: an input is an ELF file, of
 * x86-64 or arm64.
 *
 * Whatever the file contains, reads stay within it, and rows are in order and within
 * their chunk.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../module/user/cfi.h"
#include "../../../module/user/elf.h"

#define MAX_ROWS	4096
#define MAX_CHUNKS	8	/* of an input: its segments may claim any size */

struct input {
	const u8 *bytes;
	size_t nr;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_input(void *arg, u64 offset, void *to, size_t bytes)
{
	const struct input *input = arg;

	if (offset > input->nr || bytes > input->nr - offset)
		return -EFAULT;
	memcpy(to, input->bytes + offset, bytes);
	return 0;
}

/* Return: the machine that an input says it is for. */
static const struct fm_machine *machine_of(const struct input *input)
{
	u16 machine = 0;

	if (input->nr >= 20)
		memcpy(&machine, input->bytes + 18, sizeof(machine));
	return machine == fm_machine_arm64.elf ? &fm_machine_arm64 : &fm_machine_x86;
}

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_rows(const struct fm_row *rows, int nr, u64 from, u32 bytes, u64 function)
{
	must(nr > 0 && rows[0].start == 0 && function <= from);
	for (int i = 0; i < nr; i++) {
		must(rows[i].start < bytes && rows[i].kind <= FM_CFA_END);
		must(i == 0 || rows[i].start > rows[i - 1].start);
	}
}

/* Make an index of a program without one, and use it. Return: its pairs, or NULL. */
static struct fm_cfi_pair *make_index(struct fm_cfi *cfi, const struct fm_cfi_source *source,
				      struct fm_elf *elf, struct fm_cfi_buffer *buffer)
{
	struct fm_cfi_pair *pairs;
	u64 frame, bytes;
	int max, nr;

	if (fm_elf_frame(elf, &frame, &bytes))
		return NULL;
	max = fm_cfi_index_count(cfi, source, frame, bytes, buffer);
	if (max <= 0)
		return NULL;
	must(max <= (int)FM_CFI_INDEX_MAX);
	pairs = malloc(max * sizeof(*pairs));
	nr = fm_cfi_index(cfi, pairs, max);
	must(nr <= max);
	for (int i = 1; i < nr; i++)
		must(pairs[i - 1].text <= pairs[i].text);
	if (nr <= 0) {
		free(pairs);
		return NULL;
	}
	fm_cfi_open_index(cfi, source, frame, pairs, nr, buffer);
	return pairs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { .bytes = data, .nr = size };
	struct fm_elf elf = { .read = read_input, .arg = &input, .machine = machine_of(&input) };
	const struct fm_cfi_source source = {
		.read = fm_elf_read, .arg = &elf, .machine = elf.machine,
	};
	struct fm_row *rows = malloc(MAX_ROWS * sizeof(*rows));
	struct fm_cfi_buffer *buffer = malloc(sizeof(*buffer));
	struct fm_cfi_pair *pairs = NULL;
	unsigned int chunks = 0;
	struct fm_cfi cfi;

	if (fm_elf_open(&elf))
		goto out;
	if (!elf.hdr || fm_cfi_open(&cfi, &source, elf.hdr, elf.hdr_bytes, buffer)) {
		pairs = make_index(&cfi, &source, &elf, buffer);
		if (!pairs)
			goto out;
	}
	for (u32 i = 0; i < elf.nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf.segments[i];

		for (u64 at = 0; segment->is_text && at < segment->bytes &&
		     chunks++ < MAX_CHUNKS; at += FM_CHUNK_BYTES) {
			u64 from = segment->address + at, function;
			u32 bytes = segment->bytes - at < FM_CHUNK_BYTES ?
				    segment->bytes - at : FM_CHUNK_BYTES;
			int nr = fm_cfi_compile(&cfi, from, bytes, rows, MAX_ROWS, &function);

			if (nr != -ENOSPC && nr != -EFAULT && nr != -E2BIG)
				check_rows(rows, nr, from, bytes, function);
		}
	}
out:
	free(pairs);
	free(rows);
	free(buffer);
	return 0;
}
