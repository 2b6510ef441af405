// The stages of a clip: its mesh of record, its hierarchy, and boxes of nodes over time.
//
// The mesh of record is the pose of the first sample at which no triangle is flat that has an area at another sample.
// Vertices are merged only if they are at the same place at all samples, so that nothing tears when the clip plays.
// The hierarchy is built at several samples; the one whose cost, summed over all samples, is least is taken.

#pragma once

#include "bvbuild/asset.h"
#include "offline/mesh/weld.h"

/// A clip and the mesh of record that was made of it.
typedef struct bvasset_clip
{
	const bvb_scene* scene; ///< with a clip
	bvmesh_placing placing; ///< of the mesh of record
	bv_vec3 center;         ///< subtracted after that
	double radius;          ///< divided by after that
	bv_vec3 offset;         ///< subtracted at last
	double displacement;    ///< of vertices of the mesh of record
	uint32_t record;        ///< sample whose pose it is
} bvasset_clip;

/// Checks that the options go with a clip, and the clip with its scene.
/// @return bv_ok; bv_error_argument
bv_status bvasset_clip_check( const bvb_scene* scene, const bvb_asset_options* options, bvb_error* error );

/// Makes the mesh of record of a scene with a clip.
/// @param arena  the mesh lives here
/// @return bv_ok; bv_error_input if no sample has all triangles; as bvb_mesh_record
bv_status bvasset_clip_record( const bvb_scene* scene, const bvb_record_options* options, bvb_arena* arena,
                               bvasset_clip* out, bvb_record* record, bvb_error* error );

/// @param vertex  of the scene
/// @param sample  less than the clip's samples
/// @return the position in coordinates of the mesh of record, not rounded to its form
bv_vec3 bvasset_clip_position( const bvasset_clip* c, uint32_t vertex, uint32_t sample );

/// @param vertex   of the scene
/// @param segment  less than the clip's segments
/// @return a box in coordinates of the mesh of record that encloses the vertex all the time
bv_aabb bvasset_clip_swept( const bvasset_clip* c, uint32_t vertex, uint32_t segment );

/// Finds a vertex of the scene for each vertex of the mesh of record.
/// @param mesh  of record, in any order
/// @param out   receives them
void bvasset_clip_find_vertices( const bvasset_clip* c, const bvb_mesh* mesh, uint32_t* out );

/// Chooses the hierarchy and puts the mesh of record into its order.
/// @param mesh   of record
/// @param arena  results live here
/// @param out    receives costs and candidates
/// @param tree   receives the hierarchy, fitted to the mesh of record
/// @return bv_ok; as bvb_hierarchy_build
bv_status bvasset_clip_build( const bvasset_clip* c, const bvb_hierarchy_options* options, bvb_mesh* mesh,
                              bvb_arena* arena, bvb_clip_asset* out, bvb_tree** tree, bvb_error* error );

/// Computes boxes of nodes over time, their errors, and frames if they are wanted.
/// @param mesh    of record, in the order of the tree
/// @param tree    as it will be stored
/// @param frames  whether positions at all samples are wanted
/// @return bv_ok; bv_error_memory
bv_status bvasset_clip_enclose( const bvasset_clip* c, const bvb_mesh* mesh, const bvb_tree* tree,
                                bool frames, uint32_t threads, bvb_arena* arena, bvb_clip_asset* out,
                                bvb_error* error );
