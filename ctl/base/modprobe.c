// SPDX-License-Identifier: GPL-2.0
/*
 * Find out whether a module is installed or blacklisted: see modprobe.h.
 *
 * This file reads the blacklist itself to name the file and line: libkmod and
 * modprobe report only that a module is blacklisted, or nothing at all.
 */
#include "base/modprobe.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES	4096
#define SPACES		" \t\n"

/* The directories of modprobe.d(5). */
static const char *const directories[] = {
	"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d",
	"/usr/lib/modprobe.d", "/lib/modprobe.d",
};

static FILE *open_below(const char *root, const char *directory,
			const char *name)
{
	char path[PATH_BYTES];

	if (snprintf(path, sizeof(path), "%s%s/%s", root, directory, name) >=
	    (int)sizeof(path))
		return NULL;
	return fopen(path, "re");
}

void modprobe_release(const char *root, char release[MODPROBE_RELEASE_MAX])
{
	FILE *stream = open_below(root, "/proc/sys/kernel", "osrelease");

	if (!stream || !fgets(release, MODPROBE_RELEASE_MAX, stream))
		*release = '\0';
	release[strcspn(release, SPACES)] = '\0';
	if (stream)
		fclose(stream);
}

/* Match a line of modules.dep: "updates/dkms/flamemod.ko.xz: ..." */
static bool is_of_module(const char *line, const char *name)
{
	const char *end = line + strcspn(line, ":"), *base = line, *at;

	for (at = line; at < end; at++)
		if (*at == '/')
			base = at + 1;
	return !strncmp(base, name, strlen(name)) &&
	       !strncmp(base + strlen(name), ".ko", 3);
}

bool modprobe_installed(const char *root, const char *name)
{
	char release[MODPROBE_RELEASE_MAX], directory[256], *line = NULL;
	bool installed = false;
	size_t size = 0;
	FILE *stream;

	modprobe_release(root, release);
	snprintf(directory, sizeof(directory), "/lib/modules/%s", release);
	stream = open_below(root, directory, "modules.dep");
	if (!stream)
		return false;
	while (!installed && getline(&line, &size, stream) > 0)
		installed = is_of_module(line, name);
	free(line);
	fclose(stream);
	return installed;
}

/* Return: the number of the line that blacklists @name, from 1, or 0. */
static unsigned int blacklisting_line(FILE *stream, const char *name)
{
	unsigned int number = 0, found = 0;
	char *line = NULL;
	size_t size = 0;

	while (!found && getline(&line, &size, stream) > 0) {
		char *rest = line, *verb;

		number++;
		while ((verb = strsep(&rest, SPACES)) && !*verb)
			continue;
		if (!verb || strcmp(verb, "blacklist"))
			continue;
		while ((verb = strsep(&rest, SPACES)) && !*verb)
			continue;
		if (verb && !strcmp(verb, name))
			found = number;
	}
	free(line);
	return found;
}

static int is_configuration(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".conf");
}

static bool blacklisted_below(const char *root, const char *directory,
			      const char *name, char *where, size_t size)
{
	unsigned int line = 0;
	struct dirent **entries;
	char path[PATH_BYTES];
	FILE *stream;
	int nr, i;

	snprintf(path, sizeof(path), "%s%s", root, directory);
	nr = scandir(path, &entries, is_configuration, alphasort);
	if (nr < 0)
		return false;
	for (i = 0; i < nr; i++) {
		stream = line ? NULL : open_below(root, directory, entries[i]->d_name);
		if (stream) {
			line = blacklisting_line(stream, name);
			fclose(stream);
		}
		if (stream && line)
			snprintf(where, size, "%s/%s, line %u", directory,
				 entries[i]->d_name, line);
		free(entries[i]);
	}
	free(entries);
	return line;
}

/* Look for modprobe.blacklist=NAME,NAME on the kernel's command line. */
static bool blacklisted_at_boot(const char *root, const char *name)
{
	static const char key[] = "modprobe.blacklist=";
	char line[4096], *rest = line, *word, *one;
	FILE *stream = open_below(root, "/proc", "cmdline");
	bool found = false;

	if (!stream)
		return false;
	if (!fgets(line, sizeof(line), stream))
		*line = '\0';
	fclose(stream);
	while (!found && (word = strsep(&rest, SPACES))) {
		if (strncmp(word, key, sizeof(key) - 1))
			continue;
		word += sizeof(key) - 1;
		while (!found && (one = strsep(&word, ",")))
			found = !strcmp(one, name);
	}
	return found;
}

bool modprobe_blacklisted(const char *root, const char *name, char *where,
			  size_t size)
{
	size_t i;

	if (blacklisted_at_boot(root, name)) {
		snprintf(where, size, "the kernel's command line, modprobe.blacklist=");
		return true;
	}
	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (blacklisted_below(root, directories[i], name, where, size))
			return true;
	return false;
}
