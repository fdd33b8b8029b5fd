/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a task was not on a CPU: its state, as ps(1) has it, or that it could run and had
 * no CPU.
 *
 * In profiles and graphs each state is a mark, the leaf of the stack that the task had
 * meanwhile. So selections, differences and folded text show it as they show any frame.
 */
#ifndef FLAMECTL_TASK_STATE_H
#define FLAMECTL_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "flamemod.h"

/* The module's states, which are in common/flamemod.yaml, and one that it has as an event. */
#define TASK_WAITING	((enum flamemod_task_state)__FLAMEMOD_TASK_STATE_MAX)
#define TASK_STATES	(__FLAMEMOD_TASK_STATE_MAX + 1)

/**
 * task_state_leaf() - return a state's mark: "[sleeping]"; of TASK_WAITING "[waiting]".
 */
const char *task_state_leaf(enum flamemod_task_state state);

/** task_state_is_leaf() - report whether @name is the mark of any state. */
bool task_state_is_leaf(const char *name);

/** task_state_name() - return the word or letter that --state takes: "D", "waiting". */
const char *task_state_name(enum flamemod_task_state state);

/**
 * task_states_parse() - parse a list such as "D,S,preempted".
 * @mask: set to bits 1 << enum flamemod_task_state, and 1 << TASK_WAITING.
 *
 * Return: 0, or -EINVAL with @error: the word that is unknown, and those that are known.
 */
int task_states_parse(const char *text, uint32_t *mask, struct error *error);

/* Room for the names of all states, and a NUL. */
#define TASK_STATES_TEXT	96

/** task_states_text() - write the names in @mask: "D,waiting". Return: @text. */
const char *task_states_text(uint32_t mask, char text[TASK_STATES_TEXT]);

#endif /* FLAMECTL_TASK_STATE_H */
