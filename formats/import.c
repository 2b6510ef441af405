// Opens a mesh file, hashes it, and gives it to the reader of its extension. See bvbuild/import.h.

#include "bvbuild/import.h"

#include "formats/assimp/assimp.h"
#include "formats/obj/obj.h"
#include "formats/off/off.h"
#include "formats/ply/ply.h"
#include "formats/stl/stl.h"
#include "offline/base/error.h"
#include "runtime/file/view.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct import_reader
{
	const char* extension;
	bv_status ( *read )( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
	                     bvb_error* error );

	// The same by several threads; null where there is no such thing.
	bv_status ( *read_by )( const char* name, const char* data, size_t size, uint32_t threads,
	                        bvb_arena* arena, bvb_import* out, bvb_error* error );
} import_reader;

static const import_reader readers[] = {
	{ "obj", bvobj_read_obj, bvobj_read_obj_by },
	{ "stl", bvstl_read_stl, NULL },
	{ "ply", bvply_read_ply, NULL },
	{ "off", bvoff_read_off, NULL },
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

// What follows the last dot of the last part of the path, in lower case whatever the locale; empty when there
// is none.
static char* copy_extension( const char* path, bvb_arena* arena )
{
	const char* slash = strrchr( path, '/' );
	const char* dot = strrchr( slash ? slash : path, '.' );
	size_t length = dot ? strlen( dot + 1 ) : 0;
	char* extension = bvb_arena_allocate( arena, length + 1, 1 );
	for ( size_t i = 0; i < length && extension; ++i )
	{
		char c = dot[1 + i];
		extension[i] = (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
	}
	return extension;
}

static bv_status fail_system( const char* path, int reason, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input, "%s: %s", path, strerror( reason ) );
}

// A FIFO that nobody writes to would block the opening.
static bv_status open_file( const char* path, bool may_be_empty, int* file, uint64_t* size, bvb_error* error )
{
	*file = open( path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY );
	if ( *file < 0 )
	{
		// What opening a socket or a device without a driver gives.
		return errno == ENXIO || errno == ENODEV
		           ? bvbase_fail( error, bv_error_input, "%s: is not a regular file", path )
		           : fail_system( path, errno, error );
	}
	struct stat info;
	bv_status status = bv_ok;
	if ( fstat( *file, &info ) != 0 )
	{
		status = fail_system( path, errno, error );
	}
	else if ( S_ISDIR( info.st_mode ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is a directory", path );
	}
	else if ( !S_ISREG( info.st_mode ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is not a regular file", path );
	}
	else if ( info.st_size == 0 && !may_be_empty )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is empty", path );
	}
	else
	{
		*size = (uint64_t)info.st_size;
		return bv_ok;
	}
	close( *file );
	return status;
}

// @return bytes read, less than `size` only at the end of the file; -1 with errno
static ssize_t read_fully( int file, char* bytes, size_t size )
{
	size_t done = 0;
	while ( done < size )
	{
		ssize_t count = read( file, bytes + done, size - done );
		if ( count < 0 && errno != EINTR )
		{
			return -1;
		}
		if ( count == 0 )
		{
			break;
		}
		done += count > 0 ? (size_t)count : 0;
	}
	return (ssize_t)done;
}

static void store_hash( XXH128_hash_t hash, uint8_t out[16] )
{
	XXH128_canonical_t canonical;
	XXH128_canonicalFromHash( &canonical, hash );
	memcpy( out, canonical.digest, sizeof canonical.digest );
}

// Text whose lines end with carriage returns alone, as on old Macintoshes: they become line breaks.
static void end_lines( char* data, size_t size )
{
	if ( size == 0 || memchr( data, '\n', size ) || memchr( data, 0, size ) )
	{
		return;
	}
	for ( char* at = data; ( at = memchr( at, '\r', (size_t)( data + size - at ) ) ) != NULL; ++at )
	{
		*at = '\n';
	}
}

// With its mark, and a first character of ASCII.
static bool is_utf16( const char* data, size_t size )
{
	return size >= 4 && ( ( memcmp( data, "\xff\xfe", 2 ) == 0 && data[3] == 0 ) ||
	                      ( memcmp( data, "\xfe\xff", 2 ) == 0 && data[2] == 0 ) );
}

// Read, not mapped: a mapping dies of SIGBUS when somebody truncates the file meanwhile, and what is hashed
// has to be what is parsed.
static bv_status read_with( const import_reader* own, const char* path, int file, uint64_t size,
                            uint32_t threads, bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	char* data = size <= SIZE_MAX / 2 ? malloc( (size_t)size ) : NULL;
	if ( !data )
	{
		return bvbase_fail_memory( error );
	}
	ssize_t count = read_fully( file, data, (size_t)size );
	bv_status status;
	if ( count < 0 )
	{
		status = fail_system( path, errno, error );
	}
	else
	{
		store_hash( XXH3_128bits( data, (size_t)count ), out->hash );
		if ( is_utf16( data, (size_t)count ) )
		{
			free( data );
			return bvbase_fail( error, bv_error_input,
			                    "%s: is UTF-16 text (convert it: iconv -f UTF-16 -t UTF-8)", path );
		}
		end_lines( data, (size_t)count );
		status = own->read_by ? own->read_by( path, data, (size_t)count, threads, arena, out, error )
		                      : own->read( path, data, (size_t)count, arena, out, error );
	}
	free( data );
	return status;
}

static bv_status hash_opened( const char* path, int file, uint8_t out[16], bvb_error* error )
{
	enum
	{
		piece = 1 << 18
	};
	char* bytes = malloc( piece );
	XXH3_state_t* state = XXH3_createState();
	bv_status status = bytes && state ? bv_ok : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		XXH3_128bits_reset( state );
		ssize_t count;
		while ( ( count = read_fully( file, bytes, piece ) ) > 0 )
		{
			XXH3_128bits_update( state, bytes, (size_t)count );
		}
		status = count < 0 ? fail_system( path, errno, error ) : bv_ok;
		store_hash( XXH3_128bits_digest( state ), out );
	}
	XXH3_freeState( state );
	free( bytes );
	return status;
}

// Assimp would read the name as motion capture, and deliver a skeleton.
static bv_status refuse_bvh( const char* path, int file, bvb_error* error )
{
	char magic[4]; // enough to tell, whatever has become of the rest
	bool ours = read_fully( file, magic, sizeof magic ) == sizeof magic &&
	            memcmp( magic, BVFILE_MAGIC, sizeof magic ) == 0;
	return bvbase_fail( error, bv_error_unsupported,
	                    ours ? "%s: is already a built .bvh file" : "%s: is motion capture and has no mesh",
	                    path );
}

static bv_status read_opened( const char* path, const char* extension, int file, uint64_t size,
                              const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                              bvb_error* error )
{
	const import_reader* own = find_reader( extension );
	if ( own )
	{
		return read_with( own, path, file, size, options->threads, arena, out, error );
	}
	if ( strcmp( extension, "bvh" ) == 0 )
	{
		return refuse_bvh( path, file, error );
	}
	bv_status status = hash_opened( path, file, out->hash, error );
	return status == bv_ok ? bvassimp_read_assimp( path, extension, options, arena, out, error ) : status;
}

// Whether the file is what a clone without Git LFS has in place of a large file (git-lfs, "Specification",
// docs/spec.md).
static bool is_lfs_pointer( int file )
{
	static const char first[] = "version https://git-lfs.github.com/spec/";
	char bytes[sizeof first - 1];
	return pread( file, bytes, sizeof bytes, 0 ) == sizeof bytes && memcmp( bytes, first, sizeof bytes ) == 0;
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
	bv_status status = open_file( path, false, file, size, error );
	if ( status == bv_ok && !*extension )
	{
		close( *file );
		status = bvbase_fail( error, bv_error_unsupported,
		                      "%s: cannot tell the format: the name has no extension", path );
	}
	else if ( status == bv_ok && is_lfs_pointer( *file ) )
	{
		close( *file );
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
	                          : open_file( path, true, &file, &size, error );
	if ( status == bv_ok )
	{
		status = hash_opened( path, file, hash, error );
		close( file );
	}
	return status;
}

bv_status bvb_import_file( const char* path, const bvb_import_options* options, bvb_arena* arena,
                           bvb_import* out, bvb_error* error )
{
	memset( out, 0, sizeof *out );
	if ( !( options->timeout > 0 ) || options->memory_bytes == 0 )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "%s: the time and memory limits of the importer must be positive", path );
	}
	int file = -1;
	uint64_t size = 0;
	bv_status status = open_input( path, arena, &out->format, &file, &size, error );
	if ( status == bv_ok )
	{
		status = read_opened( path, out->format, file, size, options, arena, out, error );
		close( file );
	}
	return status;
}
