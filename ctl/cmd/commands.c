// SPDX-License-Identifier: GPL-2.0
/*
 * The list of all commands of flamectl, in the order of help.
 */
#include "cmd/command.h"

#include <stddef.h>

const struct command *const commands[] = {
	&cmd_record, &cmd_dump, &cmd_svg, &cmd_html, &cmd_heat, &cmd_report,
	&cmd_browse, &cmd_top, &cmd_diff, &cmd_export, &cmd_import, &cmd_merge,
	&cmd_symbolize, &cmd_push, &cmd_query, &cmd_fleet, &cmd_status, &cmd_metrics,
	&cmd_start, &cmd_stop, &cmd_reset, &cmd_set, &cmd_agent, &cmd_events,
	&cmd_doctor, NULL
};
