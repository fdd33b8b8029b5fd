/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shortening of function names: removes the arguments and types that C++ and
 * Java compilers add to them.
 */
#ifndef FLAMECTL_TIDY_H
#define FLAMECTL_TIDY_H

/**
 * tidy_name() - cut the signature off a function's name, in place.
 *
 * "ns::f(int, std::string const&) const" becomes "ns::f",
 * "Lorg/x/Y;::get(ILjava/lang/Object;)V" becomes "org/x/Y::get". What
 * distinguishes functions stays: template arguments, "(anonymous namespace)",
 * "operator()", Go's "(*T)".
 */
void tidy_name(char *name);

#endif /* FLAMECTL_TIDY_H */
