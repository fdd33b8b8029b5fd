// SPDX-License-Identifier: GPL-2.0
/*
 * hits: attach sources of events, run a command, and print what they counted.
 *
 *   hits [-e EVENTS] [-p PID] [-h] SOURCE... [-- COMMAND [ARG...]]
 *
 *   -e EVENTS   bits of enum flamemod_event to attach as well
 *   -p PID      only this process; may be repeated
 *   -h          print no profile
 *
 * SOURCE is func:FUNCTION or latency:FUNCTION, followed by what may be repeated or left out:
 * ,weight=OPERAND   ,if=OPERAND/COMPARE/VALUE   ,min=NS   ,unit=UNIT   ,name=NAME
 * OPERAND is an argument's number, and ":SIZE" or ":-SIZE", if it is signed; COMPARE is one
 * of eq, ne, lt, le, gt, ge, and. Nothing is checked here, so that the module is.
 *
 * Without a command it waits for the end of its input. Prints what nlprofile.h says, and
 * exits with 1 and "attach: ERRNO TEXT" if the module refuses it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"
#include "nlprofile.h"

#define PIDS	16

static const char *const compares[] = { "eq", "ne", "lt", "le", "gt", "ge", "and" };

static void put_operand(struct nlmsghdr *header, uint16_t type, const char *text)
{
	struct nlattr *nest = mnl_attr_nest_start(header, type);
	const char *size = strchr(text, ':');

	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_ARGUMENT, (uint8_t)atoi(text));
	if (size) {
		mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIZE, (uint8_t)abs(atoi(size + 1)));
		mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIGNED, size[1] == '-');
	}
	mnl_attr_nest_end(header, nest);
}

static void put_condition(struct nlmsghdr *header, char *text)
{
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_SOURCE_CONDITION);
	char *operand = strsep(&text, "/"), *compare = strsep(&text, "/");
	unsigned int i;

	for (i = 0; compare && i < sizeof(compares) / sizeof(*compares); i++)
		if (!strcmp(compare, compares[i]))
			mnl_attr_put_u32(header, FLAMEMOD_A_CONDITION_COMPARE, i);
	if (text)
		mnl_attr_put_u64(header, FLAMEMOD_A_CONDITION_VALUE,
				 (uint64_t)strtoll(text, NULL, 0));
	put_operand(header, FLAMEMOD_A_CONDITION_OPERAND, operand);
	mnl_attr_nest_end(header, nest);
}

static void put_option(struct nlmsghdr *header, char *text, const char **name)
{
	char *value = strchr(text, '=');

	if (!value)
		exit(2);
	*value++ = 0;
	if (!strcmp(text, "weight"))
		put_operand(header, FLAMEMOD_A_SOURCE_WEIGHT, value);
	else if (!strcmp(text, "if"))
		put_condition(header, value);
	else if (!strcmp(text, "min"))
		mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_MIN_NS, strtoull(value, NULL, 0));
	else if (!strcmp(text, "unit"))
		mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_UNIT, value);
	else if (!strcmp(text, "name"))
		*name = value;
	else
		exit(2);
}

static void put_source(struct nlmsghdr *header, char *text)
{
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH_SOURCE);
	char *first = strsep(&text, ","), *option;
	char *function = strchr(first, ':');
	const char *name = first;

	if (!function)
		exit(2);
	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_KIND,
			 strncmp(first, "func:", 5) ? FLAMEMOD_SOURCE_KIND_LATENCY :
						      FLAMEMOD_SOURCE_KIND_FUNC);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_FUNCTION, function + 1);
	while ((option = strsep(&text, ",")))
		put_option(header, option, &name);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_NAME, name);
	mnl_attr_nest_end(header, nest);
}

static void ask(struct asker *asker, struct request *request)
{
	struct answer answer = asker_ask(asker, request->header);

	if (!answer.error)
		return;
	printf("%s: %d %s\n", request->name, answer.error, answer.text);
	exit(1);
}

/* Run a command; or wait for the end of the input. */
static void work(char **command)
{
	char byte;
	pid_t pid;

	if (!*command) {
		while (read(0, &byte, 1) > 0)
			;
		return;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(*command, command);
		die("run the command");
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	static char buffer[REQUEST_SIZE];
	uint32_t events = 0, pids[PIDS];
	int option, quiet = 0, nr_pids = 0;
	struct request request;
	struct nlattr *attach;
	struct asker asker;

	while ((option = getopt(argc, argv, "+e:p:h")) != -1) {
		switch (option) {
		case 'e':
			events = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'p':
			pids[nr_pids++ % PIDS] = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'h':
			quiet = 1;
			break;
		default:
			return 2;
		}
	}
	asker_init(&asker, socket_open());
	request = request_begin(buffer, "attach", asker.family, FLAMEMOD_CMD_ATTACH, 0);
	attach = mnl_attr_nest_start(request.header, FLAMEMOD_A_ATTACH);
	if (events)
		mnl_attr_put_u32(request.header, FLAMEMOD_A_ATTACH_EVENTS, events);
	if (nr_pids)
		mnl_attr_put(request.header, FLAMEMOD_A_ATTACH_PIDS,
			     (size_t)nr_pids * sizeof(*pids), pids);
	for (; optind < argc && strcmp(argv[optind], "--"); optind++)
		put_source(request.header, argv[optind]);
	mnl_attr_nest_end(request.header, attach);
	ask(&asker, &request);
	fprintf(stderr, "attached\n");
	work(optind < argc ? argv + optind + 1 : argv + argc);
	if (!quiet)
		profile_print(&asker, NULL);
	asker_detach(&asker);
	return 0;
}
