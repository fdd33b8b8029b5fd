/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Open the module for commands that need it. If it is installed but not loaded,
 * and the user is root, it is loaded first.
 */
#ifndef FLAMECTL_MODULE_H
#define FLAMECTL_MODULE_H

#include <stdbool.h>

#include "base/error.h"
#include "wire/nl.h"

/* Room for the message after loading: "loaded flamemod 1.2.3, as installed". */
#define MODULE_SAID_MAX		128

/* The option of the commands that load the module. */
#define MODULE_NO_LOAD { "no-load", 0, NULL, "do not load the module where it is not loaded" }

/**
 * module_open() - call nl_open(); if the module is not loaded, load it and try
 * again.
 * @may_load: false for --no-load.
 * @said: set to a line for the user if it was loaded, without newline; else "".
 *
 * The module that is installed for this kernel is loaded, with the parameters
 * of modprobe's configuration, but it does not sample (autostart=0). It stays
 * loaded. A blacklisted module is not loaded, and nothing is loaded without
 * CAP_SYS_MODULE.
 *
 * Return: as nl_open(); -ENODEV if it could not be loaded, with @error saying
 * why and what to do.
 */
int module_open(struct nl **nl, bool may_load, char said[MODULE_SAID_MAX],
		struct error *error);

/**
 * module_open_sampling() - call module_open(), for commands that watch: a
 * module that it loads samples until nl_close(). One that was loaded before is
 * not changed.
 */
int module_open_sampling(struct nl **nl, bool may_load,
			 char said[MODULE_SAID_MAX], struct error *error);

/** module_root() - return a prefix of paths: "", or a directory in which tests look. */
const char *module_root(void);

/**
 * module_loadable() - check whether module_open() could load the module.
 * @root: prefix of every path; "" for this machine.
 *
 * Return: 0, or -ENODEV with @error saying why not, and what to do.
 */
int module_loadable(const char *root, struct error *error);

#endif /* FLAMECTL_MODULE_H */
