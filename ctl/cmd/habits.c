// SPDX-License-Identifier: GPL-2.0
/*
 * The table of habits (options of other tools) and its look-ups: see habits.h.
 */
#include "cmd/habits.h"

#include <fnmatch.h>
#include <string.h>

/* Commands that share rows. */
#define VIEWS	"report browse svg html heat diff export dump"
#define DRAWN	"svg html heat diff"

#define BY_TIMER	"samples are taken by a timer, like those of perf's cpu-clock: leave it out"
#define KERNEL_UNWINDER	"the kernel's own unwinder takes kernel stacks, and unwind tables those of programs: leave it out"
#define RATE_OF_RECORD	"the rate is set when recording: flamectl record -F HZ"
#define NAMES_ARE_SAVED	"a profile contains the names of its functions: leave it out"
#define COLLAPSE	"flamectl dump FILE writes the output of another tool as folded stacks, flamectl import -o x.pb.gz FILE saves it as a profile"
#define SELECT_LATER	"record with -p PID,..., or select from the profile with --comm NAME,... and --pid PID,..."

static const struct habit habits[] = {
	/* record: perf record, flame_grapher.sh, bcc's profile */
	{ "start top", 'a', "all-cpus", HABIT_NO_VALUE, NULL, "", NULL },
	{ "start top", 'g', NULL, HABIT_NO_VALUE, NULL, "", NULL },
	{ "start top", 0, "call-graph", HABIT_VALUE, NULL, NULL, KERNEL_UNWINDER },
	{ "start", 'e', "event", HABIT_VALUE, "cpu-clock*|task-clock*", "", NULL },
	{ "start", 'e', "event", HABIT_VALUE, NULL, NULL, BY_TIMER },
	{ "top", 'e', NULL, HABIT_VALUE, "cpu-clock*|task-clock*", "", NULL },
	{ "top", 'e', NULL, HABIT_VALUE, NULL, "event", NULL },
	{ "record start", 0, "hz", HABIT_VALUE, NULL, "frequency", NULL },
	{ "set", 0, "hz", HABIT_VALUE, NULL, NULL, "settings are operands: flamectl set hz=HZ" },
	{ "record start", 'f', NULL, HABIT_VALUE, "[0-9]*", "frequency", NULL },
	{ "record start", 'f', NULL, HABIT_VALUE, NULL, NULL, "the rate is -F HZ" },
	{ "record start top", 'c', "count", HABIT_VALUE, NULL, NULL, "a period is a time here: set the rate, -F HZ" },
	{ "record", 't', "tid", HABIT_VALUE, "[0-9]*", "pid", NULL },
	{ "record", 't', "tid", HABIT_VALUE, NULL, NULL, "choose graph or chart when drawing: flamectl svg --flamechart draws a chart" },
	{ "record", 's', NULL, HABIT_VALUE, NULL, NULL, "choose the style when drawing: flamectl svg --inverted draws icicles" },
	{ "record", 'u', "uid", HABIT_VALUE, NULL, NULL, SELECT_LATER },
	{ "record", 'G', "cgroup", HABIT_VALUE, NULL, NULL, "record, and select from the profile with --cgroup PATH" },
	{ "record", 'L', NULL, HABIT_VALUE, NULL, "pid", NULL },
	{ "record", 'K', NULL, HABIT_NO_VALUE, NULL, "", NULL },
	{ "record", 'U', "all-user", HABIT_NO_VALUE, NULL, NULL, "choose a half of stacks when drawing: flamectl svg --user FILE" },
	{ "record", 0, "all-kernel", HABIT_NO_VALUE, NULL, NULL, "flamectl set kernel-only=1 leaves user mode out" },
	{ "record start", 0, "max-stack", HABIT_VALUE, NULL, NULL, "flamectl set max-depth=N limits the frames of a stack" },
	{ "record", 'm', "mmap-pages", HABIT_VALUE, NULL, NULL, "set the module's memory when loading it: cpu_kb=N aggregate_kb=N; bcc's offcputime -m 10 is --off-cpu --min-block 10us" },
	{ "record", 0, "min-block-time", HABIT_VALUE, NULL, NULL, "with a unit it is --min-block 10us, beside --off-cpu" },
	{ "record", 'M', "max-block-time", HABIT_VALUE, NULL, NULL, "only short intervals can be left out, by --min-block TIME" },
	{ "record", 'T', "timestamp", HABIT_NO_VALUE, NULL, NULL, "--slices 1s saves slices of time" },
	{ "record", 0, "switch-output", HABIT_NO_VALUE, NULL, NULL, "--slices 1s saves slices of time, in one file" },
	{ "record", 'N', "no-buildid-cache", HABIT_NO_VALUE, NULL, "", NULL },
	{ "record", 'B', "no-buildid", HABIT_NO_VALUE, NULL, "", NULL },
	{ "record", 'd', "duration", HABIT_VALUE, "[fKUI]*", NULL, "-d is the duration; bcc's profile -dfK 10 is flamectl record -d 10s -o x.pb.gz, then flamectl report -g folded x.pb.gz" },

	/* top: perf top */
	{ "top", 0, "hz", HABIT_VALUE, NULL, NULL, "the rate is set when sampling starts: flamectl start -F HZ" },
	{ "top", 'F', "freq", HABIT_VALUE, NULL, NULL, "the rate is set when sampling starts: flamectl start -F HZ" },
	{ "top", 's', "sort", HABIT_VALUE, "sym|symbol|symbol_*", "by=function", NULL },
	{ "top", 's', "sort", HABIT_VALUE, NULL, "by", NULL },
	{ "top", 'K', "hide_kernel_symbols", HABIT_NO_VALUE, NULL, "context=user", NULL },
	{ "top", 'U', "hide_user_symbols", HABIT_NO_VALUE, NULL, "context=task,softirq,hardirq,idle", NULL },
	{ "top", 'z', "zero", HABIT_NO_VALUE, NULL, "", NULL },
	{ "top", 0, "tui", HABIT_NO_VALUE, NULL, "", NULL },
	{ "browse", 0, "tui", HABIT_NO_VALUE, NULL, "", NULL },
	{ "browse", 0, "stdio", HABIT_NO_VALUE, NULL, NULL, "flamectl report FILE prints text" },
	{ "top", 0, "stdio", HABIT_NO_VALUE, NULL, NULL, "flamectl report live prints text" },

	/* report: perf report */
	{ "report", 'g', "graph", HABIT_MAY_LACK_VALUE, NULL, "graph=tree", NULL },
	{ "report", 0, "call-graph", HABIT_VALUE, NULL, "graph", NULL },
	{ "report", 'G', "inverted", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report", 0, "stdio", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report", 0, "tui", HABIT_NO_VALUE, NULL, NULL, "flamectl browse FILE shows it in the terminal, flamectl html -o x.html FILE makes a page" },
	{ "report", 0, "gtk", HABIT_NO_VALUE, NULL, NULL, "flamectl html -o x.html FILE makes an interactive page" },
	{ "report top", 0, "children", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report top", 0, "no-children", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report top", 'n', "show-nr-samples", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report", 0, "show-total-period", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report browse", 's', "sort", HABIT_VALUE, "overhead|overhead_children", "", NULL },
	{ "report", 's', "sort", HABIT_VALUE, NULL, "by", NULL },
	{ "report", 'F', "fields", HABIT_VALUE, "overhead|overhead_children", "", NULL },
	{ "report", 'F', "fields", HABIT_VALUE, "[0-9]*|max", NULL, RATE_OF_RECORD },
	{ "report", 'F', "fields", HABIT_VALUE, NULL, "by", NULL },
	{ "report", 0, "percent-limit", HABIT_VALUE, NULL, "threshold", NULL },
	{ "report", 0, "max-stack", HABIT_VALUE, NULL, "depth", NULL },
	{ "report", 'c', "comms", HABIT_VALUE, NULL, "comm", NULL },
	{ "report", 'd', "dsos", HABIT_VALUE, NULL, NULL, "--include '\\[MODULE\\]$' selects stacks through a module" },
	{ "report", 'S', "symbols", HABIT_VALUE, NULL, NULL, "--focus FUNCTION selects stacks from a function on, --include REGEX whole stacks" },
	{ "report", 0, "symbol-filter", HABIT_VALUE, NULL, "include", NULL },
	{ "report", 'T', "threads", HABIT_NO_VALUE, NULL, NULL, "--by tid groups by thread" },
	{ "report", 'f', "force", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report", 0, "header", HABIT_NO_VALUE, NULL, "", NULL },
	{ "report", 0, "header-only", HABIT_NO_VALUE, NULL, NULL, "flamectl status FILE prints what is known about a profile" },
	{ "report", 'k', "vmlinux", HABIT_VALUE, NULL, NULL, NAMES_ARE_SAVED },
	{ "report", 0, "kallsyms", HABIT_VALUE, NULL, NULL, NAMES_ARE_SAVED },
	{ "report", 0, "symfs", HABIT_VALUE, NULL, NULL, NAMES_ARE_SAVED },

	{ "browse", 's', "sort", HABIT_VALUE, NULL, "by", NULL },

	/* all that select: perf's, bcc's and flame_grapher.sh's */
	{ "report browse html heat export", 'i', "input", HABIT_VALUE, NULL, HABIT_OPERAND, NULL },
	{ "svg diff", 0, "input", HABIT_VALUE, NULL, HABIT_OPERAND, NULL },
	{ VIEWS " import merge status", 'e', NULL, HABIT_VALUE, NULL, "event", NULL },
	{ VIEWS " top", 'C', NULL, HABIT_VALUE, NULL, "cpu", NULL },
	{ VIEWS " top", 'p', NULL, HABIT_VALUE, "[0-9]*", "pid", NULL },
	{ VIEWS " top", 'p', NULL, HABIT_VALUE, NULL, NULL, "-p selects processes by number, --include REGEX selects stacks" },
	{ VIEWS " top", 'L', "tid", HABIT_VALUE, NULL, "pid", NULL },
	{ VIEWS, 0, "state", HABIT_VALUE, NULL, NULL, "record --off-cpu --state D,S chooses states; from a profile, --include '\\[uninterruptible\\]$' selects stacks that end in one" },
	{ VIEWS, 0, "min-block", HABIT_VALUE, NULL, NULL, "record --off-cpu --min-block TIME leaves out short intervals" },

	/* events of tasks are options of record alone */
	{ VIEWS " top", 0, "off-cpu", HABIT_NO_VALUE, NULL, "event=off-cpu", NULL },
	{ VIEWS " top", 0, "wakers", HABIT_NO_VALUE, NULL, "event=wakers", NULL },
	{ VIEWS " top", 0, "wall", HABIT_NO_VALUE, NULL, "event=wall", NULL },

	/* drawing: flamegraph.pl and difffolded.pl, flame_grapher.sh */
	{ "svg diff", 't', NULL, HABIT_VALUE, "graph", "", NULL },
	{ "svg", 't', NULL, HABIT_VALUE, "chart", "flamechart", NULL },
	{ "svg diff", 's', NULL, HABIT_VALUE, "normal", "", NULL },
	{ "svg diff", 's', NULL, HABIT_VALUE, "icicle", "inverted", NULL },
	{ DRAWN, 'f', NULL, HABIT_VALUE, NULL, NULL, RATE_OF_RECORD },
	{ "svg", 0, "countname", HABIT_VALUE, NULL, "count-name", NULL },
	{ "svg", 0, "nametype", HABIT_VALUE, NULL, "name-type", NULL },
	{ "svg", 0, "minwidth", HABIT_VALUE, NULL, "min-width", NULL },
	{ "svg", 0, "fonttype", HABIT_VALUE, NULL, "font", NULL },
	{ "svg", 0, "fontsize", HABIT_VALUE, NULL, "font-size", NULL },
	{ "svg", 0, "bgcolors", HABIT_VALUE, "#*", "background", NULL },
	{ "svg", 0, "bgcolors", HABIT_VALUE, NULL, NULL, "--background #rrggbb sets the page's colour, --theme light or dark" },
	{ "svg", 0, "hash", HABIT_NO_VALUE, NULL, "colors=hash", NULL },
	{ "svg", 0, "cp", HABIT_NO_VALUE, NULL, "palette=palette.map", NULL },
	{ "svg", 0, "encoding", HABIT_VALUE, NULL, "", NULL },
	{ "svg", 0, "negate", HABIT_NO_VALUE, NULL, NULL, "flamectl diff --negate OLD NEW draws a difference" },
	{ "diff", 'n', NULL, HABIT_NO_VALUE, NULL, "", NULL },

	/* folded text: bcc's profile, perf script and stackcollapse-perf.pl */
	{ "dump", 'f', "folded", HABIT_NO_VALUE, NULL, "", NULL },
	{ "dump", 'd', "delimited", HABIT_NO_VALUE, NULL, "", NULL },
	{ "dump", 'K', "kernel-stacks-only", HABIT_NO_VALUE, NULL, "kernel", NULL },
	{ "dump", 'I', "include-idle", HABIT_NO_VALUE, NULL, "", NULL },
	{ "dump", 'U', "user-stacks-only", HABIT_NO_VALUE, NULL, "user", NULL },
	{ "dump", 'F', "fields", HABIT_VALUE, NULL, NULL, "flamectl export --to jsonl FILE prints every field" },
	{ "import", 0, "all", HABIT_NO_VALUE, NULL, "", NULL },
	{ "import", 0, "kernel", HABIT_NO_VALUE, NULL, "", NULL },
	{ "import", 0, "jit", HABIT_NO_VALUE, NULL, "", NULL },
	{ "import", 0, "inline", HABIT_NO_VALUE, NULL, "", NULL },
	{ "import", 0, "event-filter", HABIT_VALUE, NULL, "event", NULL },
	{ "import", 0, "pid", HABIT_NO_VALUE, NULL, NULL, "processes are always kept: group by them afterwards, --by comm,pid" },
	{ "import", 0, "tid", HABIT_NO_VALUE, NULL, NULL, "threads are always kept: group by them afterwards, --by comm,tid" },
	{ "import", 0, "addrs", HABIT_NO_VALUE, NULL, NULL, "a profile contains names, never addresses" },
	{ 0 }
};

static const struct {
	const char *name, *answer;
} commands_of_others[] = {
	{ "profile", "bcc's profile -dfK 10 is flamectl record -d 10s -o x.pb.gz, then flamectl report -g folded x.pb.gz" },
	{ "script", "flamectl report -g folded FILE prints folded stacks, flamectl export --to jsonl FILE prints each field" },
	{ "annotate", "functions are sampled, not instructions: flamectl report --flat FILE lists them" },
	{ "stat", "only stacks are counted: flamectl status shows what became of each period" },
	{ "list", "flamectl events lists what can be recorded here" },
	{ "offcputime", "bcc's offcputime -p 42 10 is flamectl record --off-cpu -p 42 -d 10s -o x.pb.gz, then flamectl svg x.pb.gz; --wall adds the time on a CPU" },
	{ "offwaketime", "bcc's offwaketime -p 42 10 is flamectl record --wakers -p 42 -d 10s -o x.pb.gz, then flamectl svg --event wakers x.pb.gz" },
	{ "wakeuptime", "bcc's wakeuptime 10 is flamectl record --wakers -d 10s -o x.pb.gz, then flamectl svg --reverse --event wakers x.pb.gz" },
	{ "stackcount", "bcc's stackcount vfs_read is flamectl record -e func:vfs_read -d 10s -o x.pb.gz, then flamectl report x.pb.gz" },
	{ "funccount", "bcc's funccount vfs_read is flamectl record -e func:vfs_read -d 10s -o x.pb.gz, then flamectl status x.pb.gz" },
	{ "funclatency", "bcc's funclatency vfs_read is flamectl record -e latency:vfs_read -d 10s -o x.pb.gz, then flamectl report x.pb.gz, which begins with the histogram" },
	{ "sched", "flamectl heat FILE draws time against CPUs, flamectl report --by cpu,comm FILE prints who ran where" },
	{ "timechart", "flamectl heat FILE draws time against CPUs, for recordings with --slices" },
	{ "evlist", "flamectl status FILE prints what is known about a profile" },
	{ "flamegraph", "flamectl svg FILE draws a flame graph" },
	{ "flamegraph.pl", "flamectl svg FILE draws a flame graph" },
	{ "stackcollapse", COLLAPSE },
	{ "stackcollapse.pl", COLLAPSE },
	{ "collapse", COLLAPSE },
	{ "trace", "nothing is traced, a timer samples: flamectl record -- COMMAND, then flamectl report or svg shows the stacks, and heat when they were" },
	{ "stackcollapse-perf.pl", "flamectl svg FILE draws perf script's text, flamectl import --from perf-script FILE saves it" },
	{ "difffolded.pl", "flamectl diff OLD NEW draws a differential flame graph" },
	{ "flame_grapher.sh", "flamectl record -F 99 -- COMMAND, then flamectl svg -o x.svg flamemod.pb.gz" },
};

const struct habit *habits_table(void)
{
	return habits;
}

/* Report whether @word is one of @words. */
static bool is_word_of(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') &&
		    (!at[length] || at[length] == ' '))
			return true;
	return false;
}

static bool matches_value(const struct habit *habit, const char *value)
{
	const char *pattern = habit->values;
	char one[64];

	if (!pattern)
		return true;
	while (value && *pattern) {
		size_t length = strcspn(pattern, "|");

		snprintf(one, sizeof(one), "%.*s", (int)length, pattern);
		if (!fnmatch(one, value, 0))
			return true;
		pattern += length + (pattern[length] == '|');
	}
	return false;
}

const struct habit *habit_of_letter(const struct command *command, char letter,
				    const char *value)
{
	for (const struct habit *habit = habits; habit->commands; habit++)
		if (habit->letter == letter &&
		    is_word_of(habit->commands, command->name) &&
		    (!value || matches_value(habit, value)))
			return habit;
	return NULL;
}

const struct habit *habit_of_name(const struct command *command,
				  const char *name, size_t length,
				  const char *value)
{
	for (const struct habit *habit = habits; habit->commands; habit++)
		if (habit->name && strlen(habit->name) == length &&
		    !memcmp(habit->name, name, length) &&
		    is_word_of(habit->commands, command->name) &&
		    (!value || matches_value(habit, value)))
			return habit;
	return NULL;
}

void habit_letters(const struct command *command, const char *own,
		   char letters[HABIT_LETTERS])
{
	char *to = letters;

	*to = '\0';
	for (const struct habit *habit = habits; habit->commands; habit++) {
		if (!habit->letter || strchr(own, habit->letter) ||
		    strchr(letters, habit->letter) ||
		    !is_word_of(habit->commands, command->name))
			continue;
		*to++ = habit->letter;
		if (habit->takes == HABIT_VALUE)
			*to++ = ':';
		*to = '\0';
	}
}

const struct habit *habit_shadows(const struct command *command,
				  const char *name)
{
	for (const struct habit *habit = habits; habit->commands; habit++)
		if (habit->name && strlen(habit->name) < strlen(name) &&
		    !strncmp(habit->name, name, strlen(habit->name)) &&
		    is_word_of(habit->commands, command->name))
			return habit;
	return NULL;
}

const char *habit_command(const char *name)
{
	size_t nr = sizeof(commands_of_others) / sizeof(commands_of_others[0]);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(commands_of_others[i].name, name))
			return commands_of_others[i].answer;
	return NULL;
}

/* Print a table cell; escape '|', which would end it. */
static void print_cell(const char *text, FILE *out)
{
	for (; *text; text++)
		fputs(*text == '|' ? "\\|" : (char[]) { *text, '\0' }, out);
}

static void print_typed(const struct habit *habit, FILE *out)
{
	const char *value = habit->takes == HABIT_VALUE ?
			    habit->values ?: "X" : NULL;

	fputc('`', out);
	if (habit->letter)
		fprintf(out, "-%c", habit->letter);
	if (habit->letter && habit->name)
		fputs(", ", out);
	if (habit->name)
		fprintf(out, "--%s", habit->name);
	if (value)
		fputc(' ', out);
	print_cell(value ?: "", out);
	fputc('`', out);
}

static void print_meaning(const struct habit *habit, FILE *out)
{
	size_t length;

	if (!habit->means) {
		print_cell(habit->answer, out);
		return;
	}
	length = strcspn(habit->means, "=");
	if (!*habit->means)
		fputs("accepted: this is always so", out);
	else if (!strcmp(habit->means, HABIT_OPERAND))
		fputs("accepted: the file to read", out);
	else
		fprintf(out, "accepted as `--%.*s%s%s`", (int)length,
			habit->means, habit->means[length] ? " " : "",
			habit->means + length + !!habit->means[length]);
}

void habits_print(FILE *out)
{
	size_t nr = sizeof(commands_of_others) / sizeof(commands_of_others[0]);

	fputs("| command | typed | what flamectl does or answers |\n|---|---|---|\n",
	      out);
	for (const struct habit *habit = habits; habit->commands; habit++) {
		fprintf(out, "| %s | ", habit->commands);
		print_typed(habit, out);
		fputs(" | ", out);
		print_meaning(habit, out);
		fputs(" |\n", out);
	}
	fputs("\n| command of another tool | answer |\n|---|---|\n", out);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "| %s | %s |\n", commands_of_others[i].name,
			commands_of_others[i].answer);
}
