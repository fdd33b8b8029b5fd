/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of ctl/wire/nl.c that a test does not use if its own dumps replace that file.
 * To be included by one source of the test.
 */
#ifndef NL_ABSENT_H
#define NL_ABSENT_H

#include <errno.h>

#include "wire/nl.h"

int nl_open(struct nl **nl, struct error *error)
{
	(void)nl;
	return error_set(error, -ENODEV, "not here");
}

void nl_close(struct nl *nl)
{
	(void)nl;
}

bool nl_attached(const struct nl *nl)
{
	(void)nl;
	return false;
}

int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error)
{
	(void)nl;
	(void)epoch;
	(void)profile;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error)
{
	(void)nl;
	(void)first;
	(void)profile;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error)
{
	(void)nl;
	(void)epoch;
	(void)events;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump_ended(struct nl *nl, struct events *events, struct error *error)
{
	(void)nl;
	(void)events;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump_events(struct nl *nl, struct events *events, struct error *error)
{
	(void)nl;
	(void)events;
	return error_set(error, -ENODEV, "not here");
}

#endif /* NL_ABSENT_H */
