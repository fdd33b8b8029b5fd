/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules that are installed for the running kernel: found, judged by modprobe's
 * configuration, and loaded.
 *
 * Every path is absolute. With a @root, which is before all of them, nothing is
 * loaded: it is a machine made of files, for tests.
 *
 * modprobe_load() is there twice: by libkmod (modprobe_kmod.c), and where flamectl
 * is to need no library by modprobe itself (modprobe_exec.c).
 */
#ifndef FLAMECTL_MODPROBE_H
#define FLAMECTL_MODPROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define MODPROBE_RELEASE_MAX	128

/** modprobe_release() - the running kernel's; "" where it cannot be read. */
void modprobe_release(const char *root, char release[MODPROBE_RELEASE_MAX]);

/** modprobe_installed() - is a module installed for it, by depmod's list? */
bool modprobe_installed(const char *root, const char *name);

/**
 * modprobe_blacklisted() - is a module blacklisted, and where?
 * @where: the file and line, or the kernel's command line.
 */
bool modprobe_blacklisted(const char *root, const char *name, char *where,
			  size_t size);

/**
 * modprobe_load() - load a module that is installed and not blacklisted.
 * @parameters: beside those of modprobe's configuration, and stronger.
 *
 * An install command of that configuration is not run by libkmod: it is refused.
 *
 * Return: 0, also where the module was loaded already; or -errno with @error, which
 * says why: -EPERM for one that is blacklisted after all.
 */
int modprobe_load(const char *root, const char *name, const char *parameters,
		  struct error *error);

#endif /* FLAMECTL_MODPROBE_H */
