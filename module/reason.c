// SPDX-License-Identifier: GPL-2.0
/*
 * Reasons of refusals that have a name or a number in them: see reason.h.
 *
 * Netlink reads the reason after the request's function returned, and before v6.2 it has
 * no place for it. So the last ones are kept here. A text would have to be replaced by
 * that of a later request, FM_REASONS further on, before its own answer is written.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>

#include "reason.h"

#define FM_REASONS		64
#define FM_REASON_BYTES		256

static char fm_reasons[FM_REASONS][FM_REASON_BYTES];
static atomic_t fm_reasons_nr;

/**
 * fm_reason() - say why a request is refused.
 * @extack: where to say it, or NULL
 * @format: as for printf(); what is longer than FM_REASON_BYTES is cut
 *
 * Context: Any.
 */
void fm_reason(struct netlink_ext_ack *extack, const char *format, ...)
{
	char *text = fm_reasons[(u32)atomic_inc_return(&fm_reasons_nr) % FM_REASONS];
	va_list args;

	if (!extack)
		return;
	va_start(args, format);
	vsnprintf(text, FM_REASON_BYTES, format, args);
	va_end(args);
	extack->_msg = text;
}
