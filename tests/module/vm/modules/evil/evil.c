// SPDX-License-Identifier: GPL-2.0
/*
 * Spends time in functions whose names attack programs that show them: the kernel accepts
 * any bytes as a symbol's name.
 *
 * Writing milliseconds to the parameter "ms" spins for that long in each.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>

#define SPINS		1000

/*
 * The assembler takes a name of any characters in quotes; what the compiler says
 * of a function with room at its entry, for a tracer or for padding, has it
 * without them.
 */
#define EVIL_FUNCTION static noinline notrace __used \
	__attribute__((patchable_function_entry(0, 0))) void

#define EVIL(function, name) \
	EVIL_FUNCTION function(uint ms) asm("\"" name "\""); \
	EVIL_FUNCTION function(uint ms) \
	{ \
		u64 end = ktime_get_ns() + (u64)ms * NSEC_PER_MSEC; \
		uint spin; \
		\
		preempt_disable(); \
		do { \
			for (spin = 0; spin < SPINS; spin++) \
				cpu_relax(); \
		} while (ktime_get_ns() < end); \
		preempt_enable(); \
	}

/* an escape sequence, in one byte, in UTF-8; a frame and a count of its own */
EVIL(evil_escape, "evil1\033[31m")
EVIL(evil_c1, "evil2\23331m")
EVIL(evil_c1_utf8, "evil3\302\23331m")
EVIL(evil_frame, "evil4;frame 7")
EVIL(evil_script, "evil5</script><script>pwned=1</script>")
EVIL(evil_override, "evil6\342\200\256gpj.exe")
EVIL(evil_lost, "[lost: evil7]")

static int ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	evil_escape(ms);
	evil_c1(ms);
	evil_c1_utf8(ms);
	evil_frame(ms);
	evil_script(ms);
	evil_override(ms);
	evil_lost(ms);
	return 0;
}

static const struct kernel_param_ops ms_ops = { .set = ms_set };
module_param_cb(ms, &ms_ops, NULL, 0200);

MODULE_DESCRIPTION("spends CPU time in functions with hostile names");
MODULE_LICENSE("GPL");
