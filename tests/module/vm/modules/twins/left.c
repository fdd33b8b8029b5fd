// SPDX-License-Identifier: GPL-2.0
#define TWIN(suffix) left_##suffix
#include "twin.h"

module_init(left_init);
module_exit(left_exit);
