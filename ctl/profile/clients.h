/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs that have events attached to the module at the same time. A status of the
 * module lists the events of one of them.
 */
#ifndef FLAMECTL_CLIENTS_H
#define FLAMECTL_CLIENTS_H

#include <stdint.h>

#include "profile/profile.h"

/* Those whose events another status does not list: a status of each. */
struct clients {
	struct profile *list[PROFILE_CLIENTS_MAX];
	unsigned int nr;
};

/** clients_pid() - return the process whose events a status lists; 0: not known, or none. */
uint32_t clients_pid(const struct profile_meta *meta);

/** clients_deinit() - free the statuses. */
void clients_deinit(struct clients *clients);

#endif /* FLAMECTL_CLIENTS_H */
