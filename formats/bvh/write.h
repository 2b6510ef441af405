// What write.c is made of: sections that take more than copying.

#pragma once

#include "bvbuild/asset.h"
#include "runtime/file/view.h"

/// A text on its way into the file.
typedef struct bvfmt_text
{
	char* data;
	size_t length;
} bvfmt_text;

/// All texts of a file. They live in the arena they were made in.
typedef struct bvfmt_texts
{
	bvfmt_text tool;
	bvfmt_text name;
	bvfmt_text format;
	bvfmt_text parameters;
	bvfmt_text* names;   ///< of the source's objects, groups and materials
	uint64_t name_bytes; ///< of all of them
} bvfmt_texts;

/// @return whether there was memory
bool bvfmt_collect_texts( const bvb_asset* asset, bvb_arena* arena, bvfmt_texts* out );

/// @return how many bytes bvfmt_write_origin writes
uint64_t bvfmt_origin_bytes( const bvfmt_texts* texts );

/// Writes ORGN.
void bvfmt_write_origin( const bvb_asset* asset, const bvfmt_texts* texts, bvfile_origin* out );

/// @return how many bytes bvfmt_write_source writes
uint64_t bvfmt_source_bytes( const bvb_asset* asset, const bvfmt_texts* texts );

/// Writes SRCE.
void bvfmt_write_source( const bvb_asset* asset, const bvfmt_texts* texts, char* out );

/// @return whether some node has a prism: then NODE is of version 2
bool bvfmt_has_prisms( const bvb_tree* tree );

/// @return what version 1 of NODE holds of costs
bvfile_costs bvfmt_stored_costs( const bv_costs* costs );

/// @param tree  its volumes are snapped
/// @return how many bytes bvfmt_write_nodes writes
uint64_t bvfmt_measure_nodes( const bvb_tree* tree );

/// Writes NODE.
/// @param out  so many zeros
void bvfmt_write_nodes( const bvb_tree* tree, const bv_costs* costs, bvfile_hierarchy* out );

/// Writes a vertex of the mesh of record as POSN has it.
void bvfmt_write_position( const bvb_record* record, uint32_t vertex, void* out );

/// @param own  its vertices are written as positions, not as indices of the mesh's
/// @return how many bytes bvfmt_write_hull writes
uint64_t bvfmt_hull_bytes( const bvb_hull* hull, const bvfile_mesh* mesh, bool own );

/// Writes HULL.
/// @param mesh  as written
void bvfmt_write_hull( const bvb_hull* hull, const bvb_record* record, const bvfile_mesh* mesh, bool own,
                       void* out );

/// Writes ADJC.
void bvfmt_write_adjacency( const bvb_edge* edges, uint32_t count, void* out );

/// @return how many bytes bvfmt_write_hull_topology writes
uint64_t bvfmt_hull_topology_bytes( const bvb_hull_polygons* polygons );

/// Writes HTOP.
void bvfmt_write_hull_topology( const bvb_hull_polygons* polygons, void* out );

/// Writes RADI.
/// @param file  all but that, and but hashes
void bvfmt_write_radius( const bv_file* file, float* out );

/// @return how many bytes NQAL has
uint64_t bvfmt_node_quality_bytes( uint32_t nodes );

/// Writes NQAL.
/// @param file  as of bvfmt_write_radius
void bvfmt_write_node_quality( const bv_file* file, void* out );

/// @return how many bytes NFAC has
uint64_t bvfmt_node_faces_bytes( uint32_t nodes );

/// Writes NFAC.
/// @param file   as of bvfmt_write_radius
/// @param mesh   the file's
/// @param arena  for the work
/// @return bv_ok; bv_error_memory
bv_status bvfmt_write_node_faces( const bv_file* file, const bvb_mesh* mesh, bvb_arena* arena, void* out,
                                  bvb_error* error );

/// @return bv_ok; bv_error_argument for what PART has no place for, such as faces that do not close a part; bv_error_limit
bv_status bvfmt_check_decomposition( const bvb_decomposition* decomposition, bvb_error* error );

/// @return how many bytes bvfmt_write_parts writes
uint64_t bvfmt_parts_bytes( const bvb_decomposition* decomposition );

/// Writes PART.
void bvfmt_write_parts( const bvb_decomposition* decomposition, void* out );

/// @return bv_ok; bv_error_argument for a proxy with more triangles than the mesh has
bv_status bvfmt_check_simplified( const bvb_simplified* proxy, uint32_t triangles, bvb_error* error );

/// @return how many bytes bvfmt_write_proxy writes
uint64_t bvfmt_proxy_bytes( const bvb_simplified* proxy );

/// Writes PRXY.
void bvfmt_write_proxy( const bvb_simplified* proxy, void* out );

/// @return how many bytes bvfmt_write_part_triangles writes
uint64_t bvfmt_part_triangles_bytes( const bvb_decomposition* decomposition );

/// Writes PTRI.
void bvfmt_write_part_triangles( const bvb_decomposition* decomposition, void* out );

/// TRIS on its way into the file. The arrays live in the arena they were made in.
typedef struct bvfmt_clusters
{
	bvfile_triangles head;
	bvfile_cluster* clusters;
	uint32_t* references; ///< of all clusters one after another
	uint8_t* codes;       ///< three a triangle
} bvfmt_clusters;

/// Divides triangles into clusters.
/// @param mesh  its vertices numbered by first use, none unused
/// @return bv_ok; bv_error_argument for other numbers; bv_error_memory
bv_status bvfmt_cluster_triangles_of( const bvb_mesh* mesh, bvb_arena* arena, bvfmt_clusters* out,
                                      bvb_error* error );

/// @return how many bytes bvfmt_write_triangles writes
uint64_t bvfmt_triangles_bytes( const bvfmt_clusters* clusters, uint32_t triangles );

/// Writes TRIS.
/// @param out  zeros
void bvfmt_write_triangles( const bvfmt_clusters* clusters, uint32_t triangles, void* out );
