/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends a program when something fails that must not.
 */
#ifndef MUST_H
#define MUST_H

/** fail() - print "PROGRAM: @what: @why", and exit with 1. */
void fail(const char *what, const char *why) __attribute__((noreturn));

/** must() - fail() with the error's text, unless @err is 0. @err: 0 or -errno. */
void must(int err, const char *what);

#endif /* MUST_H */
