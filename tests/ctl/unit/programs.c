// SPDX-License-Identifier: GPL-2.0
/*
 * Build programs and look up their functions: see programs.h. The programs print
 * themselves where their functions are.
 */
#include "programs.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

char programs_directory[] = "/tmp/flamectl-symbols.XXXXXX";

/* Other users may look into it, as into the directories of programs. */
int programs_build(void **state)
{
	char command[512];

	(void)state;
	if (!mkdtemp(programs_directory) || chmod(programs_directory, 0755))
		return -1;
	snprintf(command, sizeof(command), "bash tests/ctl/cli/programs.bash %s",
		 programs_directory);
	return system(command);
}

int programs_remove(void **state)
{
	char command[512];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", programs_directory);
	return system(command);
}

const char *program_path(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", programs_directory, name);
	return path;
}

void program_build_id(const char *program, char id[64])
{
	char name[64], path[256];
	FILE *in;

	snprintf(name, sizeof(name), "%s.id", program);
	in = fopen(program_path(name, path), "r");
	assert_non_null(in);
	if (!fgets(id, 64, in))
		*id = '\0';
	id[strcspn(id, "\n")] = '\0';
	fclose(in);
}

uint64_t program_offset(const char *program)
{
	char places[64], path[256];
	uint64_t offset = 0;
	FILE *in;

	snprintf(places, sizeof(places), "%s.places", program);
	in = fopen(program_path(places, path), "r");
	assert_non_null(in);
	assert_int_equal(fscanf(in, "hidden_function %" SCNx64, &offset), 1);
	fclose(in);
	return offset;
}

void programs_expect_of(struct symbols *symbols, const struct symbols_users *users,
			const char *program, const char *path, const char *build_id,
			const char *names)
{
	char name[256], line[256], places[64];
	unsigned int nr = 0;
	FILE *in;

	snprintf(places, sizeof(places), "%s.places", program);
	in = fopen(program_path(places, line), "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		struct symbols_place place = {
			.path = path, .build_id = build_id, .users = users,
		};
		struct symbols_name found;

		assert_int_equal(sscanf(line, "%255s %lx", name, &place.offset), 2);
		nr++;
		if (names && !strstr(names, name)) {
			assert_int_equal(symbols_find(symbols, &place, &found), 0);
			continue;
		}
		assert_int_equal(symbols_find(symbols, &place, &found), 1);
		assert_string_equal(found.name, name);
	}
	fclose(in);
	assert_int_equal(nr, 5);
}

void programs_expect(struct symbols *symbols, const char *program, const char *path,
		     const char *build_id, const char *names)
{
	programs_expect_of(symbols, NULL, program, path, build_id, names);
}
