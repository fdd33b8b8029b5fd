// SPDX-License-Identifier: GPL-2.0
/*
 * Get the kind of a kernel thread from its name: see kthread.h.
 */
#include "profile/kthread.h"

#include <stdio.h>
#include <string.h>

#define DIGITS	"0123456789"
#define LETTERS	"abcdefghijklmnopqrstuvwxyz_"

/* Threads that exist once per memory node have no '/' before the number. */
static bool is_of_node(const char *comm, size_t letters)
{
	static const char *const kinds[] = { "kswapd", "kcompactd" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i]) == letters &&
		    !strncmp(comm, kinds[i], letters))
			return comm[letters] &&
			       !comm[letters + strspn(comm + letters, DIGITS)];
	return false;
}

bool kthread_kind(const char *comm, char kind[KTHREAD_KIND])
{
	size_t length = strspn(comm, LETTERS DIGITS);
	size_t letters = strspn(comm, LETTERS);
	const char *number = comm + length + 1;

	if (strlen(comm) >= KTHREAD_KIND || !letters)
		return false;
	if (is_of_node(comm, letters)) {
		snprintf(kind, KTHREAD_KIND, "%.*s", (int)letters, comm);
		return true;
	}
	if (comm[length] != '/')
		return false;
	/* "u" precedes the pool number of an unbound worker */
	number += *number == 'u';
	if (!strspn(number, DIGITS))
		return false;
	number += strspn(number, DIGITS);
	if (!strncmp(comm, "irq/", 4) && *number == '-' && number[1])
		snprintf(kind, KTHREAD_KIND, "irq/%s", number + 1);
	else
		snprintf(kind, KTHREAD_KIND, "%.*s", (int)length, comm);
	return true;
}
