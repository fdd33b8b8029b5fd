// SPDX-License-Identifier: GPL-2.0
/*
 * Read calls recorded by the kernel's function_graph tracer, as trace-cmd
 * report prints them, or as the kernel's own file "trace" has them:
 *
 *   cat-12 [001]  5.100: funcgraph_entry:               |  vfs_read() {
 *   cat-12 [001]  5.101: funcgraph_entry:    0.198 us   |    fput();
 *   cat-12 [001]  5.102: funcgraph_exit:   ! 155.2 us   |  }
 *
 *    1)   cat-12    |               |  vfs_read() {
 *    1)   0.198 us    |    fput();
 *    1) ! 155.2 us    |  }
 *
 * A call's weight is its duration in ns, minus that of the calls below it. Each
 * task has its own stack of calls, and the lines of several tasks are mixed. A
 * name's indentation is its depth. It shows which calls are missing, because
 * events were lost or because the trace starts within a call.
 */
#include "format/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_MAX	1024		/* CPUs whose last task is remembered */
#define COMM_BYTES	64

/* A call that has not returned; its name is a frame of the profile. */
struct call {
	uint32_t frame;
	uint64_t below_ns;		/* of calls below it, so far */
};

struct task {
	char comm[COMM_BYTES];
	uint32_t tid, cpu;		/* cpu: tells idle tasks apart */
	struct call *calls;
	size_t nr_calls, room;
};

struct graph {
	struct import import;
	struct task *tasks;
	size_t nr_tasks, room;
	size_t last[CPUS_MAX];		/* by CPU: its task's index + 1, or 0 */
	uint64_t nr_lost;		/* events */
	uint64_t nr_no_entry;		/* returns whose entry is missing */
};

/* The fields of a line. */
struct event {
	const char *comm, *from_comm;	/* from: leaves the CPU, or NULL */
	uint32_t tid, from_tid, cpu;
	bool has_task;
	char *body;			/* what follows the "|" */
	uint64_t ns;
	bool has_duration;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int no_memory(struct graph *graph)
{
	return error_set(graph->import.error, -ENOMEM, "%s", strerror(ENOMEM));
}

/* ---- tasks ---- */

static bool is_task(const struct task *task, const struct event *event)
{
	return task->tid == event->tid && !strcmp(task->comm, event->comm) &&
	       (event->tid || task->cpu == event->cpu);
}

/* Name a CPU's first task, which becomes known when it leaves. */
static void name_task(struct task *task, const struct event *event)
{
	if (*task->comm || task->tid)
		return;
	snprintf(task->comm, COMM_BYTES, "%s", event->from_comm);
	task->tid = event->from_tid;
}

static int find_task(struct graph *graph, const struct event *event,
		     struct task **task)
{
	size_t *last = &graph->last[event->cpu % CPUS_MAX], i = *last;
	struct task *moved;

	if (i && event->from_comm)
		name_task(&graph->tasks[i - 1], event);
	if (i && (!event->has_task ||
		  is_task(&graph->tasks[i - 1], event))) {
		*task = &graph->tasks[i - 1];
		return 0;
	}
	for (i = 0; i < graph->nr_tasks; i++)
		if (is_task(&graph->tasks[i], event))
			break;
	if (i == graph->room) {
		graph->room = graph->room ? 2 * graph->room : 64;
		moved = reallocarray(graph->tasks, graph->room, sizeof(*moved));
		if (!moved)
			return no_memory(graph);
		graph->tasks = moved;
	}
	*task = &graph->tasks[i];
	*last = i + 1;
	if (i < graph->nr_tasks)
		return 0;
	graph->nr_tasks++;
	memset(*task, 0, sizeof(**task));
	snprintf((*task)->comm, COMM_BYTES, "%s", event->comm);
	(*task)->tid = event->tid;
	(*task)->cpu = event->cpu;
	return 0;
}

/* ---- calls ---- */

static int push_call(struct graph *graph, struct task *task, const char *name)
{
	unsigned int kind = FLAMEMOD_FRAME_KERNEL;
	struct call *moved;
	int err;

	if (strstr(name, " ["))
		kind = FLAMEMOD_FRAME_MODULE;
	else if (*name == '[')
		kind = FLAMEMOD_FRAME_MARK;
	if (task->nr_calls == task->room) {
		task->room = task->room ? 2 * task->room : 32;
		moved = reallocarray(task->calls, task->room, sizeof(*moved));
		if (!moved)
			return no_memory(graph);
		task->calls = moved;
	}
	err = profile_add_frame(graph->import.profile, name, kind,
				&task->calls[task->nr_calls].frame);
	if (err)
		return error_set(graph->import.error, err, "%s", strerror(-err));
	task->calls[task->nr_calls++].below_ns = 0;
	return 0;
}

/* Return from the innermost call, whose duration is @ns. */
static int pop_call(struct graph *graph, struct task *task, uint32_t cpu,
		    uint64_t ns)
{
	struct import *import = &graph->import;
	const struct profile *profile = import->profile;
	struct import_sample sample = {
		.comm = task->comm, .tid = task->tid, .cpu = cpu,
		.count = 1, .context = -1,
	};
	struct call *call = &task->calls[task->nr_calls - 1];
	int err = 0;

	sample.periods = ns > call->below_ns ? ns - call->below_ns : 0;
	for (size_t i = 0; i < task->nr_calls && !err && sample.periods; i++) {
		const struct profile_frame *frame =
			&profile->frames[task->calls[i].frame];

		err = import_push(import, frame->name, frame->kind);
	}
	task->nr_calls--;
	if (task->nr_calls)
		call[-1].below_ns += ns;
	if (err || !sample.periods)
		return err;
	return import_add(import, &sample);
}

/*
 * Make the next call be at @depth; calls that are missing become "[unknown]".
 */
static int set_depth(struct graph *graph, struct task *task, size_t depth)
{
	int err = 0;

	if (task->nr_calls > depth)
		task->nr_calls = depth;
	while (task->nr_calls < depth && !err)
		err = push_call(graph, task, "[unknown]");
	return err;
}

/* ---- lines ---- */

/* Read "! 155.2 us" or blanks; the mark repeats how long it is. */
static bool read_duration(char *text, struct event *event)
{
	char *end, *digits;
	uint64_t whole, fraction = 0, scale = 1000;

	text += strspn(text, " \t");
	if (*text && strchr("+!#*@$", *text))
		text += 1 + strspn(text + 1, " \t");
	if (!*text)
		return true;
	digits = text;
	text += strspn(text, "0123456789");
	if (text == digits || text - digits > 15)
		return false;
	whole = strtoull(digits, NULL, 10);
	if (*text == '.') {
		for (text++; is_digit(*text) && scale > 1; text++) {
			scale /= 10;
			fraction += (uint64_t)(*text - '0') * scale;
		}
		text += strspn(text, "0123456789");
	}
	end = text + strspn(text, " \t");
	if (strncmp(end, "us", 2) || end[2 + strspn(end + 2, " \t")])
		return false;
	event->ns = whole * 1000 + fraction;
	event->has_duration = true;
	return true;
}

/* Read "cat-12": the number follows the last dash. */
static bool read_task(char *text, struct event *event)
{
	char *end = text + strlen(text), *dash;
	uint64_t tid;

	text += strspn(text, " \t");
	while (end > text && strchr(" \t", end[-1]))
		*--end = '\0';
	dash = strrchr(text, '-');
	if (!dash || dash == text || import_number(dash + 1, &tid) ||
	    tid > UINT32_MAX)
		return false;
	*dash = '\0';
	event->comm = text;
	if (!tid && (!strcmp(text, "<idle>") || !strncmp(text, "idle", 4)))
		event->comm = "swapper";
	event->tid = (uint32_t)tid;
	event->has_task = true;
	return true;
}

/* Read "TASK-TID [CPU] FLAGS TIME: funcgraph_entry: DURATION | CALL". */
static bool read_report(char *line, struct event *event)
{
	char *name = strstr(line, " funcgraph_e"), *bar, *at, *cpu = NULL;
	size_t digits;

	if (!name)
		return false;
	bar = strchr(name, '|');
	name = strchr(name, ':');
	if (!bar || !name || name > bar)
		return false;
	/* the last brackets are the CPU's, as a comm may contain brackets */
	*name = '\0';
	for (at = strchr(line, '['); at; at = strchr(at + 1, '[')) {
		digits = strspn(at + 1, "0123456789");
		if (digits && digits < 6 && at[1 + digits] == ']' &&
		    at > line && strchr(" \t", at[-1]))
			cpu = at;
	}
	if (!cpu)
		return false;
	event->cpu = (uint32_t)strtoul(cpu + 1, NULL, 10);
	cpu[-1] = '\0';
	*bar = '\0';
	event->body = bar + 1;
	return read_task(line, event) && read_duration(name + 1, event);
}

/* Read " 1)  cat-12    => sh-13": the CPU switches to another task. */
static bool read_switch(char *text, struct event *event)
{
	char *arrow = strstr(text, "=>");

	if (!arrow || strchr(text, '|'))
		return false;
	event->body = NULL;
	*arrow = '\0';
	if (read_task(text, event)) {
		event->from_comm = event->comm;
		event->from_tid = event->tid;
	}
	return read_task(arrow + 2, event);
}

/*
 * Read " 1) TASK-TID | DURATION | CALL"; TASK-TID is printed only on request.
 */
static bool read_trace(char *line, struct event *event)
{
	char *end, *bar, *text = line + strspn(line, " \t");
	uint64_t cpu;

	end = text + strspn(text, "0123456789");
	if (end == text || *end != ')')
		return false;
	*end = '\0';
	if (import_number(text, &cpu) || cpu > UINT16_MAX)
		return false;
	event->cpu = (uint32_t)cpu;
	text = end + 1;
	if (read_switch(text, event))
		return true;
	bar = strchr(text, '|');
	if (!bar)
		return false;
	*bar = '\0';
	if (strchr(text, '-') && read_task(text, event)) {
		text = bar + 1;
		bar = strchr(text, '|');
		if (!bar)
			return false;
		*bar = '\0';
	}
	event->body = bar + 1;
	return read_duration(text, event);
}

/* Count events from "CPU:1 [LOST 5 EVENTS]" or "CPU 1 [5 EVENTS DROPPED]". */
static bool read_lost(struct graph *graph, const char *line)
{
	const char *lost = strstr(line, "[LOST ");
	const char *dropped = strstr(line, " EVENTS DROPPED]");

	if (!lost && !dropped)
		return false;
	if (lost) {
		graph->nr_lost += strtoull(lost + 6, NULL, 10);
		return true;
	}
	while (dropped > line && is_digit(dropped[-1]))
		dropped--;
	graph->nr_lost += strtoull(dropped, NULL, 10);
	return true;
}

/*
 * Read "vfs_read() {", "fput();" or "}". Each level is indented by two blanks,
 * the outermost too.
 */
static int read_call(struct graph *graph, struct task *task,
		     struct event *event)
{
	char *text = event->body + strspn(event->body, " "), *end;
	size_t depth = (size_t)(text - event->body);
	bool is_leaf;
	int err;

	depth = depth < 2 ? 0 : (depth - 2) / 2;
	if (*text == '}') {
		if (task->nr_calls <= depth) {
			graph->nr_no_entry++;
			return 0;
		}
		task->nr_calls = depth + 1;
		return event->has_duration ?
		       pop_call(graph, task, event->cpu, event->ns) : 0;
	}
	end = strchr(text, '(');
	/* "===> irq", and comments that the traced code writes */
	if (!end || end == text || strchr("/=<", *text))
		return 0;
	is_leaf = event->has_duration;
	*end = '\0';
	err = set_depth(graph, task, depth) ?: push_call(graph, task, text);
	if (err || !is_leaf)
		return err;
	return pop_call(graph, task, event->cpu, event->ns);
}

/*
 * Recognise other trace-cmd lines: its head, "TASK-TID [CPU] TIME: NAME: ...".
 */
static bool is_other(const char *line)
{
	return !strncmp(line, "cpus=", 5) || !strncmp(line, " ---", 4) ||
	       !strncmp(line, "version = ", 10) ||
	       (strchr(line, '[') && strstr(line, ": "));
}

static int read_line(struct import *import, void *state)
{
	struct graph *graph = state;
	struct event event = { .comm = "" };
	char copy[512], *line = import->line;
	struct task *task = NULL;
	int err;

	if (*line == '#' || !line[strspn(line, " \t-")])
		return 0;
	if (read_lost(graph, line) || strstr(line, "==========")) {
		import_read(import);
		return 0;
	}
	/* keep a copy, to report an ignored line as it was */
	snprintf(copy, sizeof(copy), "%s", line);
	if (!read_report(line, &event) && !read_trace(line, &event)) {
		import->line = copy;
		if (is_other(copy)) {
			import_read(import);
			return 0;
		}
		return import_ignore(import, "is not a call of function_graph");
	}
	import_read(import);
	err = find_task(graph, &event, &task);
	return err || !event.body ? err : read_call(graph, task, &event);
}

static void note_all(struct graph *graph)
{
	struct notes *notes = graph->import.options->notes;
	uint64_t nr_open = 0;

	for (size_t i = 0; i < graph->nr_tasks; i++)
		nr_open += graph->tasks[i].nr_calls;
	if (graph->nr_lost)
		notes_add(notes, "the trace lost %ju events",
			  (uintmax_t)graph->nr_lost);
	if (graph->nr_no_entry || nr_open)
		notes_add(notes, "left out %ju calls that started before the trace, and %ju that did not end in it",
			  (uintmax_t)graph->nr_no_entry, (uintmax_t)nr_open);
}

int import_funcgraph(FILE *in, const struct import_options *options,
		     struct profile *profile, struct error *error)
{
	struct graph *graph = calloc(1, sizeof(*graph));
	int err;

	if (!graph)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	import_init(&graph->import, in, options, profile, error);
	err = import_lines(&graph->import, read_line, graph) ?:
	      import_judge(&graph->import);
	if (!err)
		note_all(graph);
	/* weights are nanoseconds */
	import_period(&graph->import, 1);
	import_deinit(&graph->import);
	for (size_t i = 0; i < graph->nr_tasks; i++)
		free(graph->tasks[i].calls);
	free(graph->tasks);
	free(graph);
	return err;
}
