// Includes the complete API of libbvworld: broadphase.h (pairs of objects that touch, and queries), particles.h (neighbors of
// particles).

#pragma once

#include "bvworld/broadphase.h"
#include "bvworld/particles.h"
