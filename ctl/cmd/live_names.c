// SPDX-License-Identifier: GPL-2.0
/*
 * Name user functions and cgroups in profiles of the module: see live_names.h.
 */
#include "cmd/live_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/growing.h"
#include "profile/cgroup.h"
#include "profile/inlined.h"
#include "profile/jit.h"
#include "profile/used.h"

_Static_assert(SYMBOLS_NAME_MAX == PROFILE_NAME_MAX, "names are cut once");

/* An object whose users are looked for, as its file is not here. */
struct asked {
	struct live_names *names;
	const struct profile *profile;
	const struct profile_object *object;
};

static bool has_stacks(const struct profile *profile)
{
	return profile->nr_nodes > 1;
}

/* Find the users of all objects. They are kept until forget_users(). */
static void find_users(struct live_names *names, const struct profile *profile)
{
	if (names->users_of)
		return;
	if (!has_stacks(profile) && names->stacks.read &&
	    !names->stacks.read(names->stacks.context, &names->users_read))
		profile = names->users_read;
	names->users = users_create(profile);
	names->users_of = profile;
}

static const uint32_t *list(void *context, size_t *nr)
{
	const struct asked *asked = context;
	const struct live_names *names = asked->names;

	*nr = 0;
	find_users(asked->names, asked->profile);
	for (uint32_t i = 0; names->users && i < names->users_of->nr_objects; i++) {
		const struct profile_object *object = &names->users_of->objects[i];

		if (!strcmp(object->path, asked->object->path) &&
		    !strcmp(object->build_id, asked->object->build_id))
			return users_list(names->users, i, nr);
	}
	return NULL;
}

/* Is the time over in which live_names_give() may look for names? */
static bool is_over(void *context)
{
	const struct live_names *names = context;
	const struct live_limit *limit = &names->limit;

	return clock_monotonic_ns() >= limit->until_ns ||
	       (limit->is_over && limit->is_over(limit->context));
}

/* @recalls: only find what is known. Return: as symbols_cache_recall(). */
static int look(struct live_names *names, const struct profile *profile,
		uint32_t frame, bool recalls, struct symbols_known *known)
{
	const struct symbols_options options = {
		.mangled = names->request.mangled, .any_fs = names->request.any_fs,
		.inlines = names->request.inlines,
	};
	const struct profile_frame *sought = &profile->frames[frame];
	const struct profile_object *object = &profile->objects[sought->object - 1];
	struct asked asked = { names, profile, object };
	const struct symbols_users users = { list, &asked };
	struct symbols_place place;

	if (!names->cache)
		names->cache = symbols_cache_create(&options);
	if (!names->cache)
		return -ENOMEM;
	place = (struct symbols_place){
		.path = object->path, .build_id = object->build_id,
		.offset = sought->offset, .users = &users,
	};
	return recalls ? symbols_cache_recall(names->cache, &place, known) :
			 symbols_cache_find(names->cache, &place, known);
}

/* They are of one profile. */
static void forget_users(struct live_names *names)
{
	users_destroy(names->users);
	profile_destroy(names->users_read);
	names->users = NULL;
	names->users_of = names->users_read = NULL;
}

/* The frames that samples have; all of a profile that has no stacks. */
static bool *used_or_all(const struct profile *profile)
{
	bool *used = used_frames(profile);

	if (used && !has_stacks(profile))
		memset(used, true, profile->nr_frames);
	return used;
}

/* The places in code made at run time that are used. Return: NULL if memory is short. */
static struct jit_place *list_jit(const struct profile *profile, const bool *used, size_t *nr)
{
	struct jit_place *places = calloc((size_t)profile->nr_frames + 1, sizeof(*places));

	*nr = 0;
	for (uint32_t i = 0; places && i < profile->nr_frames; i++) {
		uint32_t pid = jit_frame_pid(profile, i);

		if (used[i] && pid)
			places[(*nr)++] = (struct jit_place){
				.frame = i, .pid = pid,
				.address = profile->frames[i].offset,
			};
	}
	return places;
}

/* Look for the names of such places. Return: 0, -EAGAIN or -ENOMEM. */
static int look_jit(struct live_names *names, struct jit_place *places, size_t nr,
		    bool (*is_late)(void *context), void *context)
{
	if (!nr || names->request.no_names)
		return 0;
	if (!names->jit)
		names->jit = jit_names_create(names->request.any_fs);
	return names->jit ? jit_names_find(names->jit, places, nr, is_late, context) :
			    -ENOMEM;
}

static bool is_of_file(const struct profile *profile, const bool *used, uint32_t frame)
{
	return used[frame] && profile_frame_unnamed(profile, frame) &&
	       !jit_frame_pid(profile, frame);
}

/* A function in a file. */
struct in_file {
	uint32_t object, frame;
};

static int by_file(const void *a, const void *b)
{
	const struct in_file *left = a, *right = b;

	if (left->object != right->object)
		return left->object < right->object ? -1 : 1;
	return left->frame < right->frame ? -1 : left->frame > right->frame;
}

/*
 * List the functions of programs that are used, file by file: not all files can be open at a
 * time, and to open one again takes long. Return: the list, NULL if memory is short.
 */
static struct in_file *list_files(const struct profile *profile, const bool *used, size_t *nr)
{
	struct in_file *list = calloc((size_t)profile->nr_frames + 1, sizeof(*list));

	*nr = 0;
	for (uint32_t i = 0; list && i < profile->nr_frames; i++)
		if (is_of_file(profile, used, i))
			list[(*nr)++] = (struct in_file){ profile->frames[i].object, i };
	if (*nr)
		qsort(list, *nr, sizeof(*list), by_file);
	return list;
}

bool *live_names_wanted(const struct profile *profile)
{
	bool *wanted = used_or_all(profile);

	for (uint32_t i = 0; wanted && i < profile->nr_frames; i++)
		wanted[i] = wanted[i] && profile_frame_unnamed(profile, i);
	return wanted;
}

static int said(int err, struct error *error)
{
	if (!err || err == -EAGAIN)
		return err;
	return error_set(error, err, "cannot name functions and cgroups: %s", strerror(-err));
}

int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error)
{
	bool *used = used_or_all(profile);
	size_t nr = 0;
	struct jit_place *places = used ? list_jit(profile, used, &nr) : NULL;
	int err = places ? look_jit(names, places, nr, is_late, context) : -ENOMEM;

	free(places);
	free(used);
	return said(err, error);
}

int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context, struct error *error)
{
	struct symbols_known known;
	struct in_file *list;
	size_t nr = 0;
	bool *used;
	int err;

	if (names->request.no_names)
		return 0;
	used = used_or_all(profile);
	list = used ? list_files(profile, used, &nr) : NULL;
	err = list ? 0 : -ENOMEM;
	for (size_t i = 0; i < nr && !err; i++)
		err = is_late(context) ? -EAGAIN :
		      look(names, profile, list[i].frame, false, &known);
	free(list);
	free(used);
	forget_users(names);
	return said(err, error);
}

static int give(struct live_names *names, struct profile *profile, uint32_t frame)
{
	struct symbols_known known;
	int err = look(names, profile, frame, is_over(names), &known);

	if (err && err != -ENOENT)
		return err;
	names->nr++;
	if (err) {
		names->nr_unsought++;
		return 0;
	}
	if (known.name)
		return profile_name_frame(profile, frame, known.name);
	names->unnamed[known.state]++;
	return 0;
}

/* Name the functions of programs that samples have. */
static int give_files(struct live_names *names, struct profile *profile, const bool *used)
{
	struct in_file *list;
	size_t nr;
	int err;

	if (names->request.no_names)
		return 0;
	list = list_files(profile, used, &nr);
	err = list ? 0 : -ENOMEM;
	for (size_t i = 0; i < nr && !err; i++)
		err = give(names, profile, list[i].frame);
	free(list);
	return err;
}

static const char *jit_mark(enum jit_state state)
{
	static const char *const marks[JIT_STATES] = {
		[JIT_NAMED] = "[jit]",
		[JIT_NOT_IN_MAP] = "[jit: not in map]",
		[JIT_NO_MAP] = "[jit: no map]",
		[JIT_REFUSED] = "[jit: map refused]",
		[JIT_DENIED] = "[jit: map denied]",
		[JIT_UNSOUGHT] = "[jit: not sought]",
		[JIT_REMOTE] = "[jit: map remote]",
	};

	return marks[state];
}

/* @context: what frames are called, by their numbers; NULL for those without samples. */
static const char *jit_name(void *context, uint32_t frame)
{
	const char *const *called = context;

	return called[frame] ?: jit_mark(JIT_NAMED);
}

/* Replace what the module sent of code made at run time by names. */
static int give_jit(struct live_names *names, struct profile *profile, const bool *used)
{
	const char **called = calloc((size_t)profile->nr_frames + 1, sizeof(*called));
	size_t nr;
	struct jit_place *places = list_jit(profile, used, &nr);
	int err = called && places ? look_jit(names, places, nr, is_over, names) : -ENOMEM;

	if (err == -EAGAIN)
		err = 0;
	for (size_t i = 0; i < nr && !err && !names->request.no_names; i++) {
		names->jit_places[places[i].state]++;
		called[places[i].frame] = places[i].name ?: jit_mark(places[i].state);
	}
	err = err ?: jit_replace(profile, jit_name, called);
	free(places);
	free(called);
	return err;
}

/* Name all that samples have. */
static int give_all(struct live_names *names, struct profile *profile)
{
	bool *used = used_frames(profile);
	int err = used ? give_files(names, profile, used) ?: give_jit(names, profile, used) :
			 -ENOMEM;

	free(used);
	return err;
}

/* The profile whose stacks get frames for inlined functions. */
struct inlining {
	struct live_names *names;
	const struct profile *profile;
	int err;
};

static const char *inlined_at(void *context, uint32_t frame, uint32_t number)
{
	struct inlining *inlining = context;
	struct symbols_known known = { .name = NULL };
	int err;

	if (!inlining->profile->frames[frame].offset)
		return NULL;
	err = look(inlining->names, inlining->profile, frame, is_over(inlining->names), &known);
	if (err != -ENOENT)
		inlining->err = inlining->err ?: err;
	return number < known.nr_inlined ?
	       symbols_cache_inlined(inlining->names->cache, &known, number) : NULL;
}

static int give_inlined(struct live_names *names, struct profile *profile)
{
	struct inlining inlining = { names, profile, 0 };

	if (!names->request.inlines || names->request.no_names)
		return 0;
	return inlined_add(profile, inlined_at, &inlining) ?: inlining.err;
}

/* Inlined functions are looked up by the place in a function, not by its start. */
int live_names_check(const struct live_names *names, const struct profile *profile,
		     struct error *error)
{
	if (!names->request.inlines || names->request.no_names ||
	    profile->meta.settings.user_places)
		return 0;
	return error_set(error, -EINVAL, "--inlines: the module counts functions of programs, not the places in them: flamectl start user-places=1, or flamectl record --inlines");
}

/* ---- cgroups ---- */

static int look_cgroups(struct live_names *names)
{
	if (!names->cgroups) {
		char *mount = cgroup_paths_mount();

		names->cgroups = cgroup_paths_create(mount, CGROUP_PATHS_MAX);
		free(mount);
	}
	return names->cgroups ? cgroup_paths_look(names->cgroups) : -ENOMEM;
}

int live_names_learn_cgroups(struct live_names *names, uint64_t now_ns, uint64_t every_ns,
			     struct error *error)
{
	uint64_t begin_ns = clock_monotonic_ns(), took_ns;
	int err;

	if (now_ns < names->cgroups_due_ns)
		return 0;
	err = look_cgroups(names);
	took_ns = clock_monotonic_ns() - begin_ns;
	names->cgroups_due_ns = cgroup_paths_due_ns(now_ns, now_ns + took_ns, every_ns);
	return err ? error_set(error, err, "cannot name cgroups: %s", strerror(-err)) : 0;
}

/* Report whether there is a cgroup whose path is not known. */
static bool has_new_cgroups(const struct live_names *names, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_tasks; i++) {
		uint64_t number = cgroup_number(profile->tasks[i].cgroup);

		if (number && !(names->cgroups && cgroup_paths_find(names->cgroups, number)))
			return true;
	}
	return false;
}

/* The names whose cgroups are given, and room for the text of one without a path. */
struct giving_cgroups {
	struct live_names *names;
	char text[CGROUP_TEXT];
};

static const char *cgroup_name(void *context, uint64_t number)
{
	struct giving_cgroups *giving = context;
	const struct cgroup_paths *paths = giving->names->cgroups;
	const char *path = cgroup_paths_find(paths, number);

	if (path)
		return path;
	cgroup_of_number(number, giving->text);
	strcat(giving->text, cgroup_paths_is_full(paths) ? " (not looked up)" :
			     cgroup_paths_sees_all(paths) ? " (gone)" : " (elsewhere)");
	return giving->text;
}

static int give_cgroups(struct live_names *names, struct profile *profile)
{
	struct giving_cgroups giving = { .names = names };
	int err = has_new_cgroups(names, profile) ? look_cgroups(names) : 0;

	return err ?: cgroup_name_all(profile, cgroup_name, &giving);
}

int live_names_give(struct live_names *names, struct profile *profile,
		    struct error *error)
{
	int err = live_names_check(names, profile, error);

	if (err)
		return err;
	if (!names->limit.until_ns)
		names->limit.until_ns = clock_monotonic_ns() + LIVE_NAMES_NS;
	names->nr = names->nr_unsought = 0;
	memset(names->unnamed, 0, sizeof(names->unnamed));
	memset(names->jit_places, 0, sizeof(names->jit_places));
	err = give_all(names, profile) ?: give_inlined(names, profile) ?:
	      give_cgroups(names, profile);
	forget_users(names);
	return said(err, error);
}

/* @nr_said: how many reasons were added before. */
static void add_reason(struct growing *to, size_t nr_said, uint64_t nr, const char *reason)
{
	growing_add(to, "%s%" PRIu64 " %s", nr_said ? ", " : ": ", nr, reason);
}

static void add_jit_missed(const struct live_names *names, struct growing *to)
{
	static const char *const reasons[JIT_STATES] = {
		[JIT_NOT_IN_MAP] = "that are not in their processes' maps",
		[JIT_NO_MAP] = "of processes that have written no /tmp/perf-PID.map",
		[JIT_REFUSED] = "since the maps are links, too old, or other users' files",
		[JIT_DENIED] = "of processes whose files can only be read with CAP_SYS_PTRACE",
		[JIT_UNSOUGHT] = "that were not looked for, as names took too long or a signal came",
		[JIT_REMOTE] = "of processes whose maps may be on network or FUSE file systems, which --any-fs reads",
	};
	uint64_t all = 0, unnamed;
	size_t nr_said = 0;

	for (size_t i = 0; i < JIT_STATES; i++)
		all += names->jit_places[i];
	unnamed = all - names->jit_places[JIT_NAMED];
	if (!unnamed)
		return;
	growing_add(to, "%s%" PRIu64 " of %" PRIu64 " places in code made at run time have no name",
		    to->used ? "; " : "", unnamed, all);
	for (size_t i = JIT_NAMED + 1; i < JIT_STATES; i++)
		if (names->jit_places[i])
			add_reason(to, nr_said++, names->jit_places[i], reasons[i]);
}

/* Add the file that has the most functions without a name. */
static void add_most_missed(const struct live_names *names, struct growing *to)
{
	struct symbols_file file, most = { .path = "" };
	size_t position = 0, nr = 0;

	while (names->cache &&
	       symbols_next(symbols_cache_symbols(names->cache), &position, &file)) {
		nr += file.nr_unnamed != 0;
		if (file.nr_unnamed > most.nr_unnamed)
			most = file;
	}
	if (nr == 1)
		growing_add(to, "; all are in %.200s", most.path);
	else if (nr)
		growing_add(to, "; the most, %" PRIu64 ", are in %.200s", most.nr_unnamed,
			    most.path);
}

static void add_files_missed(const struct live_names *names, struct growing *to)
{
	static const char *const reasons[SYMBOLS_STATES] = {
		[SYMBOLS_READ] = "without a symbol in their files",
		[SYMBOLS_UNPROVEN] = "without a symbol in files that have no build-id",
		[SYMBOLS_ABSENT] = "in files that are gone or cannot be read",
		[SYMBOLS_DIFFERENT] = "in files whose build-id differs from what was sampled",
		[SYMBOLS_STRANGE] = "in files that are no ELF files, or damaged",
		[SYMBOLS_CHANGED] = "in files that were written later",
		[SYMBOLS_UNPLACED] = "in files of which only the debug files are here, and these have no symbols, or leave open where the functions are",
		[SYMBOLS_REMOTE] = "in files on network or FUSE file systems, which --any-fs reads",
		[SYMBOLS_DENIED] = "in files that are not here, and whether their processes are in containers that have them is seen only with CAP_SYS_PTRACE",
		[SYMBOLS_REFUSED] = "in files that were not opened, since others were truncated while flamectl read them",
		[SYMBOLS_UNSUPPORTED] = "since a static flamectl cannot read symbols",
	};
	uint64_t unnamed = names->nr_unsought;
	size_t nr_said = 0;

	for (size_t i = 0; i < SYMBOLS_STATES; i++)
		unnamed += names->unnamed[i];
	if (!unnamed)
		return;
	growing_add(to, "%" PRIu64 " of %" PRIu64 " user functions have no name", unnamed,
		    names->nr);
	for (size_t i = 0; i < SYMBOLS_STATES; i++)
		if (names->unnamed[i])
			add_reason(to, nr_said++, names->unnamed[i], reasons[i]);
	if (names->nr_unsought)
		add_reason(to, nr_said, names->nr_unsought, "that were not looked for, as names took too long or a signal came; flamectl symbolize names them in a saved profile");
	add_most_missed(names, to);
}

const char *live_names_missed(const struct live_names *names,
			      char text[LIVE_NAMES_MISSED])
{
	struct growing to = { .text = text, .room = LIVE_NAMES_MISSED };

	*text = '\0';
	add_files_missed(names, &to);
	add_jit_missed(names, &to);
	return text;
}

/* So many files are named. */
#define UNPROVEN_MAX	3

const char *live_names_unproven(const struct live_names *names,
				char text[LIVE_NAMES_MISSED])
{
	struct growing to = { .text = text, .room = LIVE_NAMES_MISSED };
	size_t position = 0, nr = 0;
	struct symbols_file file;

	*text = '\0';
	while (names->cache &&
	       symbols_next(symbols_cache_symbols(names->cache), &position, &file)) {
		/* the kernel that runs has but one [vdso] */
		if (file.state != SYMBOLS_UNPROVEN || !file.nr_named || *file.path != '/')
			continue;
		if (nr++ < UNPROVEN_MAX)
			growing_add(&to, "%s%.100s",
				    nr > 1 ? ", " : "names are those of a file as it is now, as it has no build-id that could be compared: ",
				    file.path);
	}
	if (nr > UNPROVEN_MAX)
		growing_add(&to, " and %zu more", nr - UNPROVEN_MAX);
	return text;
}

void live_names_deinit(struct live_names *names)
{
	symbols_cache_destroy(names->cache);
	jit_names_destroy(names->jit);
	cgroup_paths_destroy(names->cgroups);
	names->cgroups = NULL;
	names->cache = NULL;
	names->jit = NULL;
}
