/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a page's script is given: a profile in columns, as JSON.
 */
#ifndef FLAMECTL_HTML_DATA_H
#define FLAMECTL_HTML_DATA_H

#include <jansson.h>

#include "view/html/html.h"

/*
 * The object that html/model.js reads:
 *   title, unit, session   texts; the last an array of them
 *   total                  of all weights
 *   names                  of frames, each once
 *   frames.name, .kind     a number of names, and a letter: svg/flame.css
 *   nodes.parent, .frame   numbers; a parent's is lower, 0 is the root
 *   records.node, .comm, .host, .cpu, .context, .pid, .tid, .weight
 *                          numbers; comm one of comms, host one of hosts; none
 *                          of pid and tid where they are not grouped by
 *   by                     the levels that it is grouped by at first
 *   hasContexts            whether the last but one tells anything
 *   comms, hosts           texts
 *   lost                   of { cpu (-1: unknown), reason, weight }
 *   books, cpus            figures as texts, exact; null and none for folded text
 *   shades.light, .dark    colours by a kind's letter
 */

/** html_data_create() - make it. Return: to be given back, or NULL. */
json_t *html_data_create(const struct html_options *options);

#endif /* FLAMECTL_HTML_DATA_H */
