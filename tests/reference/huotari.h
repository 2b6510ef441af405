// The GJK ray cast and the swept test of T. Huotari, "Kolmiulotteisten kappaleiden törmäyksen tunnistus", 2011, section 6.2, as
// printed, with each of its faults corrected or not.
//
// Shares nothing with src.

#pragma once

#include "bv/base.h"

/// What is corrected. Zero-initialized: as printed.
typedef struct huotari_fixes
{
	bool loop; ///< pseudocode 9 and 12: `while |d|^2 < eps` ends at once unless shapes touch; it must be >
	bool
		plane; ///< section 6.2.3: `w . ( x - d ) > 0` for a plane that separates; it must be d . ( x - w ) > 0
	bool beyond;    ///< appendix, HandleLine: beyond the end b of the segment from a to b it takes a
	bool direction; ///< section 6.2: the sweep of A is v_B - v_A; it must be v_A - v_B
	double eps;     ///< of the loop; 0: 1e-12
	bool
		relative; ///< equation 30: |d|^2 is compared with eps times the largest |x - y|^2 of a vertex y of the simplex
} huotari_fixes;

/// Two convex hulls of points, of which B moves by `motion` as seen from A.
typedef struct huotari_pair
{
	const bv_vec3* a;
	int of_a;
	const bv_vec3* b;
	int of_b;
	bv_vec3 motion;
} huotari_pair;

/// @param steps  receives the number of support points; 1,000 if the loop did not end by itself
/// @return the part of the motion after which they meet, from 0 to 1; above 1 if they do not
double huotari_cast( const huotari_pair* pair, const huotari_fixes* fixes, int* steps );

/// @return whether the shapes meet in the course of the motion: the hull of A at both places is compared with B
bool huotari_sweep( const huotari_pair* pair, const huotari_fixes* fixes );

/// HandleLine of the appendix.
/// @return what it takes for the point of the segment from a to b that is nearest to x
bv_vec3 huotari_nearest_on_line( bv_vec3 a, bv_vec3 b, bv_vec3 x, bool fixed );
