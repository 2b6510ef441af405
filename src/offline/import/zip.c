// ZIP archives. See zip.h.

#include "offline/import/zip.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <minizip/unzip.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_name = 1024,
	most_piece = 1 << 30,
	most_ratio = 1032, // of what deflate can do
};

typedef struct zip_entry
{
	char* name; // in the spelling that is compared
	unz64_file_pos place;
} zip_entry;

static voidpf ZCALLBACK open_memory( voidpf z, const void* name, int mode )
{
	(void)name;
	(void)mode;
	return z;
}

static uLong ZCALLBACK read_memory( voidpf context, voidpf stream, void* to, uLong size )
{
	(void)context;
	bvimport_zip* z = stream;
	uLong taken = size < z->size - z->at ? size : z->size - z->at;
	memcpy( to, z->data + z->at, taken );
	z->at += taken;
	return taken;
}

static ZPOS64_T ZCALLBACK tell_memory( voidpf context, voidpf stream )
{
	(void)context;
	return ( (bvimport_zip*)stream )->at;
}

static long ZCALLBACK seek_memory( voidpf context, voidpf stream, ZPOS64_T offset, int origin )
{
	(void)context;
	bvimport_zip* z = stream;
	size_t from = origin == ZLIB_FILEFUNC_SEEK_SET ? 0 : origin == ZLIB_FILEFUNC_SEEK_CUR ? z->at : z->size;
	if ( offset > z->size - from )
	{
		return -1;
	}
	z->at = from + (size_t)offset;
	return 0;
}

static int ZCALLBACK close_memory( voidpf context, voidpf stream )
{
	(void)context;
	(void)stream;
	return 0;
}

static char spell( char c )
{
	return c == '\\' ? '/' : c >= 'A' && c <= 'Z' ? (char)( c - 'A' + 'a' ) : c;
}

// In the spelling that is compared. The result ends at a 0 in the name.
static char* copy_name( const char* name, size_t length )
{
	size_t skipped = length > 0 && spell( *name ) == '/';
	size_t kept = strnlen( name + skipped, length - skipped );
	char* out = calloc( kept + 1, 1 );
	if ( out )
	{
		memcpy( out, name + skipped, kept );
	}
	for ( char* c = out; c && *c; ++c )
	{
		*c = spell( *c );
	}
	return out;
}

static int compare_entries( const void* a, const void* b )
{
	return strcmp( ( (const zip_entry*)a )->name, ( (const zip_entry*)b )->name );
}

static bv_status fail_list( const bvimport_zip* z )
{
	return bvbase_fail( z->error, bv_error_input, "%s: the list of the ZIP archive is damaged", z->file );
}

static bv_status add_entry( bvimport_zip* z, size_t* room )
{
	char name[most_name];
	unz_file_info64 info;
	if ( unzGetCurrentFileInfo64( z->archive, &info, name, sizeof name, NULL, 0, NULL, 0 ) != UNZ_OK )
	{
		return fail_list( z );
	}
	if ( info.size_filename >= sizeof name )
	{
		return bv_ok;
	}
	if ( z->entry_count == *room )
	{
		*room = 2 * *room + 64;
		zip_entry* larger = bvbase_memory_resize( z->entries, *room, sizeof *larger );
		if ( !larger )
		{
			return bvbase_fail_memory( z->error );
		}
		z->entries = larger;
	}
	zip_entry e = { .name = copy_name( name, info.size_filename ) };
	if ( !e.name )
	{
		return bvbase_fail_memory( z->error );
	}
	unzGetFilePos64( z->archive, &e.place );
	( (zip_entry*)z->entries )[z->entry_count++] = e;
	return bv_ok;
}

bv_status bvimport_zip_open( bvimport_zip* z, const char* file, const char* data, size_t size,
                             bvb_error* error )
{
	*z = ( bvimport_zip ){ .file = file, .data = data, .size = size, .error = error };
	zlib_filefunc64_def memory = { .zopen64_file = open_memory,
		                           .zread_file = read_memory,
		                           .ztell64_file = tell_memory,
		                           .zseek64_file = seek_memory,
		                           .zclose_file = close_memory,
		                           .zerror_file = close_memory,
		                           .opaque = z };
	z->archive = unzOpen2_64( file, &memory );
	if ( !z->archive )
	{
		return bvbase_fail( error, bv_error_input, "%s: not a ZIP archive, or damaged or cut short", file );
	}
	size_t room = 0;
	bv_status status = bv_ok;
	int next = unzGoToFirstFile( z->archive );
	for ( ; next == UNZ_OK && status == bv_ok; next = unzGoToNextFile( z->archive ) )
	{
		status = add_entry( z, &room );
	}
	if ( z->entry_count > 1 )
	{
		qsort( z->entries, z->entry_count, sizeof( zip_entry ), compare_entries );
	}
	return status == bv_ok && next != UNZ_END_OF_LIST_OF_FILE ? fail_list( z ) : status;
}

void bvimport_zip_close( bvimport_zip* z )
{
	zip_entry* entries = z->entries;
	for ( size_t i = 0; i < z->entry_count; ++i )
	{
		free( entries[i].name );
	}
	free( entries );
	if ( z->archive )
	{
		unzClose( z->archive );
	}
}

static bv_status fail_entry( const bvimport_zip* z, const char* name, bv_status status, const char* what )
{
	return bvbase_fail( z->error, status, "%s: %.200s %s", z->file, name + ( *name == '/' ), what );
}

// @param found  receives it, or null
static bv_status find( bvimport_zip* z, const char* name, zip_entry** found )
{
	zip_entry key = { .name = copy_name( name, strlen( name ) ) };
	if ( !key.name )
	{
		return bvbase_fail_memory( z->error );
	}
	zip_entry* all = z->entries;
	zip_entry* e =
		z->entry_count > 0 ? bsearch( &key, all, z->entry_count, sizeof key, compare_entries ) : NULL;
	bool twice = e && ( ( e > all && compare_entries( e, e - 1 ) == 0 ) ||
	                    ( e + 1 < all + z->entry_count && compare_entries( e, e + 1 ) == 0 ) );
	free( key.name );
	*found = e;
	return twice ? fail_entry( z, name, bv_error_input, "is in the ZIP archive twice" ) : bv_ok;
}

static bv_status check_entry( const bvimport_zip* z, const char* name, const unz_file_info64* info,
                              uint64_t limit )
{
	if ( info->flag & 1 )
	{
		return fail_entry( z, name, bv_error_unsupported, "is encrypted, which is not supported" );
	}
	if ( info->compression_method != 0 && info->compression_method != Z_DEFLATED )
	{
		return fail_entry( z, name, bv_error_unsupported, "is compressed by a method other than deflate" );
	}
	if ( info->uncompressed_size > limit || info->uncompressed_size >= SIZE_MAX )
	{
		return fail_entry( z, name, bv_error_limit, "is larger than the memory limit (--import-memory)" );
	}
	return info->uncompressed_size / most_ratio > info->compressed_size
	           ? fail_entry( z, name, bv_error_input, "is damaged in the ZIP archive" )
	           : bv_ok;
}

// @return whether all of the entry could be read, with the right checksum
static bool unpack( bvimport_zip* z, char* to, uint64_t size )
{
	uint64_t done = 0;
	int got = 1;
	while ( done < size && got > 0 )
	{
		uint64_t left = size - done;
		got =
			unzReadCurrentFile( z->archive, to + done, (unsigned)( left < most_piece ? left : most_piece ) );
		done += got > 0 ? (unsigned)got : 0;
	}
	int check = unzCloseCurrentFile( z->archive );
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	check = UNZ_OK;
#endif
	return done == size && check == UNZ_OK;
}

bv_status bvimport_zip_read( bvimport_zip* z, const char* name, uint64_t limit, char** out, size_t* size )
{
	*out = NULL;
	zip_entry* e = NULL;
	bv_status status = find( z, name, &e );
	if ( status != bv_ok || !e )
	{
		return status;
	}
	unz_file_info64 info;
	if ( unzGoToFilePos64( z->archive, &e->place ) != UNZ_OK ||
	     unzGetCurrentFileInfo64( z->archive, &info, NULL, 0, NULL, 0, NULL, 0 ) != UNZ_OK )
	{
		return fail_list( z );
	}
	status = check_entry( z, name, &info, limit );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( unzOpenCurrentFile( z->archive ) != UNZ_OK )
	{
		return fail_entry( z, name, bv_error_input, "is not where the ZIP archive says" );
	}
	char* data = malloc( (size_t)info.uncompressed_size + 1 );
	if ( !data )
	{
		return bvbase_fail_memory( z->error );
	}
	if ( !unpack( z, data, info.uncompressed_size ) )
	{
		free( data );
		return fail_entry( z, name, bv_error_input, "is damaged in the ZIP archive" );
	}
	*out = data;
	*size = (size_t)info.uncompressed_size;
	return bv_ok;
}
