// Proofs of what sections say, for verify.c.

#pragma once

#include "bvbuild/asset.h"
#include "runtime/file/layout.h"

/// A file that is verified.
typedef struct bvverify_verification
{
	const bv_file* file;
	const bvb_mesh* mesh; ///< the file's; null if it has none: then nothing is compared with it

	/// the hull's corners, and its triangles if it is a polyhedron; null if the file has none
	const bvb_mesh* hull;

	const bvb_adjacency* adjacency; ///< of the mesh; null without one, and while MESH is verified
	bvb_arena* scratch;
	bvb_verify_result* result; ///< what was counted so far
} bvverify_verification;

/// Proves what a section says, if the file has it.
/// @return bv_ok; bv_error_damaged with a message that names the failed check; bv_error_memory
typedef bv_status bvverify_verify( bvverify_verification* v, bvb_error* error );

// bvverify_section_origin, bvverify_section_mesh, ... Those that sections.h names exist.
#define BVFILE_ROW( section, ... ) bvverify_verify bvverify_section_##section;
BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW

typedef struct bvverify_bodies bvverify_bodies; // verify_bodies.h

/// No point of a triangle is farther than a distance from all parts.
/// @param distance  mesh units, not below 2^-40 of the largest coordinate
/// @param arena     for scratch memory
bv_status bvverify_cover( const bvverify_bodies* bodies, const bvb_mesh* mesh, double distance,
                          bvb_arena* arena, bvb_error* error );

/// Nothing inside of a closed mesh, whose triangles parts cover to that distance, is left out by parts whose
/// planes are moved outwards by twice the distance.
bv_status bvverify_inside( const bvverify_bodies* bodies, const bvb_winding* winding, double distance,
                           bvb_arena* arena, bvb_error* error );

/// Neighbors have a point in common, and parts that have one are neighbors.
bv_status bvverify_neighbors( const bv_file* file, bvb_arena* scratch, bvb_error* error );
