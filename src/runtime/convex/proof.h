// What the methods for pairs of convex shapes have in common: each step proves something of the signed distance, and
// the result is all of it.
//
// The signed distance of two shapes is the maximum, over all unit vectors, of the width of the slab between them that is
// normal to the vector, negative where they overlap along it. Every direction therefore gives a lower bound, by one
// support point of each shape. Any points of both give an upper bound, the distance between them. If a ball around the
// origin is in the difference of the shapes, its radius with a minus sign is one.

#pragma once

#include "runtime/convex/distance.h"
#include "runtime/convex/epa.h"

/// What is known of the signed distance of the shapes without their radii.
typedef struct bvconvex_proof
{
	double lower;
	double upper;
	bool meets;        ///< they have a point in common
	bv_vec3 normal;    ///< unit vector of the best slab
	bv_vec3 point[2];  ///< of the upper bound, in the pair's coordinates
	uint32_t supports; ///< of each shape
} bvconvex_proof;

void bvconvex_proof_begin( bvconvex_proof* out );

/// Evaluates the slab normal to a direction.
/// @param along  from the first shape to the second; not 0
/// @param near   names of points that are not far from the support points, or null
/// @return the vertex of the difference that is farthest along it
bvconvex_gjk_vertex bvconvex_proof_slab( const bvconvex_pair* pair, bv_vec3 along, const uint32_t near[2],
                                         bvconvex_proof* proof );

/// Takes the nearest point of a solved simplex for an upper bound. If the origin is inside beyond doubt, the shapes
/// meet.
void bvconvex_proof_simplex( const bvconvex_pair* pair, const bvconvex_gjk_simplex* simplex,
                             bvconvex_proof* proof );

/// Finds the point of the hull of some vertices that is nearest to the origin, and takes it for an upper bound; if the
/// origin is in that hull, a depth that it has.
/// @param count    at least 1
/// @param nearest  receives the simplex
void bvconvex_proof_points( const bvconvex_pair* pair, const bvconvex_gjk_vertex* vertices, uint32_t count,
                            bvconvex_gjk_simplex* nearest, bvconvex_proof* proof );

/// Decides in exact arithmetic whether polytopes meet, if that is not known. If they do not, their distance is.
void bvconvex_proof_decide( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start,
                            bvconvex_proof* proof );

/// Takes a polytope inside of the difference for an upper bound if the shapes overlap.
/// @param relative  width of the interval
/// @param whole     take lower bound, direction and points, too
void bvconvex_proof_depth( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                           bool whole, bvconvex_proof* proof );

/// Takes bounds that are found already.
void bvconvex_proof_take_depth( const bvconvex_depth* depth, bool whole, bvconvex_proof* proof );

/// The same of the shapes with their radii.
void bvconvex_proof_distance( const bvconvex_pair* pair, const bvconvex_proof* proof, bv_convex_result* out );

/// @return whether it is known if the shapes with their radii meet
bool bvconvex_proof_overlap( const bvconvex_pair* pair, const bvconvex_proof* proof,
                             bv_convex_overlap_result* out );

/// Stores the direction of a slab.
void bvconvex_proof_remember( bv_convex_cache* cache, bv_vec3 axis );

/// @return the stored direction; 0 for none
bv_vec3 bvconvex_proof_remembered( const bv_convex_cache* cache );

/// A shape with a radius.
typedef struct bvconvex_round_body
{
	bvconvex_support_function* support;
	const void* shape;
	double radius;
} bvconvex_round_body;

/// A pair whose shapes have the radii in their supports, and none besides. Must not be copied.
typedef struct bvconvex_round_pair
{
	bvconvex_pair pair;
	bvconvex_round_body body[2];
} bvconvex_round_pair;

/// @param radius  of each; if both are 0, polytopes remain polytopes
void bvconvex_round( const bvconvex_pair* pair, const double radius[2], bvconvex_round_pair* out );
