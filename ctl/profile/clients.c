// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that have events attached: see clients.h.
 */
#include "profile/clients.h"

uint32_t clients_pid(const struct profile_meta *meta)
{
	for (unsigned int i = 0; i < meta->nr_clients; i++)
		if (meta->clients[i].epoch == meta->events_epoch)
			return meta->clients[i].pid;
	return 0;
}

void clients_deinit(struct clients *clients)
{
	for (unsigned int i = 0; i < clients->nr; i++)
		profile_destroy(clients->list[i]);
	clients->nr = 0;
}
