// SPDX-License-Identifier: GPL-2.0
/*
 * The agent's use of the module: it is made to sample, dumped, and its functions get
 * names. See agent.h.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/command.h"
#include "cmd/module.h"
#include "profile/settings.h"

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

int agent_boot(char boot[WINDOW_BOOT], struct error *error)
{
	static const char path[] = "/proc/sys/kernel/random/boot_id";
	char text[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	int err = size < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	if (!err && !window_boot(text, boot))
		err = -EINVAL;
	return err ? error_set(error, err, "%s: %s", path, strerror(-err)) : 0;
}

struct spool_now agent_now(const char *boot)
{
	return (struct spool_now){
		.boot = boot, .monotonic_ns = clock_monotonic_ns(),
		.real_ns = (int64_t)clock_ns(CLOCK_REALTIME),
	};
}

/* ---- sampling ---- */

/*
 * What others sampled during a pause, at another rate, would keep the agent from sampling at
 * its own.
 */
static int make_way(struct agent *agent, const struct profile *status, struct error *error)
{
	bool held = status->books.fires || status->books.missed;

	if (!held || agent->resume_hz == status->meta.settings.hz)
		return 0;
	return nl_reset(agent->nl, error);
}

/* Start sampling; leave out optional settings that the module refuses. */
static int start_sampling(struct agent *agent, const struct profile_settings *settings,
			  unsigned int mask, struct error *error)
{
	int err = nl_start(agent->nl, settings, agent->mask | mask, error);

	if (!(agent->mask & agent->wished) || (err != -EOPNOTSUPP && err != -EPROTONOSUPPORT))
		return err;
	agent->mask &= ~agent->wished;
	return nl_start(agent->nl, settings, agent->mask | mask, error);
}

static int start(struct agent *agent, const struct profile *status, struct error *error)
{
	struct profile_settings settings = agent->settings;
	unsigned int rate = 0;
	int err = 0;

	if (agent->resume_hz) {
		settings.hz = agent->resume_hz;
		rate = SETTING(HZ);
		err = make_way(agent, status, error);
	}
	err = err ?: start_sampling(agent, &settings, rate, error);
	agent->started = !err;
	return err;
}

/* Sampling that runs is shared, if it runs as it was asked for. */
static int share(const struct agent *agent, const struct profile_meta *now,
		 struct error *error)
{
	if (agent->resume_hz && agent->resume_hz != now->settings.hz)
		return error_set(error, -EBUSY, "sampling runs at %" PRIu32
				 " Hz for somebody else: the agent goes on at %" PRIu32
				 " Hz after that", now->settings.hz, agent->resume_hz);
	if (agent->mask & SETTING(HZ) && agent->settings.hz != now->settings.hz)
		return error_set(error, -EBUSY, "sampling already runs at %" PRIu32
				 " Hz: leave out -F to take what it samples, or flamectl stop and flamectl reset first",
				 now->settings.hz);
	return 0;
}

/*
 * Others may have started sampling since the agent looked. Return: 0; or -errno, with
 * @error unchanged if they have not.
 */
static int share_instead(const struct agent *agent, struct error *error)
{
	struct profile *status;
	struct error ignored;
	int err = -EBUSY;

	if (nl_status(agent->nl, &status, &ignored))
		return err;
	if (status->meta.state == FLAMEMOD_STATE_RUNNING)
		err = share(agent, &status->meta, error);
	profile_destroy(status);
	return err;
}

static int sample(struct agent *agent, struct error *error)
{
	struct profile *status;
	int err = nl_status(agent->nl, &status, error);
	bool runs;

	if (err)
		return err;
	runs = status->meta.state == FLAMEMOD_STATE_RUNNING;
	if (status->meta.state == FLAMEMOD_STATE_BROKEN)
		err = error_set(error, -EIO, "the sampler found an inconsistency in itself and stopped: see the kernel log, then load the module again");
	else if (runs)
		err = share(agent, &status->meta, error);
	else
		err = start(agent, status, error);
	profile_destroy(status);
	return err == -EBUSY && !runs ? share_instead(agent, error) : err;
}

int agent_module_reach(struct agent *agent, struct error *error)
{
	char said[MODULE_SAID_MAX];
	int err;

	if (agent->nl)
		return 0;
	err = module_open(&agent->nl, !agent->no_load, said, error);
	if (err) {
		agent->nl = NULL;
		return err;
	}
	command_note(said);
	nl_own(agent->nl);
	return 0;
}

int agent_module_open(struct agent *agent, struct error *error)
{
	int err = agent_module_reach(agent, error) ?: sample(agent, error);

	if (err == -ENODEV)
		agent_module_close(agent);
	return err;
}

void agent_module_close(struct agent *agent)
{
	nl_close(agent->dumps);
	nl_close(agent->nl);
	agent->dumps = agent->nl = NULL;
	/* another module counts its frames anew */
	name_looks_forget(&agent->search.looks);
	agent->keeps_none = false;
	agent->started = false;
}

int agent_module_stop(struct agent *agent, struct pause *pause, struct error *error)
{
	struct profile *status;
	struct error ignored;
	bool runs;
	int err;

	if (agent->started)
		nl_stop(agent->nl, &ignored);
	agent->started = false;
	err = nl_status(agent->nl, &status, error);
	if (err)
		return err;
	runs = status->meta.state == FLAMEMOD_STATE_RUNNING;
	pause->shared = runs;
	pause->hz = status->meta.settings.hz;
	profile_destroy(status);
	return 0;
}

/* ---- windows ---- */

bool agent_module_was_reset(const struct agent *agent)
{
	struct profile *status;
	struct error error;
	uint32_t epoch;

	/* what is wrong is said with the next window */
	if (!agent->nl || !chain_epoch(&agent->chain) || nl_status(agent->nl, &status, &error))
		return false;
	epoch = status->meta.epoch;
	profile_destroy(status);
	return epoch != chain_epoch(&agent->chain);
}

/*
 * Dumps have a socket of their own. The module keeps closed epochs for it, and must not do
 * so for one that was given up, and that is only open as sampling ends with it.
 */
static int dump_epoch(struct agent *agent, uint32_t epoch, bool reset,
		      struct profile **profile, struct error *error)
{
	int err = agent->dumps ? 0 : nl_open(&agent->dumps, error);

	if (err) {
		agent->dumps = NULL;
		return err;
	}
	if (!agent->keeps_none)
		err = nl_dump_epoch(agent->dumps, epoch, reset, profile, error);
	if (err == -EPROTONOSUPPORT)
		agent->keeps_none = true;
	/* without it, a reset by others is a gap, which is counted */
	return agent->keeps_none || err == -EUSERS ?
	       nl_dump(agent->dumps, reset, profile, error) : err;
}

/* Processes have ids only here: whose files are in containers is looked for in these. */
static int dump(void *context, uint32_t epoch, bool reset, struct profile **profile,
		struct error *error)
{
	struct agent *agent = context;
	int err;

	if (!agent->nl)
		return error_set(error, -ENODEV, "the module cannot be reached");
	err = dump_epoch(agent, epoch, reset, profile, error);
	if (err)
		return err;
	err = agent_names_learn(agent, *profile, error);
	if (err)
		profile_destroy(*profile);
	return err;
}

static int name(void *context, struct profile *profile, struct error *error)
{
	return agent_names_give(context, profile, error);
}

static void clocks(void *context, struct chain_clocks *now)
{
	(void)context;
	now->monotonic_ns = clock_ns(CLOCK_MONOTONIC);
	now->boot_ns = clock_ns(CLOCK_BOOTTIME);
	now->real_ns = (int64_t)clock_ns(CLOCK_REALTIME);
}

struct chain_source agent_source(struct agent *agent)
{
	return (struct chain_source){
		.dump = dump, .name = name, .clocks = clocks, .context = agent,
	};
}
