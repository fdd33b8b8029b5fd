// SPDX-License-Identifier: GPL-2.0
/*
 * Write the page: its parts from html/, the data as JSON, and the script, which
 * ctl.mk joins to one function.
 */
#include <errno.h>

#include "embed.h"
#include "view/html/data.h"
#include "view/html/html.h"

static void put_head(FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src",
	      out);
	fprintf(out, " 'sha256-%s'; style-src 'sha256-%s'\">\n", page_js_sha256,
		page_css_sha256);
	fprintf(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n"
		"<title>flamectl</title>\n<style>%s</style>\n</head>\n",
		page_css);
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
	fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n",
		page_js);
	if (ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
