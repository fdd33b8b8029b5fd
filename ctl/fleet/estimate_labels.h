/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The labels of windows that are estimates, or of hosts that are not always sampled. No
 * label of a user replaces them.
 */
#ifndef FLAMECTL_ESTIMATE_LABELS_H
#define FLAMECTL_ESTIMATE_LABELS_H

#include <stdbool.h>

#include "profile/profile.h"

#define ESTIMATE_LABELS_MAX	2

struct estimate_labels {
	struct {
		const char *name;
		char value[24];
	} list[ESTIMATE_LABELS_MAX];
	unsigned int nr;
};

/** estimate_labels() - get those of a window: threshold=20, inclusion=1/8; or none. */
void estimate_labels(struct estimate_labels *labels, const struct profile_meta *meta);

/** estimate_labels_have() - report whether one of them has this name. */
bool estimate_labels_have(const struct estimate_labels *labels, const char *name);

#endif /* FLAMECTL_ESTIMATE_LABELS_H */
