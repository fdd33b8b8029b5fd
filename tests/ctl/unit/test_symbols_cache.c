// SPDX-License-Identifier: GPL-2.0
/*
 * What is kept of names that are anyone's. Here each function is found, and has a name, and an
 * inlined function, of a megabyte.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/cache.h"

static char long_name[1 << 20];
static unsigned int asked;

struct symbols *symbols_create(const struct symbols_options *options)
{
	(void)options;
	return (struct symbols *)long_name;
}

void symbols_destroy(struct symbols *symbols)
{
	(void)symbols;
}

int symbols_find(struct symbols *symbols, const struct symbols_place *place,
		 struct symbols_name *name)
{
	static const char *const inlined[] = { long_name };

	(void)symbols;
	(void)place;
	asked++;
	*name = (struct symbols_name){
		.name = long_name, .linker_name = long_name, .inlined = inlined, .nr_inlined = 1,
	};
	return 1;
}

static const struct symbols_place place = { .path = "/bin/program", .build_id = "" };

static struct symbols_cache *begin(void)
{
	struct symbols_cache *cache = symbols_cache_create(&(struct symbols_options){ 0 });

	assert_non_null(cache);
	return cache;
}

static void long_names_are_cut(void **state)
{
	struct symbols_cache *cache = begin();
	struct symbols_known known;

	(void)state;
	memset(long_name, 'x', sizeof(long_name) - 1);
	assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
	assert_int_equal(strlen(known.name), SYMBOLS_NAME_MAX);
	assert_int_equal(strlen(symbols_cache_inlined(cache, &known, 0)), SYMBOLS_NAME_MAX);
	symbols_cache_destroy(cache);
}

static void a_place_is_recalled_once_it_was_found(void **state)
{
	struct symbols_cache *cache = begin();
	struct symbols_known known;

	(void)state;
	strcpy(long_name, "short");
	asked = 0;
	assert_int_equal(symbols_cache_recall(cache, &place, &known), -ENOENT);
	assert_int_equal(asked, 0);
	assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
	assert_int_equal(symbols_cache_recall(cache, &place, &known), 0);
	assert_int_equal(asked, 1);
	assert_string_equal(known.name, "short");
	symbols_cache_destroy(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(a_place_is_recalled_once_it_was_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
