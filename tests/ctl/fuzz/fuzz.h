/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzzers share: the properties that hold for whatever was accepted.
 * One that does not hold ends the fuzzer as a crash does.
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

/* Bytes of the heap, of their exact size, so that a read past the end is seen. */
struct fuzz_bytes {
	char *bytes;		/* a NUL behind it; to be freed */
	size_t size;
};

/** fuzz_open() - a stream to read @size bytes from. */
FILE *fuzz_open(const void *bytes, size_t size);

/**
 * fuzz_terminal() - UTF-8 without anything that steers a terminal or a reader:
 * no control character but a newline, no text direction.
 */
void fuzz_terminal(const char *text, size_t size);

/** fuzz_tree() - totals are sums, siblings are in order. Return: the sum. */
uint64_t fuzz_tree(const struct tree *tree);

/**
 * fuzz_folded() - what a summed tree is written as: lines that can be read
 * back, to the same sum, and are then written as they were read.
 */
void fuzz_folded(const struct tree *tree);

/** fuzz_svg() - a picture of it is XML, of one script, and holds its sum. */
void fuzz_svg(const struct tree *tree, const struct profile *profile);

/** fuzz_svg_of() - the same of one that looks so. */
void fuzz_svg_of(const struct tree *tree, const struct svg_options *options);

/** fuzz_saved() - a profile that adds up is read back as it was saved. */
void fuzz_saved(const struct profile *profile);

/** fuzz_decoded() - libprotobuf-c decodes a pprof message to the same, or refuses it. */
void fuzz_decoded(const uint8_t *data, size_t size);

/** fuzz_exports() - other viewers' formats hold it, and twice it is merged. */
void fuzz_exports(const struct profile *profile);

/** fuzz_profile() - all of the above, and its status as JSON. */
void fuzz_profile(const struct profile *profile);

/** fuzz_events() - all events of a file add up, and are read back as saved. */
void fuzz_events(const struct events *events);

/** fuzz_import() - that of what @read makes of a text. */
void fuzz_import(import_fn read, const struct import_options *options,
		 const uint8_t *data, size_t size);

#endif /* FLAMECTL_FUZZ_H */
