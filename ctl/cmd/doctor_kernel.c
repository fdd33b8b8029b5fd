// SPDX-License-Identifier: GPL-2.0
/*
 * Check the kernel's build options, and whether there is a flamemod.ko for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "cmd/command.h"
#include "cmd/doctor.h"

/*
 * A configuration has about 300 KB, a module with debug information a few MB.
 */
#define CONFIG_BYTES_MAX	(4 << 20)
#define MODULE_BYTES_MAX	(64 << 20)

#define SIGNATURE	"~Module signature appended~\n"

/*
 * Read a whole file below the root, unpack it if compressed, and append a NUL.
 * Return: the bytes, which the caller frees, or NULL.
 */
static char *read_file(const struct doctor *doctor, const char *path,
		       unsigned int max, size_t *size)
{
	char full[4096], *bytes;
	struct stat status;
	gzFile file = NULL;
	int got, fd;

	snprintf(full, sizeof(full), "%s%s", doctor->root, path);
	/* O_NONBLOCK: the path may be a pipe in the current directory */
	fd = open(full, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		file = gzdopen(fd, "rb");
	if (!file) {
		close(fd);
		return NULL;
	}
	bytes = malloc(max + 1);
	got = bytes ? gzread(file, bytes, max) : -1;
	gzclose(file);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	bytes[got] = '\0';
	*size = (size_t)got;
	return bytes;
}

void doctor_read_config(struct doctor *doctor)
{
	static const char *const formats[] = {
		"/proc/config.gz", "/boot/config-%s", "/lib/modules/%s/config",
		"/usr/lib/modules/%s/config", "/lib/modules/%s/build/.config",
	};
	char path[512];
	size_t i, size;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]) &&
	     !doctor->config; i++) {
		const char *release = strchr(formats[i], '%');

		snprintf(path, sizeof(path), "%.*s%s%s",
			 (int)(release ? release - formats[i] : 256),
			 formats[i], release ? doctor->release : "",
			 release ? release + 2 : "");
		doctor->config = read_file(doctor, path, CONFIG_BYTES_MAX,
					   &size);
	}
}

static bool config_has(const char *config, const char *option)
{
	size_t length = strlen(option);
	const char *at = config;

	while ((at = strstr(at, option))) {
		if ((at == config || at[-1] == '\n') && at[length] == '=' &&
		    (at[length + 1] == 'y' || at[length + 1] == 'm'))
			return true;
		at += length;
	}
	return false;
}

static const struct {
	const char *option;
	enum doctor_level level;
	const char *why;
} needed[] = {
	{ "CONFIG_NET", DOCTOR_FAIL, "without netlink flamectl cannot talk to the module" },
	{ "CONFIG_STACKTRACE", DOCTOR_FAIL, "stacks cannot be taken" },
	{ "CONFIG_KALLSYMS", DOCTOR_FAIL, "functions have no names" },
	{ "CONFIG_HIGH_RES_TIMERS", DOCTOR_WARN, "the rate is limited to that of the tick, and samples come late" },
};

bool doctor_takes_modules(struct doctor *doctor)
{
	char text[16];

	if (doctor->config ? config_has(doctor->config, "CONFIG_MODULES") :
	    doctor_read(doctor, "/proc/modules", text, sizeof(text)) != -ENOENT)
		return true;
	doctor_say(doctor, DOCTOR_FAIL, EXIT_FAILED, "options",
		   "the kernel was built without CONFIG_MODULES: no module can be loaded, flamemod included; use a kernel that has it");
	return false;
}

void doctor_config(struct doctor *doctor, bool loaded)
{
	const char *config = doctor->config;
	bool complete = true;
	size_t i;

	if (!config) {
		doctor_say(doctor, DOCTOR_WARN, 0, "options",
			   "cannot find the kernel's configuration, so options are not checked; modprobe configs may make it visible");
		return;
	}
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (config_has(config, needed[i].option))
			continue;
		complete = false;
		doctor_say(doctor, needed[i].level, EXIT_FAILED, "options",
			   "the kernel was built without %s: %s; use a kernel with it",
			   needed[i].option, needed[i].why);
	}
	if (config_has(config, "CONFIG_X86") &&
	    !config_has(config, "CONFIG_UNWINDER_ORC") &&
	    !config_has(config, "CONFIG_UNWINDER_FRAME_POINTER")) {
		complete = false;
		doctor_say(doctor, DOCTOR_WARN, 0, "options",
			   "the kernel was built with neither CONFIG_UNWINDER_ORC nor CONFIG_UNWINDER_FRAME_POINTER: stacks are guessed, and contain wrong frames");
	}
	if (complete && (loaded || config_has(config, "CONFIG_MODULES")))
		doctor_say(doctor, DOCTOR_OK, 0, "options",
			   "the kernel has all options that are needed");
}

/* Find the text "vermagic=6.1.0-30-amd64 SMP preempt ..." in the file. */
static bool vermagic(const char *bytes, size_t size, char *release,
		     size_t release_size)
{
	static const char key[] = "vermagic=";
	const char *at = memmem(bytes, size, key, sizeof(key) - 1);

	if (!at)
		return false;
	at += sizeof(key) - 1;
	snprintf(release, release_size, "%.*s", (int)strcspn(at, " "), at);
	return true;
}

enum module_file { FILE_ABSENT, FILE_OTHER, FILE_FITS };

/*
 * Report on a module file.
 * @instead: what an installed one is. If it fits, another kernel's is no failure.
 */
static enum module_file judge_file(struct doctor *doctor, const char *path,
				   enum module_file instead)
{
	size_t size, tail = sizeof(SIGNATURE) - 1;
	enum module_file is = FILE_OTHER;
	char built_for[128];
	bool is_signed;
	char *bytes;

	bytes = read_file(doctor, path, MODULE_BYTES_MAX, &size);
	if (!bytes)
		return FILE_ABSENT;
	is_signed = size > tail &&
		    !memcmp(bytes + size - tail, SIGNATURE, tail);
	if (!vermagic(bytes, size, built_for, sizeof(built_for)))
		doctor_say(doctor, DOCTOR_WARN, 0, "file",
			   "%s: cannot read for which kernel it was built; modinfo may show it",
			   path);
	else if (!strcmp(built_for, doctor->release))
		is = FILE_FITS;
	else if (instead == FILE_FITS)
		doctor_say(doctor, DOCTOR_WARN, 0, "file",
			   "%s here is for kernel %s, this is %s: use the installed module",
			   path, built_for, doctor->release);
	else
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "file",
			   "%s is for kernel %s, this is %s: build it with make KDIR=/lib/modules/%s/build",
			   path, built_for, doctor->release, doctor->release);
	if (is == FILE_FITS)
		doctor_say(doctor, DOCTOR_OK, 0, "file", "%s, for this kernel, %s",
			   path, is_signed ? "signed" : "not signed");
	free(bytes);
	return is;
}

/* Get the path that depmod recorded, below /lib/modules/RELEASE; "" if none. */
static void installed_path(const struct doctor *doctor, char *path, size_t size)
{
	char list[512], *dep;
	const char *found, *begin;
	size_t length;

	*path = '\0';
	snprintf(list, sizeof(list), "/lib/modules/%s/modules.dep",
		 doctor->release);
	dep = read_file(doctor, list, CONFIG_BYTES_MAX, &length);
	found = dep ? strstr(dep, "/flamemod.ko") : NULL;
	if (found) {
		for (begin = found; begin > dep && begin[-1] != '\n'; begin--)
			continue;
		snprintf(path, size, "/lib/modules/%s/%.*s", doctor->release,
			 (int)(strcspn(begin, ":\n")), begin);
	}
	free(dep);
}

void doctor_module_file(struct doctor *doctor)
{
	enum module_file installed = FILE_ABSENT, here;
	char path[1024];

	installed_path(doctor, path, sizeof(path));
	if (*path)
		installed = judge_file(doctor, path, FILE_ABSENT);
	/* relative to the current directory, or to the root if there is one */
	here = judge_file(doctor, *doctor->root ? "/flamemod.ko" : "flamemod.ko",
			  installed);
	if (installed == FILE_ABSENT && here == FILE_ABSENT)
		doctor_say(doctor, DOCTOR_FAIL, EXIT_NO_MODULE, "file",
			   "no flamemod.ko in /lib/modules/%s or here: build it with make (needs the kernel's headers: linux-headers-%s)",
			   doctor->release, doctor->release);
}
