// Reads the result of the child process: a scene, or the reason why the import failed. Every count, index and
// name is checked, because the child ran untrusted code on an untrusted file.

#include "formats/assimp/transport.h"

#include "offline/base/error.h"
#include "offline/base/system.h"
#include "runtime/file/utf8.h"

#include <errno.h>
#include <string.h>

bool bvassimp_read_bytes( int file, void* bytes, size_t size, uint64_t offset )
{
	char* to = bytes;
	while ( size > 0 )
	{
		int64_t count = bvbase_file_read_at( file, to, size, offset );
		if ( count == 0 || ( count < 0 && errno != EINTR ) )
		{
			return false;
		}
		size_t done = count > 0 ? (size_t)count : 0;
		to += done;
		size -= done;
		offset += done;
	}
	return true;
}

// Before memory for them is asked for: the counts may be nonsense.
static bool counts_are_valid( int result, const bvassimp_report* r )
{
	bvbase_file_state state;
	return bvbase_file_get_state( result, &state ) && r->name_bytes <= state.size &&
	       r->file_name_bytes <= state.size && r->animated_bytes <= state.size &&
	       r->file_count <= r->file_name_bytes && bvassimp_lay_out( r ).size == state.size &&
	       (uint64_t)r->object_count + r->material_count <= r->name_bytes;
}

static bool allocate( const bvassimp_report* r, bvb_arena* arena, bvb_scene* out, char** names )
{
	*out = ( bvb_scene ){
		.mesh = { .positions = bvb_arena_allocate( arena, r->vertex_count, sizeof( bv_vec3 ) ),
		          .triangles = bvb_arena_allocate( arena, r->triangle_count, sizeof( bvb_triangle ) ),
		          .vertex_count = r->vertex_count,
		          .triangle_count = r->triangle_count },
		.faces = bvb_arena_allocate( arena, r->triangle_count, sizeof( uint32_t ) ),
		.segments = bvb_arena_allocate( arena, r->segment_count, sizeof( bvb_segment ) ),
		.segment_count = r->segment_count,
		.objects = bvb_arena_allocate( arena, r->object_count, sizeof( char* ) ),
		.object_count = r->object_count,
		.materials = bvb_arena_allocate( arena, r->material_count, sizeof( char* ) ),
		.material_count = r->material_count,
		.groups = bvb_arena_allocate( arena, 0, sizeof( char* ) ),
	};
	*names = bvb_arena_allocate( arena, r->name_bytes, 1 );
	return out->mesh.positions && out->mesh.triangles && out->faces && out->segments && out->objects &&
	       out->materials && out->groups && *names;
}

static bool triangles_are_valid( const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		if ( corner[0] >= mesh->vertex_count || corner[1] >= mesh->vertex_count ||
		     corner[2] >= mesh->vertex_count )
		{
			return false;
		}
	}
	return true;
}

// Each face has at least one triangle, so that none is skipped.
static bool faces_are_valid( const bvb_scene* s )
{
	for ( uint32_t i = 0; i < s->mesh.triangle_count; ++i )
	{
		uint32_t before = i > 0 ? s->faces[i - 1] : 0;
		if ( s->faces[i] < before || s->faces[i] - before > ( i > 0 ) )
		{
			return false;
		}
	}
	return true;
}

static bool segments_are_valid( const bvb_scene* s )
{
	for ( uint32_t i = 0; i < s->segment_count; ++i )
	{
		const bvb_segment* segment = &s->segments[i];
		if ( i == 0 ? segment->first_triangle != 0
		            : segment->first_triangle <= segment[-1].first_triangle ||
		                  segment->first_triangle >= s->mesh.triangle_count )
		{
			return false;
		}
		if ( segment->object >= s->object_count || segment->group != BVB_NO_NAME ||
		     ( segment->material >= s->material_count && segment->material != BVB_NO_NAME ) )
		{
			return false;
		}
	}
	return s->segment_count > 0;
}

// @return behind the last of them, or null when they do not end
static const char* take_names( const char* from, const char* end, const char** names, uint32_t count )
{
	for ( uint32_t i = 0; i < count && from; ++i )
	{
		const char* zero = memchr( from, 0, (size_t)( end - from ) );
		names[i] = from;
		from = zero ? zero + 1 : NULL;
	}
	return from;
}

static bool names_are_valid( const bvb_scene* s, const char* names, size_t size )
{
	const char* rest = take_names( names, names + size, s->objects, s->object_count );
	rest = rest ? take_names( rest, names + size, s->materials, s->material_count ) : NULL;
	return rest == names + size;
}

// Ascending, so that none is there twice.
static bool files_are_valid( const bvb_side_files* f )
{
	for ( uint32_t i = 0; i < f->count; ++i )
	{
		const char* name = f->files[i].name;
		if ( !*name || ( i > 0 && strcmp( f->files[i - 1].name, name ) >= 0 ) )
		{
			return false;
		}
	}
	return true;
}

// @param whole  receives false for what no child leaves that is not out of its mind
static bv_status take_files( int result, const bvassimp_report* r, bvb_arena* arena, bvb_side_files* out,
                             bool* whole )
{
	bvassimp_file* left = bvb_arena_allocate( arena, r->file_count, sizeof *left );
	char* text = bvb_arena_allocate( arena, r->file_name_bytes, 1 );
	const char** names = bvb_arena_allocate( arena, r->file_count, sizeof *names );
	bvb_side_file* files = bvb_arena_allocate( arena, r->file_count, sizeof *files );
	if ( !left || !text || !names || !files )
	{
		return bv_error_memory;
	}
	bvassimp_layout at = bvassimp_lay_out( r );
	const char* end = text + r->file_name_bytes;
	*whole = bvassimp_read_bytes( result, left, at.file_names - at.files, at.files ) &&
	         bvassimp_read_bytes( result, text, r->file_name_bytes, at.file_names ) &&
	         take_names( text, end, names, r->file_count ) == end;
	for ( uint32_t i = 0; i < r->file_count && *whole; ++i )
	{
		files[i].name = names[i];
		files[i].use = left[i].missing ? bvb_side_file_missing : bvb_side_file_read;
		if ( !left[i].missing )
		{
			memcpy( files[i].hash, left[i].hash, sizeof files[i].hash );
		}
	}
	*out = ( bvb_side_files ){ files, r->file_count };
	*whole = *whole && files_are_valid( out );
	return bv_ok;
}

// For messages: whatever is no printable character becomes a question mark.
static const char* take_text( const char* text, size_t size, bvb_arena* arena )
{
	size_t length = strnlen( text, size );
	char* out = bvb_arena_allocate( arena, length + 1, 1 );
	for ( size_t i = 0; out && i < length; )
	{
		size_t bytes = bvfile_utf8_character( text + i, length - i );
		bool printable = bytes > 0 && !bvfile_utf8_is_control( text + i );
		bytes = bytes > 0 ? bytes : 1;
		for ( size_t k = i; k < i + bytes; ++k )
		{
			out[k] = printable ? text[k] : '?';
		}
		i += bytes;
	}
	return out;
}

static bv_status take_scene( const char* path, int result, const bvassimp_report* r, bvb_arena* arena,
                             bvb_import* out, bvb_error* error )
{
	bool whole = counts_are_valid( result, r );
	bvb_scene s = { 0 };
	bvb_side_files files = { 0 };
	if ( whole )
	{
		char* names = NULL;
		if ( !allocate( r, arena, &s, &names ) )
		{
			return bvbase_fail_memory( error );
		}
		bvassimp_layout at = bvassimp_lay_out( r );
		whole = bvassimp_read_bytes( result, s.mesh.positions, at.triangles - at.positions, at.positions ) &&
		        bvassimp_read_bytes( result, s.mesh.triangles, at.faces - at.triangles, at.triangles ) &&
		        bvassimp_read_bytes( result, s.faces, at.segments - at.faces, at.faces ) &&
		        bvassimp_read_bytes( result, s.segments, at.names - at.segments, at.segments ) &&
		        bvassimp_read_bytes( result, names, r->name_bytes, at.names ) &&
		        triangles_are_valid( &s.mesh ) && faces_are_valid( &s ) && segments_are_valid( &s ) &&
		        names_are_valid( &s, names, r->name_bytes );
		if ( whole && take_files( result, r, arena, &files, &whole ) != bv_ok )
		{
			return bvbase_fail_memory( error );
		}
	}
	if ( !whole )
	{
		return bvbase_fail( error, bv_error_input, "%s: the importer crashed (damaged result)", path );
	}
	const bvimport_notes* w = &r->warnings;
	out->warning = w->warnings > 0 ? take_text( w->text, sizeof w->text, arena ) : NULL;
	if ( w->warnings > 0 && !out->warning )
	{
		return bvbase_fail_memory( error );
	}
	out->warnings = w->warnings;
	out->losses = w->losses < w->warnings ? w->losses : w->warnings;
	out->scene = s;
	out->side_files = files;
	out->points = r->points;
	out->lines = r->lines;
	return bv_ok;
}

bv_status bvassimp_take( const char* path, const char* extension, int result, bvb_arena* arena,
                         bvb_import* out, bvb_error* error )
{
	bvassimp_report r = { .outcome = bvassimp_none };
	if ( !bvassimp_read_bytes( result, &r, sizeof r, 0 ) )
	{
		r.outcome = bvassimp_none;
	}
	r.text[sizeof r.text - 1] = 0;

	switch ( r.outcome )
	{
	case bvassimp_unknown_extension:
		return bvbase_fail( error, bv_error_unsupported, "%s: no reader for .%s files", path, extension );
	case bvassimp_refused:
		return bvbase_fail( error, bv_error_input, "%s: the importer rejected the file: %s", path, r.text );
	case bvassimp_unsupported: return bvbase_fail( error, bv_error_unsupported, "%s: %s", path, r.text );
	case bvassimp_limit: return bvbase_fail( error, bv_error_limit, "%s: %s", path, r.text );
	case bvassimp_changed: return bvbase_fail( error, bv_error_input, "%s: %s", path, r.text );
	case bvassimp_scene: break;
	default: return bvbase_fail( error, bv_error_input, "%s: the importer crashed (no result)", path );
	}
	if ( memcmp( r.input_hash, out->hash, sizeof out->hash ) != 0 )
	{
		return bvbase_fail( error, bv_error_input, "%s: changed while it was read", path );
	}
	if ( r.triangle_count > 0 )
	{
		return take_scene( path, result, &r, arena, out, error );
	}
	if ( r.points || r.lines )
	{
		return bvbase_fail( error, bv_error_input, "%s: no triangles (%llu points, %llu lines)", path,
		                    (unsigned long long)r.points, (unsigned long long)r.lines );
	}
	const char* loss =
		r.warnings.losses > 0 ? take_text( r.warnings.text, sizeof r.warnings.text, arena ) : NULL;
	return bvbase_fail( error, bv_error_input, loss ? "%s: no triangles (%s)" : "%s: no triangles", path,
	                    loss );
}
