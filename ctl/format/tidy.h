/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions without what makes them long: arguments and types that
 * compilers of C++ and Java write along.
 */
#ifndef FLAMECTL_TIDY_H
#define FLAMECTL_TIDY_H

/**
 * tidy_name() - shorten a function's name in place, if it has a signature.
 *
 * "ns::f(int, std::string const&) const" becomes "ns::f",
 * "Lorg/x/Y;::get(ILjava/lang/Object;)V" "org/x/Y::get". What makes a name
 * another function's stays: template arguments, "(anonymous namespace)",
 * "operator()", Go's "(*T)".
 */
void tidy_name(char *name);

#endif /* FLAMECTL_TIDY_H */
