/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names as programmers write them, made from those that linkers see.
 */
#ifndef FLAMECTL_SYMBOLS_DEMANGLE_H
#define FLAMECTL_SYMBOLS_DEMANGLE_H

/**
 * demangle() - demangle a name of C++ or Rust, without its parameters.
 *
 * Return: the name, which the caller frees, or NULL if it is not mangled.
 */
char *demangle(const char *name);

#endif /* FLAMECTL_SYMBOLS_DEMANGLE_H */
