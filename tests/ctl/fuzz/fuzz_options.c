// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: runs flamectl's main() with words from the input, one per line. The
 * module, other programs and all files are simulated here, so no command is executed and
 * no file is touched. Whatever the words are, flamectl must end with a documented exit
 * code, and print nothing that controls a terminal.
 */
#include "fuzz.h"

#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/output.h"
#include "cmd/command.h"
#include "cmd/module.h"
#include "format/load.h"
#include "profile/settings.h"
#include "wire/nl.h"

#define WORDS_MAX	48
#define GZIP_FIRST_BYTE	0x1f

void __wrap_exit(int code) __attribute__((noreturn));
void __real_exit(int code) __attribute__((noreturn));
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);
int __wrap_isatty(int fd);
int __wrap_load_profile(const char *path, const struct load_request *request,
			struct notes *notes, struct profile **profile,
			struct error *error);

int __wrap_load_events(const char *path, const struct load_request *request,
		       struct notes *notes, struct events *events,
		       struct error *error);

static jmp_buf on_exit_called;
static volatile bool running;		/* flamectl, not libFuzzer */
static const char *command;		/* the first word */

/* Hostile names, for every text of a profile. */
static const char *const hostile[] = {
	"a\033[31m\033]0;title\a", "b\302\23331m", "c\x9b", "d\xe2\x80\xaegpj.exe",
	"e;f\ng 3", "]]></script><script>alert(1)</script>", "\" onload=\"x",
	"[lost: overload]", "", " ", "&#x1b;[31m",
};

#define NR_HOSTILE	(sizeof(hostile) / sizeof(hostile[0]))

static struct profile *hostile_profile(void)
{
	struct profile *profile = profile_create();
	struct profile_cpu cpu = { .cpu = 0 };

	must(profile);
	profile->meta.period_ns = 1000000;
	strcpy(profile->meta.weight_type, hostile[6]);
	strcpy(profile->meta.weight_unit, hostile[0]);
	strcpy(profile->meta.release, hostile[0]);
	strcpy(profile->meta.host, hostile[1]);
	strcpy(profile->meta.module_version, hostile[3]);
	strcpy(profile->meta.settings.cpus, hostile[0]);
	for (size_t i = 0; i < NR_HOSTILE; i++) {
		struct profile_record record = { .count = 1, .periods = 1 };
		uint32_t frame, object;

		record.context = FLAMEMOD_CONTEXT_TASK;
		must(!profile_add_frame(profile, hostile[i],
					i % __FLAMEMOD_FRAME_MAX, &frame));
		must(!profile_add_node(profile, 0, frame, &record.node));
		must(!profile_add_object(profile, hostile[i],
					 hostile[NR_HOSTILE - 1 - i], &object));
		must(!profile_add_frame_at(profile, i & 1 ? NULL : hostile[i],
					   object, i, &frame));
		must(!profile_add_node(profile, record.node, frame,
				       &record.node));
		must(!profile_add_task(profile, 1, 1, hostile[i],
				       &record.task));
		must(!profile_add_record(profile, &record));
	}
	cpu.books.fires = cpu.books.stored = NR_HOSTILE;
	must(!profile_add_cpu(profile, &cpu));
	return profile;
}

/* ---- the module ---- */

int nl_open(struct nl **nl, struct error *error)
{
	if (!strcmp(command, "stop"))
		return error_set(error, -ENODEV, "module not loaded");
	*nl = (struct nl *)&command;
	return 0;
}

/* Nothing is loaded, but the result may say so. */
int module_open(struct nl **nl, bool may_load, char said[MODULE_SAID_MAX],
		struct error *error)
{
	strcpy(said, may_load ? "loaded flamemod, as installed" : "");
	return nl_open(nl, error);
}

int module_open_sampling(struct nl **nl, bool may_load,
			 char said[MODULE_SAID_MAX], struct error *error)
{
	return module_open(nl, may_load, said, error);
}

const char *module_root(void)
{
	return "";
}

/* doctor asks it. */
int module_loadable(const char *root, struct error *error)
{
	return error_set(error, -ENODEV, "not on %s: %s", root, hostile[1]);
}

void nl_close(struct nl *nl)
{
	(void)nl;
}

void nl_interrupt(struct nl *nl, const volatile sig_atomic_t *flag)
{
	(void)nl;
	(void)flag;
}

/* A recording ends here, before the command runs. */
int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	if (!strcmp(command, "record"))
		return error_set(error, -EPERM, "not permitted: %s", hostile[0]);
	*profile = hostile_profile();
	return 0;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error)
{
	(void)nl;
	(void)reset;
	(void)error;
	*profile = hostile_profile();
	return 0;
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	(void)epoch;
	return nl_dump(nl, reset, profile, error);
}

/* Check that requests are within the module's limits, and the same as text. */
static int take_settings(const struct profile_settings *settings,
			 unsigned int mask)
{
	for (unsigned int i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++) {
		struct profile_settings again = { 0 };
		char value[1100], assignment[1200];
		unsigned int one = 0;
		struct error error;

		if (!(mask & 1U << (i - 1)))
			continue;
		settings_value(settings, i, value, sizeof(value));
		snprintf(assignment, sizeof(assignment), "%s=%s",
			 settings_name(i), value);
		must(!settings_assign(&again, &one, assignment, &error));
		must(one == 1U << (i - 1));
	}
	must(!(mask & SETTING(HZ)) || (settings->hz >= 1 &&
				       settings->hz <= FLAMEMOD_HZ_MAX));
	must(settings->nr_pids <= FLAMEMOD_PIDS_MAX);
	return 0;
}

void nl_own(struct nl *nl)
{
	(void)nl;
}

int nl_follow(struct nl *nl, pid_t pid, struct error *error)
{
	(void)nl;
	(void)pid;
	return error_set(error, -ENODEV, "module not loaded");
}

int nl_start(struct nl *nl, const struct profile_settings *settings,
	     unsigned int mask, struct error *error)
{
	(void)nl;
	(void)error;
	return take_settings(settings, mask);
}

int nl_set(struct nl *nl, const struct profile_settings *settings,
	   unsigned int mask, struct error *error)
{
	(void)nl;
	(void)error;
	must(mask);
	return take_settings(settings, mask);
}

int nl_end(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	return 0;
}

int nl_stop(struct nl *nl, struct error *error)
{
	(void)nl;
	return error_set(error, -EALREADY, "not sampling");
}

int nl_reset(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	return 0;
}

/* Check that what is attached is within the module's limits. */
int nl_attach(struct nl *nl, const struct nl_source *source, struct error *error)
{
	(void)nl;
	must(source->events ? source->events >= 2 && source->events <= 14 :
			      source->nr_probes);
	must(source->nr_probes <= FLAMEMOD_SOURCES_MAX);
	for (unsigned int i = 0; i < source->nr_probes; i++)
		must(source->probes[i].nr_conditions <= FLAMEMOD_CONDITIONS_MAX &&
		     strlen(source->probes[i].target) < FLAMEMOD_FUNCTION_BYTES_MAX);
	must(source->min_us <= 3600000000U && source->states < 1U << __FLAMEMOD_TASK_STATE_MAX);
	must(source->nr_pids <= FLAMEMOD_PIDS_MAX);
	return error_set(error, -EBUSY, "%s", hostile[0]);
}

int nl_detach(struct nl *nl, struct error *error)
{
	(void)nl;
	(void)error;
	return 0;
}

int nl_dump_events(struct nl *nl, struct events *events, struct error *error)
{
	(void)nl;
	(void)error;
	events->nr = 0;
	return 0;
}

/* An older module does not know this. */
int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error)
{
	(void)nl;
	(void)first;
	(void)profile;
	return error_set(error, -EINVAL, "unknown attribute");
}

int nl_dump_ended(struct nl *nl, struct events *events, struct error *error)
{
	return nl_dump_events(nl, events, error);
}

int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error)
{
	(void)epoch;
	return nl_dump_events(nl, events, error);
}

int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error)
{
	(void)epoch;
	return nl_status(nl, profile, error);
}

bool nl_attached(const struct nl *nl)
{
	(void)nl;
	return false;
}

/* ---- other programs ---- */

int child_create(struct child *child, char **argv, struct error *error)
{
	(void)child;
	(void)argv;
	(void)error;
	must(!"a command is executed");
	return -1;
}

int child_go(struct child *child, char **argv, struct error *error)
{
	return child_create(child, argv, error);
}

bool child_ended(struct child *child)
{
	(void)child;
	return true;
}

int child_exit_code(const struct child *child)
{
	(void)child;
	return 0;
}

void child_abandon(struct child *child)
{
	(void)child;
}

/* ---- files ---- */

static struct fuzz_bytes written;

int output_spares(const char *path, const char *const *inputs, size_t nr,
		  struct error *error)
{
	for (size_t i = 0; i < nr; i++)
		if (path && inputs[i] && strcmp(path, "-") &&
		    !strcmp(path, inputs[i]))
			return error_set(error, -EEXIST, "%s: %s", path,
					 inputs[i]);
	return 0;
}

int output_check_link(const char *path, struct error *error)
{
	(void)error;
	must(path);
	return 0;
}

int output_open(struct output *output, const char *path, struct error *error)
{
	memset(output, 0, sizeof(*output));
	output->name = path ? path : "stdout";
	if (!path || !strcmp(path, "-")) {
		output->name = "stdout";
		output->stream = stdout;
		return 0;
	}
	if (*path == '/')
		return error_set(error, -EACCES, "%s: %s", path,
				 strerror(EACCES));
	output->stream = open_memstream(&written.bytes, &written.size);
	must(output->stream);
	return 0;
}

int output_open_private(struct output *output, const char *path,
			struct error *error)
{
	return output_open(output, path, error);
}

void output_discard(struct output *output)
{
	if (output->stream && output->stream != stdout) {
		must(!fclose(output->stream));
		free(written.bytes);
	}
	memset(output, 0, sizeof(*output));
}

int output_commit(struct output *output, struct error *error)
{
	(void)error;
	must(!fflush(output->stream));
	output_discard(output);
	return 0;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	static const char folded[] = "a\033[1m;b 1\n";

	if (!running)
		return __real_fopen(path, mode);
	must(*mode == 'r');
	if (strchr(path, 'f'))
		return fmemopen((void *)folded, sizeof(folded) - 1, "r");
	errno = ENOENT;
	return NULL;
}

int __wrap_load_profile(const char *path, const struct load_request *request,
			struct notes *notes, struct profile **profile,
			struct error *error)
{
	(void)request;
	(void)notes;
	if (!strchr(path, 'f'))
		return error_set(error, -ENOENT, "%.400s: %s", path,
				 strerror(ENOENT));
	*profile = hostile_profile();
	return 0;
}

/* Two events, also with hostile names. */
int __wrap_load_events(const char *path, const struct load_request *request,
		       struct notes *notes, struct events *events,
		       struct error *error)
{
	struct profile *profile;
	int err = __wrap_load_profile(path, request, notes, &profile, error);

	if (err)
		return err;
	events->nr = 0;
	must(!events_add(events, hostile[0], profile));
	if (!request->import.event)
		must(!events_add(events, hostile[6], hostile_profile()));
	return 0;
}

int __wrap_isatty(int fd)
{
	(void)fd;
	return 0;
}

void __wrap_exit(int code)
{
	if (!running)
		__real_exit(code);
	longjmp(on_exit_called, code + 1);
}

/* ---- the command line ---- */

static int run(int argc, char **argv)
{
	int code = setjmp(on_exit_called);

	running = true;
	code = code ? code - 1 : flamectl_main(argc, argv);
	running = false;
	return code;
}

/* Check the answer to another tool's word: one line, "flamectl: WORD: ANSWER". */
static bool is_answer(const char *text)
{
	const char *line_end = strchr(text, '\n');

	return !strncmp(text, "flamectl: ", 10) && strstr(text + 10, ": ") &&
	       line_end && !line_end[1];
}

static void check(int code, const struct fuzz_bytes *out,
		  const struct fuzz_bytes *err)
{
	must(code >= EXIT_DONE && code <= EXIT_NO_MODULE);
	/* a saved profile is no text */
	if (*out->bytes != GZIP_FIRST_BYTE)
		fuzz_terminal(out->bytes, out->size);
	fuzz_terminal(err->bytes, err->size);
	if (code == EXIT_USAGE)
		must(!out->size && (strstr(err->bytes, "usage: flamectl") ||
				    is_answer(err->bytes)));
	else if (code != EXIT_DONE && strcmp(command, "doctor"))
		must(!strncmp(err->bytes, "flamectl: ", 10));
	else	/* notes about a result, such as ignored lines */
		must(!err->size || !strncmp(err->bytes, "flamectl: ", 10));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char graph[] = "a;b 1\n";
	char *words = malloc(size + 1), *argv[WORDS_MAX + 2], *next = words;
	FILE *out = stdout, *err = stderr, *in = stdin;
	struct fuzz_bytes printed, complained;
	int argc = 1, code;

	must(words);
	memcpy(words, data, size);
	words[size] = '\0';
	argv[0] = (char *)"flamectl";
	while (next && argc <= WORDS_MAX)
		argv[argc++] = strsep(&next, "\n");
	argv[argc] = NULL;
	command = argv[1];
	/* The agent runs until a signal ends it, and keeps files. */
	if (argc > 1 && !strcmp(command, "agent")) {
		free(words);
		return -1;
	}
	stdout = open_memstream(&printed.bytes, &printed.size);
	stderr = open_memstream(&complained.bytes, &complained.size);
	stdin = fmemopen((void *)graph, sizeof(graph) - 1, "r");
	must(stdout && stderr && stdin);
	optind = 0;		/* getopt begins anew */
	code = run(argc, argv);
	fclose(stdout);
	fclose(stderr);
	fclose(stdin);
	stdout = out;
	stderr = err;
	stdin = in;
	check(code, &printed, &complained);
	free(printed.bytes);
	free(complained.bytes);
	free(words);
	return 0;
}

/* doctor examines a machine without files. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return setenv("FLAMECTL_ROOT", "/nonexistent", 1);
}
