// SPDX-License-Identifier: GPL-2.0
/*
 * Cut a range of time out of a profile: see slices.h. Slices are taken whole,
 * because the time of a record within its slice is not known.
 */
#include "profile/slices.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "base/wording.h"
#include "profile/join.h"

/* Parse a time: 0, or what duration_parse() accepts (which excludes 0). */
static int parse_instant(const char *text, size_t length, uint64_t *ns)
{
	char one[64];

	if (length >= sizeof(one))
		return -EINVAL;
	memcpy(one, text, length);
	one[length] = '\0';
	*ns = 0;
	if (*one == '0' && (!one[1] || !strcmp(one, "0s") || !strcmp(one, "0ms")))
		return 0;
	return duration_parse(one, ns, NULL);
}

int slices_parse_range(const char *text, struct slices_range *range,
		       struct error *error)
{
	size_t first = strcspn(text, ",");
	size_t second = text[first] ? strlen(text + first + 1) : 0;
	struct slices_range parsed = { 0, UINT64_MAX };
	int err = text[first] && (first || second) ? 0 : -EINVAL;

	if (!err && first)
		err = parse_instant(text, first, &parsed.from_ns);
	if (!err && second)
		err = parse_instant(text + first + 1, second, &parsed.to_ns);
	if (err || parsed.from_ns >= parsed.to_ns)
		return error_set(error, -EINVAL, "%.64s: give two times since the start, such as 2,5 or 500ms,1.5s, the earlier first; leave out the first to select from the start, the second to select to the end",
				 text);
	*range = parsed;
	return 0;
}

/* @sliced: keep the slices, with times relative to the start of the first */
static int take(const struct profile *profile, uint32_t first, uint32_t end,
		bool sliced, struct profile **taken)
{
	struct profile *cut = profile_create(), part = *profile;
	uint64_t begin_ns = profile->slices->list[first].begin_ns;
	const struct slice *slice;
	int err;

	if (!cut)
		return -ENOMEM;
	cut->meta = profile->meta;
	err = slices_sum_intervals(profile, first, end, &cut->meta.intervals);
	for (uint32_t i = first; i < end && !err; i++) {
		slice = &profile->slices->list[i];
		part.records = slice->records;
		part.nr_records = slice->nr_records;
		part.cpus = slice->cpus;
		part.nr_cpus = slice->nr_cpus;
		part.meta.intervals = slice->intervals;
		err = sliced ? slices_add(cut, &part, slice->begin_ns - begin_ns,
					  slice->end_ns - begin_ns) :
			       profile_join(cut, &part, NULL);
	}
	if (err) {
		profile_destroy(cut);
		return err;
	}
	cut->meta.range_begin_ns = begin_ns;
	cut->meta.range_end_ns = profile->slices->list[end - 1].end_ns;
	if (cut->meta.time_ns)
		cut->meta.time_ns += (int64_t)begin_ns;
	cut->meta.duration_ns = profile_sampled_ns(cut) ?:
		cut->meta.range_end_ns - begin_ns;
	*taken = cut;
	return 0;
}

struct profile *slices_profile(const struct profile *profile, uint32_t first,
			       uint32_t end)
{
	struct profile *taken;

	return take(profile, first, end, false, &taken) ? NULL : taken;
}

int slices_find(const struct profile *profile, const struct slices_range *range,
		uint32_t *first, uint32_t *end, struct error *error)
{
	const struct slices *slices = profile->slices;
	uint64_t last_ms;

	if ((!slices || !slices->nr) && profile_is_imported(&profile->meta))
		return error_set(error, -ENODATA, "it has no slices of time: import keeps no times, %s",
				 WORDING(ONLY_RECORD_SLICES));
	if (!slices || !slices->nr)
		return error_set(error, -ENODATA, "it has no slices of time: %s",
				 WORDING(RECORD_SLICES));
	*first = 0;
	while (*first < slices->nr &&
	       slices->list[*first].end_ns <= range->from_ns)
		++*first;
	*end = *first;
	while (*end < slices->nr && slices->list[*end].begin_ns < range->to_ns)
		++*end;
	if (*first < *end)
		return 0;
	last_ms = slices->list[slices->nr - 1].end_ns / 1000000;
	return error_set(error, -ENODATA, "that range is empty: the profile ends at %" PRIu64 ".%03" PRIu64 " s",
			 last_ms / 1000, last_ms % 1000);
}

int slices_cut(struct profile **profile, const struct slices_range *range,
	       bool sliced, struct error *error)
{
	uint32_t first, end;
	struct profile *cut;
	int err = slices_find(*profile, range, &first, &end, error);

	if (err)
		return err;
	err = take(*profile, first, end, sliced, &cut);
	if (err)
		return error_set(error, err, err == -ENOMEM ? "memory is short" :
				 "its slices sum to more than 2^64");
	profile_destroy(*profile);
	*profile = cut;
	return 0;
}
