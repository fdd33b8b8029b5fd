// SPDX-License-Identifier: GPL-2.0
/*
 * Open the module, and load it if it is installed: see module.h.
 */
#include "cmd/module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capability.h"
#include "base/modprobe.h"

#define NAME		"flamemod"
#define PARAMETERS	"autostart=0"

const char *module_root(void)
{
	/* ignored if the program file has capabilities */
	const char *root = secure_getenv("FLAMECTL_ROOT");

	return root && *root == '/' ? root : "";
}

static bool is_loaded(const char *root)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/sys/module/" NAME, root);
	return !access(path, F_OK);
}

static void say(const char *root, char said[MODULE_SAID_MAX])
{
	char path[4096], version[64] = "";
	FILE *stream;

	snprintf(path, sizeof(path), "%s/sys/module/" NAME "/version", root);
	stream = fopen(path, "re");
	if (stream && !fgets(version, sizeof(version), stream))
		*version = '\0';
	if (stream)
		fclose(stream);
	version[strcspn(version, "\n")] = '\0';
	snprintf(said, MODULE_SAID_MAX, "loaded " NAME "%s%s, as installed",
		 *version ? " " : "", version);
}

int module_loadable(const char *root, struct error *error)
{
	char release[MODPROBE_RELEASE_MAX], where[300];

	if (!modprobe_installed(root, NAME)) {
		modprobe_release(root, release);
		return error_set(error, -ENODEV, "module neither loaded nor installed for kernel %s: make dkms-install, or make modules KDIR=/lib/modules/%s/build and insmod flamemod.ko hz=997",
				 release, release);
	}
	if (modprobe_blacklisted(root, NAME, where, sizeof(where)))
		return error_set(error, -ENODEV, "module not loaded, and blacklisted in %s: modprobe " NAME " loads it nevertheless",
				 where);
	if (!capability_has(root, CAPABILITY_SYS_MODULE))
		return error_set(error, -ENODEV, "module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod); it is installed, so flamectl loads it if root runs it: sudo flamectl ...");
	return 0;
}

static int load(const char *root, struct error *error)
{
	struct error why;
	int err = module_loadable(root, error);

	if (err)
		return err;
	err = modprobe_load(root, NAME, PARAMETERS, &why);
	if (err == -EKEYREJECTED)
		return error_set(error, -ENODEV, "cannot load " NAME ", as installed: %.200s: it is signed with a key that is not enrolled in this kernel: see flamectl doctor",
				 why.text);
	if (err)
		return error_set(error, -ENODEV, "cannot load " NAME ", as installed: %.300s: see dmesg and flamectl doctor",
				 why.text);
	return 0;
}

int module_open(struct nl **nl, bool may_load, char said[MODULE_SAID_MAX],
		struct error *error)
{
	const char *root = module_root();
	struct error absent;
	int err = nl_open(nl, &absent);

	*said = '\0';
	if (err)
		*error = absent;
	/*
	 * a loaded module that is not found is unreachable in this network
	 * namespace
	 */
	if (err != -ENODEV || !may_load || is_loaded(root))
		return err;
	err = load(root, error);
	if (err)
		return err;
	say(root, said);
	return nl_open(nl, error);
}

int module_open_sampling(struct nl **nl, bool may_load,
			 char said[MODULE_SAID_MAX], struct error *error)
{
	int err = module_open(nl, may_load, said, error);

	if (err || !*said)
		return err;
	nl_own(*nl);
	err = nl_start(*nl, NULL, 0, error);
	if (!err)
		return 0;
	nl_close(*nl);
	*nl = NULL;
	return err;
}
