/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All programs that have events attached to the module.
 */
#ifndef FLAMECTL_LIVE_CLIENTS_H
#define FLAMECTL_LIVE_CLIENTS_H

#include "base/error.h"
#include "profile/clients.h"
#include "wire/nl.h"

/**
 * live_clients() - get a status of each client whose events a status does not list.
 * @status: a status of the module.
 * @others: set to them, to be freed by clients_deinit(), also on an error. A client that
 *	    has ended meanwhile is left out.
 *
 * Return: 0, or as nl_status().
 */
int live_clients(struct nl *nl, const struct profile *status, struct clients *others,
		 struct error *error);

#endif /* FLAMECTL_LIVE_CLIENTS_H */
