// Which files Assimp opens. See watch.h.
//
// A file is known by where it is from the input's folder. Assimp gets that folder as "./", however it was
// spelled, since where it looks for files, and what it calls them, depends on that. Other relative paths lead
// from the working folder, where it looks first for what an input names: what is found there is recorded, and
// what is not found is not, or the same build would differ by where it was started.

#include "formats/assimp/watch.h"

#include "offline/base/system.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
	most_files = 1 << 16,
	most_name_bytes = 1 << 24,
};

// A file that was looked for.
typedef struct watch_seen
{
	char* name; // from the input's folder
	char* path; // as it was opened
	bool read;
	bvbase_file_state state; // if read
	uint8_t hash[16];        // if read
} watch_seen;

struct bvassimp_watch
{
	struct aiFileIO io;
	const char* path;     // of the input
	size_t folder_length; // of that, up to and with the last slash
	char* alias;          // of the input, as Assimp gets it
	char* working;        // folder, absolute
	char* folder;         // of the input, absolute, with a slash at its end
	char* input_name;     // from there
	int result;
	watch_seen* files; // ascending by name
	uint32_t count;
	uint32_t room;
	uint64_t name_bytes;
	bvassimp_prepare* prepare; // null for nothing to do
	bvimport_notes* lost;
	bool is_known; // the input has been opened
};

typedef struct open_file
{
	struct aiFile io;
	FILE* file;
} open_file;

static void* need( void* memory )
{
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memory;
}

_Noreturn static void leave_changed( const bvassimp_watch* w, const char* name )
{
	char text[256];
	size_t length = strlen( name );
	const size_t most = 200; // the end of a path tells more than its beginning
	snprintf( text, sizeof text, "%s changed while it was read",
	          length > most ? name + length - most : name );
	bvassimp_leave_text( w->result, bvassimp_changed, text );
}

static bool is_same_time( const struct timespec* a, const struct timespec* b )
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_same_state( const bvbase_file_state* a, const bvbase_file_state* b )
{
	return a->device == b->device && a->number == b->number && a->size == b->size &&
	       is_same_time( &a->modified, &b->modified ) && is_same_time( &a->changed, &b->changed );
}

// Leaves the file's position alone.
static bool hash_bytes( int file, uint8_t out[16] )
{
	enum
	{
		piece = 1 << 18
	};
	static char bytes[piece];
	XXH3_state_t* state = need( XXH3_createState() );
	XXH3_128bits_reset( state );
	uint64_t offset = 0;
	int64_t count;
	while ( ( count = bvbase_file_read_at( file, bytes, piece, offset ) ) != 0 )
	{
		if ( count < 0 && errno != EINTR )
		{
			break;
		}
		XXH3_128bits_update( state, bytes, count > 0 ? (size_t)count : 0 );
		offset += count > 0 ? (uint64_t)count : 0;
	}
	XXH128_canonical_t canonical;
	XXH128_canonicalFromHash( &canonical, XXH3_128bits_digest( state ) );
	memcpy( out, canonical.digest, sizeof canonical.digest );
	XXH3_freeState( state );
	return count == 0;
}

// An absolute path without empty parts and those that are a single dot. Two dots stay: what they lead to
// depends on links.
static char* make_absolute( const char* working, const char* path )
{
	bool absolute = bvbase_path_is_absolute( path );
	size_t size = strlen( working ) + strlen( path ) + 3;
	char* whole = need( malloc( size ) );
	char* out = need( malloc( size ) );
	snprintf( whole, size, "%s/%s", absolute ? "" : working, path );
	const char* part = whole + absolute;
	size_t root = bvbase_path_root( part );
	char* to = (char*)memcpy( out, part, root ) + root;
	for ( part += root; *part; )
	{
		size_t length = strcspn( part, "/" );
		if ( length > 0 && !( length == 1 && *part == '.' ) )
		{
			*to++ = '/';
			memcpy( to, part, length );
			to += length;
		}
		part += length + ( part[length] == '/' );
	}
	*to = 0;
	free( whole );
	return out;
}

// From one absolute folder to an absolute path, both without links: up to where they part, then down.
static char* lead_from( const char* folder, const char* path )
{
	size_t common = 0;
	for ( size_t i = 0; folder[i] && folder[i] == path[i]; ++i )
	{
		common = folder[i] == '/' ? i + 1 : common;
	}
	size_t up = 0;
	for ( const char* c = folder + common; *c; ++c )
	{
		up += *c == '/';
	}
	char* out = need( malloc( 3 * up + strlen( path + common ) + 1 ) );
	for ( size_t i = 0; i < up; ++i )
	{
		memcpy( out + 3 * i, "../", 3 );
	}
	strcpy( out + 3 * up, path + common );
	return out;
}

// For a file that Assimp found from the working folder.
static char* lead_from_input( const bvassimp_watch* w, const char* path )
{
	char folder[bvbase_path_bytes + 1];
	char real[bvbase_path_bytes];
	if ( !bvbase_path_get_real( w->folder, folder ) || !bvbase_path_get_real( path, real ) )
	{
		return make_absolute( w->working, path );
	}
	if ( folder[strlen( folder ) - 1] != '/' )
	{
		strcat( folder, "/" );
	}
	return lead_from( folder, real );
}

// Whether a path that Assimp gives leads from the input's folder.
static bool is_beside( const char* path )
{
	return path[0] == '.' && path[1] == '/';
}

// @return the name of the file that a path means, or null when nobody needs to know that it is missing
static char* name_file( const bvassimp_watch* w, const char* path, bool found )
{
	bool beside = is_beside( path );
	if ( !found && !beside && !bvbase_path_is_absolute( path ) )
	{
		return NULL;
	}
	char* absolute = make_absolute( beside ? w->folder : w->working, path );
	size_t length = strlen( w->folder );
	if ( strncmp( absolute, w->folder, length ) == 0 )
	{
		memmove( absolute, absolute + length, strlen( absolute + length ) + 1 );
	}
	else if ( !bvbase_path_is_absolute( path ) )
	{
		free( absolute );
		absolute = lead_from_input( w, path );
	}
	return absolute;
}

// @return where a name is, or belongs
static uint32_t find( const bvassimp_watch* w, const char* name, bool* there )
{
	uint32_t first = 0;
	*there = false;
	for ( uint32_t end = w->count; first < end && !*there; )
	{
		uint32_t middle = first + ( end - first ) / 2;
		int order = strcmp( w->files[middle].name, name );
		*there = order == 0;
		first = order < 0 ? middle + 1 : first;
		end = order < 0 ? end : middle;
		first = *there ? middle : first;
	}
	return first;
}

static void insert( bvassimp_watch* w, uint32_t at, const watch_seen* file )
{
	w->name_bytes += strlen( file->name ) + 1;
	if ( w->count == most_files || w->name_bytes > most_name_bytes )
	{
		bvassimp_leave_text( w->result, bvassimp_limit, "the importer reads more than 65536 other files" );
	}
	if ( w->count == w->room )
	{
		w->room = w->room ? 2 * w->room : 16;
		w->files = need( bvbase_memory_resize( w->files, w->room, sizeof *w->files ) );
	}
	memmove( w->files + at + 1, w->files + at, ( w->count - at ) * sizeof *w->files );
	w->files[at] = *file;
	++w->count;
}

// @param path  as Assimp gives it
// @param real  as it was opened
// @param file  null when there is none
// @return whether it is new
static bool record( bvassimp_watch* w, const char* path, const char* real, FILE* file )
{
	if ( strcmp( path, w->alias ) == 0 )
	{
		bool is_new = !w->is_known;
		w->is_known = true;
		return is_new;
	}
	watch_seen new = { .read = file && bvbase_file_get_state( fileno( file ), &new.state ) &&
		                       new.state.kind == bvbase_file_regular };
	new.name = name_file( w, path, file );
	if ( !new.name || !*new.name || strcmp( new.name, w->input_name ) == 0 )
	{
		free( new.name );
		return false;
	}
	bool there;
	uint32_t at = find( w, new.name, &there );
	if ( there )
	{
		const watch_seen* old = &w->files[at];
		if ( new.read != old->read || ( new.read && !is_same_state( &new.state, &old->state ) ) )
		{
			leave_changed( w, new.name );
		}
		free( new.name );
		return false;
	}
	if ( new.read && !hash_bytes( fileno( file ), new.hash ) )
	{
		leave_changed( w, new.name );
	}
	new.path = need( strdup( real ) );
	insert( w, at, &new );
	return true;
}

static size_t read_from( struct aiFile* f, char* to, size_t size, size_t count )
{
	return fread( to, size, count, ( (open_file*)(void*)f->UserData )->file );
}

static size_t write_to( struct aiFile* f, const char* from, size_t size, size_t count )
{
	return fwrite( from, size, count, ( (open_file*)(void*)f->UserData )->file );
}

static size_t tell( struct aiFile* f )
{
	return (size_t)ftello( ( (open_file*)(void*)f->UserData )->file );
}

static size_t tell_size( struct aiFile* f )
{
	bvbase_file_state state;
	int file = fileno( ( (open_file*)(void*)f->UserData )->file );
	return bvbase_file_get_state( file, &state ) ? (size_t)state.size : 0;
}

static enum aiReturn seek( struct aiFile* f, size_t offset, enum aiOrigin origin )
{
	int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
	FILE* file = ( (open_file*)(void*)f->UserData )->file;
	return fseeko( file, (off_t)offset, whence ) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush( struct aiFile* f )
{
	fflush( ( (open_file*)(void*)f->UserData )->file );
}

// @return where the file is that Assimp means
static char* find_path( const bvassimp_watch* w, const char* path )
{
	size_t folder = is_beside( path ) ? w->folder_length : 0;
	path += is_beside( path ) ? 2 : 0;
	char* real = need( malloc( folder + strlen( path ) + 1 ) );
	memcpy( real, w->path, folder );
	strcpy( real + folder, path );
	return real;
}

// A file of the same size with other content.
static bool is_prepared( const bvassimp_watch* w, const char* path )
{
	const char* own = strrchr( w->alias, '.' );
	const char* other = strrchr( path, '.' );
	return w->prepare && own && other && strcasecmp( own, other ) == 0;
}

// @param lost  null if the file has been opened before
static FILE* open_prepared( const bvassimp_watch* w, FILE* file, bvimport_notes* lost )
{
	bvbase_file_state state;
	char* data = NULL;
	size_t size = 0;
	if ( bvbase_file_get_state( fileno( file ), &state ) && state.size > 0 )
	{
		data = need( malloc( (size_t)state.size ) );
		size = fread( data, 1, (size_t)state.size, file );
	}
	fclose( file );
	char reason[200];
	bvimport_notes counted = { 0 };
	if ( !w->prepare( data, size, lost ? lost : &counted, reason ) )
	{
		bvassimp_leave_text( w->result, bvassimp_refused, reason );
	}
	int copy = bvbase_file_anonymous( "bvbuild-prepared" );
	FILE* prepared = copy >= 0 ? bvbase_stream_of( copy, "w+" ) : NULL;
	if ( !prepared || fwrite( data, 1, size, prepared ) != size || fflush( prepared ) != 0 )
	{
		bvassimp_leave_out_of_memory();
	}
	rewind( prepared );
	free( data );
	return prepared;
}

static FILE* open_stream( bvassimp_watch* w, const char* path, const char* mode )
{
	char* real = find_path( w, path );
	FILE* file = bvbase_stream_open( real, mode );
	bool is_new = *mode == 'r' && record( w, path, real, file );
	free( real );
	return file && *mode == 'r' && is_prepared( w, path ) ? open_prepared( w, file, is_new ? w->lost : NULL )
	                                                      : file;
}

static struct aiFile* open_watched( struct aiFileIO* io, const char* path, const char* mode )
{
	// Assimp joins paths as the system does.
	char* given = bvbase_path_use_slashes( need( strdup( path ) ) );
	FILE* file = open_stream( (bvassimp_watch*)(void*)io->UserData, given, mode );
	free( given );
	if ( !file )
	{
		return NULL;
	}
	open_file* f = need( malloc( sizeof *f ) );
	*f = ( open_file ){
		.io = { read_from, write_to, tell, tell_size, seek, flush, (char*)f },
		.file = file,
	};
	return &f->io;
}

static void close_watched( struct aiFileIO* io, struct aiFile* file )
{
	(void)io;
	open_file* f = (open_file*)(void*)file->UserData;
	fclose( f->file );
	free( f );
}

bvassimp_watch* bvassimp_watch_begin( const char* path, int result )
{
	bvassimp_watch* w = need( calloc( 1, sizeof *w ) );
	const char* slash = strrchr( path, '/' );
	w->io = ( struct aiFileIO ){ open_watched, close_watched, (char*)w };
	w->path = path;
	w->folder_length = slash ? (size_t)( slash + 1 - path ) : 0;
	w->alias = need( malloc( strlen( path ) + 3 ) );
	memcpy( w->alias, "./", 2 );
	strcpy( w->alias + 2, path + w->folder_length );
	w->result = result;
	char working[bvbase_path_bytes];
	w->working = need( strdup( bvbase_path_get_working_folder( working ) ? working : "" ) ); // may be gone
	char* absolute = make_absolute( w->working, path );
	char* name = strrchr( absolute, '/' ) + 1;
	w->input_name = need( strdup( name ) );
	*name = 0;
	w->folder = absolute;
	return w;
}

void bvassimp_watch_prepare( bvassimp_watch* watch, bvassimp_prepare* prepare, bvimport_notes* lost )
{
	watch->lost = lost;
	watch->prepare = prepare;
}

struct aiFileIO* bvassimp_watch_io( bvassimp_watch* watch )
{
	return &watch->io;
}

const char* bvassimp_watch_path( const bvassimp_watch* watch )
{
	return watch->alias;
}

void bvassimp_watch_spell( const bvassimp_watch* watch, const char* text, char* out, size_t size )
{
	const char* alias = strstr( text, watch->alias );
	const char* rest = alias ? alias + strlen( watch->alias ) : "";
	snprintf( out, size, "%.*s%s%s", (int)( alias ? (size_t)( alias - text ) : strlen( text ) ), text,
	          alias ? watch->path : "", rest );
}

// Whether its bytes are those that were there before.
static bool hash_again( const char* path, bvbase_file_state* state, uint8_t hash[16] )
{
	int file = bvbase_file_open( path );
	bool good = file >= 0 && bvbase_file_get_state( file, state ) && hash_bytes( file, hash );
	bvbase_file_close( file );
	return good;
}

void bvassimp_watch_end( bvassimp_watch* watch, uint8_t input_hash[16] )
{
	bvbase_file_state state;
	uint8_t hash[16];
	for ( uint32_t i = 0; i < watch->count; ++i )
	{
		const watch_seen* file = &watch->files[i];
		if ( file->read &&
		     ( !hash_again( file->path, &state, hash ) || !is_same_state( &state, &file->state ) ||
		       memcmp( hash, file->hash, sizeof hash ) != 0 ) )
		{
			leave_changed( watch, file->name );
		}
	}
	if ( !hash_again( watch->path, &state, input_hash ) )
	{
		leave_changed( watch, watch->input_name );
	}
}

void bvassimp_watch_measure( const bvassimp_watch* watch, uint32_t* count, uint64_t* name_bytes )
{
	*count = watch->count;
	*name_bytes = watch->name_bytes;
}

void bvassimp_watch_write( const bvassimp_watch* watch, char* files, char* names )
{
	for ( uint32_t i = 0; i < watch->count; ++i )
	{
		const watch_seen* from = &watch->files[i];
		bvassimp_file file = { .missing = !from->read };
		memcpy( file.hash, from->hash, sizeof file.hash );
		memcpy( files + i * sizeof file, &file, sizeof file );
		size_t length = strlen( from->name ) + 1;
		memcpy( names, from->name, length );
		names += length;
	}
}
