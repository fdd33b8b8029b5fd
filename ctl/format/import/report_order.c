// SPDX-License-Identifier: GPL-2.0
/*
 * Decide whether stacks in perf report's text are root first or leaf first.
 *
 * The text does not say so. Functions whose place in a stack is always the same
 * show it, and so does the entry's symbol, which is the leaf: each stack votes.
 */
#include "format/import/report_state.h"

#include <string.h>

/* Rank of a function by its distance from the root; 0: the distance varies. */
static unsigned int rank_of(const char *name, size_t length)
{
	static const char *const in_order[] = {
		"ret_from_fork_asm", "ret_from_fork", "kthread",
		"worker_thread", "process_one_work",
		"secondary_startup_64", "start_secondary", "cpu_startup_entry",
		"do_idle", "_start", "clone3", "start_thread",
		"__libc_start_main", "__libc_start_call_main", "main",
		"entry_SYSCALL_64", "entry_SYSCALL_64_after_hwframe",
		"el0t_64_sync", "do_syscall_64", "el0_svc", "x64_sys_call",
		"ksys_read", "ksys_write", "vfs_read", "vfs_write",
	};

	for (unsigned int i = 0; i < sizeof(in_order) / sizeof(in_order[0]); i++)
		if (strlen(in_order[i]) == length &&
		    !strncmp(name, in_order[i], length))
			return i + 1;
	return 0;
}

void report_vote(struct report *report, const char *text,
		 const struct report_entry *entry)
{
	const char *symbol = entry->symbol == REPORT_NOTHING ? "" :
			     report->texts + entry->symbol;
	unsigned int rank, before = 0;
	size_t length = 0, at;

	for (at = 0; text[at]; at += length + !!text[at + length]) {
		length = strcspn(text + at, ";");
		rank = rank_of(text + at, length);
		if (rank && before)
			report->root_first += (rank > before) - (rank < before);
		before = rank ?: before;
	}
	if (!*symbol || report->has_children)
		return;
	/* the entry's function is the leaf */
	report->root_first += !strncmp(text + at - length, symbol, length) &&
			      !symbol[length];
	length = strcspn(text, ";");
	report->root_first -= !strncmp(text, symbol, length) && !symbol[length];
}

bool report_is_root_first(const struct report *report)
{
	if (report->root_first)
		return report->root_first > 0;
	/* the default of perf report */
	return report->has_children || !report->has_symbols;
}

static bool is_address(const char *name, size_t length)
{
	return !strncmp(name, "0x", 2) || (length == 1 && *name == '0');
}

bool report_is_self(const struct report *report, const char *text,
		    const struct report_entry *entry, bool root_first)
{
	const char *last = strrchr(text, ';'), *leaf = text;
	const char *symbol = report->texts + entry->symbol;
	size_t length;

	if (root_first && last)
		leaf = last + 1;
	length = strcspn(leaf, ";");
	/* addresses without a symbol are written in different forms */
	if (!strncmp(symbol, "0x", 2))
		return is_address(leaf, length);
	return !strncmp(leaf, symbol, strlen(symbol)) &&
	       (strlen(symbol) == length || leaf[strlen(symbol)] == ' ');
}
