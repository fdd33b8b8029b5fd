/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fleet as the source of a view: "fleet:release=6.12,hour=14" is the sum of the windows
 * in the store that match. $FLAMECTL_FLEET is the store's URL.
 */
#ifndef FLAMECTL_FLEET_SOURCE_H
#define FLAMECTL_FLEET_SOURCE_H

#include <stdbool.h>

#include "base/error.h"
#include "cmd/server.h"
#include "fleet/choice.h"
#include "fleet/clickhouse/read.h"
#include "profile/profile.h"

/** fleet_source_is() - report whether @path is "fleet:..."; ./fleet:x is a file. */
bool fleet_source_is(const char *path);

/**
 * fleet_source_choice() - parse what follows "fleet:"; the prefix may be left out.
 *
 * Return: 0, or -EINVAL with @error.
 */
int fleet_source_choice(struct choice *choice, const char *path, struct error *error);

/**
 * fleet_source_open() - open the store that $FLAMECTL_FLEET names.
 * @request: the options given, or NULL for those of the URL alone.
 *
 * Return: 0, or -errno with @error. Call server_close() in both cases.
 */
int fleet_source_open(struct server *server, const struct server_request *request,
		      struct error *error);

/**
 * fleet_source_load() - read the sum of the windows that match.
 * @event: as choice_set_event() takes it, or NULL for that of the choice.
 * @keys: what tasks keep.
 *
 * Return: an exit code; with EXIT_DONE the caller owns @profile, else @error says
 * "PATH: reason".
 */
int fleet_source_load(const char *path, const char *event, struct fleet_keys keys,
		      struct profile **profile, struct error *error);

#endif /* FLAMECTL_FLEET_SOURCE_H */
