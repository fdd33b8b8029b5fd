// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols sorted by address: see symbol_table.h.
 *
 * libdwfl prefers global symbols, then those that begin closer to the address. If no
 * symbol with a size contains it, a symbol without one, as assembly code may have, stands
 * for all that follows up to the next symbol. The first is decided here only if there is
 * no choice, and the second is left to libdwfl.
 */
#include "symbols/symbol_table.h"

#include <stdlib.h>

#include "base/sorted.h"

struct sorted {
	GElf_Addr start, end;		/* equal: it has no size */
	GElf_Addr reach;		/* the largest end of those up to this one */
	GElf_Addr global_reach;		/* the same, of global ones */
	GElf_Addr sizeless;		/* the last start without a size, or 0 */
	int number;			/* libdwfl's */
	bool is_global;
};

struct symbol_table {
	size_t nr;
	struct sorted symbols[];
};

static int by_start(const void *a, const void *b)
{
	const struct sorted *left = a, *right = b;

	return left->start < right->start ? -1 : left->start > right->start;
}

/* As libdwfl does, leave out what is not defined here, or is no place. */
static bool is_place(const char *name, const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return name && *name && symbol->st_shndx != SHN_UNDEF &&
	       type != STT_SECTION && type != STT_FILE && type != STT_TLS;
}

static void sum_up(struct symbol_table *table)
{
	GElf_Addr reach = 0, global_reach = 0, sizeless = 0;

	for (size_t i = 0; i < table->nr; i++) {
		struct sorted *at = &table->symbols[i];

		if (at->end > reach)
			reach = at->end;
		if (at->is_global && at->end > global_reach)
			global_reach = at->end;
		if (at->start == at->end)
			sizeless = at->start;
		at->reach = reach;
		at->global_reach = global_reach;
		at->sizeless = sizeless;
	}
}

struct symbol_table *symbol_table_create(Dwfl_Module *module)
{
	int nr = dwfl_module_getsymtab(module), first_global;
	struct symbol_table *table;
	GElf_Addr address;
	GElf_Sym symbol;
	const char *name;

	if (nr < 0)
		nr = 0;
	first_global = dwfl_module_getsymtab_first_global(module);
	table = malloc(sizeof(*table) + (size_t)nr * sizeof(table->symbols[0]));
	if (!table)
		return NULL;
	table->nr = 0;
	/* the first one is none */
	for (int i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
		if (!is_place(name, &symbol) || symbol.st_size > (GElf_Addr)-1 - address)
			continue;
		table->symbols[table->nr++] = (struct sorted){
			.start = address, .end = address + symbol.st_size, .number = i,
			.is_global = i >= first_global,
		};
	}
	qsort(table->symbols, table->nr, sizeof(table->symbols[0]), by_start);
	sum_up(table);
	return table;
}

void symbol_table_destroy(struct symbol_table *table)
{
	free(table);
}

bool symbol_table_find(const struct symbol_table *table, Dwfl_Module *module,
		       GElf_Addr address, const char **name)
{
	const struct sorted *found = NULL, *last;
	size_t nr = sorted_nr_upto(table->symbols, table->nr,
				   sizeof(table->symbols[0]), address), i;
	GElf_Addr ignored;
	GElf_Sym symbol;

	*name = NULL;
	if (!nr)
		return true;
	last = &table->symbols[nr - 1];
	for (i = nr; i && table->symbols[i - 1].reach > address; i--) {
		if (table->symbols[i - 1].end <= address)
			continue;
		if (found)
			return false;
		found = &table->symbols[i - 1];
	}
	/* one without a size is met by libdwfl before local ones, and if there is no other */
	if ((!found || !found->is_global) && last->sizeless &&
	    last->sizeless >= last->global_reach)
		return false;
	if (found)
		*name = dwfl_module_getsym_info(module, found->number, &symbol, &ignored,
						NULL, NULL, NULL);
	return true;
}
