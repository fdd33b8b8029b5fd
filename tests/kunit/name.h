/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The name of a frame, as it is sent.
 */
#ifndef _FM_NAME_H
#define _FM_NAME_H

#include "../../module/symbols.h"

/* Return: a frame's name, until the next call. */
static inline const char *fm_frame_text(const struct fm_frame *frame)
{
	static char text[FM_FILE_PATH_MAX + FM_FILE_ID_MAX + sizeof("+0x0123456789abcdef ")];

	if (frame->name_bytes > sizeof(text))
		return "too long";
	fm_frame_put(frame, text);
	return text;
}

#endif /* _FM_NAME_H */
