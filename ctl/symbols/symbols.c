// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in programs and libraries: see symbols.h. A file
 * stays open for the next place in it. elfutils keeps a descriptor of each, and
 * a process may have no more than 1024 by default, so the file that was used
 * longest ago is closed for a new one. So are files that together take more memory than one
 * may: see bounded.h.
 */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbols/bounded.h"
#include "symbols/demangle.h"
#include "symbols/jit_map.h"
#include "symbols/object.h"
#include "symbols/process.h"

/* How many files are open at a time. */
#define OPEN_MAX	256

/* In how many processes' roots a file is looked for. */
#define USERS_MAX	16

struct file {
	struct symbols_file seen;
	bool is_sought;			/* and ->seen is set */
	uint64_t used;			/* when, in calls of symbols_find() */
	struct object *object;		/* NULL unless it was read */
	struct jit_map *map;		/* the same, of a JIT's map */
	uint64_t bytes;			/* that these take */
	char *path, *build_id;
	uint32_t asked[USERS_MAX];	/* processes whose roots do not have it */
	size_t nr_asked;
};

struct symbols {
	struct symbols_options options;
	struct file *files;
	size_t nr_files, max_files;
	size_t nr_open;
	uint64_t bytes;			/* that these take */
	size_t latest;			/* the file that was sought last */
	uint64_t now;			/* calls of symbols_find() so far */
	char *demangled;		/* of the name that was found last */
	char **inlined;			/* the functions that are inlined there */
	size_t nr_inlined, max_inlined;
};

struct symbols *symbols_create(const struct symbols_options *options)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols)
		return NULL;
	symbols->options = *options;
	if (!options->debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	return symbols;
}

static void forget_inlined(struct symbols *symbols)
{
	while (symbols->nr_inlined)
		free(symbols->inlined[--symbols->nr_inlined]);
}

void symbols_destroy(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->nr_files; i++) {
		object_close(symbols->files[i].object);
		jit_map_free(symbols->files[i].map);
		free(symbols->files[i].path);
		free(symbols->files[i].build_id);
	}
	forget_inlined(symbols);
	free(symbols->inlined);
	free(symbols->files);
	free(symbols->demangled);
	free(symbols);
}

/* Return: false if no file is open, except for @kept. */
static bool close_oldest(struct symbols *symbols, const struct file *kept)
{
	struct file *oldest = NULL;

	for (size_t i = 0; i < symbols->nr_files; i++) {
		struct file *file = &symbols->files[i];

		if ((file->object || file->map) && file != kept &&
		    (!oldest || file->used < oldest->used))
			oldest = file;
	}
	if (!oldest)
		return false;
	object_close(oldest->object);
	jit_map_free(oldest->map);
	oldest->object = NULL;
	oldest->map = NULL;
	symbols->nr_open--;
	symbols->bytes -= oldest->bytes;
	oldest->bytes = 0;
	return true;
}

/* Count what a file takes now, and close others if all take too much. */
static void count_bytes(struct symbols *symbols, struct file *file)
{
	uint64_t bytes = file->object ? object_bytes(file->object) : file->bytes;

	symbols->bytes += bytes - file->bytes;
	file->bytes = bytes;
	while (symbols->bytes > bounded_max() && close_oldest(symbols, file))
		;
}

static void read_map(const struct regular_root *root, struct file *file, pid_t pid)
{
	uint64_t before = bounded_used(), used;

	file->map = jit_map_read(root, file->path, pid, &file->seen.err);
	used = bounded_used();
	file->bytes = file->map && used > before ? used - before : 0;
}

static void open_at(const struct symbols *symbols, struct file *file,
		    const char *root)
{
	const struct object_source source = {
		.path = file->path, .build_id = file->build_id, .root = root,
		.debuginfod = symbols->options.debuginfod,
		.any_fs = symbols->options.any_fs,
		.not_after = symbols->options.not_after,
	};
	enum symbols_state state;
	int err;

	file->object = object_open(&source, &state, &err);
	/* what is wrong with the file here is said first */
	if (!file->object && file->is_sought)
		return;
	file->is_sought = true;
	file->seen.state = state;
	file->seen.err = err;
}

static bool was_asked(const struct file *file, uint32_t pid)
{
	for (size_t i = 0; i < file->nr_asked; i++)
		if (file->asked[i] == pid)
			return true;
	return false;
}

static bool some_user_is(const uint32_t *pids, size_t nr, enum process_files files)
{
	char root[PROCESS_ROOT];

	for (size_t i = 0; i < nr; i++)
		if (process_files((pid_t)pids[i], root) == files)
			return true;
	return false;
}

/* Open a file as one of its users sees it. */
static void open_elsewhere(const struct symbols *symbols, struct file *file,
			   const struct symbols_users *users)
{
	char root[PROCESS_ROOT];
	const uint32_t *pids;
	size_t nr;

	if (!users || *file->path != '/' || file->nr_asked == USERS_MAX)
		return;
	pids = users->list(users->context, &nr);
	if (!*file->build_id && some_user_is(pids, nr, PROCESS_SAME))
		return;
	for (size_t i = 0; i < nr && !file->object && file->nr_asked < USERS_MAX; i++) {
		enum process_files files;

		if (was_asked(file, pids[i]))
			continue;
		file->asked[file->nr_asked++] = pids[i];
		files = process_files((pid_t)pids[i], root);
		if (files == PROCESS_OTHER)
			open_at(symbols, file, root);
		else if (files == PROCESS_DENIED && file->is_sought)
			file->seen.state = SYMBOLS_DENIED;
	}
}

/*
 * Open a file at its path. If it has users, the path is the module's, and these begin at
 * the root of the mount namespace, also if flamectl runs in a chroot.
 */
static void open_here(const struct symbols *symbols, struct file *file,
		      const struct symbols_users *users)
{
	char outer[PROCESS_ROOT];
	const char *root = symbols->options.root ?: "";

	if (users && !*root && process_outer_root(outer))
		root = outer;
	open_at(symbols, file, root);
}

static void open_elf(const struct symbols *symbols, struct file *file,
		     const struct symbols_users *users)
{
	/* it was closed for others */
	if (file->is_sought && file->seen.state <= SYMBOLS_UNPROVEN) {
		file->is_sought = false;
		file->nr_asked = 0;
	}
	if (!file->is_sought && !*file->build_id)
		open_elsewhere(symbols, file, users);
	if (!file->is_sought)
		open_here(symbols, file, users);
	if (!file->object && file->seen.state != SYMBOLS_UNSUPPORTED)
		open_elsewhere(symbols, file, users);
}

/* Open a file for the first time, or again after it was closed for others. */
static void open_file(struct symbols *symbols, struct file *file,
		      const struct symbols_users *users)
{
	const struct regular_root root = {
		symbols->options.root ?: "", symbols->options.any_fs,
	};
	pid_t pid = jit_map_pid(file->path);

	if (file->object || file->map)
		return;
	if (!pid) {
		open_elf(symbols, file, users);
	} else if (!file->is_sought || file->seen.state == SYMBOLS_READ) {
		file->is_sought = true;
		read_map(&root, file, pid);
		symbols->bytes += file->bytes;
		file->seen.state = file->map ? SYMBOLS_READ : SYMBOLS_ABSENT;
	}
	symbols->nr_open += file->object || file->map;
	if (symbols->nr_open > OPEN_MAX)
		close_oldest(symbols, file);
}

static bool is_of(const struct file *file, const struct symbols_place *place)
{
	return !strcmp(file->path, place->path) &&
	       !strcmp(file->build_id, place->build_id);
}

static int add_file(struct symbols *symbols, const struct symbols_place *place)
{
	struct file *file;

	if (symbols->nr_files == symbols->max_files) {
		size_t max = symbols->max_files ? 2 * symbols->max_files : 16;

		file = reallocarray(symbols->files, max, sizeof(*file));
		if (!file)
			return -ENOMEM;
		symbols->files = file;
		symbols->max_files = max;
	}
	file = &symbols->files[symbols->nr_files];
	memset(file, 0, sizeof(*file));
	file->path = strdup(place->path);
	file->build_id = strdup(place->build_id);
	if (!file->path || !file->build_id) {
		free(file->path);
		free(file->build_id);
		return -ENOMEM;
	}
	file->seen.path = file->path;
	symbols->latest = symbols->nr_files++;
	return 0;
}

/* Make symbols->latest the place's file. */
static int find_file(struct symbols *symbols, const struct symbols_place *place)
{
	size_t i;

	if (symbols->nr_files &&
	    is_of(&symbols->files[symbols->latest], place))
		return 0;
	for (i = 0; i < symbols->nr_files; i++)
		if (is_of(&symbols->files[i], place)) {
			symbols->latest = i;
			return 0;
		}
	return symbols->nr_files == SYMBOLS_FILES_MAX ?
	       -ENFILE : add_file(symbols, place);
}

static char *readable(const struct symbols *symbols, const char *linker_name)
{
	char *name = symbols->options.mangled ? NULL : demangle(linker_name);

	return name ?: strdup(linker_name);
}

/* Find what is inlined at a place. Return: 0 or -ENOMEM. */
static int find_inlined(struct symbols *symbols, struct file *file, uint64_t offset)
{
	size_t nr;
	char *const *names = object_inlined(file->object, offset, &nr);

	if (vec_reserve(symbols->inlined, symbols->max_inlined, nr))
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		char *name = readable(symbols, names[i]);

		if (!name)
			return -ENOMEM;
		symbols->inlined[symbols->nr_inlined++] = name;
	}
	count_bytes(symbols, file);
	return 0;
}

int symbols_find(struct symbols *symbols, const struct symbols_place *place,
		 struct symbols_name *name)
{
	int err = find_file(symbols, place);
	struct file *file;

	name->state = SYMBOLS_ABSENT;
	if (err)
		return err == -ENFILE ? 0 : err;
	file = &symbols->files[symbols->latest];
	file->used = symbols->now++;
	open_file(symbols, file, place->users);
	name->state = file->seen.state;
	name->linker_name = NULL;
	forget_inlined(symbols);
	if (file->map)
		name->linker_name = jit_map_find(file->map, place->address);
	else if (file->object)
		name->linker_name = object_symbol(file->object, place->offset);
	count_bytes(symbols, file);
	if (!name->linker_name) {
		file->seen.nr_unnamed++;
		return 0;
	}
	file->seen.nr_named++;
	free(symbols->demangled);
	symbols->demangled = symbols->options.mangled ? NULL :
			     demangle(name->linker_name);
	name->name = symbols->demangled ?: name->linker_name;
	if (symbols->options.inlines && file->object)
		err = find_inlined(symbols, file, place->offset);
	name->inlined = (const char *const *)symbols->inlined;
	name->nr_inlined = symbols->nr_inlined;
	return err ?: 1;
}

bool symbols_next(const struct symbols *symbols, size_t *position,
		  struct symbols_file *file)
{
	if (*position >= symbols->nr_files)
		return false;
	*file = symbols->files[(*position)++].seen;
	return true;
}
