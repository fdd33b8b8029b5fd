/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions in programs and libraries: of places in files, and in the
 * code that a JIT compiler made.
 *
 * A name is looked up in the file's own symbols (.symtab, .dynsym and
 * .gnu_debugdata) and in its separate debug file. Files are found by their path
 * and compared by their build-id, which the linker computes from a program's
 * content: the file of another build has the same functions at other places. If the
 * program is not here, its debug file alone is enough, unless it leaves open where in the
 * program its text was.
 *
 * A process in a container sees another file at the path, or one that is not here at
 * all. If the right file is not here, it is looked for below the roots of its users.
 * Without a build-id the file here is right for processes that see it, and for those
 * that are gone.
 */
#ifndef FLAMECTL_SYMBOLS_SYMBOLS_H
#define FLAMECTL_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols_options {
	const char *root;	/* files are looked for below it; NULL: / */
	bool any_fs;		/* read files of network file systems and FUSE, too */
	/*
	 * The time in seconds at which the profile ended; 0: not known. A file without a
	 * build-id that was written later is not the one that was sampled, unless it is
	 * in a root, where it may have been copied to.
	 */
	int64_t not_after;
	bool debuginfod;	/* ask the servers of DEBUGINFOD_URLS, too */
	bool mangled;		/* keep C++ and Rust names as linkers see them */
	bool inlines;		/* look for inlined functions, too; that needs DWARF */
};

/* As long as a name of a profile may be. */
#define SYMBOLS_NAME_MAX	4095

/* The processes that use a file. */
struct symbols_users {
	/* Return: process ids, with *nr set to how many; the best to ask is first. */
	const uint32_t *(*list)(void *context, size_t *nr);
	void *context;
};

/* What is sought. */
struct symbols_place {
	const char *path;	/* of the file, or "[vdso]" */
	const char *build_id;	/* hexadecimal; "": not known */
	uint64_t offset;	/* in the file */
	uint64_t address;	/* in the process; used for a JIT's map only */
	/* Of the file, whose path is then the module's; NULL: not known. */
	const struct symbols_users *users;
};

/* More files than any profile names. Places in the others have no name. */
#define SYMBOLS_FILES_MAX	16384

/* The use that a file was. */
enum symbols_state {
	SYMBOLS_READ,		/* it has been read */
	SYMBOLS_UNPROVEN,	/* the same, but without a build-id to compare */
	SYMBOLS_ABSENT,		/* there is no such file, or none that may be read */
	SYMBOLS_DIFFERENT,	/* it has another build-id, or none */
	SYMBOLS_STRANGE,	/* it is no ELF file, or damaged */
	SYMBOLS_CHANGED,	/* it has no build-id, and was written after ->not_after */
	SYMBOLS_UNPLACED,	/* only its debug file is here; where its text was is not known */
	SYMBOLS_REMOTE,		/* it is on a file system that may not answer */
	SYMBOLS_DENIED,		/* none of these here, and a process may see another */
	SYMBOLS_REFUSED,	/* it was not opened: too many others were truncated meanwhile */
	SYMBOLS_UNSUPPORTED,	/* this flamectl cannot read ELF files */
};

#define SYMBOLS_STATES	(SYMBOLS_UNSUPPORTED + 1)

/* What is found. */
struct symbols_name {
	const char *name;
	const char *linker_name;	/* the same, unless it was demangled */
	/*
	 * With ->inlines: the functions that are inlined there. The first is inlined
	 * into the function above, each other one into the one before.
	 */
	const char *const *inlined;
	size_t nr_inlined;
	enum symbols_state state;	/* of the file, if no name is known, too */
};

/* One file, and what became of the places in it. */
struct symbols_file {
	const char *path;
	enum symbols_state state;
	int err;		/* why it is absent: -errno */
	uint64_t nr_named, nr_unnamed;
};

struct symbols;

/**
 * symbols_create() - start with no files read.
 * @options: copied; the text of ->root must outlive the result.
 *
 * Without ->debuginfod, it removes DEBUGINFOD_URLS from this process's
 * environment, as elfutils obeys that wherever it is set.
 *
 * Return: the symbols, to be freed by symbols_destroy(), or NULL when memory is
 * short.
 */
struct symbols *symbols_create(const struct symbols_options *options);

/** symbols_destroy() - free @symbols and close its files; NULL is fine. */
void symbols_destroy(struct symbols *symbols);

/**
 * symbols_find() - find the function that contains a place.
 * @name: set to its name, which is valid until the next call.
 *
 * Return: 1 if it has a name, 0 if none is known, or -ENOMEM.
 */
int symbols_find(struct symbols *symbols, const struct symbols_place *place,
		 struct symbols_name *name);

/**
 * symbols_next() - go through the files, in the order in which they were sought.
 * @position: 0 at first.
 *
 * Return: true with @file set, false after the last.
 */
bool symbols_next(const struct symbols *symbols, size_t *position,
		  struct symbols_file *file);

#endif /* FLAMECTL_SYMBOLS_SYMBOLS_H */
