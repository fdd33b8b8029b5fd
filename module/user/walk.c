// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the user stack of the interrupted task: see walk.h.
 *
 * Each frame's row (cfi.h) says where the caller's frame is. That takes one load,
 * of the return address; bp and rbx are loaded only if a later row needs them.
 *
 * Most stacks are like earlier ones. So a walk first expects the frames that followed
 * last time (paths.h), whose rows are kept there. The return address proves that a frame
 * is the one expected; else it is looked up.
 */
#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "../compat/compat.h"
#include "walk.h"

/* A callee-saved register: its value, or where it was saved last. */
struct fm_saved {
	unsigned long value;
	unsigned long at;	/* an address; 0: see @value; or FM_LOST */
};

/* The walk is complete: there is no caller. */
#define FM_WALK_DONE	__FLAMEMOD_USER_MAX

#define FM_LOST		1UL	/* rows did not say where; no address of a save is odd */

struct fm_frame_state {
	const struct fm_copy *copy;	/* what is walked; NULL: the current task's stack */
	unsigned long ip;
	unsigned long sp;
	struct fm_saved bp;
	struct fm_saved bx;
	bool is_exact;		/* ip is an instruction, not a return address */
	bool by_fp;
	bool has_process;	/* the path tells whose code made at run time is in it */
	u64 frame;
	const struct fm_row *row;	/* which the step to the caller took; or NULL */
};

/* The outermost frame, whatever its own row says. */
static const struct fm_row fm_row_end = { .kind = FM_CFA_END };

/*
 * Read a word of the current task's memory, between user_access_begin() and its end.
 * @limit: fm_user_limit()
 * Return: false if that is not possible now.
 */
static __always_inline bool fm_user_word(unsigned long at, unsigned long limit,
					 unsigned long *value)
{
	/* A mispredicted branch could load from any address. Nothing is mapped at 0. */
	at = array_index_nospec(at, limit);
	unsafe_get_user(*value, (const unsigned long __user *)at, fault);
	return true;
fault:
	return false;
}

/* Return: the address at which no word of user memory can be any more. */
static __always_inline unsigned long fm_user_limit(void)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(unsigned long);

	/* Kernels up to 5.10 would compare with a 64-bit constant, which x86 cannot do. */
	OPTIMIZER_HIDE_VAR(limit);
	return limit;
}

/*
 * Allow words of user memory to be read; fm_user_word() checks each address.
 * Return: whether that is so.
 */
static __always_inline bool fm_user_begin(void)
{
	return user_access_begin((const void __user *)PAGE_SIZE, sizeof(unsigned long));
}

/* Read a word of the current task's memory. Return: false if that is not possible now. */
static __always_inline bool fm_user_load(unsigned long at, unsigned long *value)
{
	unsigned long limit = fm_user_limit();
	bool was_read;

	if (at >= limit || !fm_user_begin())
		return false;
	was_read = fm_user_word(at, limit, value);
	user_access_end();
	return was_read;
}

/* Read a word of the stack that is walked. Return: false if that is not possible. */
static __always_inline bool fm_stack_load(const struct fm_frame_state *s,
					  unsigned long at, unsigned long *value)
{
	return unlikely(s->copy) ? fm_copy_load(s->copy, at, value) :
				   fm_user_load(at, value);
}

static bool fm_saved_get(const struct fm_frame_state *s, const struct fm_saved *saved,
			 unsigned long *value)
{
	if (!saved->at) {
		*value = saved->value;
		return true;
	}
	return saved->at != FM_LOST && fm_stack_load(s, saved->at, value);
}

/* Set where the caller's value of a register is, as a row says. */
static bool fm_saved_move(const struct fm_frame_state *s, struct fm_saved *saved,
			  s8 code, unsigned long cfa, const struct fm_saved *bp)
{
	unsigned long base;

	if (code < 0) {
		saved->at = cfa + 8 * code;
	} else if (code == FM_SAVED_LOST) {
		saved->at = FM_LOST;
	} else if (code) {
		if (!fm_saved_get(s, bp, &base))
			return false;
		saved->at = base - 8 * (code - FM_SAVED_AT_BP);
	}
	return true;
}

/*
 * Compute the CFA by a row.
 * Return: FLAMEMOD_USER_WHOLE; FM_WALK_DONE if there is no caller; or why not.
 */
static enum flamemod_user_side fm_row_cfa(const struct fm_row *row,
					  const struct fm_frame_state *s,
					  unsigned long *cfa)
{
	unsigned long base;

	switch (row->kind) {
	case FM_CFA_SP:
		*cfa = s->sp + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BP:
		if (!fm_saved_get(s, &s->bp, &base))
			return FLAMEMOD_USER_FAULT;
		*cfa = base + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BX:
		if (!fm_saved_get(s, &s->bx, &base))
			return FLAMEMOD_USER_FAULT;
		*cfa = base + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BP_LOAD:
		if (!fm_saved_get(s, &s->bp, &base) ||
		    !fm_stack_load(s, base + 8 * row->cfa, cfa))
			return FLAMEMOD_USER_FAULT;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_SP_LOAD:
		if (!fm_stack_load(s, s->sp + 8 * row->cfa, cfa))
			return FLAMEMOD_USER_FAULT;
		*cfa += 8;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_PLT:
		*cfa = s->sp + 8 + ((s->ip & 15) >= row->cfa ? 8 : 0);
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_END:
		return FM_WALK_DONE;
	}
	return FLAMEMOD_USER_NO_RULE;
}

/* Step to the caller by a row. Return: as fm_row_cfa(). */
static enum flamemod_user_side fm_step_by_row(const struct fm_row *row,
					      struct fm_frame_state *s)
{
	const struct fm_saved bp = s->bp;
	enum flamemod_user_side reason;
	unsigned long cfa;

	reason = fm_row_cfa(row, s, &cfa);
	if (reason)
		return reason;
	/* A caller's frame is at a higher address, so every walk ends. */
	if (cfa <= s->sp)
		return FLAMEMOD_USER_NO_RULE;
	if (!fm_stack_load(s, cfa - 8, &s->ip) ||
	    !fm_saved_move(s, &s->bp, row->bp, cfa, &bp) ||
	    !fm_saved_move(s, &s->bx, row->bx, cfa, &bp))
		return FLAMEMOD_USER_FAULT;
	s->sp = cfa;
	s->is_exact = false;
	return FLAMEMOD_USER_WHOLE;
}

/* Step to the code that a signal interrupted. */
static enum flamemod_user_side fm_step_by_signal(const struct fm_row *row,
						 struct fm_frame_state *s)
{
	unsigned long at = s->sp + 8 * row->cfa;

	if (!fm_stack_load(s, at + FM_SIGNAL_IP, &s->ip) ||
	    !fm_stack_load(s, at + FM_SIGNAL_SP, &s->sp))
		return FLAMEMOD_USER_FAULT;
	s->bp.at = at + FM_SIGNAL_BP;
	s->bx.at = at + FM_SIGNAL_BX;
	s->is_exact = true;
	return FLAMEMOD_USER_WHOLE;
}

/* Step by a frame pointer. */
static enum flamemod_user_side fm_step_by_bp(struct fm_frame_state *s, unsigned long bp)
{
	unsigned long caller;

	if (!fm_stack_load(s, bp + 8, &s->ip) || !fm_stack_load(s, bp, &caller))
		return FLAMEMOD_USER_FAULT;
	s->bp = (struct fm_saved){ .value = caller };
	s->bx.at = FM_LOST;
	s->sp = bp + 16;
	s->is_exact = false;
	s->by_fp = true;
	return FLAMEMOD_USER_WHOLE;
}

/* Step by the frame pointer, for code without rows, such as that made at run time. */
static enum flamemod_user_side fm_step_by_fp(struct fm_frame_state *s)
{
	unsigned long bp;

	if (!fm_saved_get(s, &s->bp, &bp) || bp < s->sp || bp % 8)
		return FLAMEMOD_USER_NO_RULE;
	return fm_step_by_bp(s, bp);
}

/*
 * Return: whether a frame is in code that is "call f; ret" and int3 after that, where a
 * thread of Go starts; its frame pointer is that of the thread that created it. No
 * other function is like that, because a caller has to align the stack.
 */
static bool fm_is_thread_start(const struct fm_frame_state *s)
{
	unsigned long code;

	if (s->is_exact || s->copy || !fm_user_load(s->ip - 5, &code))
		return false;
	return (u8)code == 0xe8 && code >> 40 == 0xccccc3;
}

/*
 * The same in a program that has no table at all, as Go makes them. Its outermost frames
 * have a frame pointer of 0, or are where a thread starts. It switches between stacks of
 * its own, so that a caller's frame may be anywhere; a walk ends by its depth.
 */
static enum flamemod_user_side fm_step_without_rows(struct fm_frame_state *s)
{
	unsigned long bp;

	if (!fm_saved_get(s, &s->bp, &bp) || bp % 8)
		return FLAMEMOD_USER_NO_RULE;
	if (bp && !fm_is_thread_start(s))
		return fm_step_by_bp(s, bp);
	s->by_fp = true;
	return FM_WALK_DONE;
}

/* Return: whether an offset is in a program's first instructions, which have no row. */
static bool fm_is_entry(const struct fm_object *object, u64 offset)
{
	return object->entry && offset >= object->entry && offset - object->entry < 64;
}

/* Return: why the walk ends at an address whose mapping was not found. */
static enum flamemod_user_side fm_user_unmapped(const struct fm_frame_state *s)
{
	if (!s->copy)
		return FLAMEMOD_USER_UNVERIFIED;
	return s->copy->maps_are_cut ? FLAMEMOD_USER_NOT_LEARNED : FLAMEMOD_USER_NO_MAPPING;
}

/*
 * Keep where an object is mapped, if all of its text is: then no address at which its
 * text would be is another's.
 */
static void fm_user_keep_base(struct fm_maps *maps, const struct fm_map *map)
{
	const struct fm_object *object = map->object;

	if (map->start + map->delta <= object->text_start &&
	    map->end + map->delta >= object->text_end && map->end <= FM_BASE_LIMIT)
		maps->base->to_frame[fm_bases_slot(object->number)] =
			fm_user_frame(object->number, 0) + map->delta;
}

/* Keep the row of an address, unless its mapping may have changed. */
static void fm_user_keep(struct fm_maps *maps, const struct fm_map *map,
			 unsigned long address, u64 frame, const struct fm_row *row)
{
	if (map->view != maps->view)
		return;
	*fm_maps_place(maps, address) = (struct fm_place){
		.address = address,
		.view = maps->view,
		.frame = frame,
		.row = *row,
	};
	fm_user_keep_base(maps, map);
}

/*
 * Find the frame of an address, and step to its caller.
 * Return: FLAMEMOD_USER_WHOLE to go on; FM_WALK_DONE after the outermost frame;
 * or why the walk ends.
 */
static enum flamemod_user_side fm_user_look_up(struct fm_maps *maps,
					       struct fm_frame_state *s,
					       unsigned long address)
{
	const struct fm_map *map;
	struct fm_chunk *chunk;
	const struct fm_row *row;
	u64 offset;

	map = s->copy ? fm_copy_map(s->copy, address) : fm_maps_find(maps, address);
	if (!map)
		return fm_user_unmapped(s);
	switch (map->kind) {
	case FM_MAP_NONE:
		return FLAMEMOD_USER_NO_MAPPING;
	case FM_MAP_ANONYMOUS:
		s->frame = fm_user_frame_made(address);
		return fm_step_by_fp(s);
	case FM_MAP_FOREIGN:
		s->frame = fm_user_frame(0, FM_USER_FOREIGN);
		return fm_step_by_fp(s);
	}
	offset = address + map->delta;
	s->frame = fm_user_frame(map->object->number, offset);
	chunk = fm_object_chunk(map->object, offset);
	if (!chunk) {
		if (READ_ONCE(map->object->state) == FM_OBJECT_NO_ROWS)
			return fm_step_without_rows(s);
		if (fm_object_has_none(map->object, offset))
			return fm_step_by_fp(s);
		if (!s->copy)
			fm_maps_request(maps, map->object, address);
		return FLAMEMOD_USER_NOT_LEARNED;
	}
	if (offset < chunk->base)
		return FLAMEMOD_USER_NO_RULE;
	if (!READ_ONCE(chunk->used))
		WRITE_ONCE(chunk->used, 1);
	row = fm_chunk_row(chunk, offset);
	if ((row->kind == FM_CFA_GAP || row->kind == FM_CFA_NONE) &&
	    fm_is_entry(map->object, offset))
		row = &fm_row_end;
	switch (row->kind) {
	case FM_CFA_SIGNAL:
		return fm_step_by_signal(row, s);
	case FM_CFA_GAP:
		return fm_step_by_fp(s);
	case FM_CFA_NONE:
		return FLAMEMOD_USER_NO_RULE;
	}
	s->row = row;
	if (!s->copy)
		fm_user_keep(maps, map, address, s->frame, row);
	return fm_step_by_row(row, s);
}

/* As fm_user_look_up(), of the state's frame. */
static enum flamemod_user_side fm_user_step(struct fm_maps *maps,
					    struct fm_frame_state *s)
{
	unsigned long address = s->ip - !s->is_exact;
	const struct fm_place *place;

	s->frame = 0;
	s->row = NULL;
	if (address >= TASK_SIZE_MAX)
		return FLAMEMOD_USER_NO_MAPPING;
	if (s->copy)
		return fm_user_look_up(maps, s, address);
	place = fm_maps_place(maps, address);
	if (unlikely(place->address != address || place->view != maps->view))
		return fm_user_look_up(maps, s, address);
	s->frame = place->frame;
	s->row = &place->row;
	return fm_step_by_row(&place->row, s);
}

/*
 * Return: what must be in the path before the state's frame: the process, if this is the
 * first frame that means nothing without it; else 0.
 */
static u64 fm_user_before(struct fm_frame_state *s, u32 tgid)
{
	if (s->has_process || !fm_user_frame_is_made(s->frame))
		return 0;
	s->has_process = true;
	return fm_user_frame(0, FM_USER_PROCESS + tgid);
}

/* Extend a path by the state's frame. Return: the path; 0 if there is no room. */
static u32 fm_user_note(struct fm_user_paths *paths, u32 path, struct fm_frame_state *s)
{
	u64 before = fm_user_before(s, current->tgid);

	if (unlikely(before)) {
		path = fm_user_paths_add(paths, path, before);
		if (!path)
			return 0;
	}
	return fm_user_paths_add(paths, path, s->frame);
}

/* Where a walk is in the paths. */
struct fm_reached {
	u32 path;
	unsigned int depth;
};

/* Return: whether the step from a frame is one that fm_user_follow_known() does. */
static bool fm_user_is_simple(const struct fm_row *row)
{
	if (row->kind == FM_CFA_END)
		return true;
	/* Registers were saved at the CFA, or not at all. */
	return (row->kind == FM_CFA_BP || row->kind == FM_CFA_SP) &&
	       row->bp <= 0 && row->bx <= 0;
}

/*
 * Find the value that bp has in the frame at @depth, which extends @path. The callees
 * since @from were followed by rows that are in their paths; the last one that saved bp
 * has it. Return: false if it cannot be found.
 */
static __always_inline bool fm_user_known_bp(const struct fm_maps *maps,
					     const struct fm_user_path *paths, u32 path,
					     const struct fm_frame_state *s,
					     unsigned int from, unsigned int depth,
					     unsigned long limit, unsigned long *bp)
{
	unsigned long at = s->bp.at;

	for (; depth > from; depth--, path = paths[path].parent) {
		if (paths[path].row.bp) {
			at = maps->cfas[depth - 1] + 8L * paths[path].row.bp;
			break;
		}
	}
	if (at == FM_LOST)
		return false;
	*bp = s->bp.value;
	return !at || fm_user_word(at, limit, bp);
}

/* Set what fm_user_step() needs to know, after frames that were followed by known rows. */
static void fm_user_catch_up(const struct fm_maps *maps, const struct fm_user_path *paths,
			     struct fm_frame_state *s, const struct fm_reached *was,
			     const struct fm_reached *is)
{
	bool has_bp = false, has_bx = false;
	unsigned int depth = is->depth;
	u32 path = is->path;

	for (; depth > was->depth && !(has_bp && has_bx); depth--) {
		const struct fm_row *row = &paths[path].row;
		unsigned long cfa = maps->cfas[depth - 1];

		if (row->bp && !has_bp)
			s->bp.at = cfa + 8L * row->bp;
		if (row->bx && !has_bx)
			s->bx.at = cfa + 8L * row->bx;
		has_bp |= row->bp;
		has_bx |= row->bx;
		path = paths[path].parent;
	}
}

/*
 * Follow the stack as long as it is like one that was here before. Only cheap steps are
 * done here: see fm_user_is_simple().
 * Return: FM_WALK_DONE, or FLAMEMOD_USER_WHOLE to go on with fm_user_step().
 */
static enum flamemod_user_side fm_user_follow_known(struct fm_maps *maps,
						    const struct fm_user_path *paths,
						    struct fm_frame_state *s,
						    struct fm_reached *reached)
{
	unsigned long address = s->ip - !s->is_exact, seen = 0, sp = s->sp, ip, cfa;
	enum flamemod_user_side side = FLAMEMOD_USER_WHOLE;
	const u64 *to_frame = maps->base->to_frame;
	unsigned long limit = fm_user_limit();
	const struct fm_user_path *next;
	struct fm_reached now = *reached;
	u32 nr = paths[now.path].next;

	if (!nr || !fm_user_begin())
		return side;
	for (; nr && now.depth < FM_USER_DEPTH_MAX; nr = next->next) {
		next = &paths[nr];
		if (next->frame !=
		    to_frame[fm_bases_slot(fm_user_frame_object(next->frame))] + address)
			break;
		seen |= address;
		if (next->row.kind == FM_CFA_END) {
			side = FM_WALK_DONE;
			now.path = nr;
			break;
		}
		if (next->row.kind == FM_CFA_NONE)
			break;
		cfa = sp;
		if (unlikely(next->row.kind == FM_CFA_BP) &&
		    !fm_user_known_bp(maps, paths, now.path, s, reached->depth,
				      now.depth, limit, &cfa))
			break;
		cfa += 8L * next->row.cfa;
		/* A caller's frame is at a higher address, so every walk ends. */
		if (cfa <= sp)
			break;
		if (!fm_user_word(cfa - 8, limit, &ip))
			break;
		maps->cfas[now.depth++] = cfa;
		now.path = nr;
		sp = cfa;
		address = ip - 1;
	}
	user_access_end();
	if (seen >= FM_BASE_LIMIT)	/* an address that no base is for */
		return FLAMEMOD_USER_WHOLE;
	if (now.depth != reached->depth) {
		s->ip = address + 1;
		s->sp = sp;
		s->is_exact = false;
		if (!side)
			fm_user_catch_up(maps, paths, s, reached, &now);
	}
	*reached = now;
	return side;
}

/* Follow the stack, and note its frames. Return: their path; 0 if there is no room. */
static u32 fm_user_follow(struct fm_maps *maps, struct fm_user_paths *paths,
			  struct fm_frame_state *s, enum flamemod_user_side *side)
{
	struct fm_reached reached = {};

	for (; reached.depth < FM_USER_DEPTH_MAX; reached.depth++) {
		if (likely(!maps->looks_up)) {
			*side = fm_user_follow_known(maps, paths->paths, s, &reached);
			if (*side)
				return reached.path;
			if (reached.depth == FM_USER_DEPTH_MAX)
				break;
		}
		*side = fm_user_step(maps, s);
		if (s->frame) {
			reached.path = fm_user_note(paths, reached.path, s);
			if (!reached.path) {
				*side = FLAMEMOD_USER_CROWDED;
				return 0;
			}
			if (s->row && fm_user_is_simple(s->row))
				paths->paths[reached.path].row = *s->row;
		}
		if (*side != FLAMEMOD_USER_WHOLE)
			return reached.path;
	}
	*side = FLAMEMOD_USER_DEEP;
	return reached.path;
}

/* Return: the result of a walk that reached the start of the program or thread. */
static enum flamemod_user_side fm_user_done(const struct fm_maps *maps,
					    const struct fm_frame_state *s)
{
	if (maps->unverified)
		return FLAMEMOD_USER_UNVERIFIED;
	return s->by_fp ? FLAMEMOD_USER_BY_FP : FLAMEMOD_USER_WHOLE;
}

/* Return: FLAMEMOD_USER_WHOLE if the task's user stack can be looked at, or why not. */
static enum flamemod_user_side fm_user_check(const struct pt_regs *regs, bool from_user)
{
	unsigned long word;

	/*
	 * In exec the memory may already be the new program's while the registers are
	 * still the old one's. A task that was forked and never called exec has
	 * PF_FORKNOEXEC until its memory is replaced. Right after that, nothing is
	 * mapped where the registers point.
	 */
	if (fm_compat_in_exec(current) && !(current->flags & PF_FORKNOEXEC))
		return FLAMEMOD_USER_EXEC;
	/* A kernel thread that becomes the first process has no user registers yet. */
	if (!user_mode((struct pt_regs *)regs))
		return FLAMEMOD_USER_EXEC;
	if (!user_64bit_mode((struct pt_regs *)regs))
		return FLAMEMOD_USER_COMPAT32;
	/* The kernel may use another mm for a while, such as to patch text. */
	if (!from_user &&
	    copy_from_user_nofault(&word, (void __user *)regs->sp, sizeof(word)))
		return fm_compat_in_exec(current) ? FLAMEMOD_USER_EXEC : FLAMEMOD_USER_FAULT;
	return FLAMEMOD_USER_WHOLE;
}

/*
 * Copy a stack that was not walked to its end, for the worker.
 * Return: the path for it; 0 if that is not possible.
 */
static u32 fm_user_copy(struct fm_maps *maps, struct fm_user_paths *paths,
			const struct pt_regs *regs, u32 path)
{
	const struct fm_copy_regs copied = {
		.ip = regs->ip,
		.sp = regs->sp,
		.bp = regs->bp,
		.bx = regs->bx,
	};
	u64 frame;

	/* What is not in a path is released by the next drain. */
	return fm_copies_take(maps, &copied, &frame) ?
	       fm_user_paths_add(paths, path, frame) : 0;
}

/**
 * fm_user_walk_copy() - walk a copy, and compile the rows that this needs.
 * @objects: the objects
 * @copy: the copy; its frames and its side are set
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_user_walk_copy(struct fm_objects *objects, struct fm_copy *copy)
{
	struct fm_frame_state s = {
		.copy = copy,
		.ip = copy->regs.ip,
		.sp = copy->regs.sp,
		.bp.value = copy->regs.bp,
		.bx.value = copy->regs.bx,
		.is_exact = true,
	};
	enum flamemod_user_side side = FLAMEMOD_USER_WHOLE;
	u32 depth;
	u64 before;

	copy->nr_frames = 0;
	for (depth = 0; side == FLAMEMOD_USER_WHOLE && depth < FM_USER_DEPTH_MAX; depth++) {
		side = fm_user_step(NULL, &s);
		/* This step has changed nothing, so it can be done again. */
		if (side == FLAMEMOD_USER_NOT_LEARNED &&
		    fm_copy_learn(objects, copy, s.ip - !s.is_exact))
			side = fm_user_step(NULL, &s);
		before = fm_user_before(&s, copy->tgid);
		if (before)
			copy->frames[copy->nr_frames++] = before;
		if (s.frame)
			copy->frames[copy->nr_frames++] = s.frame;
	}
	if (side == FM_WALK_DONE) {
		copy->side = s.by_fp ? FLAMEMOD_USER_BY_FP : FLAMEMOD_USER_WHOLE;
		return;
	}
	if (side == FLAMEMOD_USER_WHOLE)
		side = FLAMEMOD_USER_DEEP;
	if (side == FLAMEMOD_USER_FAULT && copy->bytes == FM_COPY_BYTES)
		side = FLAMEMOD_USER_COPY_SHORT;
	copy->side = side;
	copy->frames[copy->nr_frames++] = fm_user_frame(0, FM_USER_END + side);
}

/**
 * fm_user_walk() - take the current task's user stack.
 * @maps: the CPU's cache
 * @paths: where to note it
 * @regs: the task's registers of user mode
 * @from_user: whether user mode was interrupted, not the kernel
 * @side: set to the result of the walk
 *
 * Context: Hard interrupt.
 * Return: the path. It ends in a frame for @side, unless that is whole or by_fp, or
 * unverified in a walk that reached the start of the program.
 */
u32 fm_user_walk(struct fm_maps *maps, struct fm_user_paths *paths,
		 const struct pt_regs *regs, bool from_user,
		 enum flamemod_user_side *side)
{
	struct fm_frame_state s = {
		.ip = regs->ip,
		.sp = regs->sp,
		.bp.value = regs->bp,
		.bx.value = regs->bx,
		.is_exact = true,
	};
	u32 path = 0, copied = 0;

	*side = fm_user_check(regs, from_user);
	if (!*side && !fm_user_paths_begin(paths, current->mm))
		*side = FLAMEMOD_USER_CROWDED;
	if (*side)
		return fm_user_paths_nothing(*side);
	fm_maps_begin(maps);
	pagefault_disable();
	path = fm_user_follow(maps, paths, &s, side);
	if (*side == FLAMEMOD_USER_NOT_LEARNED && !fm_compat_in_exec(current))
		copied = fm_user_copy(maps, paths, regs, path);
	pagefault_enable();
	fm_maps_end(maps);
	if (copied)
		return copied;
	if (*side == FM_WALK_DONE) {
		*side = fm_user_done(maps, &s);
		return path;
	}
	if (fm_compat_in_exec(current))
		*side = FLAMEMOD_USER_EXEC;
	return fm_user_paths_end(paths, path, side);
}
