/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The exit codes that flamectl documents.
 */
#ifndef FLAMECTL_EXIT_CODE_H
#define FLAMECTL_EXIT_CODE_H

enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_NO_MODULE = 3,	/* module absent, other version, or not permitted */
	EXIT_NOT_RUN = 126,	/* the command to record cannot be run, as from env */
	EXIT_NOT_FOUND = 127,	/* or is not found */
};

/**
 * exit_code_of() - return the exit code for a failed request to the module.
 * @err: -errno, as the functions of nl.h return it.
 *
 * Return: EXIT_NO_MODULE if loading the module or becoming root would help,
 * else EXIT_FAILED.
 */
int exit_code_of(int err);

#endif /* FLAMECTL_EXIT_CODE_H */
