/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows of a minute that has just ended, for Pyroscope, Parca and OTLP.
 */
#ifndef VIEW_WINDOW_H
#define VIEW_WINDOW_H

#include <stdint.h>

#include "base/error.h"
#include "fleet/view/kinds.h"

/* Pyroscope, Parca and OTLP; NULL ends it. */
extern const struct target_kind *const view_kinds[];

/* Why what was called last failed; empty if it did not. */
extern struct error view_error;

/** now_ns() - get the time since 1970. */
int64_t now_ns(void);

/** last_minute() - the identity of a minute that has just ended. */
struct profile_identity last_minute(void);

/** target_of() - parse a URL, which must be valid. */
struct target target_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** encode_window() - encode one window. @requests: some are added. Return: 0 or -errno. */
int encode_window(const struct target *target, const struct profile *profile,
		  const struct profile_identity *identity, const struct labels *labels,
		  struct target_requests *requests);

#endif /* VIEW_WINDOW_H */
