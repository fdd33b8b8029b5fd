// SPDX-License-Identifier: GPL-2.0
/*
 * Write a graph as SVG: see svg.h. Frames are grouped by depth, carry their
 * exact weights for the scripts (graph.js, svg/flame.js, svg/explore.js), and
 * take their colour from a class (svg/flame.css, paint.c). Only this file, and text.c,
 * legend.c and facts.c beside it, write XML of graphs.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/percent.h"
#include "base/weight.h"
#include "embed.h"
#include "tree/half.h"
#include "tree/kind.h"
#include "view/svg/facts.h"
#include "view/svg/legend.h"
#include "view/svg/svg.h"
#include "view/svg/text.h"

/* Vertical sizes, in pixels. */
#define ROW_HEIGHT 18
#define FRAME_GAP 1		/* between rows */
#define MEETING_HEIGHT 2	/* of the line between halves of a stack: the gap and 1 px */
#define BAR_HEIGHT 24		/* legend, search */
#define TITLE_TOP 8
#define TITLE_HEIGHT 32		/* 0 if there is none */
#define SUBTITLE_HEIGHT 18

/* Advances of the monospaced font in the CSS. */
#define FONT_SIZE 12
#define LABEL_ADVANCE 7.23
#define TITLE_ADVANCE 10
#define SEARCH_WIDTH 420	/* the script puts it beside the legend */
#define LEGEND_GAP 4		/* between the books and a legend below */
#define LABEL_CHARS_MIN 4

#define FACT_MAX 512

/* The picture being written. */
struct drawing {
	const struct tree *tree;
	const struct layout *layout;
	const struct svg_options *options;
	FILE *out;
	unsigned int bar_top;
	unsigned int rows_top;
	unsigned int row_height;
	double label_advance;
	double baseline;		/* of a label, from the top of its frame */
	const struct paint *paint;
	uint8_t *halves;		/* of stacks, by node */
	bool has_meetings;		/* of kernel and user half */
};

/* ---- frames ---- */

/* Report whether a frame, or each of those merged, begins the other half of its stack. */
static bool is_meeting(const struct drawing *drawing, const struct layout_rect *rect)
{
	const struct tree *tree = drawing->tree;
	uint32_t left = rect->collapsed, node;

	if (!left)
		return half_meets(tree, drawing->halves, rect->node);
	for (node = rect->first; left; node = tree->nodes[node].sibling) {
		/* siblings without weight are not among them */
		if (!tree->nodes[node].total)
			continue;
		if (!half_meets(tree, drawing->halves, node))
			return false;
		left--;
	}
	return true;
}

static bool has_meetings(const struct drawing *drawing)
{
	for (uint32_t i = 0; i < drawing->layout->nr_rects; i++)
		if (is_meeting(drawing, &drawing->layout->rects[i]))
			return true;
	return false;
}

/* Draw a line between a frame and its caller, over the gap between their rows. */
static void put_meeting(const struct drawing *drawing, double x, double width)
{
	int y = drawing->options->inverted ? -FRAME_GAP :
		(int)drawing->row_height - MEETING_HEIGHT;

	fputs("<rect class=\"meeting\" x=\"", drawing->out);
	svg_put_px(drawing->out, x);
	fprintf(drawing->out, "\" y=\"%d\" width=\"", y);
	svg_put_px(drawing->out, width);
	fprintf(drawing->out, "\" height=\"%d\"/>", MEETING_HEIGHT);
}

/* @told: the view's own text, or NULL */
static void put_tooltip(const struct drawing *drawing, const char *name,
			uint64_t weight, const char *told)
{
	const char *unit = drawing->options->unit;
	size_t length = weight_unit_length(weight, unit);
	char count[SVG_COUNT_MAX], share[PERCENT_TEXT];

	fputs("<title>", drawing->out);
	svg_put_text_part(drawing->out, name, kind_label(name));
	fputc('\n', drawing->out);
	if (told) {
		svg_put_text(drawing->out, told);
	} else {
		fprintf(drawing->out, "%s%s", svg_format_weight(count, weight, unit),
			length ? " " : "");
		svg_put_text_part(drawing->out, unit, length);
		fputs(", ", drawing->out);
		fprintf(drawing->out, "%s %%",
			percent_text(share, weight, drawing->layout->total));
	}
	fputs("</title>", drawing->out);
}

static void put_frame(const struct drawing *drawing, uint32_t number)
{
	const struct layout_rect *rect = &drawing->layout->rects[number];
	double width = rect->width > 2 ? rect->width - 0.5 : rect->width;
	char class[PAINT_CLASS_MAX], text[LAYOUT_NAME_MAX], fact[FACT_MAX];
	const char *name = layout_rect_name(rect, drawing->tree, text);
	const char *told = paint_tell(drawing->paint, number, fact, FACT_MAX);
	FILE *out = drawing->out;
	double room;

	paint_class(drawing->paint, number, class);
	fprintf(out, "<g class=\"%s\" data-s=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\"%s",
		class, rect->start, rect->weight, told ? " data-told=\"1\"" : "");
	if (rect->collapsed)
		fprintf(out, " data-n=\"%" PRIu32 "\"", rect->collapsed);
	if (rect->hidden)
		fprintf(out, " data-h=\"%" PRIu64 "\"", rect->hidden);
	putc('>', out);
	put_tooltip(drawing, name, rect->weight, told);
	fputs("<rect x=\"", out);
	svg_put_px(out, rect->x);
	fputs("\" width=\"", out);
	svg_put_px(out, width);
	fprintf(out, "\" height=\"%u\" rx=\"2\"/>",
		drawing->row_height - FRAME_GAP);
	if (is_meeting(drawing, rect))
		put_meeting(drawing, rect->x, width);

	room = (rect->width - 6) / drawing->label_advance;
	if (room >= LABEL_CHARS_MIN) {
		fputs("<text x=\"", out);
		svg_put_px(out, rect->x + 3);
		fputs("\" y=\"", out);
		svg_put_px(out, drawing->baseline);
		fputs("\">", out);
		svg_put_line(out, name, kind_label(name), room);
		fputs("</text>", out);
	}
	fputs("</g>\n", out);
}

static void put_frames(const struct drawing *drawing)
{
	const struct layout *layout = drawing->layout;
	uint32_t depth = UINT32_MAX;

	fprintf(drawing->out,
		"<g class=\"frames\" transform=\"translate(%d %u)\">\n",
		SVG_PAD, drawing->rows_top);
	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];

		if (rect->depth != depth)
			fprintf(drawing->out,
				"%s<g transform=\"translate(0 %" PRIu64 ")\">\n",
				i ? "</g>\n" : "",
				(uint64_t)rect->row * drawing->row_height);
		depth = rect->depth;
		put_frame(drawing, i);
	}
	fputs("</g>\n</g>\n", drawing->out);
}

/* ---- the head ---- */

/* The legend is beside the search, or below the books if there is no room. */
static bool has_legend_in_head(const struct drawing *drawing)
{
	double room = drawing->options->width - 2.0 * SVG_PAD - SEARCH_WIDTH;

	return svg_put_legend(drawing->paint, drawing->has_meetings, room, NULL) <=
	       SVG_LEGEND_LINE && room > 0;
}

static void put_legend(const struct drawing *drawing, unsigned int x,
		       unsigned int y)
{
	fprintf(drawing->out,
		"<g class=\"legend\" transform=\"translate(%u %u)\">\n", x, y);
	svg_put_legend(drawing->paint, drawing->has_meetings,
		       drawing->options->width - 2.0 * SVG_PAD, drawing->out);
	fputs("</g>\n", drawing->out);
}

/* The script refits the full text after a change of width. */
static void put_line(FILE *out, const char *class, unsigned int y,
		     const char *text, size_t room)
{
	fprintf(out, "<text class=\"%s\" x=\"%d\" y=\"%u\" data-full=\"", class,
		SVG_PAD, y);
	svg_put_text(out, text);
	fputs("\">", out);
	svg_put_fitted(out, text, room);
	fputs("</text>\n", out);
}

static void put_head(const struct drawing *drawing)
{
	const struct svg_options *options = drawing->options;
	unsigned int width = options->width - 2 * SVG_PAD;
	FILE *out = drawing->out;

	fprintf(out, "<g class=\"head\">\n<rect class=\"page\" width=\"100%%\" height=\"%u\"/>\n",
		drawing->rows_top - 4);
	if (*options->title)
		put_line(out, "title", TITLE_TOP + 19, options->title,
			 width / TITLE_ADVANCE);
	if (options->subtitle)
		put_line(out, "sub", drawing->bar_top - 12, options->subtitle,
			 width / LABEL_ADVANCE);
	if (has_legend_in_head(drawing))
		put_legend(drawing, SVG_PAD, drawing->bar_top);
	fprintf(out, "<g transform=\"translate(%d %u)\"><text class=\"info hint\">"
		"Zoom and search: open this file in a web browser.</text></g>\n</g>\n",
		SVG_PAD, drawing->bar_top + BAR_HEIGHT + 17);
}

/* ---- the document ---- */

#define DARK_QUERY "@media (prefers-color-scheme:dark){"

/*
 * An explicit theme makes the rules for dark pages apply always or never. Rules
 * for colours come first, so that those for matches override them.
 */
static void put_style(const struct drawing *drawing)
{
	static const char *const queries[] = {
		[SVG_AUTO] = DARK_QUERY, [SVG_LIGHT] = "@media not all{",
		[SVG_DARK] = "@media all{",
	};
	const struct svg_options *options = drawing->options;
	const char *dark = strstr(flame_css, DARK_QUERY);
	FILE *out = drawing->out;

	fputs("<style><![CDATA[\n", out);
	paint_rules(drawing->paint, false, out);
	fprintf(out, "%s\n", queries[options->theme]);
	paint_rules(drawing->paint, true, out);
	fprintf(out, "}\n%.*s%s%s", (int)(dark - flame_css), flame_css,
		queries[options->theme], dark + strlen(DARK_QUERY));
	if (options->font || options->font_size) {
		fputs(".flame .frames text{", out);
		if (options->font)
			fprintf(out, "font-family:\"%s\",monospace;", options->font);
		if (options->font_size)
			fprintf(out, "font-size:%upx", options->font_size);
		fputs("}\n", out);
	}
	if (options->has_background)
		fprintf(out, ".flame{background:#%06x}\n.flame .page{fill:#%06x}\n",
			options->background, options->background);
	fputs("]]></style>\n", out);
}

static void put_root(const struct drawing *drawing, uint64_t height,
		     unsigned int gap)
{
	const struct svg_options *options = drawing->options;
	FILE *out = drawing->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<!-- A flame graph by flamectl. Open it in a web browser: click a frame to zoom, Ctrl-F searches. -->\n",
	      out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%u\" height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64 "\"",
		options->width, height, options->width, height);
	fprintf(out, " data-pad=\"%d\" data-row=\"%u\" data-base=\"", SVG_PAD,
		drawing->row_height);
	svg_put_px(out, drawing->baseline);
	fprintf(out, "\" data-bar=\"%u\" data-top=\"%u\" data-gap=\"%u\" data-total=\"%" PRIu64 "\" data-unit=\"",
		drawing->bar_top, drawing->rows_top, gap, drawing->layout->total);
	svg_put_text(out, options->unit);
	putc('"', out);
	if (options->name_type) {
		fputs(" data-nametype=\"", out);
		svg_put_text(out, options->name_type);
		putc('"', out);
	}
	if (options->fixed)
		fprintf(out, " data-fixed=\"%u\"", options->width);
	if (options->inverted)
		fputs(" data-inverted=\"1\"", out);
	fputs(">\n<title>", out);
	svg_put_text(out, options->title);
	fputs("</title>\n", out);
	put_style(drawing);
	fputs("<defs><pattern id=\"flame-lost\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
	      "<rect class=\"hatch1\" width=\"7\" height=\"7\"/><path class=\"hatch2\" d=\"M0 0V7\"/></pattern></defs>\n"
	      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", out);
}

static void put_foot(const struct drawing *drawing, uint64_t top)
{
	unsigned int height;

	fprintf(drawing->out,
		"<g class=\"foot\" transform=\"translate(%d %" PRIu64 ")\">\n",
		SVG_PAD, top);
	height = svg_put_facts(drawing->options, drawing->out);
	if (!has_legend_in_head(drawing))
		put_legend(drawing, 0, height + LEGEND_GAP);
	fputs("</g>\n", drawing->out);
}

static uint64_t height_of_foot(const struct drawing *drawing)
{
	unsigned int height = svg_put_facts(drawing->options, NULL);

	if (has_legend_in_head(drawing))
		return height;
	return height + LEGEND_GAP +
	       svg_put_legend(drawing->paint, drawing->has_meetings,
			      drawing->options->width - 2.0 * SVG_PAD, NULL);
}

static void put_document(struct drawing *drawing)
{
	const struct svg_options *options = drawing->options;
	bool has_foot = options->profile || options->note || options->notes;
	unsigned int gap = has_foot ? 22 : 2;
	FILE *out = drawing->out;
	uint64_t bottom;

	bottom = drawing->rows_top +
		 (uint64_t)drawing->layout->nr_rows * drawing->row_height + gap;
	put_root(drawing, bottom + height_of_foot(drawing) + SVG_PAD, gap);
	put_frames(drawing);
	put_foot(drawing, bottom);
	put_head(drawing);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_js);
}

int svg_write(const struct tree *tree, const struct layout *layout,
	      const struct svg_options *options, FILE *out)
{
	unsigned int font_size = options->font_size ?: FONT_SIZE;
	struct drawing drawing = {
		.tree = tree, .layout = layout, .options = options, .out = out,
		.bar_top = TITLE_TOP + (*options->title ? TITLE_HEIGHT : 0) +
			   (options->subtitle ? SUBTITLE_HEIGHT : 0),
		.row_height = options->row_height ?: ROW_HEIGHT,
		.label_advance = LABEL_ADVANCE * font_size / FONT_SIZE,
		.paint = options->paint,
	};
	struct paint *made = NULL;

	half_of_tree(tree, &drawing.halves);
	if (!drawing.halves)
		return -ENOMEM;
	if (!drawing.paint && paint_create(&made, tree, layout, NULL, NULL)) {
		free(drawing.halves);
		return -ENOMEM;
	}
	if (made)
		drawing.paint = made;
	drawing.has_meetings = has_meetings(&drawing);
	drawing.rows_top = drawing.bar_top + BAR_HEIGHT + 28;
	/* the middle of the frame, plus a third of the letters' height */
	drawing.baseline = (drawing.row_height - FRAME_GAP) / 2.0 + font_size / 3.0;
	errno = 0;
	put_document(&drawing);
	paint_destroy(made);
	free(drawing.halves);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
