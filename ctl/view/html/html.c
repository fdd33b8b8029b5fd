// SPDX-License-Identifier: GPL-2.0
/*
 * Write the page: its parts from html/, and the data as JSON between them.
 */
#include <errno.h>

#include "embed.h"
#include "view/html/data.h"
#include "view/html/html.h"

static const struct {
	const char *text, *sha256;
} scripts[] = {
	{ svg_figures_js, svg_figures_js_sha256 },
	{ html_model_js, html_model_js_sha256 },
	{ html_graph_js, html_graph_js_sha256 },
	{ html_table_js, html_table_js_sha256 },
	{ html_page_js, html_page_js_sha256 },
};

#define NR_SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

static void put_head(FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src",
	      out);
	for (size_t i = 0; i < NR_SCRIPTS; i++)
		fprintf(out, " 'sha256-%s'", scripts[i].sha256);
	fprintf(out, "; style-src 'sha256-%s'\">\n", html_page_css_sha256);
	fprintf(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n"
		"<title>flamectl</title>\n<style>%s</style>\n</head>\n",
		html_page_css);
}

int html_write(const struct html_options *options, FILE *out)
{
	int err;

	errno = 0;
	put_head(out);
	fprintf(out, "<body>\n%s<script type=\"application/json\" id=\"data\">",
		html_page_html);
	err = html_data_write(options, out);
	if (err)
		return err;
	fputs("</script>\n", out);
	for (size_t i = 0; i < NR_SCRIPTS; i++)
		fprintf(out, "<script>%s</script>\n", scripts[i].text);
	fputs("</body>\n</html>\n", out);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
