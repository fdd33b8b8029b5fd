// SPDX-License-Identifier: GPL-2.0
/*
 * The table of endings of output files' names: see ending.h.
 */
#include "cmd/ending.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"

#define ONE(written)	(1U << ENDING_ ## written)

/* What each is called, with a name that is fine. */
static const char *const written_names[] = {
	[ENDING_GRAPH] = "an SVG file, such as x.svg",
	[ENDING_PAGE] = "an HTML page, such as x.html",
	[ENDING_PROFILE] = "a profile, such as x.pb.gz",
	[ENDING_FOLDED] = "folded text, such as x.folded",
	[ENDING_TEXT] = "text, such as x.txt",
	[ENDING_SPEEDSCOPE] = "JSON for speedscope, such as x.speedscope.json",
	[ENDING_FIREFOX] = "JSON for Firefox, such as x.json",
	[ENDING_CALLGRIND] = "callgrind's text, such as callgrind.out.x",
	[ENDING_JSONL] = "a JSON object a line, such as x.jsonl",
	[ENDING_METRICS] = "metrics, such as x.prom",
};

/* The first row that matches counts. */
static const struct ending {
	const char *pattern;	/* for fnmatch(), of a name without directories */
	unsigned int fits;	/* 1 << enum ending_written, for each */
	const char *instead;	/* the command line up to the name, or NULL */
	const char *does;	/* what that does, or what to do where it is NULL */
} endings[] = {
	{ "*.svg", ONE(GRAPH), "svg -o", "draws a graph" },
	{ "*.html", ONE(PAGE), "html -o", "makes a page" },
	{ "*.htm", ONE(PAGE), "html -o", "makes a page" },
	{ "*.pb.gz", ONE(PROFILE), "import -o", "saves a profile" },
	{ "*.pb", ONE(PROFILE), "import -o", "saves a profile" },
	{ "*.pprof", ONE(PROFILE), "import -o", "saves a profile" },
	{ "*.folded", ONE(FOLDED), "dump -o", "writes folded text" },
	{ "*.collapsed", ONE(FOLDED), "dump -o", "writes folded text" },
	{ "*.speedscope.json", ONE(SPEEDSCOPE), "export --to speedscope -o", "writes it" },
	{ "*.json", ONE(SPEEDSCOPE) | ONE(FIREFOX) | ONE(JSONL),
	  "export --to speedscope -o", "writes JSON, and --to firefox another kind" },
	{ "*.jsonl", ONE(JSONL), "export --to jsonl -o", "writes it" },
	{ "callgrind.out*", ONE(CALLGRIND), "export --to callgrind -o", "writes it" },
	{ "*.prom", ONE(METRICS), "metrics -o", "writes metrics" },
	{ "perf.data*", 0, NULL, "no command here writes perf.data, which is perf's own" },
	{ "*.data", 0, NULL, "no command here writes perf.data, which is perf's own" },
};

/* Pictures that are made of an SVG file. */
static const struct picture {
	const char *pattern;
	const char *options;	/* of rsvg-convert */
	bool by_png;		/* it cannot write them: ImageMagick makes them of PNG */
} pictures[] = {
	{ "*.png", "", false }, { "*.pdf", "-f pdf ", false },
	{ "*.ps", "-f ps ", false }, { "*.eps", "-f eps ", false },
	{ "*.jpg", "", true }, { "*.jpeg", "", true }, { "*.gif", "", true },
	{ "*.webp", "", true },
};

static bool matches(const char *pattern, const char *path)
{
	const char *slash = strrchr(path, '/');

	return !fnmatch(pattern, slash ? slash + 1 : path, FNM_CASEFOLD);
}

/* Say how the picture is made. Return: EXIT_USAGE. */
static int refuse_picture(const char *path, enum ending_written written,
			  const struct picture *picture)
{
	int length = (int)(strrchr(path, '.') - path);
	char svg[256], make[512];

	snprintf(svg, sizeof(svg), "%.*s.svg", length < 200 ? length : 200, path);
	if (picture->by_png)
		snprintf(make, sizeof(make), "rsvg-convert %s | convert - %.200s",
			 svg, path);
	else
		snprintf(make, sizeof(make), "rsvg-convert %s-o %.200s %s (package librsvg2-bin)",
			 picture->options, path, svg);
	if (written == ENDING_GRAPH)
		return command_fail(EXIT_USAGE, "-o %s: a graph is an SVG file; name it %s, then: %s",
				    path, svg, make);
	return command_fail(EXIT_USAGE, "-o %s: this command writes %s; for a picture, flamectl svg -o %s FILE, then: %s",
			    path, written_names[written], svg, make);
}

static int refuse(const char *path, enum ending_written written,
		  const struct ending *ending)
{
	if (!ending->instead)
		return command_fail(EXIT_USAGE, "-o %s: this command writes %s; %s",
				    path, written_names[written], ending->does);
	return command_fail(EXIT_USAGE, "-o %s: this command writes %s; flamectl %s %s FILE %s",
			    path, written_names[written], ending->instead, path,
			    ending->does);
}

int ending_check(const char *path, enum ending_written written)
{
	if (!path || !strcmp(path, "-"))
		return EXIT_DONE;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (!matches(endings[i].pattern, path))
			continue;
		return endings[i].fits & 1U << written ? EXIT_DONE :
		       refuse(path, written, &endings[i]);
	}
	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		if (matches(pictures[i].pattern, path))
			return refuse_picture(path, written, &pictures[i]);
	return EXIT_DONE;
}
