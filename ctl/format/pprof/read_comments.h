/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the comments of our saved profiles say.
 */
#ifndef FLAMECTL_PPROF_READ_COMMENTS_H
#define FLAMECTL_PPROF_READ_COMMENTS_H

struct pprof_reader;

/**
 * pprof_read_comments() - read settings, session and books from our comments.
 */
int pprof_read_comments(struct pprof_reader *r);

#endif /* FLAMECTL_PPROF_READ_COMMENTS_H */
