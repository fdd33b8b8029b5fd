// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the profile as text: see debugfs.h.
 *
 * "folded" has what "flamectl dump" prints, and "status" has the books
 * (books.h) as text. Each open takes a snapshot, which is then streamed.
 * Nothing depends on these files: they do not exist if debugfs is absent or
 * locked down.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "debugfs.h"
#include "label.h"
#include "permit.h"
#include "session.h"
#include "snapshot.h"
#include "user/names.h"

static struct dentry *fm_debugfs_dir;

static void fm_debugfs_put_frame(struct seq_file *seq, const struct fm_frame *frame)
{
	if (frame->in_file) {
		fm_label_put(seq, frame->file->path);
		seq_printf(seq, "+0x%llx%s%s", frame->offset,
			   frame->file->id_bytes ? " " : "", frame->file->id);
	} else {
		fm_label_put(seq, frame->kind == FLAMEMOD_FRAME_USER ?
			     fm_user_name_shown(frame->name) : frame->name);
	}
}

/*
 * The most marks of a kernel stack: [truncated], [incomplete], [irqs-off] or
 * [injected idle], and [stalled]. A user stack only has one, for its end.
 */
#define FM_DEBUGFS_MARKS	4

static void fm_debugfs_put_stack(struct seq_file *seq,
				 const struct fm_snapshot *s, u32 leaf)
{
	u32 stack[FLAMEMOD_MAX_DEPTH_MAX + FM_DEBUGFS_MARKS], nr = 0;
	const struct fm_node *node;

	for (; leaf && nr < ARRAY_SIZE(stack); leaf = node->parent) {
		node = fm_set_at(&s->aggregate->nodes, leaf);
		stack[nr++] = node->frame;
	}
	while (nr--) {
		seq_putc(seq, ';');
		fm_debugfs_put_frame(seq, fm_set_at(&s->symbols->frames, stack[nr]));
	}
}

/* Positions are the records, followed by the reasons of loss. */
static void *fm_debugfs_start(struct seq_file *seq, loff_t *position)
{
	const struct fm_snapshot *s = seq->private;

	if (*position >= (u64)s->nr_records + __FLAMEMOD_LOST_MAX)
		return NULL;
	return position;
}

static void *fm_debugfs_next(struct seq_file *seq, void *v, loff_t *position)
{
	++*position;
	return fm_debugfs_start(seq, position);
}

static void fm_debugfs_stop(struct seq_file *seq, void *v)
{
}

static void fm_debugfs_show_lost(struct seq_file *seq,
				 const struct fm_snapshot *s,
				 enum flamemod_lost reason)
{
	if (s->books.lost[reason])
		seq_printf(seq, "[lost: %s] %llu\n", fm_lost_name(reason),
			   s->books.lost[reason]);
}

/* Return: the frame that stands for a stack, of a record without one. */
static const char *fm_debugfs_stackless(enum flamemod_context context)
{
	switch (context) {
	case FLAMEMOD_CONTEXT_USER:
		return ";[user]";
	case FLAMEMOD_CONTEXT_IDLE:
		return ";[idle]";
	default:
		return ";[unknown]";
	}
}

static int fm_debugfs_show(struct seq_file *seq, void *v)
{
	const struct fm_snapshot *s = seq->private;
	u64 i = *(loff_t *)v;
	const struct fm_record *record;
	const struct fm_task *task;

	if (i >= s->nr_records) {
		fm_debugfs_show_lost(seq, s, i - s->nr_records);
		return 0;
	}
	/* The record exists, but has no periods. */
	if (!fm_snapshot_counts(s, i)->periods)
		return 0;
	record = fm_set_at(&s->aggregate->records, i);
	task = fm_set_at(&s->aggregate->tasks, record->task);
	fm_label_put(seq, task->comm);
	fm_debugfs_put_stack(seq, s, record->user);
	if (!record->node && !record->user)
		seq_puts(seq, fm_debugfs_stackless(record->context));
	fm_debugfs_put_stack(seq, s, record->node);
	seq_printf(seq, " %llu\n", fm_snapshot_counts(s, i)->periods);
	return 0;
}

static const struct seq_operations fm_debugfs_seq_ops = {
	.start = fm_debugfs_start,
	.next = fm_debugfs_next,
	.stop = fm_debugfs_stop,
	.show = fm_debugfs_show,
};

static void fm_debugfs_put_books(struct seq_file *seq, u64 expected, s64 overdue,
				 const struct fm_books *books)
{
	unsigned int i;

	seq_printf(seq, "expected %llu fires %llu missed %llu overdue %lld stored %llu filtered %llu truncated %llu asleep %llu late %llu stolen %llu",
		   expected, books->fires, books->missed, overdue, books->stored,
		   books->filtered, books->truncated, books->asleep, books->late,
		   books->stolen);
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		seq_printf(seq, " lost-%s %llu", fm_lost_name(i),
			   books->lost[i]);
	seq_putc(seq, '\n');
}

static int fm_debugfs_show_status(struct seq_file *seq, void *v)
{
	static const char * const states[] = {
		[FLAMEMOD_STATE_STOPPED] = "stopped",
		[FLAMEMOD_STATE_RUNNING] = "running",
		[FLAMEMOD_STATE_BROKEN] = "broken",
	};
	const struct fm_snapshot *s = seq->private;
	u32 i;

	static_assert(ARRAY_SIZE(states) == __FLAMEMOD_STATE_MAX);
	seq_printf(seq, "version %s\nstate %s\nhz %u\nperiod_ns %llu\n",
		   FLAMEMOD_VERSION, states[s->state], s->settings->hz,
		   s->period_ns);
	seq_printf(seq, "resolution_ns %u\nepoch %u\nmemory_bytes %zu\nmemory_limit_bytes %zu\n",
		   hrtimer_resolution, s->epoch, s->memory_bytes,
		   s->memory_limit_bytes);
	if (s->learns)
		seq_printf(seq, "stacks learned %llu unwound %llu steps %llu verified %llu differences %llu\n",
			   s->learned.learned, s->learned.unwound,
			   s->learned.steps, s->learned.verified,
			   s->learned.differences);
	seq_printf(seq, "pauses callback_ns_max %llu swap_ns_max %llu forget_ns_max %llu\n",
		   s->pauses.callback_ns_max, s->pauses.swap_ns_max,
		   s->pauses.forget_ns_max);
	seq_puts(seq, "total ");
	fm_debugfs_put_books(seq, s->expected, s->overdue, &s->books);
	for (i = 0; i < s->nr_cpus; i++) {
		const struct fm_snapshot_cpu *cpu = fm_snapshot_cpu(s, i);

		seq_printf(seq, "cpu%u ", cpu->cpu);
		fm_debugfs_put_books(seq, cpu->expected, cpu->overdue,
				     &cpu->books);
	}
	return 0;
}

static int fm_debugfs_snapshot(struct inode *inode, unsigned int flags,
			       struct fm_snapshot **snapshot)
{
	return fm_permit_current() ?:
	       fm_snapshot_create(inode->i_private, flags, snapshot, NULL);
}

static int fm_debugfs_open_folded(struct inode *inode, struct file *file)
{
	struct fm_snapshot *snapshot;
	int err;

	err = fm_debugfs_snapshot(inode, FM_SNAPSHOT_PROFILE, &snapshot);
	if (err)
		return err;
	err = seq_open(file, &fm_debugfs_seq_ops);
	if (err)
		fm_snapshot_put(snapshot);
	else
		((struct seq_file *)file->private_data)->private = snapshot;
	return err;
}

static int fm_debugfs_open_status(struct inode *inode, struct file *file)
{
	struct fm_snapshot *snapshot;
	int err;

	err = fm_debugfs_snapshot(inode, 0, &snapshot);
	if (err)
		return err;
	err = single_open(file, fm_debugfs_show_status, snapshot);
	if (err)
		fm_snapshot_put(snapshot);
	return err;
}

static int fm_debugfs_release_folded(struct inode *inode, struct file *file)
{
	fm_snapshot_put(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static int fm_debugfs_release_status(struct inode *inode, struct file *file)
{
	fm_snapshot_put(((struct seq_file *)file->private_data)->private);
	return single_release(inode, file);
}

static const struct file_operations fm_debugfs_folded = {
	.owner = THIS_MODULE,
	.open = fm_debugfs_open_folded,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = fm_debugfs_release_folded,
};

static const struct file_operations fm_debugfs_status = {
	.owner = THIS_MODULE,
	.open = fm_debugfs_open_status,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = fm_debugfs_release_status,
};

/**
 * fm_debugfs_init() - create the files, unless debugfs is locked down.
 * @session: the only session
 *
 * Context: Process context, may sleep.
 */
void fm_debugfs_init(struct fm_session *session)
{
	if (security_locked_down(LOCKDOWN_DEBUGFS))
		return;
	fm_debugfs_dir = debugfs_create_dir("flamemod", NULL);
	debugfs_create_file("folded", 0400, fm_debugfs_dir, session,
			    &fm_debugfs_folded);
	debugfs_create_file("status", 0400, fm_debugfs_dir, session,
			    &fm_debugfs_status);
}

/**
 * fm_debugfs_deinit() - remove the files.
 *
 * Context: Process context, may sleep.
 */
void fm_debugfs_deinit(void)
{
	debugfs_remove_recursive(fm_debugfs_dir);
}
