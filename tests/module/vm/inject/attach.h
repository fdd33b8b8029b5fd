/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaches one kind of event, or all kinds: tasks, wakers, func, latency, perf; user is func
 * with user stacks.
 */
#ifndef ATTACH_H
#define ATTACH_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

#include "flamemod.h"
#include "nlask.h"

/* Called by each stat(). */
#define ATTACH_FUNCTION		"vfs_statx"
/* off-cpu and ran: not all kernels account the wait for a CPU */
#define ATTACH_TASKS		10

static const struct attach_kind {
	const char *name;
	uint32_t source;
} attach_kinds[] = {
	{ "wakers", FLAMEMOD_SOURCE_KIND_WAKERS },
	{ "func", FLAMEMOD_SOURCE_KIND_FUNC },
	{ "latency", FLAMEMOD_SOURCE_KIND_LATENCY },
	{ "perf", FLAMEMOD_SOURCE_KIND_PERF },
};

static inline void attach_put_source(struct nlmsghdr *header, const struct attach_kind *kind)
{
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH_SOURCE);

	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_KIND, kind->source);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_NAME, kind->name);
	if (kind->source == FLAMEMOD_SOURCE_KIND_PERF) {
		mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_PERF_TYPE, PERF_TYPE_SOFTWARE);
		mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_PERF_CONFIG, PERF_COUNT_SW_PAGE_FAULTS);
	} else if (kind->source != FLAMEMOD_SOURCE_KIND_WAKERS) {
		mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_FUNCTION, ATTACH_FUNCTION);
	}
	mnl_attr_nest_end(header, nest);
}

/* Write a request to attach @name. */
static inline struct request attach_begin(char *buffer, const struct asker *asker,
					  const char *name)
{
	struct request request = request_begin(buffer, "attach", asker->family,
					       FLAMEMOD_CMD_ATTACH, 0);
	struct nlattr *attach = mnl_attr_nest_start(request.header, FLAMEMOD_A_ATTACH);
	bool all = !strcmp(name, "all"), user = !strcmp(name, "user");
	size_t i;

	if (all || !strcmp(name, "tasks"))
		mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_EVENTS, ATTACH_TASKS);
	for (i = 0; i < sizeof(attach_kinds) / sizeof(*attach_kinds); i++)
		if (all || !strcmp(user ? "func" : name, attach_kinds[i].name))
			attach_put_source(request.header, &attach_kinds[i]);
	if (all || user)
		mnl_attr_put_u8(request.header, FLAMEMOD_A_ATTACH_USER_STACKS, 1);
	mnl_attr_nest_end(request.header, attach);
	return request;
}

#endif /* ATTACH_H */
