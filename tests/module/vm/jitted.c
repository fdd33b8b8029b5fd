// SPDX-License-Identifier: GPL-2.0
/*
 * jitted MODE SECONDS: run functions that are made at run time for so much CPU time, as
 * JIT compilers do, with frame pointers. main() calls NAME_outer, and that NAME_inner,
 * which spins. NAME is the program's. They are at 0x7e0012345000.
 *
 *   map     write them to /tmp/perf-PID.map first
 *   late    write them when all is done
 *   none    do not write them
 *   link    write them elsewhere; the map is a link to that
 *   theirs  write them, and give the map to another user
 *   wait    as map, and then wait for the end of standard input
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char outer_code[] = {
	0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3,
};

/* push %rbp; mov %rsp,%rbp; mov %rsi,%rcx; 1: dec %rcx; jnz 1b; pop %rbp; ret */
static const unsigned char inner_code[] = {
	0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf1, 0x48, 0xff, 0xc9, 0x75, 0xfb, 0x5d, 0xc3,
};
#else
/* stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret */
static const unsigned char outer_code[] = {
	0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x3f, 0xd6,
	0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6,
};

/*
 * stp x29, x30, [sp, #-16]!; mov x29, sp; 1: subs x1, x1, #1; b.ne 1b;
 * ldp x29, x30, [sp], #16; ret
 */
static const unsigned char inner_code[] = {
	0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x21, 0x04, 0x00, 0xf1,
	0xe1, 0xff, 0xff, 0x54, 0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6,
};
#endif

#define WHERE	0x7e0012345000	/* the same in all processes */
#define INNER	0x100		/* after outer */
#define ROUNDS	1000000

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void write_map(const char *path, const char *name, const unsigned char *code)
{
	FILE *out = fopen(path, "w");

	if (!out)
		fail(path);
	fprintf(out, "%lx %zx %s_outer\n", (unsigned long)code, sizeof(outer_code), name);
	fprintf(out, "%lx %zx %s_inner\n", (unsigned long)code + INNER, sizeof(inner_code),
		name);
	if (fclose(out))
		fail(path);
}

static unsigned char *make_code(void)
{
	unsigned char *code = mmap((void *)WHERE, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (code == MAP_FAILED)
		fail("mmap");
	memcpy(code, outer_code, sizeof(outer_code));
	memcpy(code + INNER, inner_code, sizeof(inner_code));
	__builtin___clear_cache((char *)code, (char *)code + INNER + sizeof(inner_code));
	return code;
}

static void write_as(const char *mode, const char *path, const char *name,
		     const unsigned char *code)
{
	char elsewhere[80];

	snprintf(elsewhere, sizeof(elsewhere), "%s.elsewhere", path);
	unlink(path);
	if (!strcmp(mode, "link")) {
		write_map(elsewhere, name, code);
		if (symlink(elsewhere, path))
			fail(path);
		return;
	}
	write_map(path, name, code);
	if (!strcmp(mode, "theirs") && chown(path, 65534, 65534))
		fail(path);
}

int main(int argc, char **argv)
{
	void (*outer)(const void *inner, unsigned long rounds);
	const char *mode = argc > 2 ? argv[1] : "";
	const char *name = strrchr(argv[0], '/');
	unsigned char *code = make_code();
	char path[64];

	name = name ? name + 1 : argv[0];
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	if (strcmp(mode, "late") && strcmp(mode, "none"))
		write_as(mode, path, name, code);
	memcpy(&outer, &code, sizeof(outer));
	while (argc > 2 && clock() < atof(argv[2]) * CLOCKS_PER_SEC)
		outer(code + INNER, ROUNDS);
	if (!strcmp(mode, "late"))
		write_as(mode, path, name, code);
	if (!strcmp(mode, "wait")) {
		puts("waits");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	return 0;
}
