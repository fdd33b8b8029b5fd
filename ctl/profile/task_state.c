// SPDX-License-Identifier: GPL-2.0
/*
 * Why a task was not on a CPU: see task_state.h.
 */
#include "profile/task_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *leaf;
} states[TASK_STATES] = {
	[FLAMEMOD_TASK_STATE_PREEMPTED] = { "preempted", "[preempted]" },
	[FLAMEMOD_TASK_STATE_SLEEPING] = { "S", "[sleeping]" },
	[FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE] = { "D", "[uninterruptible]" },
	[FLAMEMOD_TASK_STATE_STOPPED] = { "T", "[stopped]" },
	[FLAMEMOD_TASK_STATE_TRACED] = { "t", "[traced]" },
	[FLAMEMOD_TASK_STATE_PARKED] = { "P", "[parked]" },
	[FLAMEMOD_TASK_STATE_IDLE] = { "I", "[idle thread]" },
	[FLAMEMOD_TASK_STATE_OTHER] = { "other", "[off-cpu]" },
	[TASK_WAITING] = { "waiting", "[waiting]" },
};

const char *task_state_leaf(enum flamemod_task_state state)
{
	return states[state].leaf;
}

bool task_state_is_leaf(const char *name)
{
	if (*name != '[')
		return false;
	for (unsigned int i = 0; i < TASK_STATES; i++)
		if (!strcmp(name, states[i].leaf))
			return true;
	return false;
}

const char *task_state_name(enum flamemod_task_state state)
{
	return states[state].name;
}

/* Find the state of @length bytes of a name. Return: TASK_STATES if there is none. */
static unsigned int find(const char *text, size_t length)
{
	unsigned int i;

	for (i = 0; i < TASK_STATES; i++)
		if (strlen(states[i].name) == length &&
		    !strncmp(states[i].name, text, length))
			break;
	return i;
}

int task_states_parse(const char *text, uint32_t *mask, struct error *error)
{
	char all[TASK_STATES_TEXT];
	uint32_t found = 0;

	for (;;) {
		size_t length = strcspn(text, ",");
		unsigned int state = find(text, length);

		if (state == TASK_STATES)
			return error_set(error, -EINVAL, "%.*s: the states are %s",
					 length ? (int)(length < 40 ? length : 40) : 7,
					 length ? text : "nothing",
					 task_states_text(UINT32_MAX, all));
		found |= 1U << state;
		if (!text[length])
			break;
		text += length + 1;
	}
	*mask = found;
	return 0;
}

const char *task_states_text(uint32_t mask, char text[TASK_STATES_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (unsigned int i = 0; i < TASK_STATES; i++)
		if (mask & 1U << i)
			used += (size_t)snprintf(text + used, TASK_STATES_TEXT - used, "%s%s",
						 used ? "," : "", states[i].name);
	return text;
}
