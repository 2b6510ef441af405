// Capsules and rectangle swept spheres whose cheaper alternatives are known: who wants all of them finds each
// once.

#pragma once

#include "bvbuild/fit.h"

/// As bvb_fit_capsule.
/// @param ball  what bvb_fit_sphere has found for the same points, which is a capsule too
/// @return bv_ok; bv_error_argument
bv_status bvfit_capsule_beside( const bv_vec3* points, uint32_t count, const bv_sphere* ball,
                                bv_capsule* out );

/// As bvb_fit_rss.
/// @param capsule  what bvb_fit_capsule has found for the same points, from which the search starts
/// @return bv_ok; bv_error_argument
bv_status bvfit_rss_beside( const bv_vec3* points, uint32_t count, const bv_capsule* capsule, bv_rss* out );
