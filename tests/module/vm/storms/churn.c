// SPDX-License-Identifier: GPL-2.0
/*
 * Loads and unloads two modules alternately.
 *
 *   churn TIMES LEFT.ko RIGHT.ko [PARAMETER=VALUE...]
 *
 * Meanwhile its comm is the name of the current module, "left" or "right", so each sample
 * shows to which it belongs. Prints how often a module's text was where the other's had
 * just been.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what, const char *name)
{
	fprintf(stderr, "churn: cannot %s %s: %s\n", what, name,
		strerror(errno));
	exit(1);
}

/* Return the address of the module's text; needs root, never printed. */
static unsigned long long text_address(const char *name)
{
	unsigned long long address = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/sections/.text", name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%llx", &address) != 1 || !address)
		die("read", path);
	fclose(file);
	return address;
}

int main(int argc, char **argv)
{
	static const char * const names[] = { "left", "right" };
	unsigned long long address, previous = 0;
	char parameters[256] = "";
	int fds[2], times, same = 0, i;

	if (argc < 4) {
		fprintf(stderr, "usage: churn TIMES LEFT.ko RIGHT.ko [PARAMETER=VALUE...]\n");
		return 2;
	}
	times = atoi(argv[1]);
	for (i = 4; i < argc; i++) {
		strncat(parameters, argv[i], sizeof(parameters) - strlen(parameters) - 2);
		strcat(parameters, " ");
	}
	for (i = 0; i < 2; i++) {
		fds[i] = open(argv[2 + i], O_RDONLY);
		if (fds[i] < 0)
			die("open", argv[2 + i]);
	}
	for (i = 0; i < times; i++) {
		const char *name = names[i % 2];

		prctl(PR_SET_NAME, name);
		if (syscall(SYS_finit_module, fds[i % 2], parameters, 0))
			die("load", name);
		address = text_address(name);
		same += address == previous;
		previous = address;
		if (syscall(SYS_delete_module, name, O_NONBLOCK))
			die("unload", name);
	}
	printf("%d\n", same);
	return 0;
}
