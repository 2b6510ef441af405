// The build pipeline: from a source mesh to the bytes of a .bvh file, and back from a file to a checked
// mapping.
//
//     #include <bvbuild/asset.h>
//     #include <bvbuild/import.h>
//     #include <string.h>
//
//     // Builds a .bvh file from a mesh file in the current folder, with the default options.
//     bv_status build( const char* name, const char* out, bvb_arena* arena, bvb_error* error )
//     {
//         bvb_import_options limits = bvb_import_options_default();
//         bvb_asset_options how = bvb_asset_options_default();
//         bvb_import in = { 0 };
//         bvb_asset asset;
//         bvb_bytes bytes;
//         bv_status status = bvb_import_file( name, &limits, arena, &in, error );
//         bvb_source source = { .name = name, .format = in.format, .side_files = in.side_files };
//         memcpy( source.hash, in.hash, sizeof source.hash );
//         if ( status == bv_ok ) status = bvb_asset_build( &in.scene, &source, &how, arena, &asset, error );
//         if ( status == bv_ok ) status = bvb_asset_encode( &asset, arena, &bytes, error );
//         if ( status == bv_ok ) status = bvb_write_file( out, bytes.data, bytes.size, error );
//         return status;
//     }

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"
#include "bvbuild/clip.h"
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

/// The name of the parameter, after the options, that records what the import skipped. Its value is the number
/// of losses, a space and the first warning about one.
#define BVB_SKIPPED_PARAMETER "skipped"

/// The source of a mesh, which is recorded in the file.
typedef struct bvb_source
{
	const char* name;          ///< file name without folders
	const char* format;        ///< name of the reader
	uint8_t hash[16];          ///< XXH3-128 of the source's bytes, canonical (big-endian) order
	bvb_side_files side_files; ///< other files that affect the result; may be empty
	uint64_t losses;           ///< of the import: warnings about geometry that was skipped
	const char* warning;       ///< of the import: the first of them; null without losses
} bvb_source;

/// The optional sections of a file. The origin of the file, and counts and properties of the mesh, are always
/// present.
typedef enum bvb_section
{
	bvb_section_mesh = 0,   ///< positions and triangles
	bvb_section_tree,       ///< hierarchy; needs the mesh
	bvb_section_hull,       ///< convex hull; stores its own positions if the mesh is not stored
	bvb_section_bounds,     ///< bounding volumes of the whole mesh
	bvb_section_mass,       ///< mass properties
	bvb_section_errors,     ///< errors of the hierarchy's nodes, unless errors.relative is 0; needs the tree
	bvb_section_primitives, ///< primitive recognition, unless bvb_asset_options.recognize is 0
	bvb_section_edges,      ///< kind of each edge of each triangle, 2 bytes per triangle; needs the mesh

	/// Face, object, group and material of each triangle, 8 bytes per triangle; needs the mesh.
	bvb_section_source,

	bvb_section_adjacency,      ///< vertices and triangles of each edge, 20 bytes per edge; needs the mesh
	bvb_section_hull_topology,  ///< polygons, half-edges and neighbors of a polyhedral hull; needs the hull
	bvb_section_radius,         ///< radius of each node about the origin, 4 bytes per node; needs the tree
	bvb_section_node_quality,   ///< area and cost of each node, 12 bytes per node; needs the tree
	bvb_section_node_faces,     ///< faces that approximate each subtree, 41 bytes per node; needs the tree
	bvb_section_parts,          ///< convex parts that cover the mesh
	bvb_section_part_triangles, ///< triangles covered by each part, 4 bytes each; needs parts and the mesh
	bvb_section_proxy,          ///< proxy mesh with few triangles
	bvb_section_count,          ///< the number of sections
} bvb_section;

/// A set of sections: a bit 1 << bvb_section for each.
typedef uint32_t bvb_sections;

/// Returns the names of the sections.
/// @param index    counted from 0
/// @param summary  receives a description; may be null
/// @return the name; null past the last
const char* bvb_section_name( uint32_t index, const char** summary );

/// @return all sections up to bvb_section_primitives
bvb_sections bvb_sections_default( void );

/// @return the set without `left_out` and without the sections that need it
bvb_sections bvb_sections_without( bvb_sections sections, bvb_section left_out );

/// Checks that a set has all sections that its members need.
/// @return bv_ok; bv_error_argument if a needed section is missing
bv_status bvb_sections_check( bvb_sections sections, bvb_error* error );

/// A length.
typedef struct bvb_tolerance
{
	double value; ///< in mesh units or percent; 0 for no tolerance
	bool percent; ///< the value is in percent of the diagonal of the mesh's AABB
} bvb_tolerance;

/// The stages of a build, in their order. The first and the last are run by the caller of bvb_asset_build.
typedef enum bvb_stage
{
	bvb_stage_import = 0, ///< read the source
	bvb_stage_record,     ///< weld, clean and round: the mesh of record
	bvb_stage_hierarchy,  ///< build the tree
	bvb_stage_topology,   ///< edges and components
	bvb_stage_hull,       ///< convex hull
	bvb_stage_mass,       ///< mass properties
	bvb_stage_fit,        ///< bounding volumes of the whole mesh
	bvb_stage_hausdorff,  ///< errors of the nodes, and their boxes over a clip
	bvb_stage_recognize,  ///< primitive recognition
	bvb_stage_decompose,  ///< convex parts
	bvb_stage_simplify,   ///< proxy mesh
	bvb_stage_write,      ///< encode and write the file
	bvb_stages,           ///< the number of stages
} bvb_stage;

/// @return the name of the stage in reports, such as "hausdorff"
const char* bvb_stage_name( bvb_stage stage );

/// Time and memory of a stage, for reports. Not written to the file.
typedef struct bvb_stage_use
{
	double seconds; ///< wall-clock time; 0 if the stage was skipped

	/// Peak resident memory of the process at the end of the stage, bytes. For a skipped stage, that of the
	/// previous stage.
	uint64_t memory;
} bvb_stage_use;

/// Receives the progress of a build. Called by one thread at a time.
/// @param stage  the current stage
/// @param done   progress of the stage, 0 to 1, never decreasing; negative if unknown, as at its start
typedef void bvb_asset_progress( void* context, bvb_stage stage, double done );

/// Options of a build.
typedef struct bvb_asset_options
{
	bvb_record_options record;       ///< options of bvb_mesh_record
	bvb_hierarchy_options hierarchy; ///< options of bvb_hierarchy_build
	bvb_obb_options obb;             ///< options for the oriented box of the whole mesh
	bvb_tree_errors_options errors;  ///< options of bvb_hausdorff_tree; relative 0 to skip it
	bvb_tolerance recognize;         ///< tolerance of primitive recognition; default 1 %; 0 to skip it
	bvb_decompose_options decompose; ///< options of bvb_decompose; its tolerance is replaced by `stand_off`

	/// Allowed stand-off of parts; default 1 %; 0 to limit only their number.
	bvb_tolerance stand_off;

	double density;         ///< density of the bv_body; default 0, unknown
	double mass;            ///< mass of the bv_body; default 0, unknown
	bvb_tolerance simplify; ///< maximum distance of the proxy mesh; default 1 %
	bvb_sections sections;  ///< sections to compute
	bvb_clip_options clip;  ///< which clip the scene has; name and numbers are only recorded in the file
	bvb_proxy_use proxies;  ///< how collision names were treated; only recorded in the file
	const char* objects;    ///< objects that were selected, null for all; only recorded in the file

	/// Arena that owns the arrays of the scene's mesh. The arrays are released to it as soon as they are no
	/// longer needed, which reduces peak memory by a seventh. Null, the default, to keep them.
	bvb_arena* scene_owner;

	/// Receives the progress of all stages; default null. For errors and parts this includes the progress
	/// inside the stage, unless their own options have a progress callback.
	bvb_asset_progress* progress;

	void* progress_context; ///< passed to `progress`
} bvb_asset_options;

/// @return the defaults of all options, which are those of the preset "balanced"
bvb_asset_options bvb_asset_options_default( void );

/// Returns the names of the presets, from the fastest build to the fastest queries.
/// @param index    counted from 0
/// @param summary  receives the options that define the preset, which live as long as the calling thread; may
///                 be null
/// @return the name; null past the last
const char* bvb_preset_name( uint32_t index, const char** summary );

/// Returns the options of a preset: bvb_asset_options_default() with the changes of the preset.
/// @return whether there is such a preset; `out` is set only then
bool bvb_preset_options( const char* name, bvb_asset_options* out );

/// Formats the options that affect the content of a file. The text is the start of the file's
/// bv_file_origin.parameters; the lines of side files follow it.
/// @param arena  the text lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_asset_parameters( const bvb_asset_options* options, bvb_arena* arena, bv_text* out );

/// Removes the first parameter from a text of parameters.
/// @param rest   in: the text; out: the text after the first parameter, empty past the last
/// @param name   receives the text before the first '=', or the whole line if there is no '='
/// @param value  receives the text after the '='
/// @return whether there was a parameter
bool bvb_next_parameter( bv_text* rest, bv_text* name, bv_text* value );

/// Finds the first parameter with a given name.
/// @param value  receives its value
/// @return whether there is one; `value` is set only then
bool bvb_find_parameter( bv_text parameters, bv_text name, bv_text* value );

/// The origin of the triangles of the mesh of record. The arrays are null if bvb_section_source is not
/// requested.
typedef struct bvb_source_map
{
	const char** names;  ///< names of objects, groups and materials
	uint32_t name_count; ///< length of names

	/// Combinations of object, group and material that occur: indices into `names`, or BVB_NO_NAME.
	uint32_t ( *combinations )[3];

	uint32_t combination_count; ///< length of combinations
	uint32_t* faces;            ///< face of the source of each triangle
	uint32_t* combination;      ///< combination of each triangle
} bvb_source_map;

/// A box of a node over a time, on the grid of bvb_clip_asset, and its error.
typedef struct bvb_clip_box
{
	uint16_t lower[3]; ///< steps of the grid
	uint16_t upper[3]; ///< steps of the grid

	/// Upper bound of the distance of a point of the box from the triangles of the node, at the nearest time.
	float error;
} bvb_clip_box;

/// A hierarchy that was tried for a clip.
typedef struct bvb_clip_candidate
{
	uint32_t sample; ///< whose pose it was built for
	uint32_t nodes;  ///< number of nodes
	double cost;     ///< sum over all samples of the expected cost after fitting the volumes anew
} bvb_clip_candidate;

/// The maximum number of hierarchies that are tried for a clip: for the mesh of record, at a quarter, half and three
/// quarters of the samples, and at the sample at which the first hierarchy is worst.
#define BVB_MAX_CLIP_CANDIDATES 5

/// A clip with boxes for the nodes of a hierarchy. Coordinates are those of the mesh of record.
typedef struct bvb_clip_asset
{
	const char* name;  ///< of the clip; may be empty
	double start;      ///< seconds
	double end;        ///< seconds
	uint32_t samples;  ///< as bvb_clip; 0 without a clip
	uint32_t segments; ///< as bvb_clip
	uint32_t record;   ///< sample whose pose is the mesh of record
	bool moves;        ///< whether a vertex of the mesh is not at the same place all the time

	bv_vec3 origin; ///< of the grid of boxes and frames, a multiple of the step
	double step;    ///< a power of two

	uint32_t sets; ///< boxes per node: 1, or 1 + segments if there are several segments

	/// Box of node n over the whole clip: boxes[n]; over segment s: boxes[( 1 + s ) * nodes + n].
	bvb_clip_box* boxes;

	/// Expected cost of the hierarchy at each sample, after fitting its volumes anew; 0 for a pose without area.
	double* costs;

	/// Expected cost of a hierarchy that was built for the sample; 0 if none was.
	double* rebuilt;

	bvb_clip_candidate candidates[BVB_MAX_CLIP_CANDIDATES]; ///< in the order in which they were tried
	uint32_t candidate_count;                               ///< length of candidates
	uint32_t chosen;                                        ///< index of the candidate with the lowest cost

	/// Positions at each sample in steps of the grid, by sample, then by vertex of the mesh of record. Null unless
	/// bvb_clip_options.frames is set.
	uint16_t ( *frames )[3];
} bvb_clip_asset;

/// The content of a file. Lives in the arena of the function that made it. Members whose section was not
/// requested are empty. All positions and places are relative to `record.offset`.
typedef struct bvb_asset
{
	bvb_source source;         ///< as given
	bvb_asset_options options; ///< as given
	bvb_record record;         ///< mesh of record, in the order of the tree if there is one
	bvb_topology topology;     ///< connectivity of the mesh of record
	double area;               ///< area of the mesh of record, square mesh units
	bv_mass mass[3];           ///< mass properties at density 1, by bv_mass_of

	/// Which mass properties exist; those of the solid only for closed meshes.
	bool has_mass[3];

	bv_body body;             ///< the body with the given density or mass
	bool has_body;            ///< a density or a mass was given
	bvb_hull hull;            ///< hull of all vertices; if requested or needed by another section
	bv_file_bounds bounds;    ///< bounding volumes of all vertices
	bvb_tree* tree;           ///< hierarchy over the mesh of record; null if not requested
	bvb_tree_errors errors;   ///< errors of the tree's nodes; `nodes` is null if not requested
	bv_recognized recognized; ///< result of primitive recognition
	bv_primitive* primitives; ///< one primitive of each kind; null if not requested

	/// The bv_edge_kind of each side of each triangle, 3 bits per side; null if not requested.
	uint16_t* edges;

	bvb_source_map origin;            ///< origin of each triangle
	bvb_edge* adjacency;              ///< topology.edges edges; null if not requested
	bvb_hull_polygons hull_polygons;  ///< empty if not requested, or if the hull is not a polyhedron
	bvb_decomposition decomposition;  ///< convex parts; no parts if not requested
	bvb_simplified simplified;        ///< proxy mesh; no triangles if not requested
	bvb_clip_asset clip;              ///< clip of the scene; no samples without one
	bvb_stage_use stages[bvb_stages]; ///< time and memory of each stage; 0 for the stages run by the caller
} bvb_asset;

/// Runs all stages of a build.
/// @param scene   not changed and not kept, except as described for scene_owner. Only its mesh is required;
///                all other members may be zero. Then names are missing, and each triangle is a face.
/// @param source  its strings are copied
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument if a section lacks a section that it needs, errors.relative is neither 0
/// nor in 1e-6 .. 1, errors.floor is not in 1e-9 .. 1, a tolerance of primitives or parts is not a valid
/// length, both density and mass are given, or an option does not go with a clip of the scene; bv_error_input if
/// no sample of the clip has all triangles; otherwise the status of the first stage that fails, see
/// bvb_mesh_record, bvb_body_make and bvb_decompose
bv_status bvb_asset_build( const bvb_scene* scene, const bvb_source* source, const bvb_asset_options* options,
                           bvb_arena* arena, bvb_asset* out, bvb_error* error );

/// The bytes of a file.
typedef struct bvb_bytes
{
	void* data;  ///< 64-byte aligned; lives in the arena of the function that made it
	size_t size; ///< bytes
} bvb_bytes;

/// Encodes an asset as a .bvh file in memory. Equal assets give equal bytes.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory; bv_error_argument if bvb_tree_snap was not called for the tree
bv_status bvb_asset_encode( const bvb_asset* asset, bvb_arena* arena, bvb_bytes* out, bvb_error* error );

/// Result of bvb_file_verify.
typedef struct bvb_verify_result
{
	uint64_t enclosures; ///< number of pairs of a volume and an enclosed vertex that were checked
	uint64_t errors;     ///< number of errors of nodes, primitives and parts that were measured again
} bvb_verify_result;

/// Verifies the content of a file, beyond its structure:
///  - Each bounding volume and each node's decoded volume encloses its vertices exactly. The check bounds its
///    own rounding errors.
///  - Every vertex is used by a triangle.
///  - Counts, flags and mass properties of the mesh match its triangles.
///  - Errors match a new measurement.
///  - Convex parts are convex.
///  - Boxes over a clip enclose the mesh, the samples that the file stores, and boxes of children. Nothing is checked
///    between samples.
///
/// Statements about triangles that the file does not store are not checked.
/// @param file     from bv_file_open, which has already checked the structure, the checksums and that every
///                 triangle is in exactly one leaf
/// @param scratch  scratch memory
/// @return bv_ok; bv_error_damaged with a message that names the failed check; bv_error_memory
bv_status bvb_file_verify( const bv_file* file, bvb_arena* scratch, bvb_verify_result* out,
                           bvb_error* error );

/// A file mapped into memory.
typedef struct bvb_mapping
{
	const bv_file* file; ///< the checked file
	const void* data;    ///< start of the mapping
	size_t size;         ///< bytes
} bvb_mapping;

/// Maps a .bvh file into memory and checks it. Release it with bvb_file_unmap.
/// @return bv_ok; bv_error_input if it cannot be read; bv_error_unsupported or bv_error_damaged from
/// bv_file_open
bv_status bvb_file_map( const char* path, bvb_mapping* out, bvb_error* error );

/// Reads a .bvh file into allocated memory and checks it. Use it for files that may change while they are in
/// use, or if files cannot be mapped.
/// @param arena  the file lives here
/// @return as bvb_file_map; also bv_error_memory
bv_status bvb_file_read( const char* path, bvb_arena* arena, const bv_file** out, bvb_error* error );

/// Releases a mapping. Its bv_file must not be used afterwards.
void bvb_file_unmap( bvb_mapping* mapping );

#ifdef __cplusplus
}
#endif
