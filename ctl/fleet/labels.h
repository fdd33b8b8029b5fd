/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Labels of profiles: names and values that a user chooses, such as rack=7.
 */
#ifndef FLAMECTL_LABELS_H
#define FLAMECTL_LABELS_H

#include "base/error.h"

/* Labels of one profile. */
#define LABELS_MAX		16
/* As in Prometheus, a name is [a-zA-Z_][a-zA-Z0-9_]*. */
#define LABEL_NAME_MAX		64
#define LABEL_VALUE_MAX		255

struct label {
	char name[LABEL_NAME_MAX + 1];
	char value[LABEL_VALUE_MAX + 1];	/* UTF-8, no control characters */
};

/* In order of name. Empty if all is 0. */
struct labels {
	struct label list[LABELS_MAX];
	unsigned int nr;
};

/**
 * labels_add() - add "name=value"; a name that is there already gets the new value.
 *
 * Return: 0, or -EINVAL with @error quoting the label and saying what a label is; then
 * nothing has changed.
 */
int labels_add(struct labels *labels, const char *assignment, struct error *error);

/** labels_get() - return the value of a label, or NULL. */
const char *labels_get(const struct labels *labels, const char *name);

#endif /* FLAMECTL_LABELS_H */
