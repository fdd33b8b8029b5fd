// SPDX-License-Identifier: GPL-2.0
/*
 * What a view is made from: see source.h.
 */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "content.h"
#include "input.h"
#include "nl.h"
#include "pprof.h"
#include "svg_text.h"

int source_weight(struct source_options *options, const char *text,
		  struct error *error)
{
	if (strcmp(text, "periods") && strcmp(text, "count"))
		return error_set(error, -EINVAL, "%.40s: periods or count",
				 *text ? text : "nothing");
	options->fold.by_count = !strcmp(text, "count");
	return 0;
}

const char *source_unit(const struct source *source)
{
	return source->profile ? profile_unit(&source->profile->meta) : "samples";
}

static int fold(struct source *source, const struct source_options *options,
		struct error *error)
{
	struct error why = { "memory is short" };

	if (select_meet_profile(&options->selection, source->profile, &source->met) ||
	    select_profile(&options->selection, &source->profile,
			   &source->left_out, &why)) {
		error_set(error, -EINVAL, "cannot select from %.100s: %.300s",
			  source->name, why.text);
		return EXIT_FAILED;
	}
	select_missed(&options->selection, &source->met,
		      source->missed);
	/* its words are the profile's, which a selection may have replaced */
	source->unit = options->fold.by_count ? "samples" : source_unit(source);
	source->tree = options->in_order ?
		       fold_slices(source->profile, &options->fold, &why) :
		       fold_profile(source->profile, &options->fold, &why);
	if (source->tree)
		return EXIT_DONE;
	error_set(error, -ENOMEM, "cannot fold %.100s: %.300s", source->name,
		  why.text);
	return EXIT_FAILED;
}

/* Return: EXIT_USAGE, as no order of stacks is known. */
static int refuse_order(const struct source *source,
			const struct source_options *options, const char *what,
			struct error *error)
{
	error_set(error, -EINVAL, "--%s is for folded text, and for what was recorded with --slices; %s is %s, which does not know in what order its stacks came",
		  options->in_order, source->name, what);
	return EXIT_USAGE;
}

bool source_is_live(const char *path)
{
	return !strcmp(path, "live");
}

const char *source_file(const char *path)
{
	return source_is_live(path) ? NULL : path;
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
	int code;

	if (options->in_order)
		return refuse_order(source, options, "the module's profile", error);
	code = source_live(&source->profile, error);
	return code == EXIT_DONE ? fold(source, options, error) : code;
}

static int read_profile(struct source *source,
			const struct source_options *options,
			const struct content *content, struct error *error)
{
	struct error why;
	int err;

	err = content->unpacked ?
	      pprof_parse(content->unpacked, content->size, source->name,
			  &source->profile, &why) :
	      pprof_read(content->stream, source->name, &source->profile, &why);
	if (err) {
		error_set(error, err, "cannot read %s", why.text);
		return EXIT_FAILED;
	}
	if (options->in_order && !source->profile->slices)
		return refuse_order(source, options, "a saved profile without them",
				    error);
	return EXIT_DONE;
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
		err = select_meet_tree(&options->selection, source->tree, &source->met) ?:
		      select_tree(&options->selection, &source->tree,
				  &source->left_out, &why);
	}
	select_missed(&options->selection, &source->met,
		      source->missed);
	if (!err)
		return EXIT_DONE;
	error_set(error, err, "cannot read %s: %s", source->name, why.text);
	return EXIT_FAILED;
}

static int read_content(struct source *source,
			const struct source_options *options, FILE *in,
			struct error *error)
{
	struct content content;
	struct error why;
	int code, err = content_open(&content, in, &why);

	if (err) {
		error_set(error, err, "cannot read %.100s: %.400s", source->name,
			  why.text);
		return EXIT_FAILED;
	}
	code = content.is_pprof ?
	       read_profile(source, options, &content, error) :
	       read_folded(source, options, content.stream, error);
	content_close(&content);
	return code;
}

int source_read(struct source *source, const struct source_options *options,
		struct error *error)
{
	struct input input;
	struct error why;
	int code;

	memset(source, 0, sizeof(*source));
	source->name = options->path;
	if (options->may_be_live && source_is_live(options->path))
		return read_live(source, options, error);
	if (input_open(&input, options->path, &why)) {
		error_set(error, -EINVAL, "cannot read %s", why.text);
		return EXIT_FAILED;
	}

	source->name = input.name;
	code = read_content(source, options, input.stream, error);
	if (input_close(&input, &why)) {
		error_set(error, -EBUSY, "cannot read %s", why.text);
		return EXIT_FAILED;
	}
	return code == EXIT_DONE && source->profile ?
	       fold(source, options, error) : code;
}

const char *source_left_out(const struct source *source,
			    char text[SOURCE_LEFT_OUT])
{
	char amount[SVG_AMOUNT_MAX];

	*text = '\0';
	if (source->left_out)
		snprintf(text, SOURCE_LEFT_OUT, "%s left out",
			 svg_format_amount(amount, source->left_out,
					   source_unit(source)));
	return text;
}

void source_release(struct source *source)
{
	tree_destroy(source->tree);
	profile_destroy(source->profile);
	source->tree = NULL;
	source->profile = NULL;
}
