// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin, compiled twice: as plug a and as plug b, alike in size and layout. PLUG_NAME()
 * gives its functions their names.
 */
#define PASTE(a, b, c)		a##b##c
#define PASTE2(a, b, c)		PASTE(a, b, c)
#define PLUG_NAME(what)		PASTE2(plug_, PLUG, what)
#define APART			__attribute__((noinline, noclone))
#define STAY()			__asm__ volatile("" ::: "memory")

void PLUG_NAME(_work)(unsigned int spins, void (*back)(unsigned int));

static APART void PLUG_NAME(_spin)(unsigned int spins)
{
	for (volatile unsigned int i = 0; i < spins; i = i + 1)
		;
}

void PLUG_NAME(_work)(unsigned int spins, void (*back)(unsigned int))
{
	PLUG_NAME(_spin)(spins);
	back(spins);
	STAY();
}
