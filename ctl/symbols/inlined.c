// SPDX-License-Identifier: GPL-2.0
/*
 * Find inlined functions: see inlined.h.
 *
 * libdw's dwarf_getscopes() walks through all of a unit for each address. Here the
 * functions of a unit are listed once, so that only the DIEs of one function are
 * visited. Programs are anyone's: what is listed and visited is bounded.
 */
#include "symbols/inlined.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/sorted.h"
#include "base/vec.h"

/* Units of a program, and ranges of all units and functions, empty ones as well. */
#define UNITS_MAX	(1U << 18)
#define RANGES_MAX	(1U << 22)

/*
 * DIEs that are visited to list a unit's functions; and DIEs and their ranges, in a function
 * for one address.
 */
#define UNIT_DIES_MAX		(1U << 22)
#define FUNCTION_DIES_MAX	(1U << 16)

/*
 * CPU time for all of a program. libdw may have to read much for a single range, which
 * cannot be counted here: a list can consist of base addresses.
 */
#define CPU_NS		(10 * NSEC_PER_SEC)
#define STEPS_OF_CHECK	16

/* How deep scopes are nested. */
#define DEPTH_MAX	256

/* Where a unit or a function is. It may have several ranges. */
struct range {
	Dwarf_Addr begin, end;
	Dwarf_Off die;
	uint32_t unit;			/* of a unit: its number */
};

struct ranges {
	struct range *list;		/* sorted by ->begin, once it is complete */
	size_t nr, max;
};

/* The functions of a unit; they are listed when the first one is needed. */
struct unit {
	bool is_listed;
	struct ranges functions;
};

struct inlined {
	Dwarf *dwarf;
	struct ranges places;		/* of units */
	struct unit *units;
	size_t nr_units, max_units;
	size_t nr_ranges;		/* that were read for all lists */
	uint64_t spent_ns;		/* CPU time, until ->began_ns of the thread's */
	uint64_t began_ns;
	unsigned int nr_steps;		/* the time is looked at every STEPS_OF_CHECK */
};

static void step_begin(struct inlined *inlined)
{
	inlined->began_ns = clock_thread_ns();
}

static void step_end(struct inlined *inlined)
{
	inlined->spent_ns += clock_thread_ns() - inlined->began_ns;
	step_begin(inlined);
}

static bool is_late(struct inlined *inlined)
{
	if (++inlined->nr_steps % STEPS_OF_CHECK == 0)
		step_end(inlined);
	return inlined->spent_ns > CPU_NS;
}

static int compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

static void sort(struct ranges *ranges)
{
	if (ranges->nr)
		qsort(ranges->list, ranges->nr, sizeof(*ranges->list), compare);
}

/* Find the last range that begins at @address or before, if it goes beyond. */
static const struct range *find(const struct ranges *ranges, Dwarf_Addr address)
{
	size_t nr = sorted_nr_upto(ranges->list, ranges->nr, sizeof(*ranges->list),
				   address);

	return nr && address < ranges->list[nr - 1].end ? &ranges->list[nr - 1] : NULL;
}

/* Add all ranges of @die. Return: false if it is too much, or memory is short. */
static bool add(struct inlined *inlined, struct ranges *ranges, Dwarf_Die *die,
		size_t unit)
{
	struct range range = {
		.die = dwarf_dieoffset(die), .unit = (uint32_t)unit,
	};
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	while (!is_late(inlined) &&
	       (at = dwarf_ranges(die, at, &base, &range.begin, &range.end)) > 0) {
		if (inlined->nr_ranges++ == RANGES_MAX)
			return false;
		if (range.begin >= range.end)
			continue;
		if (vec_reserve(ranges->list, ranges->max, ranges->nr + 1))
			return false;
		ranges->list[ranges->nr++] = range;
	}
	return at <= 0;
}

static bool add_unit(struct inlined *inlined, Dwarf_Die *die)
{
	if (inlined->nr_units == UNITS_MAX ||
	    vec_reserve(inlined->units, inlined->max_units, inlined->nr_units + 1))
		return false;
	inlined->units[inlined->nr_units] = (struct unit){ .is_listed = false };
	return add(inlined, &inlined->places, die, inlined->nr_units++);
}

struct inlined *inlined_create(Dwarf *dwarf)
{
	struct inlined *inlined = calloc(1, sizeof(*inlined));
	bool added = true;
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	uint8_t type;

	if (!inlined)
		return NULL;
	inlined->dwarf = dwarf;
	step_begin(inlined);
	while (added && !dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL))
		if (type == DW_UT_compile)
			added = add_unit(inlined, &die);
	if (!added) {
		inlined_destroy(inlined);
		return NULL;
	}
	sort(&inlined->places);
	step_end(inlined);
	return inlined;
}

void inlined_destroy(struct inlined *inlined)
{
	if (!inlined)
		return;
	for (size_t i = 0; i < inlined->nr_units; i++)
		free(inlined->units[i].functions.list);
	free(inlined->units);
	free(inlined->places.list);
	free(inlined);
}

/* What the visit of a DIE's children is for. */
struct visit {
	struct inlined *inlined;
	struct ranges *functions;	/* the list to add to; NULL: find @address */
	size_t budget;			/* of DIEs, and of ranges if @address is looked for */
	Dwarf_Addr address;
	const char **names;
	size_t nr;
};

static const char *text_of(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute found;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &found));
}

static const char *name_of(Dwarf_Die *die)
{
	return text_of(die, DW_AT_linkage_name) ?:
	       text_of(die, DW_AT_MIPS_linkage_name) ?: dwarf_diename(die);
}

static bool is_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

static bool has_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

static void visit_children(struct visit *visit, Dwarf_Die *parent, unsigned int depth);

/* A function may be declared in another one, as in Ada and in GNU C. */
static void list_function(struct visit *visit, Dwarf_Die *die, int tag,
			  unsigned int depth)
{
	if (tag == DW_TAG_subprogram &&
	    !add(visit->inlined, visit->functions, die, 0))
		visit->budget = 0;
	if (has_functions(tag) || is_code(tag))
		visit_children(visit, die, depth + 1);
}

/* As dwarf_haspc(), within what is left of the budget. */
static bool covers(struct visit *visit, Dwarf_Die *die)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while (visit->budget && !is_late(visit->inlined) &&
	       (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
		if (visit->address >= begin && visit->address < end)
			return true;
		visit->budget--;
	}
	return false;
}

/* Return: whether the address is in @die. */
static bool enter(struct visit *visit, Dwarf_Die *die, int tag, unsigned int depth)
{
	const char *name;

	if (!is_code(tag) || tag == DW_TAG_subprogram || !covers(visit, die))
		return false;
	if (tag == DW_TAG_inlined_subroutine && visit->nr < INLINED_MAX) {
		name = name_of(die);
		if (name && *name)
			visit->names[visit->nr++] = name;
	}
	visit_children(visit, die, depth + 1);
	return true;
}

static void visit_children(struct visit *visit, Dwarf_Die *parent, unsigned int depth)
{
	Dwarf_Die die;
	int tag;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		if (!visit->budget || is_late(visit->inlined))
			return;
		visit->budget--;
		tag = dwarf_tag(&die);
		if (visit->functions)
			list_function(visit, &die, tag, depth);
		else if (enter(visit, &die, tag, depth))
			return;
	} while (!dwarf_siblingof(&die, &die));
}

static const struct ranges *functions_of(struct inlined *inlined,
					 const struct range *place)
{
	struct unit *unit = &inlined->units[place->unit];
	struct visit visit = {
		.inlined = inlined, .functions = &unit->functions,
		.budget = UNIT_DIES_MAX,
	};
	Dwarf_Die die;

	if (!unit->is_listed && dwarf_offdie(inlined->dwarf, place->die, &die)) {
		unit->is_listed = true;
		visit_children(&visit, &die, 0);
		sort(&unit->functions);
	}
	return &unit->functions;
}

size_t inlined_find(struct inlined *inlined, Dwarf_Addr address,
		    const char *names[INLINED_MAX])
{
	struct visit visit = {
		.inlined = inlined, .budget = FUNCTION_DIES_MAX, .address = address,
		.names = names,
	};
	const struct range *found = find(&inlined->places, address);
	Dwarf_Die die;

	step_begin(inlined);
	if (found)
		found = find(functions_of(inlined, found), address);
	if (found && dwarf_offdie(inlined->dwarf, found->die, &die))
		visit_children(&visit, &die, 0);
	step_end(inlined);
	return visit.nr;
}
