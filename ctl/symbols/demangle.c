// SPDX-License-Identifier: GPL-2.0
/*
 * Demangle names of C++ and Rust: see demangle.h. libiberty does it, which
 * knows both of Rust's schemes; the C++ library knows neither.
 *
 * Names come from anyone's programs. A short name can expand to a text without
 * end, because it may refer to its own parts again and again. libiberty passes the
 * text to a callback piece by piece, and has no way to stop. So beyond a limit the
 * callback leaves libiberty by longjmp(). libiberty has no memory allocated then.
 */
#include "symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are left as they are; real ones have some hundred bytes. */
#define MANGLED_MAX	4096

/* The longest result; beyond it the mangled name is more use. */
#define DEMANGLED_MAX	4096

struct demangled {
	jmp_buf full;
	size_t nr;
	char text[DEMANGLED_MAX];
};

static void append(const char *piece, size_t size, void *opaque)
{
	struct demangled *demangled = opaque;

	if (size >= sizeof(demangled->text) - demangled->nr)
		longjmp(demangled->full, 1);
	if (size)	/* else there may be no piece: "_RNvC01f" */
		memcpy(demangled->text + demangled->nr, piece, size);
	demangled->nr += size;
}

/*
 * Parameters are left out, as gdb and perf do: callers know a function by its
 * name. A template's arguments stay, as they make it another function.
 */
static bool fill(struct demangled *demangled, const char *name)
{
	if (setjmp(demangled->full))
		return false;
	if (rust_demangle_callback(name, 0, append, demangled))
		return true;
	demangled->nr = 0;
	return cplus_demangle_v3_callback(name, 0, append, demangled);
}

char *demangle(const char *name)
{
	struct demangled demangled;

	demangled.nr = 0;
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
	    strnlen(name, MANGLED_MAX + 1) > MANGLED_MAX ||
	    !fill(&demangled, name) || !demangled.nr)
		return NULL;
	return strndup(demangled.text, demangled.nr);
}
