// SPDX-License-Identifier: GPL-2.0
/*
 * Collect how a profile was made and on what machine: see origin.h.
 *
 * If a file cannot be read, its fact is left out: the profile is useful without
 * it. Texts are kept as they are and may hold any bytes; code that shows them
 * must clean them.
 */
#include "profile/origin.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/shell_word.h"
#include "base/utf8.h"

#define NSEC_PER_SEC	1000000000LL
#define PATH_BYTES	4096

/* Read up to @size - 1 bytes of a file, add a NUL. Return: how many bytes. */
static size_t read_text(const char *root, const char *path, char *text,
			size_t size)
{
	char full[PATH_BYTES];
	size_t used = 0;
	ssize_t got = 1;
	int fd;

	snprintf(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && got > 0 && used < size - 1) {
		got = read(fd, text + used, size - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	text[used] = '\0';
	return used;
}

/*
 * Find the first line "KEY   : VALUE", as in /proc/cpuinfo, and copy its value.
 */
static void find_line(const char *text, const char *key, char *value,
		      size_t size)
{
	const char *line = text;

	for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t length = strlen(key), end = strcspn(line, "\n");

		if (strncmp(line, key, length))
			continue;
		length += strspn(line + length, " \t");
		if (line[length] != ':')
			continue;
		length++;
		length += strspn(line + length, " \t");
		if (length < end)
			snprintf(value, size, "%.*s", (int)(end - length),
				 line + length);
		return;
	}
}

/*
 * Try the names that architectures use for the model; arm64 has only numbers.
 */
static void collect_cpu(struct profile_origin *origin, const char *root)
{
	static const char *const keys[] = {
		"model name", "cpu model", "cpu", "uarch", "Processor",
	};
	size_t size = sizeof(origin->cpu_model);
	char text[4096];

	read_text(root, "/proc/cpuinfo", text, sizeof(text));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!*origin->cpu_model)
			find_line(text, keys[i], origin->cpu_model, size);
	if (!*origin->cpu_model &&
	    read_text(root, "/proc/device-tree/model", text, sizeof(text)))
		snprintf(origin->cpu_model, size, "%.127s", text);
}

static uint64_t read_number(const char *root, const char *path)
{
	char text[32];

	read_text(root, path, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

static void collect_memory(struct profile_origin *origin, const char *root)
{
	char text[512], value[32] = "";

	read_text(root, "/proc/meminfo", text, sizeof(text));
	find_line(text, "MemTotal", value, sizeof(value));
	origin->memory_bytes = strtoull(value, NULL, 10) << 10;
}

/* Read /proc/self/cmdline: words that each end with a NUL. */
static void collect_cmdline(struct profile_origin *origin)
{
	char text[2 * PROFILE_COMMAND_MAX], *argv[PROFILE_COMMAND_MAX], *at;
	size_t size = read_text("", "/proc/self/cmdline", text, sizeof(text));
	size_t nr = 0;

	for (at = text; at < text + size && nr < PROFILE_COMMAND_MAX - 1;
	     at += strlen(at) + 1)
		argv[nr++] = at;
	argv[nr] = NULL;
	if (nr) {
		/* drop the directory: do not disclose where it is installed */
		at = strrchr(argv[0], '/');
		argv[0] = at && at[1] ? at + 1 : argv[0];
	}
	origin_command(origin->cmdline, argv);
}

static void collect_boot_id(struct profile_origin *origin, const char *root)
{
	read_text(root, "/proc/sys/kernel/random/boot_id", origin->boot_id,
		  sizeof(origin->boot_id));
	origin->boot_id[strcspn(origin->boot_id, "\n")] = '\0';
}

void origin_collect(struct profile_origin *origin, const char *root)
{
	static const char parameters[] = "/sys/module/flamemod/parameters";
	char path[sizeof(parameters) + 32];
	struct utsname system;
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(origin, 0, sizeof(*origin));
	if (!uname(&system)) {
		snprintf(origin->arch, sizeof(origin->arch), "%.31s",
			 system.machine);
		snprintf(origin->build, sizeof(origin->build), "%.65s", system.version);
	}
	origin->nr_cpus = nr_cpus > 0 ? (uint64_t)nr_cpus : 0;
	collect_cpu(origin, root);
	collect_memory(origin, root);
	collect_cmdline(origin);
	collect_boot_id(origin, root);
	snprintf(path, sizeof(path), "%s/cpu_kb", parameters);
	origin->cpu_kb = read_number(root, path);
	snprintf(path, sizeof(path), "%s/aggregate_kb", parameters);
	origin->aggregate_kb = read_number(root, path);
}

void origin_command(char text[PROFILE_COMMAND_MAX], char *const *argv)
{
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	*text = '\0';
	for (size_t i = 0; out && argv[i]; i++) {
		if (i)
			putc(' ', out);
		shell_put_word(out, argv[i]);
	}
	if (out && !fclose(out)) {
		utf8_cut(all, PROFILE_COMMAND_MAX - 1);
		snprintf(text, PROFILE_COMMAND_MAX, "%s", all);
	}
	free(all);
}

/* ---- what several have in common ---- */

static void keep_text(char *kept, const char *other)
{
	if (strcmp(kept, other))
		*kept = '\0';
}

static void keep_number(uint64_t *kept, uint64_t other)
{
	if (*kept != other)
		*kept = 0;
}

void origin_merge(struct profile_origin *sum,
		  const struct profile_origin *other)
{
	keep_text(sum->command, other->command);
	keep_text(sum->cmdline, other->cmdline);
	keep_text(sum->cpu_model, other->cpu_model);
	keep_text(sum->arch, other->arch);
	keep_text(sum->build, other->build);
	keep_text(sum->boot_id, other->boot_id);
	keep_number(&sum->nr_cpus, other->nr_cpus);
	keep_number(&sum->memory_bytes, other->memory_bytes);
	keep_number(&sum->cpu_kb, other->cpu_kb);
	keep_number(&sum->aggregate_kb, other->aggregate_kb);
}

/* ---- in words ---- */

const char *origin_time(char text[ORIGIN_DATE], int64_t time_ns)
{
	time_t seconds = time_ns / NSEC_PER_SEC;
	struct tm date;

	*text = '\0';
	if (time_ns > 0 && gmtime_r(&seconds, &date))
		strftime(text, ORIGIN_DATE, "%Y-%m-%d %H:%M:%S UTC", &date);
	return text;
}

const char *origin_date(char text[ORIGIN_DATE],
			const struct profile_meta *meta)
{
	return origin_time(text, meta->time_ns);
}

/* Write "pid 12" or "pids 12,13" if the recording kept only these. */
static void put_pids(FILE *out, const struct profile_settings *settings)
{
	for (unsigned int i = 0; i < settings->nr_pids; i++)
		fprintf(out, "%s%" PRIu32, i ? "," :
			settings->nr_pids > 1 ? " of pids " : " of pid ",
			settings->pids[i]);
}

const char *origin_graph(char text[ORIGIN_GRAPH], const struct profile *profile,
			 const char *graph, bool is_text)
{
	const char *event = profile ? profile_event(&profile->meta) : "";

	snprintf(text, ORIGIN_GRAPH, "%s%s%s", *event ? event : is_text ? "" :
		 "Kernel", *event || !is_text ? " " : "", graph);
	if (is_text && !*event)
		text[0] = (char)toupper((unsigned char)text[0]);
	return text;
}

const char *origin_title(char text[ORIGIN_TEXT], const struct profile *profile,
			 const char *graph)
{
	const struct profile_meta *meta = profile ? &profile->meta : NULL;
	FILE *out = fmemopen(text, ORIGIN_TEXT, "w");
	const char *between = ", ";
	char date[ORIGIN_DATE];

	*text = '\0';
	if (!out || !meta) {
		if (out)
			fclose(out);
		snprintf(text, ORIGIN_TEXT, "%s", graph);
		return text;
	}
	if (*meta->origin.command) {
		if (*profile_event(meta))
			fprintf(out, "%s of ", profile_event(meta));
		fputs(meta->origin.command, out);
	} else {
		fputs(graph, out);
		put_pids(out, &meta->settings);
	}
	if (*meta->host)
		fprintf(out, " on %s", meta->host);
	if (*meta->release)
		fprintf(out, "%s%s", between, meta->release);
	if (*origin_date(date, meta))
		fprintf(out, "%s%.10s", between, date);
	fclose(out);
	return text;
}

const char *origin_machine(char text[ORIGIN_TEXT],
			   const struct profile_origin *origin)
{
	char cpus[32] = "", memory[32] = "";
	const char *parts[] = { origin->cpu_model, cpus, memory, origin->arch };
	double gib = (double)origin->memory_bytes / (1 << 30);
	size_t used = 0;

	if (origin->nr_cpus)
		snprintf(cpus, sizeof(cpus), "%" PRIu64 " CPU%s",
			 origin->nr_cpus, origin->nr_cpus > 1 ? "s" : "");
	if (origin->memory_bytes)
		snprintf(memory, sizeof(memory), gib < 1 ? "%.0f MiB" :
			 "%.1f GiB", gib < 1 ? gib * 1024 : gib);
	*text = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (*parts[i])
			used += (size_t)snprintf(text + used,
						 ORIGIN_TEXT - used, "%s%s",
						 used ? ", " : "", parts[i]);
	return text;
}

uint32_t origin_nr_cpus(const struct profile *profile)
{
	uint32_t summed = profile->meta.nr_summed_cpus;

	return summed > profile->nr_cpus ? summed : profile->nr_cpus;
}

const char *origin_cpus(char text[ORIGIN_CPUS], const struct profile *profile)
{
	uint64_t all = profile->meta.origin.nr_cpus;
	uint32_t nr = origin_nr_cpus(profile);

	if (nr < all)
		snprintf(text, ORIGIN_CPUS, "%" PRIu32 " of %" PRIu64 " CPUs", nr, all);
	else
		snprintf(text, ORIGIN_CPUS, "%" PRIu32 " CPU%s", nr, nr == 1 ? "" : "s");
	return text;
}
