/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a frame is, judged by names alone: for folded text, which carries
 * nothing else.
 */
#ifndef FLAMECTL_KIND_H
#define FLAMECTL_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "tree/tree.h"

/* What the frames above say of the next; zeroed at a stack's root. */
struct kind_state {
	unsigned int depth;	/* below a level of the host, which may come first */
	bool below_levels;	/* a frame that is no grouping level was seen */
	bool idle;
	bool injected;		/* a thread keeps its CPU idle: that is the thread's time */
	bool user;
};

/**
 * kind_of_frame() - the kind of the next frame, root first.
 * @state: carried from frame to frame of one stack.
 *
 * The answer depends on the frames above alone, never on those below, so that
 * stacks which begin alike share their nodes.
 */
enum tree_kind kind_of_frame(struct kind_state *state, const char *name);

/**
 * kind_says() - all that kind_of_frame() wants of a name, for those who meet it
 * again and again. Return: never 0; kind_of_said() knows what it means.
 */
unsigned int kind_says(const char *name);

/** kind_of_said() - kind_of_frame() of a name that says @says. */
enum tree_kind kind_of_said(struct kind_state *state, unsigned int says);

/**
 * kind_injects_idle() - does a thread keep its CPU idle where @name is on the stack?
 *
 * True for play_idle() and its like, and for the leaf "[injected idle]".
 */
bool kind_injects_idle(const char *name);

/**
 * kind_label() - how long a name is without the mark of its kind that other
 * tools put behind it, _[k], _[j], _[i] or _[w]: what is shown of it, in bytes.
 */
size_t kind_label(const char *name);

/**
 * kind_of_context() - what runs below a frame of the kernel's.
 * @above: what ran above it.
 *
 * Return: FLAMEMOD_CONTEXT_IDLE, _HARDIRQ or _SOFTIRQ where @name enters that,
 * @above elsewhere.
 */
enum flamemod_context kind_of_context(enum flamemod_context above,
				      const char *name);

#endif /* FLAMECTL_KIND_H */
