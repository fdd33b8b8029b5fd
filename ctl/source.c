// SPDX-License-Identifier: GPL-2.0
/*
 * What a view is made from: see source.h.
 */
#include "source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "nl.h"
#include "pprof.h"

#define GZIP_FIRST_BYTE 0x1f

int source_weight(struct source_options *options, const char *text,
		  struct error *error)
{
	if (strcmp(text, "periods") && strcmp(text, "count"))
		return error_set(error, -EINVAL, "%.40s: periods or count",
				 *text ? text : "nothing");
	options->fold.by_count = !strcmp(text, "count");
	return 0;
}

static int fold(struct source *source, const struct source_options *options,
		struct error *error)
{
	struct error why;

	source->unit = options->fold.by_count ? "samples" : "periods";
	if (select_profile(&options->selection, &source->profile,
			   &source->left_out, &why)) {
		error_set(error, -EINVAL, "cannot select from %.100s: %.300s",
			  source->name, why.text);
		return EXIT_FAILED;
	}
	source->tree = fold_profile(source->profile, &options->fold, &why);
	if (source->tree)
		return EXIT_DONE;
	error_set(error, -ENOMEM, "cannot fold %.100s: %.300s", source->name,
		  why.text);
	return EXIT_FAILED;
}

/* Return: EXIT_DONE, or EXIT_USAGE where no order of stacks is known. */
static int check_order(const struct source *source,
		       const struct source_options *options, const char *what,
		       struct error *error)
{
	if (!options->in_order)
		return EXIT_DONE;
	error_set(error, -EINVAL, "--%s is for folded text; %s is %s, which does not know in what order its stacks came",
		  options->in_order, source->name, what);
	return EXIT_USAGE;
}

bool source_is_live(const char *path)
{
	return !strcmp(path, "live");
}

int source_live(struct profile **profile, struct error *error)
{
	struct error why;
	struct nl *nl;
	int err = nl_open(&nl, &why);

	if (!err) {
		err = nl_dump(nl, false, profile, &why);
		nl_close(nl);
	}
	if (!err)
		return EXIT_DONE;
	error_set(error, err, "cannot read the module's profile: %.400s",
		  why.text);
	return nl_exit_code(err);
}

static int read_live(struct source *source,
		     const struct source_options *options, struct error *error)
{
	int code = check_order(source, options, "the module's profile", error);

	if (code == EXIT_DONE)
		code = source_live(&source->profile, error);
	return code == EXIT_DONE ? fold(source, options, error) : code;
}

static int read_profile(struct source *source,
			const struct source_options *options, FILE *in,
			struct error *error)
{
	struct error why;
	int err, code = check_order(source, options, "a saved profile", error);

	if (code != EXIT_DONE)
		return code;
	err = pprof_read(in, source->name, &source->profile, &why);
	if (!err)
		return fold(source, options, error);
	error_set(error, err, "cannot read %s", why.text);
	return EXIT_FAILED;
}

static int read_folded(struct source *source,
		       const struct source_options *options, FILE *in,
		       struct error *error)
{
	const char *option = options->of_profiles ?:
			     select_of_profiles(&options->selection);
	struct error why = { "memory is short" };
	int err = -ENOMEM;

	if (option) {
		error_set(error, -EINVAL, "--%s is for saved profiles; %s is folded text, whose stacks and weights are as they are",
			  option, source->name);
		return EXIT_USAGE;
	}
	source->unit = "samples";
	source->tree = tree_create();
	if (source->tree) {
		source->tree->ordered = options->in_order;
		err = fold_read(source->tree, in, &why);
	}
	if (!err) {
		tree_sum(source->tree);
		err = select_tree(&options->selection, &source->tree,
				  &source->left_out, &why);
	}
	if (!err)
		return EXIT_DONE;
	error_set(error, err, "cannot read %s: %s", source->name, why.text);
	return EXIT_FAILED;
}

int source_read(struct source *source, const struct source_options *options,
		struct error *error)
{
	struct input input;
	struct error why;
	int first, code;

	memset(source, 0, sizeof(*source));
	source->name = options->path;
	if (options->may_be_live && source_is_live(options->path))
		return read_live(source, options, error);
	if (input_open(&input, options->path, &why)) {
		error_set(error, -EINVAL, "cannot read %s", why.text);
		return EXIT_FAILED;
	}

	source->name = input.name;
	first = getc(input.stream);
	if (first != EOF)
		ungetc(first, input.stream);
	if (first == GZIP_FIRST_BYTE)
		code = read_profile(source, options, input.stream, error);
	else
		code = read_folded(source, options, input.stream, error);
	if (!input_close(&input, &why))
		return code;
	error_set(error, -EBUSY, "cannot read %s", why.text);
	return EXIT_FAILED;
}

const char *source_left_out(const struct source *source,
			    char text[SOURCE_LEFT_OUT])
{
	const char *unit = source->profile ? "period" : "sample";

	*text = '\0';
	if (source->left_out)
		snprintf(text, SOURCE_LEFT_OUT, "%" PRIu64 " %s%s left out",
			 source->left_out, unit, source->left_out > 1 ? "s" : "");
	return text;
}

void source_release(struct source *source)
{
	tree_destroy(source->tree);
	profile_destroy(source->profile);
	source->tree = NULL;
	source->profile = NULL;
}
