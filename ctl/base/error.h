/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An error message that accompanies an -errno.
 *
 * Only commands print. All other files fill a struct error, and the command
 * prints it after "flamectl: ".
 */
#ifndef FLAMECTL_ERROR_H
#define FLAMECTL_ERROR_H

/* text: what failed, the value, the limit, what to do; no final newline. */
struct error {
	char text[512];
};

/**
 * error_set() - fill in an error.
 * @error: what to fill, or NULL if the caller wants no message.
 * @code: a negative errno.
 *
 * Return: @code, so that callers can write "return error_set(...)".
 */
int error_set(struct error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* FLAMECTL_ERROR_H */
