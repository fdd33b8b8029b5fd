/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that a process made at run time, as JIT compilers do. In a profile of the module
 * it is an object "[jit PID]", and the offset of a frame is the address in that process's
 * memory. Such frames are replaced as soon as a profile was read: no file has addresses.
 */
#ifndef FLAMECTL_PROFILE_JIT_H
#define FLAMECTL_PROFILE_JIT_H

#include "profile/profile.h"

/**
 * jit_pid() - return the process whose code made at run time an object is, by its id in
 * the initial pid namespace; 0 if it is no such code.
 */
uint32_t jit_pid(const char *path);

/** jit_frame_pid() - return the process whose code made at run time a frame is in, or 0. */
uint32_t jit_frame_pid(const struct profile *profile, uint32_t frame);

/** jit_name_fn - return what a frame in such code is called instead. */
typedef const char *(*jit_name_fn)(void *context, uint32_t frame);

/**
 * jit_replace() - replace all frames in code made at run time by frames without an
 * address. Those of one name become one frame.
 * @profile: unchanged after an error.
 * @name: called for each of them.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW.
 */
int jit_replace(struct profile *profile, jit_name_fn name, void *context);

#endif /* FLAMECTL_PROFILE_JIT_H */
