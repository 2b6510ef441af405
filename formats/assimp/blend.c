// Blender files. See blend.h; the format is that of Blender's source, doc/blender_file_format and
// source/blender/blenloader.

#include "formats/assimp/blend.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
	header_bytes = 12,
	oldest_unread = 300,
	name_reach = 512, // of an object's bytes, where its name begins
	most_name = 66,   // since 2.5; the two letters of its kind included
};

static const char magic[] = "BLENDER";

// Of the header, since 5.0 with its own length and four digits: "BLENDER17-01v0500".
// @return such as 279; 0 if this is no such header
static unsigned read_version( const char header[header_bytes + 5] )
{
	const char* v = header + sizeof magic;
	unsigned digits = 3;
	if ( memcmp( header, magic, sizeof magic - 1 ) != 0 )
	{
		return 0;
	}
	if ( header[7] >= '0' && header[7] <= '9' )
	{
		v = header + 12;
		digits = 4;
	}
	unsigned version = 0;
	for ( unsigned i = 1; i <= digits && ( *v == 'v' || *v == 'V' ) && v[i] >= '0' && v[i] <= '9'; ++i )
	{
		version = 10 * version + (unsigned)( v[i] - '0' );
	}
	return version;
}

static bv_status fail_version( const char* path, unsigned version, bvb_error* error )
{
	return bvbase_fail(
		error, bv_error_unsupported,
		"%s: is a file of Blender %u.%u; of 3.0 and later no file can be read (export it from "
		"Blender as glTF 2.0)",
		path, version / 100, version % 100 / ( version % 10 ? 1 : 10 ) );
}

bv_status bvassimp_check_blend( const char* path, int file, bvb_error* error )
{
	char header[header_bytes + 6] = "";
	if ( bvbase_file_read_at( file, header, sizeof header - 1, 0 ) < header_bytes )
	{
		return bv_ok;
	}
	if ( memcmp( header, "\x28\xb5\x2f\xfd", 4 ) == 0 )
	{
		return bvbase_fail(
			error, bv_error_unsupported,
			"%s: is compressed by Zstandard, as files of Blender 3.0 and later are, which cannot "
			"be read (export it from Blender as glTF 2.0)",
			path );
	}
	if ( memcmp( header, "\x1f\x8b", 2 ) == 0 )
	{
		// Another one of its own: where the file is stays as it is.
		int copy = bvbase_file_open( path );
		gzFile unpacked = copy >= 0 ? gzdopen( copy, "rb" ) : NULL;
		memset( header, 0, sizeof header );
		if ( unpacked )
		{
			gzread( unpacked, header, sizeof header - 1 );
			gzclose( unpacked );
		}
		else
		{
			bvbase_file_close( copy );
		}
	}
	unsigned version = read_version( header );
	return version >= oldest_unread ? fail_version( path, version, error ) : bv_ok;
}

static int compare_names( const void* a, const void* b )
{
	return strcmp( *(const char* const*)a, *(const char* const*)b );
}

typedef struct blend_names
{
	const char** names;
	size_t count;
	size_t room;
} blend_names;

static void add_name( blend_names* n, const char* name )
{
	if ( n->count == n->room )
	{
		n->room = n->room ? 2 * n->room : 64;
		n->names = bvbase_memory_resize( n->names, n->room, sizeof *n->names );
		if ( !n->names )
		{
			bvassimp_leave_out_of_memory();
		}
	}
	n->names[n->count++] = name;
}

// Without recursion: a file decides how deep the tree is.
static void gather_nodes( const struct aiScene* scene, blend_names* out )
{
	const struct aiNode* node = scene->mRootNode;
	unsigned* next = NULL; // child of each level
	size_t depth = 0;
	size_t room = 0;
	while ( node )
	{
		if ( depth == room )
		{
			room = room ? 2 * room : 64;
			next = bvbase_memory_resize( next, room, sizeof *next );
			if ( !next )
			{
				bvassimp_leave_out_of_memory();
			}
		}
		add_name( out, node->mName.data );
		next[depth] = 0;
		while ( node && next[depth] == node->mNumChildren )
		{
			node = depth > 0 ? node->mParent : NULL;
			depth -= depth > 0;
		}
		if ( node )
		{
			node = node->mChildren[next[depth]++];
			++depth;
		}
	}
	free( next );
	qsort( out->names, out->count, sizeof *out->names, compare_names );
}

static size_t get_length( const unsigned char* bytes, bool big )
{
	return big ? (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3]
	           : (size_t)bytes[3] << 24 | (size_t)bytes[2] << 16 | (size_t)bytes[1] << 8 | bytes[0];
}

// The name of an object begins with the two letters of its kind.
static bool find_name( const unsigned char* data, size_t size, char out[most_name] )
{
	const unsigned char* end = data + ( size < name_reach ? size : name_reach );
	for ( const unsigned char* at = data; at + 3 < end; ++at )
	{
		if ( at[0] == 'O' && at[1] == 'B' && at[2] > ' ' && ( at == data || at[-1] == 0 ) )
		{
			snprintf( out, most_name, "%.*s",
			          (int)( data + size - at - 2 < most_name ? data + size - at - 2 : most_name - 1 ),
			          (const char*)at + 2 );
			return true;
		}
	}
	return false;
}

// Objects that are lost, as a list.
typedef struct blend_lost
{
	uint64_t count;
	uint64_t named;
	char names[120];
} blend_lost;

static void add_lost( blend_lost* l, const char* name )
{
	size_t length = strlen( l->names );
	++l->count;
	if ( l->named + 1 == l->count && length + strlen( name ) + 4 < sizeof l->names )
	{
		snprintf( l->names + length, sizeof l->names - length, "%s'%s'", length > 0 ? ", " : "", name );
		++l->named;
	}
}

// A block for each thing that has a name, "OB" for objects, and others with what belongs to it.
static void look_at_blocks( gzFile file, bool wide, bool big, const blend_names* there, blend_lost* lost )
{
	enum
	{
		longest_head = 24
	};
	unsigned char head[longest_head];
	unsigned char data[name_reach + most_name];
	int head_bytes = wide ? 24 : 20;
	while ( gzread( file, head, (unsigned)head_bytes ) == head_bytes && memcmp( head, "ENDB", 4 ) != 0 )
	{
		size_t length = get_length( head + 4, big );
		size_t wanted = memcmp( head, "OB\0\0", 4 ) != 0 ? 0 : length < sizeof data ? length : sizeof data;
		char name[most_name];
		const char* key = name;
		if ( gzread( file, data, (unsigned)wanted ) != (int)wanted ||
		     gzseek( file, (z_off_t)( length - wanted ), SEEK_CUR ) < 0 )
		{
			return;
		}
		if ( wanted > 0 && find_name( data, wanted, name ) &&
		     !bsearch( &key, there->names, there->count, sizeof key, compare_names ) )
		{
			add_lost( lost, name );
		}
	}
}

void bvassimp_count_lost_objects( const char* path, const struct aiScene* scene, bvimport_notes* to )
{
	blend_names there = { 0 };
	blend_lost lost = { 0 };
	gather_nodes( scene, &there );
	char header[header_bytes + 6] = "";
	int opened = bvbase_file_open( path );
	gzFile file = opened >= 0 ? gzdopen( opened, "rb" ) : NULL;
	if ( file && gzread( file, header, header_bytes ) == header_bytes && read_version( header ) > 0 )
	{
		look_at_blocks( file, header[7] == '-', header[8] == 'V', &there, &lost );
	}
	if ( file )
	{
		gzclose( file );
	}
	else
	{
		bvbase_file_close( opened );
	}
	if ( lost.count > 0 )
	{
		bvimport_notes_add( to, lost.count, "the importer loses %s%s", lost.names,
		                    lost.named < lost.count ? ", and others" : "" );
	}
	free( there.names );
}
