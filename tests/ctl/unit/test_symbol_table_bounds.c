// SPDX-License-Identifier: GPL-2.0
/*
 * A look-up takes few steps, whatever symbols a program has. Here libdwfl's table of them is
 * made up, as anyone could write one, and libdwfl's own look-up, which goes through all
 * symbols, is a mistake.
 *
 * Going through all symbols each time would take hours. The alarm ends that, and nothing else.
 */
#include <elfutils/libdwfl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/symbol_table.h"

#define NR_SMALL	1000000		/* symbols of SMALL_BYTES, one in each STEP_BYTES */
#define SMALL_BYTES	8
#define STEP_BYTES	16
#define BASE		0x1000
#define NR_LOOKS	100000
#define ALARM_SECONDS	120

static int nr_covering;			/* symbols that contain all others */
static char name_found[32];

int dwfl_module_getsymtab(Dwfl_Module *module)
{
	(void)module;
	return 1 + nr_covering + NR_SMALL;
}

int dwfl_module_getsymtab_first_global(Dwfl_Module *module)
{
	(void)module;
	return 1;
}

/* The outermost symbol comes first. */
const char *dwfl_module_getsym_info(Dwfl_Module *module, int number, GElf_Sym *symbol,
				    GElf_Addr *address, GElf_Word *section, Elf **elf,
				    Dwarf_Addr *bias)
{
	int small = number - 1 - nr_covering;

	(void)module;
	(void)elf;
	(void)bias;
	*symbol = (GElf_Sym){
		.st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,
		.st_size = small < 0 ? BASE + (uint64_t)NR_SMALL * STEP_BYTES : SMALL_BYTES,
	};
	*address = small < 0 ? (GElf_Addr)number : BASE + (GElf_Addr)small * STEP_BYTES;
	if (section)
		*section = 1;
	snprintf(name_found, sizeof(name_found), small < 0 ? "covering %d" : "small %d",
		 small < 0 ? number : small);
	return name_found;
}

const char *dwfl_module_addrinfo(Dwfl_Module *module, GElf_Addr address, GElf_Off *offset,
				 GElf_Sym *symbol, GElf_Word *section, Elf **elf,
				 Dwarf_Addr *bias)
{
	(void)module;
	(void)address;
	(void)offset;
	(void)symbol;
	(void)section;
	(void)elf;
	(void)bias;
	fail_msg("libdwfl goes through all symbols");
	return NULL;
}

/* Look up a place in small symbols all over the table, and one after each. */
static void look_all_over(void **state)
{
	struct symbol_table *table;

	(void)state;
	table = symbol_table_create(NULL);
	assert_non_null(table);
	alarm(ALARM_SECONDS);
	for (int i = 0; i < NR_LOOKS; i++) {
		int small = (int)((uint64_t)i * 7919 % NR_SMALL);
		GElf_Addr at = BASE + (GElf_Addr)small * STEP_BYTES;
		char expected[32];
		const char *name = symbol_table_find(table, NULL, at + 1);

		snprintf(expected, sizeof(expected), "small %d", small);
		assert_non_null(name);
		assert_string_equal(name, expected);
		name = symbol_table_find(table, NULL, at + SMALL_BYTES);
		if (!nr_covering) {
			assert_null(name);
			continue;
		}
		/* the one that begins closest */
		snprintf(expected, sizeof(expected), "covering %d", nr_covering);
		assert_non_null(name);
		assert_string_equal(name, expected);
	}
	alarm(0);
	symbol_table_destroy(table);
}

static void without_a_symbol_around_them(void **state)
{
	nr_covering = 0;
	look_all_over(state);
}

static void in_one_symbol_that_contains_all(void **state)
{
	nr_covering = 1;
	look_all_over(state);
}

/* More than any program has: which one is the name does not matter, but some one is. */
static void in_many_symbols_that_contain_all(void **state)
{
	nr_covering = 40;
	look_all_over(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_symbol_around_them),
		cmocka_unit_test(in_one_symbol_that_contains_all),
		cmocka_unit_test(in_many_symbols_that_contain_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
