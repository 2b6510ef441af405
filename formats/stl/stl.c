// STL, ASCII and binary. See stl.h; the format is that of 3D Systems, "StereoLithography Interface
// Specification", 1989, and of the many programs that took liberties with it since.

#include "formats/stl/stl.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/import/builder.h"
#include "offline/import/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	header_size = 80,
	head_size = header_size + 4, // with the number of triangles
	record_size = 50,            // normal, three vertices, attribute
	first_vertex = 12,           // within a record
	attribute = 48,              // within a record
};

typedef struct stl_parser
{
	bvimport_text text; // its line is found when it is needed: see locate
	const char* begin;
	bvimport_builder scene;
	bvimport_notes notes;
} stl_parser;

// Lines that end in \r alone count too, in a file that has no others.
static uint64_t line_of( const stl_parser* p, const char* place )
{
	const char newline = memchr( p->begin, '\n', (size_t)( p->text.end - p->begin ) ) ? '\n' : '\r';
	uint64_t line = 1;
	for ( const char* s = p->begin; s < place; ++s )
	{
		line += *s == newline;
	}
	return line;
}

static bool is_space( char c )
{
	return bvimport_text_is_blank( c ) || c == '\n';
}

static bool at_word_end( const stl_parser* p )
{
	return p->text.cursor == p->text.end || is_space( *p->text.cursor );
}

static void skip_space( stl_parser* p )
{
	while ( p->text.cursor < p->text.end && is_space( *p->text.cursor ) )
	{
		++p->text.cursor;
	}
}

// At the end of the text the last word's line is named.
static bv_status fail_expected( stl_parser* p, const char* token, const char* expected )
{
	char what[80];
	if ( token < p->text.end )
	{
		p->text.line = line_of( p, token );
		snprintf( what, sizeof what, "instead of %s", expected );
		return bvimport_text_fail_token( &p->text, token, what );
	}
	while ( token > p->begin && is_space( token[-1] ) )
	{
		--token;
	}
	p->text.line = line_of( p, token );
	return bvimport_text_fail( &p->text, bv_error_input, "the file ends where %s is expected", expected );
}

// Goes over the word if it is this one, in any case. Some programs write "end loop" and the like.
static bool accept_slowly( stl_parser* p, const char* word, size_t length )
{
	const char* start = p->text.cursor;
	const char* given;
	size_t given_length = bvimport_text_read_word( &p->text, &given );
	if ( bvimport_text_is_any_case( given, given_length, word ) )
	{
		return true;
	}
	if ( length > 3 && memcmp( word, "end", 3 ) == 0 &&
	     bvimport_text_is_any_case( given, given_length, "end" ) )
	{
		bvimport_text_skip_blanks( &p->text );
		given_length = bvimport_text_read_word( &p->text, &given );
		if ( bvimport_text_is_any_case( given, given_length, word + 3 ) )
		{
			return true;
		}
	}
	p->text.cursor = start;
	return false;
}

// As nearly all programs write it, at once.
static inline bool accept_word( stl_parser* p, const char* word, size_t length )
{
	skip_space( p );
	const char* cursor = p->text.cursor;
	if ( (size_t)( p->text.end - cursor ) > length && memcmp( cursor, word, length ) == 0 &&
	     is_space( cursor[length] ) )
	{
		p->text.cursor += length;
		return true;
	}
	return accept_slowly( p, word, length );
}

#define accept( p, word ) accept_word( p, word, sizeof( word ) - 1 )
#define expect( p, word ) ( accept( p, word ) ? bv_ok : fail_expected( p, ( p )->text.cursor, "'" word "'" ) )

static bv_status fail_number( stl_parser* p, const char* token )
{
	if ( token == p->text.end )
	{
		return fail_expected( p, token, "a number" );
	}
	p->text.line = line_of( p, token );
	return bvimport_text_fail_token( &p->text, token, "is not a number" );
}

static inline bv_status read_coordinate( stl_parser* p, double* out )
{
	skip_space( p );
	const char* token = p->text.cursor;
	const char* after = bvbase_read_number( token, p->text.end, out );
	p->text.cursor = after ? after : token;
	return after && at_word_end( p ) ? bv_ok : fail_number( p, token );
}

// Normals of triangles without area are divided by zero, which the C library of Windows once wrote as -1.#IND
// or 1.#QNAN.
static bv_status skip_normal( stl_parser* p )
{
	for ( int i = 0; i < 3; ++i )
	{
		skip_space( p );
		const char* token = p->text.cursor;
		double unused;
		const char* after = bvbase_read_number( token, p->text.end, &unused );
		if ( after && after < p->text.end && *after == '#' && after[-1] == '.' )
		{
			bvimport_text_read_word( &p->text, &after );
			continue;
		}
		p->text.cursor = after ? after : token;
		if ( !after || !at_word_end( p ) )
		{
			return fail_number( p, token );
		}
	}
	return bv_ok;
}

static bv_status read_vertex( stl_parser* p )
{
	bv_vec3 x = { 0, 0, 0 };
	bv_status status = expect( p, "vertex" );
	status = status == bv_ok ? read_coordinate( p, &x.x ) : status;
	status = status == bv_ok ? read_coordinate( p, &x.y ) : status;
	status = status == bv_ok ? read_coordinate( p, &x.z ) : status;
	return status == bv_ok ? bvimport_builder_add_vertex( &p->scene, x ) : status;
}

static bv_status read_loop( stl_parser* p )
{
	bv_status status = expect( p, "outer" );
	status = status == bv_ok ? expect( p, "loop" ) : status;
	uint32_t first = p->scene.position_count;
	for ( int i = 0; i < 3 && status == bv_ok; ++i )
	{
		status = read_vertex( p );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	skip_space( p );
	const char* token = p->text.cursor;
	if ( accept( p, "vertex" ) )
	{
		p->text.line = line_of( p, token );
		return bvimport_text_fail( &p->text, bv_error_input, "facet has more than 3 vertices" );
	}
	status = expect( p, "endloop" );
	return status == bv_ok ? bvimport_builder_add_triangle(
								 &p->scene, ( bvb_triangle ){ { first, first + 1, first + 2 } } )
	                       : status;
}

// After the word `facet`.
static bv_status read_facet( stl_parser* p )
{
	bv_status status = expect( p, "normal" );
	status = status == bv_ok ? skip_normal( p ) : status;
	status = status == bv_ok ? read_loop( p ) : status;
	return status == bv_ok ? expect( p, "endfacet" ) : status;
}

// The rest of the line without the blanks around it.
static size_t read_name( stl_parser* p, const char** name )
{
	while ( p->text.cursor < p->text.end && bvimport_text_is_blank( *p->text.cursor ) &&
	        *p->text.cursor != '\r' )
	{
		++p->text.cursor;
	}
	*name = p->text.cursor;
	while ( !bvimport_text_at_line_end( &p->text ) && *p->text.cursor != '\r' )
	{
		++p->text.cursor;
	}
	const char* last = p->text.cursor;
	while ( last > *name && bvimport_text_is_blank( last[-1] ) )
	{
		--last;
	}
	return (size_t)( last - *name );
}

static bv_status read_solid( stl_parser* p )
{
	bv_status status = expect( p, "solid" );
	if ( status == bv_ok )
	{
		const char* name;
		size_t length = read_name( p, &name );
		status = bvimport_builder_set( &p->scene, bvimport_builder_object, name, length );
	}
	while ( status == bv_ok && accept( p, "facet" ) )
	{
		status = read_facet( p );
	}
	if ( status == bv_ok && !accept( p, "endsolid" ) )
	{
		status = fail_expected( p, p->text.cursor, "'facet' or 'endsolid'" );
	}
	if ( status == bv_ok )
	{
		const char* name;
		read_name( p, &name );
	}
	return status;
}

static bool begins_with_solid( stl_parser* p )
{
	static const char word[] = "solid";
	skip_space( p );
	return (size_t)( p->text.end - p->text.cursor ) >= strlen( word ) &&
	       bvimport_text_is_any_case( p->text.cursor, strlen( word ), word );
}

// Behind the last solid. What could be a facet is an error.
static bv_status note_rest( stl_parser* p )
{
	static const char* const words[] = { "facet",   "normal",   "outer",    "loop", "vertex",
		                                 "endloop", "endfacet", "endsolid", "end" };
	const char* first = p->text.cursor;
	uint64_t lines = 0;
	for ( ; p->text.cursor < p->text.end; ++lines )
	{
		const char* word;
		size_t length = bvimport_text_read_word( &p->text, &word );
		for ( size_t i = 0; i < sizeof words / sizeof words[0]; ++i )
		{
			if ( bvimport_text_is_any_case( word, length, words[i] ) )
			{
				return fail_expected( p, word, "'solid'" );
			}
		}
		bvimport_text_skip_line( &p->text );
		skip_space( p );
	}
	bvimport_notes_add( &p->notes, lines, "line %llu: the file continues after its last 'endsolid'",
	                    (unsigned long long)line_of( p, first ) );
	return bv_ok;
}

static bv_status read_ascii( stl_parser* p )
{
	size_t size = (size_t)( p->text.end - p->begin );
	size_t length = bvimport_text_unfilled( p->begin, size );
	if ( length < size )
	{
		bvimport_notes_add( &p->notes, 0, BVIMPORT_TEXT_FILLED );
		p->text.end = p->begin + length;
	}
	const char* nul = memchr( p->begin, 0, (size_t)( p->text.end - p->begin ) );
	if ( nul )
	{
		p->text.line = line_of( p, nul );
		return bvimport_text_fail( &p->text, bv_error_input, "binary data, not STL text" );
	}

	bv_status status;
	do
	{
		status = read_solid( p );
		skip_space( p );
	} while ( status == bv_ok && p->text.cursor < p->text.end && begins_with_solid( p ) );
	return status == bv_ok && p->text.cursor < p->text.end ? note_rest( p ) : status;
}

// Bytes of little-endian numbers on any machine. Compilers see that this is one load where it is.
static inline uint32_t load_u32( const char* data )
{
	const unsigned char* b = (const unsigned char*)data;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint64_t binary_size( uint32_t triangles )
{
	return head_size + (uint64_t)record_size * triangles;
}

static inline double load_float( const char* data )
{
	uint32_t bits = load_u32( data );
	float x;
	memcpy( &x, &bits, sizeof x );
	return x;
}

// Some files are filled up with zeros.
static bool is_padding( const char* s, const char* end )
{
	while ( s < end && !*s )
	{
		++s;
	}
	return s == end;
}

// The attribute was meant to count bytes between a triangle and the next one. If a file has such bytes, later
// triangles are not where they seem to be. The first attribute that is not zero is in its place, so if all are
// zero the file has no such bytes.
static bool has_attributes( const char* data, uint32_t triangles )
{
	const char* end = data + head_size + (uint64_t)triangles * record_size;
	for ( const char* record = data + head_size; record < end; record += record_size )
	{
		if ( record[attribute] || record[attribute + 1] )
		{
			return true;
		}
	}
	return false;
}

static bool are_finite( const char* data, uint32_t triangles )
{
	const char* end = data + head_size + (uint64_t)triangles * record_size;
	for ( const char* record = data + head_size; record < end; record += record_size )
	{
		for ( const char* x = record + first_vertex; x < record + attribute; x += 4 )
		{
			if ( !isfinite( load_float( x ) ) )
			{
				return false;
			}
		}
	}
	return true;
}

// Of a file whose size does not agree with its header, those triangles that are counted and there. Hardly any
// bytes that are no triangles have no attributes and finite coordinates alone.
// @return whether at least one triangle is certain
static bool count_certain( stl_parser* p, uint32_t counted, uint32_t* out )
{
	const char* data = p->begin;
	uint64_t size = (uint64_t)( p->text.end - data );
	uint64_t there = ( size - head_size ) / record_size;
	uint64_t expected = binary_size( counted );
	uint32_t kept = there < counted ? (uint32_t)there : counted;
	*out = kept;
	if ( size == expected )
	{
		return true;
	}
	bool padded = size > expected && is_padding( data + expected, data + size );
	if ( has_attributes( data, kept ) || ( !padded && ( kept == 0 || !are_finite( data, kept ) ) ) )
	{
		return false;
	}
	if ( kept < counted )
	{
		bvimport_notes_add( &p->notes, 1, "the file ends after %u of the %u triangles of its header", kept,
		                    counted );
	}
	else if ( !padded )
	{
		bvimport_notes_add( &p->notes, 1, "%llu bytes follow the %u triangles of the header",
		                    (unsigned long long)( size - expected ), counted );
	}
	return true;
}

static bv_status read_binary( stl_parser* p )
{
	const char* data = p->begin;
	size_t size = (size_t)( p->text.end - data );
	if ( size < head_size )
	{
		return bvbase_fail(
			p->text.error, bv_error_input,
			"%s: not an STL file: neither text that begins with 'solid' nor the %d-byte header of "
			"binary STL",
			p->text.file, head_size );
	}
	uint32_t counted = load_u32( data + header_size );
	uint32_t triangles;
	if ( !count_certain( p, counted, &triangles ) )
	{
		return bvbase_fail(
			p->text.error, bv_error_input,
			"%s: binary STL with %u triangles needs %d + %d * %u = %llu bytes, the file has %zu",
			p->text.file, counted, head_size, record_size, counted,
			(unsigned long long)binary_size( counted ), size );
	}

	bvimport_builder* scene = &p->scene;
	bv_status status = bvimport_builder_reserve_vertices( scene, (uint64_t)3 * triangles );
	status = status == bv_ok ? bvimport_builder_reserve_triangles( scene, triangles ) : status;
	const char* record = data + head_size;
	for ( uint32_t i = 0; i < triangles && status == bv_ok; ++i )
	{
		const char* x = record + first_vertex;
		for ( int k = 0; k < 3; ++k, x += 12 )
		{
			scene->positions[3 * i + (uint32_t)k] =
				( bv_vec3 ){ load_float( x ), load_float( x + 4 ), load_float( x + 8 ) };
		}
		status = bvimport_builder_add_triangle( scene, ( bvb_triangle ){ { 3 * i, 3 * i + 1, 3 * i + 2 } } );
		record += record_size;
	}
	scene->position_count = 3 * triangles;
	return status;
}

// As far as control characters tell.
static bool is_text( const char* data, size_t first, size_t last )
{
	for ( size_t i = first; i < last; ++i )
	{
		if ( (unsigned char)data[i] < ' ' && !is_space( data[i] ) )
		{
			return false;
		}
	}
	return true;
}

// The header of a binary file may begin with `solid`, too. Then its size tells, and where that is wrong its
// number of triangles, which is no text below 150 million. A text has the size of a binary file only by an
// accident, and above 7 GB; but then it has no zeros.
static bool is_ascii( stl_parser* p )
{
	const char* data = p->begin;
	size_t size = (size_t)( p->text.end - data );
	bool solid = begins_with_solid( p );
	if ( size >= head_size && size == binary_size( load_u32( data + header_size ) ) )
	{
		return solid && !memchr( data, 0, size );
	}
	return is_text( data, solid ? header_size : 0, size < head_size ? size : head_size );
}

static bv_status read_mesh( stl_parser* p, bvb_arena* arena, bvb_import* out )
{
	bool mark = p->text.end - p->begin >= 3 && memcmp( p->begin, "\xef\xbb\xbf", 3 ) == 0;
	p->text.cursor = p->begin + ( mark ? 3 : 0 );
	bv_status status = is_ascii( p ) ? read_ascii( p ) : read_binary( p );
	if ( status == bv_ok && p->scene.triangle_count == 0 )
	{
		return bvbase_fail( p->text.error, bv_error_input, "%s: no triangles", p->text.file );
	}
	status = status == bv_ok ? bvimport_notes_deliver( &p->notes, arena, out, p->text.error ) : status;
	return status == bv_ok ? bvimport_builder_finish( &p->scene, arena, &out->scene ) : status;
}

bv_status bvstl_read_stl( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error )
{
	stl_parser p = { .text = { .file = name, .end = data + size, .error = error }, .begin = data };
	bvimport_builder_begin( &p.scene, name, error );
	bv_status status = read_mesh( &p, arena, out );
	bvimport_builder_end( &p.scene );
	return status;
}
