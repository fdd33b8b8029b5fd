// SPDX-License-Identifier: GPL-2.0
/*
 * The colour schemes: what each shows of a frame, and in which hues.
 */
#include <errno.h>
#include <string.h>

#include "tree/kind.h"
#include "tree/subsystem.h"
#include "view/paint_private.h"

uint32_t paint_hash(const char *bytes, size_t length)
{
	uint32_t hash = 0x811c9dc5;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x01000193;
	return hash ^ hash >> 16;
}

static bool is_function(const struct tree_node *node)
{
	return node->kind == TREE_KERNEL || node->kind == TREE_MODULE;
}

static int by_subsystem(const struct tree_node *node)
{
	return is_function(node) ? (int)subsystem_of(node->name) : -1;
}

/* Hues are a golden angle apart, so that neighbours in the legend differ. */
static const struct paint_family subsystems[] = {
	[SUBSYSTEM_OTHER] = { NULL, 75, 85, 0.04 },
	[SUBSYSTEM_ENTRY] = { NULL, 92, 100, 0.10 },
	[SUBSYSTEM_SCHEDULER] = { NULL, 298, 306, 0.11 },
	[SUBSYSTEM_INTERRUPTS] = { NULL, 350, 358, 0.11 },
	[SUBSYSTEM_TIME] = { NULL, 322, 330, 0.11 },
	[SUBSYSTEM_LOCKS] = { NULL, 20, 28, 0.13 },
	[SUBSYSTEM_MEMORY] = { NULL, 142, 150, 0.13 },
	[SUBSYSTEM_FILES] = { NULL, 50, 58, 0.13 },
	[SUBSYSTEM_BLOCK] = { NULL, 72, 80, 0.13 },
	[SUBSYSTEM_NETWORK] = { NULL, 244, 252, 0.11 },
	[SUBSYSTEM_SECURITY] = { NULL, 168, 176, 0.11 },
	[SUBSYSTEM_TRACING] = { NULL, 192, 200, 0.09 },
	[SUBSYSTEM_VIRTUAL] = { NULL, 272, 280, 0.11 },
	[SUBSYSTEM_DRIVERS] = { NULL, 116, 124, 0.12 },
	{ 0 }
};

/* Return the module in a name: "ext4" in "ext4_readdir [ext4]". */
static const char *module_of(const char *name, int *length)
{
	const char *module = strstr(name, " [");

	if (!module)
		return NULL;
	module += 2;
	*length = (int)strcspn(module, "]");
	return module;
}

/* A hash of a module's name chooses one of these; modules may share one. */
static const struct paint_family modules[] = {
	{ NULL, 0, 8, 0.11 }, { NULL, 15, 23, 0.12 }, { NULL, 90, 98, 0.11 },
	{ NULL, 105, 113, 0.12 }, { NULL, 120, 128, 0.12 },
	{ NULL, 135, 143, 0.13 }, { NULL, 150, 158, 0.12 },
	{ NULL, 165, 173, 0.10 }, { NULL, 180, 188, 0.09 },
	{ NULL, 195, 203, 0.09 }, { NULL, 210, 218, 0.09 },
	{ NULL, 225, 233, 0.10 }, { NULL, 240, 248, 0.11 },
	{ NULL, 255, 263, 0.11 }, { NULL, 270, 278, 0.11 },
	{ NULL, 285, 293, 0.11 }, { NULL, 300, 308, 0.11 },
	{ NULL, 315, 323, 0.11 }, { NULL, 330, 338, 0.11 },
	{ NULL, 345, 353, 0.11 }, { 0 }
};

#define NR_MODULES (sizeof(modules) / sizeof(modules[0]) - 1)

static int by_module(const struct tree_node *node)
{
	const char *module;
	int length;

	if (node->kind != TREE_MODULE)
		return -1;
	module = module_of(node->name, &length);
	return module ? (int)(paint_hash(module, length) % NR_MODULES) : -1;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && !strcmp(name + length - tail, suffix);
}

static const struct paint_family languages[] = {
	{ "compiled just in time", 138, 150, 0.13 },
	{ "inlined", 190, 202, 0.09 }, { "C++", 92, 102, 0.12 },
	{ "native", 18, 30, 0.12 }, { 0 }
};

/* Choose by the marks that other tools add to names. */
static int by_language(const struct tree_node *node)
{
	const char *name = node->name;

	if (ends_with(name, "_[j]"))
		return 0;
	if (ends_with(name, "_[i]"))
		return 1;
	if (strstr(name, "::"))
		return 2;
	return node->kind == TREE_USER ? 3 : -1;
}

static const struct paint_family chains[] = {
	{ "waker", 190, 206, 0.09 }, { "blocked", 240, 264, 0.11 }, { 0 }
};

static int by_chain(bool is_waker)
{
	return is_waker ? 0 : 1;
}

const struct paint_family *paint_waker_family(void)
{
	return &chains[by_chain(true)];
}

static int by_hue(const struct tree_node *node)
{
	return (int)(paint_hash(node->name, strlen(node->name)) >> 8) %
	       (int)NR_MODULES;
}

static int one_family(const struct tree_node *node)
{
	(void)node;
	return 0;
}

#define RAMP(name, from, to, chroma) \
	{ name, (const struct paint_family []) { { NULL, from, to, chroma }, { 0 } }, \
	  one_family, NULL }

static const struct paint_scheme schemes[] = {
	{ "subsystem", subsystems, by_subsystem, NULL },
	{ "module", modules, by_module, NULL },
	{ "language", languages, by_language, NULL },
	{ "chain", chains, NULL, by_chain },
	{ "hash", modules, by_hue, NULL },
	RAMP("hot", 22, 92, 0.14),
	RAMP("mem", 138, 172, 0.12),
	RAMP("io", 222, 274, 0.11),
	RAMP("wakeup", 180, 214, 0.09),
	RAMP("red", 12, 28, 0.13),
	RAMP("orange", 48, 68, 0.14),
	RAMP("yellow", 88, 104, 0.14),
	RAMP("green", 134, 152, 0.14),
	RAMP("aqua", 186, 204, 0.09),
	RAMP("blue", 238, 264, 0.11),
	RAMP("purple", 298, 324, 0.11),
};

#define NR_SCHEMES (sizeof(schemes) / sizeof(schemes[0]))

const struct paint_scheme *paint_scheme_usual(const struct tree *tree)
{
	struct error ignored;

	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		if (kind_is_waker(tree->nodes[i].name))
			return paint_scheme_find("chain", &ignored);
	return NULL;
}

const struct paint_scheme *paint_scheme_find(const char *name,
					     struct error *error)
{
	char list[256] = "kind";

	error->text[0] = '\0';
	if (!strcmp(name, "kind"))
		return NULL;
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		if (!strcmp(schemes[i].name, name))
			return &schemes[i];
		strcat(strcat(list, i + 1 < NR_SCHEMES ? ", " : " and "),
		       schemes[i].name);
	}
	error_set(error, -EINVAL, "%.40s: the schemes are %s",
		  *name ? name : "nothing", list);
	return NULL;
}

const char *paint_scheme_key(const struct paint_scheme *scheme, int family,
			     const char *name, int *length)
{
	const char *key = scheme->families[family].key;

	if (scheme->family_of == by_module)
		return module_of(name, length);
	if (scheme->family_of == by_subsystem)
		key = subsystem_name(family);
	*length = key ? (int)strlen(key) : 0;
	return key;
}
