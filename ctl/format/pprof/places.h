/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Name the places in a pprof file that have no name: locations that are known
 * only by a file and an address. All else in the file is kept as it is, whoever
 * wrote it.
 */
#ifndef FLAMECTL_PPROF_PLACES_H
#define FLAMECTL_PPROF_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* A location without a name. */
struct pprof_place {
	const char *file;		/* its mapping's, never "" */
	const char *build_id;		/* "": not known */
	uint64_t address;		/* in the process */
	uint64_t offset;		/* in the file */
};

/* What to call it. */
struct pprof_function {
	const char *name;		/* for people */
	const char *system_name;	/* for linkers */
	/*
	 * Functions that are inlined there, if they are asked for: the first into the
	 * function above, each other one into the one before.
	 */
	const char *const *inlined;
	size_t nr_inlined;
};

/**
 * pprof_name_fn - find a place's name.
 * @function: to be set; the texts are copied at once.
 *
 * Return: 1 if it has a name, 0 if it has none, or -errno, which ends the search.
 */
typedef int (*pprof_name_fn)(void *context, const struct pprof_place *place,
			     struct pprof_function *function);

/* How many locations there were, and what came of them. */
struct pprof_naming {
	uint64_t nr_locations;
	uint64_t nr_unnamed;		/* of these: without a name at first */
	uint64_t nr_named;		/* of these: that have one now */
	uint64_t nr_unplaced;		/* of the unnamed: in no file */
	uint64_t nr_asked;		/* those that @find was called for */
	uint64_t nr_inlined;		/* of these: that show inlined functions now */
};

struct pprof_file;

/**
 * pprof_file_read() - read a pprof file, gzip'd or not, as the message it is.
 * @in: read to its end.
 * @name: the file's name, for messages.
 *
 * Return: 0 with @file set, to be freed by pprof_file_destroy(); or as
 * pprof_read().
 */
int pprof_file_read(FILE *in, const char *name, struct pprof_file **file,
		    struct error *error);

/** pprof_file_end() - return when the profile ended, in s since 1970, 0 if unknown. */
int64_t pprof_file_end(const struct pprof_file *file);

/**
 * pprof_file_has_places() - report whether locations are the places that were sampled.
 * Those of a recording of the module are functions, unless it kept their places apart.
 */
bool pprof_file_has_places(const struct pprof_file *file);

/**
 * pprof_file_name() - name the locations that have no name.
 * @inlines: ask for those that have a name, too, but show no inlined function, and add
 *	     what is inlined to both. In our own files their names end in "_[i]"; in
 *	     those of others they are lines of the location, by which pprof knows them.
 * @find: called for one file after the other, in rising order of offsets.
 * @naming: set to what came of it.
 *
 * Return: 0; -EBADMSG with @error if the file refers to what it does not have;
 * or an error of @find, or -ENOMEM.
 */
int pprof_file_name(struct pprof_file *file, bool inlines, pprof_name_fn find,
		    void *context, struct pprof_naming *naming, struct error *error);

/**
 * pprof_file_write() - write the message, gzip'd, to @out.
 *
 * Return: 0, -ENOMEM, or -errno of the stream.
 */
int pprof_file_write(const struct pprof_file *file, FILE *out,
		     struct error *error);

/** pprof_file_destroy() - free @file; NULL is fine. */
void pprof_file_destroy(struct pprof_file *file);

#endif /* FLAMECTL_PPROF_PLACES_H */
