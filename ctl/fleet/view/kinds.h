/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of servers that show profiles but do not keep them for ever: views. None of them
 * knows that it has a window already, so a window that is sent twice counts twice.
 */
#ifndef FLAMECTL_VIEW_KINDS_H
#define FLAMECTL_VIEW_KINDS_H

#include "fleet/target.h"

/*
 * Pyroscope, "pyroscope://HOST[/PREFIX][?tenant=NAME][&max-age=TIME]": push.v1 by HTTP.
 * A window whose begin is older than max-age (default: an hour), or later than in ten
 * minutes, is -ERANGE, because the server refuses it.
 */
extern const struct target_kind view_pyroscope;

/* Parca, "parca://HOST[/PREFIX]": WriteRaw, as JSON by HTTP. */
extern const struct target_kind view_parca;

/*
 * Servers of OpenTelemetry's profiles, "otlp://HOST[/PREFIX]": v1development of protocol
 * version 1.11.0, by HTTP. It is not stable: another version may have other fields.
 */
extern const struct target_kind view_otlp;

#endif /* FLAMECTL_VIEW_KINDS_H */
