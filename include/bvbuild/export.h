// Exports the content of a .bvh file as meshes and bodies for other programs.
//
//     #include <bvbuild/export.h>
//
//     // Writes the boxes on level 3 of the hierarchy to boxes.obj.
//     bv_status write_level( const bv_file* file, bvb_error* error )
//     {
//         bvb_arena* arena = bvb_arena_create();
//         bvb_export meshes;
//         bvb_export_files out;
//         bv_status status = bvb_export_gather( file, "level=3", arena, &meshes, error );
//         if ( status == bv_ok )
//             status = bvb_export_encode( &meshes, "boxes.obj", arena, &out, error );
//         if ( status == bv_ok )
//             status = bvb_write_files( out.files, out.count, error );
//         bvb_arena_destroy( arena );
//         return status;
//     }

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A node of the hierarchy whose volume is exported.
typedef struct bvb_export_node
{
	uint32_t index;       ///< its number, as in bv_node_info
	uint32_t level;       ///< 0 for the root
	uint32_t triangles;   ///< number of triangles of its subtree
	bv_volume_type type;  ///< type of its volume
	bool has_errors;      ///< the next two members are set
	double surface_upper; ///< mesh units, as in bv_node_info
	double solid_upper;   ///< mesh units, as in bv_node_info
} bvb_export_node;

/// How an object of a body collides.
typedef enum bvb_collider
{
	bvb_collider_none = 0,  ///< not at all: it is only displayed
	bvb_collider_convex,    ///< as the convex hull of its mesh
	bvb_collider_mesh,      ///< as its triangles
	bvb_collider_primitive, ///< as the primitive that its mesh was made from
} bvb_collider;

/// A named mesh.
typedef struct bvb_export_object
{
	char name[128];      ///< zero-terminated; letters, digits and underscores, and . + - in numbers
	bvb_mesh mesh;       ///< triangles
	uint8_t color[3];    ///< red, green and blue in sRGB
	char color_name[96]; ///< meaning of the color; characters as in `name`

	/// If the mesh approximates a round volume: maximum distance from the mesh to the volume, mesh units.
	/// Otherwise 0.
	double standoff;

	const bvb_export_node* node;   ///< the node, if the mesh is the volume of a node; otherwise null
	bvb_collider collider;         ///< how it collides; none for meshes and volumes
	const bv_primitive* primitive; ///< for bvb_collider_primitive; has a volume
	bool can_be_named;             ///< an engine has names for it: see bvb_export_rename
} bvb_export_object;

/// Properties of a body. The objects of the body that collide come first, followed by an object to display,
/// if there is one.
typedef struct bvb_export_body
{
	uint32_t colliders; ///< number of objects that collide
	bool has_mass;      ///< the file has a bv_body, and `mass` is set
	bv_mass mass;       ///< mass properties
} bvb_export_body;

/// Meshes to be exported. Lives in the arena of the function that made it.
typedef struct bvb_export
{
	bvb_export_object* objects;  ///< objects of the exported files
	uint32_t object_count;       ///< length of objects
	const bvb_export_body* body; ///< for "body"; otherwise null
	const char* parent;          ///< name of an object that all are children of; null for none

	/// The point that all positions here are relative to, mesh units: bv_file_get_offset of the file. Writers
	/// add it.
	bv_vec3 offset;
} bvb_export;

/// Encoded files: the file with the given path, followed by the files that it refers to, in the same folder.
/// They live in the arena of the function that made them.
typedef struct bvb_export_files
{
	bvb_file_bytes* files; ///< at least one
	uint32_t count;        ///< length of files
} bvb_export_files;

/// The maximum number of nodes that become separate objects. If there are more, nodes with the same color
/// become one object.
#define BVB_EXPORT_MOST_NODES 1000

/// Returns the names of the things that can be exported. A name with an equals sign takes a value after it,
/// as in "level=N".
/// @param index    counted from 0
/// @param summary  receives a description; may be null
/// @return the name; null past the last
const char* bvb_export_name( uint32_t index, const char** summary );

/// Checks an export request.
/// @param what  a name of bvb_export_name, with its value if it has one: "mesh", "level=3", "cut=0.5",
///              "cut=2%"
/// @return bv_ok; bv_error_argument for an unknown name or an invalid value
bv_status bvb_export_check( const char* what, bvb_error* error );

/// Collects the meshes to be exported.
///
/// Volumes of nodes are colored by their certified solid error. Red is for errors of at least half of the
/// largest exported error. Each further halving has another color, down to blue for errors below 1/128 of the
/// largest. Volumes of nodes, bounds and primitives are tessellated by bvb_tessellate. Round volumes have 8
/// sides (512 triangles per ball) if there are at most 1,000 of them, 4 sides if there are at most 100,000,
/// and otherwise 2.
/// @param what   as in bvb_export_check
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for an unknown name or an invalid value; bv_error_input if the file does
/// not have the requested content, or that has no faces; bv_error_limit if it has too many vertices;
/// bv_error_memory
bv_status bvb_export_gather( const bv_file* file, const char* what, bvb_arena* arena, bvb_export* out,
                             bvb_error* error );

/// Returns the names of naming conventions: "plain", "unreal", "godot", "unity".
/// @param index    counted from 0
/// @param summary  receives how shapes are named; may be null
/// @return the name; null past the last
const char* bvb_export_naming( uint32_t index, const char** summary );

/// Gives objects the names by which an engine knows them as collision shapes, and puts them where they are in the source: in its unit of length,
/// with its up axis. What a body displays gets the name of the source: that of its object if it has one with a name, else that of its file.
/// "plain" changes nothing.
/// @param file     where the objects were gathered from
/// @param naming   as bvb_export_naming
/// @param arena    a name lives here
/// @param objects  "mesh", "hull", "parts", "proxy", "primitive" or "body"; a body becomes separate objects without a mass
/// @return bv_ok; bv_error_argument, and nothing changes, if there is no such convention, the objects are others, or it has no names for
/// shapes that are not convex; bv_error_input, likewise, if the mesh was normalized; bv_error_memory
bv_status bvb_export_rename( const bv_file* file, const char* naming, bvb_arena* arena, bvb_export* objects,
                             bvb_error* error );

/// Returns the file extensions of the export formats.
/// @param index    counted from 0
/// @param summary  receives a description of the format; may be null
/// @return the extension; null past the last
const char* bvb_export_format( uint32_t index, const char** summary );

/// @return whether the extension of the path, in upper or lower case, is that of an export format
bool bvb_export_knows( const char* path );

/// Encodes meshes as files in memory, in the format of the path's extension. Equal meshes give equal bytes.
/// Except for URDF, the bytes do not depend on the path. In formats without bodies, only the colliding
/// objects of a body are written.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_unsupported if no format has that extension; bv_error_argument if the format is
/// only for bodies, or cannot refer to files with such a path; bv_error_limit if the meshes are too large for
/// the format; bv_error_memory
bv_status bvb_export_encode( const bvb_export* from, const char* path, bvb_arena* arena,
                             bvb_export_files* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
