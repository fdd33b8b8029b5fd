// SPDX-License-Identifier: GPL-2.0
/*
 * Check which rates the timers and their clock allow, and what limits them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cmd/doctor.h"

/*
 * Read the resolution from the kernel's timer list (root only), else use
 * clock_getres().
 */
static uint64_t timer_resolution(const struct doctor *doctor)
{
	static const char key[] = ".resolution:";
	char *text = malloc(16384);
	struct timespec resolution;
	uint64_t ns = 0;
	const char *at;

	if (text && !doctor_read(doctor, "/proc/timer_list", text, 16384)) {
		at = strstr(text, key);
		if (!at || sscanf(at + sizeof(key) - 1, "%" SCNu64, &ns) != 1)
			ns = 0;
	}
	free(text);
	if (!ns && !*doctor->root && !clock_getres(CLOCK_MONOTONIC, &resolution))
		ns = (uint64_t)resolution.tv_nsec;
	return ns;
}

uint64_t doctor_rate(const struct doctor *doctor)
{
	uint64_t ns = timer_resolution(doctor);

	return ns && NSEC_PER_SEC / ns < DOCTOR_RATE ? NSEC_PER_SEC / ns :
						       DOCTOR_RATE;
}

/* Report whether it is a word of the kernel's command line. */
static bool booted_with(const char *line, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = line; (at = strstr(at, word)); at += length)
		if ((at == line || at[-1] == ' ') &&
		    (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Return: what to change. Only the local APIC's timer can fire at any time. */
static const char *cure_of_low_resolution(const struct doctor *doctor)
{
	char line[4096];

	if (doctor_read(doctor, "/proc/cmdline", line, sizeof(line)))
		*line = '\0';
	if (booted_with(line, "highres=off") || booted_with(line, "highres=0"))
		return "boot without highres=off";
	if (booted_with(line, "nolapic_timer") || booted_with(line, "noapictimer"))
		return "boot without nolapic_timer, which leaves no timer that can fire at any time";
	if (booted_with(line, "nolapic"))
		return "boot without nolapic, which leaves no timer that can fire at any time";
	return "boot on a clocksource that allows high resolution, such as tsc, and with a timer that can fire at any time";
}

static void check_resolution(struct doctor *doctor)
{
	uint64_t ns = timer_resolution(doctor);

	if (!ns)
		doctor_say(doctor, DOCTOR_WARN, 0, "timers",
			   "cannot read their resolution; flamectl status shows it after the module is loaded");
	else if (ns > 1)
		doctor_say(doctor, DOCTOR_WARN, 0, "timers",
			   "of low resolution, %" PRIu64 " ns: at most %" PRIu64
			   " Hz; %s", ns, NSEC_PER_SEC / ns,
			   cure_of_low_resolution(doctor));
	else
		doctor_say(doctor, DOCTOR_OK, 0, "timers", "of high resolution");
}

void doctor_timers(struct doctor *doctor)
{
	char source[64];

	check_resolution(doctor);
	if (doctor_read(doctor,
			"/sys/devices/system/clocksource/clocksource0/current_clocksource",
			source, sizeof(source)))
		return;
	if (!strcmp(source, "hpet") || !strcmp(source, "acpi_pm") ||
	    !strcmp(source, "jiffies") || !strcmp(source, "refined-jiffies"))
		doctor_say(doctor, DOCTOR_WARN, 0, "clock",
			   "%s, which is slow to read: each sample costs more; boot with tsc=reliable if the TSC is sound",
			   source);
	else
		doctor_say(doctor, DOCTOR_OK, 0, "clock", "%s", source);
}
