// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols sorted by address: see symbol_table.h.
 *
 * libdwfl goes through all global symbols, and if none contains the address, through the
 * local ones, and keeps the best so far: see better(). Here that is done for those that
 * contain it. Assembly code may have symbols without a size. Such a symbol covers the
 * text up to the next symbol, if no symbol with a size does: there libdwfl is asked.
 */
#include "symbols/symbol_table.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/sorted.h"

struct sorted {
	GElf_Addr start, end;		/* equal: it has no size */
	GElf_Addr reach;		/* the largest end of those up to this one */
	GElf_Addr global_reach;		/* the same, of global ones */
	GElf_Addr sizeless;		/* the last start without a size, or 0 */
	int number;			/* libdwfl's */
	uint8_t binding;		/* as libdwfl prefers them */
	bool is_global;			/* it is among the global symbols, or weak ones */
};

/* So many symbols may contain an address; if more do, libdwfl is asked. */
#define CANDIDATES_MAX	32

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

static uint8_t binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return 3;
	case STB_WEAK:
		return 2;
	case STB_LOCAL:
		return 1;
	default:
		return 0;
	}
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
			.binding = binding_of(&symbol), .is_global = i >= first_global,
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

/*
 * Choose between the best symbol so far and one that comes later in libdwfl's table: as
 * dwfl_module_addrinfo() of elfutils 0.188 does (libdwfl/dwfl_module_addrsym.c).
 */
static const struct sorted *better(const struct sorted *best, const struct sorted *other)
{
	if (!best || best->start < other->start || best->binding < other->binding)
		return other;
	/* of those that begin at one place, the one that ends first */
	if (best->start == other->start && best->end > other->end &&
	    best->binding <= other->binding)
		return other;
	return best;
}

/* Symbols that contain an address, in the order of libdwfl's table. */
struct candidates {
	const struct sorted *symbols[CANDIDATES_MAX];
	size_t nr;
};

/* Return: false if there are too many. */
static bool add(struct candidates *candidates, const struct sorted *symbol)
{
	size_t at = candidates->nr;

	if (at == CANDIDATES_MAX)
		return false;
	candidates->nr++;
	for (; at && candidates->symbols[at - 1]->number > symbol->number; at--)
		candidates->symbols[at] = candidates->symbols[at - 1];
	candidates->symbols[at] = symbol;
	return true;
}

static const struct sorted *best_of(const struct candidates *candidates)
{
	const struct sorted *best = NULL;

	for (int is_global = 1; is_global >= 0 && !best; is_global--)
		for (size_t i = 0; i < candidates->nr; i++)
			if (candidates->symbols[i]->is_global == is_global)
				best = better(best, candidates->symbols[i]);
	return best;
}

bool symbol_table_find(const struct symbol_table *table, Dwfl_Module *module,
		       GElf_Addr address, const char **name)
{
	size_t nr = sorted_nr_upto(table->symbols, table->nr,
				   sizeof(table->symbols[0]), address), i;
	const struct sorted *found, *last;
	struct candidates candidates = { .nr = 0 };
	GElf_Addr ignored;
	GElf_Sym symbol;

	*name = NULL;
	if (!nr)
		return true;
	last = &table->symbols[nr - 1];
	for (i = nr; i && table->symbols[i - 1].reach > address; i--)
		if (table->symbols[i - 1].end > address &&
		    !add(&candidates, &table->symbols[i - 1]))
			return false;
	found = best_of(&candidates);
	/* one without a size is met by libdwfl before local ones, and if there is no other */
	if ((!found || !found->is_global) && last->sizeless &&
	    last->sizeless >= last->global_reach)
		return false;
	if (found)
		*name = dwfl_module_getsym_info(module, found->number, &symbol, &ignored,
						NULL, NULL, NULL);
	return true;
}
