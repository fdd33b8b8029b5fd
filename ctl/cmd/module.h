/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module for commands that need it: where it is installed and not loaded, root
 * has it loaded first.
 */
#ifndef FLAMECTL_MODULE_H
#define FLAMECTL_MODULE_H

#include <stdbool.h>

#include "base/error.h"
#include "wire/nl.h"

/* Said where the module was loaded: "loaded flamemod 1.2.3, as installed". */
#define MODULE_SAID_MAX		128

/* The option of the commands that load it. */
#define MODULE_NO_LOAD { "no-load", 0, NULL, "do not load the module where it is not loaded" }

/**
 * module_open() - as nl_open(); where the module is not loaded, load it and try again.
 * @may_load: false for --no-load.
 * @said: a line for the user where it was loaded, with no final newline; else "".
 *
 * It is loaded as it is installed for this kernel, with its parameters of modprobe's
 * configuration, but does not sample (autostart=0), and stays. Nothing is loaded that
 * is blacklisted, nor without CAP_SYS_MODULE.
 *
 * Return: as nl_open(); where it could not be loaded -ENODEV, and @error says why
 * and what to do.
 */
int module_open(struct nl **nl, bool may_load, char said[MODULE_SAID_MAX],
		struct error *error);

/**
 * module_open_sampling() - as module_open(), for commands that watch: a module that
 * it loads samples until nl_close(). One that was loaded before is left as it is.
 */
int module_open_sampling(struct nl **nl, bool may_load,
			 char said[MODULE_SAID_MAX], struct error *error);

/**
 * module_loadable() - could module_open() load it?
 * @root: before every path; "" for this machine.
 *
 * Return: 0, or -ENODEV with @error: why not, and what to do.
 */
int module_loadable(const char *root, struct error *error);

#endif /* FLAMECTL_MODULE_H */
