// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions of the kernel: see call.h.
 */
#include <linux/errno.h>

#include "call.h"
#include "reason.h"
#include "source.h"

static bool fm_call_reads_arguments(const struct fm_source_request *request)
{
	return request->weight.size || request->conditions.nr;
}

/**
 * fm_call_check() - check what is asked of calls of a function.
 * @request: of func or latency
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int fm_call_check(const struct fm_source_request *request, struct netlink_ext_ack *extack)
{
	if (!*request->function) {
		fm_reason(extack, "%s: function: missing", request->name);
		return -EINVAL;
	}
	if (!IS_ENABLED(CONFIG_KPROBES)) {
		fm_reason(extack, "%s: this kernel has no kprobes (CONFIG_KPROBES)",
			  request->name);
		return -EOPNOTSUPP;
	}
	if (fm_call_reads_arguments(request) && !FM_OPERAND_HAS_ARGUMENTS) {
		fm_reason(extack, "%s: where arguments are is only known on x86-64 and arm64",
			  request->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static const char *fm_call_why(int err)
{
	switch (err) {
	case -ENOENT:
		return "the kernel has no such function, or inlined it everywhere";
	case -EINVAL:
	case -EPERM:
	case -EILSEQ:
		return "the kernel forbids probes there, or it is no function";
	case -EBUSY:
		return "a live patch or another tracer has it";
	case -EOPNOTSUPP:
		return "this kernel cannot report its calls";
	case -ENOMEM:
		return "no memory";
	}
	return NULL;
}

/**
 * fm_call_refuse() - say why the kernel refused a probe.
 * @request: of func or latency
 * @err: what it returned
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: @err, or -EINVAL for a function that is not there.
 */
int fm_call_refuse(const struct fm_source_request *request, int err,
		   struct netlink_ext_ack *extack)
{
	const char *why = fm_call_why(err);

	if (why)
		fm_reason(extack, "%s: cannot attach to %s(): %s", request->name,
			  request->function, why);
	else
		fm_reason(extack, "%s: cannot attach to %s(): error %d", request->name,
			  request->function, -err);
	/* Netlink says that of a family that is not there. */
	return err == -ENOENT ? -EINVAL : err;
}
