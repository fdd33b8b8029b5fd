// SPDX-License-Identifier: GPL-2.0
/*
 * Load a module with libkmod: see modprobe.h.
 */
#include "base/modprobe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libkmod.h>

/* Drop libkmod's log, which it would print: callers get a struct error. */
__attribute__((format(printf, 6, 0)))
static void be_silent(void *data, int priority, const char *file, int line,
		      const char *function, const char *format, va_list args)
{
	(void)data;
	(void)priority;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)args;
}

/*
 * An install command would be run by a shell, with this process's environment.
 */
static int refuse_install(struct kmod_module *module, const char *command,
			  void *data)
{
	(void)module;
	(void)command;
	(void)data;
	return -ECANCELED;
}

static struct kmod_ctx *open_context(const char *root)
{
	char modules[4096], config[4096], release[MODPROBE_RELEASE_MAX];
	const char *configs[] = { config, NULL };
	struct kmod_ctx *context;

	modprobe_release(root, release);
	snprintf(modules, sizeof(modules), "%s/lib/modules/%s", root, release);
	snprintf(config, sizeof(config), "%s/etc/modprobe.d", root);
	context = *root ? kmod_new(modules, configs) : kmod_new(NULL, NULL);
	if (context)
		kmod_set_log_fn(context, be_silent, NULL);
	return context;
}

/*
 * Find the module of that exact name, not one that an alias leads to; or NULL.
 */
static struct kmod_module *find(struct kmod_ctx *context, const char *name)
{
	struct kmod_module *module = NULL, *one;
	struct kmod_list *list = NULL, *at;

	if (kmod_module_new_from_lookup(context, name, &list) < 0)
		return NULL;
	kmod_list_foreach(at, list) {
		one = kmod_module_get_module(at);
		if (!module && !strcmp(kmod_module_get_name(one), name))
			module = one;
		else
			kmod_module_unref(one);
	}
	kmod_module_unref_list(list);
	return module;
}

static int insert(struct kmod_module *module, bool for_test,
		  const char *parameters, struct error *error)
{
	unsigned int flags = KMOD_PROBE_APPLY_BLACKLIST |
			     (for_test ? KMOD_PROBE_DRY_RUN : 0);
	const char *command = kmod_module_get_install_commands(module);
	int err;

	if (command)
		return error_set(error, -ECANCELED,
				 "modprobe's configuration has an install command for it: %.200s; see modprobe --showconfig",
				 command);
	err = kmod_module_probe_insert_module(module, flags, parameters,
					      refuse_install, NULL, NULL);
	if (err > 0)
		return error_set(error, -EPERM,
				 "it is blacklisted: see modprobe --showconfig");
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int modprobe_load(const char *root, const char *name, const char *parameters,
		  struct error *error)
{
	struct kmod_ctx *context = open_context(root);
	struct kmod_module *module;
	int err;

	if (!context)
		return error_set(error, -errno, "libkmod: %s", strerror(errno));
	module = find(context, name);
	if (module) {
		err = insert(module, *root, parameters, error);
		kmod_module_unref(module);
	} else {
		err = error_set(error, -ENOENT, "libkmod cannot find it: run depmod");
	}
	kmod_unref(context);
	return err;
}
