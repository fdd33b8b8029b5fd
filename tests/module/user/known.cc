// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose stacks are known: it spins below callers of every kind. All of its own
 * functions start with k_, so known.py can tell them from those of libraries, and has
 * the stacks that the source has.
 *
 *   known ROUNDS
 */
#include <alloca.h>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#define SPINS		60000
#define CALLS		3000
#define DEPTH		20
#define THROWS		5
#define FRAME_BYTES	5000
#define ALT_BYTES	65536
#define APART		extern "C" __attribute__((noinline, noclone, used))

/* After a call: so that it is one, and not a jump. */
#define STAY()		__asm__ volatile("" ::: "memory")

#define SPIN(name)							\
	APART void name()						\
	{								\
		for (volatile unsigned int i = 0; i < SPINS; i = i + 1)	\
			;						\
	}

SPIN(k_spin_sort)
SPIN(k_spin_deep)
SPIN(k_spin_mutual)
SPIN(k_spin_alloca)
SPIN(k_spin_aligned)
SPIN(k_spin_large)
SPIN(k_spin_signal)
SPIN(k_spin_nested)
SPIN(k_spin_alt)
SPIN(k_spin_fault)
SPIN(k_spin_jump)
SPIN(k_spin_escape)
SPIN(k_spin_cleanup)
SPIN(k_spin_catch)
SPIN(k_spin_thread)
SPIN(k_spin_tail)

static jmp_buf k_place;
static sigjmp_buf k_signal_place;
static volatile uint64_t k_sink;
static volatile bool k_is_true = true;

APART int k_compare(const void *a, const void *b)
{
	k_spin_sort();
	STAY();
	return *(const int *)a - *(const int *)b;
}

APART void k_sort()
{
	int numbers[] = { 2, 1 };

	qsort(numbers, 2, sizeof(numbers[0]), k_compare);
	STAY();
}

APART void k_descend(unsigned int depth)
{
	if (depth)
		k_descend(depth - 1);
	else
		k_spin_deep();
	STAY();
}

APART void k_odd(unsigned int depth);

APART void k_even(unsigned int depth)
{
	volatile char room[40];

	room[0] = 0;
	k_odd(depth - 1);
	k_sink = k_sink + room[0];
}

APART void k_odd(unsigned int depth)
{
	if (depth > 1)
		k_even(depth - 1);
	else
		k_spin_mutual();
	STAY();
}

APART void k_alloca(size_t bytes)
{
	volatile char *room = (volatile char *)alloca(bytes);

	room[bytes - 1] = 1;
	k_spin_alloca();
	STAY();
	k_sink = k_sink + room[0];
}

APART void k_aligned()
{
	volatile char room[128] __attribute__((aligned(64)));

	room[0] = 1;
	k_spin_aligned();
	STAY();
	k_sink = k_sink + room[0];
}

APART void k_large()
{
	volatile char room[FRAME_BYTES];

	room[0] = 1;
	k_spin_large();
	STAY();
	k_sink = k_sink + room[0];
}

APART void k_nested_handler(int)
{
	k_spin_nested();
	STAY();
}

APART void k_handler(int)
{
	k_spin_signal();
	raise(SIGUSR2);
	STAY();
}

APART void k_interrupted()
{
	raise(SIGUSR1);
	STAY();
}

APART void k_alt_handler(int)
{
	k_spin_alt();
	STAY();
}

APART void k_to_alt()
{
	raise(SIGHUP);
	STAY();
}

/* The signal interrupts the first instruction of k_faults(), which this one precedes. */
APART __attribute__((naked)) void k_before_faults()
{
	__asm__("ret");
}

APART __attribute__((naked)) void k_faults()
{
	__asm__("ud2\n\tret");
}

APART void k_fault_handler(int, siginfo_t *, void *context)
{
	k_spin_fault();
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

APART void k_calls_faults()
{
	k_before_faults();
	k_faults();
	STAY();
}

APART void k_jump_down(unsigned int depth)
{
	if (depth)
		k_jump_down(depth - 1);
	else if (k_is_true)
		longjmp(k_place, 1);
	STAY();
}

APART void k_jumps()
{
	if (!setjmp(k_place))
		k_jump_down(DEPTH);
	k_spin_jump();
	STAY();
}

APART void k_escaping_handler(int)
{
	siglongjmp(k_signal_place, 1);
}

APART void k_escapes()
{
	if (!sigsetjmp(k_signal_place, 1))
		raise(SIGTERM);
	k_spin_escape();
	STAY();
}

struct k_held {
	~k_held() { k_spin_cleanup(); }
};

APART void k_throws(unsigned int depth)
{
	k_held each;

	if (!depth)
		throw 1;
	k_throws(depth - 1);
	STAY();
}

APART void k_catches()
{
	try {
		k_throws(THROWS - 1);
	} catch (int) {
		k_spin_catch();
	}
	STAY();
}

APART void k_thread_work()
{
	k_spin_thread();
	STAY();
}

APART void *k_thread(void *)
{
	k_thread_work();
	STAY();
	return nullptr;
}

APART void k_threads()
{
	pthread_t threads[2];

	for (pthread_t &thread : threads)
		if (pthread_create(&thread, nullptr, k_thread, nullptr))
			exit(1);
	for (pthread_t &thread : threads)
		pthread_join(thread, nullptr);
	STAY();
}

APART void k_clock()
{
	struct timespec now;

	for (unsigned int i = 0; i < CALLS; i++) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		k_sink = k_sink + now.tv_nsec;
	}
}

APART void k_tail_target(unsigned int more)
{
	k_spin_tail();
	k_sink = k_sink + more;
}

/* A jump, so it is on no stack. */
APART void k_tail_caller(unsigned int more)
{
	k_tail_target(more + 1);
}

APART void k_tails()
{
	k_tail_caller(1);
	STAY();
}

APART void k_calls_kernel()
{
	struct rusage usage;

	for (unsigned int i = 0; i < CALLS; i++)
		getrusage(RUSAGE_SELF, &usage);
	STAY();
}

static void on(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {};

	action.sa_handler = handler;
	action.sa_flags = flags;
	if (sigaction(number, &action, nullptr))
		exit(1);
}

int main(int argc, char **argv)
{
	static char alt[ALT_BYTES];
	struct sigaction fault = {};
	stack_t stack = {};
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	stack.ss_sp = alt;
	stack.ss_size = sizeof(alt);
	fault.sa_sigaction = k_fault_handler;
	fault.sa_flags = SA_SIGINFO;
	if (sigaltstack(&stack, nullptr) || sigaction(SIGILL, &fault, nullptr))
		return 1;
	on(SIGUSR1, k_handler, 0);
	on(SIGUSR2, k_nested_handler, 0);
	on(SIGHUP, k_alt_handler, SA_ONSTACK);
	on(SIGTERM, k_escaping_handler, 0);
	while (rounds--) {
		k_sort();
		k_descend(DEPTH - 1);
		k_even(DEPTH);
		k_alloca(100 + (size_t)rounds % 2);
		k_aligned();
		k_large();
		k_interrupted();
		k_to_alt();
		k_calls_faults();
		k_jumps();
		k_escapes();
		k_catches();
		k_threads();
		k_clock();
		k_tails();
		k_calls_kernel();
	}
	return 0;
}
