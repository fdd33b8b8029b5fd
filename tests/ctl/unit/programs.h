/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs whose functions are known, for tests of their names.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "symbols/symbols.h"

/* Where tests/ctl/cli/programs.bash has put them. */
extern char programs_directory[];

/** programs_build() - build all; a group's setup. */
int programs_build(void **state);

/** programs_remove() - remove the directory; a group's teardown. */
int programs_remove(void **state);

/** program_path() - return the path of a file in the directory. */
const char *program_path(const char *name, char path[256]);

/** program_build_id() - read a program's build-id as text. */
void program_build_id(const char *program, char id[64]);

/** program_offset() - read where a program's hidden_function is in its file. */
uint64_t program_offset(const char *program);

/**
 * programs_expect() - look up all places that a program printed.
 * @names: the functions to find, or NULL for all.
 */
void programs_expect(struct symbols *symbols, const char *program, const char *path,
		     const char *build_id, const char *names);

/** programs_expect_of() - the same, for a file that has users. */
void programs_expect_of(struct symbols *symbols, const struct symbols_users *users,
			const char *program, const char *path, const char *build_id,
			const char *names);

#endif /* PROGRAMS_H */
