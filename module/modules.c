// SPDX-License-Identifier: GPL-2.0
/*
 * Handles modules that come and go while they are sampled: see modules.h.
 *
 * A module's addresses must get their names before its text is gone, and be
 * forgotten before another module's text can be there. MODULE_STATE_GOING is
 * reported after the module's exit function has run; the memory of its init
 * function is freed after MODULE_STATE_LIVE is reported.
 */
#include <linux/module.h>
#include <linux/notifier.h>

#include "drain.h"
#include "events.h"
#include "modules.h"
#include "session.h"

static struct fm_session *fm_modules_session;

static int fm_modules_notify(struct notifier_block *nb, unsigned long state,
			     void *data)
{
	struct fm_session *session = fm_modules_session;
	const struct module *mod = data;
	struct fm_events *events = NULL;
	struct fm_cpu *c = NULL;

	if (state == MODULE_STATE_UNFORMED)
		return NOTIFY_OK;
	fm_session_lock(session);
	/* Change tables, since their paths hold steps of this text. */
	while ((c = fm_session_next_cpu(session, c)))
		c->renew = true;
	while ((events = fm_events_next(session, events)))
		fm_events_renew(events);
	fm_drain(session, true);
	if (fm_symbols_forget(&session->symbols, mod,
			      state == MODULE_STATE_LIVE ? within_module_init :
							   within_module)) {
		fm_session_forget_modules(session);
		while ((events = fm_events_next(session, events)))
			fm_events_forget_modules(events);
	}
	fm_session_unlock(session);
	return NOTIFY_OK;
}

static struct notifier_block fm_modules_nb = {
	.notifier_call = fm_modules_notify,
};

/**
 * fm_modules_init() - start to handle modules that come and go.
 * @session: the only session
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno.
 */
int fm_modules_init(struct fm_session *session)
{
	fm_modules_session = session;
	return register_module_notifier(&fm_modules_nb);
}

/**
 * fm_modules_deinit() - stop handling modules that come and go.
 *
 * Context: Process context, may sleep.
 */
void fm_modules_deinit(void)
{
	unregister_module_notifier(&fm_modules_nb);
}
