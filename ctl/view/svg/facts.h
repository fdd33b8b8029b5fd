/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The facts below a graph: what was sampled where, what became of each period, and notes.
 */
#ifndef FLAMECTL_SVG_FACTS_H
#define FLAMECTL_SVG_FACTS_H

#include <stdio.h>

#include "view/svg/svg.h"

/**
 * svg_put_facts() - write the facts of @options, in as many lines as the width needs.
 * @out: NULL to only compute the height.
 *
 * Return: where the last line starts, in pixels below the first.
 */
unsigned int svg_put_facts(const struct svg_options *options, FILE *out);

#endif /* FLAMECTL_SVG_FACTS_H */
