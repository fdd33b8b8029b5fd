/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the input of a view: files of any format, or the module. Several inputs
 * are summed; the result is selected from and folded into a call tree.
 */
#ifndef FLAMECTL_SOURCE_H
#define FLAMECTL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cmd/shared_options.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "tree/tree.h"

/* What flamectl record writes if no other file is named. */
#define SOURCE_RECORDED	"flamemod.pb.gz"

struct source_options {
	/* "-" for stdin, "live" for the module, "fleet:..." for a store */
	const char *const *paths;
	unsigned int nr_paths;
	struct load_request load;
	struct live_request live;
	struct fold_options fold;
	struct selection selection;
	const char *of_profiles;	/* given option unfit for folded text, or NULL */
	/*
	 * The option that keeps the order of folded text or of slices, or NULL;
	 * set selection.sliced too.
	 */
	const char *in_order;
	bool without_tree;	/* a profile is not folded: source.tree is for text alone */
};

struct source {
	const char *name;		/* for messages */
	struct profile *profile;	/* NULL for folded text */
	struct tree *tree;		/* NULL for a profile read without_tree */
	const char *unit;		/* what its weights count, in the plural */
	uint64_t left_out;		/* by the selection: periods, or folded weights */
	struct select_met met;		/* what of the selection matched */
	char missed[SELECT_MISSED_TEXT];	/* what did not, as text, or "" */
	struct notes notes;		/* the readers' notes */
	char several[128];		/* the name used for several files */
	bool is_empty;			/* a file without a byte */
};

/**
 * source_add() - take one of the options that all commands with a source share.
 * @option: from command_next(), at least COMMAND_SHARED.
 * @arg: its value, kept, not copied.
 *
 * Return: as shared_option_add(), with @error.
 */
int source_add(struct source_options *options, int option, const char *arg,
	       struct error *error);

/** source_weight() - parse "periods" or "count"; -EINVAL names the word. */
int source_weight(struct source_options *options, const char *text,
		  struct error *error);

/**
 * source_mixes() - report whether a tree counts samples, and those that were lost by their
 * periods. Of an event, hits that were lost are counted, too.
 */
#define SOURCE_MIXES ", lost ones by periods"
bool source_mixes(const struct source *source, const struct fold_options *fold);

/**
 * source_read() - read, select from and fold the input.
 * @source: the caller calls source_release(), also on an error.
 *
 * Return: an exit code of command.h; if not EXIT_DONE, @error is the complete
 * message.
 */
int source_read(struct source *source, const struct source_options *options,
		struct error *error);

/**
 * source_operands() - take the operands from optind on, or @otherwise if there
 * are none. If @otherwise is stdin, and that is a terminal, take SOURCE_RECORDED if it
 * is there, as perf's views do with perf.data.
 * @argv: must live as long as @options.
 */
void source_operands(struct source_options *options, int argc, char **argv,
		     const char *const *otherwise);

/**
 * source_is_text() - report whether the source is text of no known kind, such
 * as folded text, or was imported from such text. It is then not known what was
 * sampled, and there are no books (the counts of what became of each timer
 * period).
 */
bool source_is_text(const struct source *source);

/**
 * source_is_terminal() - report whether the only input is a terminal on stdin.
 */
bool source_is_terminal(const struct source_options *options);

/**
 * source_spares() - call output_spares() for all files that are read.
 */
int source_spares(const char *output, const char *const *paths,
		  unsigned int nr_paths, struct error *error);

/**
 * source_load() - load profiles of files, or of the module, and merge them.
 * @live: how to name functions of the module's profile; NULL: not at all.
 * @notes: gets the readers' notes.
 *
 * Return: an exit code of command.h; with EXIT_DONE the caller owns @profile;
 * else
 * @error says "FILE: reason".
 */
int source_load(const char *const *paths, unsigned int nr_paths,
		const struct load_request *request,
		const struct live_request *live, struct notes *notes,
		struct profile **profile, struct error *error);

/**
 * source_load_events() - do the same with all events, or the one that is asked
 * for.
 *
 * Return: an exit code of command.h; with EXIT_DONE @events is set, to be freed
 * by events_deinit(); else @error says "FILE: reason".
 */
int source_load_events(const char *const *paths, unsigned int nr_paths,
		       const struct load_request *request,
		       const struct live_request *live, struct notes *notes,
		       struct events *events, struct error *error);

/**
 * source_is_live() - report whether @path is "live", the module. (./live is a
 * file.)
 */
bool source_is_live(const char *path);

/**
 * source_file() - return @path, or NULL if it means the module or a fleet: for
 * output_spares().
 */
const char *source_file(const char *path);

/**
 * source_check_by() - refuse to group a profile by what it does not say: by CPUs.
 *
 * Return: 0 or -EINVAL.
 */
int source_check_by(const struct fold_options *fold, const struct profile *profile,
		    struct error *error);

/** source_by_host() - report whether stacks are grouped by host. */
bool source_by_host(const struct fold_options *fold);

/** source_by_cgroup() - report whether stacks are grouped by cgroup, or selected by it. */
bool source_by_cgroup(const struct fold_options *fold, const struct selection *selection);

/**
 * source_live() - get only the module's profile.
 * @live, @notes: as for source_load().
 * @event: as for live_event_dump().
 *
 * Return: as source_read(); the caller owns @profile.
 */
int source_live(const struct live_request *live, const char *event, struct notes *notes,
		struct profile **profile, struct error *error);

/* room for "18,446,744,073,709,551,615 samples left out" and a NUL */
#define SOURCE_LEFT_OUT	(PROFILE_UNIT_MAX + 48)

/**
 * source_unit() - return what left_out counts, in the plural. This may differ
 * from the unit drawn: samples drawn by count are left out as the books count
 * them.
 */
const char *source_unit(const struct source *source);

/**
 * source_left_out() - write "1,234 periods left out", "1 sample left out", or
 * "".
 */
const char *source_left_out(const struct source *source,
			    char text[SOURCE_LEFT_OUT]);

/** source_no_stack() - return why a source that weighs nothing does. */
const char *source_no_stack(const struct source *source);

/** source_release() - free the memory of @source; fine if all zero. */
void source_release(struct source *source);

#endif /* FLAMECTL_SOURCE_H */
