#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probe.sh OUTPUT SYMVERS CC FLAGS...: write a header that says which of the newer
# kernel APIs this kernel has, by compiling a use of each. What is declared in all
# kernels, but not exported by all, is looked up in SYMVERS, the kernel's
# Module.symvers. Without that file it counts as exported: what is built in needs none.
#
# Only the errors that a missing or different API gives count as a "no": a
# plain -Werror would take any warning of an old kernel's headers for one.
set -eu

output=$1 symvers=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

compiles() { # HEADER STATEMENT CC FLAGS...
	header=$1 statement=$2
	shift 2
	cat >"$dir/probe.c" <<-END
	#include <linux/module.h>
	#include <$header>
	void fm_probe(void);
	void fm_probe(void)
	{
		$statement
	}
	END
	"$@" -DKBUILD_MODNAME='"probe"' -DKBUILD_BASENAME='"probe"' \
		-Wno-error -Werror=implicit-function-declaration \
		-Werror=incompatible-pointer-types -Werror=int-conversion \
		-c -o "$dir/probe.o" "$dir/probe.c" 2>"$dir/errors"
}

exports() { # SYMBOL
	[ ! -e "$symvers" ] || grep -q "[[:space:]]${1}[[:space:]]" "$symvers"
}

# A probe that cannot succeed at all would call every kernel old.
if ! compiles linux/hrtimer.h 'ktime_get_ns();' "$@"; then
	echo "probe.sh: cannot compile for this kernel at all:" >&2
	cat "$dir/errors" >&2
	exit 1
fi

{
	echo "/* Written by compat/probe.sh. */"
	while read -r name header statement; do
		if compiles "$header" "$statement" "$@"; then
			echo "#define FM_HAVE_$name 1"
		else
			echo "/* no FM_HAVE_$name */"
		fi
	done <<-'END'
	HRTIMER_SETUP linux/hrtimer.h struct hrtimer t; hrtimer_setup(&t, NULL, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	NEWTASK_U64 trace/events/task.h check_trace_callback_type_task_newtask((void (*)(void *, struct task_struct *, u64))NULL);
	SWITCH_PLAIN trace/events/sched.h check_trace_callback_type_sched_switch((void (*)(void *, bool, struct task_struct *, struct task_struct *))NULL);
	SWITCH_STATE trace/events/sched.h check_trace_callback_type_sched_switch((void (*)(void *, bool, struct task_struct *, struct task_struct *, unsigned int))NULL);
	WAKING trace/events/sched.h check_trace_callback_type_sched_waking((void (*)(void *, struct task_struct *))NULL);
	SCHED_DELAYED linux/sched.h (void)current->se.sched_delayed;
	TASK_STATE linux/sched.h (void)current->__state;
	HK_TYPE linux/sched/isolation.h (void)housekeeping_cpumask(HK_TYPE_DOMAIN);
	INODE_CTIME linux/fs.h struct inode *inode = NULL; (void)inode_get_ctime(inode);
	READ_FOLIO linux/fs.h struct address_space_operations ops; (void)ops.read_folio;
	IDLE_DYNTICK linux/kernel_stat.h (void)kcpustat_idle_dyntick();
	IN_EXECVE linux/sched.h (void)current->in_execve;
	KMALLOC_ROUNDUP linux/slab.h (void)kmalloc_size_roundup(1);
	VMA_RB linux/mm_types.h struct mm_struct mm; (void)mm.mm_rb;
	FOLIO linux/mm.h struct page *page = NULL; (void)page_folio(page)->index;
	GET_KRETPROBE linux/kprobes.h struct kretprobe_instance *i = NULL; (void)get_kretprobe(i);
	KRETPROBE_FIND linux/kprobes.h (void)kretprobe_find_ret_addr(current, NULL, NULL);
	INVALIDATE_LOCK linux/fs.h struct address_space *mapping = NULL; (void)filemap_invalidate_trylock_shared(mapping);
	DISKSEQ linux/blkdev.h struct gendisk *disk = NULL; (void)disk->diskseq;
	FILE_USER_PATH linux/fs.h struct file *file = NULL; (void)file_user_path(file);
	GENL_INFO_DUMP net/genetlink.h struct netlink_callback *cb = NULL; (void)genl_info_dump(cb)->attrs;
	END
	if exports mmput_async; then
		echo "#define FM_HAVE_MMPUT_ASYNC 1"
	else
		echo "/* no FM_HAVE_MMPUT_ASYNC */"
	fi
} >"$dir/features.h"
mkdir -p "$(dirname "$output")"
mv "$dir/features.h" "$output"
