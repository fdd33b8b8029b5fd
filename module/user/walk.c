// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the user stack of the interrupted task: see walk.h.
 *
 * Each frame is found by its address, and its row or frame pointer leads to the caller
 * (caller.h).
 *
 * Most stacks are like earlier ones. So a walk first expects the frames that followed
 * last time (paths.h), the steps from which are kept there. The return address proves that a frame
 * is the one expected; else it is looked up.
 */
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "../compat/compat.h"
#include "caller.h"
#include "walk.h"

/* The outermost frame, whatever its own row says. */
static const struct fm_row fm_row_end = { .kind = FM_CFA_END };

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
	return s->copy->mappings.is_cut ? FLAMEMOD_USER_NOT_LEARNED : FLAMEMOD_USER_NO_MAPPING;
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
			fm_user_frame(object->number, 0) + map->delta - 1;
}

/* Keep the row of an address, unless its mapping may have changed. */
static void fm_user_keep(struct fm_maps *maps, const struct fm_map *map,
			 unsigned long address, u64 frame, const struct fm_row *row)
{
	if (!FM_ARCH_COUNTS_FLUSHES || map->view != maps->view)
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
		return fm_caller_by_fp(s);
	case FM_MAP_FOREIGN:
		s->frame = fm_user_frame(0, FM_USER_FOREIGN);
		return fm_caller_by_fp(s);
	case FM_MAP_UNSURE:
		return FLAMEMOD_USER_NOT_LEARNED;
	}
	offset = address + map->delta;
	s->frame = fm_user_frame(map->object->number, offset);
	chunk = fm_object_chunk(map->object, offset);
	if (!chunk) {
		if (READ_ONCE(map->object->state) == FM_OBJECT_NO_ROWS ||
		    fm_object_is_denied(s->copy ? NULL : maps->objects, map->object,
					s->copy ? s->copy->runner.budget : FM_BUDGET_OF_CURRENT))
			return fm_caller_without_rows(s);
		/* text that is too far into the file */
		if (fm_object_has_none(map->object, offset))
			return fm_caller_by_fp(s);
		if (!s->copy)
			fm_maps_request(maps, map->object, address);
		return FLAMEMOD_USER_NOT_LEARNED;
	}
	if (!fm_chunk_has(chunk, offset))
		return FLAMEMOD_USER_NO_RULE;
	if (!READ_ONCE(chunk->used))
		WRITE_ONCE(chunk->used, 1);
	row = fm_chunk_row(chunk, offset);
	if ((row->kind == FM_CFA_GAP || row->kind == FM_CFA_NONE) &&
	    fm_is_entry(map->object, offset))
		row = &fm_row_end;
	switch (row->kind) {
	case FM_CFA_SIGNAL:
		return fm_caller_by_signal(row, s);
	case FM_CFA_GAP:
		return fm_caller_by_fp(s);
	case FM_CFA_NONE:
		return FLAMEMOD_USER_NO_RULE;
	}
	s->row = row;
	if (!s->copy)
		fm_user_keep(maps, map, address, s->frame, row);
	return fm_caller_by_row(row, s);
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
	return fm_caller_by_row(&place->row, s);
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

/* Extend the path by the state's frame. Return: false if there is no room. */
static bool fm_user_note(struct fm_user_paths *paths, struct fm_frame_state *s)
{
	u64 before = fm_user_before(s, current->tgid);

	if (unlikely(before)) {
		s->path = fm_user_paths_add(paths, s->path, before);
		if (!s->path)
			return false;
	}
	s->path = fm_user_paths_add(paths, s->path, s->frame);
	return s->path;
}

/* Return: whether the step from a frame is one that fm_user_follow_known() does. */
static bool fm_user_is_simple(const struct fm_row *row)
{
	if (row->kind == FM_CFA_END)
		return true;
	/* Registers were saved at the CFA, or not at all. */
	if (row->bp > 0 || row->bx > 0)
		return false;
	/* A caller's frame is at a higher address, so every walk ends. */
	return row->kind == FM_CFA_BP || (row->kind == FM_CFA_SP && row->cfa > 0);
}

/*
 * Find where bp, or else rbx, of the next frame was saved: by the last frame that saved it
 * of those whose CFAs are from @from up to @cfa; @path is that of the last one.
 * Return: the address, or @at if none of them did.
 */
static __always_inline unsigned long fm_user_saved_at(const struct fm_user_path *paths,
						      const struct fm_user_path *path,
						      const unsigned long *cfa,
						      const unsigned long *from,
						      bool is_bp, unsigned long at)
{
	for (; cfa > from; path = &paths[path->parent]) {
		s8 code = is_bp ? path->step.bp : path->step.bx;

		cfa--;
		if (code)
			return *cfa + 8L * code;
	}
	return at;
}

/*
 * Where the stacks are that are followed by known steps: words below FM_BASE_LIMIT. An
 * address that is not such a word is masked by this to one that is, in user space, so
 * that no mispredicted branch loads from elsewhere. What was read at such an address
 * counts for nothing.
 */
#define FM_WORDS	(FM_BASE_LIMIT - sizeof(unsigned long))

/* Return: whether a word may be at an address. */
static __always_inline bool fm_user_is_word(unsigned long at)
{
	return !(at & ~FM_WORDS);
}

/*
 * Set the state of a CPU's walks to the interrupted frame. Each member has its own
 * assignment, because to clear the whole state first takes more instructions.
 */
static __always_inline void fm_user_start(struct fm_frame_state *s, const struct pt_regs *of)
{
	const struct fm_user_regs regs = fm_arch_registers(of);

	s->ip = regs.ip;
	s->sp = regs.sp;
	s->bp.value = regs.bp;
	s->bp.at = 0;
	s->bx.value = regs.bx;
	s->bx.at = 0;
	s->is_exact = true;
	s->by_fp = false;
	s->has_process = false;
	s->path = 0;
	s->depth = 0;
}

/*
 * Follow the stack as long as it is like others that were here before, first of all on
 * from path @nr. Only cheap steps are done here: see fm_user_is_simple(). Each leads from
 * a path to one that extends it, and none has more frames than a walk may have.
 *
 * Where a walk starts, @regs has what the state does not have yet. Then only steps by sp are
 * done, which most stacks are all of, and the state is set if that is not the end.
 *
 * This is only done where flushes of the TLB are counted, and return addresses are at the
 * CFA: on x86.
 * Return: FM_WALK_DONE, or FLAMEMOD_USER_WHOLE to go on with fm_user_step().
 */
static __always_inline enum flamemod_user_side
fm_user_follow_steps(struct fm_maps *maps, struct fm_user_paths *all, u32 nr,
		     bool starts, const struct pt_regs *regs)
{
	/*
	 * Pointers to the arrays' members: UBSAN checks the index of an array, and calls
	 * a function if it is bad. No function may be called between fm_user_begin() and
	 * fm_user_end().
	 */
	const u64 *to_frame = maps->base->to_frame;
	struct fm_frame_state *s = &maps->state;
	unsigned long *cfas = maps->cfas, *cfa = cfas + (starts ? 0 : s->depth);
	unsigned long *from = cfa, *bp_from = cfa;
	struct fm_user_path *paths = all->paths, *next = &paths[nr];
	struct fm_user_path *last = &paths[starts ? 0 : s->path];
	unsigned long ip = starts ? fm_arch_registers(regs).ip + 1 : s->ip + s->is_exact;
	unsigned long sp = starts ? fm_arch_registers(regs).sp : s->sp;
	unsigned long bp_at = starts ? 0 : s->bp.at, bp, seen = 0;
	unsigned long words = FM_WORDS;
	u64 frame;
	u8 kind;

	if (!fm_user_is_word(sp) || !fm_user_begin())
		goto nowhere;
	OPTIMIZER_HIDE_VAR(words);
	/* Path 0 has no step, so this ends there at the latest. */
	for (;; next = (void *)paths + next->next_at) {
		if (unlikely(next->frame != to_frame[next->step.base] + ip)) {
			/*
			 * Another caller in the same object may have been here, too. What it
			 * would be is computed again, or each step would copy it for this.
			 */
			OPTIMIZER_HIDE_VAR(next);
			frame = to_frame[next->step.base] + ip;
			nr = fm_user_paths_find(all, last - paths, frame);
			next = &paths[nr];
			if (next->frame != to_frame[next->step.base] + ip)
				break;
			fm_user_paths_set_next(all, last - paths, nr);
		}
		seen |= ip;
		if (unlikely(next->step.kind != FM_CFA_SP)) {
			/* Read again, so that most steps only compare what is in memory. */
			kind = READ_ONCE(next->step.kind);
			if (kind == FM_CFA_END)
				goto done;
			if (starts || kind != FM_CFA_BP)
				break;
			/* Those before @bp_from were searched. */
			bp_at = fm_user_saved_at(paths, last, cfa, bp_from, true, bp_at);
			bp_from = cfa;
			bp = s->bp.value;
			if (!fm_user_is_word(bp_at) || (bp_at && !fm_user_word(bp_at, words, &bp)))
				break;
			/* A caller's frame is at a higher address, so every walk ends. */
			if (!fm_user_is_word(bp) || bp + 8L * next->step.cfa <= sp)
				break;
			sp = bp;
		}
		sp += 8L * next->step.cfa;
		if (!fm_user_word(sp - 8, words, &ip)) {
			ip = next->frame - to_frame[next->step.base];
			break;
		}
		*cfa++ = sp;
		last = next;
	}
	fm_user_end();
	/* An address that no base is for, or a stack that is elsewhere. */
	if (unlikely((seen | sp) >= FM_BASE_LIMIT))
		goto nowhere;
	if (starts)
		fm_user_start(s, regs);
	s->path = last - paths;
	if (cfa == from)
		return FLAMEMOD_USER_WHOLE;
	s->depth = cfa - cfas;
	s->ip = ip;
	s->sp = cfa[-1];
	s->is_exact = false;
	s->bp.at = fm_user_saved_at(paths, last, cfa, bp_from, true, bp_at);
	s->bx.at = fm_user_saved_at(paths, last, cfa, from, false, s->bx.at);
	return FLAMEMOD_USER_WHOLE;
done:
	fm_user_end();
	if (likely((seen | sp) < FM_BASE_LIMIT)) {
		s->path = next - paths;
		return FM_WALK_DONE;
	}
nowhere:
	if (starts)
		fm_user_start(s, regs);
	return FLAMEMOD_USER_WHOLE;
}

/* The same, on from the state's frame. */
static noinline enum flamemod_user_side fm_user_follow_known(struct fm_maps *maps,
							     struct fm_user_paths *paths, u32 nr)
{
	return fm_user_follow_steps(maps, paths, nr, false, NULL);
}

/* Keep the step of a frame with its path, if fm_user_follow_known() can do it. */
static void fm_user_keep_step(struct fm_user_path *path, const struct fm_row *row)
{
	if (!row || !fm_user_is_simple(row))
		return;
	path->step = (struct fm_user_step){
		.cfa = row->cfa,
		.kind = row->kind,
		.bp = row->bp,
		.bx = row->bx,
		.base = fm_bases_slot(fm_user_frame_object(path->frame)),
	};
}

/*
 * Return: the path of a leaf alone that a sample at its address had last, if that is still
 * known; or another path without a parent.
 */
static u32 fm_user_leaf(const struct fm_user_paths *paths, const struct fm_leaf *leaf)
{
	u32 nr = leaf->path;

	/* The paths may be others now. */
	return nr < paths->nr && !paths->paths[nr].parent ? nr : 0;
}

/*
 * Look up the state's frame, step to its caller, and note it.
 * Return: FLAMEMOD_USER_WHOLE to go on; FM_WALK_DONE after the outermost frame; or why the
 * walk ends. If there is no room for the frame, the path is 0.
 */
static noinline enum flamemod_user_side fm_user_follow_new(struct fm_maps *maps,
							   struct fm_user_paths *paths,
							   struct fm_frame_state *s)
{
	unsigned long leaf = s->ip;
	enum flamemod_user_side side;

	if (!maps->slow && !fm_user_paths_begin(paths, current->mm)) {
		s->path = 0;
		return FLAMEMOD_USER_CROWDED;
	}
	maps->slow = true;
	side = fm_user_step(maps, s);
	if (s->frame) {
		if (!fm_user_note(paths, s))
			return FLAMEMOD_USER_CROWDED;
		fm_user_keep_step(&paths->paths[s->path], s->row);
		if (!s->depth)
			fm_maps_leaf(maps, leaf)->path = s->path;
	}
	s->depth++;
	return side;
}

/* Return: whether known steps can be followed from a path. */
static __always_inline bool fm_user_may_follow(const struct fm_maps *maps, u32 nr)
{
	return FM_ARCH_COUNTS_FLUSHES && nr && !maps->looks_up;
}

/* Follow the stack from the state on, and note its frames in its path. Return: the result. */
static enum flamemod_user_side fm_user_follow(struct fm_maps *maps, struct fm_user_paths *paths)
{
	struct fm_frame_state *s = &maps->state;
	u32 nr = s->path ? fm_user_paths_next(paths, s->path) :
			   fm_user_leaf(paths, fm_maps_leaf(maps, s->ip));
	enum flamemod_user_side side;

	/* Steps by sp were tried already, where a walk starts. */
	if (paths->paths[nr].step.kind != FM_CFA_BP)
		nr = 0;
	while (s->depth < FM_USER_DEPTH_MAX) {
		if (fm_user_may_follow(maps, nr)) {
			side = fm_user_follow_known(maps, paths, nr);
			if (side)
				return side;
			if (s->depth == FM_USER_DEPTH_MAX)
				break;
		}
		side = fm_user_follow_new(maps, paths, s);
		if (side)
			return side;
		nr = fm_user_paths_next(paths, s->path);
	}
	return FLAMEMOD_USER_DEEP;
}

/* Return: the result of a walk that reached the start of the program or thread. */
static enum flamemod_user_side fm_user_done(const struct fm_maps *maps)
{
	if (maps->unverified)
		return FLAMEMOD_USER_UNVERIFIED;
	return maps->state.by_fp ? FLAMEMOD_USER_BY_FP : FLAMEMOD_USER_WHOLE;
}

/* Return: FLAMEMOD_USER_WHOLE if the task's user stack can be looked at, or why not. */
static enum flamemod_user_side fm_user_check(const struct pt_regs *regs, bool from_user)
{
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
	if (fm_arch_is_compat(regs))
		return FLAMEMOD_USER_COMPAT32;
	/* The kernel may use another mm for a while, such as to call firmware, and in exec. */
	if (!from_user && !fm_arch_is_loaded())
		return fm_compat_in_exec(current) ? FLAMEMOD_USER_EXEC : FLAMEMOD_USER_FAULT;
	return FLAMEMOD_USER_WHOLE;
}

/*
 * Copy a stack that was not walked to its end, for the worker.
 * Return: the path for it; 0 if that is not possible.
 */
static noinline u32 fm_user_copy(struct fm_maps *maps, struct fm_user_paths *paths,
				 const struct pt_regs *regs, u32 path)
{
	const struct fm_user_regs copied = fm_arch_registers(regs);
	u64 frame;

	/* What is not in a path is released by the next drain. */
	return fm_copies_take(maps, &copied, &frame) ?
	       fm_user_paths_add(paths, path, frame) : 0;
}

/**
 * fm_user_walk_copy() - walk a copy, and compile the rows that this needs.
 * @objects: the objects
 * @copy: the copy
 * @result: set to its frames, and to what became of it
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_user_walk_copy(struct fm_objects *objects, const struct fm_copy *copy,
		       struct fm_result *result)
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

	result->nr_frames = 0;
	for (depth = 0; side == FLAMEMOD_USER_WHOLE && depth < FM_USER_DEPTH_MAX; depth++) {
		side = fm_user_step(NULL, &s);
		/* This step has changed nothing, so it can be done again. */
		if (side == FLAMEMOD_USER_NOT_LEARNED &&
		    fm_copy_learn(objects, copy, s.ip - !s.is_exact))
			side = fm_user_step(NULL, &s);
		before = fm_user_before(&s, copy->tgid);
		if (before)
			result->frames[result->nr_frames++] = before;
		if (s.frame)
			result->frames[result->nr_frames++] = s.frame;
	}
	if (side == FM_WALK_DONE) {
		result->side = s.by_fp ? FLAMEMOD_USER_BY_FP : FLAMEMOD_USER_WHOLE;
		return;
	}
	if (side == FLAMEMOD_USER_WHOLE)
		side = FLAMEMOD_USER_DEEP;
	if (side == FLAMEMOD_USER_FAULT && copy->bytes == FM_COPY_BYTES)
		side = FLAMEMOD_USER_COPY_SHORT;
	result->side = side;
	result->frames[result->nr_frames++] = fm_user_frame(0, FM_USER_END + side);
}

/* Go on with a walk from the state, where page faults are disabled, and end it. */
static noinline struct fm_user_stack fm_user_go_on(struct fm_maps *maps,
						   struct fm_user_paths *paths,
						   const struct pt_regs *regs)
{
	enum flamemod_user_side side = fm_user_follow(maps, paths);
	u32 path = maps->state.path, copied = 0;

	if (side == FLAMEMOD_USER_NOT_LEARNED && !fm_compat_in_exec(current))
		copied = fm_user_copy(maps, paths, regs, path);
	pagefault_enable();
	fm_maps_end(maps);
	if (copied)
		return (struct fm_user_stack){ copied, side };
	if (side == FM_WALK_DONE)
		return (struct fm_user_stack){ path, fm_user_done(maps) };
	if (fm_compat_in_exec(current))
		side = FLAMEMOD_USER_EXEC;
	path = fm_user_paths_end(paths, path, &side);
	return (struct fm_user_stack){ path, side };
}

/**
 * fm_user_walk() - take the current task's user stack.
 * @maps: the CPU's cache
 * @paths: where to note it
 * @regs: the task's registers of user mode
 * @from_user: whether user mode was interrupted, not the kernel
 *
 * Context: Hard interrupt.
 * Return: the path, and the result of the walk. The path ends in a frame for that, unless
 * it is whole or by_fp, or unverified in a walk that reached the start of the program.
 */
struct fm_user_stack fm_user_walk(struct fm_maps *maps, struct fm_user_paths *paths,
				  const struct pt_regs *regs, bool from_user)
{
	enum flamemod_user_side side = fm_user_check(regs, from_user);
	struct fm_frame_state *s = &maps->state;
	u32 nr;

	maps->slow = false;
	if (side)
		return (struct fm_user_stack){ fm_user_paths_nothing(side), side };
	fm_maps_begin(maps);
	nr = fm_user_leaf(paths, fm_maps_leaf(maps, fm_arch_registers(regs).ip));
	pagefault_disable();
	if (unlikely(!fm_user_may_follow(maps, nr))) {
		fm_user_start(s, regs);
		return fm_user_go_on(maps, paths, regs);
	}
	if (unlikely(fm_user_follow_steps(maps, paths, nr, true, regs) != FM_WALK_DONE))
		return fm_user_go_on(maps, paths, regs);
	/* Nothing was looked up, so nothing is locked or unverified. */
	pagefault_enable();
	return (struct fm_user_stack){ s->path, FLAMEMOD_USER_WHOLE };
}
