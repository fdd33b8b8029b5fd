/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options that several commands have: those that select a part of a profile, those
 * that say how to read an input, and those that say how the module's functions are
 * named.
 */
#ifndef FLAMECTL_SHARED_OPTIONS_H
#define FLAMECTL_SHARED_OPTIONS_H

#include "cmd/live_names.h"
#include "cmd/option.h"
#include "format/load.h"
#include "select/met.h"
#include "select/select.h"

/* By enum select_option: for all commands that take a selection. */
extern const struct command_option select_options[SELECT_OPTIONS + 1];

/* By enum load_option: for all commands that read a profile. */
extern const struct command_option load_options[LOAD_OPTIONS + 1];

/* The options of all commands that name functions of the module's profile. */
enum live_option {
	LIVE_NO_NAMES,
	LIVE_NO_DEMANGLE,
	LIVE_ANY_FS,
	LIVE_INLINES,
	LIVE_OPTIONS,
};

extern const struct command_option live_options[LIVE_OPTIONS + 1];

/** live_option_add() - add an option to @request. */
void live_option_add(struct live_request *request, enum live_option option);

/* Where the shared options of a command go. */
struct shared_requests {
	struct selection *selection;
	struct load_request *load;	/* NULL if the command has none of these */
	struct live_request *live;	/* likewise */
};

/**
 * shared_option_add() - take an option that is in one of the tables here.
 * @position: from command_next(), at least COMMAND_SHARED.
 *
 * Return: 0, or as select_option_add() or load_option_add().
 */
int shared_option_add(const struct shared_requests *requests, int position,
		      const char *text, struct error *error);

/**
 * select_option_add() - call select_add(), and name the option in its error.
 *
 * Return: as select_add().
 */
int select_option_add(struct selection *selection, enum select_option option,
		      const char *text, struct error *error);

/**
 * select_option_of_profiles() - return the name of a given option that does not
 * work on folded text, or NULL.
 */
const char *select_option_of_profiles(const struct selection *selection);

/** load_option_add() - call load_add(), and name the option in its error. */
int load_option_add(struct load_request *request, enum load_option option,
		    const char *text, struct error *error);

/* room for "no function matches x (--focus); no comm matches y (--comm)" */
#define SELECT_MISSED_TEXT	600

/** select_missed() - write what matched nothing; "" if everything matched. */
const char *select_missed(const struct selection *selection,
			  const struct select_met *met,
			  char text[SELECT_MISSED_TEXT]);

/**
 * select_missed_in() - look at one profile, and write what matched nothing. If
 * memory is short, the result is "": the selection that follows reports that.
 */
const char *select_missed_in(const struct selection *selection,
			     const struct profile *profile,
			     char text[SELECT_MISSED_TEXT]);

#endif /* FLAMECTL_SHARED_OPTIONS_H */
