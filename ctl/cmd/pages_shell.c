// SPDX-License-Identifier: GPL-2.0
/*
 * Write shell completions from the tables of commands. An argument called FILE
 * is completed as a file; others are completed with the words in the table.
 */
#include <stdbool.h>
#include <string.h>

#include "cmd/pages.h"

static const struct command_option help_option = {
	.name = "help", .letter = 'h', .help = "print help",
};

static bool takes_file(const struct command_option *option)
{
	return option->arg && !strcmp(option->arg, "FILE");
}

/* Report whether the argument is a list of its values. */
static bool takes_list(const struct command_option *option)
{
	return option->values && strchr(option->values, ',');
}

/* Write "--output|-o". */
static void put_option_names(const struct command_option *option,
			   const char *between, FILE *out)
{
	fprintf(out, "--%s", option->name);
	if (option->letter)
		fprintf(out, "%s-%c", between, option->letter);
}

/* Write values, or names with @end after each, separated by spaces. */
static void put_words(FILE *out, const char *words, const char *end)
{
	for (; *words; words++)
		if (strchr(" ,", *words))
			fprintf(out, "%s ", end);
		else
			putc(*words, out);
	fputs(end, out);
}

/* What an operand of a command is. */
enum operand { OPERAND_OTHER, OPERAND_FILE, OPERAND_PROGRAM, OPERAND_SETTING };

static enum operand operand_of(const struct command *command)
{
	if (command->names)
		return OPERAND_SETTING;
	if (!command->args)
		return OPERAND_OTHER;
	if (strstr(command->args, "--"))
		return OPERAND_PROGRAM;
	return strstr(command->args, "FILE") ? OPERAND_FILE : OPERAND_OTHER;
}

/* Write @text in single quotes; characters in @special get a backslash. */
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

/* The functions of the bash completion; $word is the word to complete. */
static const char bash_functions[] =
"_flamectl_files()\n{\n"
"\tcompopt -o filenames\n"
"\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n}\n\n"
"_flamectl_words()\n{\n"
"\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\")\n}\n\n"
"# the last of a list\n"
"_flamectl_list()\n{\n"
"\tmapfile -t COMPREPLY < <(compgen -P \"${word%\"${word##*,}\"}\" -W \"$1\" -- \"${word##*,}\")\n}\n\n"
"_flamectl_settings()\n{\n"
"\tcompopt -o nospace\n"
"\t_flamectl_words \"$1\"\n}\n\n"
"_flamectl_options()\n{\n"
"\t[[ $word = -* ]] || return\n"
"\t_flamectl_words \"$1\"\n}\n\n"
"# a command to run, behind options of which those in $1 take a value\n"
"_flamectl_program()\n{\n"
"\tlocal at begun=\n\n"
"\tfor ((at = 2; at < COMP_CWORD; at++)); do\n"
"\t\tcase ${COMP_WORDS[at]} in\n"
"\t\t--) begun=1; ((at++)); break ;;\n"
"\t\t-*)\n"
"\t\t\t[[ $1 = *\" ${COMP_WORDS[at]} \"* ]] || continue\n"
"\t\t\t[[ ${COMP_WORDS[at + 1]} != = ]] || ((at++))\n"
"\t\t\t((at++)) ;;\n"
"\t\t*) begun=1; break ;;\n"
"\t\tesac\n"
"\tdone\n"
"\t((at <= COMP_CWORD)) || return\n"
"\t[[ $begun || $word != -* ]] || return\n"
"\tif declare -F _comp_command_offset > /dev/null; then\n"
"\t\t_comp_command_offset \"$at\"\n"
"\telif declare -F _command_offset > /dev/null; then\n"
"\t\t_command_offset \"$at\"\n"
"\telif ((at == COMP_CWORD)); then\n"
"\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
"\telse\n"
"\t\t_flamectl_files\n"
"\tfi\n"
"\treturn 0\n}\n\n";

/* Write the options whose argument is completed as a file, or not at all. */
static void put_bash_arguments(const struct command *command, bool files,
			       const char *action, FILE *out)
{
	const struct command_option *option;
	const char *before = "\t\t";

	for (int i = 0; (option = command_option(command, i)); i++) {
		if (!option->arg || option->values || takes_file(option) != files)
			continue;
		fputs(before, out);
		put_option_names(option, "|", out);
		before = "|";
	}
	if (!strcmp(before, "|"))
		fprintf(out, ") %s; return ;;\n", action);
}

static void put_bash_values(const struct command *command, FILE *out)
{
	const struct command_option *option;

	for (int i = 0; (option = command_option(command, i)); i++) {
		if (!option->values)
			continue;
		fputs("\t\t", out);
		put_option_names(option, "|", out);
		fprintf(out, ") _flamectl_%s '",
			takes_list(option) ? "list" : "words");
		put_words(out, option->values, "");
		fputs("'; return ;;\n", out);
	}
}

static void put_bash_operands(const struct command *command, FILE *out)
{
	switch (operand_of(command)) {
	case OPERAND_FILE:
		fputs("_flamectl_files", out);
		return;
	case OPERAND_SETTING:
		fputs("_flamectl_settings '", out);
		put_words(out, command->names, "=");
		putc('\'', out);
		return;
	default:
		fputs("return", out);
	}
}

static void put_bash_program(const struct command *command, FILE *out)
{
	const struct command_option *option;

	fputs("\t\t_flamectl_program ' ", out);
	for (int i = 0; (option = command_option(command, i)); i++) {
		if (!option->arg)
			continue;
		put_option_names(option, " ", out);
		putc(' ', out);
	}
	fputs("' && return\n", out);
}

static void put_bash_command(const struct command *command, FILE *out)
{
	const struct command_option *option;

	fprintf(out, "\t%s)\n", command->name);
	if (operand_of(command) == OPERAND_PROGRAM)
		put_bash_program(command, out);
	fputs("\t\tcase $last in\n", out);
	put_bash_arguments(command, true, "_flamectl_files", out);
	put_bash_arguments(command, false, ":", out);
	put_bash_values(command, out);
	fputs("\t\tesac\n\t\t_flamectl_options '", out);
	for (int i = 0; (option = command_option(command, i)); i++)
		fprintf(out, "--%s ", option->name);
	fputs("--help' || ", out);
	put_bash_operands(command, out);
	fputs(" ;;\n", out);
}

void pages_bash(const struct command *const *all, FILE *out)
{
	fprintf(out, "# bash completion of flamectl, made from its tables\n\n%s"
		"_flamectl()\n{\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tlocal commands='", bash_functions);
	for (size_t i = 0; all[i]; i++)
		fprintf(out, "%s ", all[i]->name);
	fputs("help'\n\n"
	      "\tCOMPREPLY=()\n"
	      "\tif ((COMP_CWORD == 1)); then\n"
	      "\t\t_flamectl_words \"$commands --help --version\"\n"
	      "\t\treturn\n\tfi\n"
	      "\t# what is written as one word, --by=cpu, comes as three\n"
	      "\tif [[ $last = = ]]; then\n"
	      "\t\tlast=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\t\t[[ $last = -* ]] || return\n"
	      "\telif [[ $word = = ]]; then\n"
	      "\t\tword=\n"
	      "\t\t[[ $last = -* ]] || return\n"
	      "\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n", out);
	for (size_t i = 0; all[i]; i++)
		put_bash_command(all[i], out);
	fputs("\thelp) _flamectl_words \"$commands\" ;;\n"
	      "\tesac\n}\ncomplete -F _flamectl flamectl\n", out);
}

/* ---- zsh ---- */

static void put_zsh_values(const struct command_option *option, FILE *out)
{
	if (!option->values) {
		fputs(takes_file(option) ? ":_files" : ": ", out);
		return;
	}
	fputs(takes_list(option) ? ":_values -s , value " : ":(", out);
	put_words(out, option->values, "");
	fputs(takes_list(option) ? "" : ")", out);
}

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
		put_zsh_values(option, out);
	}
	putc('\'', out);
}

static void put_zsh_command(const struct command *command, FILE *out)
{
	static const char *const operands[] = {
		[OPERAND_OTHER] = "", [OPERAND_FILE] = " \\\n\t\t\t'*:file:_files'",
		[OPERAND_PROGRAM] = " \\\n\t\t\t'*::command:_flamectl_program'",
		[OPERAND_SETTING] = " \\\n\t\t\t'*:setting:compadd -S \"\" -",
	};
	enum operand operand = operand_of(command);
	const struct command_option *option;

	/* after the first operand, options belong to another program */
	fprintf(out, "\t\t%s)\n\t\t\t_arguments -s%s", command->name,
		operand == OPERAND_PROGRAM ? " -S -A '-*'" : "");
	for (int i = 0; (option = command_option(command, i)); i++)
		put_zsh_option(option, out);
	put_zsh_option(&help_option, out);
	fputs(operands[operand], out);
	if (operand == OPERAND_SETTING) {
		putc(' ', out);
		put_words(out, command->names, "=");
		putc('\'', out);
	}
	fputs(" ;;\n", out);
}

void pages_zsh(const struct command *const *all, FILE *out)
{
	fputs("#compdef flamectl\n# zsh completion of flamectl, made from its tables\n\n"
	      "_flamectl_program() {\n"
	      "\tif [[ $words[1] = -- ]] && ((CURRENT > 1)); then\n"
	      "\t\tshift words\n"
	      "\t\t((CURRENT--))\n"
	      "\tfi\n"
	      "\t_normal\n}\n\n"
	      "_flamectl() {\n\tlocal state line\n\tlocal -a commands\n\n\tcommands=(\n", out);
	for (size_t i = 0; all[i]; i++) {
		fprintf(out, "\t\t'%s:", all[i]->name);
		put_quoted(out, all[i]->summary, ":\\");
		fputs("'\n", out);
	}
	fputs("\t\t'help:print help'\n\t)\n"
	      "\t_arguments -C -A '-*' '--version[print the version]' '--help[print help]' \\\n"
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

/*
 * Write the condition that @command is completed, not a program that it runs.
 */
static void put_fish_command_seen(const struct command *command, FILE *out)
{
	fprintf(out, "complete -c flamectl -n '__fish_seen_subcommand_from %s%s'",
		command->name, operand_of(command) == OPERAND_PROGRAM ?
		"; and not __flamectl_program >/dev/null" : "");
}

static void put_fish_option(const struct command *command,
			    const struct command_option *option, FILE *out)
{
	put_fish_command_seen(command, out);
	if (option->letter)
		fprintf(out, " -s %c", option->letter);
	fprintf(out, " -l %s", option->name);
	if (option->arg)
		fputs(takes_file(option) ? " -r -F" : " -x", out);
	if (option->values) {
		fputs(takes_list(option) ? " -a '(__fish_append , " : " -a '", out);
		put_words(out, option->values, "");
		fputs(takes_list(option) ? ")'" : "'", out);
	}
	fputs(" -d '", out);
	/* within single quotes fish takes \' for a quote, not '\'' */
	for (const char *at = option->help; *at; at++) {
		if (*at == '\'' || *at == '\\')
			putc('\\', out);
		putc(*at, out);
	}
	fputs("'\n", out);
}

static void put_fish_operands(const struct command *command, FILE *out)
{
	enum operand operand = operand_of(command);

	if (operand == OPERAND_OTHER)
		return;
	fprintf(out, "complete -c flamectl -n '__fish_seen_subcommand_from %s' ",
		command->name);
	if (operand == OPERAND_SETTING) {
		fputs("-a '", out);
		put_words(out, command->names, "=");
		fputs("'\n", out);
	} else {
		fprintf(out, "%s\n", operand == OPERAND_FILE ? "-F" :
			"-a '(__flamectl_complete_program)'");
	}
}

/* Write how to complete the program that a command runs, and its arguments. */
static void put_fish_program(const struct command *command, FILE *out)
{
	const struct command_option *option;

	fputs("function __flamectl_program\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tset -e words[1..2]\n"
	      "\twhile set -q words[1]\n"
	      "\t\tswitch $words[1]\n"
	      "\t\t\tcase --\n"
	      "\t\t\t\tset -e words[1]\n"
	      "\t\t\t\tset -q words[1]; and printf '%s\\n' $words\n"
	      "\t\t\t\treturn 0\n"
	      "\t\t\tcase", out);
	for (int i = 0; (option = command_option(command, i)); i++) {
		if (!option->arg)
			continue;
		putc(' ', out);
		put_option_names(option, " ", out);
	}
	fputs("\n"
	      "\t\t\t\tset -e words[1]\n"
	      "\t\t\t\tset -e words[1]\n"
	      "\t\t\tcase '-*'\n"
	      "\t\t\t\tset -e words[1]\n"
	      "\t\t\tcase '*'\n"
	      "\t\t\t\tset -q words[1]; and printf '%s\\n' $words\n"
	      "\t\t\t\treturn 0\n"
	      "\t\tend\n"
	      "\tend\n"
	      "\treturn 1\n"
	      "end\n\n"
	      "function __flamectl_complete_program\n"
	      "\tset -l words (__flamectl_program)\n"
	      "\tset -l word (commandline -ct)\n"
	      "\tset -q words[1]; and set words (string escape -- $words)\n"
	      "\tcomplete --do-complete=(string join ' ' -- $words \"$word\")\n"
	      "end\n\n", out);
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
	put_fish_operands(command, out);
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
		if (operand_of(all[i]) == OPERAND_PROGRAM)
			put_fish_program(all[i], out);
	for (size_t i = 0; all[i]; i++)
		put_fish_command(all[i], out);
	fputs("complete -c flamectl -n '__fish_seen_subcommand_from help' -a '", out);
	for (size_t i = 0; all[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", all[i]->name);
	fputs("'\n", out);
}
