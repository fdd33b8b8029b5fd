// SPDX-License-Identifier: GPL-2.0
/*
 * Parse what is to be probed: see probe.h. Only the text is looked at.
 */
#include "probe/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/wording.h"

/* How much of a text messages repeat. */
#define SHOWN	80

static const struct kind {
	const char *word;
	enum probe_kind kind;
	const char *target;		/* what follows the word and a colon; NULL: nothing */
	uint32_t config;
	/*
	 * PROBE_COUNTER: how much is one hit, unless the user says it. These are primes, so
	 * that no loop keeps step with them.
	 */
	uint64_t period;
	const char *unit;
} kinds[] = {
	{ "func", PROBE_FUNC, "FUNCTION", 0, 0, NULL },
	{ "latency", PROBE_LATENCY, "FUNCTION", 0, 0, NULL },
	{ "tracepoint", PROBE_TRACEPOINT, "SYSTEM:NAME", 0, 0, NULL },
	{ "page-faults", PROBE_FAULTS, NULL, PERF_COUNT_SW_PAGE_FAULTS, 0, NULL },
	{ "minor-faults", PROBE_FAULTS, NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, 0, NULL },
	{ "major-faults", PROBE_FAULTS, NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 0, NULL },
	{ "contention", PROBE_TRACEPOINT, NULL, 0, 0, NULL },
	{ "wakers", PROBE_WAKERS, NULL, 0, 0, NULL },
	{ "cycles", PROBE_COUNTER, NULL, PERF_COUNT_HW_CPU_CYCLES, 1000003, "cycles" },
	{ "instructions", PROBE_COUNTER, NULL, PERF_COUNT_HW_INSTRUCTIONS, 1000003,
	  "instructions" },
	{ "ref-cycles", PROBE_COUNTER, NULL, PERF_COUNT_HW_REF_CPU_CYCLES, 1000003, "cycles" },
	{ "branches", PROBE_COUNTER, NULL, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100003, "branches" },
	{ "cache-references", PROBE_COUNTER, NULL, PERF_COUNT_HW_CACHE_REFERENCES, 100003,
	  "references" },
	{ "cache-misses", PROBE_COUNTER, NULL, PERF_COUNT_HW_CACHE_MISSES, 10007, "misses" },
	{ "branch-misses", PROBE_COUNTER, NULL, PERF_COUNT_HW_BRANCH_MISSES, 10007, "misses" },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

/* The tracepoint that "contention" means; Linux has it since 5.19. */
#define CONTENTION	"lock:contention_begin"

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Report whether @text is a word of characters of identifiers and of @more. */
static bool is_word(const char *text, size_t length, const char *more)
{
	for (size_t i = 0; i < length; i++)
		if (!is_word_char(text[i]) && !strchr(more, text[i]))
			return false;
	return length > 0;
}

/* ---- the event: func:NAME ---- */

static const struct kind *find_kind(const char *word, size_t length)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (strlen(kinds[i].word) == length && !strncmp(kinds[i].word, word, length))
			return &kinds[i];
	return NULL;
}

/* Refuse an unknown kind, and say which one may have been meant. */
static int refuse_kind(const char *text, size_t length, struct error *error)
{
	char word[SHOWN];
	struct nearest nearest = { .word = word };

	if (!length)
		return error_set(error, -EINVAL, "nothing before \"%.40s\": name an event, such as func:vfs_read",
				 text);
	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	for (size_t i = 0; i < NR_KINDS; i++)
		nearest_try(&nearest, kinds[i].word);
	if (nearest_word(&nearest))
		return error_set(error, -EINVAL, "%s: there is no such event: did you mean %s?",
				 word, nearest_word(&nearest));
	if (text[length] == ':' && is_word(text + length + 1, strcspn(text + length + 1, ","), "-"))
		return error_set(error, -EINVAL, "%.*s: there is no such event; a tracepoint is tracepoint:%.*s",
				 (int)strcspn(text, ","), text, (int)strcspn(text, ","), text);
	return error_set(error, -EINVAL, "%s: there is no such event: there are func:FUNCTION, latency:FUNCTION, tracepoint:SYSTEM:NAME, page-faults, minor-faults, major-faults, contention, wakers, and counters of the processor: cycles, instructions, ref-cycles, branches, branch-misses, cache-references and cache-misses; where CPUs spend their time, a timer samples anyway",
			 word);
}

static int check_target(const struct kind *kind, const char *target, size_t length,
			struct error *error)
{
	const char *colon = memchr(target, ':', length);
	bool good;

	if (kind->kind == PROBE_TRACEPOINT)
		good = colon && is_word(target, (size_t)(colon - target), "-") &&
		       is_word(colon + 1, length - (size_t)(colon + 1 - target), "-");
	else if (colon)		/* of a module */
		good = is_word(target, (size_t)(colon - target), "") &&
		       is_word(colon + 1, length - (size_t)(colon + 1 - target), ".$");
	else
		good = is_word(target, length, ".$");
	if (memchr(target, '*', length) || memchr(target, '?', length))
		return error_set(error, -EINVAL, "%s:%.*s: this is no pattern: name one %s",
				 kind->word, (int)(length < SHOWN ? length : SHOWN), target,
				 kind->kind == PROBE_TRACEPOINT ? "tracepoint" : "function");
	if (!good)
		return error_set(error, -EINVAL, "%s:%.*s: name one as %s:%s", kind->word,
				 (int)(length < SHOWN ? length : SHOWN), target, kind->word,
				 kind->target);
	if (length >= PROBE_TARGET)
		return error_set(error, -EINVAL, "%s:%.40s...: the name has %zu characters, the module takes at most %d",
				 kind->word, target, length, PROBE_TARGET - 1);
	return 0;
}

/* Parse what follows the name of a counter: nothing, or a colon and its period. */
static int parse_period(const struct kind *kind, const char *text, size_t length,
			struct probe *probe, struct error *error)
{
	char period[SHOWN];
	struct error why;

	probe->period = kind->period;
	strcpy(probe->unit, kind->unit);
	strcpy(probe->name, kind->word);
	if (!length)
		return 0;
	snprintf(period, sizeof(period), "%.*s", (int)(length - 1), text + 1);
	if (!number_parse(period, PROBE_PERIOD_MIN, PROBE_PERIOD_MAX, &probe->period, &why))
		return 0;
	return error_set(error, -EINVAL, "%s:%.40s: write the number of %s per hit after the colon, from %llu to %llu (default %" PRIu64 ")",
			 kind->word, period, kind->unit, PROBE_PERIOD_MIN, PROBE_PERIOD_MAX,
			 kind->period);
}

/* Parse the part before the first comma. */
static int parse_event(const char *text, size_t length, struct probe *probe,
		       struct error *error)
{
	size_t word = strcspn(text, ":,");
	const struct kind *kind = find_kind(text, word);
	int err;

	if (!kind)
		return refuse_kind(text, word, error);
	probe->kind = kind->kind;
	probe->config = kind->config;
	if (kind->kind == PROBE_COUNTER)
		return parse_period(kind, text + word, length - word, probe, error);
	if (!kind->target && word < length)
		return error_set(error, -EINVAL, "%.*s: %s takes no name after a colon",
				 (int)(length < SHOWN ? length : SHOWN), text, kind->word);
	if (kind->target && word == length)
		return error_set(error, -EINVAL, "%s: name what is meant: %s:%s", kind->word,
				 kind->word, kind->target);
	if (!kind->target) {
		strcpy(probe->target, kind->kind == PROBE_TRACEPOINT ? CONTENTION : "");
	} else {
		err = check_target(kind, text + word + 1, length - word - 1, error);
		if (err)
			return err;
		snprintf(probe->target, sizeof(probe->target), "%.*s",
			 (int)(length - word - 1), text + word + 1);
	}
	return 0;
}

/* ---- options: weight=, if=, min=, unit=, name= ---- */

/* Types of arguments: a register holds more than a smaller one, and that means nothing. */
static const struct { const char *suffix; uint32_t bytes; bool is_signed; } types[] = {
	{ "", 8, false }, { ":u8", 1, false }, { ":u16", 2, false }, { ":u32", 4, false },
	{ ":u64", 8, false }, { ":s8", 1, true }, { ":s16", 2, true }, { ":s32", 4, true },
	{ ":s64", 8, true },
};

static int parse_argument(const char *text, size_t length, struct probe_operand *operand,
			  struct error *error)
{
	bool is_arg = length >= 4 && !strncmp(text, "arg", 3) && text[3] >= '1' &&
		      text[3] <= '0' + PROBE_ARGS_MAX;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && is_arg; i++)
		if (strlen(types[i].suffix) == length - 4 &&
		    !strncmp(types[i].suffix, text + 4, length - 4)) {
			operand->arg = (uint32_t)(text[3] - '0');
			operand->bytes = types[i].bytes;
			operand->is_signed = types[i].is_signed;
			return 0;
		}
	return error_set(error, -EINVAL, "%.*s: a function has arg1 to arg%d, as those are in registers, or arg1:u32 and so on, of u8, u16, u32, u64, s8, s16, s32, s64",
			 (int)(length < 40 ? length : 40), text, PROBE_ARGS_MAX);
}

/* Parse "arg3", or the name of a field; which, depends on the kind. */
static int parse_operand(const struct probe *probe, const char *text, size_t length,
			 struct probe_operand *operand, struct error *error)
{
	*operand = (struct probe_operand){ 0 };
	if (probe->kind == PROBE_FUNC || probe->kind == PROBE_LATENCY) {
		int err = parse_argument(text, length, operand, error);

		if (err)
			return err;
		length = 4;
	} else if (!is_word(text, length, "") || length >= PROBE_FIELD) {
		return error_set(error, -EINVAL, "%.*s: not the name of a field, which has 1 to %d letters, digits and _",
				 length ? (int)(length < 40 ? length : 40) : 7,
				 length ? text : "nothing", PROBE_FIELD - 1);
	}
	snprintf(operand->name, sizeof(operand->name), "%.*s", (int)length, text);
	return 0;
}

/* Report whether there are arguments or fields that weight= and if= can read. */
static bool has_values(const struct probe *probe)
{
	return probe->kind != PROBE_FAULTS && probe->kind != PROBE_WAKERS &&
	       probe->kind != PROBE_COUNTER;
}

/* What messages call a kind without such values. */
static const char *plural(const struct probe *probe)
{
	return probe->kind == PROBE_WAKERS ? "wakers" :
	       probe->kind == PROBE_COUNTER ? "counters of the processor" : "page faults";
}

static int parse_weight(struct probe *probe, const char *value, struct error *error)
{
	if (probe->kind == PROBE_LATENCY)
		return error_set(error, -EINVAL, "weight=%.40s: the weight of latency is time; func:%.100s sums arguments",
				 value, probe->target);
	if (probe->kind == PROBE_WAKERS)
		return error_set(error, -EINVAL, "weight=%.40s: the weight of wakers is time: leave it out",
				 value);
	if (!has_values(probe))
		return error_set(error, -EINVAL, "weight=%.40s: %s have no fields and are counted: leave it out",
				 value, plural(probe));
	if (probe->has_weight)
		return error_set(error, -EINVAL, "weight=%.40s: there is a weight already, %s: name one, or repeat the event with another name=",
				 value, probe->weight.name);
	probe->has_weight = true;
	return parse_operand(probe, value, strlen(value), &probe->weight, error);
}

/* Longer operators before those that they begin with. */
static const struct { const char *text; enum probe_compare compare; } operators[] = {
	{ "==", PROBE_EQUAL }, { "!=", PROBE_UNEQUAL }, { "<=", PROBE_AT_MOST },
	{ ">=", PROBE_AT_LEAST }, { "<", PROBE_LESS }, { ">", PROBE_MORE },
	{ "&", PROBE_ANY_BIT }, { "=", PROBE_EQUAL },
};

/* Parse a number, decimal or after 0x, that is no address. */
static int parse_value(const char *text, int64_t *value, struct error *error)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : *text == '-' ? text + 1 : text;
	const char *all = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
	long long number;
	char *end;

	errno = 0;
	number = strtoll(text, &end, is_hex ? 16 : 10);
	if (!*digits || strspn(digits, all) != strlen(digits))
		return error_set(error, -EINVAL, "\"%.40s\" is no number, decimal or after 0x", text);
	if (errno || *end || number < PROBE_VALUE_MIN || number > PROBE_VALUE_MAX)
		return error_set(error, -EINVAL, "%.40s: values are compared with %lld to %lld, as what is outside may be an address",
				 text, PROBE_VALUE_MIN, PROBE_VALUE_MAX);
	*value = number;
	return 0;
}

static int parse_condition(struct probe *probe, const char *text, struct error *error)
{
	struct probe_condition *condition = &probe->conditions[probe->nr_conditions];
	size_t length = strcspn(text, "=!<>&"), i;
	struct error why;
	int err;

	if (!has_values(probe))
		return error_set(error, -EINVAL, "if=%.40s: %s have no fields to compare: leave it out",
				 text, plural(probe));
	if (probe->nr_conditions == PROBE_CONDITIONS_MAX)
		return error_set(error, -EINVAL, "if=%.40s: there are %d conditions already, which is the most",
				 text, PROBE_CONDITIONS_MAX);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (!strncmp(text + length, operators[i].text, strlen(operators[i].text)))
			break;
	if (i == sizeof(operators) / sizeof(operators[0]))
		return error_set(error, -EINVAL, "if=%.40s: no comparison, such as arg2>4096; operators are == != < <= > >= and & (any of these bits). Quote the word: shells take < > & for themselves",
				 text);
	err = parse_operand(probe, text, length, &condition->operand, &why) ?:
	      parse_value(text + length + strlen(operators[i].text), &condition->value, &why);
	if (err)
		return error_set(error, err, "if=%.60s: %.400s", text, why.text);
	condition->compare = operators[i].compare;
	if (condition->compare == PROBE_ANY_BIT && condition->value <= 0)
		return error_set(error, -EINVAL, "if=%.60s: bits are a number from 1 to %lld",
				 text, PROBE_VALUE_MAX);
	probe->nr_conditions++;
	return 0;
}

/* Report whether the weights of a kind are times. */
static bool has_times(const struct probe *probe)
{
	return probe->kind == PROBE_LATENCY || probe->kind == PROBE_WAKERS;
}

static int parse_min(struct probe *probe, const char *value, struct error *error)
{
	struct error why;

	if (!has_times(probe))
		return error_set(error, -EINVAL, "min=%.40s: only latency:FUNCTION and wakers have times; if= compares arguments and fields",
				 value);
	if (interval_parse(value, &probe->min_ns, &why))
		return error_set(error, -EINVAL, "min=%.400s", why.text);
	return 0;
}

static int parse_unit(struct probe *probe, const char *value, struct error *error)
{
	if (!probe->has_weight)
		return error_set(error, -EINVAL, "unit=%.40s: what has no weight= is counted: add weight= before it",
				 value);
	if (!is_word(value, strlen(value), "") || strlen(value) >= PROBE_UNIT)
		return error_set(error, -EINVAL, "unit=%.40s: a word of 1 to %d letters, digits and _, such as bytes or ns",
				 value, PROBE_UNIT - 1);
	strcpy(probe->unit, strcmp(value, "ns") ? value : "nanoseconds");
	return 0;
}

static int parse_name(struct probe *probe, const char *value, struct error *error)
{
	/* a recording may have these events without -e */
	static const char *const taken[] = { "on-cpu", "off-cpu", "waiting", "ran", "wall" };

	if (!is_word(value, strlen(value), ".:-") || strlen(value) >= PROBE_NAME)
		return error_set(error, -EINVAL, "name=%.40s: a word of 1 to %d letters, digits and _ . : -",
				 value, PROBE_NAME - 1);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(value, taken[i]))
			return error_set(error, -EINVAL, "name=%.40s: flamectl itself has an event of this name: choose another one",
					 value);
	strcpy(probe->name, value);
	return 0;
}

static const struct option {
	const char *key;
	int (*parse)(struct probe *probe, const char *value, struct error *error);
} options[] = {
	{ "weight=", parse_weight }, { "if=", parse_condition }, { "min=", parse_min },
	{ "unit=", parse_unit }, { "name=", parse_name },
};

/* @event: the text before the options */
static int parse_option(struct probe *probe, const char *event, size_t length,
			const char *text, struct error *error)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strncmp(text, options[i].key, strlen(options[i].key)))
			return options[i].parse(probe, text + strlen(options[i].key), error);
	if (find_kind(text, strcspn(text, ":")))
		return error_set(error, -EINVAL, "%.40s after a comma: give each event its own %s: %s %.*s %s %.80s",
				 text, WORDING(PROBE), WORDING(PROBE),
				 (int)(length < SHOWN ? length : SHOWN), event,
				 WORDING(PROBE), text);
	return error_set(error, -EINVAL, "\"%.40s\" after a comma: there are weight=, if=, min=, unit= and name=",
			 text);
}

/* ---- the whole ---- */

/* The unit of weights, if it was not given. */
static void choose_unit(struct probe *probe)
{
	const char *field = probe->weight.name;
	bool is_size = strstr(field, "bytes") || !strcmp(field, "len") || !strcmp(field, "size");

	if (*probe->unit)
		return;
	if (has_times(probe))
		strcpy(probe->unit, "nanoseconds");
	else if (!probe->has_weight)
		strcpy(probe->unit, "count");
	else
		strcpy(probe->unit, is_size ? "bytes" : field);
}

/* The event is called as it was written, without its options. */
static int choose_name(struct probe *probe, const char *text, size_t length,
		       struct error *error)
{
	if (*probe->name)
		return 0;
	if (length >= PROBE_NAME)
		return error_set(error, -EINVAL, "%.80s: names of events have at most %d characters: add name=WORD",
				 text, PROBE_NAME - 1);
	snprintf(probe->name, sizeof(probe->name), "%.*s", (int)length, text);
	return 0;
}

/* @text: the event, @event_length long, and its options */
static int parse_options(struct probe *probe, const char *text, size_t event_length,
			 struct error *error)
{
	const char *event = text;
	char word[256];
	int err = 0;

	text += event_length;
	while (*text == ',' && !err) {
		size_t length = strcspn(++text, ",");

		if (length >= sizeof(word))
			return error_set(error, -EINVAL, "\"%.40s...\" has %zu characters, the most is %zu",
					 text, length, sizeof(word) - 1);
		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		err = parse_option(probe, event, event_length, word, error);
		text += length;
	}
	return err;
}

int probe_parse(const char *text, struct probe *probe, struct error *error)
{
	size_t length = strcspn(text, ",");
	int err;

	*probe = (struct probe){ 0 };
	err = parse_event(text, length, probe, error) ?:
	      parse_options(probe, text, length, error) ?:
	      choose_name(probe, text, length, error);
	if (!err)
		choose_unit(probe);
	return err;
}

int probes_add(struct probes *probes, const char *text, struct error *error)
{
	struct probe *probe = &probes->list[probes->nr];
	int err;

	if (probes->nr == PROBES_MAX)
		return error_set(error, -EINVAL, "%.80s: there are %d events already, which is the most at a time",
				 text, PROBES_MAX);
	err = probe_parse(text, probe, error);
	if (err)
		return err;
	for (unsigned int i = 0; i < probes->nr; i++)
		if (!strcmp(probes->list[i].name, probe->name))
			return error_set(error, -EINVAL, "%.100s: there is an event %s already: add name=WORD to one of them",
					 text, probe->name);
	probes->nr++;
	return 0;
}

bool probe_reads_record(const struct probe *probe)
{
	return probe->kind == PROBE_TRACEPOINT;
}
