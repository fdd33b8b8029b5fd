/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The first process, whose memory tests use.
 */
#ifndef _FM_FIRST_PROCESS_H
#define _FM_FIRST_PROCESS_H

struct mm_struct *fm_first_mm(void);

#endif /* _FM_FIRST_PROCESS_H */
