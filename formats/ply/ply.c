// The body of a PLY file: the header's elements in their order. See ply.h; the format is that of G. Turk,
// "The PLY Polygon File Format", 1994.
//
// Every value of the format is a number that a double holds. One path reads any layout in any encoding;
// binary records without lists, and binary triangles of 32-bit indices, are read by loops of their own.

#include "formats/ply/ply.h"

#include "formats/ply/header.h"
#include "offline/base/error.h"
#include "offline/import/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ply_reader
{
	bvply_header header;
	const char* data;   // the file's first byte
	bvimport_text text; // the body; the line means something in text only

	bvimport_builder scene;
	uint64_t vertex_count; // announced
	uint64_t points;
	uint64_t lines;
	bvimport_notes notes;
	bool by_lines; // each entry of a text has a line of its own
	bool is_short; // an entry has not: then the text is no such one
	bool has_few;  // there are faces with fewer than 3 corners, which other values may look like

	const bvply_element* element; // that is read
	uint64_t entry;               // of it
	uint32_t corner[bvimport_face_corner_limit];
} ply_reader;

__attribute__( ( format( printf, 3, 4 ) ) ) static bv_status fail( const ply_reader* r, bv_status status,
                                                                   const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	const bvimport_text* t = &r->text;
	return r->header.encoding == bvply_text
	           ? bvimport_text_fail( t, status, "%s", text )
	           : bvbase_fail( t->error, status, "%s: byte %llu: %s", t->file,
	                          (unsigned long long)( t->cursor - r->data ), text );
}

static bv_status fail_cut( const ply_reader* r )
{
	return fail( r, bv_error_input, "the file ends within %s %llu of %llu", r->element->name,
	             (unsigned long long)r->entry, (unsigned long long)r->element->count );
}

static size_t bytes_left( const ply_reader* r )
{
	return (size_t)( r->text.end - r->text.cursor );
}

// Values in binary. Assembled from bytes, they are right on any machine, and compilers know the pattern.

static inline uint32_t load_16( const unsigned char* s, bool big )
{
	return big ? (uint32_t)s[0] << 8 | s[1] : (uint32_t)s[1] << 8 | s[0];
}

static inline uint32_t load_32( const unsigned char* s, bool big )
{
	return big ? (uint32_t)s[0] << 24 | (uint32_t)s[1] << 16 | (uint32_t)s[2] << 8 | s[3]
	           : (uint32_t)s[3] << 24 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | s[0];
}

static inline double load_float( const unsigned char* s, bool big )
{
	uint32_t bits = load_32( s, big );
	float value;
	memcpy( &value, &bits, sizeof value );
	return value;
}

static inline double load_double( const unsigned char* s, bool big )
{
	uint64_t bits = (uint64_t)load_32( big ? s : s + 4, big ) << 32 | load_32( big ? s + 4 : s, big );
	double value;
	memcpy( &value, &bits, sizeof value );
	return value;
}

static inline double load( const unsigned char* s, bvply_type type, bool big )
{
	switch ( type )
	{
	case bvply_int8: return (int8_t)s[0];
	case bvply_uint8: return s[0];
	case bvply_int16: return (int16_t)load_16( s, big );
	case bvply_uint16: return load_16( s, big );
	case bvply_int32: return (int32_t)load_32( s, big );
	case bvply_uint32: return load_32( s, big );
	case bvply_float32: return load_float( s, big );
	default: return load_double( s, big );
	}
}

// Values in any encoding.

static bv_status read_whole_number( ply_reader* r, bvply_type type, double* out )
{
	static const int64_t least[] = { INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0 };
	static const int64_t largest[] = { INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX, UINT32_MAX };

	// Up to 18 digits without a sign, which cannot overflow; the rest is left to the general function.
	bvimport_text* t = &r->text;
	const char* token = t->cursor;
	const char* s = token;
	int64_t value = 0;
	while ( s < t->end && bvimport_text_is_digit( *s ) && s - token < 18 )
	{
		value = 10 * value + ( *s++ - '0' );
	}
	t->cursor = s;
	if ( s == token || !( bvimport_text_at_line_end( t ) || bvimport_text_is_blank( *s ) ) )
	{
		t->cursor = token;
		bv_status status = bvimport_text_read_integer( t, &value );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	if ( value < least[type] || value > largest[type] )
	{
		char what[32];
		snprintf( what, sizeof what, "does not fit %s", bvply_type_name( type ) );
		return bvimport_text_fail_token( t, token, what );
	}
	*out = (double)value;
	return bv_ok;
}

static inline bv_status read_value( ply_reader* r, bvply_type type, double* out )
{
	if ( r->header.encoding != bvply_text )
	{
		size_t bytes = bvply_type_bytes( type );
		if ( bytes_left( r ) < bytes )
		{
			return fail_cut( r );
		}
		const unsigned char* s = (const unsigned char*)r->text.cursor;
		*out = load( s, type, r->header.encoding == bvply_big_endian );
		r->text.cursor += bytes;
		return bv_ok;
	}

	if ( r->by_lines )
	{
		bvimport_text_skip_blanks( &r->text );
		r->is_short = bvimport_text_at_line_end( &r->text );
	}
	else
	{
		bvimport_text_skip_space( &r->text, 0 );
	}
	if ( r->is_short || r->text.cursor == r->text.end )
	{
		return fail_cut( r );
	}
	return bvply_type_is_whole( type ) ? read_whole_number( r, type, out )
	                                   : bvimport_text_read_number( &r->text, out );
}

static bv_status read_length( ply_reader* r, const bvply_property* p, uint64_t* out )
{
	const char* before = r->text.cursor;
	double length = 0;
	bv_status status = read_value( r, p->count_type, &length );
	*out = length < 0 ? 0 : (uint64_t)length;
	if ( status != bv_ok || length >= 0 )
	{
		return status;
	}
	r->text.cursor = r->header.encoding == bvply_text ? r->text.cursor : before;
	return fail( r, bv_error_input, "%s %llu has a list of %.0f values", r->element->name,
	             (unsigned long long)r->entry, length );
}

// Below zero only where strips may end.
static bv_status read_index( ply_reader* r, bvply_type type, bool strips, int64_t* out )
{
	const char* before = r->text.cursor;
	double value = 0;
	bv_status status = read_value( r, type, &value );
	*out = (int64_t)value;
	if ( status != bv_ok || ( *out >= 0 && (uint64_t)*out < r->vertex_count ) || ( strips && *out == -1 ) )
	{
		return status;
	}
	r->text.cursor = r->header.encoding == bvply_text ? r->text.cursor : before;
	return fail( r, bv_error_input, "%s %llu refers to vertex %lld of %llu", r->element->name,
	             (unsigned long long)r->entry, (long long)*out, (unsigned long long)r->vertex_count );
}

static bv_status skip_list( ply_reader* r, const bvply_property* p )
{
	uint64_t length;
	bv_status status = read_length( r, p, &length );
	if ( status == bv_ok && r->header.encoding != bvply_text )
	{
		if ( length > bytes_left( r ) / bvply_type_bytes( p->type ) )
		{
			return fail_cut( r );
		}
		r->text.cursor += length * bvply_type_bytes( p->type );
		return bv_ok;
	}
	for ( uint64_t i = 0; i < length && status == bv_ok; ++i )
	{
		double unused;
		status = read_value( r, p->type, &unused );
	}
	return status;
}

static bv_status read_face( ply_reader* r, const bvply_property* p )
{
	uint64_t count;
	bv_status status = read_length( r, p, &count );
	if ( status == bv_ok && count > bvimport_face_corner_limit )
	{
		return fail( r, bv_error_limit, "face has more than %d corners", bvimport_face_corner_limit );
	}
	for ( uint64_t i = 0; i < count && status == bv_ok; ++i )
	{
		int64_t index;
		status = read_index( r, p->type, false, &index );
		r->corner[i] = (uint32_t)index;
	}
	if ( status != bv_ok )
	{
		return status;
	}
	if ( count == 0 )
	{
		bvimport_notes_add( &r->notes, 1, "%s %llu has 0 corners", r->element->name,
		                    (unsigned long long)r->entry );
	}
	r->has_few = r->has_few || count < 3;
	r->points += count == 1;
	r->lines += count == 2;
	return bvimport_builder_add_face( &r->scene, r->corner, (uint32_t)count );
}

static bv_status read_strips( ply_reader* r, const bvply_property* p )
{
	uint64_t count;
	bv_status status = read_length( r, p, &count );
	uint32_t last[2] = { 0, 0 };
	uint64_t length = 0; // of the strip so far
	for ( uint64_t i = 0; i < count && status == bv_ok; ++i )
	{
		int64_t index;
		status = read_index( r, p->type, true, &index );
		if ( status == bv_ok && index >= 0 && length >= 2 )
		{
			uint32_t odd = length & 1;
			bvb_triangle triangle = { { last[odd], last[1 - odd], (uint32_t)index } };
			status = bvimport_builder_add_triangle( &r->scene, triangle );
		}
		last[0] = last[1];
		last[1] = (uint32_t)index;
		++length;
		if ( index < 0 || i + 1 == count )
		{
			length -= index < 0;
			r->points += length == 1;
			r->lines += length == 2;
			length = 0;
		}
	}
	return status;
}

// Values of a line that the header does not declare.
static bv_status skip_unknown( ply_reader* r )
{
	bvimport_text_skip_blanks( &r->text );
	if ( !bvimport_text_at_line_end( &r->text ) )
	{
		if ( r->has_few )
		{
			return bvimport_text_fail_token( &r->text, r->text.cursor, "is more than the header says" );
		}
		bvimport_notes_add( &r->notes, 1, "line %llu: %s %llu has more values than the header says",
		                    (unsigned long long)r->text.line, r->element->name,
		                    (unsigned long long)r->entry );
		bvimport_text_skip_line( &r->text );
	}
	return bv_ok;
}

static bv_status read_entry( ply_reader* r )
{
	if ( r->by_lines )
	{
		bvimport_text_skip_space( &r->text, 0 );
	}
	const bvply_element* e = r->element;
	const bvply_property* first = r->header.properties + e->first_property;
	double value[bvply_skipped + 1];
	bv_status status = bv_ok;
	for ( const bvply_property* p = first; p < first + e->property_count; ++p )
	{
		if ( !p->list )
		{
			status = read_value( r, p->type, &value[p->role] );
		}
		else if ( p->role != bvply_indices )
		{
			status = skip_list( r, p );
		}
		else
		{
			status = e->kind == bvply_face ? read_face( r, p ) : read_strips( r, p );
		}
		if ( status != bv_ok )
		{
			return status;
		}
	}
	status = r->by_lines ? skip_unknown( r ) : bv_ok;
	if ( status != bv_ok )
	{
		return status;
	}
	r->lines += e->kind == bvply_edge;
	return e->kind == bvply_vertex
	           ? bvimport_builder_add_vertex( &r->scene, ( bv_vec3 ){ value[0], value[1], value[2] } )
	           : bv_ok;
}

// Binary records without lists: they are known to be there.

typedef struct coordinate
{
	size_t offset;
	bvply_type type;
} coordinate;

static inline void copy_floats( const unsigned char* s, uint64_t count, size_t stride, const coordinate* xyz,
                                bool big, bv_vec3* out )
{
	for ( uint64_t i = 0; i < count; ++i, s += stride )
	{
		out[i] = ( bv_vec3 ){ load_float( s + xyz[0].offset, big ), load_float( s + xyz[1].offset, big ),
			                  load_float( s + xyz[2].offset, big ) };
	}
}

static void copy_vertices( const ply_reader* r, const coordinate* xyz, bv_vec3* out )
{
	const unsigned char* s = (const unsigned char*)r->text.cursor;
	uint64_t count = r->element->count;
	size_t stride = (size_t)r->element->smallest_bytes;
	bool big = r->header.encoding == bvply_big_endian;
	bool floats = true;
	for ( int k = 0; k < 3; ++k )
	{
		floats = floats && xyz[k].type == bvply_float32;
	}
	if ( floats && big )
	{
		copy_floats( s, count, stride, xyz, true, out );
	}
	else if ( floats )
	{
		copy_floats( s, count, stride, xyz, false, out );
	}
	else
	{
		for ( uint64_t i = 0; i < count; ++i, s += stride )
		{
			out[i] = ( bv_vec3 ){ load( s + xyz[0].offset, xyz[0].type, big ),
				                  load( s + xyz[1].offset, xyz[1].type, big ),
				                  load( s + xyz[2].offset, xyz[2].type, big ) };
		}
	}
}

static void read_records( ply_reader* r )
{
	const bvply_element* e = r->element;
	coordinate xyz[3] = { { 0, bvply_float32 }, { 0, bvply_float32 }, { 0, bvply_float32 } };
	size_t offset = 0;
	for ( size_t i = 0; i < e->property_count; ++i )
	{
		const bvply_property* p = &r->header.properties[e->first_property + i];
		if ( p->role != bvply_skipped )
		{
			xyz[p->role] = ( coordinate ){ offset, p->type };
		}
		offset += bvply_type_bytes( p->type );
	}
	if ( e->kind == bvply_vertex )
	{
		copy_vertices( r, xyz, r->scene.positions + r->scene.position_count );
		r->scene.position_count += (uint32_t)e->count;
	}
	r->lines += e->kind == bvply_edge ? e->count : 0;
	r->text.cursor += e->count * e->smallest_bytes;
}

// Binary triangles of nothing but a byte and three 32-bit indices, as most files have. What is anything else
// is left to read_entry.

enum
{
	triangle_bytes = 13,
};

static bool has_plain_faces( const ply_reader* r )
{
	const bvply_element* e = r->element;
	const bvply_property* p = &r->header.properties[e->first_property];
	return r->header.encoding != bvply_text && e->kind == bvply_face && e->property_count == 1 &&
	       bvply_type_bytes( p->count_type ) == 1 && bvply_type_bytes( p->type ) == 4;
}

static inline bv_status read_triangles( ply_reader* r, bool big )
{
	// An index below zero is not below this limit either.
	bool negative = r->header.properties[r->element->first_property].type == bvply_int32;
	uint64_t most = negative ? (uint64_t)INT32_MAX + 1 : UINT32_MAX;
	uint32_t limit = (uint32_t)( r->vertex_count < most ? r->vertex_count : most );

	const unsigned char* s = (const unsigned char*)r->text.cursor;
	const unsigned char* end = (const unsigned char*)r->text.end;
	uint64_t left = r->element->count - r->entry;
	bv_status status = bv_ok;
	for ( ; left > 0 && end - s >= triangle_bytes && s[0] == 3; --left, s += triangle_bytes )
	{
		bvb_triangle t = { { load_32( s + 1, big ), load_32( s + 5, big ), load_32( s + 9, big ) } };
		if ( t.corner[0] >= limit || t.corner[1] >= limit || t.corner[2] >= limit )
		{
			break;
		}
		status = bvimport_builder_add_triangle( &r->scene, t );
		if ( status != bv_ok )
		{
			break;
		}
	}
	r->text.cursor = (const char*)s;
	r->entry = r->element->count - left;
	return status;
}

// Room for all vertices; for all faces as far as they may be triangles.
static bv_status reserve( ply_reader* r )
{
	const bvply_element* e = r->element;
	if ( e->kind == bvply_vertex )
	{
		return bvimport_builder_reserve_vertices( &r->scene, e->count );
	}
	uint64_t most = bytes_left( r ) / ( e->smallest_bytes + 3 );
	return e->kind == bvply_face
	           ? bvimport_builder_reserve_triangles( &r->scene, e->count < most ? e->count : most )
	           : bv_ok;
}

static bv_status read_element( ply_reader* r )
{
	// The lists before it may have taken what the header's check had left.
	bv_status status = bvply_check_room( &r->text, &r->header, r->element, bytes_left( r ) );
	status = status == bv_ok ? reserve( r ) : status;
	if ( status == bv_ok && r->header.encoding != bvply_text && !r->element->has_lists )
	{
		read_records( r );
		return bv_ok;
	}

	bool plain = has_plain_faces( r );
	bool big = r->header.encoding == bvply_big_endian;
	for ( r->entry = 0; r->entry < r->element->count && status == bv_ok; ++r->entry )
	{
		if ( plain )
		{
			status = big ? read_triangles( r, true ) : read_triangles( r, false );
			if ( status != bv_ok || r->entry == r->element->count )
			{
				break;
			}
		}
		status = read_entry( r );
	}
	return status;
}

// Lines with something in them.
static uint64_t count_lines( bvimport_text text )
{
	uint64_t count = 0;
	for ( bvimport_text_skip_space( &text, 0 ); text.cursor < text.end; bvimport_text_skip_space( &text, 0 ) )
	{
		++count;
		bvimport_text_skip_line( &text );
	}
	return count;
}

// Whether the data behind the last element is certainly separate from what was read: in a text if each entry
// was one line, in a binary file if the faces that were read are valid.
static bv_status check_end( ply_reader* r )
{
	if ( r->header.encoding == bvply_text )
	{
		bvimport_text_skip_space( &r->text, 0 );
		if ( r->text.cursor == r->text.end )
		{
			return bv_ok;
		}
		if ( !r->by_lines || r->has_few )
		{
			return bvimport_text_fail_token( &r->text, r->text.cursor, "follows the last element" );
		}
		uint64_t first = r->text.line;
		bvimport_notes_add( &r->notes, count_lines( r->text ),
		                    "line %llu: the file continues after its elements", (unsigned long long)first );
		return bv_ok;
	}
	const char* s = r->text.cursor;
	while ( s < r->text.end && ( *s == 0 || *s == '\n' || bvimport_text_is_blank( *s ) ) )
	{
		++s;
	}
	if ( s < r->text.end && ( r->has_few || r->scene.triangle_count == 0 ) )
	{
		return fail( r, bv_error_input, "%llu bytes follow the last element",
		             (unsigned long long)bytes_left( r ) );
	}
	if ( s < r->text.end )
	{
		bvimport_notes_add( &r->notes, 1, "%llu bytes follow the last element",
		                    (unsigned long long)bytes_left( r ) );
	}
	return bv_ok;
}

static bv_status read_body( ply_reader* r )
{
	const bvply_header* h = &r->header;
	bv_status status = bv_ok;
	for ( size_t i = 0; i < h->element_count && status == bv_ok; ++i )
	{
		r->element = &h->elements[i];
		status = r->element->count > 0 ? read_element( r ) : bv_ok;
	}
	return status == bv_ok ? check_end( r ) : status;
}

static bv_status read_text_by( ply_reader* r, bool by_lines, bvimport_text begin )
{
	bvimport_builder_restart( &r->scene );
	r->text = begin;
	r->points = 0;
	r->lines = 0;
	r->notes = ( bvimport_notes ){ 0 };
	r->has_few = false;
	r->by_lines = by_lines;
	r->is_short = false;
	return read_body( r );
}

// In PLY, white space separates values and line ends mean nothing; but nearly all programs write one entry per
// line. If there are as many lines as entries, each line is one entry, and values that the header does not
// declare are noticed. If there are more lines, this is tried when reading by white space fails.
static bv_status read_text( ply_reader* r )
{
	size_t size = bytes_left( r );
	size_t length = bvimport_text_unfilled( r->text.cursor, size );
	r->text.end = r->text.cursor + length;
	bvimport_text begin = r->text;
	uint64_t entries = 0;
	for ( size_t i = 0; i < r->header.element_count; ++i )
	{
		entries += r->header.elements[i].count;
	}
	uint64_t lines = count_lines( begin );
	bv_status status = read_text_by( r, lines == entries, begin );
	bool is_sure = lines < entries || ( r->by_lines && !r->is_short && r->notes.losses > 0 );
	if ( status == bv_error_input && !is_sure )
	{
		bvb_error first = *r->text.error;
		r->text.error->message[0] = 0;
		bv_status again = read_text_by( r, lines != entries, begin );
		if ( again != bv_ok && r->by_lines )
		{
			*r->text.error = first;
		}
		status = again;
	}
	if ( length < size )
	{
		bvimport_notes_add( &r->notes, 0, BVIMPORT_TEXT_FILLED );
	}
	return status;
}

static bv_status read_all( ply_reader* r, bvb_arena* arena, bvb_import* out )
{
	const bvply_header* h = &r->header;
	bv_status status = bvply_read_header( &r->text, &r->header );
	for ( size_t i = 0; i < h->element_count && status == bv_ok; ++i )
	{
		r->vertex_count += h->elements[i].kind == bvply_vertex ? h->elements[i].count : 0;
	}
	if ( status == bv_ok )
	{
		status = h->encoding == bvply_text ? read_text( r ) : read_body( r );
	}
	if ( status == bv_ok && r->scene.triangle_count == 0 )
	{
		status = bvimport_builder_fail_empty( &r->scene, r->scene.position_count, r->lines, &r->notes );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	out->points = r->points;
	out->lines = r->lines;
	status = bvimport_notes_deliver( &r->notes, arena, out, r->text.error );
	return status == bv_ok ? bvimport_builder_finish( &r->scene, arena, &out->scene ) : status;
}

bv_status bvply_read_ply( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error )
{
	ply_reader* r = malloc( sizeof *r );
	if ( !r )
	{
		return bvbase_fail_memory( error );
	}
	memset( r, 0, offsetof( ply_reader, corner ) );
	r->data = data;
	r->text = bvimport_text_begin( name, data, size, NULL, error );
	bvimport_builder_begin( &r->scene, name, error );

	bv_status status = read_all( r, arena, out );
	bvimport_builder_end( &r->scene );
	bvply_free_header( &r->header );
	free( r );
	return status;
}
