// SPDX-License-Identifier: GPL-2.0
/*
 * Saving what is shown as a flame graph: see save_graph.h.
 */
#include "view/terminal/save_graph.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/output.h"
#include "view/layout.h"

#define WIDTH	1200		/* in pixels, unless the viewer sets it */

static int write_graph(const struct tree *tree, struct svg_options *svg,
		       struct output *output, struct error *error)
{
	struct layout_options layout_options = {
		.width_px = WIDTH - 2.0 * SVG_PAD, .min_width_px = 0.1,
	};
	struct layout *layout;
	int err;

	err = layout_create(&layout, tree, &layout_options, error);
	if (err)
		return err;
	svg->width = WIDTH;
	err = svg_write(tree, layout, svg, output->stream);
	layout_destroy(layout);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

void save_graph(const struct tree *tree, struct svg_options *svg,
		const char *path, const char *command, char *message,
		size_t size)
{
	time_t now = time(NULL);
	struct output output;
	struct error error;
	char named[64], date[32];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	snprintf(named, sizeof(named), "flamectl-%s-%s.svg", command, date);
	path = path ?: named;
	if (output_open(&output, path, &error)) {
		snprintf(message, size, "cannot write %.200s", error.text);
		return;
	}
	if (write_graph(tree, svg, &output, &error)) {
		output_discard(&output);
		snprintf(message, size, "cannot write %.60s: %.150s", path,
			 error.text);
	} else if (output_commit(&output, &error)) {
		snprintf(message, size, "%.200s", error.text);
	} else {
		snprintf(message, size, "written to %.200s", path);
	}
}
