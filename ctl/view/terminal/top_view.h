/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flamectl top on a screen. Names are anybody's bytes: nothing of them reaches
 * the terminal but characters of a known width.
 */
#ifndef FLAMECTL_TOP_VIEW_H
#define FLAMECTL_TOP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "view/terminal/top_model.h"

/* What there is to show beside the model. */
struct top_view {
	uint64_t interval_ns;
	bool paused, stopped, typing, help;
	char message[256];		/* in place of the keys; "" for none */
};

/** top_view_draw() - the screen, made anew; sets the model's height to it. */
void top_view_draw(const struct top_view *view, struct top_model *model);

#endif /* FLAMECTL_TOP_VIEW_H */
