/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find modules that are installed for the running kernel, check them against
 * modprobe's configuration, and load them.
 *
 * Every path is absolute. @root is put before each path; with a @root nothing
 * is loaded. Tests pass a directory there, to look at that instead of this machine.
 *
 * modprobe_load() has two implementations: with libkmod (modprobe_kmod.c), and
 * with the modprobe program (modprobe_exec.c) for builds without that library.
 */
#ifndef FLAMECTL_MODPROBE_H
#define FLAMECTL_MODPROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define MODPROBE_RELEASE_MAX	128

/**
 * modprobe_release() - get the running kernel's release; "" if it cannot be
 * read.
 */
void modprobe_release(const char *root, char release[MODPROBE_RELEASE_MAX]);

/** modprobe_installed() - report whether depmod's list has the module. */
bool modprobe_installed(const char *root, const char *name);

/**
 * modprobe_blacklisted() - report whether a module is blacklisted, and where.
 * @where: set to the file and line, or to the kernel's command line.
 */
bool modprobe_blacklisted(const char *root, const char *name, char *where,
			  size_t size);

/**
 * modprobe_load() - load a module that is installed and not blacklisted.
 * @parameters: added to those of modprobe's configuration, which they override.
 *
 * With libkmod, a module that has an install command in that configuration is
 * refused; the command is not run.
 *
 * Return: 0, also if the module was loaded already; or -errno with @error
 * saying why: -EPERM if the module is blacklisted after all.
 */
int modprobe_load(const char *root, const char *name, const char *parameters,
		  struct error *error);

#endif /* FLAMECTL_MODPROBE_H */
