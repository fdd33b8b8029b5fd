/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Secrets in files: a token, a password, or what hours are drawn by.
 */
#ifndef FLAMECTL_SECRET_H
#define FLAMECTL_SECRET_H

#include "base/error.h"

/* The longest secret, in bytes. */
#define SECRET_MAX	4096

/**
 * secret_read() - read the first line of a file: printable characters without a space.
 * @what: for messages: "token".
 *
 * Return: 0 with @secret set, or -errno with @error.
 */
int secret_read(const char *path, const char *what, char secret[SECRET_MAX + 1],
		struct error *error);

#endif /* FLAMECTL_SECRET_H */
