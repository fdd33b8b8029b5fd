// SPDX-License-Identifier: GPL-2.0
/*
 * The cgroups of tasks: see cgroup.h.
 *
 * How container runtimes name cgroups: docker-HEX.scope and /docker/HEX (moby,
 * daemon/oci_linux.go: getCgroupsPath), libpod-HEX.scope and libpod_parent/libpod-HEX (podman),
 * cri-containerd-HEX.scope and crio-HEX.scope below kubepods...-podUID.slice, or HEX below
 * kubepods/.../podUID (kubelet with the driver cgroupfs). HEX has 64 digits.
 */
#include "profile/cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/rebuild.h"

#define BEGIN		"cgroup "
#define ID_DIGITS	64
#define SHOWN_DIGITS	12

static const char hex_digits[] = "0123456789abcdef";

const char *cgroup_of_number(uint64_t number, char text[CGROUP_TEXT])
{
	if (!number)
		return "";
	if (number == UINT64_MAX)
		return CGROUP_OTHER;
	snprintf(text, CGROUP_TEXT, BEGIN "%" PRIu64, number);
	return text;
}

uint64_t cgroup_number(const char *text)
{
	const char *digits = text + strlen(BEGIN);

	if (strncmp(text, BEGIN, strlen(BEGIN)) || !*digits ||
	    strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return strtoull(digits, NULL, 10);
}

/* ---- containers ---- */

/* How a runtime names the directory of a container, around the digits of its id. */
static const struct runtime {
	const char *before, *after, *name;
} runtimes[] = {
	{ "docker-", ".scope", "docker" },
	{ "libpod-", ".scope", "podman" },
	{ "libpod-", "", "podman" },
	{ "cri-containerd-", ".scope", "containerd" },
	{ "nerdctl-", ".scope", "nerdctl" },
	{ "crio-", ".scope", "cri-o" },
	{ "crio-", "", "cri-o" },
	{ "", "", NULL },		/* as the directory above it is called */
};

/* A part of a path: what is between two slashes. */
struct part {
	const char *text;
	size_t length;
};

/* Get the part after @part. Return: whether there is one. */
static bool next_part(struct part *part)
{
	part->text += part->length;
	part->text += strspn(part->text, "/");
	part->length = strcspn(part->text, "/");
	return part->length;
}

static bool is_container(const struct runtime *runtime, const struct part *part)
{
	size_t before = strlen(runtime->before), after = strlen(runtime->after);

	return part->length == before + ID_DIGITS + after &&
	       !memcmp(part->text, runtime->before, before) &&
	       strspn(part->text + before, hex_digits) == ID_DIGITS &&
	       !memcmp(part->text + before + ID_DIGITS, runtime->after, after);
}

/* Find the runtime of a container's directory. Return: NULL if it is none. */
static const struct runtime *runtime_of(const struct part *part)
{
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (is_container(&runtimes[i], part))
			return &runtimes[i];
	return NULL;
}

/* The directory above a container that is named by its id alone: "docker", or a pod's. */
static const char *runtime_above(const struct part *above)
{
	return above->length == 6 && !memcmp(above->text, "docker", 6) ? "docker" :
									 "container";
}

#define UID_LENGTH	36

/*
 * Find the uid of a pod in "pod1234...-..." or "kubepods-burstable-pod1234..._....slice", where
 * systemd wants "_" in place of "-". Return: it, or NULL.
 */
static const char *pod_of(const struct part *part)
{
	static const char suffix[] = ".slice";
	bool is_slice = part->length > sizeof(suffix) - 1 &&
			!memcmp(part->text + part->length - (sizeof(suffix) - 1), suffix,
				sizeof(suffix) - 1);
	size_t length = part->length - (is_slice ? sizeof(suffix) - 1 : 0);
	const char *uid;

	if (length < UID_LENGTH + 3)
		return NULL;
	uid = part->text + length - UID_LENGTH;
	if (memcmp(uid - 3, "pod", 3) || strspn(uid, "0123456789abcdef-_") < UID_LENGTH)
		return NULL;
	if (is_slice ? memcmp(part->text, "kubepods", 8) != 0 : length != UID_LENGTH + 3)
		return NULL;
	return uid;
}

/* Write "docker 0123456789ab/rest". Return: whether it fits. */
static bool put_container(const struct runtime *runtime, const struct part *part,
			  const struct part *above, char *text, size_t size)
{
	int length = snprintf(text, size, "%s %.*s%s", runtime->name ?: runtime_above(above),
			      SHOWN_DIGITS, part->text + strlen(runtime->before),
			      part->text + part->length);

	return length > 0 && (size_t)length < size;
}

static bool put_pod(const char *uid, const struct part *part, char *text, size_t size)
{
	int length = snprintf(text, size, "pod %.*s%s", UID_LENGTH, uid,
			      part->text + part->length);

	for (char *at = text; length > 0 && at < text + UID_LENGTH + 4 && *at; at++)
		if (*at == '_')
			*at = '-';
	return length > 0 && (size_t)length < size;
}

const char *cgroup_short(const char *path, char *text, size_t size)
{
	struct part part = { path, 0 }, above = part, pod = part;
	const char *uid = NULL;

	/* the innermost is what runs: a container may have others in it */
	struct part inner = part, inner_above = part;
	const struct runtime *runtime = NULL;

	for (; next_part(&part); above = part) {
		const struct runtime *found = runtime_of(&part);

		if (found) {
			runtime = found;
			inner = part;
			inner_above = above;
		}
		if (pod_of(&part)) {
			uid = pod_of(&part);
			pod = part;
		}
	}
	if (runtime)
		return put_container(runtime, &inner, &inner_above, text, size) ? text : path;
	return uid && put_pod(uid, &pod, text, size) ? text : path;
}

/* ---- selection ---- */

static bool is_id(const char *wanted)
{
	size_t length = strspn(wanted, hex_digits);

	return length >= SHOWN_DIGITS && length <= ID_DIGITS && !wanted[length];
}

/* Report whether one of the directories of @path is the container's. */
static bool has_container(const char *path, const char *wanted)
{
	struct part part = { path, 0 };

	while (next_part(&part)) {
		const struct runtime *runtime = runtime_of(&part);

		if (runtime && !strncmp(part.text + strlen(runtime->before), wanted,
					strlen(wanted)))
			return true;
	}
	return false;
}

bool cgroup_pattern(const char *wanted, FILE *out)
{
	if (!is_id(wanted))
		return false;
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		fprintf(out, "%s%s%s[0-9a-f]{%zu}", i ? "|" : "", runtimes[i].before, wanted,
			ID_DIGITS - strlen(wanted));
		/* a dot that matches only itself */
		for (const char *at = runtimes[i].after; *at; at++)
			fprintf(out, *at == '.' ? "[%c]" : "%c", *at);
	}
	return true;
}

const char *cgroup_subtree(const char *wanted, size_t *length)
{
	static const char mount[] = "/sys/fs/cgroup";

	if (!strncmp(wanted, mount, sizeof(mount) - 1) &&
	    (!wanted[sizeof(mount) - 1] || wanted[sizeof(mount) - 1] == '/'))
		wanted += sizeof(mount) - 1;
	wanted += strspn(wanted, "/");
	*length = strlen(wanted);
	while (*length && wanted[*length - 1] == '/')
		--*length;
	return wanted;
}

bool cgroup_is_below(const char *path, const char *wanted)
{
	size_t length;

	if (is_id(wanted) && has_container(path, wanted))
		return true;
	/* what is not known is no path, and is selected as it is written */
	if (*path != '/')
		return !strcmp(path, wanted);
	path += strspn(path, "/");
	wanted = cgroup_subtree(wanted, &length);
	return !strncmp(path, wanted, length) &&
	       (!length || !path[length] || path[length] == '/');
}

const char *cgroup_doubt(const struct profile *profile)
{
	bool is_known = false;

	for (uint32_t i = 0; i < profile->nr_tasks; i++) {
		const char *cgroup = profile->tasks[i].cgroup;

		if (*cgroup && strcmp(cgroup, "/"))
			return NULL;
		is_known |= *cgroup;
	}
	if (!profile->nr_tasks)
		return NULL;
	return is_known ? "all tasks are in the cgroup /: the machine has no cgroups below it, or cgroup v1 only, which is not shown" :
			  "no task's cgroup is known: only flamemod's own profiles have them, of module and flamectl that both know cgroups";
}

/* ---- names ---- */

struct request {
	cgroup_name_fn name;
	void *context;
};

static const char *name_of(struct profile_map *map, const struct profile_task *task)
{
	const struct request *request = map->context;
	uint64_t number = cgroup_number(task->cgroup);

	return number ? request->name(request->context, number) : task->cgroup;
}

static void name_cgroups(struct profile_map *map)
{
	map->cgroup = name_of;
}

static bool has_numbers(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_tasks; i++)
		if (cgroup_number(profile->tasks[i].cgroup))
			return true;
	return false;
}

int cgroup_name_all(struct profile *profile, cgroup_name_fn name, void *context)
{
	struct request request = { name, context };

	return has_numbers(profile) ? rebuild(profile, name_cgroups, &request) : 0;
}
