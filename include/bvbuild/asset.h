// The build pipeline: turns a source mesh into an asset, encodes it as a .bvh file, and verifies existing files.
//
//     bvb_asset_options options = bvb_asset_options_default();
//     bvb_asset asset;
//     bvb_bytes bytes;
//     bvb_asset_build( &scene, &source, &options, arena, &asset, &error ); // scene: see bvbuild/import.h
//     bvb_asset_encode( &asset, arena, &bytes, &error );
//     bvb_write_file( "rock.bvh", bytes.data, bytes.size, &error );

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/decompose.h"
#include "bvbuild/fit.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hierarchy.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"
#include "bvbuild/recognize.h"
#include "bvbuild/scene.h"
#include "bvbuild/side_files.h"
#include "bvbuild/simplify.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a mesh came from; written into the file.
typedef struct bvb_source
{
	const char* name;          ///< file name without folders
	const char* format;        ///< the reader's name
	uint8_t hash[16];          ///< XXH3-128 of the input's bytes, canonical (big-endian) order
	bvb_side_files side_files; ///< what else was read; none by default
} bvb_source;

/// Optional sections of a file. The origin and the mesh's counts and properties are always present.
typedef enum bvb_section
{
	bvb_section_mesh = 0,   ///< positions and triangles
	bvb_section_tree,       ///< the hierarchy; needs the mesh
	bvb_section_hull,       ///< the convex hull; stores its own positions if the mesh is absent
	bvb_section_bounds,     ///< bounds of the whole mesh
	bvb_section_mass,       ///< mass properties
	bvb_section_errors,     ///< of the hierarchy's nodes, unless errors.relative is 0; needs the tree
	bvb_section_primitives, ///< what the mesh is like, unless bvb_asset_options.recognize is 0
	bvb_section_edges, ///< kinds of each triangle's edges (bv_edge_kind), 2 bytes per triangle; needs the mesh
	bvb_section_source, ///< each triangle's face, object, group and material, 8 bytes per triangle; needs the mesh
	bvb_section_adjacency,     ///< each edge's vertices and triangles, 20 bytes an edge; needs the mesh
	bvb_section_hull_topology, ///< polygons, half-edges and neighbors of a polyhedron's hull; needs the hull
	bvb_section_radius,        ///< of each node, how far from the origin it reaches, 4 bytes; needs the tree
	bvb_section_node_quality,  ///< of each node, its area and what opening it costs, 12 bytes; needs the tree
	bvb_section_node_faces,    ///< of each node, faces that stand for its triangles, 41 bytes; needs the tree
	bvb_section_parts,         ///< convex parts that cover the mesh
	bvb_section_part_triangles, ///< of each part, the triangles it covers, 4 bytes each; needs parts and the mesh
	bvb_section_proxy,          ///< a mesh with few triangles that stands for the mesh
	bvb_section_count,          ///< how many there are
} bvb_section;

/// A set of sections: a bit mask of 1 << bvb_section.
typedef uint32_t bvb_sections;

/// @return the name of the section `index`, with what it is in `summary` unless that is null; null past the last
const char* bvb_section_name( uint32_t index, const char** summary );

/// @return the set of all sections up to and including bvb_section_primitives
bvb_sections bvb_sections_default( void );

/// @return the set without `left_out` and without all sections that need it
bvb_sections bvb_sections_without( bvb_sections sections, bvb_section left_out );

/// Checks that a set is complete.
/// @return bv_ok; bv_error_argument if a section needs another one that is not in the set
bv_status bvb_sections_check( bvb_sections sections, bvb_error* error );

/// A length in mesh units, or in percent of the mesh's size.
typedef struct bvb_tolerance
{
	double value; ///< 0 for none
	bool percent; ///< of the diagonal of the mesh's axis-aligned box, not mesh units
} bvb_tolerance;

/// The stages of a build, in order. The caller of bvb_asset_build performs the first and the last one.
typedef enum bvb_stage
{
	bvb_stage_import = 0, ///< reading the source
	bvb_stage_record,     ///< weld, clean, snap
	bvb_stage_hierarchy,  ///< the tree
	bvb_stage_topology,   ///< edges, components
	bvb_stage_hull,       ///< convex hull
	bvb_stage_mass,       ///< mass properties
	bvb_stage_fit,        ///< bounds of the whole mesh
	bvb_stage_hausdorff,  ///< errors of the nodes
	bvb_stage_recognize,  ///< primitives
	bvb_stage_decompose,  ///< convex parts
	bvb_stage_simplify,   ///< the proxy
	bvb_stage_write,      ///< encoding and writing the file
	bvb_stages,           ///< how many there are
} bvb_stage;

/// @return what a stage is called in reports, as in "hausdorff"
const char* bvb_stage_name( bvb_stage stage );

/// What a stage took, for reports; never written into a file.
typedef struct bvb_stage_use
{
	double seconds; ///< wall-clock time; 0 of a stage that was left out
	uint64_t
		memory; ///< most bytes that the process had resident by its end; of a stage left out those of the one before
} bvb_stage_use;

/// Told about long work, by one thread at a time.
/// @param stage  what is worked on now
/// @param done   0 .. 1, how much of that is done, never less than before; below 0 where it does not know, as when it begins
typedef void bvb_asset_progress( void* context, bvb_stage stage, double done );

/// All options that shape an asset.
typedef struct bvb_asset_options
{
	bvb_record_options record;       ///< scale, normalization, form of positions
	bvb_hierarchy_options hierarchy; ///< splitter, leaf size, depth, threads
	bvb_obb_options obb;             ///< how the box of the whole mesh is fitted
	bvb_tree_errors_options errors;  ///< how the nodes' errors are certified; relative 0 for not at all
	bvb_tolerance recognize;         ///< how near a primitive must be; default 1 %; 0 to try none
	bvb_decompose_options
		decompose;           ///< how the parts are made; of its tolerance the next one takes the place
	bvb_tolerance stand_off; ///< how far parts may be from the shape; default 1 %; 0: max_parts alone counts
	double density;          ///< of the body that moves, see bv_body; 0, the default, if it is not known
	double mass;             ///< or its mass; 0, the default, if it is not known
	bvb_tolerance simplify;  ///< how far the proxy may be from the mesh; default 1 %
	bvb_sections sections;   ///< what is wanted; nothing else is computed
	bvb_proxy_use proxies;   ///< what was done with them; only written down here
	const char* objects;     ///< which were picked; only written down here; null for all

	/// Owns the arrays of the scene's mesh, which are given back to it as soon as they are not needed any more, a seventh of all
	/// memory at its most; null, the default, when the caller wants to keep them.
	bvb_arena* scene_owner;

	/// Told of all stages; null, the default, for none. Of errors and parts it is told more than that they begin, unless these have
	/// someone of their own to tell.
	bvb_asset_progress* progress;
	void* progress_context; ///< passed on
} bvb_asset_options;

/// @return the defaults of each member, which are those of the preset "balanced"
bvb_asset_options bvb_asset_options_default( void );

/// @return the name of the preset `index`, from the fastest to build to the best to query, with the options that make it in
///         `summary` unless that is null; null past the last
const char* bvb_preset_name( uint32_t index, const char** summary );

/// The options of a preset: bvb_asset_options_default() with what the preset says.
/// @return whether a preset has that name; if not, `out` is unchanged
bool bvb_preset_options( const char* name, bvb_asset_options* out );

/// Writes the options that affect a file's content as text. bv_file_origin.parameters of the file begins with this text; the lines
/// of side files follow.
/// @param arena  the text lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_asset_parameters( const bvb_asset_options* options, bvb_arena* arena, bv_text* out );

/// Takes the first parameter off a text of them.
/// @param rest   the text; advanced to the next parameter, empty after the last one
/// @param name   receives the text before the first '=', or the whole line if it has no '='
/// @param value  receives the text after the '='
/// @return whether there was a parameter
bool bvb_next_parameter( bv_text* rest, bv_text* name, bv_text* value );

/// Finds the first parameter with a given name.
/// @return whether it exists; if not, `value` is unchanged
bool bvb_find_parameter( bv_text parameters, bv_text name, bv_text* value );

/// Where the triangles of record come from. The arrays are null when that is not wanted.
typedef struct bvb_source_map
{
	const char** names;  ///< of objects, groups and materials
	uint32_t name_count; ///< length of names
	uint32_t (
		*combinations )[3];     ///< names of object, group and material that occur together, or BVB_NO_NAME
	uint32_t combination_count; ///< length of combinations
	uint32_t* faces;            ///< of each triangle, the source's face
	uint32_t* combination;      ///< of each triangle, its combination
} bvb_source_map;

/// Everything that one file holds. Lives in the arena it was made in.
typedef struct bvb_asset
{
	bvb_source source;                ///< as given
	bvb_asset_options options;        ///< as given
	bvb_record record;                ///< the mesh of record, in the tree's order if there is one
	bvb_topology topology;            ///< how it hangs together
	double area;                      ///< of the mesh of record, square mesh units
	bv_mass mass[3];                  ///< by bv_mass_of, at density 1; when wanted
	bool has_mass[3];                 ///< which elements of mass are set; the solid needs a closed mesh
	bv_body body;                     ///< when it was given a density or a mass
	bool has_body;                    ///< whether it was
	bvb_hull hull;                    ///< of all vertices; when wanted or needed
	bv_file_bounds bounds;            ///< of all vertices; when wanted
	bvb_tree* tree;                   ///< over the mesh of record; null when not wanted
	bvb_tree_errors errors;           ///< of the tree's nodes; nodes is null when not wanted
	bv_recognized recognized;         ///< what the mesh is like; when wanted
	bv_primitive* primitives;         ///< one of each kind; null when not wanted
	uint16_t* edges;                  ///< of each triangle, 3 bits a side: bv_edge_kind; null when not wanted
	bvb_source_map origin;            ///< of each triangle
	bvb_edge* adjacency;              ///< each of topology.edges; null when not wanted
	bvb_hull_polygons hull_polygons;  ///< of the hull; no polygons when not wanted or no polyhedron
	bvb_decomposition decomposition;  ///< convex parts; none when not wanted
	bvb_simplified simplified;        ///< the proxy; without triangles when not wanted
	bvb_stage_use stages[bvb_stages]; ///< what each took; zeros of the stages that are the caller's
} bvb_asset;

/// Runs all stages.
/// @param scene   not changed, not kept. Of a mesh alone everything else may be zero: it has no names then, and
///                each triangle is a face
/// @param source  its strings are copied
/// @param arena   the result lives here
/// @return bv_ok or the first failing stage's status; bv_error_argument for sections without those they need, for errors to a relative tolerance other than 0
///         and 1e-6 .. 1 or a floor other than 1e-9 .. 1, for a tolerance of primitives or of parts that is no length,
///         for a density and a mass at once, and as bvb_body_make and bvb_decompose
bv_status bvb_asset_build( const bvb_scene* scene, const bvb_source* source, const bvb_asset_options* options,
                           bvb_arena* arena, bvb_asset* out, bvb_error* error );

/// Bytes of a file, 64-byte aligned.
typedef struct bvb_bytes
{
	void* data;  ///< lives in the arena it was made in
	size_t size; ///< bytes
} bvb_bytes;

/// Writes the asset as a .bvh file in memory. Equal assets give equal bytes.
/// @return bv_ok; bv_error_memory; bv_error_argument for a tree that bvb_tree_snap has not seen
bv_status bvb_asset_encode( const bvb_asset* asset, bvb_arena* arena, bvb_bytes* out, bvb_error* error );

/// What bvb_file_verify proved.
typedef struct bvb_verify_result
{
	uint64_t enclosures; ///< checked pairs of a volume and a vertex that it has to enclose
	uint64_t errors;     ///< of nodes, primitives and convex parts, that were measured again
} bvb_verify_result;

/// Verifies the content of an open file:
///  - Each bound, and each node's decoded volume, encloses all its vertices exactly (evaluated with a bound on rounding).
///  - Every vertex is used.
///  - The mesh's counts, flags and mass properties match its triangles.
///  - Errors match those of a new measurement.
///  - Parts are convex.
/// Claims about triangles that the file does not contain are not checked.
/// @param file     from bv_file_open, which has already checked structure, checksums and that every
///                 triangle is in exactly one leaf
/// @param scratch  memory for the check
/// @return bv_ok; bv_error_damaged with what does not hold; bv_error_memory
bv_status bvb_file_verify( const bv_file* file, bvb_arena* scratch, bvb_verify_result* out,
                           bvb_error* error );

/// A file mapped into memory.
typedef struct bvb_mapping
{
	const bv_file* file; ///< checked
	const void* data;    ///< the mapping
	size_t size;         ///< bytes
} bvb_mapping;

/// Maps a .bvh file and checks it.
/// @return bv_ok; bv_error_input when it cannot be read; bv_error_unsupported or bv_error_damaged from
///         bv_file_open
bv_status bvb_file_map( const char* path, bvb_mapping* out, bvb_error* error );

/// Reads a .bvh file into memory of its own and checks it: for files that may change while they are used, and where mapping is
/// not to be had.
/// @param arena  the file lives here
/// @return as bvb_file_map; bv_error_memory
bv_status bvb_file_read( const char* path, bvb_arena* arena, const bv_file** out, bvb_error* error );

/// Ends a mapping; its bv_file must not be used any more.
void bvb_file_unmap( bvb_mapping* mapping );

#ifdef __cplusplus
}
#endif
