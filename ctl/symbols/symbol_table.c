// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols sorted by address: see symbol_table.h.
 *
 * libdwfl goes through all global symbols, and if none contains the address, through the
 * local ones, and keeps the best so far: see better(). Here that is done for those that
 * contain it, which a tree of the symbols' ends leads to. Programs are anyone's, and any
 * number of symbols may contain an address, so only the first CANDIDATES_MAX count.
 *
 * Assembly code may have symbols without a size. Such a symbol covers the text of its section
 * up to the next symbol, if no symbol with a size does.
 */
#include "symbols/symbol_table.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/sorted.h"

struct sorted {
	GElf_Addr start, end;		/* equal: it has no size */
	/* the last one without a size that begins here or before: its index plus one, or 0 */
	uint32_t sizeless_global, sizeless_local;
	int number;			/* libdwfl's */
	uint8_t binding;		/* as libdwfl prefers them */
	bool is_global;			/* it is among the global symbols, or weak ones */
	bool is_absolute;		/* it is in no section */
};

/* So many symbols that contain an address are compared: those that begin closest to it. */
#define CANDIDATES_MAX	32

/* Symbols that share a leaf of the tree, which saves memory. */
#define BLOCK	16

struct symbol_table {
	GElf_Addr *ends;		/* a binary tree of blocks' largest ends; the root is 1 */
	size_t first_leaf;		/* a power of two, more than there are blocks */
	size_t nr;
	struct sorted symbols[];
};

static int by_start(const void *a, const void *b)
{
	const struct sorted *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
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

static GElf_Addr larger(GElf_Addr a, GElf_Addr b) { return a > b ? a : b; }

/* Make the tree. Return: false when memory is short. */
static bool sum_up(struct symbol_table *table)
{
	table->first_leaf = 1;
	while (table->first_leaf <= table->nr / BLOCK + 1)
		table->first_leaf *= 2;
	table->ends = calloc(2 * table->first_leaf, sizeof(*table->ends));
	if (!table->ends)
		return false;
	for (size_t i = 0; i < table->nr; i++) {
		GElf_Addr *leaf = &table->ends[table->first_leaf + i / BLOCK];

		*leaf = larger(*leaf, table->symbols[i].end);
	}
	for (size_t i = table->first_leaf - 1; i; i--)
		table->ends[i] = larger(table->ends[2 * i], table->ends[2 * i + 1]);
	return true;
}

static void find_sizeless(struct symbol_table *table)
{
	uint32_t global = 0, local = 0;

	for (size_t i = 0; i < table->nr; i++) {
		struct sorted *at = &table->symbols[i];

		if (at->start == at->end)
			*(at->is_global ? &global : &local) = (uint32_t)i + 1;
		at->sizeless_global = global;
		at->sizeless_local = local;
	}
}

struct symbol_table *symbol_table_create(Dwfl_Module *module)
{
	int nr = dwfl_module_getsymtab(module), first_global;
	struct symbol_table *table;
	GElf_Addr address;
	GElf_Word section;
	GElf_Sym symbol;
	const char *name;

	if (nr < 0)
		nr = 0;
	first_global = dwfl_module_getsymtab_first_global(module);
	table = malloc(sizeof(*table) + (size_t)nr * sizeof(table->symbols[0]));
	if (!table)
		return NULL;
	table->nr = 0;
	table->ends = NULL;
	/* the first one is none */
	for (int i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL,
					       NULL);
		if (!is_place(name, &symbol) || symbol.st_size > (GElf_Addr)-1 - address)
			continue;
		table->symbols[table->nr++] = (struct sorted){
			.start = address, .end = address + symbol.st_size, .number = i,
			.binding = binding_of(&symbol), .is_global = i >= first_global,
			.is_absolute = section >= SHN_LORESERVE,
		};
	}
	qsort(table->symbols, table->nr, sizeof(table->symbols[0]), by_start);
	find_sizeless(table);
	if (sum_up(table))
		return table;
	symbol_table_destroy(table);
	return NULL;
}

void symbol_table_destroy(struct symbol_table *table)
{
	if (table)
		free(table->ends);
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

/* Find the last block before @block that has an end beyond @address. Return: it plus one, or 0 */
static size_t last_block(const struct symbol_table *table, size_t block, GElf_Addr address)
{
	size_t at = table->first_leaf + block;

	for (; at > 1; at /= 2) {
		if (!(at & 1) || table->ends[at - 1] <= address)
			continue;
		for (at--; at < table->first_leaf;)
			at = 2 * at + (table->ends[2 * at + 1] > address);
		return at - table->first_leaf + 1;
	}
	return 0;
}

/* Find the last of the first @nr symbols that ends beyond @address. Return: as last_block() */
static size_t last_beyond(const struct symbol_table *table, size_t nr, GElf_Addr address)
{
	while (nr) {
		size_t first = (nr - 1) / BLOCK * BLOCK;

		for (; nr > first; nr--)
			if (table->symbols[nr - 1].end > address)
				return nr;
		nr = last_block(table, first / BLOCK, address) * BLOCK;
	}
	return 0;
}

/* Symbols that contain an address, in the order of libdwfl's table. */
struct candidates {
	const struct sorted *symbols[CANDIDATES_MAX];
	size_t nr;
};

static void add(struct candidates *candidates, const struct sorted *symbol)
{
	size_t at = candidates->nr++;

	for (; at && candidates->symbols[at - 1]->number > symbol->number; at--)
		candidates->symbols[at] = candidates->symbols[at - 1];
	candidates->symbols[at] = symbol;
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

static const struct sorted *at_index(const struct symbol_table *table, uint32_t index_plus_one)
{
	return index_plus_one ? &table->symbols[index_plus_one - 1] : NULL;
}

static bool is_in_section_of(const struct sorted *symbol, Dwfl_Module *module, GElf_Addr address)
{
	GElf_Addr start = symbol->start;
	Dwarf_Addr bias;

	if (symbol->is_absolute)
		return start == address;
	return dwfl_module_address_section(module, &start, &bias) ==
	       dwfl_module_address_section(module, &address, &bias);
}

/*
 * Find the symbol without a size that covers an address which no other symbol contains.
 * @nr: how many symbols begin there or before; at least one.
 */
static const struct sorted *sizeless_at(const struct symbol_table *table, Dwfl_Module *module,
					size_t nr, GElf_Addr address)
{
	const struct sorted *last = &table->symbols[nr - 1];
	const struct sorted *found = at_index(table, last->sizeless_local);
	const struct sorted *global = at_index(table, last->sizeless_global);

	if (!found || (global && global->start > found->start))
		found = global;
	/* one that ends later shows where the text of this one ends */
	if (!found || last_beyond(table, nr, found->start) ||
	    !is_in_section_of(found, module, address))
		return NULL;
	return found;
}

/* Find the symbol that names an address. @nr: as for sizeless_at(). */
static const struct sorted *find(const struct symbol_table *table, Dwfl_Module *module,
				 size_t nr, GElf_Addr address)
{
	const struct sorted *found, *global;
	struct candidates candidates = { .nr = 0 };

	for (size_t i = nr; candidates.nr < CANDIDATES_MAX; i--) {
		i = last_beyond(table, i, address);
		if (!i)
			break;
		add(&candidates, &table->symbols[i - 1]);
	}
	found = best_of(&candidates);
	if (found && found->is_global)
		return found;
	/* libdwfl prefers a global one without a size to local ones only if it begins there */
	global = at_index(table, table->symbols[nr - 1].sizeless_global);
	if (global && global->start == address && is_in_section_of(global, module, address))
		return global;
	return found ?: sizeless_at(table, module, nr, address);
}

const char *symbol_table_find(const struct symbol_table *table, Dwfl_Module *module,
			      GElf_Addr address)
{
	size_t nr = sorted_nr_upto(table->symbols, table->nr,
				   sizeof(table->symbols[0]), address);
	const struct sorted *found = nr ? find(table, module, nr, address) : NULL;
	GElf_Addr ignored;
	GElf_Sym symbol;

	return found ? dwfl_module_getsym_info(module, found->number, &symbol, &ignored,
					       NULL, NULL, NULL) : NULL;
}
