// SPDX-License-Identifier: GPL-2.0
/*
 * Write a profile in callgrind's format, as valgrind's manual describes it
 * ("Callgrind Format Specification"): the self cost of each function, and the
 * cost of each call from one function to another.
 *
 * A reader adds up the calls of a function to get its inclusive cost. That
 * would count a recursive function twice, so the second occurrence of a name
 * in a stack is a separate function, name'2, as callgrind's --separate-recs
 * does it. All stacks start in one function, [all], so that every other cost
 * belongs to a call.
 *
 * If a profile knows the programs and libraries of functions, each function gets its
 * object file. callgrind_annotate merges functions of the same name unless their source
 * files differ. No source file is known, so each function gets the object's name in
 * brackets as its source file, such as "[libc.so.6]" or "[kernel]".
 */
#include "format/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/utf8.h"

/* The callee of a self cost: no function. It sorts before all functions. */
#define SELF		0

struct cost {
	uint64_t periods, samples;
};

/* The cost that a call tree node adds to a function or to a call. */
struct arc {
	uint64_t caller, callee;
	struct cost cost;
};

struct writer {
	const struct profile *profile;
	uint32_t *child, *sibling;	/* by node */
	uint64_t *function;		/* by node */
	uint32_t *namesake;		/* by frame: the first of the same name */
	struct cost *self, *total;	/* by node */
	struct cost bare[__FLAMEMOD_CONTEXT_MAX];
	struct arc *arcs;
	size_t nr_arcs;
	FILE *out;
};

/* Function id: index of the frame or pseudo-frame, and its recursion level. */
static uint64_t function_of(uint32_t place, uint32_t level)
{
	return ((uint64_t)place + 1) << 32 | level;
}

static uint32_t context_place(const struct writer *w, unsigned int context)
{
	return w->profile->nr_frames + context;
}

static uint32_t lost_place(const struct writer *w, unsigned int reason)
{
	return context_place(w, __FLAMEMOD_CONTEXT_MAX) + reason;
}

static uint64_t root_function(const struct writer *w)
{
	return function_of(lost_place(w, PROFILE_LOST_MAX), 1);
}

static void add_cost(struct cost *sum, const struct cost *cost)
{
	sum->periods += cost->periods;
	sum->samples += cost->samples;
}

static void add_arc(struct writer *w, uint64_t caller, uint64_t callee,
		    const struct cost *cost)
{
	if (cost->periods || cost->samples)
		w->arcs[w->nr_arcs++] = (struct arc){
			.caller = caller, .callee = callee, .cost = *cost,
		};
}

static void sum_nodes(struct writer *w)
{
	const struct profile *profile = w->profile;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const struct cost cost = { record->periods, record->count };

		add_cost(record->node ? &w->self[record->node] :
			 &w->bare[record->context], &cost);
	}
	/* children have higher numbers than their parents */
	for (i = profile->nr_nodes; i-- > 1;) {
		add_cost(&w->total[i], &w->self[i]);
		add_cost(&w->total[profile->nodes[i].parent], &w->total[i]);
		w->sibling[i] = w->child[profile->nodes[i].parent];
		w->child[profile->nodes[i].parent] = i;
	}
}

/* Return the frame's object; NULL if it is not known. */
static const struct profile_object *object_of(const struct writer *w,
					      const struct profile_frame *frame)
{
	return frame && frame->object ? &w->profile->objects[frame->object - 1] : NULL;
}

/* Return the name to use as the object file of a function that is in no file. */
static const char *kind_of(const struct profile_frame *frame)
{
	static const char *const kinds[__FLAMEMOD_FRAME_MAX] = {
		[FLAMEMOD_FRAME_KERNEL] = "kernel",
		[FLAMEMOD_FRAME_MODULE] = "module",
		[FLAMEMOD_FRAME_USER] = "user",
		[FLAMEMOD_FRAME_MARK] = "mark",
		[FLAMEMOD_FRAME_WAKER] = "waker",
	};

	return frame ? kinds[frame->kind] : "mark";
}

static int find_namesake(struct writer *w, uint32_t frame, struct intern *names,
			 uint32_t *firsts)
{
	const struct profile_frame *of = &w->profile->frames[frame];
	const struct profile_object *object = object_of(w, of);
	uint32_t known = names->nr, number = 0;
	char *text;
	int err, length;

	length = asprintf(&text, "%s\n%s", object ? object->path : kind_of(of), of->name);
	if (length < 0)
		return -ENOMEM;
	err = intern_add(names, text, (size_t)length, &number);
	free(text);
	if (err)
		return err;
	if (number == known)
		firsts[number] = frame;
	w->namesake[frame] = firsts[number];
	return 0;
}

/*
 * A program may have several functions of one name, such as f(int) and f(char) of C++.
 * Readers know functions by their names, so these are one function to them.
 */
static int find_namesakes(struct writer *w)
{
	uint32_t *firsts = calloc((size_t)w->profile->nr_frames + 1, sizeof(*firsts));
	struct intern names = { 0 };
	int err = firsts ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < w->profile->nr_frames && !err; i++)
		err = find_namesake(w, i, &names, firsts);
	intern_deinit(&names);
	free(firsts);
	return err;
}

/* Walk depth first, and count how often each frame is on the path. */
static int name_functions(struct writer *w)
{
	const struct profile_node *nodes = w->profile->nodes;
	uint32_t *levels = calloc((size_t)w->profile->nr_frames + 1,
				  sizeof(*levels));
	uint32_t at = w->child[0];

	if (!levels)
		return -ENOMEM;
	w->function[0] = root_function(w);
	while (at) {
		uint32_t frame = w->namesake[nodes[at].frame];

		w->function[at] = function_of(frame, ++levels[frame]);
		if (w->child[at]) {
			at = w->child[at];
			continue;
		}
		for (; at && !w->sibling[at]; at = nodes[at].parent)
			levels[w->namesake[nodes[at].frame]]--;
		if (!at)
			break;
		levels[w->namesake[nodes[at].frame]]--;
		at = w->sibling[at];
	}
	free(levels);
	return 0;
}

static void make_leaf(struct writer *w, uint32_t place, const struct cost *cost)
{
	add_arc(w, function_of(place, 1), SELF, cost);
	add_arc(w, root_function(w), function_of(place, 1), cost);
}

static int compare_arcs(const void *left, const void *right)
{
	const struct arc *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

/* Merge equal calls from all over the tree into one arc. */
static void make_arcs(struct writer *w)
{
	const struct profile *profile = w->profile;
	size_t i, last = 0;

	for (i = 1; i < profile->nr_nodes; i++) {
		add_arc(w, w->function[i], SELF, &w->self[i]);
		add_arc(w, w->function[profile->nodes[i].parent],
			w->function[i], &w->total[i]);
	}
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		make_leaf(w, context_place(w, i), &w->bare[i]);
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		const struct cost cost = { profile->books.lost[i], 0 };

		make_leaf(w, lost_place(w, i), &cost);
	}
	if (!w->nr_arcs)
		return;
	qsort(w->arcs, w->nr_arcs, sizeof(*w->arcs), compare_arcs);
	for (i = 1; i < w->nr_arcs; i++) {
		if (compare_arcs(&w->arcs[last], &w->arcs[i]))
			w->arcs[++last] = w->arcs[i];
		else
			add_cost(&w->arcs[last].cost, &w->arcs[i].cost);
	}
	w->nr_arcs = last + 1;
}

/* Write a line; a name that begins as "(1)" would be read as a reference to a name. */
static int write_line(struct writer *w, const char *before, const char *name,
		      const char *after)
{
	char *clean = utf8_clean(*name ? name : "[unknown]", true);

	if (!clean)
		return -ENOMEM;
	if (*clean == '(')
		*clean = '_';
	fprintf(w->out, "%s%s%s\n", before, clean, after);
	free(clean);
	return 0;
}

/* Write "ob=" and "fl=" lines, or those of a callee. @frame: NULL for no function. */
static int write_object(struct writer *w, bool is_callee,
			const struct profile_frame *frame)
{
	const struct profile_object *object = object_of(w, frame);
	const char *path = object ? object->path : kind_of(frame);
	const char *file = object ? profile_object_file(object) : path;
	bool in_brackets = *file == '[';
	int err = 0;

	if (w->profile->nr_objects)
		err = write_line(w, is_callee ? "cob=" : "ob=", path, "");
	fputs(is_callee ? "cfi=" : "fl=", w->out);
	return err ?: write_line(w, in_brackets ? "" : "[", file, in_brackets ? "" : "]");
}

/* Write "fl=[kernel]\nfn=NAME\n", or "cfi=" and "cfn=" for a callee. */
static int write_function(struct writer *w, bool is_callee, uint64_t function)
{
	uint32_t place = (uint32_t)(function >> 32) - 1;
	uint32_t level = (uint32_t)function;
	const struct profile_frame *frame = NULL;
	const char *name = "[all]";
	char text[64], recursion[16] = "";
	int err;

	if (place < w->profile->nr_frames) {
		frame = &w->profile->frames[place];
		name = frame->name;
	} else if (place < lost_place(w, 0)) {
		snprintf(text, sizeof(text), "[%s]",
			 profile_context_name(place - context_place(w, 0)));
		name = text;
	} else if (place < lost_place(w, PROFILE_LOST_MAX)) {
		snprintf(text, sizeof(text), "[lost: %s]",
			 profile_lost_name(place - lost_place(w, 0)));
		name = text;
	}
	if (level > 1)
		snprintf(recursion, sizeof(recursion), "'%" PRIu32, level);
	err = write_object(w, is_callee, frame) ?:
	      write_line(w, is_callee ? "cfn=" : "fn=", name, recursion);
	return err ?: export_failed(w->out);
}

static int write_arcs(struct writer *w)
{
	size_t i;
	int err = 0;

	for (i = 0; i < w->nr_arcs && !err; i++) {
		const struct arc *arc = &w->arcs[i];

		if (!i || arc->caller != w->arcs[i - 1].caller) {
			fputc('\n', w->out);
			err = write_function(w, false, arc->caller);
		}
		/* calls are not counted; samples stand in for their number */
		if (arc->callee != SELF && !err) {
			err = write_function(w, true, arc->callee);
			fprintf(w->out, "calls=%" PRIu64 " 0\n",
				arc->cost.samples ?: 1);
		}
		fprintf(w->out, "0 %" PRIu64 " %" PRIu64 "\n",
			arc->cost.periods, arc->cost.samples);
	}
	return err ?: export_failed(w->out);
}

static void write_header(struct writer *w)
{
	const struct profile *profile = w->profile;
	const struct profile_books *books = &profile->books;
	const char *unit = profile_unit(&profile->meta);
	bool in_periods = !strcmp(unit, "periods");
	const char *event = in_periods ? "Periods" : "Weight";

	fprintf(w->out, "# callgrind format\nversion: 1\ncreator: flamectl %s\n",
		FLAMECTL_VERSION);
	fprintf(w->out, "desc: Books: fires %" PRIu64 " + missed %" PRIu64
		" = stored %" PRIu64 " + filtered %" PRIu64 " + lost %" PRIu64
		" ", books->fires, books->missed, books->stored,
		books->filtered, profile_lost(books));
	utf8_print(unit, w->out);
	fprintf(w->out, "\npositions: line\nevent: %s : ", event);
	if (in_periods)
		fprintf(w->out, "Sampling periods of %" PRIu64 " ns",
			profile->meta.period_ns);
	else
		utf8_print(unit, w->out);
	fprintf(w->out, "\nevent: Samples : Samples taken\nevents: %s Samples\n",
		event);
}

static int write_all(struct writer *w)
{
	struct cost sum = { profile_lost(&w->profile->books), 0 };
	unsigned int i;

	sum_nodes(w);
	if (find_namesakes(w) || name_functions(w))
		return -ENOMEM;
	make_arcs(w);
	add_cost(&sum, &w->total[0]);
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		add_cost(&sum, &w->bare[i]);
	write_header(w);
	fprintf(w->out, "summary: %" PRIu64 " %" PRIu64 "\n", sum.periods,
		sum.samples);
	return write_arcs(w);
}

int export_callgrind(const struct profile *profile,
		     const struct fold_options *fold, FILE *out,
		     struct error *error)
{
	size_t nr = profile->nr_nodes;
	struct writer w = {
		.profile = profile,
		.child = calloc(nr, sizeof(*w.child)),
		.sibling = calloc(nr, sizeof(*w.sibling)),
		.function = calloc(nr, sizeof(*w.function)),
		.self = calloc(nr, sizeof(*w.self)),
		.total = calloc(nr, sizeof(*w.total)),
		.namesake = calloc((size_t)profile->nr_frames + 1, sizeof(*w.namesake)),
		.arcs = calloc(2 * (nr + __FLAMEMOD_CONTEXT_MAX +
				    PROFILE_LOST_MAX), sizeof(*w.arcs)),
		.out = out,
	};
	int err = export_check(profile, error);

	(void)fold;
	if (!err) {
		err = -ENOMEM;
		if (w.child && w.sibling && w.function && w.self && w.total &&
		    w.namesake && w.arcs)
			err = write_all(&w);
		if (err)
			error_set(error, err, "%s", strerror(-err));
	}
	free(w.child);
	free(w.sibling);
	free(w.function);
	free(w.self);
	free(w.total);
	free(w.namesake);
	free(w.arcs);
	return err;
}
