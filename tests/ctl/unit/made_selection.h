/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes selections from options, for tests.
 */
#ifndef MADE_SELECTION_H
#define MADE_SELECTION_H

#include "select/select.h"

/* An option and its value, as on a command line; several are an array. */
struct asked {
	enum select_option option;
	const char *text;
};

#define NOTHING	{ SELECT_OPTIONS, NULL }

/** make_selection() - make one from options up to NOTHING; an error fails the test. */
struct selection make_selection(const struct asked *asked);

#endif /* MADE_SELECTION_H */
