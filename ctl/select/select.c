// SPDX-License-Identifier: GPL-2.0
/*
 * Parse selection options and match frames against them: see select.h.
 */
#include "select/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "select/private.h"
#include "tree/half.h"

static void free_patterns(struct select_patterns *patterns)
{
	for (unsigned int i = 0; i < patterns->nr; i++) {
		regfree(patterns->patterns[i]);
		free(patterns->patterns[i]);
	}
	free(patterns->patterns);
}

static void free_words(struct select_words *words)
{
	for (unsigned int i = 0; i < words->nr; i++)
		free(words->words[i]);
	free(words->words);
}

void criteria_deinit(struct criteria *criteria)
{
	free_patterns(&criteria->include);
	free_patterns(&criteria->exclude);
	free_patterns(&criteria->paths);
	free_words(&criteria->focus);
	free_words(&criteria->cut);
	free_words(&criteria->comms);
	free_words(&criteria->cgroups);
	free(criteria->pids);
}

/* Make room for one more element of @size bytes in *@array, which has @nr. */
static int reserve(void *array, unsigned int nr, size_t size)
{
	void **elements = array, *moved;

	moved = reallocarray(*elements, (size_t)nr + 1, size);
	if (!moved)
		return -ENOMEM;
	*elements = moved;
	return 0;
}

static int add_pattern(struct select_patterns *patterns, const char *text,
		       struct error *error)
{
	regex_t *pattern = malloc(sizeof(*pattern));
	char why[128];
	int err;

	if (!pattern || reserve(&patterns->patterns, patterns->nr,
				sizeof(*patterns->patterns))) {
		free(pattern);
		return error_set(error, -ENOMEM, "memory is short");
	}
	err = regcomp(pattern, text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, pattern, why, sizeof(why));
		free(pattern);
		return error_set(error, -EINVAL,
				 "%.64s: %s; it must be an extended regular expression, as for grep -E",
				 text, why);
	}
	patterns->patterns[patterns->nr++] = pattern;
	return 0;
}

static int add_word(struct select_words *words, const char *text, size_t length,
		    struct error *error)
{
	char *word = strndup(text, length);

	if (!word || reserve(&words->words, words->nr, sizeof(*words->words))) {
		free(word);
		return error_set(error, -ENOMEM, "memory is short");
	}
	words->words[words->nr++] = word;
	return 0;
}

typedef int (*add_fn)(struct criteria *criteria, const char *text,
		      size_t length, struct error *error);

/* Parse "a,b,c" and add each element. */
static int add_list(struct criteria *criteria, const char *text, add_fn add,
		    struct error *error)
{
	for (;; text++) {
		size_t length = strcspn(text, ",");
		int err;

		if (!length)
			return error_set(error, -EINVAL,
					 ": a value is missing before or after a comma");
		err = add(criteria, text, length, error);
		text += length;
		if (err || !*text)
			return err;
	}
}

static int add_comm(struct criteria *criteria, const char *text,
		    size_t length, struct error *error)
{
	return add_word(&criteria->comms, text, length, error);
}

static int add_pid(struct criteria *criteria, const char *text,
		   size_t length, struct error *error)
{
	char one[64];
	uint64_t pid;
	int err;

	/*
	 * a text that is cut here is still too large a number, or not a number
	 */
	snprintf(one, sizeof(one), "%.*s", (int)(length < 63 ? length : 63),
		 text);
	err = number_parse(one, 0, UINT32_MAX, &pid, error);
	if (err)
		return err;
	if (reserve(&criteria->pids, criteria->nr_pids,
		    sizeof(*criteria->pids)))
		return error_set(error, -ENOMEM, "memory is short");
	criteria->pids[criteria->nr_pids++] = (uint32_t)pid;
	return 0;
}

static int add_context(struct criteria *criteria, const char *text,
		       size_t length, struct error *error)
{
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++) {
		const char *name = profile_context_name(i);

		if (strlen(name) == length && !memcmp(name, text, length)) {
			criteria->contexts |= 1U << i;
			return 0;
		}
	}
	return error_set(error, -EINVAL,
			 "%.*s: the contexts are user, task, softirq, hardirq and idle",
			 (int)(length < 64 ? length : 64), text);
}

static int add_cpus(struct criteria *criteria, const char *text,
		    struct error *error)
{
	if (!cpulist_add(&criteria->cpus, text))
		return 0;
	return cpulist_refuse(text, error);
}

static int add(struct criteria *criteria, enum select_option option,
	       const char *text, struct error *error)
{
	switch (option) {
	case SELECT_INCLUDE:
		return add_pattern(&criteria->include, text, error);
	case SELECT_EXCLUDE:
		return add_pattern(&criteria->exclude, text, error);
	case SELECT_PATH:
		return add_pattern(&criteria->paths, text, error);
	case SELECT_FOCUS:
		return add_word(&criteria->focus, text, strlen(text), error);
	case SELECT_CUT:
		return add_word(&criteria->cut, text, strlen(text), error);
	case SELECT_COMM:
		return add_list(criteria, text, add_comm, error);
	case SELECT_CGROUP:
		return add_word(&criteria->cgroups, text, strlen(text), error);
	case SELECT_PID:
		return add_list(criteria, text, add_pid, error);
	case SELECT_CPU:
		return add_cpus(criteria, text, error);
	case SELECT_CONTEXT:
		return add_list(criteria, text, add_context, error);
	case SELECT_RANGE:
		return slices_parse_range(text, &criteria->range, error);
	case SELECT_NO_IDLE:
		criteria->not_contexts |= 1U << FLAMEMOD_CONTEXT_IDLE;
		return 0;
	default:
		return 0;
	}
}

int criteria_init(struct criteria *criteria, const struct selection *selection,
		  struct error *error)
{
	int err = 0;

	memset(criteria, 0, sizeof(*criteria));
	for (unsigned int i = 0; i < selection->nr_terms && !err; i++) {
		const struct select_term *term = &selection->terms[i];

		err = add(criteria, term->option, term->text, error);
		criteria->asked |= 1U << term->option;
	}
	return err;
}

int select_add(struct selection *selection, enum select_option option,
	       const char *text, struct error *error)
{
	struct selection one = { .terms = { { option, text } }, .nr_terms = 1 };
	struct criteria criteria;
	int err;

	if (text && !*text)
		return error_set(error, -EINVAL, ": it is empty");
	if (option == SELECT_USER || option == SELECT_KERNEL)
		for (unsigned int i = 0; i < selection->nr_terms; i++)
			if (selection->terms[i].option ==
			    SELECT_USER + SELECT_KERNEL - option)
				return error_set(error, -EINVAL,
						 ": the other half of stacks is selected, so that nothing would be left");
	if (selection->nr_terms == SELECT_TERMS_MAX)
		return error_set(error, -E2BIG, "is one too many: at most %d selections can be combined",
				 SELECT_TERMS_MAX);
	err = criteria_init(&criteria, &one, error);
	criteria_deinit(&criteria);
	if (!err)
		selection->terms[selection->nr_terms++] = one.terms[0];
	return err;
}

int select_of_profiles(const struct selection *selection)
{
	for (unsigned int i = 0; i < selection->nr_terms; i++)
		if (selection->terms[i].option >= SELECT_COMM)
			return selection->terms[i].option;
	return -1;
}

bool select_restricts(const struct selection *selection)
{
	for (unsigned int i = 0; i < selection->nr_terms; i++)
		switch (selection->terms[i].option) {
		case SELECT_RANGE:
		case SELECT_NO_IDLE:
		case SELECT_MERGE_THREADS:
		case SELECT_MERGE_KTHREADS:
			break;
		default:
			return true;
		}
	return false;
}

bool select_take_range(struct selection *selection, struct slices_range *range)
{
	unsigned int kept = 0;
	bool found = false;

	for (unsigned int i = 0; i < selection->nr_terms; i++) {
		const struct select_term *term = &selection->terms[i];

		if (term->option != SELECT_RANGE)
			selection->terms[kept++] = *term;
		else
			found = !slices_parse_range(term->text, range, NULL);
	}
	selection->nr_terms = kept;
	return found;
}

bool select_asked(const struct criteria *criteria, enum select_option option)
{
	return criteria->asked & 1U << option;
}

uint8_t select_half(const struct criteria *criteria)
{
	if (select_asked(criteria, SELECT_USER))
		return HALF_USER;
	return select_asked(criteria, SELECT_KERNEL) ? HALF_KERNEL : HALF_BOTH;
}

/*
 * Match text allowed after a function's name: " [module]", other tools' "_[k]".
 */
static bool is_suffix(const char *tail)
{
	if (!*tail)
		return true;
	return (*tail == ' ' || *tail == '_') && tail[1] == '[' &&
	       strchr(tail, ']') == tail + strlen(tail) - 1;
}

static bool is_one_of(const struct select_words *functions, const char *name)
{
	for (unsigned int i = 0; i < functions->nr; i++) {
		size_t length = strlen(functions->words[i]);

		if (!strncmp(name, functions->words[i], length) &&
		    is_suffix(name + length))
			return true;
	}
	return false;
}

static bool matches_one(const struct select_patterns *patterns, const char *name)
{
	for (unsigned int i = 0; i < patterns->nr; i++)
		if (!regexec(patterns->patterns[i], name, 0, NULL, 0))
			return true;
	return false;
}

bool select_path_matches(const struct criteria *criteria, const char *path)
{
	return matches_one(&criteria->paths, path);
}

const char *select_shown(const char *name)
{
	return name[0] ? name : "[unknown]";
}

uint8_t select_matches(const struct criteria *criteria, const char *name)
{
	return (matches_one(&criteria->include, name) ? SELECT_INCLUDED : 0) |
	       (matches_one(&criteria->exclude, name) ? SELECT_EXCLUDED : 0) |
	       (is_one_of(&criteria->focus, name) ? SELECT_FOCUSED : 0) |
	       (is_one_of(&criteria->cut, name) ? SELECT_BELOW_CUT : 0) |
	       (select_asked(criteria, SELECT_NO_IRQS_OFF) &&
		!strcmp(name, "[irqs-off]") ? SELECT_HIDDEN : 0);
}

uint8_t select_begin(const struct criteria *criteria)
{
	return (criteria->include.nr ? 0 : SELECT_INCLUDED) |
	       (criteria->focus.nr ? 0 : SELECT_FOCUSED);
}

uint8_t select_step(uint8_t above, uint8_t matches)
{
	uint8_t state = (above & ~(SELECT_SHOWN | SELECT_USED | SELECT_NO_PATH)) |
			(matches & ~(SELECT_BELOW_CUT | SELECT_HIDDEN));

	if (!(state & SELECT_FOCUSED))
		return state;
	if (!(above & SELECT_BELOW_CUT) && !(matches & SELECT_HIDDEN))
		state |= SELECT_SHOWN;
	return state | (matches & SELECT_BELOW_CUT);
}

bool select_keeps(uint8_t state)
{
	return (state & (SELECT_INCLUDED | SELECT_EXCLUDED | SELECT_FOCUSED |
			 SELECT_NO_PATH)) ==
	       (SELECT_INCLUDED | SELECT_FOCUSED);
}
