// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in anyone's programs: ctl/symbols. An input is one of these, by its
 * first byte:
 *
 *   program   an ELF file, its separate debug file and an address in it: two bytes of
 *             flags and address each, four of the program's size, then both files
 *   map       the text of a JIT's /tmp/perf-PID.map, after eight bytes of an address
 *   build-id  the text of one
 *
 * No file is touched: whatever is opened is one of these two files, in memory.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/bounded.h"
#include "symbols/build_id.h"
#include "symbols/inlined.h"
#include "symbols/jit_map.h"
#include "symbols/regular.h"
#include "symbols/symbols.h"

enum { PROGRAM = 'p', MAP = 'm', BUILD_ID = 'b' };

/* The flags of a program. */
enum {
	INLINES = 1,
	MANGLED = 2,
	WITH_BUILD_ID = 4,	/* the profile has one, which may be another */
};

#define PROGRAM_PATH	"/program"
#define SOME_BUILD_ID	"abcdef0102030405"
#define PLACES		16
#define APART		37	/* bytes from one place to the next */

static struct fuzz_bytes program, debug;
static char map_path[64];

const char *__asan_default_options(void);

/* As with the bound on memory that flamectl has: what needs more gets NULL. */
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:max_allocation_size_mb=256";
}

/* The address sanitizer reserves terabytes. */
void bounded_begin(struct bounded *bounded) { (void)bounded; }
void bounded_map(int fd) { (void)fd; }
uint64_t bounded_end(const struct bounded *bounded) { (void)bounded; return 0; }
uint64_t bounded_used(void) { return 0; }
uint64_t bounded_max(void) { return UINT64_MAX; }

int regular_open(const struct regular_root *root, const char *path,
		 enum regular_links links, struct stat *st)
{
	const struct fuzz_bytes *bytes = !strcmp(path, PROGRAM_PATH) || !strcmp(path, map_path) ?
					 &program : &debug;
	int fd;

	(void)root;
	(void)links;
	if (!bytes->size)
		return -ENOENT;
	fd = memfd_create("file", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, bytes->bytes, bytes->size) == (ssize_t)bytes->size);
	must(!lseek(fd, 0, SEEK_SET) && !fstat(fd, st));
	return fd;
}

static void check_name(const struct symbols_name *name, int found)
{
	must(found == 0 || found == 1);
	must(name->state < SYMBOLS_STATES);
	if (!found)
		return;
	must(*name->name && *name->linker_name);
	must(name->state == SYMBOLS_READ || name->state == SYMBOLS_UNPROVEN);
	must(name->nr_inlined <= INLINED_MAX);
	for (size_t i = 0; i < name->nr_inlined; i++)
		must(*name->inlined[i]);
}

/* Look up the places. The names of the first time are found again. */
static void look_up(const struct symbols_options *options, const char *build_id,
		    uint64_t offset, char *names[PLACES], bool again)
{
	struct symbols *symbols = symbols_create(options);
	struct symbols_file file;
	size_t position = 0;

	must(symbols);
	for (unsigned int i = 0; i < PLACES; i++) {
		const struct symbols_place place = {
			.path = PROGRAM_PATH, .build_id = build_id,
			.offset = offset + APART * i,
		};
		struct symbols_name name = { .name = NULL };
		int found = symbols_find(symbols, &place, &name);

		check_name(&name, found);
		if (!again)
			names[i] = found ? strdup(name.name) : NULL;
		else
			must(found ? names[i] && !strcmp(name.name, names[i]) : !names[i]);
	}
	must(symbols_next(symbols, &position, &file));
	must(file.nr_named + file.nr_unnamed == PLACES);
	symbols_destroy(symbols);
}

static void fuzz_program(const uint8_t *data, size_t size)
{
	struct symbols_options options = { .root = "" };
	char *names[PLACES];
	uint16_t head[2];
	uint32_t bytes;

	if (size < sizeof(head) + sizeof(bytes))
		return;
	memcpy(head, data, sizeof(head));
	memcpy(&bytes, data + sizeof(head), sizeof(bytes));
	data += sizeof(head) + sizeof(bytes);
	size -= sizeof(head) + sizeof(bytes);
	if (bytes > size)
		bytes = (uint32_t)size;
	program = (struct fuzz_bytes){ (char *)(uintptr_t)data, bytes };
	debug = (struct fuzz_bytes){ (char *)(uintptr_t)data + bytes, size - bytes };
	options.inlines = head[0] & INLINES;
	options.mangled = head[0] & MANGLED;
	look_up(&options, head[0] & WITH_BUILD_ID ? SOME_BUILD_ID : "", head[1], names, false);
	look_up(&options, head[0] & WITH_BUILD_ID ? SOME_BUILD_ID : "", head[1], names, true);
	for (unsigned int i = 0; i < PLACES; i++)
		free(names[i]);
}

/*
 * The last line, of those that are complete, which says that @address is in its
 * function. Return: its name, up to the line's end, or NULL.
 */
static const char *last_line(char *text, uint64_t address, const char *name, bool *is_there)
{
	const char *last = NULL;
	char *end;

	*is_there = false;
	for (; (end = strchr(text, '\n')); text = end + 1) {
		uint64_t start, bytes;
		char *at;

		*end = '\0';
		errno = 0;
		start = strtoull(text, &at, 16);
		if (at == text || *at != ' ')
			continue;
		text = at;
		bytes = strtoull(text, &at, 16);
		if (errno || at == text || *at != ' ' || !at[1] || address - start >= bytes)
			continue;
		last = at + 1;
		*is_there |= name && !strcmp(name, last);
	}
	return last;
}

static void fuzz_map(const uint8_t *data, size_t size)
{
	const struct regular_root root = { "", false };
	struct jit_map *map;
	uint64_t address;
	const char *name, *last;
	size_t lines = 0;
	bool is_there;
	char *text;
	int err;

	if (size < sizeof(address))
		return;
	memcpy(&address, data, sizeof(address));
	data += sizeof(address);
	size -= sizeof(address);
	program = (struct fuzz_bytes){ (char *)(uintptr_t)data, size };
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", (int)getpid());
	must(jit_map_pid(map_path) == getpid());
	map = jit_map_read(&root, map_path, getpid(), &err);
	if (!map) {
		must(err == -ENOENT && !size);
		return;
	}
	text = calloc(1, size + 1);
	must(text);
	memcpy(text, data, size);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	name = jit_map_find(map, address);
	last = last_line(text, address, name, &is_there);
	/* where many functions overlap, it may be one that was written before */
	must(!name || is_there);
	must(lines >= 64 || (name ? last && !strcmp(name, last) : !last));
	free(text);
	jit_map_free(map);
}

static void fuzz_build_id(const uint8_t *data, size_t size)
{
	unsigned char bytes[BUILD_ID_BYTES];
	char *text = calloc(1, size + 1), again[BUILD_ID_TEXT];
	size_t nr;

	must(text);
	memcpy(text, data, size);
	nr = build_id_bytes(text, bytes);
	must(nr <= sizeof(bytes) && build_id_valid(text) == (nr > 0));
	if (nr) {
		must(build_id_text(bytes, nr, again));
		must(strlen(again) == 2 * nr && !strcasecmp(again, text));
		must(build_id_same(again, text) && build_id_same(text, again));
	}
	must(!build_id_text(data, size, again) == (size > BUILD_ID_BYTES));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0]) {
	case PROGRAM:
		fuzz_program(data + 1, size - 1);
		break;
	case MAP:
		fuzz_map(data + 1, size - 1);
		break;
	case BUILD_ID:
		fuzz_build_id(data + 1, size - 1);
		break;
	}
	return 0;
}
