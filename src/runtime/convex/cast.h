// Casts of pairs of convex shapes: what all methods share, and one row for each.
//
// Seen from the first shape, the second one moves along a line. Contact is where the point t * r of a ray is not farther
// from the difference C of the shapes without their radii than both radii together, where r is the relative motion.
// A direction n with the greatest product h = n * c of the points c of C proves that there is no contact while
// t n * r > h + radius: up to a time, or from a time on, or never. A plane that separates the shapes at two times
// separates them at all times between these.
//
// Methods look for planes. What is known of the time is the interval from the last time up to which planes separate,
// to the end of the first window of time in which the swept shapes overlap.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/pair.h"

/// A cast, and what is known of the first contact.
typedef struct bvconvex_cast_search
{
	bvconvex_pair* pair;
	bvconvex_motion motion;
	bv_vec3 relative;       ///< motion of the second as seen from the first, to 2^-53 of itself
	double end;             ///< there is no contact after this time, or it is of no interest
	double width;           ///< of the interval of time that ends the search
	bv_convex_cache* cache; ///< null for none

	double lower;   ///< there is no contact before this time
	double upper;   ///< there is one at this time or before; infinite if not known
	bv_vec3 normal; ///< of the plane that separates the shapes up to `lower`; null if that is 0
	bool never;     ///< there is no contact up to `end`
	bool unseen;    ///< the method has not found one, which proves nothing
} bvconvex_cast_search;

/// What is known of a window of time.
typedef enum bvconvex_cast_window_state
{
	bvconvex_cast_apart, ///< a plane separates all places of the shapes
	bvconvex_cast_meet,  ///< the shapes meet in it
	bvconvex_cast_doubt, ///< rounding errors decide
} bvconvex_cast_window_state;

/// @param along  receives the unit normal of the plane, from the first shape to the second
bvconvex_cast_window_state bvconvex_cast_window( bvconvex_cast_search* s, double from, double to,
                                                 bv_vec3* along );

/// @return a vertex of the difference to begin a search with
bvconvex_gjk_vertex bvconvex_cast_first_vertex( const bvconvex_cast_search* s );

/// Takes a plane into account.
/// @param normal  unit vector from the first shape to the second, to 2^-50
/// @param height  the greatest product with the points of C, to the pair's rounding
void bvconvex_cast_plane( bvconvex_cast_search* s, bv_vec3 normal, double height );

/// The same with the support point in that direction, which is found for it.
void bvconvex_cast_plane_along( bvconvex_cast_search* s, bv_vec3 normal );

/// Finds an end of the interval of time by windows: of a first one after `lower`, and then by bisection.
/// @param first  width of the first window
void bvconvex_cast_narrow( bvconvex_cast_search* s, double first );

/// Finds when bv_convex_cast finds the first contact by default until time 1, without points and a normal, which take more
/// stack. Without motion: whether the shapes have a point in common.
/// @param found  receives whether they meet; in doubt true. Unchanged on errors, as is `time`
/// @param time   receives what it is known to be in; its end is infinite if a contact is not proven
/// @return as bv_convex_cast
bv_status bvconvex_cast_times( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                               bv_vec3 motion, bool* found, bv_interval* time );

/// Finds the time up to which planes separate shapes that do not meet at time 0.
/// @return width of the first window for bvconvex_cast_narrow; below 0 if nothing is left for it to find
typedef double bvconvex_find_cast( bvconvex_cast_search* s );

/// A method.
typedef struct bvconvex_caster
{
	const char* name;
	bvconvex_find_cast* find;
	bool ( *takes )( const bvconvex_pair* pair ); ///< null if it takes all pairs
} bvconvex_caster;

/// By bv_convex_cast_method.
extern const bvconvex_caster bvconvex_casters[bv_convex_cast_methods];

bvconvex_find_cast bvconvex_cast_default;
bvconvex_find_cast bvconvex_cast_gjk;
bvconvex_find_cast bvconvex_cast_balls;
bvconvex_find_cast bvconvex_cast_advancement;
bvconvex_find_cast bvconvex_cast_swept;
bvconvex_find_cast bvconvex_cast_sampled;

/// @return whether both shapes are balls or capsules, and one of them at least has a radius
bool bvconvex_cast_takes_balls( const bvconvex_pair* pair );
