/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that a compiler inlined: what DWARF has at a place in a program.
 *
 * Source: DWARF 5, sections 3.3.8 and 2.17. Units whose DIEs are in another file
 * (split DWARF, DW_UT_skeleton) are left out, because libdw would open that file
 * by whatever path the program has.
 */
#ifndef FLAMECTL_SYMBOLS_INLINED_H
#define FLAMECTL_SYMBOLS_INLINED_H

#include <elfutils/libdw.h>
#include <stddef.h>

/* The most functions that are inlined into each other at one place. */
#define INLINED_MAX	64

struct inlined;

/**
 * inlined_create() - read which addresses the units of @dwarf have.
 * @dwarf: must outlive the result.
 *
 * Return: what inlined_find() needs, to be freed by inlined_destroy(), or NULL
 * when memory is short, or there is more than any compiler makes.
 */
struct inlined *inlined_create(Dwarf *dwarf);

/** inlined_destroy() - free @inlined; NULL is fine. */
void inlined_destroy(struct inlined *inlined);

/**
 * inlined_find() - find the functions that are inlined at an address.
 * @address: as DWARF has it.
 * @names: set to their names, as linkers would see them; the first is inlined into
 *	   the function that is there, each other one into the one before. They are
 *	   in @dwarf.
 *
 * Return: how many there are; 0 if all calls for this program have taken too much CPU time.
 */
size_t inlined_find(struct inlined *inlined, Dwarf_Addr address,
		    const char *names[INLINED_MAX]);

#endif /* FLAMECTL_SYMBOLS_INLINED_H */
