/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What went wrong, in words, beside the -errno that says of what kind.
 *
 * Files that are not commands never print: they fill one of these, and the
 * command prints it behind "flamectl: ".
 */
#ifndef FLAMECTL_ERROR_H
#define FLAMECTL_ERROR_H

/* text: what failed, the value, the limit, what to do; no final newline. */
struct error {
	char text[512];
};

/**
 * error_set() - fill in an error.
 * @error: what to fill, or NULL where nobody asks.
 * @code: a negative errno.
 *
 * Return: @code, so that callers can write "return error_set(...)".
 */
int error_set(struct error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* FLAMECTL_ERROR_H */
