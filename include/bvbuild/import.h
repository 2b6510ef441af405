// Reads mesh files.
//
//     #include <bvbuild/import.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bvb_arena* arena = bvb_arena_create();
//         bvb_import_options options = bvb_import_options_default();
//         bvb_import mesh;
//         bvb_error error;
//         if ( bvb_import_file( "rock.obj", &options, arena, &mesh, &error ) == bv_ok )
//             printf( "%u triangles\n", (unsigned)mesh.scene.mesh.triangle_count );
//         else
//             fprintf( stderr, "%s\n", error.message );
//         bvb_arena_destroy( arena );
//         return 0;
//     }
//
// OBJ, STL, PLY, OFF, glTF, 3MF and VRML files are read by strict readers of this library. All other formats are
// read by Assimp in a child process with limits, so that a damaged file cannot crash the caller. The result is a
// triangle soup: vertices are not welded and triangles are not cleaned. See bvb_mesh_record for that.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/clip.h"
#include "bvbuild/scene.h"
#include "bvbuild/side_files.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options of an import. The first two limit the child process that runs Assimp.
typedef struct bvb_import_options
{
	double timeout; ///< seconds, both of processor time and of wall-clock time; default 60

	/// Address space; default 8 GiB. Readers of glTF, 3MF and VRML, which have no child process, use it as the
	/// limit of their scene, and so does the clip of a scene from the child process.
	uint64_t memory_bytes;

	uint32_t threads; ///< for readers of this library; 0, the default, for all processors; same result

	/// Which clip to read: of glTF, and of formats that Assimp reads with animations. By default none is read, and
	/// the scene has the pose of the file.
	bvb_clip_options clip;
} bvb_import_options;

/// @return the defaults listed in bvb_import_options
bvb_import_options bvb_import_options_default( void );

/// An imported mesh. Strings live in the arena.
typedef struct bvb_import
{
	bvb_scene scene;   ///< triangles and their origin, unchanged: nothing is welded or dropped
	uint64_t points;   ///< point primitives that were skipped
	uint64_t lines;    ///< line primitives that were skipped
	uint64_t warnings; ///< warnings of the reader
	uint64_t losses;   ///< warnings about geometry that was skipped

	/// The first warning about skipped geometry, or without such warnings the first one; null without any.
	const char* warning;

	const char* format;        ///< name of the reader such as "obj", or the file's extension
	uint8_t hash[16];          ///< XXH3-128 of the file's bytes, canonical (big-endian) order
	bvb_side_files side_files; ///< other files that were read, looked for or named by the file
} bvb_import;

/// Reads a mesh file. The file extension, in upper or lower case, selects the reader.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input if the file is missing, unreadable, malformed or has no triangles, if the
/// child process crashes or exceeds its limits, or if the file changes while Assimp reads it;
/// bv_error_unsupported if no reader supports the format, what a glTF file requires, or a clip of a format without clips;
/// bv_error_argument if a limit is not positive, or samples and segments of a clip are out of range;
/// bv_error_limit; bv_error_memory
bv_status bvb_import_file( const char* path, const bvb_import_options* options, bvb_arena* arena,
                           bvb_import* out, bvb_error* error );

/// Reads a mesh file that is in memory. Formats that Assimp reads are not supported.
/// @param data    is not kept
/// @param format  file extension, in upper or lower case; null for that of `path`
/// @param path    what messages call it; files that it refers to are looked for in the folder of this path
/// @param arena   the result lives here
/// @return as bvb_import_file; bv_error_input if `size` is 0
bv_status bvb_import_bytes( const void* data, size_t size, const char* format, const char* path,
                            const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                            bvb_error* error );

/// @param extension  in lower case and without the dot
/// @return whether files with this extension are read by this library itself, not by Assimp
bool bvb_import_is_own( const char* extension );

/// Hashes a file without reading the mesh in it. A mesh file must be readable and have an extension. If
/// `format` is null, the file need not be a mesh: it may be empty and have any name.
/// @param hash    receives the hash, as in bvb_import
/// @param format  receives the file's extension in lower case, which is bvb_import.format; null for a file
///                that is not a mesh
/// @param arena   the format lives here; may be null if `format` is null
/// @return bv_ok; bv_error_input; bv_error_unsupported for a name without an extension; bv_error_memory
bv_status bvb_hash_file( const char* path, uint8_t hash[16], const char** format, bvb_arena* arena,
                         bvb_error* error );

#ifdef __cplusplus
}
#endif
