/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a view is made from: files of any format, or the module, read, summed
 * where there are several, selected from and folded into a call tree.
 */
#ifndef FLAMECTL_SOURCE_H
#define FLAMECTL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/load.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "select/met.h"
#include "select/select.h"
#include "tree/tree.h"

struct source_options {
	const char *const *paths;	/* "-" for stdin, "live" for the module */
	unsigned int nr_paths;
	struct load_request load;
	struct fold_options fold;
	struct selection selection;
	const char *of_profiles;	/* an option given that folded text cannot obey, or NULL */
	/*
	 * The option by which folded text keeps its order, and what has slices
	 * theirs, or NULL; selection.sliced is to be set with it.
	 */
	const char *in_order;
};

struct source {
	const char *name;		/* for messages */
	struct profile *profile;	/* NULL for folded text */
	struct tree *tree;
	const char *unit;		/* what its weights count, in the plural */
	uint64_t left_out;		/* by the selection: periods, or folded weights */
	struct select_met met;		/* what of the selection matched anything */
	char missed[SELECT_MISSED_TEXT];	/* and what did not, in words, or "" */
	struct notes notes;		/* what readers have to say */
	char several[128];		/* the name of more than one file */
};

/** source_weight() - parse "periods" or "count"; -EINVAL names the word. */
int source_weight(struct source_options *options, const char *text,
		  struct error *error);

/**
 * source_read() - read it all.
 * @source: to be released whatever is returned.
 *
 * Return: an exit code of command.h; if not EXIT_DONE, @error is all there is
 * to say.
 */
int source_read(struct source *source, const struct source_options *options,
		struct error *error);

/**
 * source_operands() - the operands from optind on, or @otherwise where there
 * are none.
 * @argv: lives as long as @options.
 */
void source_operands(struct source_options *options, int argc, char **argv,
		     const char *const *otherwise);

/**
 * source_is_text() - is it text of no known kind, such as folded text, or was it
 * imported from that? Nobody knows then what was sampled, and there are no books.
 */
bool source_is_text(const struct source *source);

/** source_is_terminal() - is standard input all there is, and a terminal? */
bool source_is_terminal(const struct source_options *options);

/**
 * source_spares() - output_spares() of all files that are read.
 */
int source_spares(const char *output, const char *const *paths,
		  unsigned int nr_paths, struct error *error);

/**
 * source_load() - profiles of files, or of the module, as one.
 * @notes: gets what readers have to say.
 *
 * Return: an exit code of command.h, and EXIT_DONE with @profile the caller's;
 * else @error says "FILE: reason".
 */
int source_load(const char *const *paths, unsigned int nr_paths,
		const struct load_request *request, struct notes *notes,
		struct profile **profile, struct error *error);

/**
 * source_load_events() - the same with all events, or the one that is asked for.
 *
 * Return: an exit code of command.h, and EXIT_DONE with @events set, to be freed by
 * events_deinit(); else @error says "FILE: reason".
 */
int source_load_events(const char *const *paths, unsigned int nr_paths,
		       const struct load_request *request, struct notes *notes,
		       struct events *events, struct error *error);

/** source_is_live() - is it "live", the module's? A file of that name is ./live. */
bool source_is_live(const char *path);

/** source_file() - @path, or NULL where it is the module's: for output_spares(). */
const char *source_file(const char *path);

/**
 * source_live() - the module's profile alone, as it is.
 *
 * Return: as source_read(), with @profile the caller's.
 */
int source_live(struct profile **profile, struct error *error);

/* "18,446,744,073,709,551,615 samples left out" and a NUL */
#define SOURCE_LEFT_OUT	(PROFILE_UNIT_MAX + 48)

/**
 * source_unit() - what left_out counts, in the plural: samples are drawn by
 * their number, but left out as the books have them.
 */
const char *source_unit(const struct source *source);

/** source_left_out() - "1,234 periods left out", "1 sample left out", or "". */
const char *source_left_out(const struct source *source,
			    char text[SOURCE_LEFT_OUT]);

/** source_release() - free what it holds; fine after zeroing. */
void source_release(struct source *source);

#endif /* FLAMECTL_SOURCE_H */
