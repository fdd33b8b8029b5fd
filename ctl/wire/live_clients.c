// SPDX-License-Identifier: GPL-2.0
/*
 * All programs that have events attached: see live_clients.h.
 */
#include "wire/live_clients.h"

#include <errno.h>

int live_clients(struct nl *nl, const struct profile *status, struct clients *others,
		 struct error *error)
{
	const struct profile_meta *meta = &status->meta;
	int err;

	others->nr = 0;
	for (unsigned int i = 0; i < meta->nr_clients; i++) {
		if (meta->clients[i].epoch == meta->events_epoch)
			continue;
		err = nl_status_of(nl, meta->clients[i].epoch, &others->list[others->nr], error);
		if (!err)
			others->nr++;
		else if (err != -ENODATA)
			return err;
	}
	return 0;
}
