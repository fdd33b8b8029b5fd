// SPDX-License-Identifier: GPL-2.0
/*
 * Reasons of refusals that have a name or a number in them: see reason.h.
 *
 * Netlink reads the reason after the request's function returned, and before v6.2 it has
 * no place for it. So the last ones are kept here. Netlink first measures a reason and
 * then copies it, so a text must not change in between: it stays as it is for
 * FM_REASON_NS, which is far longer than an answer takes. The same text of several
 * requests is kept once.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "reason.h"

#define FM_REASONS		64
#define FM_REASON_BYTES		256
#define FM_REASON_NS		(2 * NSEC_PER_SEC)

struct fm_reason {
	u64 said_ns;		/* when a request was last refused for it; 0: never */
	char text[FM_REASON_BYTES];
};

static const char fm_reason_dropped[] =
	"refused; the reason was dropped, because many requests were refused: ask again in 2 s";

static DEFINE_SPINLOCK(fm_reason_lock);
static struct fm_reason fm_reasons[FM_REASONS];

/* Find the place of a text, or the one that was not used for longest. */
static struct fm_reason *fm_reason_find(const char *text, u64 now_ns)
{
	struct fm_reason *oldest = fm_reasons, *reason;

	for (reason = fm_reasons; reason < fm_reasons + FM_REASONS; reason++) {
		if (reason->said_ns && !strcmp(reason->text, text))
			return reason;
		if (!reason->said_ns ||
		    (oldest->said_ns && now_ns - reason->said_ns > now_ns - oldest->said_ns))
			oldest = reason;
	}
	return oldest;
}

/* Keep a text. Return: where it stays, or NULL if there is no room for it now. */
static const char *fm_reason_keep(const char *text)
{
	u64 now_ns = ktime_get_ns();
	struct fm_reason *reason;

	spin_lock(&fm_reason_lock);
	reason = fm_reason_find(text, now_ns);
	if (!reason->said_ns || now_ns - reason->said_ns >= FM_REASON_NS)
		strscpy(reason->text, text, sizeof(reason->text));
	else if (strcmp(reason->text, text))
		reason = NULL;
	if (reason)
		reason->said_ns = now_ns;
	spin_unlock(&fm_reason_lock);
	return reason ? reason->text : NULL;
}

/**
 * fm_reason() - say why a request is refused.
 * @extack: where to say it, or NULL
 * @format: as for printf(); what is longer than FM_REASON_BYTES is cut
 *
 * Context: Process context.
 */
void fm_reason(struct netlink_ext_ack *extack, const char *format, ...)
{
	char text[FM_REASON_BYTES];
	va_list args;

	if (!extack)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	extack->_msg = fm_reason_keep(text) ?: fm_reason_dropped;
}
