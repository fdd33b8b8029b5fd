// SPDX-License-Identifier: GPL-2.0
/*
 * Check why sampling does not work here: the module, the rights, the clock.
 */
#include "cmd/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capability.h"
#include "base/modprobe.h"
#include "cmd/command.h"
#include "cmd/module.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* The oldest kernel that the module can be built for. */
#define KERNEL_MAJOR	5
#define KERNEL_MINOR	10

#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static void check_kernel(struct doctor *doctor)
{
	int major, minor;

	if (doctor_read(doctor, "/proc/sys/kernel/osrelease", doctor->release,
			sizeof(doctor->release)) ||
	    sscanf(doctor->release, "%d.%d", &major, &minor) != 2) {
		doctor_say(doctor, DOCTOR_FAIL, EXIT_FAILED, "kernel",
			   "cannot read the kernel's release: mount /proc");
		return;
	}
	if (major < KERNEL_MAJOR ||
	    (major == KERNEL_MAJOR && minor < KERNEL_MINOR))
		doctor_say(doctor, DOCTOR_FAIL, EXIT_FAILED, "kernel",
			   "%s: the module needs %d.%d or newer",
			   doctor->release, KERNEL_MAJOR, KERNEL_MINOR);
	else
		doctor_say(doctor, DOCTOR_OK, 0, "kernel", "%s",
			   doctor->release);
}

static bool module_loaded(const struct doctor *doctor)
{
	char text[64], path[4096];

	snprintf(path, sizeof(path), "%s/sys/module/flamemod", doctor->root);
	if (!access(path, F_OK))
		return true;
	/* if sysfs is not mounted; flamemod is usually the last one loaded */
	return !doctor_read(doctor, "/proc/modules", text, sizeof(text)) &&
	       !strncmp(text, "flamemod ", 9);
}

static void check_version(struct doctor *doctor)
{
	char version[64];

	if (doctor_read(doctor, "/sys/module/flamemod/version", version,
			sizeof(version)))
		doctor_say(doctor, DOCTOR_OK, 0, "module", "loaded");
	else if (!strcmp(version, FLAMECTL_VERSION))
		doctor_say(doctor, DOCTOR_OK, 0, "module", "loaded, version %s",
			   version);
	else
		doctor_say(doctor, DOCTOR_WARN, 0, "module",
			   "loaded, version %s, but this is flamectl %s: if something does not work, use both from the same build",
			   version, FLAMECTL_VERSION);
}

static void check_rights(struct doctor *doctor, bool loaded)
{
	char map[256];
	unsigned long inside, outside, nr;

	if (!capability_has(doctor->root, CAPABILITY_PERFMON) &&
	    !capability_has(doctor->root, CAPABILITY_SYS_ADMIN))
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "rights",
			   "neither CAP_PERFMON nor CAP_SYS_ADMIN: run flamectl as root, or as a group that has the capability, see flamectl(1)");
	else if (!doctor_read(doctor, "/proc/self/uid_map", map, sizeof(map)) &&
		 (sscanf(map, "%lu %lu %lu", &inside, &outside, &nr) != 3 ||
		  inside != outside || nr != UINT32_MAX))
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "rights",
			   "this is not the initial user namespace, but for example a container: run flamectl outside of it");
	else if (!loaded && !capability_has(doctor->root, CAPABILITY_SYS_MODULE))
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "rights",
			   "loading the module needs CAP_SYS_MODULE: run insmod as root, outside of containers");
	else
		doctor_say(doctor, DOCTOR_OK, 0, "rights", "sufficient");
}

/*
 * Report that the module is not loaded: no failure if a command would load it.
 */
static void check_absent(struct doctor *doctor)
{
	uint64_t rate = doctor_rate(doctor);
	struct error error;

	if (modprobe_installed(doctor->root, "flamemod") &&
	    !module_loadable(doctor->root, &error))
		doctor_say(doctor, DOCTOR_OK, 0, "module",
			   "not loaded, but installed");
	else
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "module",
			   "not loaded: insmod flamemod.ko hz=%" PRIu64 " (or modprobe flamemod%s)",
			   rate, rate == DOCTOR_RATE ? "" : " with the same");
}

/* Check whether a command could load the module. */
static void check_loading(struct doctor *doctor)
{
	struct error error;

	/* that it is not installed was reported already */
	if (!modprobe_installed(doctor->root, "flamemod"))
		return;
	if (module_loadable(doctor->root, &error))
		doctor_say(doctor, DOCTOR_WARN, 0, "loading",
			   "flamectl cannot load it: %s", error.text);
	else
		doctor_say(doctor, DOCTOR_OK, 0, "loading",
			   "it is installed: flamectl record, start and top load it");
}

/* Check the lockdown file: "none [integrity] confidentiality". */
static void check_lockdown(struct doctor *doctor, bool loaded)
{
	char text[128];

	if (doctor_read(doctor, "/sys/kernel/security/lockdown", text,
			sizeof(text)))
		return;
	if (strstr(text, "[confidentiality]"))
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "lockdown",
			   "confidentiality: such a kernel does not allow profiling; boot without lockdown=confidentiality");
	else if (strstr(text, "[integrity]") && !loaded)
		doctor_say(doctor, DOCTOR_WARN, 0, "lockdown",
			   "integrity: only a signed module can be loaded; sign it with an enrolled key, as dkms does, or switch Secure Boot off");
	else
		doctor_say(doctor, DOCTOR_OK, 0, "lockdown", "%s", text);
}

static void check_secure_boot(struct doctor *doctor, bool loaded)
{
	char bytes[5];

	/* the value comes after four bytes of attributes */
	if (doctor_read_bytes(doctor, SECURE_BOOT, bytes, sizeof(bytes)) != 5 ||
	    !bytes[4] || loaded)
		return;
	doctor_say(doctor, DOCTOR_WARN, 0, "secure boot",
		   "on: if insmod says \"Key was rejected by service\" (EKEYREJECTED), enrol the key that signed the module: mokutil --import /var/lib/dkms/mok.pub, then reboot");
}

static void check_signatures(struct doctor *doctor, bool loaded)
{
	char enforce[8];

	if (doctor_read(doctor, "/sys/module/module/parameters/sig_enforce",
			enforce, sizeof(enforce)) || loaded)
		return;
	if (*enforce == 'Y' || *enforce == '1')
		doctor_say(doctor, DOCTOR_WARN, 0, "signatures",
			   "required: insmod refuses a module that is signed with an unknown key (EKEYREJECTED); let dkms build and sign it, or boot without module.sig_enforce");
	else
		doctor_say(doctor, DOCTOR_OK, 0, "signatures", "not required");
}

static void report_session(struct doctor *doctor, const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;

	if (meta->state == FLAMEMOD_STATE_BROKEN)
		doctor_say(doctor, DOCTOR_FAIL, EXIT_FAILED, "session",
			   "the sampler found an inconsistency in itself and stopped: save the kernel log for a report, then rmmod and insmod");
	else if (profile_lost(&profile->books))
		doctor_say(doctor, DOCTOR_WARN, 0, "session", "%s at %" PRIu32
			   " Hz, %" PRIu64 " periods were lost: flamectl status says why",
			   profile_state_name(meta->state), meta->settings.hz,
			   profile_lost(&profile->books));
	else
		doctor_say(doctor, DOCTOR_OK, 0, "session", "%s at %" PRIu32
			   " Hz", profile_state_name(meta->state),
			   meta->settings.hz);
}

/* Check that the module answers. */
static void check_session(struct doctor *doctor)
{
	struct profile *profile = NULL;
	struct nl *nl = NULL;
	struct error error;
	int err;

	err = nl_open(&nl, &error) ?: nl_status(nl, &profile, &error);
	if (err)
		doctor_say(doctor, DOCTOR_FAIL, exit_code_of(err), "session",
			   "%s", error.text);
	else
		report_session(doctor, profile);
	profile_destroy(profile);
	nl_close(nl);
}

int doctor_run(struct doctor *doctor)
{
	bool loaded = module_loaded(doctor);

	doctor->code = EXIT_DONE;
	check_kernel(doctor);
	doctor_read_config(doctor);
	if (loaded) {
		check_version(doctor);
	} else if (doctor_takes_modules(doctor)) {
		check_absent(doctor);
		doctor_module_file(doctor);
		check_loading(doctor);
	}
	check_rights(doctor, loaded);
	check_lockdown(doctor, loaded);
	check_signatures(doctor, loaded);
	check_secure_boot(doctor, loaded);
	doctor_timers(doctor);
	doctor_cpus(doctor);
	doctor_config(doctor, loaded);
	free(doctor->config);
	if (loaded && !*doctor->root)
		check_session(doctor);
	return doctor->code;
}
