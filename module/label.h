/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names as parts of a line of folded text.
 *
 * A comm or a symbol may hold any bytes. Some of them end a part or a line, make
 * a terminal do something, or turn the direction of text around, so that a name
 * reads as another. The rule is flamectl's (ctl/tree/folded.c, ctl/base/utf8.c), so that
 * both write the same text.
 */
#ifndef _FLAMEMOD_LABEL_H
#define _FLAMEMOD_LABEL_H

struct seq_file;

void fm_label_put(struct seq_file *seq, const char *name);

#endif /* _FLAMEMOD_LABEL_H */
