// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of two call trees in one table: see diff_text.h.
 */
#include "view/diff_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/weight.h"
#include "tree/diff_scale.h"
#include "tree/flat.h"

struct change {
	const char *name;
	struct diff_pair self, total;
	unsigned __int128 self_change, total_change;	/* scaled */
};

struct changes {
	struct change *changes;
	uint32_t nr;
	struct diff_pair whole;
	bool normalize;
	const char *unit;
	int width;		/* columns of an amount */
	FILE *out;
};

static unsigned __int128 change_of(const struct changes *changes,
				   const struct diff_pair *pair)
{
	struct diff_scaled scaled = diff_scale(pair, &changes->whole,
					       changes->normalize);

	return scaled.a > scaled.b ? scaled.a - scaled.b : scaled.b - scaled.a;
}

static int compare_names(const void *left, const void *right)
{
	const struct flat_function *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->self_change != b->self_change)
		return a->self_change > b->self_change ? -1 : 1;
	if (a->total_change != b->total_change)
		return a->total_change > b->total_change ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Sort both lists by name, and merge them. */
static int join(struct changes *changes, struct flat *a, struct flat *b)
{
	uint32_t i = 0, j = 0;

	changes->changes = calloc((size_t)a->nr_functions + b->nr_functions,
				  sizeof(*changes->changes));
	if (!changes->changes)
		return -ENOMEM;
	qsort(a->functions, a->nr_functions, sizeof(*a->functions), compare_names);
	qsort(b->functions, b->nr_functions, sizeof(*b->functions), compare_names);
	while (i < a->nr_functions || j < b->nr_functions) {
		struct change *change = &changes->changes[changes->nr++];
		int order = i == a->nr_functions ? 1 : j == b->nr_functions ? -1 :
			    strcmp(a->functions[i].name, b->functions[j].name);

		if (order <= 0) {
			change->name = a->functions[i].name;
			change->self.a = a->functions[i].self;
			change->total.a = a->functions[i++].total;
		}
		if (order >= 0) {
			change->name = b->functions[j].name;
			change->self.b = b->functions[j].self;
			change->total.b = b->functions[j++].total;
		}
		change->self_change = change_of(changes, &change->self);
		change->total_change = change_of(changes, &change->total);
	}
	qsort(changes->changes, changes->nr, sizeof(*changes->changes),
	      compare_changes);
	return 0;
}

static void put_pair(const struct changes *changes, const struct diff_pair *pair)
{
	const char *unit = changes->normalize ? NULL : changes->unit;
	char text[DIFF_TEXT];

	fprintf(changes->out, "%*s ", changes->width,
		diff_amount(text, pair->a, changes->whole.a, unit));
	fprintf(changes->out, "%*s ", changes->width,
		diff_amount(text, pair->b, changes->whole.b, unit));
	fprintf(changes->out, "%*s  ", changes->width,
		diff_change(text, pair, &changes->whole, unit));
}

static void put_headings(const struct changes *changes)
{
	static const char *const of_shares[] = {
		"self A%", "self B%", "change", "total A%", "total B%", "change",
	};
	static const char *const of_weights[] = {
		"self A", "self B", "change", "total A", "total B", "change",
	};

	for (unsigned int i = 0; i < 6; i++)
		fprintf(changes->out, "%s%*s%s", i ? "" : "#",
			changes->width - !i, (changes->normalize ? of_shares :
					      of_weights)[i],
			i % 3 == 2 ? "  " : " ");
	fputs("function\n", changes->out);
}

static bool is_below(const struct changes *changes, unsigned __int128 change,
		     uint32_t threshold_ppm)
{
	struct diff_scaled all = diff_scale(&changes->whole, &changes->whole,
					    changes->normalize);

	/* shift out low bits that do not matter, so that the products fit */
	for (; all.whole >> 107; all.whole >>= 1)
		change >>= 1;
	return change * 1000000 < all.whole * threshold_ppm;
}

static void put_changes(const struct changes *changes, uint32_t threshold_ppm)
{
	struct diff_pair rest = { 0 };
	uint32_t nr_rest = 0;

	for (uint32_t i = 0; i < changes->nr; i++) {
		const struct change *change = &changes->changes[i];

		if (is_below(changes, change->self_change, threshold_ppm) &&
		    is_below(changes, change->total_change, threshold_ppm)) {
			rest.a += change->self.a;
			rest.b += change->self.b;
			nr_rest++;
			continue;
		}
		put_pair(changes, &change->self);
		put_pair(changes, &change->total);
		utf8_print(change->name, changes->out);
		fputc('\n', changes->out);
	}
	if (!nr_rest)
		return;
	put_pair(changes, &rest);
	fprintf(changes->out, "%*s[%" PRIu32 " function%s that changed less]\n",
		3 * changes->width + 4, "", nr_rest, nr_rest > 1 ? "s" : "");
}

static int put_all(struct changes *changes, struct flat *a, struct flat *b,
		   uint32_t threshold_ppm)
{
	/* wide enough for "self A%", or for all but the longest times */
	int narrowest = !changes->normalize && weight_is_time(changes->unit) ?
			(int)strlen("+999.99 us") : 8;
	char text[WEIGHT_TEXT];
	int err = join(changes, a, b);

	if (err)
		return err;
	weight_text(text, a->total > b->total ? a->total : b->total,
		    changes->unit);
	changes->width = (int)strlen(text) + 1;
	if (changes->normalize || changes->width < narrowest)
		changes->width = narrowest;
	errno = 0;
	put_headings(changes);
	put_changes(changes, threshold_ppm);
	if (ferror(changes->out))
		return errno ? -errno : -EIO;
	return 0;
}

int diff_text(const struct tree *a, const struct tree *b, bool normalize,
	      const char *unit, uint32_t threshold_ppm, FILE *out,
	      struct error *error)
{
	struct changes changes = {
		.normalize = normalize, .unit = unit, .out = out,
	};
	struct flat *of_a = NULL, *of_b = NULL;
	int err;

	if (!a->nodes[0].total || !b->nodes[0].total)
		return error_set(error, -ENODATA, "%s has no stack with a weight above 0",
				 a->nodes[0].total ? "B" : "A");
	changes.whole = (struct diff_pair){ a->nodes[0].total, b->nodes[0].total };
	err = flat_create(&of_a, a) ?: flat_create(&of_b, b) ?:
	      put_all(&changes, of_a, of_b, threshold_ppm);
	flat_destroy(of_a);
	flat_destroy(of_b);
	free(changes.changes);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
