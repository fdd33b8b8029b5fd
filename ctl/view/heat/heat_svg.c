// SPDX-License-Identifier: GPL-2.0
/*
 * A heat map as SVG: see heat_svg.h. Colours are classes (svg/heat.css), so
 * that they suit light and dark pages. svg/heat.js fits the map to a window and
 * lets users mark a range; for it, cells have width 1 and their column is
 * stretched.
 */
#include "view/heat/heat_svg.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "embed.h"
#include "view/heat/words.h"
#include "view/svg/text.h"

/* Sizes in pixels. */
#define LEFT		64	/* of the grid: room for row names, */
#define LEFT_COMMS	116	/* which commands are longer than */
#define RIGHT		16
#define TOP_PLAIN	84	/* of the grid: room for title and legend */
#define SUBTITLE	20
#define AXIS		34	/* below the grid */
#define LINE		16	/* of text */
#define ROW_MAX		18
#define ROW_MIN		2
#define ROWS_HEIGHT	720	/* shared by all rows if there are many */
#define LABEL_HEIGHT	14	/* lower rows share a label */
#define LABEL_CELLS	16	/* characters of the longest label */
#define SWATCH		18
#define TICK_ROOM	90	/* minimal distance of axis labels */
#define LABEL_EDGE	12	/* nearer to the grid's end: before the tick */

#define NSEC_PER_SEC	UINT64_C(1000000000)

struct drawing {
	const struct heat *heat;
	const struct heat_svg_options *options;
	FILE *out;
	unsigned int left, top, row_height, grid_width;
	uint64_t begin_ns, span_ns;
};

static double x_of(const struct drawing *drawing, uint64_t ns)
{
	return (double)(ns - drawing->begin_ns) / (double)drawing->span_ns *
	       drawing->grid_width;
}

/* Write "12.5 s", without trailing zeros. */
static void put_seconds(FILE *out, uint64_t ns)
{
	uint64_t ms = (ns + 500000) / 1000000;

	fprintf(out, "%" PRIu64, ms / 1000);
	if (ms % 10)
		fprintf(out, ".%03" PRIu64, ms % 1000);
	else if (ms % 100)
		fprintf(out, ".%02" PRIu64, ms % 1000 / 10);
	else if (ms % 1000)
		fprintf(out, ".%" PRIu64, ms % 1000 / 100);
	fputs(" s", out);
}

/* ---- the grid ---- */

static void put_times(const struct drawing *drawing, uint32_t column)
{
	put_seconds(drawing->out, drawing->heat->begin_ns[column]);
	fputs(" to ", drawing->out);
	put_seconds(drawing->out, drawing->heat->end_ns[column]);
}

static void put_tooltip(const struct drawing *drawing, uint32_t column,
			uint32_t row, const struct heat_cell *cell)
{
	const struct heat_svg_options *options = drawing->options;
	const struct heat *heat = drawing->heat;
	const char *unit = heat->rows == HEAT_CPUS ? profile_unit(&options->profile->meta) : "";
	char text[HEAT_TEXT], lost[SVG_COUNT_MAX];
	FILE *out = drawing->out;

	fputs("<title>", out);
	svg_put_text(out, heat_row_text(text, heat, row));
	fputs(", ", out);
	put_times(drawing, column);
	fputc('\n', out);
	svg_put_text(out, heat_cell_text(text, heat, cell, options->profile, options->what));
	if (cell->lost)
		fprintf(out, "\n%s lost",
			svg_format_weight(lost, cell->lost, unit));
	fputs("</title>", out);
}

/* Where cells have amounts, most are empty: one rectangle is behind all of a column. */
static void put_nothing(const struct drawing *drawing, uint32_t column)
{
	fprintf(drawing->out, "<rect class=\"h0\" width=\"1\" height=\"%" PRIu64 "\"><title>nothing, ",
		(uint64_t)drawing->heat->nr_rows * drawing->row_height);
	put_times(drawing, column);
	fputs("</title></rect>\n", drawing->out);
}

static void put_cells(const struct drawing *drawing, uint32_t column)
{
	const struct heat *heat = drawing->heat;
	bool counts = heat_counts(heat);
	unsigned int gap = drawing->row_height > 6;

	for (uint32_t row = 0; row < heat->nr_rows; row++) {
		const struct heat_cell *cell =
			&heat->cells[(size_t)column * heat->nr_rows + row];

		if (!cell->whole || (counts && !cell->part))
			continue;
		fprintf(drawing->out, "<rect class=\"h%u\" width=\"1\" y=\"%" PRIu64 "\" height=\"%u\">",
			heat_step(heat, cell), (uint64_t)row * drawing->row_height,
			drawing->row_height - gap);
		put_tooltip(drawing, column, row, cell);
		fputs("</rect>\n", drawing->out);
	}
}

static void put_column(const struct drawing *drawing, uint32_t column)
{
	const struct heat *heat = drawing->heat;
	double left = x_of(drawing, heat->begin_ns[column]);
	double width = x_of(drawing, heat->end_ns[column]) - left;

	fprintf(drawing->out, "<g data-b=\"%" PRIu64 "\" data-e=\"%" PRIu64 "\" transform=\"translate(",
		heat->begin_ns[column], heat->end_ns[column]);
	svg_put_px(drawing->out, left);
	fputs(") scale(", drawing->out);
	/*
	 * no gaps between narrow columns, where they would take most of the
	 * space
	 */
	svg_put_px(drawing->out, width > 6 ? width - 1 : width);
	fputs(" 1)\">\n", drawing->out);
	if (heat_counts(heat))
		put_nothing(drawing, column);
	put_cells(drawing, column);
	fputs("</g>\n", drawing->out);
}

static void put_rows(const struct drawing *drawing)
{
	const struct heat *heat = drawing->heat;
	unsigned int each = (LABEL_HEIGHT + drawing->row_height - 1) /
			    drawing->row_height;
	/* a row of latencies is from its label up to the next one */
	unsigned int middle = heat->rows == HEAT_LATENCIES ? drawing->row_height :
							     drawing->row_height / 2;
	char text[HEAT_TEXT];

	for (uint32_t row = 0; row < heat->nr_rows; row += each) {
		fprintf(drawing->out, "<text class=\"row\" x=\"-8\" y=\"%" PRIu64 "\">",
			(uint64_t)row * drawing->row_height + middle + 4);
		svg_put_fitted(drawing->out, heat_row_label(text, heat, row), LABEL_CELLS);
		fputs("</text>\n", drawing->out);
	}
}

/*
 * Choose the smallest of 1, 2, 5, 10, ... ms that leaves room for the labels;
 * the script chooses the same way.
 */
static uint64_t tick_ns(const struct drawing *drawing)
{
	uint64_t most = drawing->grid_width / TICK_ROOM ?: 1;
	static const unsigned int steps[] = { 1, 2, 5 };

	for (uint64_t power = 1000000;; power *= 10)
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			if (power > UINT64_MAX / 50 ||
			    drawing->span_ns / (power * steps[i]) <= most)
				return power * steps[i];
}

static void put_axis(const struct drawing *drawing, uint64_t y)
{
	uint64_t tick = tick_ns(drawing);
	uint64_t at = (drawing->begin_ns + tick - 1) / tick * tick;
	FILE *out = drawing->out;

	fprintf(out, "<g class=\"axis\" transform=\"translate(0 %" PRIu64 ")\" data-room=\"%d\" data-edge=\"%d\">\n",
		y, TICK_ROOM, LABEL_EDGE);
	for (; at - drawing->begin_ns <= drawing->span_ns; at += tick) {
		double x = x_of(drawing, at);

		fputs("<path class=\"tick\" d=\"M", out);
		svg_put_px(out, x);
		fprintf(out, " 0v5\"/><text class=\"time%s\" x=\"",
			x > drawing->grid_width - LABEL_EDGE ? " end" : "");
		svg_put_px(out, x);
		fputs("\" y=\"18\">", out);
		put_seconds(out, at);
		fputs("</text>\n", out);
	}
	fputs("</g>\n", out);
}

/* ---- around it ---- */

static void put_legend(const struct drawing *drawing)
{
	const struct heat_svg_options *options = drawing->options;
	FILE *out = drawing->out;
	char text[HEAT_TEXT];

	fprintf(out, "<g class=\"legend\" transform=\"translate(%u %u)\">\n", drawing->left,
		drawing->top - 28);
	for (unsigned int i = 0; i < HEAT_STEPS; i++)
		fprintf(out, "<rect class=\"h%u\" x=\"%u\" width=\"%d\" height=\"12\"/>\n",
			i, i * SWATCH, SWATCH - 1);
	fprintf(out, "<text class=\"key end\" x=\"-8\" y=\"10\">0%s</text>\n"
		"<text class=\"key what\" x=\"%u\" y=\"10\">",
		heat_counts(drawing->heat) ? "" : " %", HEAT_STEPS * SWATCH + 7);
	svg_put_text(out, heat_most_text(text, drawing->heat, options->profile, options->what));
	fprintf(out, "; %s</text>\n</g>\n", heat_column_text(text, drawing->heat));
}

static void put_root(const struct drawing *drawing, uint64_t height)
{
	const struct heat_svg_options *options = drawing->options;
	FILE *out = drawing->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<!-- A heat map by flamectl. Open it in a web browser: mark a range of time with the mouse. -->\n",
	      out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat\" width=\"%u\" height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64 "\" data-left=\"%u\" data-right=\"%d\" data-top=\"%u\" data-axis=\"%d\"",
		options->width, height, options->width, height, drawing->left, RIGHT,
		drawing->top, AXIS);
	if (options->fixed)
		fprintf(out, " data-fixed=\"%u\"", options->width);
	fputs(" data-rest=\"", out);
	svg_put_text(out, options->rest);
	fputs("\">\n<title>", out);
	svg_put_text(out, options->title);
	fprintf(out, "</title>\n<style><![CDATA[\n%s]]></style>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		svg_heat_css);
	fprintf(out, "<text class=\"title\" x=\"%d\" y=\"27\">", RIGHT);
	svg_put_text(out, options->title);
	fputs("</text>\n", out);
	if (!options->subtitle)
		return;
	fprintf(out, "<text class=\"sub\" x=\"%d\" y=\"46\">", RIGHT);
	svg_put_text(out, options->subtitle);
	fputs("</text>\n", out);
}

static void put_facts(const struct drawing *drawing)
{
	char text[HEAT_TEXT];

	fprintf(drawing->out, "<text class=\"fact\" x=\"0\" y=\"%d\">", LINE + 4);
	svg_put_text(drawing->out, heat_facts(text, drawing->heat, drawing->options->profile));
	fputs("</text>\n", drawing->out);
}

static struct drawing make_drawing(const struct heat *heat,
				   const struct heat_svg_options *options,
				   FILE *out)
{
	struct drawing drawing = {
		.heat = heat, .options = options, .out = out,
		.top = TOP_PLAIN + (options->subtitle ? SUBTITLE : 0),
		.left = heat->rows == HEAT_COMMS ? LEFT_COMMS : LEFT,
		.begin_ns = heat->begin_ns[0],
		.row_height = ROWS_HEIGHT / (heat->nr_rows ?: 1),
	};

	drawing.grid_width = options->width - drawing.left - RIGHT;
	drawing.span_ns = heat->end_ns[heat->nr_columns - 1] - drawing.begin_ns;
	if (drawing.row_height > ROW_MAX)
		drawing.row_height = ROW_MAX;
	if (drawing.row_height < ROW_MIN)
		drawing.row_height = ROW_MIN;
	return drawing;
}

int heat_svg_write(const struct heat *heat,
		   const struct heat_svg_options *options, FILE *out)
{
	struct drawing drawing = make_drawing(heat, options, out);
	uint64_t rows = (uint64_t)heat->nr_rows * drawing.row_height;
	uint64_t foot = drawing.top + rows + AXIS + LINE - 4;

	errno = 0;
	put_root(&drawing, foot + LINE + 16);
	put_legend(&drawing);
	fprintf(out, "<g class=\"body\" transform=\"translate(%u %u)\">\n",
		drawing.left, drawing.top);
	put_rows(&drawing);
	fprintf(out, "<g class=\"grid\" data-height=\"%" PRIu64 "\">\n", rows);
	for (uint32_t i = 0; i < heat->nr_columns; i++)
		put_column(&drawing, i);
	fputs("</g>\n", out);
	put_axis(&drawing, rows);
	fprintf(out, "</g>\n<g class=\"foot\" transform=\"translate(%d %" PRIu64 ")\">\n<text class=\"range\"></text>\n",
		RIGHT, foot);
	put_facts(&drawing);
	fprintf(out, "</g>\n<script><![CDATA[\n%s]]></script>\n</svg>\n", svg_heat_js);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
