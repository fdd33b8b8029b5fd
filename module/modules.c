// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that come and go while they are sampled: see modules.h.
 *
 * A module's addresses must get their names before its text is gone, and be
 * forgotten before another module's text can lie there. Its exit function has
 * run when MODULE_STATE_GOING is told; its init function's memory is freed
 * after MODULE_STATE_LIVE is.
 */
#include <linux/module.h>
#include <linux/notifier.h>

#include "drain.h"
#include "modules.h"
#include "session.h"

static struct fm_session *fm_modules_session;

static int fm_modules_notify(struct notifier_block *nb, unsigned long state,
			     void *data)
{
	struct fm_session *session = fm_modules_session;
	const struct module *mod = data;
	struct fm_cpu *c = NULL;

	if (state == MODULE_STATE_UNFORMED)
		return NOTIFY_OK;
	fm_session_lock(session);
	/* Paths that know steps of this text go with the tables they are in. */
	while ((c = fm_session_next_cpu(session, c)))
		c->renew = true;
	fm_drain(session, true);
	if (fm_symbols_forget(&session->symbols, mod,
			      state == MODULE_STATE_LIVE ? within_module_init :
							   within_module))
		fm_session_forget_modules(session);
	fm_session_unlock(session);
	return NOTIFY_OK;
}

static struct notifier_block fm_modules_nb = {
	.notifier_call = fm_modules_notify,
};

/**
 * fm_modules_init() - watch modules.
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
 * fm_modules_deinit() - watch them no more.
 *
 * Context: Process context, may sleep.
 */
void fm_modules_deinit(void)
{
	unregister_module_notifier(&fm_modules_nb);
}
