// SPDX-License-Identifier: GPL-2.0
#define TWIN(suffix) right_##suffix
#include "twin.h"

module_init(right_init);
module_exit(right_exit);
