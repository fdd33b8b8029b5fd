// SPDX-License-Identifier: GPL-2.0
/*
 * Names from a debug file alone, when its program is not here: right ones or none. Where
 * the text is in the program is restored from headers that objcopy has changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "programs.h"
#include "symbols/cache.h"
#include "symbols/segments.h"

/*
 * Make a root that has the debug file of @program and nothing else, by a command that
 * writes it. Return: the root.
 */
static const char *root_with(const char *program, const char *command, char root[256])
{
	char line[1200], name[64], id[64];

	program_build_id(program, id);
	snprintf(name, sizeof(name), "alone-%s", program);
	program_path(name, root);
	snprintf(line, sizeof(line),
		 "cd %s && rm -rf %s && d=%s/usr/lib/debug/.build-id/%.2s && mkdir -p $d && %s %s $d/%s.debug",
		 programs_directory, name, name, id, command, program, id + 2);
	assert_int_equal(system(line), 0);
	return root;
}

#define OBJCOPY	"objcopy --only-keep-debug"

/* Look up a program's places below a root. Return: what became of the file. */
static struct symbols_file look_up(const char *root, const char *program,
				   const char *names)
{
	const struct symbols_options options = { .root = root };
	struct symbols *symbols = symbols_create(&options);
	struct symbols_file file;
	size_t position = 0;
	char id[64];

	assert_non_null(symbols);
	program_build_id(program, id);
	programs_expect(symbols, program, "/gone", id, names);
	assert_true(symbols_next(symbols, &position, &file));
	symbols_destroy(symbols);
	return file;
}

static void every_kind_of_program_is_named(void **state)
{
	static const char *const programs[] = {
		"pie", "fixed", "static", "static-pie", "joined",
	};
	char root[256], command[800];

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		root_with(programs[i], OBJCOPY, root);
		assert_int_equal(look_up(root, programs[i], NULL).state, SYMBOLS_READ);
		/* also beside another build, or what is no program */
		snprintf(command, sizeof(command), "cp %s/other %s/gone",
			 programs_directory, root);
		assert_int_equal(system(command), 0);
		assert_int_equal(look_up(root, programs[i], NULL).state, SYMBOLS_READ);
		snprintf(command, sizeof(command), "echo text > %s/gone", root);
		assert_int_equal(system(command), 0);
		assert_int_equal(look_up(root, programs[i], NULL).state, SYMBOLS_READ);
	}
}

/* Several places in the program are possible, and objcopy's headers have a wrong one. */
static void an_uncertain_place_names_nothing(void **state)
{
	char root[256], command[800];
	struct symbols_file file;

	(void)state;
	root_with("gap", OBJCOPY, root);
	assert_int_equal(look_up(root, "gap", "").state, SYMBOLS_UNPLACED);
	/* what is wrong with the program itself is said first */
	snprintf(command, sizeof(command), "cp %s/other %s/gone", programs_directory, root);
	assert_int_equal(system(command), 0);
	assert_int_equal(look_up(root, "gap", "").state, SYMBOLS_DIFFERENT);
	/* also if it cannot be opened */
	snprintf(command, sizeof(command), "cd %s && rm gone && mkdir gone", root);
	assert_int_equal(system(command), 0);
	file = look_up(root, "gap", "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	assert_int_not_equal(file.err, -ENOENT);
	/* these are as in the program, as eu-strip leaves them */
	root_with("gap", "cp", root);
	assert_int_equal(look_up(root, "gap", NULL).state, SYMBOLS_READ);
}

/* Its dynamic symbols are not in the debug file, though a header says where. */
static void without_a_symbol_table_there_are_no_names(void **state)
{
	char root[256];

	(void)state;
	root_with("dynamic", OBJCOPY, root);
	assert_int_equal(look_up(root, "dynamic", "").state, SYMBOLS_UNPLACED);
}

static void the_build_id_must_be_the_same(void **state)
{
	char root[256], id[64], command[800];
	struct symbols_file file;

	(void)state;
	program_build_id("pie", id);
	root_with("pie", OBJCOPY, root);
	snprintf(command, sizeof(command),
		 OBJCOPY " %s/other %s/usr/lib/debug/.build-id/%.2s/%s.debug",
		 programs_directory, root, id, id + 2);
	assert_int_equal(system(command), 0);
	file = look_up(root, "pie", "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	assert_int_equal(file.err, -ENOENT);
}

/* Names during a recording are found in the same way. */
static void the_cache_finds_them(void **state)
{
	char root[256], id[64];
	const struct symbols_options options = { .root = root };
	struct symbols_place place = { .path = "/gone", .build_id = id };
	struct symbols_cache *cache;
	struct symbols_known known;

	(void)state;
	root_with("pie", OBJCOPY, root);
	program_build_id("pie", id);
	place.offset = program_offset("pie");
	cache = symbols_cache_create(&options);
	assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
	assert_int_equal(known.state, SYMBOLS_READ);
	assert_string_equal(known.name, "hidden_function");
	symbols_cache_destroy(cache);
}

/* ---- layouts that linkers of this machine do not make ---- */

/* A debug file with these segments, and symbols. */
struct layout {
	uint64_t section;		/* the address of its first section */
	GElf_Phdr headers[4];
	struct segment text;		/* of the last segment; without a size: it is refused */
};

static void add_section(Elf *elf, unsigned int type, uint64_t flags, uint64_t address)
{
	Elf_Scn *section = elf_newscn(elf);
	GElf_Shdr header;

	assert_non_null(gelf_getshdr(section, &header));
	header.sh_type = type;
	header.sh_flags = flags;
	header.sh_addr = address;
	assert_int_equal(gelf_update_shdr(section, &header), 1);
}

/* Return: the file, to be removed by elf_end() and close(*fd). */
static Elf *make(const struct layout *layout, int *fd)
{
	GElf_Ehdr header;
	size_t nr = 0;
	char path[256];
	Elf *elf;

	*fd = open(program_path("made", path), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(*fd >= 0);
	elf = elf_begin(*fd, ELF_C_WRITE, NULL);
	assert_non_null(gelf_newehdr(elf, ELFCLASS64));
	assert_non_null(gelf_getehdr(elf, &header));
	header.e_type = ET_DYN;
	assert_int_equal(gelf_update_ehdr(elf, &header), 1);
	while (nr < 4 && layout->headers[nr].p_type)
		nr++;
	assert_true(!nr || gelf_newphdr(elf, nr));
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr segment = layout->headers[i];

		assert_int_equal(gelf_update_phdr(elf, (int)i, &segment), 1);
	}
	add_section(elf, SHT_NOBITS, SHF_ALLOC, layout->section);
	add_section(elf, SHT_SYMTAB, 0, 0);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	return elf_begin(*fd, ELF_C_READ, NULL);
}

#define SEGMENT(flags, offset, vaddr, filesz, memsz, align) { \
	.p_type = PT_LOAD, .p_flags = (flags), .p_offset = (offset), .p_vaddr = (vaddr), \
	.p_filesz = (filesz), .p_memsz = (memsz), .p_align = (align), \
}

/* The headers, in a segment of 0x700 bytes. */
#define FIRST	SEGMENT(PF_R, 0, 0, 0x300, 0x700, 0x1000)

static const struct layout layouts[] = {
	/* text on the next page, as GNU ld puts it */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0, 0x800, 0x1000) },
	  { 0x1000, 0x800, 0x1000 } },
	/* on the next page of 64 KiB, or after a gap in memory, which the file may have or not */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x10000, 0, 0x800, 0x10000) },
	  { 0x10000, 0x800, 0x10000 } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x20000, 0, 0x800, 0x10000) } },
	/* two segments with text, not at address 0 */
	{ 0x400300, { SEGMENT(PF_R | PF_X, 0, 0x400000, 0x300, 0x700, 0x1000),
		      SEGMENT(PF_R | PF_X, 0, 0x401000, 0, 0x800, 0x1000) },
	  { 0x1000, 0x800, 0x401000 } },
	/* text that lld puts on the same page of the file; with its offset, or without */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0x700, 0x1700, 0x800, 0x800, 0x1000) },
	  { 0x700, 0x800, 0x1700 } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0x700, 0x1700, 0, 0x800, 0x1000) } },
	/* offsets that have been kept, but cannot be: within another, too far, on no page */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0x800, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0x2000, 0x1000, 0x800, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0x1800, 0x2000, 0x800, 0x800, 0x1000) } },
	/* variables before the text: how many of them are in the file is not known */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_W, 0, 0x1000, 0, 0x1800, 0x1000),
		   SEGMENT(PF_R | PF_X, 0, 0x3000, 0, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R, 0, 0x1000, 0, 0x1800, 0x1000),
		   SEGMENT(PF_R | PF_X, 0, 0x3000, 0, 0x800, 0x1000) },
	  { 0x3000, 0x800, 0x3000 } },
	/* text that is written to is like variables, unless its header has been kept */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_W | PF_X, 0, 0x1000, 0, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_W | PF_X, 0x1000, 0x1000, 0x800, 0x800, 0x1000) },
	  { 0x1000, 0x800, 0x1000 } },
	/* no headers at the first address */
	{ 0x40, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0, 0x800, 0x1000) } },
	/* not in the order of addresses, or at the same ones */
	{ 0x1300, { SEGMENT(PF_R, 0, 0x1000, 0x300, 0x700, 0x1000),
		    SEGMENT(PF_R | PF_X, 0, 0, 0, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_W, 0, 0x1000, 0, 0x1800, 0x1000),
		   SEGMENT(PF_R | PF_X, 0, 0x1000, 0, 0x800, 0x1000) } },
	/* an odd alignment, no end, no text, nothing at all */
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0, 0x800, 0xfff) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0, UINT64_MAX, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R, 0, 0x1000, 0, 0x800, 0x1000) } },
	{ 0x300, { FIRST, SEGMENT(PF_R | PF_X, 0, 0x1000, 0, 0, 0x1000) } },
	{ 0x300, { { .p_type = PT_NULL } } },
};

static void expect_text(const struct segments *segments, const struct segment *text)
{
	uint64_t end = text->offset + text->size, address;

	assert_true(segments_address(segments, text->offset, &address));
	assert_int_equal(address, text->address);
	assert_true(segments_address(segments, end - 1, &address));
	assert_int_equal(address, text->address + text->size - 1);
	assert_false(segments_address(segments, text->offset - 1, &address));
	assert_false(segments_address(segments, end, &address));
}

static void layouts_are_restored_or_refused(void **state)
{
	(void)state;
	elf_version(EV_CURRENT);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct segments segments = { .nr = 0 };
		int fd, err;
		Elf *elf = make(&layouts[i], &fd);

		assert_non_null(elf);
		err = segments_restore(&segments, elf);
		if (err != (layouts[i].text.size ? 0 : -ENOTSUP))
			fail_msg("layout %zu: %d", i, err);
		if (!err)
			expect_text(&segments, &layouts[i].text);
		segments_deinit(&segments);
		elf_end(elf);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_program_is_named),
		cmocka_unit_test(an_uncertain_place_names_nothing),
		cmocka_unit_test(without_a_symbol_table_there_are_no_names),
		cmocka_unit_test(the_build_id_must_be_the_same),
		cmocka_unit_test(the_cache_finds_them),
		cmocka_unit_test(layouts_are_restored_or_refused),
	};

	return cmocka_run_group_tests_name("debug_alone", tests, programs_build,
					   programs_remove);
}
