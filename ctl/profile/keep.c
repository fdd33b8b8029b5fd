// SPDX-License-Identifier: GPL-2.0
/*
 * Keep only some processes of a profile. The periods of all others are counted
 * as filtered in its books (the counts of what became of each timer period).
 */
#include "profile/profile.h"

#include <errno.h>
#include <string.h>

#include "profile/books.h"
#include "profile/draft.h"
#include "profile/records.h"
#include "profile/task_state.h"

/* Which records of a profile are kept. */
struct keeping {
	bool followed;			/* marked as followed, else by pid */
	uint32_t states;		/* by state, if not 0 */
	const uint32_t *pids;
	unsigned int nr_pids;
	const char *not_comm;		/* all but this comm, if not NULL, */
	uint32_t not_tid;		/* of this thread; 0: of any */
};

/* Report whether a record's leaf is the mark of one of these states. */
static bool has_state(const struct profile *profile, const struct profile_record *record,
		      uint32_t states)
{
	const char *leaf;

	if (!record->node)
		return false;
	leaf = profile->frames[profile->nodes[record->node].frame].name;
	for (unsigned int i = 0; i < TASK_STATES; i++)
		if (states & 1U << i && !strcmp(leaf, task_state_leaf(i)))
			return true;
	return false;
}

static bool is_kept(const struct profile *profile,
		    const struct profile_record *record,
		    const struct keeping *keeping)
{
	const struct profile_task *task = &profile->tasks[record->task];
	unsigned int i;

	if (keeping->not_comm)
		return strcmp(task->comm, keeping->not_comm) ||
		       (keeping->not_tid && task->tid != keeping->not_tid);
	if (keeping->followed)
		return record->followed;
	if (keeping->states)
		return has_state(profile, record, keeping->states);
	for (i = 0; i < keeping->nr_pids; i++)
		if (task->pid == keeping->pids[i] ||
		    task->tid == keeping->pids[i])
			return true;
	return false;
}

bool profile_record_truncated(const struct profile *profile,
			      const struct profile_record *record)
{
	const struct profile_frame *frame;

	for (uint32_t node = record->node; node; node = profile->nodes[node].parent) {
		frame = &profile->frames[profile->nodes[node].frame];
		if (frame->kind == FLAMEMOD_FRAME_MARK &&
		    !strcmp(frame->name, "[truncated]"))
			return true;
	}
	return false;
}

/* Move the periods of all records that are not kept from stored to filtered. */
static int filter_cpus(const struct profile *profile, struct profile_cpu *cpus,
		       struct profile_books *books,
		       const struct keeping *keeping)
{
	const struct profile_record *record;
	const struct profile_cpu *cpu;
	struct profile_books *of_cpu;
	uint64_t truncated, counted;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++) {
		record = &profile->records[i];
		if (is_kept(profile, record, keeping))
			continue;
		truncated = profile_record_truncated(profile, record) ?
			    record->count : 0;
		cpu = profile_find_cpu(profile, record->cpu);
		if (!cpu)
			return -EBADMSG;
		of_cpu = &cpus[cpu - profile->cpus].books;
		counted = of_cpu->truncated;
		if (books_filter(of_cpu, record->periods, truncated) ||
		    books_filter(books, record->periods, counted - of_cpu->truncated))
			return -EBADMSG;
	}
	return 0;
}

static int keep(struct profile *profile, const struct keeping *keeping,
		struct error *error)
{
	struct profile_draft draft;
	struct profile_record *record;
	int err = profile_draft_init(&draft, profile) ?:
		  filter_cpus(profile, draft.cpus, &draft.books, keeping);

	if (!err) {
		for (uint32_t i = 0; i < profile->nr_records; i++) {
			record = &draft.records[i];
			if (!is_kept(profile, record, keeping)) {
				if (keeping->not_comm)
					intervals_leave_out(&profile->meta.intervals, record);
				memset(record, 0, sizeof(*record));
			} else if (keeping->followed)
				record->followed = false;
		}
		profile_draft_apply(&draft, profile);
	}
	profile_draft_deinit(&draft);
	if (err == -EBADMSG)
		return error_set(error, err,
				 "the sum of the records is more than the books");
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int profile_keep_pids(struct profile *profile, const uint32_t *pids,
		      unsigned int nr_pids, struct error *error)
{
	const struct keeping keeping = { .pids = pids, .nr_pids = nr_pids };

	return keep(profile, &keeping, error);
}

int profile_keep_followed(struct profile *profile, struct error *error)
{
	const struct keeping keeping = { .followed = true };

	return keep(profile, &keeping, error);
}

int profile_leave_out_task(struct profile *profile, uint32_t tid, const char *comm,
			   struct error *error)
{
	const struct keeping keeping = { .not_comm = comm, .not_tid = tid };

	return keep(profile, &keeping, error);
}

int profile_keep_states(struct profile *profile, uint32_t states, struct error *error)
{
	const struct keeping keeping = { .states = states };

	return keep(profile, &keeping, error);
}
