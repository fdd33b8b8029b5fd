/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selections made of options for tests.
 */
#ifndef MADE_SELECTION_H
#define MADE_SELECTION_H

#include "select/select.h"

/* An option and its value, as on a command line; more than one is an array. */
struct asked {
	enum select_option option;
	const char *text;
};

#define NOTHING	{ SELECT_OPTIONS, NULL }

/** make_selection() - of options up to NOTHING; an error fails the test. */
struct selection make_selection(const struct asked *asked);

#endif /* MADE_SELECTION_H */
