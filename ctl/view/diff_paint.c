// SPDX-License-Identifier: GPL-2.0
/*
 * Painting of a difference: see diff_paint.h.
 */
#include "view/diff_paint.h"

#include <stdio.h>

#include "base/weight.h"
#include "tree/diff_scale.h"

/*
 * The change needed for each shade, in percent of the larger weight: a change
 * below 2 % is shown as none, 50 % is twice or half as much, and 100 % is a
 * frame that is new or gone.
 */
static const unsigned int shades[] = { 2, 10, 25, 50, 100 };

#define NR_SHADES (sizeof(shades) / sizeof(shades[0]))

static const char *const grew_classes[NR_SHADES] = {
	"grew1", "grew2", "grew3", "grew4", "grew5",
};

static const char *const shrank_classes[NR_SHADES] = {
	"shrank1", "shrank2", "shrank3", "shrank4", "shrank5",
};

static const char *class_of(const struct diff *diff, uint32_t node, bool negate)
{
	struct diff_scaled scaled = diff_scale(&diff->pairs[node], &diff->whole,
					       diff->normalize);
	bool grew = scaled.b >= scaled.a;
	unsigned __int128 larger = grew ? scaled.b : scaled.a;
	unsigned int shade = 0, percent;

	/* callers of gone frames also appear with the rest of B */
	if (node >= diff->first_gone)
		return diff->pairs[node].a && !diff->pairs[node].b ? "gone" :
								      "same";
	percent = larger ? diff_hundredths(grew ? scaled.b - scaled.a :
					   scaled.a - scaled.b, larger) / 100 : 0;
	while (shade < NR_SHADES && percent >= shades[shade])
		shade++;
	/* the last shade is for new frames only, not for rounded percentages */
	if (shade == NR_SHADES && scaled.a && scaled.b)
		shade--;
	if (!shade)
		return "same";
	return (grew != negate ? grew_classes : shrank_classes)[shade - 1];
}

static const char *view_class(const void *data, uint32_t node)
{
	return class_of(data, node, false);
}

static const char *negated_class(const void *data, uint32_t node)
{
	return class_of(data, node, true);
}

static void view_tell(const void *data, uint32_t node, char *text, size_t size)
{
	const struct diff *diff = data;
	const struct diff_pair *pair = &diff->pairs[node];
	const char *unit = diff->normalize ? NULL : diff->unit;
	/* a time includes its unit */
	const char *space = unit && weight_is_time(unit) ? "" : " ";
	const char *word = !*space ? "" : unit ? unit : "%";
	char a[DIFF_TEXT], b[DIFF_TEXT], change[DIFF_TEXT];

	diff_amount(a, pair->a, diff->whole.a, unit);
	diff_amount(b, pair->b, diff->whole.b, unit);
	diff_change(change, pair, &diff->whole, unit);
	if (!pair->a && !pair->b)
		snprintf(text, size, "what A has and B does not have");
	else if (!pair->a)
		snprintf(text, size, "new, %s%s%s", b, space, word);
	else if (!pair->b)
		snprintf(text, size, "gone, was %s%s%s", a, space, word);
	else
		snprintf(text, size, "%s, from %s to %s%s%s", change, a, b,
			 space, word);
}

#define KEY(class, word) { class, word, sizeof(word) - 1 }

static const struct paint_key keys[] = {
	KEY("grew4", "grew"), KEY("grew5", "new"), KEY("same", "same"),
	KEY("shrank4", "shrank"), KEY("gone", "gone"),
};

static const struct paint_key negated_keys[] = {
	KEY("shrank4", "grew"), KEY("shrank5", "new"), KEY("same", "same"),
	KEY("grew4", "shrank"), KEY("gone", "gone"),
};

const struct paint_view diff_view = {
	.class = view_class, .tell = view_tell, .keys = keys,
	.nr_keys = sizeof(keys) / sizeof(keys[0]),
};

const struct paint_view diff_view_negated = {
	.class = negated_class, .tell = view_tell, .keys = negated_keys,
	.nr_keys = sizeof(negated_keys) / sizeof(negated_keys[0]),
};
