// Moving objects: motions, and when moving vertices, edges and faces first touch.
//
//     #include <bv/motion.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         // A vertex falls through the middle of a face that does not move. The vertex comes first, then the face.
//         const bv_vec3 start[4] = { { 1, 1, 3 }, { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
//         const bv_vec3 end[4] = { { 1, 1, -1 }, { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
//         bv_feature_time r;
//         bv_moving_vertex_face( start, end, NULL, &r );
//         printf( "%g\n", r.lower ); // prints 0.75
//         return r.found && r.certain ? 0 : 1;
//     }
//
// Time runs from 0 to 1. A time of contact is an interval that contains the true one: `lower` is never later than the
// contact.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, chapter 5, for moving
// features.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the time of contact of two moving features is found. Finders other than the default exist to be compared with it.
typedef enum bv_finder
{
	bv_finder_certified = 0, ///< exact for points that move along lines; otherwise an interval that is proven
	bv_finder_linear,        ///< one linear interpolation between both ends (Eckstein 1998, 5.3)
	bv_finder_regula_falsi,  ///< regula falsi, with the Illinois rule
	bv_finder_quadratic,     ///< the parabola through three values
	bv_finder_sampling,      ///< linear interpolation between samples
	bv_finder_sampled_regula_falsi, ///< regula falsi between samples
	bv_finders,                     ///< the number of finders
} bv_finder;

/// How it is decided whether features touch when they are in one plane. Only for finders other than the certified one.
typedef enum bv_inside_test
{
	bv_inside_exact = 0,    ///< at the positions of that time
	bv_inside_interpolated, ///< by linear interpolation of what is true at both ends
	bv_inside_tests,        ///< the number of tests
} bv_inside_test;

/// Options of queries of moving features. Zero-initialized options are the defaults.
typedef struct bv_feature_options
{
	bv_finder finder;      ///< default bv_finder_certified
	bv_inside_test inside; ///< default bv_inside_exact; ignored by bv_finder_certified
	double limit;          ///< end of the time range, up to 1; default 0, which stands for 1
	double separation;     ///< features closer than this touch; not negative; default 0

	/// Width of the interval of time that ends the search; default 0: 1e-6. The interval is narrower where features move
	/// along lines without a separation.
	double tolerance;

	uint32_t samples; ///< of the finders that sample, from 2; default 0: 5, both ends included
} bv_feature_options;

/// @return the defaults listed in bv_feature_options
bv_feature_options bv_feature_options_default( void );

/// When two moving features first touch.
typedef struct bv_feature_time
{
	bool found;     ///< they touch at a time in the range. In doubt true
	bool certain;   ///< `found` is proven, and so is the interval
	double lower;   ///< they do not touch before this time; the end of the range if not found
	double upper;   ///< they touch at this time or before; infinite if that is not proven, and if not found
	uint32_t tests; ///< evaluations of positions
} bv_feature_time;

/// Finds when a moving vertex first touches a moving triangle. Each point moves along a line at constant speed. Touching
/// the border counts. Triangles may be degenerate.
///
/// With bv_finder_certified and without a separation the decision is exact for the given binary64 numbers: `found` is
/// true if and only if there is a contact, unless the coordinates differ so much in size that exact numbers have no room
/// (then `certain` can be false). `lower` is at most 1e-6 before the contact.
/// @param start, end  the vertex and the three corners, at times 0 and 1; coordinates up to BV_MAX_LENGTH
/// @param options     null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, or a coordinate or an option is
/// out of range
bv_status bv_moving_vertex_face( const bv_vec3 start[4], const bv_vec3 end[4],
                                 const bv_feature_options* options, bv_feature_time* result );

/// The same for two edges: both ends of the first one, then both of the second.
bv_status bv_moving_edge_edge( const bv_vec3 start[4], const bv_vec3 end[4],
                               const bv_feature_options* options, bv_feature_time* result );

#ifdef __cplusplus
}
#endif
