// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl symbolize: name the functions in a pprof file that have no name. The
 * output is opened when all is named, so that bad input leaves no file.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/notes.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "format/pprof/places.h"
#include "symbols/symbols.h"

enum { OPT_OUTPUT, OPT_ROOT, OPT_DEBUGINFOD, OPT_NO_DEMANGLE, OPT_ANY_FS,
	OPT_INLINES };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_ROOT] = { "root", 0, "DIR", "look for programs, libraries and debug files below DIR instead of /" },
	[OPT_DEBUGINFOD] = { "debuginfod", 0, NULL, "ask the servers of DEBUGINFOD_URLS for what is not here" },
	[OPT_NO_DEMANGLE] = { "no-demangle", 0, NULL, "leave the names of C++ and Rust as linkers see them" },
	[OPT_ANY_FS] = { "any-fs", 0, NULL, "read files on network and FUSE file systems, too; it waits for servers that do not answer" },
	[OPT_INLINES] = { "inlines", 0, NULL, "add functions that compilers inlined into others, where programs or their debug files tell" },
	{ 0 }
};

struct request {
	const char *input, *output;
	struct symbols_options symbols;
};

static int check_root(const struct command *command, const char *root)
{
	struct stat st;

	if (!stat(root, &st) && S_ISDIR(st.st_mode))
		return EXIT_DONE;
	return command_usage(command, "--root %.400s: no directory", root);
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == OPT_OUTPUT)
			request->output = arg;
		else if (position == OPT_ROOT)
			request->symbols.root = arg;
		else if (position == OPT_DEBUGINFOD)
			request->symbols.debuginfod = true;
		else if (position == OPT_ANY_FS)
			request->symbols.any_fs = true;
		else if (position == OPT_INLINES)
			request->symbols.inlines = true;
		else
			request->symbols.mangled = true;
	}
	if (argc - optind != 1)
		return command_usage(command, "symbolize needs one pprof file, - for stdin");
	request->input = argv[optind];
	if (isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "a pprof file is no text, and standard output is a terminal: name a file by -o");
	return request->symbols.root ?
	       check_root(command, request->symbols.root) : EXIT_DONE;
}

static int read_file(const char *path, struct pprof_file **file,
		     struct error *error)
{
	struct error changed;
	struct input input;
	int err = input_open(&input, path, error);

	if (err)
		return err;
	err = pprof_file_read(input.stream, input.name, file, error);
	if (!input_close(&input, &changed))
		return err;
	if (!err)
		pprof_file_destroy(*file);
	*error = changed;
	return -EBUSY;
}

static int find(void *context, const struct pprof_place *place,
		struct pprof_function *function)
{
	const struct symbols_place sought = {
		.path = place->file, .build_id = place->build_id,
		.offset = place->offset, .address = place->address,
	};
	struct symbols_name name;
	int found = symbols_find(context, &sought, &name);

	if (found <= 0)
		return found;
	function->name = name.name;
	function->system_name = name.linker_name;
	function->inlined = name.inlined;
	function->nr_inlined = name.nr_inlined;
	return found;
}

static const char remote[] =
	"it is on a network or FUSE file system, which may not answer: --any-fs reads it";

/* Why a file is not there, or cannot be used. */
static const char *why_absent(int err)
{
	if (err == -EINVAL)
		return "it is no regular file, or one of /proc or /sys";
	if (err == -EPERM)
		return "it is the file of another user than the process's";
	if (err == -EREMOTE)
		return remote;
	return strerror(-err);
}

/* Why some, or all, of a file's places have no name, or doubtful ones; "": none. */
static const char *why(const struct symbols_file *file)
{
	switch (file->state) {
	case SYMBOLS_READ:
		return file->nr_unnamed ? "it has no symbol there" : "";
	case SYMBOLS_UNPROVEN:
		return "the profile has no build-id of it, so the names are right only if the file has not changed";
	case SYMBOLS_ABSENT:
	case SYMBOLS_DENIED:
		return why_absent(file->err);
	case SYMBOLS_REMOTE:
		return remote;
	case SYMBOLS_REFUSED:
		return "it was not opened, since other files were truncated while they were read: run flamectl symbolize again";
	case SYMBOLS_CHANGED:
		return "the profile has no build-id of it, and it was written after the profile";
	case SYMBOLS_DIFFERENT:
		return "its build-id differs: it is another build than was sampled";
	case SYMBOLS_UNPLACED:
		return "only its debug file was found; it has no symbols, or does not say where the functions are in the program";
	case SYMBOLS_STRANGE:
		return "it is no ELF file, or damaged";
	case SYMBOLS_UNSUPPORTED:
		return "a static flamectl cannot read symbols: use one that is linked with elfutils";
	}
	return "";
}

/* Say of how many places the name was found, and why not of all. */
static void report(const struct symbols *symbols,
		   const struct pprof_naming *naming, bool inlines,
		   struct notes *notes)
{
	struct symbols_file file;
	size_t position = 0;

	notes_add(notes, "%" PRIu64 " of %" PRIu64 " locations had no name, %"
		  PRIu64 " of them have one now", naming->nr_unnamed,
		  naming->nr_locations, naming->nr_named);
	if (naming->nr_unplaced)
		notes_add(notes, "%" PRIu64 " are in no file that the profile names",
			  naming->nr_unplaced);
	if (inlines && naming->nr_asked)
		notes_add(notes, "%" PRIu64 " of %" PRIu64 " locations got inlined functions%s",
			  naming->nr_inlined, naming->nr_asked,
			  naming->nr_inlined ? "" :
			  ": they are known by DWARF, which is in programs compiled with -g and in debug files");
	while (symbols_next(symbols, &position, &file))
		if (*why(&file))
			notes_add(notes, "%" PRIu64 " of %" PRIu64 " in %.200s have no name: %s",
				  file.nr_unnamed,
				  file.nr_named + file.nr_unnamed, file.path,
				  why(&file));
}

static int write_file(const void *file, FILE *out, struct error *error)
{
	return pprof_file_write(file, out, error);
}

static int name_and_save(const struct request *request, struct pprof_file *file)
{
	struct symbols_options asked = request->symbols;
	struct symbols *symbols;
	struct notes notes = { .file = request->input };
	struct error error = { "memory is short" };
	struct pprof_naming naming;
	int err = -ENOMEM, code;

	asked.not_after = pprof_file_end(file);
	symbols = symbols_create(&asked);
	if (symbols)
		err = pprof_file_name(file, asked.inlines, find, symbols, &naming,
				      &error);
	if (err) {
		code = command_fail(EXIT_FAILED, "cannot symbolize: %s",
				    error.text);
	} else {
		report(symbols, &naming, asked.inlines, &notes);
		command_notes(&notes);
		code = save_private(request->output, write_file, file);
	}
	symbols_destroy(symbols);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .input = NULL };
	int code = parse(command, argc, argv, &request);
	struct pprof_file *file;
	struct error error;

	code = code ?: ending_check(request.output, ENDING_PROFILE);
	if (code != EXIT_DONE)
		return code;
	if (read_file(request.input, &file, &error))
		return command_fail(EXIT_FAILED, "cannot symbolize: %s",
				    error.text);
	if (request.symbols.inlines && !pprof_file_has_places(file))
		code = command_fail(EXIT_FAILED, "cannot symbolize: %.400s: it has the functions of programs, not the places in them, by which --inlines looks: flamectl record --inlines keeps these",
				    request.input);
	else
		code = name_and_save(&request, file);
	pprof_file_destroy(file);
	return code;
}

const struct command cmd_symbolize = {
	.name = "symbolize",
	.args = "FILE",
	.summary = "name the functions of a pprof file that have no name",
	.details =
"FILE is a pprof file of any program. Its locations that have an address in a\n"
"program or library, but no name, get the name of the function there: from the\n"
"file's symbols, or from its debug file below /usr/lib/debug, which is enough if the\n"
"program is not here. A file is used only if its build-id is the one in the profile;\n"
"without one, if it was not written after the profile. Addresses in the code of a JIT\n"
"compiler are looked up in /tmp/perf-PID.map. With --inlines, locations also get the\n"
"functions that were inlined there. Everything else in FILE is unchanged. Locations\n"
"without a symbol stay unnamed, so that another machine can name them later. The output\n"
"may be FILE itself. Only you may read the output.\n"
"\n"
"How many were named is reported, and what was wrong with the others' files.\n"
"\n"
"  flamectl symbolize cpu.pb.gz -o named.pb.gz\n"
"  flamectl symbolize --root /srv/image cpu.pb.gz | flamectl svg - > cpu.svg",
	.options = options,
	.run = run,
};
