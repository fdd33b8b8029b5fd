/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses that the units under test accept as text: see fm_text_id_of().
 */
#ifndef _FM_TEXT_OF_TESTS_H
#define _FM_TEXT_OF_TESTS_H

#define FM_TEST_TEXT	0xffffffff80000000UL

#endif /* _FM_TEXT_OF_TESTS_H */
