/* SPDX-License-Identifier: GPL-2.0 */
/* What keep.c writes and whole.c reads. */
#ifndef _KEPT_H
#define _KEPT_H

#include <stdint.h>

#include "witness/record.h"

enum kept_kind {
	KEPT_VDSO,	/* the image of the vdso */
	KEPT_MAPS,	/* the text of /proc/PID/maps, which gets a number from 1 on */
	KEPT_RECORD,	/* a witness_record, and the number of its maps; 0: it was gone */
};

/* The head of a part; its bytes follow. */
struct kept {
	uint32_t kind;
	uint32_t number;
	uint32_t nr;
};

#endif /* _KEPT_H */
