// SPDX-License-Identifier: GPL-2.0
/*
 * Shared by all checks of the doctor: read files and report findings.
 */
#include "cmd/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/exit_code.h"

void doctor_say(struct doctor *doctor, enum doctor_level level, int code,
		const char *topic, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	doctor->report(doctor->data, level, topic, text);
	/* an absent module takes precedence over other failures */
	if (level == DOCTOR_FAIL && doctor->code != EXIT_NO_MODULE)
		doctor->code = code;
}

ssize_t doctor_read_bytes(const struct doctor *doctor, const char *path,
			  void *bytes, size_t size)
{
	char full[4096];
	size_t used = 0;
	ssize_t got;
	int fd;

	snprintf(full, sizeof(full), "%s%s", doctor->root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while ((got = read(fd, (char *)bytes + used, size - used)) > 0)
		used += (size_t)got;
	if (got < 0)
		got = -errno;
	close(fd);
	return got < 0 ? got : (ssize_t)used;
}

int doctor_read(const struct doctor *doctor, const char *path, char *text,
		unsigned int size)
{
	ssize_t got = doctor_read_bytes(doctor, path, text, size - 1);

	if (got < 0)
		return (int)got;
	if (got && text[got - 1] == '\n')
		got--;
	text[got] = '\0';
	return 0;
}
