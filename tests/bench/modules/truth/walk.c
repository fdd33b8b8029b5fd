// SPDX-License-Identifier: GPL-2.0
/*
 * Burns CPU time at the ends of chains of calls, in any number of distinct chains.
 *
 * Writing "NUMBER BURST_NS" to debugfs' walks/burn walks through some of a thousand
 * functions, each called by the one before, and burns that long in the last one.
 * A number always gives the same walk: that of a smaller number, and one or two
 * functions more. So a call tree of N walks has 1.5 N nodes, of which two in three
 * are the end of a walk. (For comparison: networking, files, forks and encryption,
 * sampled for a minute in a guest of two CPUs, gave 22578 stacks, 35501 nodes and
 * 3594 names.) Interrupts are enabled at one instruction of a function only, so a
 * sampler finds as many distinct addresses as names.
 *
 * Locking: none, since only its writer uses a walk.
 */
#include <linux/debugfs.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "walk.h"

static struct dentry *directory;

/* Some functions are called from more places than others. */
static u16 walk_function(u32 number, u32 index)
{
	u32 random = jhash_2words(number, index, 0);

	return min(random % WALK_NR_FUNCTIONS, (random >> 16) % WALK_NR_FUNCTIONS);
}

/* Choose a walk, from its end. It extends that of a smaller number, chosen at random. */
static void walk_choose(struct walk *walk, u32 number)
{
	u32 i, nr_own;

	walk->nr_left = 0;
	for (number++; number; number = jhash_1word(number, 2) % number) {
		nr_own = 1 + jhash_1word(number, 1) % 2;
		for (i = 0; i < nr_own && walk->nr_left < WALK_MAX_DEPTH; i++)
			walk->left[walk->nr_left++] = walk_function(number, i);
	}
}

static ssize_t walk_write(struct file *file, const char __user *from,
			  size_t size, loff_t *pos)
{
	struct walk walk;
	char text[48];
	u64 burst_ns;
	u32 number;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	text[size] = 0;
	if (sscanf(text, "%u %llu", &number, &burst_ns) != 2)
		return -EINVAL;
	walk_choose(&walk, number);
	walk.until_ns = ktime_get_ns() + burst_ns;
	walk_functions[walk.left[--walk.nr_left]](&walk);
	return size;
}

static const struct file_operations walk_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = walk_write,
};

static int __init walk_init(void)
{
	directory = debugfs_create_dir("walks", NULL);
	debugfs_create_file("burn", 0200, directory, NULL, &walk_fops);
	return 0;
}

static void __exit walk_exit(void)
{
	debugfs_remove(directory);
}

module_init(walk_init);
module_exit(walk_exit);
MODULE_DESCRIPTION("burns CPU time in as many distinct stacks as wanted");
MODULE_LICENSE("GPL");
