/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drawing of flamectl top. Names may be any bytes; only characters of known
 * width are sent to the terminal.
 */
#ifndef FLAMECTL_TOP_VIEW_H
#define FLAMECTL_TOP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "view/terminal/top_model.h"

/* What to show in addition to the model. */
struct top_view {
	uint64_t interval_ns;
	bool paused, stopped, typing, help;
	char message[256];		/* instead of the keys; "" for none */
};

/** top_view_draw() - redraw the screen; sets the model's height. */
void top_view_draw(const struct top_view *view, struct top_model *model);

#endif /* FLAMECTL_TOP_VIEW_H */
