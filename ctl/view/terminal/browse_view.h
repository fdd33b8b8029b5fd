/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drawing of flamectl browse, on a screen of any size.
 */
#ifndef FLAMECTL_BROWSE_VIEW_H
#define FLAMECTL_BROWSE_VIEW_H

#include <stdbool.h>

#include "profile/profile.h"
#include "view/terminal/browse_model.h"

/* What to show in addition to the model. */
struct browse_view {
	const char *title;		/* any bytes */
	const char *caption;		/* likewise; "" for none */
	const struct profile_books *books;	/* or NULL */
	const char *books_unit;		/* of the books, in the plural */
	const struct profile *profile;	/* for the files of functions; or NULL */
	bool is_imported;		/* another tool's: only what was read is known */
	bool help, typing;
	char typed[SEARCH_TEXT_MAX + 1];
};

/** browse_view_draw() - redraw the screen; sets the model's height. */
void browse_view_draw(const struct browse_view *view, struct browse *browse);

#endif /* FLAMECTL_BROWSE_VIEW_H */
