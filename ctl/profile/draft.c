// SPDX-License-Identifier: GPL-2.0
/*
 * Copy a profile's figures to change them: see profile/draft.h.
 */
#include "profile/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/records.h"

/*
 * Copy @nr elements. Return: the copy, not NULL if @nr is 0; NULL without
 * memory.
 */
static void *copy(const void *elements, size_t nr, size_t size)
{
	void *copied = calloc(nr + 1, size);

	if (copied && nr)
		memcpy(copied, elements, nr * size);
	return copied;
}

int profile_draft_init(struct profile_draft *draft,
		       const struct profile *profile)
{
	draft->records = copy(profile->records, profile->nr_records,
			      sizeof(*draft->records));
	draft->cpus = copy(profile->cpus, profile->nr_cpus,
			   sizeof(*draft->cpus));
	draft->books = profile->books;
	return draft->records && draft->cpus ? 0 : -ENOMEM;
}

void profile_draft_apply(const struct profile_draft *draft,
			 struct profile *profile)
{
	const struct profile_record *record;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		record = &draft->records[i];
		if (record->count || record->periods || record->late_us)
			profile->records[kept++] = *record;
	}
	profile->nr_records = kept;
	profile_index_records(profile);
	if (profile->nr_cpus)
		memcpy(profile->cpus, draft->cpus,
		       profile->nr_cpus * sizeof(*draft->cpus));
	profile->books = draft->books;
}

void profile_draft_deinit(struct profile_draft *draft)
{
	free(draft->records);
	free(draft->cpus);
}
