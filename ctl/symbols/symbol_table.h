/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of a program, sorted by address. libdwfl goes through all symbols for each
 * address, which takes long for programs with tens of thousands. Here only those that
 * contain it are compared, and no more than a few tens: programs are anyone's.
 *
 * Elfutils only: not in the static flamectl.
 */
#ifndef FLAMECTL_SYMBOL_TABLE_H
#define FLAMECTL_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>

struct symbol_table;

/**
 * symbol_table_create() - read and sort the symbols of a module.
 *
 * Return: the table, to be freed by symbol_table_destroy(), or NULL when memory is short.
 */
struct symbol_table *symbol_table_create(Dwfl_Module *module);

/** symbol_table_destroy() - free @table; NULL is fine. */
void symbol_table_destroy(struct symbol_table *table);

/**
 * symbol_table_find() - find what dwfl_module_addrinfo() would; where more symbols contain
 * the address than any program needs, one of the closest.
 * @table: of @module
 *
 * Return: the symbol's name in the module's file, or NULL if there is none.
 */
const char *symbol_table_find(const struct symbol_table *table, Dwfl_Module *module,
			      GElf_Addr address);

#endif /* FLAMECTL_SYMBOL_TABLE_H */
