// The header of a PLY file: lines of words that say what follows. See header.h; the format is that of
// G. Turk, "The PLY Polygon File Format", 1994.

#include "formats/ply/header.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <stdlib.h>
#include <string.h>

typedef struct type_name
{
	const char* name;
	bvply_type type;
} type_name;

// Turk's names, and those of later writers.
static const type_name type_names[] = {
	{ "char", bvply_int8 },       { "uchar", bvply_uint8 },    { "short", bvply_int16 },
	{ "ushort", bvply_uint16 },   { "int", bvply_int32 },      { "uint", bvply_uint32 },
	{ "float", bvply_float32 },   { "double", bvply_float64 }, { "int8", bvply_int8 },
	{ "uint8", bvply_uint8 },     { "int16", bvply_int16 },    { "uint16", bvply_uint16 },
	{ "int32", bvply_int32 },     { "uint32", bvply_uint32 },  { "float32", bvply_float32 },
	{ "float64", bvply_float64 },
};

typedef struct encoding_name
{
	const char* name;
	bvply_encoding encoding;
} encoding_name;

static const encoding_name encoding_names[] = {
	{ "ascii", bvply_text },
	{ "binary_little_endian", bvply_little_endian },
	{ "binary_big_endian", bvply_big_endian },
};

static const char* const kind_names[] = { "vertex", "face", "tristrips", "edge" };

typedef struct property_name
{
	const char* name;
	bvply_role role;
} property_name;

static const property_name vertex_properties[] = {
	{ "x", bvply_ply_x },
	{ "y", bvply_ply_y },
	{ "z", bvply_ply_z },
};

static const property_name face_properties[] = {
	{ "vertex_indices", bvply_indices },
	{ "vertex_index", bvply_indices },
};

size_t bvply_type_bytes( bvply_type type )
{
	static const size_t bytes[] = { 1, 1, 2, 2, 4, 4, 4, 8 };
	return bytes[type];
}

const char* bvply_type_name( bvply_type type )
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
	void* grown = bvbase_memory_resize( *array, larger, size );
	if ( grown )
	{
		*array = grown;
		*capacity = larger;
	}
	return grown;
}

// The next word of the line, if there is one.
static size_t next_word( bvimport_text* line, const char** word )
{
	bvimport_text_skip_blanks( line );
	return bvimport_text_read_word( line, word );
}

static bv_status skip( bvimport_text* line, bvply_header* h )
{
	(void)h;
	bvimport_text_skip_line( line );
	return bv_ok;
}

static bv_status read_format( bvimport_text* line, bvply_header* h )
{
	const char* name;
	const char* version;
	size_t name_length = next_word( line, &name );
	size_t version_length = next_word( line, &version );
	if ( h->has_format )
	{
		return bvimport_text_fail( line, bv_error_input, "duplicate format line" );
	}
	if ( version_length == 0 )
	{
		return bvimport_text_fail( line, bv_error_input, "a format line needs an encoding and a version" );
	}
	for ( size_t i = 0; i < sizeof encoding_names / sizeof encoding_names[0] && !h->has_format; ++i )
	{
		h->has_format = bvimport_text_is( name, name_length, encoding_names[i].name );
		h->encoding = encoding_names[i].encoding;
	}
	if ( !h->has_format )
	{
		return bvimport_text_fail_token( line, name, "is not a PLY encoding" );
	}
	if ( !bvimport_text_is( version, version_length, "1.0" ) )
	{
		bvimport_text_fail_token( line, version, "is not a supported version of PLY" );
		return bv_error_unsupported;
	}
	return bv_ok;
}

static bvply_kind find_kind( const char* name, size_t length )
{
	int kind = 0;
	while ( kind < bvply_other && !bvimport_text_is( name, length, kind_names[kind] ) )
	{
		++kind;
	}
	return (bvply_kind)kind;
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

static bv_status read_element( bvimport_text* line, bvply_header* h )
{
	const char* name;
	size_t length = next_word( line, &name );
	bvimport_text_skip_blanks( line );
	if ( length == 0 || bvimport_text_at_line_end( line ) )
	{
		return bvimport_text_fail( line, bv_error_input, "an element needs a name and a count" );
	}
	int64_t count;
	const char* token = line->cursor;
	bv_status status = bvimport_text_read_integer( line, &count );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( count < 0 )
	{
		return bvimport_text_fail_token( line, token, "is not a count" );
	}

	bvply_element e = {
		.kind = find_kind( name, length ),
		.count = (uint64_t)count,
		.line = line->line,
		.first_property = h->property_count,
	};
	copy_for_messages( name, length, e.name );
	for ( size_t i = 0; i < h->element_count && e.kind != bvply_other; ++i )
	{
		if ( h->elements[i].kind == e.kind )
		{
			return bvimport_text_fail( line, bv_error_input, "duplicate element %s", e.name );
		}
	}
	if ( !grow( (void**)&h->elements, h->element_count, &h->element_capacity, sizeof e ) )
	{
		return bvbase_fail_memory( line->error );
	}
	h->elements[h->element_count++] = e;
	return bv_ok;
}

static bv_status read_type( bvimport_text* line, bvply_type* out )
{
	const char* word;
	size_t length = next_word( line, &word );
	for ( size_t i = 0; i < sizeof type_names / sizeof type_names[0]; ++i )
	{
		if ( bvimport_text_is( word, length, type_names[i].name ) )
		{
			*out = type_names[i].type;
			return bv_ok;
		}
	}
	return length > 0 ? bvimport_text_fail_token( line, word, "is not a PLY type" )
	                  : bvimport_text_fail( line, bv_error_input, "a property needs a type and a name" );
}

static bvply_role find_role( bvply_kind kind, const char* name, size_t length )
{
	bool vertex = kind == bvply_vertex;
	const property_name* names = vertex ? vertex_properties : face_properties;
	size_t count = vertex ? sizeof vertex_properties / sizeof vertex_properties[0]
	                      : sizeof face_properties / sizeof face_properties[0];
	if ( vertex || kind == bvply_face || kind == bvply_tristrips )
	{
		for ( size_t i = 0; i < count; ++i )
		{
			if ( bvimport_text_is( name, length, names[i].name ) )
			{
				return names[i].role;
			}
		}
	}
	return bvply_skipped;
}

static bool has_role( const bvply_header* h, const bvply_element* e, bvply_role role )
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
static bv_status check_role( const bvimport_text* line, const bvply_header* h, const bvply_element* e,
                             const bvply_property* p, const char* name )
{
	if ( p->role == bvply_skipped )
	{
		return bv_ok;
	}
	if ( p->role == bvply_indices && !p->list )
	{
		return bvimport_text_fail_token( line, name, "must be a list" );
	}
	if ( p->role == bvply_indices && !bvply_type_is_whole( p->type ) )
	{
		return bvimport_text_fail_token( line, name, "must be a list of whole numbers" );
	}
	if ( p->role != bvply_indices && p->list )
	{
		return bvimport_text_fail_token( line, name, "must not be a list" );
	}
	return has_role( h, e, p->role ) ? bvimport_text_fail_token( line, name, "is a duplicate property" )
	                                 : bv_ok;
}

static bv_status read_property( bvimport_text* line, bvply_header* h )
{
	if ( h->element_count == 0 )
	{
		return bvimport_text_fail( line, bv_error_input, "property before the first element" );
	}
	bvply_property p = { .role = bvply_skipped };
	bvply_element* e = &h->elements[h->element_count - 1];
	const char* start = line->cursor;
	const char* word;
	size_t length = next_word( line, &word );
	p.list = bvimport_text_is( word, length, "list" );
	line->cursor = p.list ? line->cursor : start;
	bvimport_text_skip_blanks( line );
	const char* count_type = line->cursor;
	bv_status status = p.list ? read_type( line, &p.count_type ) : bv_ok;
	if ( status == bv_ok && p.list && !bvply_type_is_whole( p.count_type ) )
	{
		status = bvimport_text_fail_token( line, count_type, "is not a valid type for a list's length" );
	}
	status = status == bv_ok ? read_type( line, &p.type ) : status;
	if ( status != bv_ok )
	{
		return status;
	}

	length = next_word( line, &word );
	if ( length == 0 )
	{
		return bvimport_text_fail( line, bv_error_input, "a property needs a type and a name" );
	}
	p.role = find_role( e->kind, word, length );
	status = check_role( line, h, e, &p, word );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( !grow( (void**)&h->properties, h->property_count, &h->property_capacity, sizeof p ) )
	{
		return bvbase_fail_memory( line->error );
	}
	h->properties[h->property_count++] = p;
	++e->property_count;
	e->has_lists |= p.list;
	return bv_ok;
}

typedef struct header_keyword
{
	const char* name;
	bv_status ( *read )( bvimport_text* line, bvply_header* h );
} header_keyword;

static const header_keyword keywords[] = {
	{ "property", read_property },
	{ "element", read_element },
	{ "comment", skip },
	{ "obj_info", skip },
	{ "format", read_format },

	// "Created by Blender3D": the exporter of Blender 2.4 forgot that this is a comment.
	{ "Created", skip },
};

// A line without its newline, which goes to its end.
static bv_status read_line( bvimport_text* line, bvply_header* h, bool* last )
{
	const char* word;
	size_t length = next_word( line, &word );
	*last = bvimport_text_is( word, length, "end_header" );
	bv_status status = bv_ok;
	if ( length > 0 && !*last )
	{
		size_t i = 0;
		size_t count = sizeof keywords / sizeof keywords[0];
		while ( i < count && !bvimport_text_is( word, length, keywords[i].name ) )
		{
			++i;
		}
		status = i < count ? keywords[i].read( line, h )
		                   : bvimport_text_fail_token( line, word, "is not a PLY keyword" );
	}
	bvimport_text_skip_blanks( line );
	return status != bv_ok || bvimport_text_at_line_end( line )
	           ? status
	           : bvimport_text_fail_token( line, line->cursor, "is unexpected at the end of the line" );
}

static bv_status read_magic( bvimport_text* line )
{
	const char* word;
	size_t length = bvimport_text_read_word( line, &word );
	if ( line->end - word > 4 && memcmp( word, "ply\r", 4 ) == 0 && word[4] != '\n' )
	{
		return bvimport_text_fail( line, bv_error_unsupported,
		                           "lines that end in a lone carriage return are not supported" );
	}
	bvimport_text_skip_blanks( line );
	return bvimport_text_is( word, length, "ply" ) && bvimport_text_at_line_end( line )
	           ? bv_ok
	           : bvimport_text_fail( line, bv_error_input, "not a PLY file: the first line is not 'ply'" );
}

static bv_status read_lines( bvimport_text* t, bvply_header* h )
{
	bool last = false;
	for ( bool first = true; !last; first = false )
	{
		bvimport_text line = *t;
		bvimport_text_skip_line( t );
		bool whole = t->cursor < t->end;
		line.end = t->cursor;
		bv_status status = first ? read_magic( &line ) : bv_ok;
		if ( status == bv_ok && !whole )
		{
			status = bvimport_text_fail( t, bv_error_input, "the file ends within the header" );
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

static bv_status fail_element( const bvimport_text* t, const bvply_element* e, const char* what )
{
	return bvbase_fail( t->error, bv_error_input, "%s:%llu: element %s has no %s", t->file,
	                    (unsigned long long)e->line, e->name, what );
}

static bv_status check_properties( const bvimport_text* t, const bvply_header* h, const bvply_element* e )
{
	static const char* const coordinates[] = { "property x", "property y", "property z" };
	if ( e->property_count == 0 )
	{
		return fail_element( t, e, "properties" );
	}
	for ( int i = 0; i < 3 && e->kind == bvply_vertex; ++i )
	{
		if ( !has_role( h, e, (bvply_role)i ) )
		{
			return fail_element( t, e, coordinates[i] );
		}
	}
	bool indices = e->kind == bvply_face || e->kind == bvply_tristrips;
	return indices && !has_role( h, e, bvply_indices ) ? fail_element( t, e, "property vertex_indices" )
	                                                   : bv_ok;
}

static uint64_t smallest_bytes( const bvply_header* h, const bvply_element* e )
{
	uint64_t bytes = 0;
	for ( size_t i = 0; i < e->property_count; ++i )
	{
		const bvply_property* p = &h->properties[e->first_property + i];
		bytes += h->encoding == bvply_text ? 2 : bvply_type_bytes( p->list ? p->count_type : p->type );
	}
	return bytes;
}

bv_status bvply_check_room( const bvimport_text* t, const bvply_header* h, const bvply_element* e,
                            uint64_t bytes )
{
	// The last value of a text needs no blank after it.
	uint64_t room = bytes + ( h->encoding == bvply_text );
	if ( e->count == 0 || e->count <= room / e->smallest_bytes )
	{
		return bv_ok;
	}
	return bvbase_fail( t->error, bv_error_input,
	                    "%s:%llu: element %s has %llu entries, too many for the remaining %llu bytes",
	                    t->file, (unsigned long long)e->line, e->name, (unsigned long long)e->count,
	                    (unsigned long long)bytes );
}

bv_status bvply_read_header( bvimport_text* t, bvply_header* out )
{
	bv_status status = read_lines( t, out );
	if ( status == bv_ok && !out->has_format )
	{
		status = bvbase_fail( t->error, bv_error_input, "%s:%llu: the header has no format line", t->file,
		                      (unsigned long long)t->line - 1 );
	}
	uint64_t left = (uint64_t)( t->end - t->cursor );
	for ( size_t i = 0; i < out->element_count && status == bv_ok; ++i )
	{
		bvply_element* e = &out->elements[i];
		e->smallest_bytes = smallest_bytes( out, e );
		status = e->count > 0 ? check_properties( t, out, e ) : bv_ok;
		status = status == bv_ok ? bvply_check_room( t, out, e, left ) : status;
		uint64_t used = status == bv_ok ? e->count * e->smallest_bytes : 0;
		left = used < left ? left - used : 0;
	}
	return status;
}

void bvply_free_header( bvply_header* h )
{
	free( h->elements );
	free( h->properties );
	*h = ( bvply_header ){ .encoding = bvply_text };
}
