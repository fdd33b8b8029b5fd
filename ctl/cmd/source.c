// SPDX-License-Identifier: GPL-2.0
/*
 * Read the input of a view: see source.h.
 */
#include "cmd/source.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/wording.h"
#include "cmd/command.h"
#include "cmd/fleet_source.h"
#include "cmd/shared_options.h"
#include "profile/cgroup.h"
#include "profile/merge.h"
#include "profile/merge_events.h"
#include "tree/kind.h"
#include "view/svg/text.h"
#include "wire/live_event.h"
#include "wire/nl.h"

int source_add(struct source_options *options, int option, const char *arg,
	       struct error *error)
{
	const struct shared_requests requests = {
		&options->selection, &options->load, &options->live,
	};

	return shared_option_add(&requests, option, arg, error);
}

int source_weight(struct source_options *options, const char *text,
		  struct error *error)
{
	if (strcmp(text, "periods") && strcmp(text, "count"))
		return error_set(error, -EINVAL, "%.40s: must be periods or count; only flamectl import takes period, that of perf",
				 *text ? text : "nothing");
	options->fold.by_count = !strcmp(text, "count");
	return 0;
}

const char *source_unit(const struct source *source)
{
	return source->profile ? profile_unit(&source->profile->meta) : "samples";
}

/* Return: what numbers of samples, of intervals or of hits count. */
static const char *unit_of_counts(const struct source *source)
{
	const struct profile_intervals *intervals = &source->profile->meta.intervals;

	return intervals->known ? intervals_name(intervals) : "samples";
}

bool source_mixes(const struct source *source, const struct fold_options *fold)
{
	return fold->by_count && source->profile && !source->profile->meta.intervals.known;
}

/* Derive kinds from names for imported text, as for folded text itself. */
static int judge_kinds(struct tree *tree)
{
	struct kind_state *states = calloc(tree->nr_nodes, sizeof(*states));
	uint32_t i;

	if (!states)
		return -ENOMEM;
	for (i = 1; i < tree->nr_nodes; i++) {
		states[i] = states[tree->nodes[i].parent];
		tree->nodes[i].kind = kind_of_frame(&states[i],
						    tree->nodes[i].name);
	}
	free(states);
	return 0;
}

/* Say why cgroups, which are asked for, are not there. */
static void doubt_cgroups(struct source *source, const struct source_options *options)
{
	bool asked = source_by_cgroup(&options->fold, &options->selection);
	const char *doubt = cgroup_doubt(source->profile);

	if (asked && doubt)
		notes_add(&source->notes, "%s", doubt);
}

int source_check_by(const struct fold_options *fold, const struct profile *profile,
		    struct error *error)
{
	return fold_is_by(fold, FOLD_CPU) ?
	       select_check_cpus(&profile->meta, WORDING(BY_CPU), error) : 0;
}

static int fold(struct source *source, const struct source_options *options,
		struct error *error)
{
	struct error why = { "memory is short" };

	doubt_cgroups(source, options);
	if (fold_check(source->profile, &options->fold, &why)) {
		error_set(error, -ENODATA, "cannot fold %.100s: %.300s", source->name, why.text);
		return EXIT_FAILED;
	}
	if (select_meet_profile(&options->selection, source->profile, &source->met) ||
	    select_profile(&options->selection, &source->profile,
			   &source->left_out, &why)) {
		error_set(error, -EINVAL, "cannot select from %.100s: %.300s",
			  source->name, why.text);
		return EXIT_FAILED;
	}
	select_missed(&options->selection, &source->met,
		      source->missed);
	if (source_check_by(&options->fold, source->profile, &why)) {
		error_set(error, -EINVAL, "cannot fold %.100s: %.300s", source->name, why.text);
		return EXIT_FAILED;
	}
	/*
	 * the unit's text belongs to the profile, which a selection may replace
	 */
	source->unit = options->fold.by_count ? unit_of_counts(source) : source_unit(source);
	if (options->without_tree && !source_is_text(source))
		return EXIT_DONE;
	source->tree = options->in_order ?
		       fold_slices(source->profile, &options->fold, &why) :
		       fold_profile(source->profile, &options->fold, &why);
	if (source->tree && source_is_text(source) && judge_kinds(source->tree)) {
		error_set(error, -ENOMEM, "cannot fold %.100s: memory is short",
			  source->name);
		return EXIT_FAILED;
	}
	if (source->tree)
		return EXIT_DONE;
	error_set(error, -ENOMEM, "cannot fold %.100s: %.300s", source->name,
		  why.text);
	return EXIT_FAILED;
}

/* Refuse to keep an order that is not known. Return: EXIT_USAGE. */
static int refuse_order(const struct source *source,
			const struct source_options *options, const char *what,
			struct error *error)
{
	error_set(error, -EINVAL, "--%s works on folded text and on recordings with --slices; %s is %s, which does not keep the order of its stacks",
		  options->in_order, source->name, what);
	return EXIT_USAGE;
}

bool source_is_live(const char *path)
{
	return !strcmp(path, "live");
}

const char *source_file(const char *path)
{
	return source_is_live(path) || fleet_source_is(path) ? NULL : path;
}

static int name(const struct live_request *live, struct notes *notes,
		struct profile *profile, struct error *error)
{
	struct live_names names = { .request = *live };
	char text[LIVE_NAMES_MISSED];
	int err = live_names_give(&names, profile, error);

	if (!err && *live_names_missed(&names, text))
		notes_add(notes, "%s", text);
	if (!err && *live_names_unproven(&names, text))
		notes_add(notes, "%s", text);
	live_names_deinit(&names);
	return err;
}

int source_live(const struct live_request *live, const char *event, struct notes *notes,
		struct profile **profile, struct error *error)
{
	struct profile *dumped = NULL;
	struct error why;
	struct nl *nl;
	int err = nl_open(&nl, &why);

	if (!err) {
		err = live_event_dump(nl, event, &dumped, &why);
		nl_close(nl);
	}
	if (!err && live)
		err = name(live, notes, dumped, &why);
	if (!err) {
		*profile = dumped;
		return EXIT_DONE;
	}
	profile_destroy(dumped);
	error_set(error, err, "the module's profile: %.400s", why.text);
	return exit_code_of(err);
}

static int read_live(struct source *source,
		     const struct source_options *options, struct error *error)
{
	struct error why;
	int code;

	if (options->in_order)
		return refuse_order(source, options, "the module's profile", error);
	code = source_live(&options->live, options->load.import.event, &source->notes,
			   &source->profile, &why);
	if (code != EXIT_DONE)
		error_set(error, -EINVAL, "cannot read %s", why.text);
	return code;
}

bool source_by_host(const struct fold_options *fold)
{
	return fold_is_by(fold, FOLD_HOST);
}

bool source_by_cgroup(const struct fold_options *fold, const struct selection *selection)
{
	bool asked = fold_is_by(fold, FOLD_CGROUP);

	for (unsigned int i = 0; i < selection->nr_terms; i++)
		asked |= selection->terms[i].option == SELECT_CGROUP;
	return asked;
}

static int read_fleet(struct source *source,
		      const struct source_options *options, struct error *error)
{
	const struct fleet_keys keys = {
		.hosts = source_by_host(&options->fold),
		.cgroups = source_by_cgroup(&options->fold, &options->selection),
	};
	struct error why;
	int code;

	if (options->in_order)
		return refuse_order(source, options, "a fleet's profile", error);
	code = fleet_source_load(options->paths[0], options->load.import.event, keys,
				 &source->profile, &why);
	if (code != EXIT_DONE)
		error_set(error, -EINVAL, "cannot read %s", why.text);
	return code;
}

static int read_profile(struct source *source,
			const struct source_options *options,
			struct loading *loading, struct error *error)
{
	struct error why;

	if (load_read(loading, &source->profile, &why)) {
		error_set(error, -EBADMSG, "cannot read %s", why.text);
		return EXIT_FAILED;
	}
	if (!options->in_order || source->profile->slices)
		return EXIT_DONE;
	if (!profile_is_imported(&source->profile->meta))
		return refuse_order(source, options, "a saved profile without them",
				    error);
	error_set(error, -EINVAL, "--%s works on folded text and on recordings with --slices; %s is from another program, and import keeps no times: only flamectl record --slices does",
		  options->in_order, source->name);
	return EXIT_USAGE;
}

/*
 * Report whether folded text is to be read as a profile of commands, because an
 * option is given that needs one.
 */
static bool is_profile(const struct source_options *options)
{
	return options->load.import.comm_first &&
	       (options->of_profiles ?: select_option_of_profiles(&options->selection));
}

static int read_folded(struct source *source,
		       const struct source_options *options, FILE *in,
		       struct error *error)
{
	const char *option = options->of_profiles ?:
			     select_option_of_profiles(&options->selection);
	struct error why = { "memory is short" };
	int err = -ENOMEM;

	if (option) {
		error_set(error, -EINVAL, "--%s works on saved profiles; %s is folded text%s",
			  option, source->name, strcmp(option, "comm") ?
			  ", whose stacks and weights cannot be changed: leave it out" :
			  ": if its first frames are commands, add --comm-first");
		return EXIT_USAGE;
	}
	source->unit = "samples";
	source->tree = tree_create();
	if (source->tree) {
		source->tree->ordered = options->in_order;
		err = fold_read_some(source->tree, in,
				     options->load.import.strict,
				     &source->notes, &why);
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

static int read_file(struct source *source,
		     const struct source_options *options, struct error *error)
{
	struct loading loading;
	struct error why;
	int code, err;

	if (load_open(&loading, options->paths[0], &options->load,
		      &source->notes, &why)) {
		error_set(error, -EINVAL, "cannot read %s", why.text);
		return EXIT_FAILED;
	}
	source->name = loading.name;
	source->is_empty = loading.content.is_empty;
	code = loading.format == format_folded && !is_profile(options) ?
	       read_folded(source, options, loading.text, error) :
	       read_profile(source, options, &loading, error);
	err = load_close(&loading, 0, &why);
	if (err) {
		error_set(error, err, "cannot read %s", why.text);
		return EXIT_FAILED;
	}
	return code;
}

static int read_several(struct source *source,
			const struct source_options *options,
			struct error *error)
{
	struct load_request load = options->load;
	struct error why;
	int code;

	load.by_host = source_by_host(&options->fold);
	load.by_cgroup = source_by_cgroup(&options->fold, &options->selection);
	if (options->in_order) {
		error_set(error, -EINVAL, "--%s works on one file, and %u are named: the times of two recordings cannot be joined",
			  options->in_order, options->nr_paths);
		return EXIT_USAGE;
	}
	code = source_load(options->paths, options->nr_paths, &load,
			   &options->live, &source->notes, &source->profile, &why);
	if (code != EXIT_DONE)
		error_set(error, -EINVAL, "cannot read %s", why.text);
	snprintf(source->several, sizeof(source->several), "%.90s and %u more",
		 options->paths[0], options->nr_paths - 1);
	source->name = source->several;
	return code;
}

int source_read(struct source *source, const struct source_options *options,
		struct error *error)
{
	int code;

	memset(source, 0, sizeof(*source));
	source->name = options->paths[0];
	if (options->nr_paths > 1)
		code = read_several(source, options, error);
	else if (source_is_live(options->paths[0]))
		code = read_live(source, options, error);
	else if (fleet_source_is(options->paths[0]))
		code = read_fleet(source, options, error);
	else
		code = read_file(source, options, error);
	return code == EXIT_DONE && source->profile ?
	       fold(source, options, error) : code;
}

/* Return: an exit code. */
static int load_one(const char *path, const struct load_request *request,
		    const struct live_request *live, struct notes *notes, struct profile **profile,
		    struct error *error)
{
	if (source_is_live(path))
		return source_live(live, request->import.event, notes, profile, error);
	if (fleet_source_is(path))
		return fleet_source_load(path, request->import.event,
					 (struct fleet_keys){ request->by_host, request->by_cgroup },
					 profile, error);
	return load_profile(path, request, notes, profile, error) ?
	       EXIT_FAILED : EXIT_DONE;
}

int source_load(const char *const *paths, unsigned int nr_paths,
		const struct load_request *request,
		const struct live_request *live, struct notes *notes,
		struct profile **profile, struct error *error)
{
	struct profile *one;
	struct merge merge;
	unsigned int i;
	int code = EXIT_DONE;

	if (nr_paths == 1)
		return load_one(paths[0], request, live, notes, profile, error);
	if (merge_init(&merge, false)) {
		error_set(error, -ENOMEM, "%s: memory is short", paths[0]);
		return EXIT_FAILED;
	}
	for (i = 0; i < nr_paths && code == EXIT_DONE; i++) {
		code = load_one(paths[i], request, live, notes, &one, error);
		if (code != EXIT_DONE)
			break;
		if (merge_add(&merge, one, paths[i], error))
			code = EXIT_FAILED;
		profile_destroy(one);
	}
	if (code == EXIT_DONE) {
		*profile = merge.sum;
		merge.sum = NULL;
	}
	merge_deinit(&merge);
	return code;
}

/* Return: an exit code. */
static int load_one_file(const char *path, const struct load_request *request,
			 const struct live_request *live, struct notes *notes, struct events *events,
			 struct error *error)
{
	struct profile *profile;
	int code;

	if (!source_file(path))
		code = load_one(path, request, live, notes, &profile, error);
	else
		return load_events(path, request, notes, events, error) ?
		       EXIT_FAILED : EXIT_DONE;
	events->nr = 0;
	if (code == EXIT_DONE)
		events_add(events, "", profile);
	return code;
}

int source_load_events(const char *const *paths, unsigned int nr_paths,
		       const struct load_request *request,
		       const struct live_request *live, struct notes *notes,
		       struct events *events, struct error *error)
{
	struct merge_events merge;
	int code = EXIT_DONE;
	unsigned int i;

	if (nr_paths == 1)
		return load_one_file(paths[0], request, live, notes, events,
				     error);
	merge_events_init(&merge, false, false);
	for (i = 0; i < nr_paths && code == EXIT_DONE; i++) {
		code = load_one_file(paths[i], request, live, notes, events,
				     error);
		if (code != EXIT_DONE)
			break;
		if (merge_events_add(&merge, events, paths[i], error))
			code = EXIT_FAILED;
		events_deinit(events);
	}
	if (code == EXIT_DONE)
		merge_events_take(&merge, events);
	merge_events_deinit(&merge);
	return code;
}

void source_operands(struct source_options *options, int argc, char **argv,
		     const char *const *otherwise)
{
	static const char *const recorded[] = { SOURCE_RECORDED };
	bool any = optind < argc;

	if (otherwise && !strcmp(*otherwise, "-") && isatty(STDIN_FILENO) &&
	    !access(SOURCE_RECORDED, F_OK))
		otherwise = recorded;
	options->paths = any ? (const char *const *)argv + optind : otherwise;
	options->nr_paths = any ? (unsigned int)(argc - optind) : 1;
}

bool source_is_text(const struct source *source)
{
	const struct profile_meta *meta;

	if (!source->profile)
		return true;
	meta = &source->profile->meta;
	return !meta->period_ns && !*meta->release && !*meta->module_version &&
	       !*meta->weight_type && !*meta->weight_unit &&
	       !profile_lost(&source->profile->books) &&
	       !fold_has_comms(source->profile);
}

bool source_is_terminal(const struct source_options *options)
{
	return options->nr_paths == 1 && !strcmp(options->paths[0], "-") &&
	       isatty(STDIN_FILENO);
}

int source_spares(const char *output, const char *const *paths,
		  unsigned int nr_paths, struct error *error)
{
	const char *path;
	int err = 0;

	for (unsigned int i = 0; i < nr_paths && !err; i++) {
		path = source_file(paths[i]);
		err = output_spares(output, &path, 1, error);
	}
	return err;
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

const char *source_no_stack(const struct source *source)
{
	return source->is_empty ? "it is " LOAD_EMPTY :
				  "there is no stack with a weight above 0";
}

void source_release(struct source *source)
{
	tree_destroy(source->tree);
	profile_destroy(source->profile);
	source->tree = NULL;
	source->profile = NULL;
}
