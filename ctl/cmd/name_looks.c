// SPDX-License-Identifier: GPL-2.0
/*
 * When a recording looks for names: see name_looks.h.
 */
#include "cmd/name_looks.h"

#include <string.h>

#include "base/clock.h"

/* How long after a look the next one comes. */
#define LOOKS_NS	(NSEC_PER_SEC / 4)

/* How often to read the profile if no file or text is new, as "top" does. */
#define LOOKS_READ_NS	(2 * NSEC_PER_SEC)

/* How many times to look for names of new code, each time if it has run since the last. */
#define LOOKS_FOR_CODE	8

/*
 * All looks together take at most LOOKS_FREE_NS and a LOOKS_PART-th of the time. On a slow
 * machine the first ones take long, but the next one must not wait for long: what runs
 * meanwhile may be gone soon.
 */
#define LOOKS_FREE_NS	NSEC_PER_SEC
#define LOOKS_PART	4

void name_looks_begin(struct name_looks *looks, uint64_t now_ns)
{
	*looks = (struct name_looks){
		.began_ns = now_ns,
		.last_ns = now_ns,
		.read_ns = now_ns,
	};
}

uint64_t name_looks_due_ns(const struct name_looks *looks)
{
	uint64_t due_ns = looks->last_ns + LOOKS_NS, paid_ns = looks->began_ns;

	if (looks->took_ns > LOOKS_FREE_NS)
		paid_ns += LOOKS_PART * (looks->took_ns - LOOKS_FREE_NS);
	return due_ns > paid_ns ? due_ns : paid_ns;
}

/*
 * Text that is new to the module is read at once, as its file may be gone soon; a file that
 * was read once stays open, so that further functions in it can wait. Stacks by frame
 * pointers are often in code made at run time. If there are some after a time without any,
 * or after a new file, a process may have begun to make code. Its map may be written later
 * than the code runs first, so it is looked for a few times; in a container it may be gone
 * soon, but stays open once it was looked at.
 */
bool name_looks_reads(struct name_looks *looks, uint64_t now_ns,
		      const struct profile_user_stacks *now)
{
	const struct profile_user_stacks before = looks->seen;
	bool made_code = looks->makes_code, reads;

	looks->makes_code = now->sides[FLAMEMOD_USER_BY_FP] !=
			    before.sides[FLAMEMOD_USER_BY_FP];
	looks->seen = *now;
	if (now->files != before.files || (looks->makes_code && !made_code))
		looks->code_looks = LOOKS_FOR_CODE;
	reads = now->files != before.files || now->rows_bytes != before.rows_bytes ||
		now_ns - looks->read_ns >= LOOKS_READ_NS;
	if (looks->makes_code && looks->code_looks) {
		looks->code_looks--;
		reads = true;
	}
	if (reads)
		looks->read_ns = now_ns;
	return reads;
}

void name_looks_end(struct name_looks *looks, uint64_t from_ns, uint64_t to_ns, bool is_whole)
{
	looks->last_ns = to_ns;
	looks->took_ns += to_ns - from_ns;
	/* then all is new to the next look */
	if (!is_whole)
		memset(&looks->seen, 0, sizeof(looks->seen));
}
