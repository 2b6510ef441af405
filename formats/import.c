// Opens a mesh file, or takes its bytes, hashes it, and gives it to the reader of its extension. See bvbuild/import.h.

#include "bvbuild/import.h"

#include "formats/3mf/3mf.h"
#include "formats/assimp/assimp.h"
#include "formats/assimp/blend.h"
#include "formats/gltf/gltf.h"
#include "formats/obj/obj.h"
#include "formats/off/off.h"
#include "formats/ply/ply.h"
#include "formats/stl/stl.h"
#include "formats/vrml/vrml.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"
#include "offline/import/file.h"
#include "offline/import/text.h"
#include "runtime/file/view.h"

#include <stdlib.h>
#include <string.h>

typedef struct import_reader
{
	const char* extension;
	bv_status ( *read )( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
	                     bvb_error* error );

	// The same by several threads; null where there is no such thing.
	bv_status ( *read_by )( const char* name, const char* data, size_t size, uint32_t threads,
	                        bvb_arena* arena, bvb_import* out, bvb_error* error );

	// The same within a limit, instead of `read`: for formats whose scenes can be much larger than their files.
	// What is named beside the file is looked for from the folder of `path`.
	bv_status ( *read_within )( const char* path, const char* data, size_t size, uint64_t memory_bytes,
	                            bvb_arena* arena, bvb_import* out, bvb_error* error );

	// The same, with a clip; null where clips are not read.
	bv_status ( *read_clip )( const char* path, const char* data, size_t size, uint64_t memory_bytes,
	                          const bvb_clip_options* clip, bvb_arena* arena, bvb_import* out,
	                          bvb_error* error );
} import_reader;

static const import_reader readers[] = {
	{ "obj", bvobj_read_obj, bvobj_read_obj_by, NULL, NULL },
	{ "stl", bvstl_read_stl, NULL, NULL, NULL },
	{ "ply", bvply_read_ply, NULL, NULL, NULL },
	{ "off", bvoff_read_off, NULL, NULL, NULL },
	{ "gltf", NULL, NULL, bvgltf_read_gltf, bvgltf_read_clip },
	{ "glb", NULL, NULL, bvgltf_read_gltf, bvgltf_read_clip },
	{ "3mf", NULL, NULL, bv3mf_read_3mf, NULL },
	{ "wrl", NULL, NULL, bvvrml_read_vrml, NULL },
	{ "wrz", NULL, NULL, bvvrml_read_vrml, NULL },
	{ "vrml", NULL, NULL, bvvrml_read_vrml, NULL },
};

bvb_import_options bvb_import_options_default( void )
{
	return ( bvb_import_options ){ .timeout = 60, .memory_bytes = (uint64_t)8 << 30 };
}

static const import_reader* find_reader( const char* extension )
{
	for ( size_t i = 0; i < sizeof readers / sizeof readers[0]; ++i )
	{
		if ( strcmp( readers[i].extension, extension ) == 0 )
		{
			return &readers[i];
		}
	}
	return NULL;
}

bool bvb_import_is_own( const char* extension )
{
	return find_reader( extension );
}

// In lower case whatever the locale.
static char* copy_lower( const char* text, bvb_arena* arena )
{
	size_t length = strlen( text );
	char* lower = bvb_arena_allocate( arena, length + 1, 1 );
	for ( size_t i = 0; i < length && lower; ++i )
	{
		char c = text[i];
		lower[i] = (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
	}
	return lower;
}

// What follows the last dot of the last part of the path, in lower case; empty when there is none.
static char* copy_extension( const char* path, bvb_arena* arena )
{
	const char* dot = strrchr( bvbase_path_name( path ), '.' );
	return copy_lower( dot ? dot + 1 : "", arena );
}

// Assimp would read the name as motion capture, and deliver a skeleton.
static bv_status refuse_bvh( const char* path, int file, bvb_error* error )
{
	// Enough to tell, whatever has become of the rest.
	bool ours = bvimport_file_begins( file, BVFILE_MAGIC, 4 );
	return bvbase_fail( error, bv_error_unsupported,
	                    ours ? "%s: is already a built .bvh file" : "%s: is motion capture and has no mesh",
	                    path );
}

// Text whose lines end with carriage returns alone, as on old Macintoshes: in a copy they become line breaks.
// @param ended  receives the copy, which the caller frees; null if lines have other ends
static bv_status end_lines( const char* data, size_t size, char** ended, bvb_error* error )
{
	size_t text = bvimport_text_unfilled( data, size );
	*ended = NULL;
	if ( text == 0 || memchr( data, '\n', text ) || memchr( data, 0, text ) || !memchr( data, '\r', text ) )
	{
		return bv_ok;
	}
	char* copy = malloc( size );
	if ( !copy )
	{
		return bvbase_fail_memory( error );
	}
	memcpy( copy, data, size );
	for ( char* at = copy; ( at = memchr( at, '\r', (size_t)( copy + text - at ) ) ) != NULL; ++at )
	{
		*at = '\n';
	}
	*ended = copy;
	return bv_ok;
}

// With its mark, and a first character of ASCII.
static bool is_utf16( const char* data, size_t size )
{
	return size >= 4 && ( ( memcmp( data, "\xff\xfe", 2 ) == 0 && data[3] == 0 ) ||
	                      ( memcmp( data, "\xfe\xff", 2 ) == 0 && data[2] == 0 ) );
}

static bv_status read_bytes( const import_reader* own, const char* path, const char* data, size_t size,
                             const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                             bvb_error* error )
{
	if ( is_utf16( data, size ) )
	{
		return bvbase_fail( error, bv_error_input,
		                    "%s: is UTF-16 text (convert it: iconv -f UTF-16 -t UTF-8)", path );
	}
	if ( options->clip.name )
	{
		return own->read_clip( path, data, size, options->memory_bytes, &options->clip, arena, out, error );
	}
	if ( own->read_within )
	{
		return own->read_within( path, data, size, options->memory_bytes, arena, out, error );
	}
	char* ended;
	bv_status status = end_lines( data, size, &ended, error );
	if ( status == bv_ok )
	{
		const char* text = ended ? ended : data;
		status = own->read_by ? own->read_by( path, text, size, options->threads, arena, out, error )
		                      : own->read( path, text, size, arena, out, error );
	}
	free( ended );
	return status;
}

static bv_status read_with( const import_reader* own, const char* path, int file, uint64_t size,
                            const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                            bvb_error* error )
{
	size_t bytes = (size_t)size;
	char* data = size <= SIZE_MAX / 2 ? malloc( bytes ) : NULL;
	if ( !data )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvimport_file_read( path, file, data, &bytes, out->hash, error );
	status = status == bv_ok ? read_bytes( own, path, data, bytes, options, arena, out, error ) : status;
	free( data );
	return status;
}

// @param own  null for a format that Assimp reads
static bv_status check_clip( const char* path, const import_reader* own, const bvb_import_options* options,
                             bvb_error* error )
{
	return options->clip.name && own && !own->read_clip
	           ? bvbase_fail(
					 error, bv_error_unsupported,
					 "%s: --clip: .%s files have no clips (clips are read from glTF, and from what Assimp "
					 "imports, such as FBX and Collada)",
					 path, own->extension )
	           : bv_ok;
}

static bv_status read_opened( const char* path, const char* extension, int file, uint64_t size,
                              const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                              bvb_error* error )
{
	const import_reader* own = find_reader( extension );
	bv_status status = check_clip( path, own, options, error );
	if ( own || status != bv_ok )
	{
		return status != bv_ok ? status : read_with( own, path, file, size, options, arena, out, error );
	}
	if ( strcmp( extension, "bvh" ) == 0 )
	{
		return refuse_bvh( path, file, error );
	}
	status = strcmp( extension, "blend" ) == 0 ? bvassimp_check_blend( path, file, error ) : bv_ok;
	status = status == bv_ok ? bvimport_file_hash( path, file, out->hash, error ) : status;
	return status == bv_ok ? bvassimp_read_assimp( path, extension, options, arena, out, error ) : status;
}

// Opens a file whose extension tells its format.
static bv_status open_input( const char* path, bvb_arena* arena, const char** format, int* file,
                             uint64_t* size, bvb_error* error )
{
	char* extension = copy_extension( path, arena );
	*format = extension;
	if ( !extension )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvimport_file_open( path, path, false, file, size, error );
	if ( status == bv_ok && !*extension )
	{
		bvbase_file_close( *file );
		status = bvbase_fail( error, bv_error_unsupported,
		                      "%s: cannot tell the format: the name has no extension", path );
	}
	else if ( status == bv_ok && bvimport_file_is_lfs_pointer( *file ) )
	{
		bvbase_file_close( *file );
		status = bvbase_fail( error, bv_error_input,
		                      "%s: a Git LFS pointer, not the mesh (run: git lfs pull)", path );
	}
	return status;
}

bv_status bvb_hash_file( const char* path, uint8_t hash[16], const char** format, bvb_arena* arena,
                         bvb_error* error )
{
	int file = -1;
	uint64_t size = 0;
	bv_status status = format ? open_input( path, arena, format, &file, &size, error )
	                          : bvimport_file_open( path, path, true, &file, &size, error );
	if ( status == bv_ok )
	{
		status = bvimport_file_hash( path, file, hash, error );
		bvbase_file_close( file );
	}
	return status;
}

static bv_status check_limits( const char* path, const bvb_import_options* options, bvb_error* error )
{
	uint32_t samples = bvb_clip_sample_count( &options->clip );
	uint32_t segments = bvb_clip_segment_count( &options->clip );
	if ( options->clip.name && strlen( options->clip.name ) > BVB_MAX_CLIP_NAME )
	{
		return bvbase_fail( error, bv_error_argument, "%s: the name of a clip has more than %d bytes", path,
		                    BVB_MAX_CLIP_NAME );
	}
	if ( options->clip.name && ( samples < 2 || samples > BVB_MAX_CLIP_SAMPLES || segments >= samples ||
	                             segments > BVB_MAX_CLIP_SEGMENTS ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "%s: a clip has 2 to %d samples, and fewer segments, at most %d", path,
		                    BVB_MAX_CLIP_SAMPLES, BVB_MAX_CLIP_SEGMENTS );
	}
	return options->timeout > 0 && options->memory_bytes > 0
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument,
	                          "%s: the time and memory limits of the importer must be positive", path );
}

static bv_status fail_unknown( const char* path, const char* extension, bvb_error* error )
{
	char known[128] = "";
	for ( size_t i = 0; i < sizeof readers / sizeof readers[0]; ++i )
	{
		strcat( strcat( known, i > 0 ? ", " : "" ), readers[i].extension );
	}
	return bvbase_fail( error, bv_error_unsupported, "%s: '%.40s' is no format that is read from memory (%s)",
	                    path, extension, known );
}

bv_status bvb_import_bytes( const void* data, size_t size, const char* format, const char* path,
                            const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                            bvb_error* error )
{
	memset( out, 0, sizeof *out );
	bv_status status = check_limits( path, options, error );
	if ( status != bv_ok )
	{
		return status;
	}
	format += format && *format == '.';
	char* extension = format ? copy_lower( format, arena ) : copy_extension( path, arena );
	if ( !extension )
	{
		return bvbase_fail_memory( error );
	}
	const import_reader* own = find_reader( extension );
	out->format = extension;
	if ( !own )
	{
		return fail_unknown( path, extension, error );
	}
	if ( size == 0 )
	{
		return bvbase_fail( error, bv_error_input, "%s: is empty", path );
	}
	status = check_clip( path, own, options, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvimport_hash( data, size, out->hash );
	return read_bytes( own, path, data, size, options, arena, out, error );
}

bv_status bvb_import_file( const char* path, const bvb_import_options* options, bvb_arena* arena,
                           bvb_import* out, bvb_error* error )
{
	memset( out, 0, sizeof *out );
	int file = -1;
	uint64_t size = 0;
	bv_status status = check_limits( path, options, error );
	status = status == bv_ok ? open_input( path, arena, &out->format, &file, &size, error ) : status;
	if ( status == bv_ok )
	{
		status = read_opened( path, out->format, file, size, options, arena, out, error );
		bvbase_file_close( file );
	}
	return status;
}
