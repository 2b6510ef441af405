// Includes the complete API of libbvworld: broadphase.h (pairs of objects that touch, and queries).

#pragma once

#include "bvworld/broadphase.h"
