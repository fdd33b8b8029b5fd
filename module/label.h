/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes names as parts of a line of folded text.
 *
 * A comm or a symbol may contain any bytes. Some of them would end a part or a line,
 * control a terminal, or reverse the direction of text so that a name reads as
 * another; they are replaced. The rule is the same as flamectl's
 * (ctl/tree/folded.c, ctl/base/utf8.c), so that both write the same text.
 */
#ifndef _FLAMEMOD_LABEL_H
#define _FLAMEMOD_LABEL_H

struct seq_file;

void fm_label_put(struct seq_file *seq, const char *name);

#endif /* _FLAMEMOD_LABEL_H */
