// What write.c is made of: sections on their way into the file.

#pragma once

#include "bvbuild/asset.h"
#include "formats/bvh/sections.h"
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

/// TRIS on its way into the file. The arrays live in the arena they were made in.
typedef struct bvfmt_clusters
{
	bvfile_triangles head;
	bvfile_cluster* clusters;
	uint32_t* references; ///< of all clusters one after another
	uint8_t* codes;       ///< three a triangle
} bvfmt_clusters;

/// A file that is being written.
typedef struct bvfmt_writing
{
	const bvb_asset* asset;
	bvb_arena* arena;                       ///< for the work
	uint16_t version[bvfile_section_count]; ///< of each section; 1 unless it is prepared otherwise
	uint16_t minor[bvfile_section_count];   ///< the first minor version of the format that has that version
	bvfmt_texts texts;                      ///< for ORGN and SRCE
	bvfile_mesh mesh;                       ///< MESH
	bvfmt_clusters clusters;                ///< for TRIS
	bvfmt_text clip_name;                   ///< for CLIP
	const bv_file* file; ///< all sections before the one that is written; null until the first is
} bvfmt_writing;

/// Makes what must be known before the file's size is. Sections are prepared in the order of BVFILE_SECTIONS.
/// @return bv_ok; bv_error_memory; bv_error_argument or bv_error_limit for what the section has no place for
typedef bv_status bvfmt_prepare( bvfmt_writing* w, bvb_error* error );

/// @return how many bytes the section has; 0 if the file does not have it
typedef uint64_t bvfmt_size( const bvfmt_writing* w );

/// Writes the section.
/// @param out  so many zeros
/// @return bv_ok; bv_error_memory
typedef bv_status bvfmt_write( const bvfmt_writing* w, void* out, bvb_error* error );

// bvfmt_prepare_origin, bvfmt_size_origin, bvfmt_write_origin, bvfmt_prepare_mesh, ...
#define BVFILE_ROW( section, ... )         \
	bvfmt_prepare bvfmt_prepare_##section; \
	bvfmt_size bvfmt_size_##section;       \
	bvfmt_write bvfmt_write_##section;
BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW

/// @return whether a section was asked for
static inline bool bvfmt_wants( const bvfmt_writing* w, bvb_section section )
{
	return w->asset->options.sections >> section & 1;
}

/// @return how many nodes the hierarchy has; 0 without one
uint32_t bvfmt_node_count( const bvfmt_writing* w );

/// @return what version 1 of NODE holds of costs
bvfile_costs bvfmt_stored_costs( const bv_costs* costs );

/// Writes a vertex of the mesh of record as POSN has it.
void bvfmt_write_position( const bvb_record* record, uint32_t vertex, void* out );

/// @return an edge as ADJC has it
bvfile_edge bvfmt_stored_edge( const bvb_edge* edge );

/// @return how many bytes bvfmt_encode_hull_topology writes
uint64_t bvfmt_hull_topology_bytes( const bvb_hull_polygons* polygons );

/// Writes polygons as HTOP has them.
void bvfmt_encode_hull_topology( const bvb_hull_polygons* polygons, void* out );
