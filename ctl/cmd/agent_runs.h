/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For other commands: is it the agent that samples?
 */
#ifndef FLAMECTL_CMD_AGENT_RUNS_H
#define FLAMECTL_CMD_AGENT_RUNS_H

/**
 * agent_runs_advice() - say how to pause the agent of this machine, for the message of a
 * command that its sampling is in the way of.
 *
 * Return: words that other advice follows: "... , or "; "" if no agent runs in the directory
 * of the service, or $STATE_DIRECTORY.
 */
const char *agent_runs_advice(void);

#endif /* FLAMECTL_CMD_AGENT_RUNS_H */
