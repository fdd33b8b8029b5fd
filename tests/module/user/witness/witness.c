// SPDX-License-Identifier: GPL-2.0
/*
 * Sees what flamemod's walk of a user stack could read, and what it found.
 *
 * At the entry of fm_user_walk() it copies the registers and up to 64 kB of the stack of
 * one sample of @every; at its return, the frames. If the stack was copied to be walked
 * later, the frames are those of fm_user_walk_copy(). read() of /dev/witness gives one
 * struct witness_record at a time, or 0 bytes if there is none.
 *
 * Locking: a slot belongs to the probe while it is filling, and to the reader while it
 * is full; the states change by cmpxchg() and release stores. There is one reader.
 */
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "module/user/walk.h"
#include "record.h"

#define WITNESS_SLOTS	64

static unsigned int every = 8;
module_param(every, uint, 0444);

enum witness_state {
	WITNESS_FREE,
	WITNESS_FILLING,
	WITNESS_PENDING,	/* for the walk of a copy */
	WITNESS_FULL,
};

struct witness_slot {
	int state;
	const struct fm_result *result;
	u32 number;		/* the copy's */
	struct witness_record record;
};

/* A call of fm_user_walk(). */
struct witness_call {
	struct fm_maps *maps;
	struct fm_user_paths *paths;
	struct witness_slot *slot;
};

/* A call of fm_user_walk_copy(). */
struct witness_copy_call {
	struct fm_objects *objects;
	const struct fm_result *result;
};

static struct witness_slot *witness_slots;
static atomic_t witness_nr, witness_missed;

static struct witness_slot *witness_slot_get(void)
{
	u32 i;

	for (i = 0; i < WITNESS_SLOTS; i++)
		if (cmpxchg(&witness_slots[i].state, WITNESS_FREE, WITNESS_FILLING) ==
		    WITNESS_FREE)
			return &witness_slots[i];
	atomic_inc(&witness_missed);
	return NULL;
}

#ifdef CONFIG_ARM64
static void witness_regs(struct witness_record *record, const struct pt_regs *regs)
{
	record->is_arm64 = 1;
	memcpy(record->regs, regs->regs, sizeof(regs->regs));
	record->regs[WITNESS_SP_ARM64] = regs->sp;
	record->regs[WITNESS_REGS_ARM64] = regs->pc;
}
#else
static void witness_regs(struct witness_record *record, const struct pt_regs *regs)
{
	const u64 numbered[] = {
		regs->ax, regs->dx, regs->cx, regs->bx, regs->si, regs->di, regs->bp,
		regs->sp, regs->r8, regs->r9, regs->r10, regs->r11, regs->r12,
		regs->r13, regs->r14, regs->r15, regs->ip,
	};

	record->is_arm64 = 0;
	memcpy(record->regs, numbered, sizeof(numbered));
}
#endif

/* Copy the stack as far as it can be read; the page below sp's need not be there. */
static void witness_stack(struct witness_record *record, unsigned long sp)
{
	unsigned long at = sp - WITNESS_BELOW;
	u32 part;

	for (record->nr_stack = 0; record->nr_stack < WITNESS_STACK; at += part) {
		u8 *to = record->stack + record->nr_stack;

		part = min_t(u32, WITNESS_STACK - record->nr_stack,
			     PAGE_SIZE - offset_in_page(at));
		if (copy_from_user_nofault(to, (void __user *)at, part)) {
			if (at + part > sp)
				return;
			memset(to, 0, part);
		}
		record->nr_stack += part;
	}
}

static int witness_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct witness_call *call = (void *)ri->data;
	const struct pt_regs *user = (void *)regs_get_kernel_argument(regs, 2);
	struct witness_slot *slot;

	if (!current->mm || atomic_inc_return(&witness_nr) % every)
		return 1;
	slot = witness_slot_get();
	if (!slot)
		return 1;
	*call = (struct witness_call){
		.maps = (void *)regs_get_kernel_argument(regs, 0),
		.paths = (void *)regs_get_kernel_argument(regs, 1),
		.slot = slot,
	};
	slot->record.pid = current->tgid;
	slot->record.from_user = regs_get_kernel_argument(regs, 3) & 1;
	slot->record.is_copy = 0;
	witness_regs(&slot->record, user);
	witness_stack(&slot->record, user->sp);
	return 0;
}

NOKPROBE_SYMBOL(witness_entry);

static void witness_frame(struct witness_record *record, struct fm_objects *objects,
			  u32 at, u64 frame)
{
	struct witness_frame *to = &record->frames[at];
	u32 number = fm_user_frame_object(frame);

	*to = (struct witness_frame){ .offset = fm_user_frame_offset(frame) };
	if (!number)
		return;
	to->ino = objects->list[number - 1].id.ino;
	to->dev = objects->list[number - 1].id.dev;
	to->is_vdso = objects->list[number - 1].id.vdso != 0;
}

static int witness_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct witness_call *call = (void *)ri->data;
	struct fm_user_paths *paths = call->paths;
	struct witness_slot *slot = call->slot;
	struct witness_record *record = &slot->record;
	/* It is returned in one register. */
	union {
		u64 value;
		struct fm_user_stack stack;
	} returned = { regs_return_value(regs) };
	u32 path = returned.stack.path, at, nr = 0;
	u64 frame = paths->paths[path].frame;

	static_assert(sizeof(returned.stack) == sizeof(u64));
	record->side = returned.stack.side;
	if (fm_user_frame_is_copy(frame)) {
		u32 number = fm_user_frame_offset(frame) - FM_USER_COPIED;

		slot->result = fm_copies_place(call->maps->copies, number);
		slot->number = number;
		/* Pairs with witness_copy_return(). */
		smp_store_release(&slot->state, WITNESS_PENDING);
		return 0;
	}
	for (at = path; at; at = paths->paths[at].parent)
		nr++;
	record->nr_frames = min_t(u32, nr, WITNESS_FRAMES);
	for (at = path; at; at = paths->paths[at].parent)
		if (--nr < WITNESS_FRAMES)
			witness_frame(record, call->maps->objects, nr,
				      paths->paths[at].frame);
	/* Pairs with witness_read(): the record is complete. */
	smp_store_release(&slot->state, WITNESS_FULL);
	return 0;
}

NOKPROBE_SYMBOL(witness_return);

static int witness_copy_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct witness_copy_call *call = (void *)ri->data;

	call->objects = (void *)regs_get_kernel_argument(regs, 0);
	call->result = (void *)regs_get_kernel_argument(regs, 2);
	return 0;
}

/* The worker has walked a copy: whose was it? */
static int witness_copy_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct witness_copy_call *call = (void *)ri->data;
	u32 i, at;

	for (i = 0; i < WITNESS_SLOTS; i++) {
		struct witness_slot *slot = &witness_slots[i];

		/* Pairs with witness_return(). */
		if (smp_load_acquire(&slot->state) != WITNESS_PENDING ||
		    slot->result != call->result)
			continue;
		/* The worker was faster than witness_return(). */
		if (slot->number != call->result->number) {
			/* Pairs with witness_slot_get(). */
			smp_store_release(&slot->state, WITNESS_FREE);
			continue;
		}
		slot->record.is_copy = 1;
		slot->record.side = call->result->side;
		slot->record.nr_frames = min_t(u32, call->result->nr_frames, WITNESS_FRAMES);
		for (at = 0; at < slot->record.nr_frames; at++)
			witness_frame(&slot->record, call->objects, at,
				      call->result->frames[at]);
		/* Pairs with witness_read(). */
		smp_store_release(&slot->state, WITNESS_FULL);
	}
	return 0;
}

static struct kretprobe witness_walk = {
	.kp.symbol_name = "fm_user_walk",
	.entry_handler = witness_entry,
	.handler = witness_return,
	.data_size = sizeof(struct witness_call),
	.maxactive = 32,
};

static struct kretprobe witness_copy_walk = {
	.kp.symbol_name = "fm_user_walk_copy",
	.entry_handler = witness_copy_entry,
	.handler = witness_copy_return,
	.data_size = sizeof(struct witness_copy_call),
	.maxactive = 32,
};

static ssize_t witness_read(struct file *file, char __user *to, size_t bytes, loff_t *pos)
{
	u32 i;

	for (i = 0; i < WITNESS_SLOTS; i++) {
		struct witness_slot *slot = &witness_slots[i];
		size_t nr = offsetof(struct witness_record, stack);

		/* Pairs with witness_return() and witness_copy_return(). */
		if (smp_load_acquire(&slot->state) != WITNESS_FULL)
			continue;
		nr += slot->record.nr_stack;
		if (bytes < nr)
			return -EINVAL;
		if (copy_to_user(to, &slot->record, nr))
			return -EFAULT;
		/* Pairs with witness_slot_get(): the record was read. */
		smp_store_release(&slot->state, WITNESS_FREE);
		return nr;
	}
	return 0;
}

static const struct file_operations witness_file = {
	.owner = THIS_MODULE,
	.read = witness_read,
};

static struct miscdevice witness_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "witness",
	.fops = &witness_file,
};

static int __init witness_init(void)
{
	int err;

	witness_slots = vzalloc(WITNESS_SLOTS * sizeof(*witness_slots));
	if (!witness_slots || !every)
		return -ENOMEM;
	err = misc_register(&witness_device);
	if (err)
		goto free_slots;
	err = register_kretprobe(&witness_walk);
	if (err)
		goto deregister;
	err = register_kretprobe(&witness_copy_walk);
	if (err)
		goto unregister;
	return 0;
unregister:
	unregister_kretprobe(&witness_walk);
deregister:
	misc_deregister(&witness_device);
free_slots:
	vfree(witness_slots);
	return err;
}

static void __exit witness_exit(void)
{
	unregister_kretprobe(&witness_copy_walk);
	unregister_kretprobe(&witness_walk);
	misc_deregister(&witness_device);
	vfree(witness_slots);
	pr_info("witness: %d calls, %d without a free slot\n", atomic_read(&witness_nr),
		atomic_read(&witness_missed));
}

module_init(witness_init);
module_exit(witness_exit);
MODULE_DESCRIPTION("Sees what flamemod's walk of a user stack could read and what it found");
MODULE_LICENSE("GPL");
