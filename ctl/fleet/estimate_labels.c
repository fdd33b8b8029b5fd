// SPDX-License-Identifier: GPL-2.0
/*
 * The labels of estimates: see estimate_labels.h.
 */
#include "fleet/estimate_labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add(struct estimate_labels *labels, const char *name, const char *prefix,
		uint64_t number)
{
	labels->list[labels->nr].name = name;
	snprintf(labels->list[labels->nr].value, sizeof(labels->list[0].value),
		 "%s%" PRIu64, prefix, number);
	labels->nr++;
}

void estimate_labels(struct estimate_labels *labels, const struct profile_meta *meta)
{
	labels->nr = 0;
	if (meta->threshold)
		add(labels, "threshold", "", meta->threshold);
	if (meta->inclusion > 1)
		add(labels, "inclusion", "1/", meta->inclusion);
}

bool estimate_labels_have(const struct estimate_labels *labels, const char *name)
{
	for (unsigned int i = 0; i < labels->nr; i++)
		if (!strcmp(labels->list[i].name, name))
			return true;
	return false;
}
