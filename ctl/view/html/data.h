/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data for a page's script: a profile in columns, as JSON.
 */
#ifndef FLAMECTL_HTML_DATA_H
#define FLAMECTL_HTML_DATA_H

#include <stdio.h>

#include "view/html/html.h"

/*
 * The object that html/model.js reads:
 *   title, unit, session   texts; session is an array of them
 *   total                  sum of all weights
 *   names                  names of frames, each once
 *   frames.name, .kind     an index into names, and a letter: see svg/flame.css
 *   nodes.parent, .frame   indices; a parent's is lower, and 0 is the root
 *   records.node, .comm, .host, .cgroup, .cpu, .context, .pid, .tid, .weight
 *                          numbers; comm, host and cgroup index comms, hosts and
 *                          cgroups; pid and tid are empty unless records are
 *                          grouped by them
 *   by                     the levels that it is grouped by at first
 *   hasContexts            whether records.context is meaningful
 *   comms, hosts, cgroups  texts
 *   lost                   array of { cpu (-1: unknown), reason, weight }
 *   books, cpus            exact figures as texts; for folded text null and
 *                          empty
 *   shades.light, .dark    colours by a kind's letter
 */

/**
 * html_data_write() - write the object, without "<", so that no name can end
 * the script element that it is in. Return: 0 or -ENOMEM; the caller checks the
 * stream.
 */
int html_data_write(const struct html_options *options, FILE *out);

#endif /* FLAMECTL_HTML_DATA_H */
