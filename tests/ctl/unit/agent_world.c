// SPDX-License-Identifier: GPL-2.0
/*
 * A made-up module and targets: see agent_world.h.
 */
#include "agent_world.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"

const char *const world_targets[WORLD_TARGETS] = { "clickhouse://a/", "parca://b/" };

struct world *world_create(void)
{
	struct world *world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(world != MAP_FAILED);
	world->seconds = world->began = 10;
	world->epoch = 1;
	world->limit_bytes = 1 << 20;
	return world;
}

void world_destroy(struct world *world)
{
	munmap(world, sizeof(*world));
}

uint64_t world_periods(uint64_t second)
{
	return second % 7 + 1;
}

uint64_t world_sum(uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	while (from++ < to)
		sum += world_periods(from);
	return sum;
}

static void set_meta(const struct world *world, struct profile_meta *meta, uint32_t epoch,
		     uint64_t began, uint64_t end)
{
	meta->period_ns = 1000000;
	meta->settings.hz = 1000;
	meta->epoch = epoch;
	meta->is_closed = epoch != world->epoch;
	/* an epoch that a reset began is a little later than the dump */
	meta->since_ns = began * SEC + (epoch > 1 ? 1000 : 0);
	meta->instant_ns = end * SEC;
	meta->memory_bytes = (end - began) * 100;
	meta->memory_limit_bytes = world->limit_bytes;
	strcpy(meta->host, "here");
	strcpy(meta->origin.boot_id, "a boot");
}

/* What an epoch has that began and ended then. */
static struct profile *sampled(const struct world *world, uint32_t epoch, uint64_t began,
			       uint64_t end)
{
	struct profile *profile = profile_create();
	char stack[32], comm[16];

	assert_non_null(profile);
	for (uint64_t s = began + 1; s <= end && !world->is_stopped; s++) {
		snprintf(stack, sizeof(stack), "entry;f%lu", s % 5);
		snprintf(comm, sizeof(comm), "comm%lu", s % 3);
		add_sampled(profile, add_stack(profile, stack, FLAMEMOD_FRAME_KERNEL),
			    comm, (uint32_t)s, (uint32_t)s % 4, FLAMEMOD_CONTEXT_TASK,
			    world_periods(s));
	}
	set_meta(world, &profile->meta, epoch, began, end);
	return profile;
}

int world_dump(void *context, uint32_t epoch, bool reset, struct profile **profile,
	       struct error *error)
{
	struct world *world = context;

	(void)error;
	if (epoch && epoch < world->first_kept)
		epoch = world->first_kept;
	if (epoch && world->first_kept && epoch < world->epoch) {
		*profile = sampled(world, epoch, epoch == 1 ? 10 : world->ends[epoch - 1],
				   world->ends[epoch]);
		return 0;
	}
	world->seconds++;
	*profile = sampled(world, world->epoch, world->began, world->seconds);
	if (reset) {
		world->began = world->seconds;
		world->ends[world->epoch++] = world->seconds;
	}
	return 0;
}

void world_reset(struct world *world)
{
	struct profile *dump;

	world_dump(world, 0, true, &dump, NULL);
	profile_destroy(dump);
}

void world_reload(struct world *world)
{
	world->seconds++;
	world->began = world->seconds;
}

static void clocks(void *context, struct chain_clocks *now)
{
	const struct world *world = context;

	now->monotonic_ns = now->boot_ns = world->seconds * SEC;
	now->real_ns = 1700000000 * (int64_t)SEC + world->clock_ns +
		       (int64_t)(world->seconds * SEC);
}

struct chain_source world_source(struct world *world)
{
	return (struct chain_source){
		.dump = world_dump, .clocks = clocks, .context = world,
	};
}

static bool overlap(const struct window *a, const struct window *b)
{
	return a->first <= b->last && b->first <= a->last;
}

/* A target takes a window that it has for the same one. Others must not have its time. */
static void take(struct world *world, unsigned int target,
		 const struct spool_sending *sending)
{
	const struct profile_books *books = &sending->profile->books;
	unsigned int nr = world->nr_sent[target];

	for (unsigned int i = 0; i < nr; i++) {
		struct world_sent *sent = &world->sent[target][i];

		if (!memcmp(&sent->window, &sending->window, sizeof(sent->window))) {
			assert_true(sending->is_doubtful);
			world->nr_again[target]++;
			return;
		}
		assert_false(overlap(&sent->window, &sending->window));
	}
	assert_true(nr < WORLD_SENT_MAX);
	world->sent[target][nr].window = sending->window;
	world->sent[target][nr].periods = books->fires + books->missed;
	world->nr_sent[target]++;
}

void world_send(struct world *world, struct spool *spool, unsigned int target)
{
	struct spool_sending sending;
	struct error error = { "" };

	while (spool_next(spool, world_targets[target], &sending, &error) == 1) {
		take(world, target, &sending);
		profile_destroy(sending.profile);
		if (spool_done(spool, world_targets[target], &sending.window, SPOOL_TAKEN,
			       world->seconds, &error))
			break;
	}
}

char *world_directory(void)
{
	char *directory = strdup(access("/dev/shm", W_OK) ? "/tmp/flamectl-agent.XXXXXX" :
							    "/dev/shm/flamectl-agent.XXXXXX");

	assert_non_null(mkdtemp(directory));
	return directory;
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	return remove(path);
}

void world_clear(const char *directory)
{
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
