// SPDX-License-Identifier: GPL-2.0
/*
 * Makes profiles for tests: see made_profile.h.
 */
#include "made_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/slices.h"

uint32_t add_stack(struct profile *profile, const char *stack,
		   enum flamemod_frame_kind kind)
{
	char *copy = strdup(stack), *next = NULL, *name;
	uint32_t node = 0, frame;

	for (name = strtok_r(copy, ";", &next); name;
	     name = strtok_r(NULL, ";", &next)) {
		assert_int_equal(profile_add_frame(profile, name, kind, &frame),
				 0);
		assert_int_equal(profile_add_node(profile, node, frame, &node),
				 0);
	}
	free(copy);
	return node;
}

void add_sampled(struct profile *profile, uint32_t node, const char *comm,
		 uint32_t pid, uint32_t cpu, enum flamemod_context context,
		 uint64_t periods)
{
	struct profile_record record = {
		.node = node, .cpu = cpu, .context = context,
		.count = periods - periods / 3, .periods = periods,
		.late_us = periods * 7,
	};
	struct profile_cpu books = {
		.cpu = cpu, .sampling = true, .sampled_ns = periods * 1000000,
		.books = {
			.expected = periods, .fires = record.count,
			.missed = periods - record.count, .stored = periods,
		},
	};

	assert_int_equal(profile_add_task(profile, pid, pid + 1, comm,
					  &record.task), 0);
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile_add_cpu(profile, &books), 0);
}

static void add_unstored(struct profile *profile)
{
	struct profile_cpu books = {
		.cpu = 3,
		.books = {
			.expected = 31, .fires = 30, .filtered = 9,
			.truncated = 2,
		},
	};
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		books.books.lost[i] = 2 * i + 1;
	books.books.filtered = 30 - profile_lost(&books.books);
	assert_int_equal(profile_add_cpu(profile, &books), 0);
}

struct profile *made_profile(void)
{
	struct profile *profile = profile_create();
	struct profile_meta *meta;
	uint32_t node, frame;

	assert_non_null(profile);
	meta = &profile->meta;
	meta->settings = (struct profile_settings){
		.hz = 1000, .max_depth = 64, .exclude_idle = true,
		.pids = { 1, 4194304 }, .nr_pids = 2, .cpus = "0-3,8",
	};
	meta->state = FLAMEMOD_STATE_RUNNING;
	meta->epoch = 7;
	meta->period_ns = 1000000;
	meta->resolution_ns = 1;
	meta->since_ns = 5000000000;
	meta->begin_ns = 5000000000;
	meta->instant_ns = 15000000001;
	meta->duration_ns = 10000000001;
	meta->time_ns = 1700000000123456789;
	meta->memory_bytes = 123456;
	meta->memory_limit_bytes = 17 << 20;
	strcpy(meta->module_version, "1.2.3");
	strcpy(meta->release, "6.1.0-42-amd64");
	strcpy(meta->host, "h\xc3\xb6st = \xff");

	node = add_stack(profile, "entry;do_syscall;vfs_read",
			 FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "cat", 10, 0, FLAMEMOD_CONTEXT_TASK, 100);
	add_sampled(profile, node, "cat", 10, 3, FLAMEMOD_CONTEXT_SOFTIRQ, 5);
	node = add_stack(profile, "tun_read [tun]", FLAMEMOD_FRAME_MODULE);
	add_sampled(profile, node, "a;b\n", 0, 0, FLAMEMOD_CONTEXT_HARDIRQ, 3);
	node = add_stack(profile, "odd module", FLAMEMOD_FRAME_MODULE);
	add_sampled(profile, node, "\xff\xfe\\", 11, 0, FLAMEMOD_CONTEXT_TASK,
		    4);
	node = add_stack(profile, "[truncated]", FLAMEMOD_FRAME_MARK);
	assert_int_equal(profile_add_frame(profile, "main",
					   FLAMEMOD_FRAME_USER, &frame), 0);
	assert_int_equal(profile_add_node(profile, node, frame, &node), 0);
	add_sampled(profile, node, "\\xff", 12, 0, FLAMEMOD_CONTEXT_TASK, 2);
	add_sampled(profile, 0, "", 13, 3, FLAMEMOD_CONTEXT_USER, 77);
	add_sampled(profile, 0, "swapper/0", 0, 0, FLAMEMOD_CONTEXT_IDLE, 1);
	/* a mark with the name that records without frames have */
	node = add_stack(profile, "[user]", FLAMEMOD_FRAME_MARK);
	add_sampled(profile, node, "x", 14, 3, FLAMEMOD_CONTEXT_USER, 6);
	add_unstored(profile);
	return profile;
}

void made_origin(struct profile *profile)
{
	struct profile_cpu late = { .cpu = 3, .books = { .late = 4, .stolen = 1 } };

	/* earlier files do not say what is late */
	assert_int_equal(profile_add_cpu(profile, &late), 0);
	profile->meta.steal = PROFILE_STEAL_NONE;
	profile->meta.origin = (struct profile_origin){
		.command = "make -j4 'a;b' \x1b[31m", .cmdline = "flamectl record",
		.cpu_model = "CPU = 2.0 \xfe", .arch = "x86_64",
		.build = "#1 SMP Debian 6.1.140-1 (2025-05-22)", .nr_cpus = 4,
		.memory_bytes = 3ULL << 30, .cpu_kb = 512, .aggregate_kb = 4096,
		.boot_id = "01234567-89ab-cdef-0123-456789abcdef",
	};
}

struct profile *made_large_profile(uint32_t nr)
{
	struct profile *profile = profile_create();
	char stack[600];
	uint32_t i, depth, used;

	assert_non_null(profile);
	profile->meta.period_ns = 1003009;
	profile->meta.settings.hz = 997;
	for (i = 0; i < nr; i++) {
		used = 0;
		for (depth = 0; depth < 20; depth++)
			used += (uint32_t)sprintf(stack + used, "f%u_%u;", depth,
						  (i >> depth) % 7);
		add_sampled(profile,
			    add_stack(profile, stack, FLAMEMOD_FRAME_KERNEL),
			    "worker", i % 100, i % 64, FLAMEMOD_CONTEXT_TASK,
			    i % 9 + 1);
	}
	return profile;
}

struct profile *part_of(const char *stack, const char *comm, uint32_t cpu,
			uint64_t periods)
{
	struct profile *part = profile_create();

	assert_non_null(part);
	part->meta.period_ns = 1000000;
	add_sampled(part, add_stack(part, stack, FLAMEMOD_FRAME_KERNEL), comm,
		    cpu + 1, cpu, FLAMEMOD_CONTEXT_TASK, periods);
	return part;
}

void add_slice(struct profile *profile, struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns)
{
	assert_int_equal(slices_add(profile, part, begin_ns, end_ns), 0);
	profile_destroy(part);
}

struct profile *made_sliced(void)
{
	struct profile *profile = profile_create(), *all = made_profile();

	assert_non_null(profile);
	profile->meta = all->meta;
	add_slice(profile, part_of("entry;read", "cat", 0, 50), 0, SEC);
	add_slice(profile, all, SEC, 2 * SEC);
	add_slice(profile, part_of("entry;write", "dd", 5, 70), 2 * SEC,
		  3 * SEC);
	return profile;
}

/* All frames of a record, root first, and its key: for comparisons. */
static char *record_text(const struct profile *profile,
			 const struct profile_record *record)
{
	const struct profile_task *task = &profile->tasks[record->task];
	uint32_t nodes[256], node, nr = 0;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	for (node = record->node; node; node = profile->nodes[node].parent)
		nodes[nr++] = node;
	while (nr) {
		const struct profile_frame *frame =
			&profile->frames[profile->nodes[nodes[--nr]].frame];

		fprintf(out, "%s(%d);", frame->name, frame->kind);
		if (frame->object)
			fprintf(out, "@%s %s+%lx;",
				profile->objects[frame->object - 1].path,
				profile->objects[frame->object - 1].build_id,
				frame->offset);
	}
	fprintf(out, " %s %s %s %u %u cpu %u %d: %lu %lu %lu",
		profile_host(profile, task), task->cgroup, task->comm, task->pid, task->tid,
		record->cpu, record->context, record->count,
		record->periods, record->late_us);
	fclose(out);
	return text;
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static char **record_texts(const struct profile *profile)
{
	char **texts = calloc(profile->nr_records + 1, sizeof(*texts));
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++)
		texts[i] = record_text(profile, &profile->records[i]);
	qsort(texts, profile->nr_records, sizeof(*texts), compare_texts);
	return texts;
}

static void assert_same_origin(const struct profile_origin *left,
			       const struct profile_origin *right)
{
	assert_string_equal(left->command, right->command);
	assert_string_equal(left->cmdline, right->cmdline);
	assert_string_equal(left->cpu_model, right->cpu_model);
	assert_string_equal(left->arch, right->arch);
	assert_string_equal(left->build, right->build);
	assert_string_equal(left->boot_id, right->boot_id);
	assert_int_equal(left->nr_cpus, right->nr_cpus);
	assert_int_equal(left->memory_bytes, right->memory_bytes);
	assert_int_equal(left->cpu_kb, right->cpu_kb);
	assert_int_equal(left->aggregate_kb, right->aggregate_kb);
}

static void assert_same_meta(const struct profile_meta *left,
			     const struct profile_meta *right)
{
	const struct profile_settings *a = &left->settings;
	const struct profile_settings *b = &right->settings;

	assert_int_equal(a->hz, b->hz);
	assert_int_equal(a->max_depth, b->max_depth);
	assert_int_equal(a->exclude_idle, b->exclude_idle);
	assert_int_equal(a->kernel_only, b->kernel_only);
	assert_int_equal(a->followed_only, b->followed_only);
	assert_int_equal(a->user_stacks, b->user_stacks);
	assert_int_equal(a->user_places, b->user_places);
	assert_int_equal(a->nr_pids, b->nr_pids);
	assert_memory_equal(a->pids, b->pids, a->nr_pids * sizeof(a->pids[0]));
	assert_string_equal(a->cpus, b->cpus);
	assert_int_equal(left->state, right->state);
	assert_int_equal(left->epoch, right->epoch);
	assert_int_equal(left->period_ns, right->period_ns);
	assert_string_equal(left->weight_type, right->weight_type);
	assert_string_equal(left->weight_unit, right->weight_unit);
	assert_int_equal(left->resolution_ns, right->resolution_ns);
	assert_int_equal(left->steal, right->steal);
	assert_int_equal(left->since_ns, right->since_ns);
	assert_int_equal(left->begin_ns, right->begin_ns);
	assert_int_equal(left->instant_ns, right->instant_ns);
	assert_int_equal(left->duration_ns, right->duration_ns);
	assert_int_equal(left->time_ns, right->time_ns);
	assert_int_equal(left->memory_bytes, right->memory_bytes);
	assert_int_equal(left->memory_limit_bytes, right->memory_limit_bytes);
	assert_string_equal(left->module_version, right->module_version);
	assert_string_equal(left->release, right->release);
	assert_string_equal(left->host, right->host);
	assert_same_origin(&left->origin, &right->origin);
}

void assert_same(const struct profile *left, const struct profile *right)
{
	char **a, **b;
	uint32_t i;

	assert_same_meta(&left->meta, &right->meta);
	assert_memory_equal(&left->books, &right->books, sizeof(left->books));
	assert_int_equal(left->nr_cpus, right->nr_cpus);
	for (i = 0; i < left->nr_cpus; i++) {
		assert_int_equal(left->cpus[i].cpu, right->cpus[i].cpu);
		assert_int_equal(left->cpus[i].sampling,
				 right->cpus[i].sampling);
		assert_int_equal(left->cpus[i].sampled_ns,
				 right->cpus[i].sampled_ns);
		assert_memory_equal(&left->cpus[i].books,
				    &right->cpus[i].books,
				    sizeof(left->cpus[i].books));
	}
	assert_int_equal(left->nr_records, right->nr_records);
	a = record_texts(left);
	b = record_texts(right);
	for (i = 0; i < left->nr_records; i++) {
		assert_string_equal(a[i], b[i]);
		free(a[i]);
		free(b[i]);
	}
	free(a);
	free(b);
}
