// SPDX-License-Identifier: GPL-2.0
/*
 * Turns addresses into names: see symbols.h.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/siphash.h>
#include <linux/string.h>

#include "memory.h"
#include "symbols.h"
#include "wakers.h"

struct fm_name {
	const char *text;
	u8 kind;
	bool lasts;			/* until its module goes, or forever */
	struct fm_extent extent;	/* the addresses that have this name */
};

/**
 * fm_symbols_init() - set up symbols without any names.
 * @symbols: to set up
 * @memory: the limit that names are charged to
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_symbols_init(struct fm_symbols *symbols, struct fm_memory *memory)
{
	memset(symbols, 0, sizeof(*symbols));
	symbols->memory = memory;
	get_random_bytes(&symbols->key, sizeof(symbols->key));
	symbols->buffer = fm_memory_alloc(memory, KSYM_SYMBOL_LEN);
	fm_extents_init(&symbols->extents, memory);
	if (!symbols->buffer ||
	    fm_set_init(&symbols->frames, memory, sizeof(struct fm_frame))) {
		fm_symbols_deinit(symbols);
		return -ENOMEM;
	}
	return 0;
}

/**
 * fm_symbols_deinit() - free all names.
 * @symbols: set up or all zero
 *
 * Context: Process context.
 */
void fm_symbols_deinit(struct fm_symbols *symbols)
{
	u32 i;

	for (i = 0; i < fm_set_nr(&symbols->frames); i++) {
		struct fm_frame *frame = fm_set_at(&symbols->frames, i);

		if (!frame->in_file)
			fm_memory_free(symbols->memory, (void *)frame->name,
				       frame->name_bytes);
	}
	fm_extents_deinit(&symbols->extents);
	fm_set_deinit(&symbols->frames);
	fm_pool_deinit(&symbols->user_known);
	fm_memory_free(symbols->memory, symbols->buffer, KSYM_SYMBOL_LEN);
	symbols->buffer = NULL;
}

static bool fm_frame_match(const void *elem, const void *key)
{
	const struct fm_frame *frame = elem;
	const struct fm_name *name = key;

	return frame->kind == name->kind && !frame->in_file && !strcmp(frame->name, name->text);
}

static u32 fm_symbols_hash(const struct fm_symbols *symbols, const struct fm_name *name)
{
	return hsiphash(name->text, strlen(name->text) + 1, &symbols->key);
}

/* Find the frame of a name. Return: false if there is none yet. */
static bool fm_symbols_find(const struct fm_symbols *symbols, const struct fm_name *name,
			    u32 *id)
{
	return fm_set_find(&symbols->frames, fm_symbols_hash(symbols, name), fm_frame_match,
			   name, id);
}

static int fm_symbols_frame(struct fm_symbols *symbols,
			    const struct fm_name *name, u32 *id)
{
	size_t bytes = strlen(name->text) + 1;
	struct fm_frame *frame;
	char *copy;

	if (fm_symbols_find(symbols, name, id))
		return 0;
	copy = fm_memory_alloc(symbols->memory, bytes);
	if (!copy)
		return -ENOSPC;
	memcpy(copy, name->text, bytes);
	frame = fm_set_add(&symbols->frames, fm_symbols_hash(symbols, name), id);
	if (!frame) {
		fm_memory_free(symbols->memory, copy, bytes);
		return -ENOSPC;
	}
	frame->name = copy;
	frame->name_bytes = bytes;
	frame->kind = name->kind;
	return 0;
}

/**
 * fm_symbols_mark() - find or add the frame of a mark in brackets.
 * @symbols: the names
 * @name: the mark
 * @frame: where to put its number
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC.
 */
int fm_symbols_mark(struct fm_symbols *symbols, const char *name, u32 *frame)
{
	struct fm_name mark = { .text = name, .kind = FLAMEMOD_FRAME_MARK };

	return fm_symbols_frame(symbols, &mark, frame);
}

/**
 * fm_symbols_waker() - find or add the frame of a task that woke another one.
 * @symbols: the names
 * @name: its comm, or a mark in brackets
 * @is_comm: it is a comm
 * @frame: where to put its number
 *
 * Any process chooses comms, and names stay for the session. So comms leave a quarter of the
 * memory to other names: a new one has the name of others then.
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC.
 */
int fm_symbols_waker(struct fm_symbols *symbols, const char *name, bool is_comm, u32 *frame)
{
	struct fm_name waker = { .text = name, .kind = FLAMEMOD_FRAME_WAKER };

	if (is_comm &&
	    !fm_memory_has_room(symbols->memory, symbols->memory->limit_bytes / 4) &&
	    !fm_symbols_find(symbols, &waker, frame))
		waker.text = FM_WAKERS_OTHER;
	return fm_symbols_frame(symbols, &waker, frame);
}

/**
 * fm_symbols_user() - find or add the frame of a user function.
 * @symbols: the names
 * @name: its name, or a mark in brackets
 * @frame: where to put its number
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC.
 */
int fm_symbols_user(struct fm_symbols *symbols, const char *name, u32 *frame)
{
	struct fm_name user = { .text = name, .kind = FLAMEMOD_FRAME_USER };

	return fm_symbols_frame(symbols, &user, frame);
}

/* A place in a file. */
struct fm_place {
	const struct fm_symbols_file *file;
	u64 offset;
};

static bool fm_frame_match_place(const void *elem, const void *key)
{
	const struct fm_frame *frame = elem;
	const struct fm_place *place = key;

	return frame->in_file && frame->file == place->file && frame->offset == place->offset;
}

/* Return: how many digits a number has in hex. */
static u32 fm_hex_digits(u64 number)
{
	return number ? DIV_ROUND_UP(fls64(number), 4) : 1;
}

/**
 * fm_symbols_place() - find or add the frame of a user function in a file.
 * @symbols: the names
 * @file: the file; it stays as long as @symbols
 * @offset: where in the file
 * @frame: where to put its number
 *
 * The name is "PATH+0xOFFSET BUILD-ID".
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC.
 */
int fm_symbols_place(struct fm_symbols *symbols, const struct fm_symbols_file *file,
		     u64 offset, u32 *frame)
{
	const struct fm_place place = { .file = file, .offset = offset };
	u32 hash = hsiphash_3u32(offset, offset >> 32, (unsigned long)file, &symbols->key);
	struct fm_frame *added;

	if (fm_set_find(&symbols->frames, hash, fm_frame_match_place, &place, frame))
		return 0;
	added = fm_set_add(&symbols->frames, hash, frame);
	if (!added)
		return -ENOSPC;
	added->name_bytes = file->path_bytes + strlen("+0x") + fm_hex_digits(offset) +
			    !!file->id_bytes + file->id_bytes + 1;
	added->kind = FLAMEMOD_FRAME_USER;
	added->in_file = true;
	added->file = file;
	added->offset = offset;
	return 0;
}

/**
 * fm_frame_put() - write a frame's name.
 * @frame: the frame
 * @to: gets its @name_bytes bytes
 *
 * Context: Any.
 */
void fm_frame_put(const struct fm_frame *frame, char *to)
{
	const struct fm_symbols_file *file = frame->file;

	if (frame->in_file)
		scnprintf(to, frame->name_bytes, "%s+0x%llx%s%s", file->path, frame->offset,
			  file->id_bytes ? " " : "", file->id);
	else
		memcpy(to, frame->name, frame->name_bytes);
}

/*
 * Parse the extent of a function from its printed name, and remove it from there:
 * "f+0x12/0x340 [m]" at 0x1012 is 0x340 bytes from 0x1000 on, and becomes "f [m]".
 * If the name was printed in another form, the extent is the address alone.
 */
static struct fm_extent fm_symbols_cut(char *text, unsigned long address)
{
	struct fm_extent extent = { .start = address, .bytes = 1 };
	unsigned long offset, bytes;
	char *at = strrchr(text, '+'), *rest;

	if (!at || sscanf(at, "+%lx/%lx", &offset, &bytes) != 2)
		return extent;
	if (offset < bytes && bytes <= U32_MAX) {
		extent.start = address - offset;
		extent.bytes = bytes;
	}
	rest = strchrnul(at, ' ');
	memmove(at, rest, strlen(rest) + 1);
	return extent;
}

/*
 * Look up the name of an address as the kernel prints it, "function [module]".
 *
 * Up to 6.12 sprint_symbol() reads the module's name after leaving the protection
 * under which it found it, hence the RCU read lock. Without a symbol it prints the
 * address, which must not be passed on.
 */
static struct fm_name fm_symbols_name(struct fm_symbols *symbols,
				      unsigned long address)
{
	struct fm_name name = { .text = symbols->buffer };
	size_t length;

	rcu_read_lock();
	sprint_symbol(symbols->buffer, address);
	rcu_read_unlock();
	name.extent = fm_symbols_cut(symbols->buffer, address);
	length = strlen(symbols->buffer);
	if (!length || !strncmp(symbols->buffer, "0x", 2)) {
		name.text = "[unknown]";
		name.kind = FLAMEMOD_FRAME_MARK;
	} else if (symbols->buffer[length - 1] == ']') {
		name.kind = FLAMEMOD_FRAME_MODULE;
	} else {
		name.kind = FLAMEMOD_FRAME_KERNEL;
	}
	/*
	 * BPF programs, trampolines of BPF, ftrace and kprobes, and generated
	 * code without a name come and go without notice, so the address may
	 * have another name the next time.
	 */
	name.lasts = name.kind != FLAMEMOD_FRAME_MARK &&
		     !str_has_prefix(name.text, "bpf_") &&
		     !strstr(name.text, " [__builtin__");
	return name;
}

/**
 * fm_symbols_resolve() - find or add the frame of an address.
 * @symbols: the names
 * @address: an address inside the function
 * @frame: where to put the frame's number
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0; FM_SYMBOLS_PASSES if the address may have another name the next time,
 * even if no module goes; or -ENOSPC if there is no memory left.
 */
int fm_symbols_resolve(struct fm_symbols *symbols, unsigned long address,
		       u32 *frame)
{
	const struct fm_extent *known = fm_extents_find(&symbols->extents,
							address);
	struct fm_name name;

	if (known) {
		*frame = known->frame;
	} else {
		name = fm_symbols_name(symbols, address);
		if (fm_symbols_frame(symbols, &name, frame))
			return -ENOSPC;
		if (!name.lasts)
			return FM_SYMBOLS_PASSES;
		name.extent.frame = *frame;
		if (fm_extents_add(&symbols->extents, &name.extent, address))
			return -ENOSPC;
	}
	fm_text_add(&symbols->text, address);
	return 0;
}

/**
 * fm_symbols_forget() - forget which frames a module's addresses have.
 * @symbols: the names; the names themselves stay
 * @mod: the module
 * @within: returns whether an address is in the part that goes
 *
 * Context: Process context, under the session's lock.
 * Return: true when there was something to forget.
 */
bool fm_symbols_forget(struct fm_symbols *symbols, const struct module *mod,
		       bool (*within)(unsigned long address,
				      const struct module *mod))
{
	if (!fm_extents_forget(&symbols->extents, mod, within))
		return false;
	/* Pages of other modules are added again when they are resolved. */
	fm_text_empty(&symbols->text);
	return true;
}
