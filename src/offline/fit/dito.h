// The best candidate of DiTO-14: see obb_dito.c.

#pragma once

#include "bvbuild/fit.h"
#include "runtime/volume/dito.h"

/// @param axis  receives the frame of the smallest box around the extremal points among the candidates
void bvfit_dito_axes( const bvvol_dito* d, bvb_box_objective objective, bv_vec3 axis[3] );
