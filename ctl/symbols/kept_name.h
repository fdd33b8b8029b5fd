/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep names of functions. They are anyone's, and may have millions of bytes.
 */
#ifndef FLAMECTL_SYMBOLS_KEPT_NAME_H
#define FLAMECTL_SYMBOLS_KEPT_NAME_H

#include "base/intern.h"

/**
 * kept_name_add() - intern a name, cut to SYMBOLS_NAME_MAX bytes.
 *
 * Return: as intern_add().
 */
int kept_name_add(struct intern *texts, const char *name, uint32_t *number);

#endif /* FLAMECTL_SYMBOLS_KEPT_NAME_H */
