// A medial axis that is approximated the more closely the more its spheres protrude: Bradshaw's and
// O'Sullivan's (2004). See medial_axis.c.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/hausdorff/index.h"
#include "offline/hull/tetrahedra.h"
#include "offline/literature/spheres/face_pieces.h"

/// What tells how deep points are in a shape: for one thread.
typedef struct bvlit_depth_probe
{
	bvhaus_index* index;        ///< of all triangles
	const bvb_winding* winding; ///< of the mesh
} bvlit_depth_probe;

/// Prepares one.
/// @param winding  kept
/// @param arena    the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvlit_depth_probe_create( const bvb_mesh* mesh, const bvb_winding* winding, bvb_arena* arena,
                                    bvlit_depth_probe* out );

/// A bvlit_depth_function.
/// @param probe  a bvlit_depth_probe
double bvlit_depth_of( void* probe, bv_vec3 point, double wanted );

/// A sphere about a Voronoi vertex.
typedef struct bvlit_medial_sphere
{
	bv_vec3 center; ///< mesh units
	double radius;  ///< as far as to the samples that it touches
	double depth;   ///< of the center
	bv_vec3 foot;   ///< the surface's nearest point
	bool inside;    ///< whether the center is inside of the shape; nothing else is known of others
	uint32_t born;  ///< number of the insertion that made it
} bvlit_medial_sphere;

/// A sphere that waits to be refined.
typedef struct bvlit_medial_entry
{
	double error;   ///< what it protrudes by at most
	uint32_t place; ///< where it is
	uint32_t born;  ///< or was: when that is what is there
} bvlit_medial_entry;

/// The approximation: spheres about those Voronoi vertices of samples that are inside.
typedef struct bvlit_medial_axis
{
	bvhull_tetrahedra diagram;       ///< of the samples
	bvlit_medial_sphere* spheres;    ///< by place of the diagram
	uint32_t* piece;                 ///< of each sample, by point of the diagram: where it is
	const bvlit_face_pieces* pieces; ///< of the surface
	bvlit_depth_probe probe;         ///< of the shape
	bv_aabb box;                     ///< round the surface
	uint32_t last;                   ///< a place that is alive
	uint32_t insertions;             ///< so many there were
	bvlit_medial_entry* heap;        ///< memory of refinements
} bvlit_medial_axis;

/// A part of the surface, and how well its medial axis is to be known.
typedef struct bvlit_refinement
{
	const uint32_t* owner;   ///< of each piece: the region that it is in
	uint32_t region;         ///< that counts
	const uint32_t* members; ///< pieces of the region
	uint32_t member_count;   ///< at least 1
	const uint32_t* places;  ///< of inner spheres that touch samples of the region
	uint32_t place_count;    ///< length of places
	double error;            ///< spheres are to protrude by no more than this
	double least_error; ///< those that protrude by no more than this are not refined, however few there are
	uint32_t least_spheres; ///< there are to be as many as this
	uint32_t most_samples;  ///< no more may be inserted
} bvlit_refinement;

/// Begins with a few samples all over the surface.
/// @param mesh          of the pieces
/// @param pieces        kept
/// @param probe         kept
/// @param most_samples  that there will ever be
/// @param arena         the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvlit_medial_axis_create( const bvb_mesh* mesh, const bvlit_face_pieces* pieces,
                                    const bvlit_depth_probe* probe, uint32_t most_samples, bvb_arena* arena,
                                    bvlit_medial_axis* out );

/// Refines the axis about a region: samples where the surface is not covered, and then, as long as need be,
/// one where the sphere protrudes that does so most.
void bvlit_medial_axis_refine( bvlit_medial_axis* axis, const bvlit_refinement* r );
