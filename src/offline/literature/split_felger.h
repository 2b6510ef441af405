// The rule of P. Felger and G. Zachmann, 1995. See split_felger.c.

#pragma once

#include "offline/hierarchy/split.h"

/// By the coordinate plane that halves the faces best.
bvhier_split_function bvlit_split_felger;
