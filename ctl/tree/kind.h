/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derive what a frame is from names only. This is for folded text, which holds
 * nothing else.
 */
#ifndef FLAMECTL_KIND_H
#define FLAMECTL_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "tree/tree.h"

/* What the frames above say about the next one; all zero at a stack's root. */
struct kind_state {
	unsigned int nr_levels;	/* not counting a host */
	bool below_levels;	/* a frame that is no grouping level was seen */
	bool idle;
	bool injected;		/* a thread keeps its CPU idle */
	bool user;
};

/**
 * kind_of_frame() - get the kind of the next frame; call it from the root down.
 * @state: passed from frame to frame of one stack.
 *
 * The result depends only on the frames above, never on those below, so that
 * stacks that start alike share their nodes.
 */
enum tree_kind kind_of_frame(struct kind_state *state, const char *name);

/**
 * kind_says() - extract all that kind_of_frame() needs from a name, for callers
 * that meet the name repeatedly. Return: a value for kind_of_said(), never 0.
 */
unsigned int kind_says(const char *name);

/**
 * kind_of_said() - as kind_of_frame(), for a name whose kind_says() is @says.
 */
enum tree_kind kind_of_said(struct kind_state *state, unsigned int says);

/**
 * kind_injects_idle() - report whether @name on a stack means that a thread
 * keeps its CPU idle.
 *
 * True for play_idle() and similar, and for the leaf "[injected idle]".
 */
bool kind_injects_idle(const char *name);

/**
 * kind_is_cut() - report whether @name is a mark that says that the first frames of the
 * kernel half are missing: above it is the kernel, even if below it is a program.
 */
bool kind_is_cut(const char *name);

/* Ends the name of a function of a waker: see wakers.h. */
#define KIND_WAKER_MARK	"_[w]"

/**
 * kind_is_waker() - report whether @name is of a frame of a waker: "f_[w]", or
 * "f_[w] [module]".
 */
bool kind_is_waker(const char *name);

/**
 * kind_label() - return the length in bytes of the part of a name that is
 * shown: without the suffix for its kind that other tools add, _[k] or _[j]. _[i] stays:
 * colours do not show inlined functions. _[w] stays: the woken task may have the same
 * functions on its stack.
 */
size_t kind_label(const char *name);

/**
 * kind_of_context() - get the context below a kernel frame.
 * @above: the context above it.
 *
 * Return: FLAMEMOD_CONTEXT_IDLE, _HARDIRQ or _SOFTIRQ if @name enters one, else
 * @above.
 */
enum flamemod_context kind_of_context(enum flamemod_context above,
				      const char *name);

#endif /* FLAMECTL_KIND_H */
