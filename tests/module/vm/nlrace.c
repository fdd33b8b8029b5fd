// SPDX-License-Identifier: GPL-2.0
/*
 * Makes two concurrent changes of different settings, repeatedly: both must take effect.
 *
 *   nlrace ROUNDS
 *
 * Prints "rounds N undone N": how often one change undid the other. The session must be
 * stopped, with nothing held. Each request repeats its setting thousands of times, so
 * that the other request comes while the kernel still parses it.
 */
#include <linux/genetlink.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "flamemod.h"
#include "nlask.h"

#define REPEATS		3000
#define BUFFER_SIZE	(REPEATS * MNL_ALIGN(MNL_ATTR_HDRLEN + sizeof(uint32_t)) + REQUEST_SIZE)

/* One of the two senders: its setting, and the value of this round. */
struct side {
	pthread_t thread;
	uint16_t attr;
	uint32_t most;
	uint32_t wanted, found;
	struct asker asker;
	_Alignas(8) char buffer[BUFFER_SIZE];
};

static pthread_barrier_t begin, end;
static unsigned int rounds;

static void set(struct side *side)
{
	struct request request = request_begin(side->buffer, "set", side->asker.family,
					       FLAMEMOD_CMD_SET, 0);
	struct answer answer;
	int i;

	request.settings = mnl_attr_nest_start(request.header, FLAMEMOD_A_SETTINGS);
	for (i = 0; i < REPEATS; i++)
		mnl_attr_put_u32(request.header, side->attr, side->wanted);
	mnl_attr_nest_end(request.header, request.settings);
	answer = asker_ask(&side->asker, request.header);
	if (answer.error) {
		answer_tell("set", &answer);
		exit(1);
	}
}

static void *ask(void *data)
{
	struct side *side = data;
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		pthread_barrier_wait(&begin);
		set(side);
		pthread_barrier_wait(&end);
	}
	return NULL;
}

static int take_status(const struct nlmsghdr *reply, void *data)
{
	struct side *sides = data;
	const struct nlattr *attr, *member;
	int i;

	mnl_attr_for_each(attr, reply, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != FLAMEMOD_A_SETTINGS)
			continue;
		mnl_attr_for_each_nested(member, attr)
			for (i = 0; i < 2; i++)
				if (mnl_attr_get_type(member) == sides[i].attr)
					sides[i].found = mnl_attr_get_u32(member);
	}
	return MNL_CB_OK;
}

int main(int argc, char **argv)
{
	static struct side sides[2] = {
		{ .attr = FLAMEMOD_A_SETTINGS_MAX_DEPTH, .most = FLAMEMOD_MAX_DEPTH_MAX },
		{ .attr = FLAMEMOD_A_SETTINGS_HZ, .most = FLAMEMOD_HZ_MAX },
	};
	unsigned int i, undone = 0;
	struct asker asker;
	int k;

	rounds = argc == 2 ? atoi(argv[1]) : 0;
	if (!rounds) {
		fprintf(stderr, "usage: nlrace ROUNDS\n");
		return 2;
	}
	asker_init(&asker, socket_open());
	pthread_barrier_init(&begin, NULL, 3);
	pthread_barrier_init(&end, NULL, 3);
	for (k = 0; k < 2; k++) {
		asker_init(&sides[k].asker, socket_open());
		if (pthread_create(&sides[k].thread, NULL, ask, &sides[k]))
			die("start a thread");
	}
	for (i = 0; i < rounds; i++) {
		char buffer[REQUEST_SIZE];
		struct request request = request_begin(buffer, "status", asker.family,
						       FLAMEMOD_CMD_STATUS, 0);

		for (k = 0; k < 2; k++)
			sides[k].wanted = 1 + i % sides[k].most;
		pthread_barrier_wait(&begin);
		pthread_barrier_wait(&end);
		asker_run(&asker, request.header, take_status, sides);
		undone += sides[0].found != sides[0].wanted || sides[1].found != sides[1].wanted;
	}
	for (k = 0; k < 2; k++)
		pthread_join(sides[k].thread, NULL);
	printf("rounds %u undone %u\n", rounds, undone);
	return 0;
}
