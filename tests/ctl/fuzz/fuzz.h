/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the fuzzers: checks of properties that every accepted input must have. A
 * failed check ends the fuzzer like a crash.
 */
#ifndef FLAMECTL_FUZZ_H
#define FLAMECTL_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/import/import.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "tree/tree.h"
#include "view/svg/svg.h"

/* libFuzzer's entry. Return: 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* main() of ctl/cmd/main.c */
int flamectl_main(int argc, char **argv);

void fuzz_broken(const char *file, int line, const char *what)
	__attribute__((noreturn));

#define must(condition) do { \
		if (!(condition)) \
			fuzz_broken(__FILE__, __LINE__, #condition); \
	} while (0)

/* Bytes on the heap, of exact size, so that an overrun is detected. */
struct fuzz_bytes {
	char *bytes;		/* with a NUL after it; to be freed */
	size_t size;
};

/** fuzz_open() - open a stream of @size bytes. */
FILE *fuzz_open(const void *bytes, size_t size);

/**
 * fuzz_terminal() - check for UTF-8 that does not control a terminal: no control
 * character except newline, no change of text direction.
 */
void fuzz_terminal(const char *text, size_t size);

/** fuzz_tree() - check that totals are sums and siblings are in order. Return: the sum. */
uint64_t fuzz_tree(const struct tree *tree);

/**
 * fuzz_folded() - check that a summed tree is written as lines that are read back to
 * the same sum, and then written the same.
 */
void fuzz_folded(const struct tree *tree);

/** fuzz_svg() - check that its picture is XML with one script, and has its sum. */
void fuzz_svg(const struct tree *tree, const struct profile *profile);

/** fuzz_svg_of() - do the same with these options. */
void fuzz_svg_of(const struct tree *tree, const struct svg_options *options);

/** fuzz_saved() - check that a consistent profile is read back as it was saved. */
void fuzz_saved(const struct profile *profile);

/** fuzz_decoded() - check that libprotobuf-c decodes a pprof message the same, or refuses it. */
void fuzz_decoded(const uint8_t *data, size_t size);

/** fuzz_exports() - check its exports, and a merge with itself. */
void fuzz_exports(const struct profile *profile);

/** fuzz_profile() - do all of the above, and check its status as JSON. */
void fuzz_profile(const struct profile *profile);

/** fuzz_events() - check that all events of a file add up, and are read back as saved. */
void fuzz_events(const struct events *events);

/** fuzz_import() - do this with the profile that @read makes of a text. */
void fuzz_import(import_fn read, const struct import_options *options,
		 const uint8_t *data, size_t size);

#endif /* FLAMECTL_FUZZ_H */
