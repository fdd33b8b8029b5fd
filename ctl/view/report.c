// SPDX-License-Identifier: GPL-2.0
/*
 * A call tree as text: see report.h.
 *
 * Nothing recurses, as stacks may be thousands of frames deep. One sorted array
 * holds all nodes; siblings are adjacent in it, in the order of their weights,
 * so that the next element is the next sibling.
 */
#include "view/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "base/weight.h"
#include "profile/advice.h"
#include "profile/books.h"
#include "profile/origin.h"
#include "profile/inclusion.h"
#include "profile/threshold.h"
#include "tree/kind.h"

/* A node that is shown, or summed up with small siblings. */
struct place {
	uint64_t total;
	const char *name;
	uint32_t parent, node;
	bool is_small;		/* below the threshold, and not lost */
};

/* The branches drawn before a name, two characters each. */
struct guide {
	char *text;
	size_t length, room;
};

struct reporting {
	const struct tree_node *nodes;
	const struct report_options *options;
	FILE *out;
	uint64_t whole;
	int count_width;
	struct place *places;		/* siblings side by side, heaviest first */
	uint32_t nr_places;
	uint32_t *first;		/* by node: index of its first child */
	uint32_t *at;			/* by node: its index */
	struct guide guide;
};

/* ---- figures ---- */

static void put_share(const struct reporting *reporting, uint64_t part)
{
	const char *color = NULL;
	char text[PERCENT_TEXT];

	percent_text(text, part, reporting->whole);
	if (reporting->options->color) {
		if (!percent_below(part, reporting->whole, REPORT_HOT_PPM))
			color = "31";
		else if (!percent_below(part, reporting->whole, REPORT_WARM_PPM))
			color = "32";
	}
	if (color)
		fprintf(reporting->out, "\033[%sm%8s\033[m", color, text);
	else
		fprintf(reporting->out, "%8s", text);
}

static void put_count(const struct reporting *reporting, uint64_t count)
{
	char text[WEIGHT_TEXT];

	fprintf(reporting->out, "  %*s", reporting->count_width,
		weight_text(text, count, reporting->options->unit));
}

static void put_heading(const struct reporting *reporting, const char *text)
{
	fprintf(reporting->out, "  %*s", reporting->count_width, text);
}

/* Write a unit safely, as other programs' units may be any text. */
static void put_unit(FILE *out, const char *unit, size_t length)
{
	char *copy = strndup(unit, length);

	utf8_print(copy ? copy : "", out);
	free(copy);
}

/* Write "223 periods", "1 period" or "80.00 ms". */
static void put_amount(const struct reporting *reporting, uint64_t count,
		       const char *unit)
{
	size_t length = weight_unit_length(count, unit);
	char text[WEIGHT_TEXT];

	fprintf(reporting->out, "%s%s", weight_text(text, count, unit),
		length ? " " : "");
	put_unit(reporting->out, unit, length);
}

/*
 * Write one line each: what was recorded, the machine, the date, the command.
 */
static void put_origin(const struct profile_meta *meta, FILE *out)
{
	char date[ORIGIN_DATE], machine[ORIGIN_TEXT], fact[INCLUSION_FACT];
	const char *lines[] = {
		meta->origin.command, origin_machine(machine, &meta->origin),
		*machine ? origin_date(date, meta) : "", meta->origin.cmdline,
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!*lines[i])
			continue;
		fputs("\n# ", out);
		utf8_print(lines[i], out);
	}
	if (*threshold_fact(fact, meta))
		fprintf(out, "\n# %s", fact);
	if (*inclusion_fact(fact, meta))
		fprintf(out, "\n# %s", fact);
}

/* How long the longest bar of a histogram is, in characters. */
#define BAR_MAX	40

/*
 * Write a histogram: the number of hits by powers of two of their time. Nothing is written if
 * these numbers are not known, as for most selections.
 */
static void put_powers(const struct profile_intervals *intervals, FILE *out)
{
	char from[WEIGHT_TEXT], to[WEIGHT_TEXT];
	unsigned int first, end;
	uint64_t most = 0;

	if (!intervals_range(intervals, &first, &end))
		return;
	for (unsigned int i = first; i < end; i++)
		if (intervals->powers[i] > most)
			most = intervals->powers[i];
	fprintf(out, "# %23s  %10s\n", "time of a stored hit", "hits");
	for (unsigned int i = first; i < end; i++) {
		uint64_t hits = intervals->powers[i];
		/* in floating point, as the product may exceed 2^64; not zero is visible */
		int bar = (int)((double)hits * BAR_MAX / (double)most);

		weight_text(from, i ? 1ULL << i : 0, "nanoseconds");
		weight_text(to, i < 63 ? 2ULL << i : UINT64_MAX, "nanoseconds");
		fprintf(out, "# %10s - %10s  %10" PRIu64 "%s%.*s\n", from, to, hits,
			hits ? " " : "", hits && !bar ? 1 : bar,
			"########################################");
	}
}

/* Write what became of each period, or of the weight of an event. */
static void put_books(const struct profile *profile, const char *unit, FILE *out)
{
	const struct profile_books *books = &profile->books;
	char read[BOOKS_READ_MAX], intervals[INTERVALS_TEXT];

	fputs("\n# ", out);
	if (profile->meta.intervals.known) {
		fprintf(out, "%s\n", intervals_books(intervals, profile));
		fprintf(out, "# %s\n", intervals_fact(intervals, profile));
		put_powers(&profile->meta.intervals, out);
		return;
	}
	put_unit(out, unit, strlen(unit));
	if (profile_is_imported(&profile->meta))
		fprintf(out, ": %s\n", books_read(books, read));
	else
		fprintf(out, ": fires %" PRIu64 " + missed %" PRIu64
			" = stored %" PRIu64 " + filtered %" PRIu64
			" + lost %" PRIu64 "\n", books->fires,
			books->missed, books->stored, books->filtered,
			profile_lost(books));
}

/*
 * Write "# periods: fires 165 + missed 63 = stored 198 + filtered 6 + lost 24".
 */
static void put_head(const struct reporting *reporting)
{
	const struct report_options *options = reporting->options;
	const struct profile *profile = options->profile;
	/* the unit of books and selections */
	const char *unit = profile ? profile_unit(&profile->meta) : options->unit;
	char advice[ADVICE_ALL_MAX], late[PROFILE_LATE_FACT], user[PROFILE_USER_FACT];
	FILE *out = reporting->out;

	if (profile) {
		const struct profile_meta *meta = &profile->meta;
		char lasted[DURATION_TEXT], range[RANGE_FACT], cpus[ORIGIN_CPUS];

		fprintf(out, "# %s", origin_cpus(cpus, profile));
		if (meta->settings.hz)
			fprintf(out, ", %" PRIu32 " Hz", meta->settings.hz);
		if (meta->duration_ns)
			fprintf(out, ", %s",
				duration_text(lasted, meta->duration_ns));
		if (meta->release[0]) {
			fputs(", Linux ", out);
			utf8_print(meta->release, out);
		}
		if (*profile_event(meta)) {
			fputs(", event ", out);
			utf8_print(profile_event(meta), out);
		}
		put_origin(meta, out);
		if (meta->range_end_ns)
			fprintf(out, "\n# %s",
				range_fact(range, meta->range_begin_ns,
					   meta->range_end_ns));
		put_books(profile, unit, out);
		if (profile_late_fact(profile, late))
			fprintf(out, "# %s\n", late);
		if (profile_user_fact(profile, user))
			fprintf(out, "# %s\n", user);
		if (advice_all(profile, advice))
			fprintf(out, "# %s\n", advice);
	}
	if (options->left_out) {
		fputs("# ", out);
		put_amount(reporting, options->left_out, unit);
		fprintf(out, " left out%s\n", profile ? " as filtered" : "");
	}
	fputs("# 100 % is ", out);
	put_amount(reporting, reporting->whole, options->unit);
	if (options->note)
		fprintf(out, "\n# %s", options->note);
	fputc('\n', out);
}

static int begin(struct reporting *reporting, uint64_t whole)
{
	const char *unit = reporting->options->unit;
	int narrowest = weight_is_time(unit) ? (int)strlen("999.99 us") :
					       (int)strlen("total");
	char text[WEIGHT_TEXT];

	if (!whole)
		return -ENODATA;
	reporting->whole = whole;
	reporting->count_width = (int)strlen(weight_text(text, whole, unit));
	if (reporting->count_width < narrowest)
		reporting->count_width = narrowest;
	errno = 0;
	put_head(reporting);
	return 0;
}

static int stream_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

/* ---- the tree ---- */

/* Order siblings; those that are small are only summed up, in any order. */
static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = 0;

	if (a->is_small != b->is_small)
		return a->is_small ? 1 : -1;
	if (!a->is_small && a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (!a->is_small)
		order = strcmp(a->name, b->name);
	return order ? order : a->node < b->node ? -1 : a->node > b->node;
}

/* Put the children of a node side by side. */
static void place_children(struct reporting *reporting, uint32_t parent)
{
	const struct tree_node *nodes = reporting->nodes;
	uint32_t threshold_ppm = reporting->options->threshold_ppm;
	uint32_t first = reporting->nr_places, nr = first;

	for (uint32_t id = nodes[parent].child; id; id = nodes[id].sibling)
		/* lost periods are never hidden, however few */
		reporting->places[nr++] = (struct place){
			nodes[id].total, nodes[id].name, parent, id,
			nodes[id].kind != TREE_LOST &&
			percent_below(nodes[id].total, nodes[0].total,
				      threshold_ppm),
		};
	qsort(&reporting->places[first], nr - first,
	      sizeof(*reporting->places), compare_places);
	for (uint32_t i = first; i < nr; i++)
		reporting->at[reporting->places[i].node] = i;
	reporting->first[parent] = first;
	reporting->nr_places = nr;
}

/* Nothing below a small node is shown, so only what is above is sorted. */
static int sort_places(struct reporting *reporting, const struct tree *tree)
{
	reporting->places = calloc(tree->nr_nodes, sizeof(*reporting->places));
	reporting->first = calloc(tree->nr_nodes, sizeof(*reporting->first));
	reporting->at = calloc(tree->nr_nodes, sizeof(*reporting->at));
	if (!reporting->places || !reporting->first || !reporting->at)
		return -ENOMEM;
	place_children(reporting, 0);
	for (uint32_t i = 0; i < reporting->nr_places; i++)
		if (!reporting->places[i].is_small)
			place_children(reporting, reporting->places[i].node);
	return 0;
}

static int guide_push(struct guide *guide, const char *two)
{
	if (guide->length + 3 > guide->room) {
		size_t room = guide->room ? 2 * guide->room : 256;
		char *text = realloc(guide->text, room);

		if (!text)
			return -ENOMEM;
		guide->text = text;
		guide->room = room;
	}
	memcpy(guide->text + guide->length, two, 3);
	guide->length += 2;
	return 0;
}

/* Report whether the next place is a sibling. */
static bool has_next(const struct reporting *reporting, uint32_t place)
{
	return place + 1 < reporting->nr_places &&
	       reporting->places[place + 1].parent ==
	       reporting->places[place].parent;
}

/* A frame that takes all of its caller's time is not indented. */
static bool is_branch(const struct reporting *reporting, uint32_t place)
{
	uint32_t parent = reporting->places[place].parent;

	return reporting->places[place].total != reporting->nodes[parent].total;
}

static void put_figures(const struct reporting *reporting, uint64_t total,
			uint64_t self)
{
	put_share(reporting, total);
	if (!reporting->options->callers) {
		fputc(' ', reporting->out);
		put_share(reporting, self);
	}
	put_count(reporting, total);
	if (!reporting->options->callers)
		put_count(reporting, self);
	fprintf(reporting->out, "  %.*s", (int)reporting->guide.length,
		reporting->guide.text ? reporting->guide.text : "");
}

static void put_name(FILE *out, const char *name)
{
	char label[PROFILE_NAME_MAX + 1];
	size_t length = kind_label(name);

	if (!name[length] || length > PROFILE_NAME_MAX) {
		utf8_print(name, out);
		return;
	}
	memcpy(label, name, length);
	label[length] = '\0';
	utf8_print(label, out);
}

static void put_node(const struct reporting *reporting, uint32_t node,
		     const char *mark)
{
	put_figures(reporting, reporting->nodes[node].total,
		    reporting->nodes[node].self);
	fputs(mark, reporting->out);
	put_name(reporting->out, reporting->nodes[node].name);
	fputc('\n', reporting->out);
}

/*
 * Write all siblings from @place on, which are below the threshold, as one
 * frame without children, so that all selves still sum to the whole.
 */
static void put_small(const struct reporting *reporting, uint32_t place)
{
	uint64_t total = reporting->places[place].total;
	uint32_t nr = 1;

	for (; has_next(reporting, place); nr++)
		total = tree_weight_add(total, reporting->places[++place].total);
	put_figures(reporting, total, total);
	fprintf(reporting->out, "`-[%" PRIu32 " small frame%s]\n", nr,
		nr > 1 ? "s" : "");
}

/*
 * Go to the next place at or above @place's level; updates @depth and the
 * guide. Return: false at the end.
 */
static bool next_place(struct reporting *reporting, uint32_t *place,
		       uint32_t *depth)
{
	while (!has_next(reporting, *place)) {
		uint32_t parent = reporting->places[*place].parent;

		if (!parent)
			return false;
		*place = reporting->at[parent];
		--*depth;
		if (is_branch(reporting, *place))
			reporting->guide.length -= 2;
	}
	++*place;
	return true;
}

static int put_nodes(struct reporting *reporting)
{
	const struct tree_node *nodes = reporting->nodes;
	uint32_t place = reporting->first[0], depth = 1;
	bool more = nodes[0].child && reporting->options->depth;

	put_node(reporting, 0, "");
	while (more) {
		uint32_t node = reporting->places[place].node;
		bool branch = is_branch(reporting, place);
		bool last = !has_next(reporting, place);

		if (reporting->places[place].is_small) {
			put_small(reporting, place);
			while (has_next(reporting, place))
				place++;
		} else {
			put_node(reporting, node,
				 !branch ? "" : last ? "`-" : "|-");
			if (nodes[node].child &&
			    depth < reporting->options->depth) {
				if (branch && guide_push(&reporting->guide,
							 last ? "  " : "| "))
					return -ENOMEM;
				place = reporting->first[node];
				depth++;
				continue;
			}
		}
		more = next_place(reporting, &place, &depth);
	}
	return 0;
}

int report_tree(const struct tree *tree, const struct report_options *options,
		FILE *out)
{
	struct reporting reporting = {
		.nodes = tree->nodes, .options = options, .out = out,
	};
	int err = tree->nodes[0].total ? sort_places(&reporting, tree) : -ENODATA;

	if (!err)
		err = begin(&reporting, tree->nodes[0].total);
	if (!err) {
		fputs(options->callers ? "#  self %" : "# total %   self %", out);
		put_heading(&reporting, options->callers ? "self" : "total");
		if (!options->callers)
			put_heading(&reporting, "self");
		fputs(options->callers ? "  function, and who calls it\n" : "\n",
		      out);
		err = put_nodes(&reporting) ?: stream_error(out);
	}
	free(reporting.places);
	free(reporting.first);
	free(reporting.at);
	free(reporting.guide.text);
	return err;
}

/* ---- the list ---- */

static void put_function(const struct reporting *reporting,
			 const struct flat_function *function, uint64_t sum)
{
	put_share(reporting, function->self);
	fputc(' ', reporting->out);
	put_share(reporting, sum);
	put_count(reporting, function->self);
	fputs("  ", reporting->out);
	put_share(reporting, function->total);
	put_count(reporting, function->total);
	fputs("  ", reporting->out);
	utf8_print(function->name, reporting->out);
	fputc('\n', reporting->out);
}

static void put_functions(const struct reporting *reporting,
			  const struct flat *flat)
{
	uint64_t sum = 0, rest = 0;
	uint32_t nr_rest = 0;

	for (uint32_t i = 0; i < flat->nr_functions; i++) {
		const struct flat_function *function = &flat->functions[i];

		if (function->kind != TREE_LOST &&
		    percent_below(function->total, reporting->whole,
				  reporting->options->threshold_ppm)) {
			rest += function->self;
			nr_rest++;
			continue;
		}
		sum += function->self;
		put_function(reporting, function, sum);
	}
	if (!nr_rest)
		return;
	put_share(reporting, rest);
	fputc(' ', reporting->out);
	put_share(reporting, sum + rest);
	put_count(reporting, rest);
	fprintf(reporting->out, "%12s%*s  [%" PRIu32 " small function%s]\n", "",
		reporting->count_width, "", nr_rest, nr_rest > 1 ? "s" : "");
}

int report_flat(const struct flat *flat, const struct report_options *options,
		FILE *out)
{
	struct reporting reporting = { .options = options, .out = out };
	int err = begin(&reporting, flat->total);

	if (err)
		return err;
	fputs("#  self %    sum %", out);
	put_heading(&reporting, "self");
	fputs("   total %", out);
	put_heading(&reporting, "total");
	fputs("  function\n", out);
	put_functions(&reporting, flat);
	return stream_error(out);
}
