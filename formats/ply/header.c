// The header of a PLY file: lines of words that say what follows. See header.h; the format is that of
// G. Turk, "The PLY Polygon File Format", 1994.

#include "formats/ply/header.h"

#include "base/offline/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct type_name
{
	const char* name;
	bvb_ply_type type;
} type_name;

// Turk's names, and those of later writers.
static const type_name type_names[] = {
	{ "char", bvb_ply_int8 },       { "uchar", bvb_ply_uint8 },    { "short", bvb_ply_int16 },
	{ "ushort", bvb_ply_uint16 },   { "int", bvb_ply_int32 },      { "uint", bvb_ply_uint32 },
	{ "float", bvb_ply_float32 },   { "double", bvb_ply_float64 }, { "int8", bvb_ply_int8 },
	{ "uint8", bvb_ply_uint8 },     { "int16", bvb_ply_int16 },    { "uint16", bvb_ply_uint16 },
	{ "int32", bvb_ply_int32 },     { "uint32", bvb_ply_uint32 },  { "float32", bvb_ply_float32 },
	{ "float64", bvb_ply_float64 },
};

typedef struct encoding_name
{
	const char* name;
	bvb_ply_encoding encoding;
} encoding_name;

static const encoding_name encoding_names[] = {
	{ "ascii", bvb_ply_text },
	{ "binary_little_endian", bvb_ply_little_endian },
	{ "binary_big_endian", bvb_ply_big_endian },
};

static const char* const kind_names[] = { "vertex", "face", "tristrips", "edge" };

typedef struct property_name
{
	const char* name;
	bvb_ply_role role;
} property_name;

static const property_name vertex_properties[] = {
	{ "x", bvb_ply_x },
	{ "y", bvb_ply_y },
	{ "z", bvb_ply_z },
};

static const property_name face_properties[] = {
	{ "vertex_indices", bvb_ply_indices },
	{ "vertex_index", bvb_ply_indices },
};

size_t bvb_ply_type_bytes( bvb_ply_type type )
{
	static const size_t bytes[] = { 1, 1, 2, 2, 4, 4, 4, 8 };
	return bytes[type];
}

const char* bvb_ply_type_name( bvb_ply_type type )
{
	static const char* const names[] = { "int8",  "uint8",  "int16",   "uint16",
		                                 "int32", "uint32", "float32", "float64" };
	return names[type];
}

// Room for one more.
static bool grow( void** array, size_t count, size_t* capacity, size_t size )
{
	if ( count < *capacity )
	{
		return true;
	}
	size_t larger = *capacity ? 2 * *capacity : 16;
	void* grown = reallocarray( *array, larger, size );
	if ( grown )
	{
		*array = grown;
		*capacity = larger;
	}
	return grown;
}

// The next word of the line, if there is one.
static size_t next_word( bvb_text* line, const char** word )
{
	bvb_text_skip_blanks( line );
	return bvb_text_read_word( line, word );
}

static bv_status skip( bvb_text* line, bvb_ply_header* h )
{
	(void)h;
	bvb_text_skip_line( line );
	return bv_ok;
}

static bv_status read_format( bvb_text* line, bvb_ply_header* h )
{
	const char* name;
	const char* version;
	size_t name_length = next_word( line, &name );
	size_t version_length = next_word( line, &version );
	if ( h->has_format )
	{
		return bvb_text_fail( line, bv_error_input, "duplicate format line" );
	}
	if ( version_length == 0 )
	{
		return bvb_text_fail( line, bv_error_input, "a format line needs an encoding and a version" );
	}
	for ( size_t i = 0; i < sizeof encoding_names / sizeof encoding_names[0] && !h->has_format; ++i )
	{
		h->has_format = bvb_text_is( name, name_length, encoding_names[i].name );
		h->encoding = encoding_names[i].encoding;
	}
	if ( !h->has_format )
	{
		return bvb_text_fail_token( line, name, "is not a PLY encoding" );
	}
	if ( !bvb_text_is( version, version_length, "1.0" ) )
	{
		bvb_text_fail_token( line, version, "is not a supported version of PLY" );
		return bv_error_unsupported;
	}
	return bv_ok;
}

static bvb_ply_kind find_kind( const char* name, size_t length )
{
	int kind = 0;
	while ( kind < bvb_ply_other && !bvb_text_is( name, length, kind_names[kind] ) )
	{
		++kind;
	}
	return (bvb_ply_kind)kind;
}

static void copy_for_messages( const char* name, size_t length, char out[32] )
{
	size_t kept = length < 32 ? length : 31;
	for ( size_t i = 0; i < kept; ++i )
	{
		out[i] = (char)( name[i] >= 0x20 && name[i] < 0x7f ? name[i] : '?' );
	}
	out[kept] = 0;
}

static bv_status read_element( bvb_text* line, bvb_ply_header* h )
{
	const char* name;
	size_t length = next_word( line, &name );
	bvb_text_skip_blanks( line );
	if ( length == 0 || bvb_text_at_line_end( line ) )
	{
		return bvb_text_fail( line, bv_error_input, "an element needs a name and a count" );
	}
	int64_t count;
	const char* token = line->cursor;
	bv_status status = bvb_text_read_integer( line, &count );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( count < 0 )
	{
		return bvb_text_fail_token( line, token, "is not a count" );
	}

	bvb_ply_element e = {
		.kind = find_kind( name, length ),
		.count = (uint64_t)count,
		.line = line->line,
		.first_property = h->property_count,
	};
	copy_for_messages( name, length, e.name );
	for ( size_t i = 0; i < h->element_count && e.kind != bvb_ply_other; ++i )
	{
		if ( h->elements[i].kind == e.kind )
		{
			return bvb_text_fail( line, bv_error_input, "duplicate element %s", e.name );
		}
	}
	if ( !grow( (void**)&h->elements, h->element_count, &h->element_capacity, sizeof e ) )
	{
		return bvb_fail_memory( line->error );
	}
	h->elements[h->element_count++] = e;
	return bv_ok;
}

static bv_status read_type( bvb_text* line, bvb_ply_type* out )
{
	const char* word;
	size_t length = next_word( line, &word );
	for ( size_t i = 0; i < sizeof type_names / sizeof type_names[0]; ++i )
	{
		if ( bvb_text_is( word, length, type_names[i].name ) )
		{
			*out = type_names[i].type;
			return bv_ok;
		}
	}
	return length > 0 ? bvb_text_fail_token( line, word, "is not a PLY type" )
	                  : bvb_text_fail( line, bv_error_input, "a property needs a type and a name" );
}

static bvb_ply_role find_role( bvb_ply_kind kind, const char* name, size_t length )
{
	bool vertex = kind == bvb_ply_vertex;
	const property_name* names = vertex ? vertex_properties : face_properties;
	size_t count = vertex ? sizeof vertex_properties / sizeof vertex_properties[0]
	                      : sizeof face_properties / sizeof face_properties[0];
	if ( vertex || kind == bvb_ply_face || kind == bvb_ply_tristrips )
	{
		for ( size_t i = 0; i < count; ++i )
		{
			if ( bvb_text_is( name, length, names[i].name ) )
			{
				return names[i].role;
			}
		}
	}
	return bvb_ply_skipped;
}

static bool has_role( const bvb_ply_header* h, const bvb_ply_element* e, bvb_ply_role role )
{
	for ( size_t i = 0; i < e->property_count; ++i )
	{
		if ( h->properties[e->first_property + i].role == role )
		{
			return true;
		}
	}
	return false;
}

// A property that is used has to be what it is used as, and there once.
static bv_status check_role( const bvb_text* line, const bvb_ply_header* h, const bvb_ply_element* e,
                             const bvb_ply_property* p, const char* name )
{
	if ( p->role == bvb_ply_skipped )
	{
		return bv_ok;
	}
	if ( p->role == bvb_ply_indices && !p->list )
	{
		return bvb_text_fail_token( line, name, "must be a list" );
	}
	if ( p->role == bvb_ply_indices && !bvb_ply_type_is_whole( p->type ) )
	{
		return bvb_text_fail_token( line, name, "must be a list of whole numbers" );
	}
	if ( p->role != bvb_ply_indices && p->list )
	{
		return bvb_text_fail_token( line, name, "must not be a list" );
	}
	return has_role( h, e, p->role ) ? bvb_text_fail_token( line, name, "is a duplicate property" ) : bv_ok;
}

static bv_status read_property( bvb_text* line, bvb_ply_header* h )
{
	if ( h->element_count == 0 )
	{
		return bvb_text_fail( line, bv_error_input, "property before the first element" );
	}
	bvb_ply_property p = { .role = bvb_ply_skipped };
	bvb_ply_element* e = &h->elements[h->element_count - 1];
	const char* start = line->cursor;
	const char* word;
	size_t length = next_word( line, &word );
	p.list = bvb_text_is( word, length, "list" );
	line->cursor = p.list ? line->cursor : start;
	bvb_text_skip_blanks( line );
	const char* count_type = line->cursor;
	bv_status status = p.list ? read_type( line, &p.count_type ) : bv_ok;
	if ( status == bv_ok && p.list && !bvb_ply_type_is_whole( p.count_type ) )
	{
		status = bvb_text_fail_token( line, count_type, "is not a valid type for a list's length" );
	}
	status = status == bv_ok ? read_type( line, &p.type ) : status;
	if ( status != bv_ok )
	{
		return status;
	}

	length = next_word( line, &word );
	if ( length == 0 )
	{
		return bvb_text_fail( line, bv_error_input, "a property needs a type and a name" );
	}
	p.role = find_role( e->kind, word, length );
	status = check_role( line, h, e, &p, word );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( !grow( (void**)&h->properties, h->property_count, &h->property_capacity, sizeof p ) )
	{
		return bvb_fail_memory( line->error );
	}
	h->properties[h->property_count++] = p;
	++e->property_count;
	e->has_lists |= p.list;
	return bv_ok;
}

typedef struct keyword
{
	const char* name;
	bv_status ( *read )( bvb_text* line, bvb_ply_header* h );
} keyword;

static const keyword keywords[] = {
	{ "property", read_property },
	{ "element", read_element },
	{ "comment", skip },
	{ "obj_info", skip },
	{ "format", read_format },

	// "Created by Blender3D": the exporter of Blender 2.4 forgot that this is a comment.
	{ "Created", skip },
};

// A line without its newline, which goes to its end.
static bv_status read_line( bvb_text* line, bvb_ply_header* h, bool* last )
{
	const char* word;
	size_t length = next_word( line, &word );
	*last = bvb_text_is( word, length, "end_header" );
	bv_status status = bv_ok;
	if ( length > 0 && !*last )
	{
		size_t i = 0;
		size_t count = sizeof keywords / sizeof keywords[0];
		while ( i < count && !bvb_text_is( word, length, keywords[i].name ) )
		{
			++i;
		}
		status = i < count ? keywords[i].read( line, h )
		                   : bvb_text_fail_token( line, word, "is not a PLY keyword" );
	}
	bvb_text_skip_blanks( line );
	return status != bv_ok || bvb_text_at_line_end( line )
	           ? status
	           : bvb_text_fail_token( line, line->cursor, "is unexpected at the end of the line" );
}

static bv_status read_magic( bvb_text* line )
{
	const char* word;
	size_t length = bvb_text_read_word( line, &word );
	if ( line->end - word > 4 && memcmp( word, "ply\r", 4 ) == 0 && word[4] != '\n' )
	{
		return bvb_text_fail( line, bv_error_unsupported,
		                      "lines that end in a lone carriage return are not supported" );
	}
	bvb_text_skip_blanks( line );
	return bvb_text_is( word, length, "ply" ) && bvb_text_at_line_end( line )
	           ? bv_ok
	           : bvb_text_fail( line, bv_error_input, "not a PLY file: the first line is not 'ply'" );
}

static bv_status read_lines( bvb_text* t, bvb_ply_header* h )
{
	bool last = false;
	for ( bool first = true; !last; first = false )
	{
		bvb_text line = *t;
		bvb_text_skip_line( t );
		bool whole = t->cursor < t->end;
		line.end = t->cursor;
		bv_status status = first ? read_magic( &line ) : bv_ok;
		if ( status == bv_ok && !whole )
		{
			status = bvb_text_fail( t, bv_error_input, "the file ends within the header" );
		}
		if ( status == bv_ok && !first )
		{
			status = read_line( &line, h, &last );
		}
		if ( status != bv_ok )
		{
			return status;
		}
		++t->cursor;
		++t->line;
	}
	return bv_ok;
}

static bv_status fail_element( const bvb_text* t, const bvb_ply_element* e, const char* what )
{
	return bvb_fail( t->error, bv_error_input, "%s:%llu: element %s has no %s", t->file,
	                 (unsigned long long)e->line, e->name, what );
}

static bv_status check_properties( const bvb_text* t, const bvb_ply_header* h, const bvb_ply_element* e )
{
	static const char* const coordinates[] = { "property x", "property y", "property z" };
	if ( e->property_count == 0 )
	{
		return fail_element( t, e, "properties" );
	}
	for ( int i = 0; i < 3 && e->kind == bvb_ply_vertex; ++i )
	{
		if ( !has_role( h, e, (bvb_ply_role)i ) )
		{
			return fail_element( t, e, coordinates[i] );
		}
	}
	bool indices = e->kind == bvb_ply_face || e->kind == bvb_ply_tristrips;
	return indices && !has_role( h, e, bvb_ply_indices ) ? fail_element( t, e, "property vertex_indices" )
	                                                     : bv_ok;
}

static uint64_t smallest_bytes( const bvb_ply_header* h, const bvb_ply_element* e )
{
	uint64_t bytes = 0;
	for ( size_t i = 0; i < e->property_count; ++i )
	{
		const bvb_ply_property* p = &h->properties[e->first_property + i];
		bytes += h->encoding == bvb_ply_text ? 2 : bvb_ply_type_bytes( p->list ? p->count_type : p->type );
	}
	return bytes;
}

bv_status bvb_ply_check_room( const bvb_text* t, const bvb_ply_header* h, const bvb_ply_element* e,
                              uint64_t bytes )
{
	// The last value of a text needs no blank after it.
	uint64_t room = bytes + ( h->encoding == bvb_ply_text );
	if ( e->count == 0 || e->count <= room / e->smallest_bytes )
	{
		return bv_ok;
	}
	return bvb_fail( t->error, bv_error_input,
	                 "%s:%llu: element %s has %llu entries, too many for the remaining %llu bytes", t->file,
	                 (unsigned long long)e->line, e->name, (unsigned long long)e->count,
	                 (unsigned long long)bytes );
}

bv_status bvb_ply_read_header( bvb_text* t, bvb_ply_header* out )
{
	bv_status status = read_lines( t, out );
	if ( status == bv_ok && !out->has_format )
	{
		status = bvb_fail( t->error, bv_error_input, "%s:%llu: the header has no format line", t->file,
		                   (unsigned long long)t->line - 1 );
	}
	uint64_t left = (uint64_t)( t->end - t->cursor );
	for ( size_t i = 0; i < out->element_count && status == bv_ok; ++i )
	{
		bvb_ply_element* e = &out->elements[i];
		e->smallest_bytes = smallest_bytes( out, e );
		status = e->count > 0 ? check_properties( t, out, e ) : bv_ok;
		status = status == bv_ok ? bvb_ply_check_room( t, out, e, left ) : status;
		uint64_t used = status == bv_ok ? e->count * e->smallest_bytes : 0;
		left = used < left ? left - used : 0;
	}
	return status;
}

void bvb_ply_free_header( bvb_ply_header* h )
{
	free( h->elements );
	free( h->properties );
	*h = ( bvb_ply_header ){ .encoding = bvb_ply_text };
}
