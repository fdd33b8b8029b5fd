/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check point by point why sampling does not work on this machine.
 */
#ifndef FLAMECTL_DOCTOR_H
#define FLAMECTL_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum doctor_level { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

/**
 * typedef doctor_fn - called for each finding.
 * @topic: one or two words
 * @text: what was found and, unless it is fine, what to do
 */
typedef void (*doctor_fn)(void *data, enum doctor_level level,
			  const char *topic, const char *text);

struct doctor {
	const char *root;	/* prefix of every path; "" for this machine */
	doctor_fn report;
	void *data;
	char release[128];	/* of the kernel; set by doctor_run() */
	char *config;		/* its build options, or NULL; doctor_run() frees it */
	int code;		/* the exit code so far, see exit_code.h */
};

/**
 * doctor_run() - check everything and call @doctor->report for each finding.
 *
 * With a @root that is not "", the module is not asked: only its directory in
 * <root>/sys/module counts.
 *
 * Return: 0 if sampling can work, 3 if the module is absent or may not be used,
 * else 1.
 */
int doctor_run(struct doctor *doctor);

/*
 * The rest is private to the files doctor*.c.
 */

/** doctor_say() - report a finding; a failure sets the exit code to @code. */
void doctor_say(struct doctor *doctor, enum doctor_level level, int code,
		const char *topic, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * doctor_read_bytes() - read the first bytes of a file below the root.
 *
 * Return: how many bytes, at most @size, or -errno.
 */
ssize_t doctor_read_bytes(const struct doctor *doctor, const char *path,
			  void *bytes, size_t size);

/**
 * doctor_read() - read the first bytes of a file below the root, as text
 * without its final newline.
 *
 * Return: 0 or -errno.
 */
int doctor_read(const struct doctor *doctor, const char *path, char *text,
		unsigned int size);

/* The rate to advise if the clock allows it. */
#define DOCTOR_RATE	997

/**
 * doctor_rate() - return DOCTOR_RATE, or the highest rate that the clock
 * allows.
 */
uint64_t doctor_rate(const struct doctor *doctor);

/** doctor_timers() - check for high-resolution timers and a fast clock. */
void doctor_timers(struct doctor *doctor);

/** doctor_cpus() - report isolated CPUs, which are not sampled unless named. */
void doctor_cpus(struct doctor *doctor);

/** doctor_read_config() - read the kernel's build options, if they are found. */
void doctor_read_config(struct doctor *doctor);

/**
 * doctor_takes_modules() - check that this kernel can load modules at all. If
 * it cannot, that is reported, and what else is missing does not matter.
 */
bool doctor_takes_modules(struct doctor *doctor);

/**
 * doctor_config() - check the kernel's build options.
 * @loaded: the module is there, so that modules need not be loadable
 */
void doctor_config(struct doctor *doctor, bool loaded);

/** doctor_module_file() - check for a flamemod.ko that fits this kernel. */
void doctor_module_file(struct doctor *doctor);

#endif /* FLAMECTL_DOCTOR_H */
