// SPDX-License-Identifier: GPL-2.0
/*
 * Exit codes: see exit_code.h.
 */
#include "cmd/exit_code.h"

#include <errno.h>

int exit_code_of(int err)
{
	return err == -ENODEV || err == -EPROTONOSUPPORT || err == -EPERM ||
	       err == -EACCES ? EXIT_NO_MODULE : EXIT_FAILED;
}
