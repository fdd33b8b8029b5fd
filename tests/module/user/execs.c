// SPDX-License-Identifier: GPL-2.0
/*
 * A program, compiled twice: as execs a and as execs b, alike in size and layout. Each
 * spins below some calls, and executes the other one.
 *
 *   execs SPINS ROUNDS OTHER
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PASTE(a, b, c)		a##b##c
#define PASTE2(a, b, c)		PASTE(a, b, c)
#define EXEC_NAME(what)		PASTE2(exec_, WHO, what)
#define APART			__attribute__((noinline, noclone))
#define STAY()			__asm__ volatile("" ::: "memory")

static APART void EXEC_NAME(_spin)(unsigned int spins)
{
	for (volatile unsigned int i = 0; i < spins; i = i + 1)
		;
}

static APART void EXEC_NAME(_deep)(unsigned int depth, unsigned int spins)
{
	if (depth)
		EXEC_NAME(_deep)(depth - 1, spins);
	else
		EXEC_NAME(_spin)(spins);
	STAY();
}

int main(int argc, char **argv)
{
	char rounds[16];

	if (argc != 4)
		return 1;
	EXEC_NAME(_deep)(5, atoi(argv[1]));
	if (atoi(argv[2]) == 0)
		return 0;
	snprintf(rounds, sizeof(rounds), "%d", atoi(argv[2]) - 1);
	execl(argv[3], argv[3], argv[1], rounds, argv[0], NULL);
	return 1;
}
