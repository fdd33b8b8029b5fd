// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose stacks are known: it spins in one function after another, each
 * below callers of another kind. It is compiled without frame pointers.
 *
 *   stacks ROUNDS
 *
 * First it prints a line for each of its functions: its name, and where it starts in
 * the program's file. The scenario turns the offsets in stacks into names by these.
 */
#include <alloca.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPINS		3000000
#define CALLS		20000
#define DEPTH		40
#define FRAME_BYTES	5000
#define APART		__attribute__((noinline, noclone))

static volatile unsigned int counter;

/* After a call: so that it is one, and not a jump. */
#define STAY()	__asm__ volatile("" ::: "memory")

static inline __attribute__((always_inline)) void spin(void)
{
	for (unsigned int i = 0; i < SPINS; i++)
		counter++;
}

static APART void spin_sort(void) { spin(); }
static APART void spin_deep(void) { spin(); }
static APART void spin_alloca(void) { spin(); }
static APART void spin_aligned(void) { spin(); }
static APART void spin_large(void) { spin(); }
static APART void spin_signal(void) { spin(); }

static APART int compare(const void *a, const void *b)
{
	spin_sort();
	STAY();
	return *(const int *)a - *(const int *)b;
}

static APART void sort(void)
{
	int numbers[] = { 2, 1 };

	qsort(numbers, 2, sizeof(numbers[0]), compare);
	STAY();
}

static APART void descend(unsigned int depth)
{
	if (depth)
		descend(depth - 1);
	else
		spin_deep();
	STAY();
}

static APART void with_alloca(size_t bytes)
{
	volatile char *room = alloca(bytes);

	room[bytes - 1] = 1;
	spin_alloca();
	STAY();
	counter += room[0];
}

static APART void aligned(void)
{
	volatile char room[128] __attribute__((aligned(64)));

	room[0] = 1;
	spin_aligned();
	STAY();
	counter += room[0];
}

static APART void large(void)
{
	volatile char room[FRAME_BYTES];

	room[0] = 1;
	spin_large();
	STAY();
	counter += room[0];
}

static APART void handler(int number)
{
	(void)number;
	spin_signal();
	STAY();
}

/* The handler runs before kill() returns. */
static APART void interrupted(void)
{
	kill(getpid(), SIGUSR1);
	STAY();
}

static APART void calls_kernel(void)
{
	for (unsigned int i = 0; i < CALLS; i++)
		getppid();
	STAY();
}

extern char _start[];
int main(int argc, char **argv);

static const struct {
	const char *name;
	const void *start;
} functions[] = {
	{ "_start", _start }, { "main", main }, { "sort", sort },
	{ "compare", compare }, { "descend", descend },
	{ "with_alloca", with_alloca }, { "aligned", aligned }, { "large", large },
	{ "handler", handler }, { "interrupted", interrupted },
	{ "calls_kernel", calls_kernel }, { "spin_sort", spin_sort },
	{ "spin_deep", spin_deep }, { "spin_alloca", spin_alloca },
	{ "spin_aligned", spin_aligned }, { "spin_large", spin_large },
	{ "spin_signal", spin_signal },
};

/* Print where the functions are in the file; the first object is the program. */
static int print_functions(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		uintptr_t at = (uintptr_t)functions[i].start - info->dlpi_addr;

		for (int j = 0; j < info->dlpi_phnum; j++) {
			const ElfW(Phdr) *header = &info->dlpi_phdr[j];

			if (header->p_type == PT_LOAD && at >= header->p_vaddr &&
			    at - header->p_vaddr < header->p_memsz)
				printf("%s 0x%zx\n", functions[i].name,
				       (size_t)(at - header->p_vaddr + header->p_offset));
		}
	}
	fflush(stdout);
	return 1;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler };
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	dl_iterate_phdr(print_functions, NULL);
	sigaction(SIGUSR1, &action, NULL);
	while (rounds--) {
		sort();
		descend(DEPTH);
		with_alloca(100 + (size_t)rounds % 2);
		aligned();
		large();
		interrupted();
		calls_kernel();
	}
	return 0;
}
