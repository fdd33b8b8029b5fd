// SPDX-License-Identifier: GPL-2.0
/*
 * Report CPUs that are isolated: they are not sampled unless the user names them, so
 * whoever misses them in a profile finds out why.
 */
#include <stddef.h>
#include <string.h>

#include "base/cpulist.h"
#include "cmd/doctor.h"

/* Room for a list of CPUs from the kernel, and for what is printed of it. */
#define LIST_BYTES	4096
#define SHOWN_BYTES	256

void doctor_cpus(struct doctor *doctor)
{
	/* isolcpus=, and nohz_full=, which some kernels print as "(null)" */
	static const char *const files[] = {
		"/sys/devices/system/cpu/isolated",
		"/sys/devices/system/cpu/nohz_full",
	};
	char list[LIST_BYTES], shown[SHOWN_BYTES];
	struct cpulist isolated = { 0 };
	uint32_t nr;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!doctor_read(doctor, files[i], list, sizeof(list)) &&
		    !cpulist_add(NULL, list))
			cpulist_add(&isolated, list);
	nr = cpulist_count(&isolated);
	if (nr)
		doctor_say(doctor, DOCTOR_OK, 0, "cpus",
			   "%s %s isolated (isolcpus=, nohz_full=), and not sampled unless named: flamectl record -C LIST, or -C all",
			   cpulist_print(&isolated, shown, sizeof(shown)),
			   nr == 1 ? "is" : "are");
}
