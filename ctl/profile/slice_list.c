// SPDX-License-Identifier: GPL-2.0
/*
 * Allocate the memory of slices: see slice_list.h and slices.h.
 */
#include "profile/slice_list.h"

#include <errno.h>
#include <stdlib.h>

void slice_deinit(struct slice *slice)
{
	free(slice->records);
	free(slice->cpus);
}

void slices_destroy(struct slices *slices)
{
	if (!slices)
		return;
	for (uint32_t i = 0; i < slices->nr; i++)
		slice_deinit(&slices->list[i]);
	free(slices->list);
	free(slices);
}

/* Make room for @more elements of *@array after the first @nr. */
static int reserve(void *array, size_t size, uint32_t nr, uint32_t more,
		   uint32_t *max)
{
	void **elements = array, *moved;
	uint64_t room = (uint64_t)nr + more;

	if (room <= *max)
		return 0;
	if (room < 2ULL * *max)
		room = 2ULL * *max;
	if (room > UINT32_MAX)
		return -EOVERFLOW;
	moved = reallocarray(*elements, room, size);
	if (!moved)
		return -ENOMEM;
	*elements = moved;
	*max = (uint32_t)room;
	return 0;
}

int slice_reserve_records(struct slice *slice, uint32_t more)
{
	return reserve(&slice->records, sizeof(*slice->records),
		       slice->nr_records, more, &slice->max_records);
}

int slices_begin(struct profile *profile, uint64_t begin_ns, uint64_t end_ns)
{
	struct slices *slices = profile->slices;

	if (!slices) {
		slices = calloc(1, sizeof(*slices));
		if (!slices)
			return -ENOMEM;
		slices->list = calloc(SLICES_MAX, sizeof(*slices->list));
		if (!slices->list) {
			free(slices);
			return -ENOMEM;
		}
		profile->slices = slices;
	}
	if (slices->nr == SLICES_MAX)
		return -E2BIG;
	if (end_ns <= begin_ns || (slices->nr && begin_ns <
				   slices->list[slices->nr - 1].end_ns))
		return -EINVAL;
	slices->list[slices->nr++] = (struct slice){
		.begin_ns = begin_ns, .end_ns = end_ns,
	};
	return 0;
}

int slice_add_cpu(struct slice *slice, const struct profile_cpu *cpu)
{
	int err;

	if (slice->nr_cpus && slice->cpus[slice->nr_cpus - 1].cpu >= cpu->cpu)
		return -EINVAL;
	err = reserve(&slice->cpus, sizeof(*slice->cpus), slice->nr_cpus, 1,
		      &slice->max_cpus);
	if (!err)
		slice->cpus[slice->nr_cpus++] = *cpu;
	return err;
}

int slices_add_cpu(struct profile *profile, const struct profile_cpu *cpu)
{
	struct slices *slices = profile->slices;

	return slices && slices->nr ?
	       slice_add_cpu(&slices->list[slices->nr - 1], cpu) : -EINVAL;
}

struct slice *slices_find_begin(const struct profile *profile, uint64_t begin_ns)
{
	const struct slices *slices = profile->slices;
	uint32_t low = 0, high = slices ? slices->nr : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (slices->list[middle].begin_ns < begin_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return slices && low < slices->nr && slices->list[low].begin_ns == begin_ns ?
	       &slices->list[low] : NULL;
}

int slices_add_record(struct profile *profile, uint64_t begin_ns,
		      const struct profile_record *record)
{
	struct slice *slice = slices_find_begin(profile, begin_ns);
	int err;

	if (!slice)
		return -ENOENT;
	err = slice_reserve_records(slice, 1);
	if (!err)
		slice->records[slice->nr_records++] = *record;
	return err;
}
