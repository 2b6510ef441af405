// What the child process leaves in the anonymous file for its parent. Private to this folder and its test.
//
// The file holds the report, then, without gaps: positions, triangles, faces,
// segments, the names of the objects and the names of the materials, each name with a zero at its end, then
// the side files and, likewise, their names, then the animated scene as binary glTF, if a clip is read.

#pragma once

#include "bvbuild/import.h"
#include "formats/assimp/library.h"
#include "offline/base/system.h"
#include "offline/import/notes.h"

#include <assimp/scene.h>

/// How the child can end when it is not killed.
enum
{
	bvassimp_exit_reported = 0,
	bvassimp_exit_out_of_memory = 2,
	bvassimp_exit_unable = 3,
};

/// What a report says.
typedef enum bvassimp_outcome
{
	bvassimp_none,
	bvassimp_scene,
	bvassimp_unknown_extension,
	bvassimp_refused,
	bvassimp_limit,
	bvassimp_changed,     ///< a file, while it was read
	bvassimp_unsupported, ///< a kind of file that has the extension of another
} bvassimp_outcome;

/// Which files it opens; see watch.h.
typedef struct bvassimp_watch bvassimp_watch;

/// The first bytes of the file.
typedef struct bvassimp_report
{
	uint32_t outcome;         ///< a bvassimp_outcome; all but text counts only for bvassimp_scene
	uint32_t vertex_count;    ///< length of positions
	uint32_t triangle_count;  ///< length of triangles and of faces; if 0, nothing follows the report
	uint32_t segment_count;   ///< length of segments
	uint32_t object_count;    ///< how many names come first
	uint32_t material_count;  ///< how many names come then
	uint32_t file_count;      ///< how many side files there are
	uint64_t name_bytes;      ///< length of all names, terminators included
	uint64_t file_name_bytes; ///< length of the names of side files, terminators included
	uint64_t animated_bytes;  ///< length of the animated scene; 0 without a clip
	uint64_t points;          ///< point primitives left out
	uint64_t lines;           ///< line primitives left out
	uint8_t input_hash[16];   ///< XXH3-128 of the input's bytes after it was read
	char text[256];           ///< why it was refused, or which file changed
	bvimport_notes warnings;  ///< while importing
} bvassimp_report;

_Static_assert( sizeof( bvassimp_report ) % sizeof( double ) == 0, "positions behind it are aligned" );

/// A side file, without its name.
typedef struct bvassimp_file
{
	uint8_t hash[16]; ///< as bvb_side_file
	uint32_t missing; ///< 0: read
} bvassimp_file;

/// Where the arrays are, in bytes from the start of the file.
typedef struct bvassimp_layout
{
	uint64_t positions;  ///< bv_vec3
	uint64_t triangles;  ///< bvb_triangle
	uint64_t faces;      ///< uint32_t
	uint64_t segments;   ///< bvb_segment
	uint64_t names;      ///< char
	uint64_t files;      ///< bvassimp_file, not aligned
	uint64_t file_names; ///< char
	uint64_t animated;   ///< binary glTF, not aligned
	uint64_t size;       ///< of the whole file
} bvassimp_layout;

/// Does not overflow if name_bytes, file_name_bytes and animated_bytes are below 2^60.
static inline bvassimp_layout bvassimp_lay_out( const bvassimp_report* report )
{
	bvassimp_layout at = { .positions = sizeof( bvassimp_report ) };
	at.triangles = at.positions + report->vertex_count * (uint64_t)sizeof( bv_vec3 );
	at.faces = at.triangles + report->triangle_count * (uint64_t)sizeof( bvb_triangle );
	at.segments = at.faces + report->triangle_count * (uint64_t)sizeof( uint32_t );
	at.names = at.segments + report->segment_count * (uint64_t)sizeof( bvb_segment );
	at.files = at.names + report->name_bytes;
	at.file_names = at.files + report->file_count * (uint64_t)sizeof( bvassimp_file );
	at.animated = at.file_names + report->file_name_bytes;
	at.size = at.animated + report->animated_bytes;
	return at;
}

/// What the child is to do. The path follows, with its end.
typedef struct bvassimp_request
{
	char extension[64];
	bool animated;                    ///< a clip is read
	char clip[BVB_MAX_CLIP_NAME + 1]; ///< as bvb_clip_options has it
} bvassimp_request;

/// Writes the report and exits.
_Noreturn void bvassimp_leave( int result, const bvassimp_report* report );

/// Leaves an outcome that is not a scene.
_Noreturn void bvassimp_leave_text( int result, bvassimp_outcome outcome, const char* text );

/// Exits for want of memory.
_Noreturn void bvassimp_leave_out_of_memory( void );

/// Counts a line of Assimp's log, "Warn,  T0: text", unless it is neither warning nor error.
/// @param to  its text becomes the first that says something
void bvassimp_take_line( const char* line, bvimport_notes* to );

/// Leaves the scene and the side files.
/// @param animated  the scene to read the clip from: the source, or the same with other names
/// @param clip      name of the clip to read; may be null
/// @param watch     ended
_Noreturn void bvassimp_flatten( const bvassimp_library* library, const struct aiScene* source,
                                 const struct aiScene* animated, const char* clip,
                                 const bvimport_notes* warnings, const bvassimp_watch* watch,
                                 const uint8_t input_hash[16], int result );

/// The parent's side: believes nothing of what is in the file.
/// @param result  any file
/// @param arena   the scene lives here
/// @param out     its hash is what the input's is to be; receives scene, points, lines, warnings and side
///                files; the other fields are left alone
/// @return what bvassimp_read_assimp says
bv_status bvassimp_take( const char* path, const char* extension, int result, bvb_arena* arena,
                         bvb_import* out, bvb_error* error );

/// Reads bytes at an offset of the file.
/// @return false if the file ends before, or cannot be read
bool bvassimp_read_bytes( int file, void* bytes, size_t size, uint64_t offset );

/// The parent's side, after bvassimp_take: reads the clip of the animated scene.
/// @param out  its scene receives the positions and the clip; the other fields are left alone
/// @return as bvgltf_read_clip
bv_status bvassimp_take_clip( const char* path, int result, const bvb_import_options* options,
                              bvb_arena* arena, bvb_import* out, bvb_error* error );
