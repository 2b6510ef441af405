// Results of builds. See cache.h. Two steps because of side files are an idea of ccache ("How ccache works",
// the direct mode's manifests).

#include "cli/cache.h"

#include "bvbuild/import.h"
#include "cli/paths.h"
#include "formats/assimp/library.h"
#include "formats/gltf/draco.h"
#include "formats/gltf/meshopt.h"
#include "offline/base/error.h"
#include "offline/base/output.h"
#include "offline/base/system.h"
#include "offline/base/text_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <libqhull_r/libqhull_r.h>

#include <stdio.h>
#include <string.h>

enum
{
	key_digits = 32,
};

// Other versions of these give other bytes. Assimp is not asked where it reads nothing.
static void hash_tools( XXH3_state_t* state, const char* format )
{
	char text[512];
	int length =
		snprintf( text, sizeof text, "bvbuild cache 1\nbvbuild " BV_VERSION "\nqhull %s\n", qh_version2 );
	XXH3_128bits_update( state, text, (size_t)length );
	bvassimp_library assimp;
	if ( !bvb_import_is_own( format ) && bvassimp_load( &assimp ) )
	{
		length =
			snprintf( text, sizeof text, "assimp %u.%u.%u %x\n", assimp.get_version_major(),
		              assimp.get_version_minor(), assimp.get_version_patch(), assimp.get_version_revision() );
		XXH3_128bits_update( state, text, (size_t)length );
	}

	// Without a decoder of compressed glTF, what a file has for such readers is taken.
	if ( strcmp( format, "gltf" ) == 0 || strcmp( format, "glb" ) == 0 )
	{
		length = snprintf( text, sizeof text, "meshoptimizer %s\ndraco %s\n", bvgltf_meshopt_version(),
		                   bvgltf_draco_version() );
		XXH3_128bits_update( state, text, (size_t)length );
	}
}

// With its end, so that no two texts one after the other are two others.
static void hash_text( XXH3_state_t* state, bv_text text )
{
	const uint64_t length = text.length;
	XXH3_128bits_update( state, &length, sizeof length );
	XXH3_128bits_update( state, text.data, text.length );
}

// @param files  lines of side files, or none
static bool make_key( const recipe* r, bv_text files, char out[key_digits + 1] )
{
	XXH3_state_t* state = XXH3_createState();
	if ( !state )
	{
		return false;
	}
	XXH3_128bits_reset( state );
	hash_tools( state, r->format );
	hash_text( state, ( bv_text ){ r->name, strlen( r->name ) } );
	hash_text( state, ( bv_text ){ r->format, strlen( r->format ) } );
	hash_text( state, r->parameters );
	hash_text( state, files );
	XXH3_128bits_update( state, r->hash, sizeof r->hash );
	XXH128_hash_t hash = XXH3_128bits_digest( state );
	snprintf( out, key_digits + 1, "%016llx%016llx", (unsigned long long)hash.high64,
	          (unsigned long long)hash.low64 );
	XXH3_freeState( state );
	return true;
}

// @return the path, or null when out of memory
static char* name_entry( const char* folder, const recipe* r, bv_text files, const char* extension,
                         bvb_arena* arena )
{
	char key[key_digits + 1];
	size_t size = strlen( folder ) + key_digits + strlen( extension ) + sizeof "//";
	char* path = make_key( r, files, key ) ? bvb_arena_allocate( arena, size, 1 ) : NULL;
	if ( path )
	{
		snprintf( path, size, "%s/%.2s/%s%s", folder, key, key + 2, extension );
	}
	return path;
}

static bool is_input_file( const bvb_side_file* file )
{
	return file->use != bvb_side_file_named;
}

// Whether the import looked for other files. A source that looks for none always does, so its result has no
// list.
static bool has_inputs( const bvb_side_files* files )
{
	bool any = false;
	for ( uint32_t i = 0; i < files->count; ++i )
	{
		any = any || is_input_file( &files->files[i] );
	}
	return any;
}

static const bv_text none = { "", 0 };

// An entry that is damaged, or somebody else's, is none.
static bool read_entry( const char* path, const recipe* r, bvb_arena* arena, bvb_bytes* out )
{
	bvb_error error;
	const bv_file* file;
	if ( !path || bvb_file_read( path, arena, &file, &error ) != bv_ok || !is_made_by( file, r, arena ) )
	{
		return false;
	}

	// An open file is its bytes.
	*out = ( bvb_bytes ){ (void*)file, bv_file_get_info( file ).bytes };
	bvbase_path_touch( path, NULL );
	return true;
}

// @return the lines of the side files as they are now, or of length 0 when there is no list of them
static bv_text read_list( const char* path, const recipe* r, bvb_arena* arena )
{
	char* text;
	bvb_error error;
	bvb_side_files before;
	bvb_side_files now;
	bv_text lines = none;
	if ( !path || bvbase_read_text_file( path, arena, &text, &error ) != bv_ok ||
	     bvb_side_files_find( ( bv_text ){ text, strlen( text ) }, arena, &before ) != bv_ok ||
	     look_at_side_files( r->input, &before, arena, &now ) != bv_ok ||
	     bvb_side_files_text( &now, arena, &lines ) != bv_ok )
	{
		return none;
	}
	bvbase_path_touch( path, NULL );
	return lines;
}

bool find_cached( const char* folder, const recipe* r, bvb_arena* arena, bvb_bytes* out )
{
	if ( !r->plain )
	{
		return false;
	}
	if ( read_entry( name_entry( folder, r, none, ".bvh", arena ), r, arena, out ) )
	{
		return true;
	}
	bv_text lines = read_list( name_entry( folder, r, none, ".files", arena ), r, arena );
	return lines.length > 0 && read_entry( name_entry( folder, r, lines, ".bvh", arena ), r, arena, out );
}

static bv_status store( const char* path, const void* data, size_t size, bvb_error* error )
{
	if ( !path )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = make_folder_of( path, error );
	return status == bv_ok ? bvbase_write_file_soon( path, data, size, error ) : status;
}

bv_status store_cached( const char* folder, const recipe* r, const bvb_side_files* files,
                        const bvb_bytes* bytes, bvb_arena* arena, bvb_error* error )
{
	if ( !r->plain )
	{
		return bv_ok;
	}
	bv_text lines = none;
	bv_status status = bv_ok;
	if ( has_inputs( files ) )
	{
		status = bvb_side_files_text( files, arena, &lines );
		status = status == bv_ok ? store( name_entry( folder, r, none, ".files", arena ), lines.data,
		                                  lines.length, error )
		                         : bvbase_fail_memory( error );
	}
	return status == bv_ok
	           ? store( name_entry( folder, r, lines, ".bvh", arena ), bytes->data, bytes->size, error )
	           : status;
}
