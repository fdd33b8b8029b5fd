/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flamectl browse on a screen of any size.
 */
#ifndef FLAMECTL_BROWSE_VIEW_H
#define FLAMECTL_BROWSE_VIEW_H

#include <stdbool.h>

#include "profile/profile.h"
#include "view/terminal/browse_model.h"

/* What there is to show beside the model. */
struct browse_view {
	const char *title;		/* any bytes */
	const char *caption;		/* likewise; "" for none */
	const struct profile_books *books;	/* or NULL */
	const char *books_unit;		/* what they count, in the plural */
	bool help, typing;
	char typed[SEARCH_TEXT_MAX + 1];
};

/** browse_view_draw() - the screen, made anew; sets the model's height to it. */
void browse_view_draw(const struct browse_view *view, struct browse *browse);

#endif /* FLAMECTL_BROWSE_VIEW_H */
