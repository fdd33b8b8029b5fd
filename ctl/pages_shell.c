// SPDX-License-Identifier: GPL-2.0
/*
 * Completions for shells from the tables of commands. An argument that is
 * called FILE is completed as one; what others may be only their user knows.
 */
#include <stdbool.h>
#include <string.h>

#include "pages.h"

static const struct command_option help_option = {
	.name = "help", .help = "print help",
};

static bool takes_file(const struct command_option *option)
{
	return option->arg && !strcmp(option->arg, "FILE");
}

/* What an operand of a command is. */
enum operand { OPERAND_OTHER, OPERAND_FILE, OPERAND_PROGRAM };

static enum operand operand_of(const struct command *command)
{
	if (!command->args)
		return OPERAND_OTHER;
	if (strstr(command->args, "--"))
		return OPERAND_PROGRAM;
	return strstr(command->args, "FILE") ? OPERAND_FILE : OPERAND_OTHER;
}

/* In single quotes, as every shell here reads them; @special get a backslash. */
static void put_quoted(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", out);
			continue;
		}
		if (strchr(special, *text))
			putc('\\', out);
		putc(*text, out);
	}
}

/* ---- bash ---- */

/* Patterns of the options whose argument is completed as a file, or not at all. */
static void put_bash_arguments(const struct command *command, bool files,
			       const char *action, FILE *out)
{
	const struct command_option *option;
	const char *before = "\t\t";
	bool any = false;

	for (int i = 0; (option = command_option(command, i)); i++) {
		if (!option->arg || takes_file(option) != files)
			continue;
		fprintf(out, "%s--%s", before, option->name);
		if (option->letter)
			fprintf(out, "|-%c", option->letter);
		before = "|";
		any = true;
	}
	if (any)
		fprintf(out, ") %s; return ;;\n", action);
}

static void put_bash_command(const struct command *command, FILE *out)
{
	static const char *const actions[] = {
		[OPERAND_OTHER] = "return", [OPERAND_FILE] = "_flamectl_files",
		[OPERAND_PROGRAM] = "mapfile -t COMPREPLY < <(compgen -c -- \"$word\")",
	};
	const struct command_option *option;

	fprintf(out, "\t%s)\n\t\tcase $last in\n", command->name);
	put_bash_arguments(command, true, "_flamectl_files", out);
	put_bash_arguments(command, false, ":", out);
	fputs("\t\tesac\n\t\t_flamectl_options '", out);
	for (int i = 0; (option = command_option(command, i)); i++)
		fprintf(out, "--%s ", option->name);
	fprintf(out, "--help' || %s ;;\n", actions[operand_of(command)]);
}

void pages_bash(const struct command *const *all, FILE *out)
{
	fputs("# bash completion of flamectl, made from its tables\n\n"
	      "_flamectl_files()\n{\n"
	      "\tcompopt -o filenames\n"
	      "\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n}\n\n"
	      "_flamectl_options()\n{\n"
	      "\t[[ $word = -* ]] || return\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\")\n}\n\n"
	      "_flamectl()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal commands='", out);
	for (size_t i = 0; all[i]; i++)
		fprintf(out, "%s ", all[i]->name);
	fputs("help'\n\n"
	      "\tCOMPREPLY=()\n"
	      "\tif ((COMP_CWORD == 1)); then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$commands --help --version\" -- \"$word\")\n"
	      "\t\treturn\n\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n", out);
	for (size_t i = 0; all[i]; i++)
		put_bash_command(all[i], out);
	fputs("\thelp) mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\") ;;\n"
	      "\tesac\n}\ncomplete -F _flamectl flamectl\n", out);
}

/* ---- zsh ---- */

static void put_zsh_option(const struct command_option *option, FILE *out)
{
	fputs(" \\\n\t\t\t'", out);
	if (option->letter)
		fprintf(out, "(-%c --%s)'{-%c,--%s}'", option->letter, option->name,
			option->letter, option->name);
	else
		fprintf(out, "--%s", option->name);
	putc('[', out);
	put_quoted(out, option->help, "[]:\\");
	putc(']', out);
	if (option->arg) {
		putc(':', out);
		put_quoted(out, option->arg, "[]:\\");
		fputs(takes_file(option) ? ":_files" : ": ", out);
	}
	putc('\'', out);
}

static void put_zsh_command(const struct command *command, FILE *out)
{
	static const char *const operands[] = {
		[OPERAND_OTHER] = "", [OPERAND_FILE] = " \\\n\t\t\t'*:file:_files'",
		[OPERAND_PROGRAM] = " \\\n\t\t\t'*::command:_normal'",
	};
	const struct command_option *option;

	fprintf(out, "\t\t%s)\n\t\t\t_arguments -s", command->name);
	for (int i = 0; (option = command_option(command, i)); i++)
		put_zsh_option(option, out);
	put_zsh_option(&help_option, out);
	fprintf(out, "%s ;;\n", operands[operand_of(command)]);
}

void pages_zsh(const struct command *const *all, FILE *out)
{
	fputs("#compdef flamectl\n# zsh completion of flamectl, made from its tables\n\n"
	      "_flamectl() {\n\tlocal state line\n\tlocal -a commands\n\n\tcommands=(\n", out);
	for (size_t i = 0; all[i]; i++) {
		fprintf(out, "\t\t'%s:", all[i]->name);
		put_quoted(out, all[i]->summary, ":\\");
		fputs("'\n", out);
	}
	fputs("\t\t'help:print help'\n\t)\n"
	      "\t_arguments -C '--version[print the version]' '--help[print help]' \\\n"
	      "\t\t'1:command:->command' '*::argument:->arguments'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command commands ;;\n"
	      "\targuments)\n\t\tcase $line[1] in\n", out);
	for (size_t i = 0; all[i]; i++)
		put_zsh_command(all[i], out);
	fputs("\t\thelp) _describe command commands ;;\n"
	      "\t\tesac ;;\n\tesac\n}\n\n_flamectl \"$@\"\n", out);
}

/* ---- fish ---- */

static void put_fish_option(const struct command *command,
			    const struct command_option *option, FILE *out)
{
	fprintf(out, "complete -c flamectl -n '__fish_seen_subcommand_from %s'",
		command->name);
	if (option->letter)
		fprintf(out, " -s %c", option->letter);
	fprintf(out, " -l %s", option->name);
	if (option->arg)
		fputs(takes_file(option) ? " -r -F" : " -x", out);
	fputs(" -d '", out);
	/* within single quotes fish takes \' for a quote, not '\'' */
	for (const char *at = option->help; *at; at++) {
		if (*at == '\'' || *at == '\\')
			putc('\\', out);
		putc(*at, out);
	}
	fputs("'\n", out);
}

static void put_fish_command(const struct command *command, FILE *out)
{
	const struct command_option *option;

	fprintf(out, "complete -c flamectl -n __fish_use_subcommand -a %s -d '",
		command->name);
	for (const char *at = command->summary; *at; at++) {
		if (*at == '\'' || *at == '\\')
			putc('\\', out);
		putc(*at, out);
	}
	fputs("'\n", out);
	for (int i = 0; (option = command_option(command, i)); i++)
		put_fish_option(command, option, out);
	put_fish_option(command, &help_option, out);
	if (operand_of(command) != OPERAND_OTHER)
		fprintf(out, "complete -c flamectl -n '__fish_seen_subcommand_from %s' %s\n",
			command->name, operand_of(command) == OPERAND_FILE ? "-F" :
			"-a '(__fish_complete_subcommand)'");
}

void pages_fish(const struct command *const *all, FILE *out)
{
	fputs("# fish completion of flamectl, made from its tables\n\n"
	      "complete -c flamectl -f\n"
	      "complete -c flamectl -n __fish_use_subcommand -l version -d 'print the version'\n"
	      "complete -c flamectl -n __fish_use_subcommand -l help -d 'print help'\n"
	      "complete -c flamectl -n __fish_use_subcommand -a help -d 'print help'\n",
	      out);
	for (size_t i = 0; all[i]; i++)
		put_fish_command(all[i], out);
	fputs("complete -c flamectl -n '__fish_seen_subcommand_from help' -a '", out);
	for (size_t i = 0; all[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", all[i]->name);
	fputs("'\n", out);
}
