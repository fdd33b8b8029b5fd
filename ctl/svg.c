// SPDX-License-Identifier: GPL-2.0
/*
 * The only file that knows XML. Frames are grouped by depth, carry their
 * exact weights for the script (svg/flame.js), and take their colour from a
 * class (svg/flame.css): one of few shades of their kind, by the hash of
 * their name, so that a function looks the same in every picture.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "embed.h"
#include "svg.h"
#include "utf8.h"

/* Vertical measures, in pixels. */
#define ROW_HEIGHT 18
#define FRAME_HEIGHT 17
#define BASELINE "12.5"		/* of a label, from the top of its frame */
#define LINE_HEIGHT 16
#define BAR_HEIGHT 24		/* legend, search */

/* An advance of the 12 px monospaced fonts that CSS asks for; 11 px: facts. */
#define LABEL_ADVANCE 7.23
#define FACT_ADVANCE 6.63
#define KEY_ADVANCE 6.4		/* of the legend's proportional font, amply */
#define TITLE_ADVANCE 10
#define LABEL_CHARS_MIN 4

#define COUNT_MAX sizeof("18,446,744,073,709,551,615")
#define FACT_MAX 512

/* Class letters and shades, as in svg/flame.css, and the legend's words. */
static const struct {
	char letter;
	unsigned int nr_shades;		/* 0: the letter alone */
	const char *key;		/* NULL: not in the legend */
} looks[] = {
	[TREE_ROOT] = { 't', 4, NULL },
	[TREE_TASK] = { 't', 4, "tasks" },
	[TREE_KERNEL] = { 'k', 16, "kernel" },
	[TREE_MODULE] = { 'm', 12, "modules" },
	[TREE_USER] = { 'u', 12, "user" },
	[TREE_IDLE] = { 'i', 8, "idle" },
	[TREE_LOST] = { 'l', 0, "lost" },
	[TREE_MARK] = { 'x', 1, NULL },
};

#define NR_KINDS (sizeof(looks) / sizeof(looks[0]))

/* A picture under way. */
struct drawing {
	const struct tree *tree;
	const struct layout *layout;
	const struct svg_options *options;
	FILE *out;
	unsigned int bar_top;
	unsigned int rows_top;
	bool present[NR_KINDS];		/* kinds in the picture */
};

/*
 * The next character to show, and step over it: U+FFFD for a byte that is no
 * UTF-8, 0 at the end. What steers is skipped, and so are non-characters,
 * which may not stand in XML.
 */
static uint32_t next_char(const char **text)
{
	uint32_t c;

	do
		c = utf8_next(text);
	while (c && (utf8_steers(c) || (c & 0xfffe) == 0xfffe));
	return c;
}

static void put_char(FILE *out, uint32_t c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		return;
	case '<':
		fputs("&lt;", out);
		return;
	case '>':
		fputs("&gt;", out);
		return;
	case '"':
		fputs("&quot;", out);
		return;
	}
	if (c < 0x80) {
		putc(c, out);
	} else if (c < 0x800) {
		putc(0xc0 | c >> 6, out);
		putc(0x80 | (c & 0x3f), out);
	} else if (c < 0x10000) {
		putc(0xe0 | c >> 12, out);
		putc(0x80 | (c >> 6 & 0x3f), out);
		putc(0x80 | (c & 0x3f), out);
	} else {
		putc(0xf0 | c >> 18, out);
		putc(0x80 | (c >> 12 & 0x3f), out);
		putc(0x80 | (c >> 6 & 0x3f), out);
		putc(0x80 | (c & 0x3f), out);
	}
}

static void put_text(FILE *out, const char *text)
{
	uint32_t c;

	while ((c = next_char(&text)))
		put_char(out, c);
}

/* Cells of a monospaced font; the script counts the same way. */
static unsigned int cells_of(uint32_t c)
{
	return c >= 0x1100 ? 2 : 1;
}

static size_t text_cells(const char *text)
{
	size_t cells = 0;
	uint32_t c;

	while ((c = next_char(&text)))
		cells += cells_of(c);
	return cells;
}

/* As much of @text as @room cells hold, "…" for the rest. */
static void put_fitted(FILE *out, const char *text, size_t room)
{
	size_t used = 0;
	uint32_t c;

	if (text_cells(text) <= room) {
		put_text(out, text);
		return;
	}
	while ((c = next_char(&text)) && (used += cells_of(c)) < room)
		put_char(out, c);
	put_char(out, 0x2026);
}

/* In hundredths at most: "12.3"; printf()'s point is the locale's. */
static void put_px(FILE *out, double px)
{
	long long hundredths = llround(px * 100);

	fprintf(out, "%lld", hundredths / 100);
	if (hundredths % 10)
		fprintf(out, ".%02lld", hundredths % 100);
	else if (hundredths % 100)
		fprintf(out, ".%lld", hundredths / 10 % 10);
}

static void put_percent(FILE *out, uint64_t part, uint64_t whole)
{
	unsigned __int128 scaled = (unsigned __int128)part * 10000 + whole / 2;
	unsigned int hundredths = scaled / whole;

	fprintf(out, "%u.%02u %%", hundredths / 100, hundredths % 100);
}

/* "1,234,567" */
static const char *format_count(char text[COUNT_MAX], uint64_t count)
{
	char digits[24];
	int nr = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *to = text;

	for (int i = 0; i < nr; i++) {
		if (i && (nr - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* ---- frames ---- */

/* FNV-1a, of 32 bits */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 0x811c9dc5;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x01000193;
	return hash ^ hash >> 16;
}

static void put_class(FILE *out, enum tree_kind kind, const char *name)
{
	putc(looks[kind].letter, out);
	if (looks[kind].nr_shades)
		fprintf(out, "%u", hash_name(name) % looks[kind].nr_shades);
}

/* Return: what a view has to tell of a frame itself, or NULL. */
static const char *tell(const struct drawing *drawing,
			const struct layout_rect *rect, char text[FACT_MAX])
{
	const struct svg_paint *paint = drawing->options->paint;

	if (!paint || rect->collapsed)
		return NULL;
	paint->tell(paint->data, rect->node, text, FACT_MAX);
	return text;
}

static void put_tooltip(const struct drawing *drawing, const char *name,
			uint64_t weight, const char *told)
{
	const char *unit = drawing->options->unit;
	size_t length = strlen(unit);
	char count[COUNT_MAX];

	if (weight == 1 && length && unit[length - 1] == 's')
		length--;
	fputs("<title>", drawing->out);
	put_text(drawing->out, name);
	fputc('\n', drawing->out);
	if (told) {
		put_text(drawing->out, told);
	} else {
		fprintf(drawing->out, "%s %.*s, ", format_count(count, weight),
			(int)length, unit);
		put_percent(drawing->out, weight, drawing->layout->total);
	}
	fputs("</title>", drawing->out);
}

static void put_frame(const struct drawing *drawing,
		      const struct layout_rect *rect)
{
	const struct tree_node *node = &drawing->tree->nodes[rect->node];
	double width = rect->width > 2 ? rect->width - 0.5 : rect->width;
	enum tree_kind kind = node->kind;
	const struct svg_paint *paint = drawing->options->paint;
	const char *name = node->name;
	FILE *out = drawing->out;
	char collapsed[32], text[FACT_MAX];
	const char *told = tell(drawing, rect, text);
	double room;

	if (rect->collapsed) {
		snprintf(collapsed, sizeof(collapsed), "[%u narrow frame%s]",
			 rect->collapsed, rect->collapsed > 1 ? "s" : "");
		name = collapsed;
		kind = TREE_ROOT;
	}

	fputs("<g class=\"", out);
	if (paint && !rect->collapsed)
		fputs(paint->class(paint->data, rect->node), out);
	else
		put_class(out, kind, name);
	fprintf(out, "\" data-s=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\"%s>",
		rect->start, rect->weight, told ? " data-told=\"1\"" : "");
	put_tooltip(drawing, name, rect->weight, told);
	fputs("<rect x=\"", out);
	put_px(out, rect->x);
	fputs("\" width=\"", out);
	put_px(out, width);
	fprintf(out, "\" height=\"%d\" rx=\"2\"/>", FRAME_HEIGHT);

	room = (rect->width - 6) / LABEL_ADVANCE;
	if (room >= LABEL_CHARS_MIN) {
		fputs("<text x=\"", out);
		put_px(out, rect->x + 3);
		fputs("\" y=\"" BASELINE "\">", out);
		put_fitted(out, name, room);
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
				(uint64_t)rect->row * ROW_HEIGHT);
		depth = rect->depth;
		put_frame(drawing, rect);
	}
	fputs("</g>\n</g>\n", drawing->out);
}

/* ---- the books, below the frames ---- */

/* Facts flow into lines; the script does the same for other widths. */
struct flow {
	FILE *out;		/* NULL: only find the height */
	double width;
	double x;
	unsigned int y;
};

static void flow_fact(struct flow *flow, const char *fact)
{
	double width = text_cells(fact) * FACT_ADVANCE;

	if (flow->x > 0 && flow->x + width > flow->width) {
		flow->x = 0;
		flow->y += LINE_HEIGHT;
	}
	if (flow->out) {
		fputs("<text class=\"fact\" x=\"", flow->out);
		put_px(flow->out, flow->x);
		fprintf(flow->out, "\" y=\"%u\">", flow->y);
		put_text(flow->out, fact);
		fputs("</text>\n", flow->out);
	}
	flow->x += width + 18;
}

static void flow_count(struct flow *flow, const char *what, uint64_t count)
{
	char fact[FACT_MAX], text[COUNT_MAX];

	snprintf(fact, sizeof(fact), "%s %s", what, format_count(text, count));
	flow_fact(flow, fact);
}

/* "lost 12 (table-full 10, overload 2)" */
static void flow_lost(struct flow *flow, const struct profile_books *books)
{
	char fact[FACT_MAX], count[COUNT_MAX];
	const char *before = " (";
	int length;

	length = snprintf(fact, sizeof(fact), "lost %s",
			  format_count(count, profile_lost(books)));
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		if (!books->lost[i])
			continue;
		length += snprintf(fact + length, sizeof(fact) - length, "%s%s %s",
				   before, profile_lost_name(i),
				   format_count(count, books->lost[i]));
		before = ", ";
	}
	if (*before == ',')
		snprintf(fact + length, sizeof(fact) - length, ")");
	flow_fact(flow, fact);
}

static void flow_session(struct flow *flow, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	char fact[FACT_MAX];

	if (meta->settings.hz) {
		snprintf(fact, sizeof(fact), "%u Hz", meta->settings.hz);
		flow_fact(flow, fact);
	}
	if (profile->nr_cpus) {
		snprintf(fact, sizeof(fact), "%u CPU%s", profile->nr_cpus,
			 profile->nr_cpus > 1 ? "s" : "");
		flow_fact(flow, fact);
	}
	if (meta->duration_ns) {
		snprintf(fact, sizeof(fact), "%" PRIu64 ".%" PRIu64 " s",
			 meta->duration_ns / 1000000000,
			 meta->duration_ns / 100000000 % 10);
		flow_fact(flow, fact);
	}
	if (meta->release[0]) {
		snprintf(fact, sizeof(fact), "Linux %s", meta->release);
		flow_fact(flow, fact);
	}
}

static void flow_books(struct flow *flow, const struct svg_options *options)
{
	const struct profile_books *books;

	if (options->profile) {
		books = &options->profile->books;
		flow_session(flow, options->profile);
		flow_fact(flow, "timer periods:");
		flow_count(flow, "expected", books->expected);
		flow_count(flow, "fires", books->fires);
		flow_count(flow, "missed", books->missed);
		flow_count(flow, "stored", books->stored);
		flow_count(flow, "filtered", books->filtered);
		flow_lost(flow, books);
		if (books->truncated)
			flow_count(flow, "truncated stacks", books->truncated);
	}
	if (options->note)
		flow_fact(flow, options->note);
}

/* ---- the head ---- */

static double put_key(FILE *out, double x, const char *class, const char *word)
{
	fprintf(out, "<rect class=\"%s\" x=\"", class);
	put_px(out, x);
	fputs("\" y=\"6\" width=\"12\" height=\"12\" rx=\"2\"/><text class=\"key\" x=\"",
	      out);
	put_px(out, x + 17);
	fprintf(out, "\" y=\"16\">%s</text>\n", word);
	return x + 17 + strlen(word) * KEY_ADVANCE + 12;
}

static void put_legend(const struct drawing *drawing)
{
	const struct svg_paint *paint = drawing->options->paint;
	FILE *out = drawing->out;
	double x = 0;

	fprintf(out, "<g class=\"legend\" transform=\"translate(%d %u)\">\n",
		SVG_PAD, drawing->bar_top);
	for (size_t i = 0; paint && paint->keys[i].class; i++)
		x = put_key(out, x, paint->keys[i].class, paint->keys[i].word);
	for (size_t i = 0; !paint && i < NR_KINDS; i++) {
		char class[3] = { looks[i].letter, looks[i].nr_shades ? '3' : '\0' };

		if (drawing->present[i] && looks[i].key)
			x = put_key(out, x, class, looks[i].key);
	}
	fputs("</g>\n", out);
}

/* The script fits the full text to other widths. */
static void put_line(FILE *out, const char *class, unsigned int y,
		     const char *text, size_t room)
{
	fprintf(out, "<text class=\"%s\" x=\"%d\" y=\"%u\" data-full=\"", class,
		SVG_PAD, y);
	put_text(out, text);
	fputs("\">", out);
	put_fitted(out, text, room);
	fputs("</text>\n", out);
}

static void put_head(const struct drawing *drawing)
{
	const struct svg_options *options = drawing->options;
	unsigned int width = options->width - 2 * SVG_PAD;
	FILE *out = drawing->out;

	fprintf(out, "<g class=\"head\">\n<rect class=\"page\" width=\"100%%\" height=\"%u\"/>\n",
		drawing->rows_top - 4);
	put_line(out, "title", 27, options->title, width / TITLE_ADVANCE);
	if (options->subtitle)
		put_line(out, "sub", 46, options->subtitle,
			 width / LABEL_ADVANCE);
	put_legend(drawing);
	fprintf(out, "<g transform=\"translate(%d %u)\"><text class=\"info hint\">"
		"Zoom and search: open this file in a web browser.</text></g>\n</g>\n",
		SVG_PAD, drawing->bar_top + BAR_HEIGHT + 17);
}

/* ---- the document ---- */

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
	fprintf(out, " data-pad=\"%d\" data-row=\"%d\" data-base=\"" BASELINE "\" data-bar=\"%u\" data-top=\"%u\" data-gap=\"%u\" data-total=\"%" PRIu64 "\" data-unit=\"%s\"",
		SVG_PAD, ROW_HEIGHT, drawing->bar_top, drawing->rows_top, gap,
		drawing->layout->total, options->unit);
	if (options->fixed)
		fprintf(out, " data-fixed=\"%u\"", options->width);
	if (options->inverted)
		fputs(" data-inverted=\"1\"", out);
	fputs(">\n<title>", out);
	put_text(out, options->title);
	fputs("</title>\n", out);
	fprintf(out, "<style><![CDATA[\n%s]]></style>\n", svg_flame_css);
	fputs("<defs><pattern id=\"flame-lost\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
	      "<rect class=\"hatch1\" width=\"7\" height=\"7\"/><path class=\"hatch2\" d=\"M0 0V7\"/></pattern></defs>\n"
	      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", out);
}

int svg_write(const struct tree *tree, const struct layout *layout,
	      const struct svg_options *options, FILE *out)
{
	struct drawing drawing = {
		.tree = tree, .layout = layout, .options = options, .out = out,
		.bar_top = options->subtitle ? 58 : 40,
	};
	struct flow flow = { .width = options->width - 2.0 * SVG_PAD };
	unsigned int gap = options->profile || options->note ? 22 : 2;
	uint64_t bottom;

	drawing.rows_top = drawing.bar_top + BAR_HEIGHT + 28;
	bottom = drawing.rows_top + (uint64_t)layout->nr_rows * ROW_HEIGHT + gap;
	for (uint32_t i = 0; i < layout->nr_rects; i++)
		drawing.present[tree->nodes[layout->rects[i].node].kind] = true;

	errno = 0;
	flow_books(&flow, options);
	put_root(&drawing, bottom + flow.y + SVG_PAD, gap);
	put_frames(&drawing);

	flow = (struct flow) { .out = out, .width = flow.width };
	fprintf(out, "<g class=\"foot\" transform=\"translate(%d %" PRIu64 ")\">\n",
		SVG_PAD, bottom);
	flow_books(&flow, options);
	fputs("</g>\n", out);

	put_head(&drawing);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", svg_flame_js);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
