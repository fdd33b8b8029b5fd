// SPDX-License-Identifier: GPL-2.0
/*
 * The list of all kinds of servers: see targets.h.
 */
#include "fleet/targets.h"

#include <stddef.h>

#include "fleet/clickhouse/clickhouse.h"
#include "fleet/view/kinds.h"

const struct target_kind *const target_kinds[] = {
	&target_clickhouse, &view_pyroscope, &view_parca, &view_otlp, NULL
};
