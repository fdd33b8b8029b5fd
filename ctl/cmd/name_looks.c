// SPDX-License-Identifier: GPL-2.0
/*
 * When a recording looks for names: see name_looks.h.
 */
#include "cmd/name_looks.h"

#include <string.h>

#include "base/clock.h"

/* How many times to look for names of new code, each time if it has run since the last. */
#define LOOKS_FOR_CODE	8

/*
 * On a slow machine the first looks take long, but the next one must not wait for long:
 * what runs meanwhile may be gone soon. The profile is read as often as "top" does.
 */
const struct name_pace name_pace_record = {
	.look_ns = NSEC_PER_SEC / 4, .read_ns = 2 * NSEC_PER_SEC,
	.free_ns = NSEC_PER_SEC, .part = 10,
};

/*
 * A look that finds nothing new costs the module's status, some ten microseconds. The first
 * one reads the profile; 10 000 records take some 20 ms. Later ones read new frames alone. If
 * each took 20 ms, 17 could come one after another, and then one in four seconds.
 */
const struct name_pace name_pace_agent = {
	.look_ns = NSEC_PER_SEC, .read_ns = UINT64_MAX,
	.free_ns = NSEC_PER_SEC / 4, .part = 200,
};

void name_looks_begin(struct name_looks *looks, const struct name_pace *pace,
		      uint64_t now_ns)
{
	*looks = (struct name_looks){
		.pace = *pace,
		.last_ns = now_ns,
		.read_ns = now_ns,
		.paid_ns = now_ns,
	};
}

uint64_t name_looks_due_ns(const struct name_looks *looks)
{
	const struct name_pace *pace = &looks->pace;
	uint64_t due_ns = looks->last_ns + pace->look_ns, free_ns = pace->part * pace->free_ns;
	uint64_t paid_ns = looks->paid_ns > free_ns ? looks->paid_ns - free_ns : 0;

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
enum name_look name_looks_reads(struct name_looks *looks, uint64_t now_ns,
				const struct profile_user_stacks *now)
{
	const struct profile_user_stacks before = looks->seen;
	bool made_code = looks->makes_code, is_new;

	looks->makes_code = now->sides[FLAMEMOD_USER_BY_FP] !=
			    before.sides[FLAMEMOD_USER_BY_FP];
	looks->seen = *now;
	if (now->files != before.files || (looks->makes_code && !made_code))
		looks->code_looks = LOOKS_FOR_CODE;
	is_new = now->files != before.files || now->rows_bytes != before.rows_bytes;
	if (looks->makes_code && looks->code_looks) {
		looks->code_looks--;
		is_new = true;
	}
	if (now_ns - looks->read_ns < looks->pace.read_ns && (!is_new || looks->has_all))
		return is_new ? NAME_LOOK_NEW : NAME_LOOK_NOTHING;
	looks->has_all = true;
	looks->read_ns = now_ns;
	return NAME_LOOK_ALL;
}

void name_looks_forget(struct name_looks *looks)
{
	memset(&looks->seen, 0, sizeof(looks->seen));
	looks->has_all = false;
}

void name_looks_charge(struct name_looks *looks, uint64_t from_ns, uint64_t to_ns)
{
	/* time in which there was no look is not saved up, except for free_ns */
	if (looks->paid_ns < from_ns)
		looks->paid_ns = from_ns;
	looks->paid_ns += looks->pace.part * (to_ns - from_ns);
}

void name_looks_end(struct name_looks *looks, uint64_t from_ns, uint64_t to_ns, bool is_whole)
{
	looks->last_ns = to_ns;
	name_looks_charge(looks, from_ns, to_ns);
	/* then all is new to the next look */
	if (!is_whole)
		name_looks_forget(looks);
}
