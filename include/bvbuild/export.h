// Writers: what is in a .bvh file out again as meshes and bodies that other programs read.

#pragma once

#include "bv/file.h"
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
	uint32_t triangles;   ///< number of triangles in its subtree
	bv_volume_type type;  ///< of its volume
	bool has_errors;      ///< the next two are known
	double surface_upper; ///< mesh units, as in bv_node_info
	double solid_upper;   ///< mesh units, as in bv_node_info
} bvb_export_node;

/// How an object of a body collides.
typedef enum bvb_collider
{
	bvb_collider_none = 0,  ///< not at all: it is there to be looked at
	bvb_collider_convex,    ///< as the convex hull of its mesh
	bvb_collider_mesh,      ///< as its triangles
	bvb_collider_primitive, ///< as what its mesh is made of
} bvb_collider;

/// A mesh with a name.
typedef struct bvb_export_object
{
	char name[128];      ///< terminated; letters, digits, underscores, and of numbers points and signs
	bvb_mesh mesh;       ///< triangles
	uint8_t color[3];    ///< red, green and blue, as screens show them (sRGB)
	char color_name[96]; ///< what the color stands for; characters as in name
	double standoff;     ///< how far the mesh of a round volume stands off it at most, mesh units; else 0
	const bvb_export_node* node;   ///< the node that it is the volume of; null for everything else
	bvb_collider collider;         ///< of bodies
	const bv_primitive* primitive; ///< of bvb_collider_primitive; with a volume
} bvb_export_object;

/// What turns objects into a body. Objects that collide come first; an optional object that is only displayed follows.
typedef struct bvb_export_body
{
	uint32_t colliders; ///< how many objects collide
	bool has_mass;      ///< the file has a bv_body
	bv_mass mass;       ///< if so
} bvb_export_body;

/// Meshes on their way out. Lives in the arena it was made in.
typedef struct bvb_export
{
	bvb_export_object* objects;  ///< each becomes an object of its own
	uint32_t object_count;       ///< length of objects
	const bvb_export_body* body; ///< of "body"; null for everything else
} bvb_export;

/// A format's files: the one whose path was given, then those that it refers to, beside it. They live in the arena they were made in.
typedef struct bvb_export_files
{
	bvb_file_bytes* files; ///< at least one
	uint32_t count;        ///< length of files
} bvb_export_files;

/// No more nodes become objects of their own: those of one color become one object.
#define BVB_EXPORT_MOST_NODES 1000

/// @return the name of what can be exported, by index, with what it is in `summary` unless that is null; null past the last.
///         What stands behind an equals sign in it stands for a value: "level=N"
const char* bvb_export_name( uint32_t index, const char** summary );

/// @param what  a name of bvb_export_name, with its value where it takes one: "mesh", "level=3", "cut=0.5", "cut=2%"
/// @return bv_ok; bv_error_argument for another name or value
bv_status bvb_export_check( const char* what, bvb_error* error );

/// Gathers what is to be exported. Volumes of nodes are colored by their certified solid error: red down to half of the largest one
/// that is exported, then another color each time that it halves, blue below a hundred-and-twenty-eighth. They, bounds and primitives are
/// made meshes by bvb_tessellate; round ones with 8 sides (512 triangles a ball) up to 1,000 of them, 4 up to 100,000, else 2.
/// @param what  as in bvb_export_check
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument for another name or value; bv_error_input when the file does not have it, or nothing of it has a
///         face; bv_error_limit when it has too many vertices; bv_error_memory
bv_status bvb_export_gather( const bv_file* file, const char* what, bvb_arena* arena, bvb_export* out,
                             bvb_error* error );

/// @return the extension of a format that can be written, by index, with what it is in `summary` unless that is null; null past the
///         last
const char* bvb_export_format( uint32_t index, const char** summary );

/// @return whether the extension of a path, in any case, is that of a format
bool bvb_export_knows( const char* path );

/// Writes meshes as files in memory, in the format of the path's extension. Equal meshes give equal bytes, which do not depend on the
/// path, except for URDF. Formats without bodies receive only the objects that collide.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_unsupported when no format has that extension; bv_error_argument for a format that is for bodies only, or a
///         path that it can't refer to; bv_error_limit where they are too large for it; bv_error_memory
bv_status bvb_export_encode( const bvb_export* from, const char* path, bvb_arena* arena,
                             bvb_export_files* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
