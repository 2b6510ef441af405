// What write.c is made of: sections that take more than copying.

#pragma once

#include "bvbuild/asset.h"
#include "formats/bvh/layout.h"

/// Writes a vertex of the mesh of record as POSN has it.
void bvh_write_position( const bvb_record* record, uint32_t vertex, void* out );

/// @param own  its vertices are written as positions, not as indices of the mesh's
/// @return how many bytes bvh_write_hull writes
uint64_t bvh_hull_bytes( const bvb_hull* hull, const bvh_mesh* mesh, bool own );

/// Writes HULL.
/// @param mesh  as written
void bvh_write_hull( const bvb_hull* hull, const bvb_record* record, const bvh_mesh* mesh, bool own,
                     void* out );

/// Writes ADJC.
void bvh_write_adjacency( const bvb_edge* edges, uint32_t count, void* out );

/// @return how many bytes bvh_write_hull_topology writes
uint64_t bvh_hull_topology_bytes( const bvb_hull_polygons* polygons );

/// Writes HTOP.
void bvh_write_hull_topology( const bvb_hull_polygons* polygons, void* out );

/// Writes RADI.
/// @param file  all but that, and but hashes
void bvh_write_radius( const bv_file* file, float* out );

/// @return how many bytes NQAL has
uint64_t bvh_node_quality_bytes( uint32_t nodes );

/// Writes NQAL.
/// @param file  as of bvh_write_radius
void bvh_write_node_quality( const bv_file* file, void* out );

/// @return how many bytes NFAC has
uint64_t bvh_node_faces_bytes( uint32_t nodes );

/// Writes NFAC.
/// @param file   as of bvh_write_radius
/// @param mesh   the file's
/// @param arena  for the work
/// @return bv_ok; bv_error_memory
bv_status bvh_write_node_faces( const bv_file* file, const bvb_mesh* mesh, bvb_arena* arena, void* out,
                                bvb_error* error );

/// TRIS on its way into the file. The arrays live in the arena they were made in.
typedef struct bvh_clusters
{
	bvh_triangles head;
	bvh_cluster* clusters;
	uint32_t* references; ///< of all clusters one after another
	uint8_t* codes;       ///< three a triangle
} bvh_clusters;

/// Divides triangles into clusters.
/// @param mesh  its vertices numbered by first use, none unused
/// @return bv_ok; bv_error_argument for other numbers; bv_error_memory
bv_status bvh_cluster_triangles_of( const bvb_mesh* mesh, bvb_arena* arena, bvh_clusters* out,
                                    bvb_error* error );

/// @return how many bytes bvh_write_triangles writes
uint64_t bvh_triangles_bytes( const bvh_clusters* clusters, uint32_t triangles );

/// Writes TRIS.
/// @param out  zeros
void bvh_write_triangles( const bvh_clusters* clusters, uint32_t triangles, void* out );
