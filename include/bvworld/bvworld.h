// Includes the complete API of libbvworld: broadphase.h (pairs of objects that touch, and objects in a box), queries.h (rays and
// shapes, also moving ones), scene.h (objects made of .bvh files), particles.h (neighbors of particles).

#pragma once

#include "bvworld/broadphase.h"
#include "bvworld/particles.h"
#include "bvworld/queries.h"
#include "bvworld/scene.h"
