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

#include "base/percent.h"
#include "embed.h"
#include "profile/books.h"
#include "view/svg/text.h"

/* Sizes in pixels. */
#define LEFT		64	/* of the grid: room for row names */
#define RIGHT		16
#define TOP_PLAIN	84	/* of the grid: room for title and legend */
#define SUBTITLE	20
#define AXIS		34	/* below the grid */
#define LINE		16	/* of text */
#define ROW_MAX		18
#define ROW_MIN		2
#define ROWS_HEIGHT	720	/* shared by all rows if there are many */
#define LABEL_HEIGHT	14	/* lower rows share a label */
#define SWATCH		18
#define TICK_ROOM	90	/* minimal distance of axis labels */
#define LABEL_EDGE	12	/* nearer to the grid's end: before the tick */

#define STEPS		11	/* of heat: 0 %, then one per 10 % */

#define NSEC_PER_SEC	UINT64_C(1000000000)

struct drawing {
	const struct heat *heat;
	const struct heat_svg_options *options;
	FILE *out;
	unsigned int top, row_height, grid_width;
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

static unsigned int step_of(const struct heat_cell *cell)
{
	uint32_t hundredths = percent_hundredths(cell->part, cell->whole);

	/* 0 % has its own step */
	return hundredths >= 10000 ? STEPS - 1 :
	       hundredths ? (hundredths + 999) / 1000 : 0;
}

/* ---- the grid ---- */

static void put_row_name(const struct drawing *drawing, uint32_t row)
{
	if (drawing->heat->rows == HEAT_CPUS)
		fprintf(drawing->out, "CPU %" PRIu32, drawing->heat->cpus[row]);
	else
		fprintf(drawing->out, "load %u to %u %%",
			(HEAT_BANDS - 1 - row) * 10, (HEAT_BANDS - row) * 10);
}

static void put_tooltip(const struct drawing *drawing, uint32_t column,
			uint32_t row, const struct heat_cell *cell)
{
	const struct heat *heat = drawing->heat;
	/* bands count CPUs */
	const char *unit = heat->rows == HEAT_CPUS ?
			   profile_unit(&drawing->options->profile->meta) : "";
	char share[PERCENT_TEXT], part[SVG_COUNT_MAX], whole[SVG_AMOUNT_MAX];
	FILE *out = drawing->out;

	fputs("<title>", out);
	put_row_name(drawing, row);
	fputs(", ", out);
	put_seconds(out, heat->begin_ns[column]);
	fputs(" to ", out);
	put_seconds(out, heat->end_ns[column]);
	fprintf(out, "\n%s %% ", percent_text(share, cell->part, cell->whole));
	if (heat->rows == HEAT_CPUS)
		svg_put_text(out, drawing->options->what);
	else
		fputs("of the CPUs", out);
	fprintf(out, " (%s of ", svg_format_weight(part, cell->part, unit));
	svg_put_text(out, svg_format_amount(whole, cell->whole, unit));
	fputc(')', out);
	if (cell->lost)
		fprintf(out, "\n%s lost",
			svg_format_weight(part, cell->lost, unit));
	fputs("</title>", out);
}

static void put_column(const struct drawing *drawing, uint32_t column)
{
	const struct heat *heat = drawing->heat;
	double left = x_of(drawing, heat->begin_ns[column]);
	double width = x_of(drawing, heat->end_ns[column]) - left;
	unsigned int gap = drawing->row_height > 6;

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
	for (uint32_t row = 0; row < heat->nr_rows; row++) {
		const struct heat_cell *cell =
			&heat->cells[(size_t)column * heat->nr_rows + row];

		if (!cell->whole)
			continue;
		fprintf(drawing->out, "<rect class=\"h%u\" width=\"1\" y=\"%" PRIu64 "\" height=\"%u\">",
			step_of(cell), (uint64_t)row * drawing->row_height,
			drawing->row_height - gap);
		put_tooltip(drawing, column, row, cell);
		fputs("</rect>\n", drawing->out);
	}
	fputs("</g>\n", drawing->out);
}

static void put_rows(const struct drawing *drawing)
{
	const struct heat *heat = drawing->heat;
	unsigned int each = (LABEL_HEIGHT + drawing->row_height - 1) /
			    drawing->row_height;

	for (uint32_t row = 0; row < heat->nr_rows; row += each) {
		fprintf(drawing->out, "<text class=\"row\" x=\"-8\" y=\"%" PRIu64 "\">",
			(uint64_t)row * drawing->row_height +
				(drawing->row_height + 8) / 2);
		if (heat->rows == HEAT_CPUS)
			fprintf(drawing->out, "CPU %" PRIu32, heat->cpus[row]);
		else
			fprintf(drawing->out, "%u %%", (HEAT_BANDS - row) * 10);
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

	fprintf(out, "<g class=\"legend\" transform=\"translate(%d %u)\">\n", LEFT,
		drawing->top - 28);
	for (unsigned int i = 0; i < STEPS; i++)
		fprintf(out, "<rect class=\"h%u\" x=\"%u\" width=\"%d\" height=\"12\"/>\n",
			i, i * SWATCH, SWATCH - 1);
	fprintf(out, "<text class=\"key end\" x=\"-8\" y=\"10\">0 %%</text>\n"
		"<text class=\"key what\" x=\"%u\" y=\"10\">100 %% ",
		STEPS * SWATCH + 7);
	if (drawing->heat->rows == HEAT_CPUS) {
		svg_put_text(out, options->what);
	} else {
		fputs("of the CPUs, by how much of their time is ", out);
		svg_put_text(out, options->what);
	}
	fputs("</text>\n</g>\n", out);
}

static void put_root(const struct drawing *drawing, uint64_t height)
{
	const struct heat_svg_options *options = drawing->options;
	FILE *out = drawing->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<!-- A heat map by flamectl. Open it in a web browser: mark a range of time with the mouse. -->\n",
	      out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat\" width=\"%u\" height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64 "\" data-left=\"%d\" data-right=\"%d\" data-top=\"%u\" data-axis=\"%d\"",
		options->width, height, options->width, height, LEFT, RIGHT,
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

static void put_books(const struct drawing *drawing)
{
	const struct profile_books *books = &drawing->options->profile->books;
	const struct {
		const char *name;
		uint64_t count;
	} figures[] = {
		{ "fires", books->fires }, { "missed", books->missed },
		{ "stored", books->stored }, { "filtered", books->filtered },
		{ "lost", profile_lost(books) },
	};
	const char *unit = profile_unit(&drawing->options->profile->meta);
	char count[SVG_COUNT_MAX], advice[BOOKS_ADVICE_MAX];

	fprintf(drawing->out, "<text class=\"fact\" x=\"0\" y=\"%d\">all of it, in %s",
		LINE + 4, strcmp(unit, "periods") ? "" : "timer ");
	svg_put_text(drawing->out, unit);
	fputc(':', drawing->out);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		fprintf(drawing->out, " %s %s", figures[i].name,
			svg_format_count(count, figures[i].count));
	if (books_advice_all(drawing->options->profile, advice)) {
		fputs("; ", drawing->out);
		svg_put_text(drawing->out, advice);
	}
	fputs("</text>\n", drawing->out);
}

static struct drawing make_drawing(const struct heat *heat,
				   const struct heat_svg_options *options,
				   FILE *out)
{
	struct drawing drawing = {
		.heat = heat, .options = options, .out = out,
		.top = TOP_PLAIN + (options->subtitle ? SUBTITLE : 0),
		.grid_width = options->width - LEFT - RIGHT,
		.begin_ns = heat->begin_ns[0],
		.row_height = ROWS_HEIGHT / (heat->nr_rows ?: 1),
	};

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
	fprintf(out, "<g class=\"body\" transform=\"translate(%d %u)\">\n", LEFT,
		drawing.top);
	put_rows(&drawing);
	fprintf(out, "<g class=\"grid\" data-height=\"%" PRIu64 "\">\n", rows);
	for (uint32_t i = 0; i < heat->nr_columns; i++)
		put_column(&drawing, i);
	fputs("</g>\n", out);
	put_axis(&drawing, rows);
	fprintf(out, "</g>\n<g class=\"foot\" transform=\"translate(%d %" PRIu64 ")\">\n<text class=\"range\"></text>\n",
		RIGHT, foot);
	put_books(&drawing);
	fprintf(out, "</g>\n<script><![CDATA[\n%s]]></script>\n</svg>\n", svg_heat_js);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
