// SPDX-License-Identifier: GPL-2.0
/*
 * One event of the module that runs: see live_event.h.
 */
#include "wire/live_event.h"

#include <errno.h>
#include <string.h>

#include "base/wording.h"
#include "profile/events.h"

/* What each client has attached. */
struct all {
	struct events list[PROFILE_CLIENTS_MAX];
	unsigned int nr;
};

static void all_deinit(struct all *all)
{
	for (unsigned int i = 0; i < all->nr; i++)
		events_deinit(&all->list[i]);
}

/* Get the events of a client, or, with no epoch, of the only one. */
static int dump_client(struct nl *nl, uint32_t epoch, struct all *all, struct error *error)
{
	int err = nl_dump_events_of(nl, epoch, &all->list[all->nr], error);

	all->nr += !err;
	/* it has ended since it was listed */
	return err == -ENODATA && epoch ? 0 : err;
}

/* Get the events of this connection, or, if it has none, of all clients. */
static int dump_all(struct nl *nl, struct all *all, struct error *error)
{
	struct profile *status;
	int err;

	if (nl_attached(nl))
		return dump_client(nl, 0, all, error);
	err = nl_status(nl, &status, error);
	if (err)
		return err;
	/* an older module does not list its only client */
	if (!status->meta.nr_clients)
		err = dump_client(nl, 0, all, error);
	for (unsigned int i = 0; i < status->meta.nr_clients && !err; i++)
		err = dump_client(nl, status->meta.clients[i].epoch, all, error);
	profile_destroy(status);
	return err;
}

/* Collect the names of all events, each once. Return: how many. */
static unsigned int names_of(const struct all *all, const char **names)
{
	unsigned int nr = 0, before;

	for (unsigned int i = 0; i < all->nr; i++)
		for (unsigned int j = 0; j < all->list[i].nr; j++) {
			names[nr] = all->list[i].list[j].name;
			for (before = 0; before < nr && strcmp(names[before], names[nr]);)
				before++;
			nr += before == nr;
		}
	return nr;
}

/* Take an event out, of the client that has had it for longest. */
static struct profile *take_named(struct all *all, const char *name)
{
	struct profile *profile = NULL;

	for (unsigned int i = 0; i < all->nr && !profile; i++)
		profile = events_take(&all->list[i], name);
	return profile;
}

/* Take the event @name out of those that are attached, or the samples. */
static int take(struct nl *nl, struct all *all, const char *name, struct profile **profile,
		struct error *error)
{
	const char *names[PROFILE_CLIENTS_MAX * EVENTS_MAX + 1];
	unsigned int nr = names_of(all, names);
	struct error why;
	int place;

	if (!nr)
		return error_set(error, -EINVAL, "no event %.100s is attached to the module: %s",
				 name, WORDING(ATTACH_EVENT));
	names[nr] = profile_event_name(FLAMEMOD_EVENT_ON_CPU);
	place = events_find(names, nr + 1, name, &why);
	if (place < 0)
		return error_set(error, place, "the module: %.400s", why.text);
	if ((unsigned int)place == nr)
		return nl_dump(nl, false, profile, error);
	*profile = take_named(all, names[place]);
	return 0;
}

int live_event_dump(struct nl *nl, const char *name, struct profile **profile,
		    struct error *error)
{
	struct all all = { .nr = 0 };
	int err;

	if (!name || !strcmp(name, profile_event_name(FLAMEMOD_EVENT_ON_CPU)))
		return nl_dump(nl, false, profile, error);
	err = dump_all(nl, &all, error) ?: take(nl, &all, name, profile, error);
	all_deinit(&all);
	return err;
}
