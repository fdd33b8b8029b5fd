// SPDX-License-Identifier: GPL-2.0
/*
 * Sorted symbols name what libdwfl names: in programs of several kinds, and in this test
 * itself, which has many functions, and some without a size.
 */
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "programs.h"
#include "symbols/symbol_table.h"

#define LOOKS	3001

static char none[] = "/proc/none";
static char *nowhere = none;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &nowhere,
};

/* A local symbol that a global one contains: the global one is the name. */
__asm__(".text\n"
	".globl around\n"
	".type around, @function\n"
	"around: nop\n"
	".type inside, @function\n"
	"inside: nop\n"
	".size inside, . - inside\n"
	"nop\n"
	".size around, . - around\n"
	".previous\n");

/* Symbols without a size: a global one, a local one, both, and one that ends with its section. */
__asm__(".text\n"
	".balign 16\n"
	".globl bare\n"
	"bare: nop\n"
	"nop\n"
	"bare_local: nop\n"
	"nop\n"
	".globl twice\n"
	"twice:\n"
	"twice_local: nop\n"
	"nop\n"
	".globl bare_around\n"
	".type covering_local, @function\n"
	"covering_local: nop\n"
	"bare_around: nop\n"
	"nop\n"
	".size covering_local, . - covering_local\n"
	"nop\n"
	".previous\n"
	".section .text.of_its_own, \"ax\", @progbits\n"
	".globl bare_at_the_end\n"
	"nop\n"
	"bare_at_the_end:\n"
	".previous\n");

/* Expect what libdwfl finds. Return: whether a place has a name. */
static bool has_name(const struct symbol_table *table, Dwfl_Module *module, GElf_Addr at)
{
	GElf_Off within;
	GElf_Sym symbol;
	const char *theirs = dwfl_module_addrinfo(module, at, &within, &symbol, NULL, NULL, NULL);
	const char *name = symbol_table_find(table, module, at);

	if (theirs && name)
		assert_string_equal(name, theirs);
	else
		assert_ptr_equal(name, theirs);
	return name;
}

/* Compare at places in steps, and where symbols begin. Return: how many have names. */
static unsigned int compare(const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = dwfl_report_offline(dwfl, "", path, -1);
	struct symbol_table *table;
	GElf_Addr from, to, at, step;
	unsigned int named = 0;
	GElf_Sym symbol;

	assert_non_null(module);
	dwfl_report_end(dwfl, NULL, NULL);
	dwfl_module_info(module, NULL, &from, &to, NULL, NULL, NULL, NULL);
	table = symbol_table_create(module);
	assert_non_null(table);
	step = (to - from) / LOOKS | 1;
	for (at = from; at < to; at += step)
		named += has_name(table, module, at);
	for (int i = 1; i < dwfl_module_getsymtab(module); i++)
		if (dwfl_module_getsym_info(module, i, &symbol, &at, NULL, NULL, NULL))
			for (GElf_Addr near = at - 1; near <= at + 3; near++)
				named += has_name(table, module, near);
	symbol_table_destroy(table);
	dwfl_end(dwfl);
	return named;
}

/* Return: the C library of this test, in which most functions have several names. */
static const char *c_library(void)
{
	Dl_info info;

	assert_true(dladdr(dlsym(RTLD_DEFAULT, "write"), &info));
	return info.dli_fname;
}

static void of_several_names_it_is_libdwfls(void **state)
{
	(void)state;
	assert_true(compare(c_library()) > LOOKS / 2);
}

static void names_are_libdwfls(void **state)
{
	static const char *const programs[] = { "pie", "no-id" };
	char path[256];

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		assert_true(compare(program_path(programs[i], path)) > LOOKS / 10);
	/* its symbols are in a debug file, which is not read here */
	assert_int_equal(compare(program_path("separate", path)), 0);
	assert_true(compare("/proc/self/exe") > LOOKS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_libdwfls),
		cmocka_unit_test(of_several_names_it_is_libdwfls),
	};

	return cmocka_run_group_tests(tests, programs_build, programs_remove);
}
