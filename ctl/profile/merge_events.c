// SPDX-License-Identifier: GPL-2.0
/*
 * Merge files of several events: see merge_events.h.
 */
#include "profile/merge_events.h"

#include <errno.h>
#include <string.h>

#include "base/wording.h"

void merge_events_init(struct merge_events *merge, bool in_ns, bool sliced)
{
	memset(merge, 0, sizeof(*merge));
	merge->in_ns = in_ns;
	merge->sliced = sliced;
}

void merge_events_deinit(struct merge_events *merge)
{
	for (unsigned int i = 0; i < merge->nr; i++)
		merge_deinit(&merge->list[i]);
	merge->nr = 0;
}

static int begin(struct merge_events *merge, const struct events *events)
{
	for (unsigned int i = 0; i < events->nr; i++) {
		if (merge_init(&merge->list[i], merge->in_ns))
			return -ENOMEM;
		merge->list[i].sliced = merge->sliced;
		strcpy(merge->names[i], events->list[i].name);
		merge->nr++;
	}
	return 0;
}

/*
 * Return: the event's index in the sum, or the number of events if not found.
 */
static unsigned int find(const struct merge_events *merge, const char *name)
{
	unsigned int i;

	for (i = 0; i < merge->nr; i++)
		if (!strcmp(merge->names[i], name))
			break;
	return i;
}

static bool has_same(const struct merge_events *merge,
		     const struct events *events)
{
	if (merge->nr != events->nr)
		return false;
	if (merge->nr == 1)
		return true;
	for (unsigned int i = 0; i < events->nr; i++)
		if (find(merge, events->list[i].name) == merge->nr)
			return false;
	return true;
}

static int refuse(const struct merge_events *merge, const struct events *events,
		  const char *name, struct error *error)
{
	char text[EVENTS_TEXT], first[EVENTS_TEXT];
	const char *names[EVENTS_MAX];
	unsigned int i, nr = events_names(events, names);

	events_text(text, names, nr, 0);
	for (i = 0; i < merge->nr; i++)
		names[i] = merge->names[i];
	events_text(first, names, merge->nr, 0);
	if (!*text || !*first)
		return error_set(error, -EINVAL, "%.80s: its events are %.100s, those of %.80s are %.100s: they cannot be summed; %s %.80s makes a file of one, which can be",
				 name, *text ? text : "one without a name",
				 merge->list[0].first,
				 *first ? first : "one without a name",
				 WORDING(IMPORT_EVENT), *text ? name : merge->list[0].first);
	return error_set(error, -EINVAL, "%.80s: its events are %.100s, those of %.80s are %.100s: they cannot be summed; %s",
			 name, text, merge->list[0].first, first,
			 WORDING(SUM_EVENT));
}

int merge_events_add(struct merge_events *merge, const struct events *events,
		     const char *name, struct error *error)
{
	unsigned int i, place;
	int err = 0;

	if (!merge->nr)
		err = begin(merge, events);
	if (err)
		return error_set(error, err, "%.200s: memory is short", name);
	if (!has_same(merge, events))
		return refuse(merge, events, name, error);
	for (i = 0; i < events->nr && !err; i++) {
		place = merge->nr > 1 ? find(merge, events->list[i].name) : 0;
		err = merge_add(&merge->list[place], events->list[i].profile,
				name, error);
	}
	return err;
}

void merge_events_take(struct merge_events *merge, struct events *events)
{
	events->nr = 0;
	for (unsigned int i = 0; i < merge->nr; i++) {
		/* cannot fail: the files had no more events */
		events_add(events, merge->names[i], merge->list[i].sum);
		merge->list[i].sum = NULL;
	}
}

const char *merge_events_slices_of(const struct merge_events *merge)
{
	return merge->nr ? merge->list[0].slices_of : NULL;
}
