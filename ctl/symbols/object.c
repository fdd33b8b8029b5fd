// SPDX-License-Identifier: GPL-2.0
/*
 * Read symbols by elfutils: see object.h. Its libdwfl chooses between .symtab,
 * .dynsym and .gnu_debugdata, and finds separate debug files.
 *
 * libdwfl maps files, which may be truncated meanwhile: see mapped.h. An object that was
 * left in the middle is not freed, as nobody knows what of it is whole.
 *
 * Programs are anyone's, so what they are decompressed to is bounded: see bounded.h.
 *
 * Files are opened here and not by libdwfl, as their paths come from a profile,
 * and so from anyone: see regular.h. libdwfl itself opens no file, and asks a server
 * only if the user wants it to.
 */
#include "symbols/object.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deleted.h"
#include "symbols/bounded.h"
#include "symbols/build_id.h"
#include "symbols/debug_file.h"
#include "symbols/inlined.h"
#include "symbols/mapped.h"
#include "symbols/regular.h"
#include "symbols/segments.h"
#include "symbols/symbol_table.h"
#include "symbols/vdso.h"

/* The name of every module: libdwfl looks for no file beside it. */
#define MODULE_NAME	"object"

/* Where libdwfl looks for debug files. It asks a server only if that does not exist. */
#define NO_DIRECTORY	"/proc/none"

struct object {
	Dwfl_Callbacks callbacks;
	char *debug_path;		/* NO_DIRECTORY */
	struct object_source source;	/* the texts are this object's own */
	char *path, *root;
	int fetched;			/* a program from a server, or -1 */
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;			/* libdwfl's addresses minus the file's */
	struct segments segments;	/* of the program */
	char *name;			/* that was found last */
	char *inlined_names[INLINED_MAX];	/* the same */
	size_t nr_inlined;
	bool has_symbols;		/* libdwfl has read them */
	struct symbol_table *table;	/* of them; NULL: memory was short, so none is found */
	bool has_sought_dwarf;
	struct inlined *inlined;	/* NULL: it has no DWARF, or it cannot be used */
	Dwarf *shared;			/* DWARF that several programs share, or NULL */
	int shared_fd;			/* -1 without it */
	Dwarf_Addr dwarf_bias;
	uint64_t bytes;			/* that were allocated while it was read */
	bool is_truncated;
	struct object *next;		/* in left_alone */
};

/* Objects whose files were truncated; they cannot be freed. */
static struct object *left_alone;

/*
 * How many these are, with those that were not complete, and what they have allocated. Anyone
 * may truncate files on purpose, so after LEFT_ALONE_MAX, or if they have half of what may be
 * read, no file is opened any more. Their descriptors stay open, as libdwfl may have closed some.
 */
static unsigned int nr_left_alone;
static uint64_t left_alone_bytes;

#define LEFT_ALONE_MAX	8

/* A name that is cut to this is longer than any that is demangled, so it stays mangled. */
#define LINKER_NAME_MAX	4097

static void forget_inlined(struct object *object)
{
	while (object->nr_inlined)
		free(object->inlined_names[--object->nr_inlined]);
}

void object_close(struct object *object)
{
	if (!object)
		return;
	free(object->name);
	object->name = NULL;
	forget_inlined(object);
	if (object->is_truncated)
		return;
	inlined_destroy(object->inlined);
	symbol_table_destroy(object->table);
	if (object->dwfl)
		dwfl_end(object->dwfl);
	if (object->shared)
		dwarf_end(object->shared);
	if (object->shared_fd >= 0)
		close(object->shared_fd);
	segments_deinit(&object->segments);
	free(object->path);
	free(object->root);
	free(object);
}

/* libdwfl asks for a debug file when the program's own symbols are not all there are. */
static int find_debug_file(Dwfl_Module *module, void **userdata, const char *name,
			   Dwarf_Addr base, const char *path, const char *link,
			   GElf_Word crc, char **debug_path)
{
	const struct object *object = *userdata;
	const unsigned char *bytes;
	char build_id[BUILD_ID_TEXT];
	GElf_Addr at;
	int nr = dwfl_module_build_id(module, &bytes, &at), fd;

	if (nr < 0 || !build_id_text(bytes, (size_t)nr, build_id))
		return -1;
	fd = debug_file_open(&object->source, build_id, link, crc);
	if (fd >= 0)
		return fd;
	errno = 0;
	return object->source.debuginfod ?
	       dwfl_standard_find_debuginfo(module, userdata, name, base, path,
					    link, crc, debug_path) : -1;
}

/* libdwfl asks for the program itself if it was reported without a file. */
static int find_program(Dwfl_Module *module, void **userdata, const char *name,
			Dwarf_Addr base, char **path, Elf **elf)
{
	struct object *object = *userdata;
	int fd = dwfl_build_id_find_elf(module, userdata, name, base, path, elf);

	if (fd >= 0)
		object->fetched = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd;
}

static struct object *object_create(const struct object_source *source)
{
	struct object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->callbacks = (Dwfl_Callbacks){
		.find_elf = find_program,
		.find_debuginfo = find_debug_file,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &object->debug_path,
	};
	object->debug_path = (char *)NO_DIRECTORY;
	object->fetched = -1;
	object->shared_fd = -1;
	object->path = strdup(source->path);
	object->root = strdup(source->root);
	object->source = (struct object_source){
		.path = object->path, .root = object->root, .build_id = "",
		.debuginfod = source->debuginfod, .any_fs = source->any_fs,
	};
	if (object->path && object->root)
		object->dwfl = dwfl_begin(&object->callbacks);
	if (object->dwfl)
		return object;
	object_close(object);
	return NULL;
}

/* How the file is the one that was sampled, as far as can be known. */
static enum symbols_state compare(Elf *elf, const char *build_id)
{
	char text[BUILD_ID_TEXT];
	const void *bytes;
	ssize_t nr = dwelf_elf_gnu_build_id(elf, &bytes);

	if (!*build_id)
		return SYMBOLS_UNPROVEN;
	if (nr <= 0 || !build_id_text(bytes, (size_t)nr, text))
		return SYMBOLS_DIFFERENT;
	return build_id_same(text, build_id) ? SYMBOLS_READ : SYMBOLS_DIFFERENT;
}

/* What a file may be. */
enum kind { PROGRAM, DEBUG_FILE };

/* Check whether the file is the one that was sampled, and find out where its text is. */
static enum symbols_state examine(struct object *object, const char *build_id,
				  enum kind kind)
{
	enum symbols_state state;
	int err;

	object->elf = dwfl_module_getelf(object->module, &object->bias);
	if (!object->elf)
		return SYMBOLS_STRANGE;
	state = compare(object->elf, build_id);
	if (state != SYMBOLS_READ && state != SYMBOLS_UNPROVEN)
		return state;
	err = kind == PROGRAM ? segments_read(&object->segments, object->elf) :
				segments_restore(&object->segments, object->elf);
	if (!err)
		return state;
	return err == -ENOTSUP ? SYMBOLS_UNPLACED : SYMBOLS_STRANGE;
}

/* Let libdwfl read a file. @fd is closed in any case. */
static struct object *read_file(const struct object_source *source, int fd,
				enum kind kind, enum symbols_state *state)
{
	struct object *object = object_create(source);
	void **userdata;

	*state = SYMBOLS_STRANGE;
	bounded_map(fd);
	if (object)
		object->module = dwfl_report_offline(object->dwfl, MODULE_NAME,
						     MODULE_NAME, fd);
	if (!object || !object->module) {
		close(fd);
		object_close(object);
		return NULL;
	}
	dwfl_module_info(object->module, &userdata, NULL, NULL, NULL, NULL, NULL,
			 NULL);
	*userdata = object;
	dwfl_report_end(object->dwfl, NULL, NULL);
	*state = examine(object, source->build_id, kind);
	if (*state == SYMBOLS_READ || *state == SYMBOLS_UNPROVEN)
		return object;
	object_close(object);
	return NULL;
}

static int open_below(const struct object_source *source, const char *path,
		      struct stat *st)
{
	const struct regular_root root = { source->root, source->any_fs };

	return regular_open(&root, path, REGULAR_LINKS, st);
}

/*
 * Open the file at its own path, or what this kernel calls [vdso]. If it was deleted, another
 * one may be there, which only a build-id tells.
 */
static int open_own(const struct object_source *source)
{
	struct stat st;
	char *path;
	int fd;

	if (!strcmp(source->path, VDSO_NAME))
		return vdso_open();
	if (*source->path != '/')
		return -ENOENT;
	path = strdup(source->path);
	if (!path)
		return -ENOMEM;
	if (*source->build_id)
		path[deleted_length(path)] = '\0';
	fd = open_below(source, path, &st);
	free(path);
	if (fd >= 0 && source->not_after && !*source->build_id && !*source->root &&
	    st.st_mtime > source->not_after) {
		close(fd);
		return -ETIME;
	}
	return fd;
}

/* Open the file that distributions install by its build-id. */
static int open_by_build_id(const struct object_source *source)
{
	char path[sizeof(DEBUG_DIRECTORY "/.build-id//") + BUILD_ID_TEXT];
	const char *id = source->build_id;
	struct stat st;

	if (!build_id_valid(id))
		return -ENOENT;
	snprintf(path, sizeof(path), DEBUG_DIRECTORY "/.build-id/%.2s/%s", id,
		 id + 2);
	return open_below(source, path, &st);
}

/* Open the debug file alone: it has the program's symbols and its build-id, too. */
static int open_debug_file(const struct object_source *source)
{
	return debug_file_open(source, source->build_id, NULL, 0);
}

/*
 * Fetch the file from a server. libdwfl asks for a module whose file it does not
 * have; the address at which it is said to be does not matter.
 */
static int open_fetched(const struct object_source *source)
{
	unsigned char id[BUILD_ID_BYTES];
	size_t nr = build_id_bytes(source->build_id, id);
	struct object *object;
	Dwfl_Module *module;
	void **userdata;
	GElf_Addr bias;
	int fd;

	if (!source->debuginfod || !nr)
		return -ENOENT;
	object = object_create(source);
	if (!object)
		return -ENOMEM;
	module = dwfl_report_module(object->dwfl, MODULE_NAME, 0x10000, UINT32_MAX);
	if (module) {
		dwfl_module_info(module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
		*userdata = object;
		if (!dwfl_module_report_build_id(module, id, (int)nr, 0))
			dwfl_module_getelf(module, &bias);
	}
	fd = object->fetched;
	object_close(object);
	return fd < 0 ? -ENOENT : fd;
}

/* A request to libdwfl, and its answer. */
struct opening {
	const struct object_source *source;
	struct object *object;
	enum symbols_state state;
	int err;
};

static void open_any(void *context)
{
	struct opening *opening = context;
	static const struct {
		int (*open)(const struct object_source *source);
		enum kind kind;
	} ways[] = {
		{ open_own, PROGRAM }, { open_by_build_id, PROGRAM },
		{ open_debug_file, DEBUG_FILE }, { open_fetched, PROGRAM },
	};
	struct object *object = NULL;
	enum symbols_state what;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && !object; i++) {
		bool is_gone = !opening->err || opening->err == -ENOENT;
		int fd = ways[i].open(opening->source);

		if (fd < 0) {
			opening->err = opening->err ?: fd;
			continue;
		}
		object = read_file(opening->source, fd, ways[i].kind, &what);
		/* what is wrong with its own file is said first, also if it cannot be opened */
		if (object || (opening->state == SYMBOLS_ABSENT &&
			       (is_gone || ways[i].kind == PROGRAM)))
			opening->state = what;
	}
	opening->object = object;
}

/* As mapped_read(). @bytes: set to what was allocated. */
static bool read_bounded(void (*function)(void *context), void *context, uint64_t *bytes)
{
	struct bounded bounded;
	bool has_returned;

	bounded_begin(&bounded);
	has_returned = mapped_read(function, context);
	*bytes = bounded_end(&bounded);
	return has_returned;
}

static void count_left_alone(uint64_t bytes)
{
	nr_left_alone++;
	left_alone_bytes += bytes;
}

struct object *object_open(const struct object_source *source,
			   enum symbols_state *state, int *err)
{
	struct opening opening = { .source = source, .state = SYMBOLS_ABSENT };
	uint64_t bytes;

	if (nr_left_alone >= LEFT_ALONE_MAX || left_alone_bytes > bounded_max() / 2) {
		*state = SYMBOLS_REFUSED;
		*err = 0;
		return NULL;
	}
	elf_version(EV_CURRENT);
	if (!read_bounded(open_any, &opening, &bytes)) {
		count_left_alone(bytes);
		*state = SYMBOLS_STRANGE;
		*err = 0;
		return NULL;
	}
	if (opening.state == SYMBOLS_ABSENT && opening.err == -EREMOTE)
		opening.state = SYMBOLS_REMOTE;
	if (opening.state == SYMBOLS_ABSENT && opening.err == -ETIME)
		opening.state = SYMBOLS_CHANGED;
	*state = opening.state;
	*err = opening.state == SYMBOLS_ABSENT ? opening.err : 0;
	if (opening.object)
		opening.object->bytes = bytes;
	return opening.object;
}

/* Turn an offset in the program's file into libdwfl's address of it. */
static bool address_of(const struct object *object, uint64_t offset,
		       GElf_Addr *address)
{
	if (!segments_address(&object->segments, offset, address))
		return false;
	*address += object->bias;
	return true;
}

struct finding {
	struct object *object;
	uint64_t offset;
};

/* The name is copied, because it is in the mapped file. */
static void find(void *context)
{
	const struct finding *finding = context;
	struct object *object = finding->object;
	const char *name = NULL;
	GElf_Addr address;

	if (!address_of(object, finding->offset, &address))
		return;
	if (!object->has_symbols)
		object->table = symbol_table_create(object->module);
	object->has_symbols = true;
	/* without the table, libdwfl would go through all symbols for each function */
	if (object->table)
		name = symbol_table_find(object->table, object->module, address);
	if (name && *name)
		object->name = strndup(name, LINKER_NAME_MAX);
}

static void leave_alone(struct object *object)
{
	object->is_truncated = true;
	count_left_alone(object->bytes);
	object->next = left_alone;
	left_alone = object;
}

const char *object_symbol(struct object *object, uint64_t offset)
{
	struct finding finding = { object, offset };
	uint64_t bytes = 0;
	bool has_returned;

	if (object->is_truncated)
		return NULL;
	free(object->name);
	object->name = NULL;
	/* the first one reads all symbols, the others look in them */
	has_returned = object->has_symbols ? mapped_read(find, &finding) :
					     read_bounded(find, &finding, &bytes);
	object->bytes += bytes;
	if (!has_returned)
		leave_alone(object);
	return object->name;
}

uint64_t object_bytes(const struct object *object)
{
	return object->is_truncated ? 0 : object->bytes;
}

/*
 * DWARF may refer to a file of what several programs share, which dwz made. libdw
 * would open it by the path that the program has, so it is opened here.
 * Return: false if it is not here.
 */
static bool open_shared(struct object *object, Dwarf *dwarf)
{
	char text[BUILD_ID_TEXT];
	const void *build_id;
	const char *path;
	ssize_t nr = dwelf_dwarf_gnu_debugaltlink(dwarf, &path, &build_id);

	if (!nr)
		return true;
	if (nr < 0 || !build_id_text(build_id, (size_t)nr, text))
		return false;
	object->shared_fd = debug_file_open_shared(&object->source, text, path);
	if (object->shared_fd >= 0)
		object->shared = dwarf_begin(object->shared_fd, DWARF_C_READ);
	if (object->shared)
		dwarf_setalt(dwarf, object->shared);
	return object->shared;
}

/* The names are copied, because they are in the mapped file. */
static void find_inlined(void *context)
{
	const struct finding *finding = context;
	struct object *object = finding->object;
	const char *names[INLINED_MAX];
	GElf_Addr address;
	Dwarf *dwarf;
	size_t nr;

	if (!object->has_sought_dwarf) {
		object->has_sought_dwarf = true;
		dwarf = dwfl_module_getdwarf(object->module, &object->dwarf_bias);
		if (dwarf && open_shared(object, dwarf))
			object->inlined = inlined_create(dwarf);
	}
	if (!object->inlined || !address_of(object, finding->offset, &address))
		return;
	nr = inlined_find(object->inlined, address - object->dwarf_bias, names);
	for (size_t i = 0; i < nr; i++) {
		char *name = strndup(names[i], LINKER_NAME_MAX);

		if (!name)
			return;
		object->inlined_names[object->nr_inlined++] = name;
	}
}

char *const *object_inlined(struct object *object, uint64_t offset, size_t *nr)
{
	struct finding finding = { object, offset };
	bool has_returned;
	uint64_t bytes;

	forget_inlined(object);
	if (!object->is_truncated) {
		has_returned = read_bounded(find_inlined, &finding, &bytes);
		object->bytes += bytes;
		if (!has_returned)
			leave_alone(object);
	}
	*nr = object->nr_inlined;
	return object->inlined_names;
}
