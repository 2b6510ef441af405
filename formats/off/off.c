// Geomview's Object File Format, read in one pass over the text. See off.h; the format is that of the
// Geomview manual, "OFF files".
//
// The manual separates all numbers by any white space. Here lines matter more: vertices carry colors of any
// length, the count of edges may be missing, and what has slipped by one number must not become a mesh.

#include "formats/off/off.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"
#include "offline/import/builder.h"
#include "offline/import/text.h"

#include <stdlib.h>
#include <string.h>

enum
{
	vertex_bytes = 6, // "0 0 0\n"
	face_bytes = 2,   // "0\n"
};

typedef struct off_parser
{
	bvimport_text text;
	const char* data_end;     // of the file, whatever follows that byte
	const char* last_newline; // of the text; its begin when there is none

	bvimport_builder scene;
	uint64_t vertices; // announced
	uint64_t faces;    // announced
	uint64_t points;
	uint64_t lines;
	bvimport_notes notes;

	uint32_t needed;  // numbers of a vertex that its keyword promises; colors may be any
	uint32_t columns; // numbers of the first vertex
	uint32_t corner[bvimport_face_corner_limit];
} off_parser;

static bool at_line_end( const off_parser* p )
{
	return bvimport_text_at_line_end( &p->text ) || *p->text.cursor == '#';
}

static bool at_separator( const off_parser* p )
{
	return at_line_end( p ) || bvimport_text_is_blank( *p->text.cursor );
}

static bv_status read_number( off_parser* p, double* out )
{
	const char* token = p->text.cursor;
	const char* after = bvbase_read_number( token, p->text.end, out );
	p->text.cursor = after ? after : token;
	return after && at_separator( p ) ? bv_ok
	                                  : bvimport_text_fail_token( &p->text, token, "is not a number" );
}

// Digits; beyond 10^18 they make no difference.
static bv_status read_whole( off_parser* p, const char* what, uint64_t* out )
{
	const char* token = p->text.cursor;
	const char* s = token;
	uint64_t value = 0;
	for ( ; s < p->text.end && bvimport_text_is_digit( *s ); ++s )
	{
		value = value < 100000000000000000u ? 10 * value + (uint64_t)( *s - '0' ) : value;
	}
	p->text.cursor = s;
	*out = value;
	return s > token && at_separator( p ) ? bv_ok : bvimport_text_fail_token( &p->text, token, what );
}

// The numbers of skipped things to the end of the line.
static bv_status skip_numbers( off_parser* p, uint32_t* count )
{
	*count = 0;
	for ( bvimport_text_skip_blanks( &p->text ); !at_line_end( p ); bvimport_text_skip_blanks( &p->text ) )
	{
		double unused;
		bv_status status = read_number( p, &unused );
		if ( status != bv_ok )
		{
			return status;
		}
		++*count;
	}
	return bv_ok;
}

typedef struct prefix
{
	const char* name;
	uint32_t numbers;  // that a vertex has for it
	bool of_dimension; // other than 3
} prefix;

static const prefix prefixes[] = {
	{ "ST", 2, false }, { "C", 0, false }, { "N", 3, false }, { "4", 0, true }, { "n", 0, true },
};

enum
{
	prefix_count = sizeof prefixes / sizeof prefixes[0],
};

// [ST][C][N][4][n]OFF. The order does not matter here, and not all writers keep Geomview's: MeshLab writes
// NCOFF. The files of ModelNet40 have the counts at the keyword, without a blank.
static bool read_keyword( off_parser* p, bool* dimensions )
{
	const char* s = p->text.cursor;
	const char* end = p->text.end;
	p->needed = 3;
	*dimensions = false;
	uint32_t seen = 0;
	for ( uint32_t i = 0; i < prefix_count; )
	{
		size_t length = strlen( prefixes[i].name );
		if ( seen >> i & 1 || (size_t)( end - s ) < length || memcmp( s, prefixes[i].name, length ) != 0 )
		{
			++i;
			continue;
		}
		s += length;
		p->needed += prefixes[i].numbers;
		*dimensions = *dimensions || prefixes[i].of_dimension;
		seen |= 1u << i;
		i = 0;
	}
	if ( end - s < 3 || !bvimport_text_is_any_case( s, 3, "off" ) )
	{
		return false;
	}
	const char* word = p->text.cursor;
	p->text.cursor = s + 3;
	if ( at_separator( p ) || bvimport_text_is_digit( *p->text.cursor ) )
	{
		return true;
	}
	p->text.cursor = word;
	return false;
}

static bv_status read_header( off_parser* p )
{
	bvimport_text_skip_space( &p->text, '#' );
	const char* token = p->text.cursor;
	bool dimensions;
	if ( read_keyword( p, &dimensions ) )
	{
		if ( dimensions )
		{
			return bvimport_text_fail( &p->text, bv_error_unsupported,
			                           "4OFF and nOFF are not supported: vertices must have 3 coordinates" );
		}
		bvimport_text_skip_blanks( &p->text );
		const char* word;
		size_t length = bvimport_text_read_word( &p->text, &word );
		p->text.cursor = word;
		return bvimport_text_is( word, length, "BINARY" )
		           ? bvimport_text_fail( &p->text, bv_error_unsupported, "binary OFF is not supported" )
		           : bv_ok;
	}
	p->needed = 3;
	if ( token < p->text.end && bvimport_text_is_digit( *token ) )
	{
		return bv_ok;
	}
	return token < p->text.end ? bvimport_text_fail_keyword( &p->text, token, "is not an OFF keyword" )
	                           : bvimport_text_fail( &p->text, bv_error_input,
	                                                 "the counts of vertices and faces are missing" );
}

static bv_status read_counts( off_parser* p )
{
	bvimport_text_skip_space( &p->text, '#' );
	uint64_t value[3] = { 0 };
	bvimport_written written[3];
	uint32_t count = 0;
	for ( ; !at_line_end( p ) && count < 3; ++count )
	{
		written[count] = bvimport_text_written( &p->text, p->text.cursor );
		bv_status status = read_whole( p, "is not a count", &value[count] );
		if ( status != bv_ok )
		{
			return status;
		}
		bvimport_text_skip_blanks( &p->text );
	}
	if ( count < 2 || !at_line_end( p ) )
	{
		return bvimport_text_fail( &p->text, bv_error_input,
		                           "expected a line with the counts of vertices, faces and edges" );
	}
	p->vertices = value[0];
	p->faces = value[1];

	// Before memory for them is asked for; the last line may lack its end.
	uint64_t left = (uint64_t)( p->data_end - p->text.cursor ) + 1;
	if ( p->faces > 0 && p->vertices == 0 )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "the file has faces but no vertices" );
	}
	if ( p->vertices > left / vertex_bytes || p->faces > ( left - vertex_bytes * p->vertices ) / face_bytes )
	{
		return bvimport_text_fail( &p->text, bv_error_input,
		                           "the file is too short for %s vertices and %s faces", written[0].text,
		                           written[1].text );
	}
	bv_status status = bvimport_builder_reserve_vertices( &p->scene, p->vertices );
	return status == bv_ok ? bvimport_builder_reserve_triangles( &p->scene, p->faces ) : status;
}

static bv_status fail_early_end( const off_parser* p, const char* what, uint64_t count, uint64_t wanted )
{
	return bvimport_text_fail( &p->text, bv_error_input, "the file ends after %llu of %llu %s",
	                           (unsigned long long)count, (unsigned long long)wanted, what );
}

// The first `wanted` numbers may be in several lines. Any that follow in the last of several lines belong to
// something else, and a number is missing before.
static bv_status read_vertex( off_parser* p )
{
	double value[3];
	uint32_t count = 0;
	uint32_t in_first_line = 0;
	uint64_t line = p->text.line;
	for ( ;; )
	{
		double number;
		bv_status status = read_number( p, &number );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( count < 3 )
		{
			value[count] = number;
		}
		++count;
		bvimport_text_skip_blanks( &p->text );
		if ( !at_line_end( p ) )
		{
			if ( in_first_line && count == p->needed )
			{
				p->text.line = line;
				return bvimport_text_fail( &p->text, bv_error_input, "vertex has %u numbers instead of %u",
				                           in_first_line, p->needed );
			}
			continue;
		}
		if ( count >= p->needed )
		{
			break;
		}
		in_first_line = in_first_line ? in_first_line : count;
		bvimport_text_skip_space( &p->text, '#' );
		if ( p->text.cursor == p->text.end )
		{
			return fail_early_end( p, "vertices", p->scene.position_count, p->vertices );
		}
	}

	p->columns = p->columns ? p->columns : count;
	if ( count != p->columns )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "vertex has %u numbers, the first vertex has %u",
		                           count, p->columns );
	}
	return bvimport_builder_add_vertex( &p->scene, ( bv_vec3 ){ value[0], value[1], value[2] } );
}

static bv_status read_vertices( off_parser* p )
{
	for ( uint64_t i = 0; i < p->vertices; ++i )
	{
		bvimport_text_skip_space( &p->text, '#' );
		if ( p->text.cursor == p->text.end )
		{
			return fail_early_end( p, "vertices", i, p->vertices );
		}
		bv_status status = read_vertex( p );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	return bv_ok;
}

static bv_status read_index( off_parser* p, uint32_t* out )
{
	bool negative = *p->text.cursor == '-';
	const char* token = p->text.cursor;
	p->text.cursor += negative;
	uint64_t index;
	if ( read_whole( p, "is not a vertex index", &index ) != bv_ok )
	{
		return bvimport_text_fail_token( &p->text, token, "is not a vertex index" );
	}
	if ( negative || index >= p->vertices )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "face refers to vertex %s, outside 0 to %llu",
		                           bvimport_text_written( &p->text, token ).text,
		                           (unsigned long long)p->vertices - 1 );
	}
	*out = (uint32_t)index;
	return bv_ok;
}

static bv_status read_corners( off_parser* p, uint32_t count, uint64_t face )
{
	uint64_t line = p->text.line;
	uint32_t in_first_line = 0;
	bool split = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvimport_text_skip_blanks( &p->text );
		if ( at_line_end( p ) )
		{
			in_first_line = split ? in_first_line : i;
			split = true;
			bvimport_text_skip_space( &p->text, '#' );
		}
		if ( p->text.cursor == p->text.end )
		{
			return fail_early_end( p, "faces", face, p->faces );
		}
		bv_status status = read_index( p, &p->corner[i] );
		if ( status != bv_ok )
		{
			return status;
		}
	}

	uint32_t colors;
	bv_status status = skip_numbers( p, &colors );
	if ( status == bv_ok && split && colors > 0 )
	{
		p->text.line = line;
		return bvimport_text_fail( &p->text, bv_error_input,
		                           "face has %u corners, but only %u are on its line", count, in_first_line );
	}
	if ( status == bv_ok && ( colors > 4 || colors == 2 ) )
	{
		return bvimport_text_fail( &p->text, bv_error_input,
		                           "a face's color has %u numbers instead of 1, 3 or 4", colors );
	}
	return status;
}

static bv_status read_face( off_parser* p, uint64_t face )
{
	uint64_t count;
	bv_status status = read_whole( p, "is not a corner count", &count );
	if ( status == bv_ok && count == 0 )
	{
		bvimport_text_skip_blanks( &p->text );
		if ( !at_line_end( p ) )
		{
			return bvimport_text_fail( &p->text, bv_error_input, "face has 0 corners" );
		}
		bvimport_notes_add( &p->notes, 1, "line %llu: face has 0 corners", (unsigned long long)p->text.line );
	}
	if ( status == bv_ok && count > bvimport_face_corner_limit )
	{
		status = bvimport_text_fail( &p->text, bv_error_limit, "face has more than %d corners",
		                             bvimport_face_corner_limit );
	}
	if ( status == bv_ok )
	{
		status = read_corners( p, (uint32_t)count, face );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	p->points += count == 1;
	p->lines += count == 2;
	return bvimport_builder_add_face( &p->scene, p->corner, (uint32_t)count );
}

// Blanks, then up to 9 digits. Null when there is something else. Ends at a newline at the latest.
static const char* read_plain_index( const char* s, uint32_t* out )
{
	while ( bvimport_text_is_blank( *s ) )
	{
		++s;
	}
	const char* first = s;
	uint32_t value = 0;
	for ( ; bvimport_text_is_digit( *s ); ++s )
	{
		value = 10 * value + (uint32_t)( *s - '0' );
	}
	*out = value;
	return s > first && s - first < 10 ? s : NULL;
}

// A whole line "3 1 2 3", as almost all are: a newline ahead spares every look at the text's end. False, and
// nothing done, for any other.
static bool read_plain_triangle( off_parser* p, bvb_triangle* out )
{
	const char* s = p->text.cursor;
	uint32_t* corner = out->corner;
	if ( s >= p->last_newline || s[0] != '3' || !bvimport_text_is_blank( s[1] ) ||
	     !( s = read_plain_index( s + 1, &corner[0] ) ) || !bvimport_text_is_blank( *s ) ||
	     !( s = read_plain_index( s, &corner[1] ) ) || !bvimport_text_is_blank( *s ) ||
	     !( s = read_plain_index( s, &corner[2] ) ) )
	{
		return false;
	}
	while ( bvimport_text_is_blank( *s ) )
	{
		++s;
	}
	if ( *s != '\n' || corner[0] >= p->vertices || corner[1] >= p->vertices || corner[2] >= p->vertices )
	{
		return false;
	}
	p->text.cursor = s + 1;
	++p->text.line;
	return true;
}

static bv_status read_faces( off_parser* p )
{
	for ( uint64_t i = 0; i < p->faces; ++i )
	{
		bvb_triangle triangle;
		bvimport_text_skip_space( &p->text, '#' );
		bv_status status;
		if ( read_plain_triangle( p, &triangle ) )
		{
			status = bvimport_builder_add_triangle( &p->scene, triangle );
		}
		else if ( p->text.cursor == p->text.end )
		{
			status = fail_early_end( p, "faces", i, p->faces );
		}
		else
		{
			status = read_face( p, i );
		}
		if ( status != bv_ok )
		{
			return status;
		}
	}
	return bv_ok;
}

// Lines beyond the counts of the header. If faces of one or two corners were read, the lines may have slipped.
static bv_status note_rest( off_parser* p )
{
	bvimport_text_skip_space( &p->text, '#' );
	uint64_t first = p->text.line;
	uint64_t lines = 0;
	if ( p->text.cursor < p->text.end && ( p->points > 0 || p->lines > 0 || p->notes.losses > 0 ) )
	{
		return bvimport_text_fail( &p->text, bv_error_input,
		                           "the file continues after the %llu faces of its header",
		                           (unsigned long long)p->faces );
	}
	for ( ; p->text.cursor < p->text.end; ++lines )
	{
		bvimport_text_skip_line( &p->text );
		bvimport_text_skip_space( &p->text, '#' );
	}
	if ( lines > 0 )
	{
		bvimport_notes_add( &p->notes, lines,
		                    "line %llu: the file continues after the %llu faces of its header",
		                    (unsigned long long)first, (unsigned long long)p->faces );
	}
	if ( p->text.filled )
	{
		bvimport_notes_add( &p->notes, 0, BVIMPORT_TEXT_FILLED );
	}
	return p->text.cut ? bvimport_text_fail_binary( &p->text ) : bv_ok;
}

static bv_status read_all( off_parser* p )
{
	bv_status status = read_header( p );
	status = status == bv_ok ? read_counts( p ) : status;
	status = status == bv_ok ? read_vertices( p ) : status;
	status = status == bv_ok ? read_faces( p ) : status;
	return status == bv_ok ? note_rest( p ) : status;
}

static bv_status read_mesh( off_parser* p, bvb_arena* arena, bvb_import* out )
{
	bv_status status = read_all( p );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( p->scene.triangle_count == 0 )
	{
		// Vertices alone are a cloud of points.
		uint64_t points = p->points + p->lines > 0 ? p->points : p->scene.position_count;
		return bvimport_builder_fail_empty( &p->scene, points, p->lines, &p->notes );
	}
	out->points = p->points;
	out->lines = p->lines;
	status = bvimport_notes_deliver( &p->notes, arena, out, p->text.error );
	return status == bv_ok ? bvimport_builder_finish( &p->scene, arena, &out->scene ) : status;
}

bv_status bvoff_read_off( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error )
{
	off_parser* p = malloc( sizeof *p );
	if ( !p )
	{
		return bvbase_fail_memory( error );
	}
	memset( p, 0, offsetof( off_parser, corner ) );
	p->text = bvimport_text_begin( name, data, size, "OFF", error );
	p->data_end = data + size;
	p->last_newline = size ? bvbase_memory_find_last( data, '\n', (size_t)( p->text.end - data ) ) : NULL;
	p->last_newline = p->last_newline ? p->last_newline : data;
	bvimport_builder_begin( &p->scene, name, error );

	bv_status status = read_mesh( p, arena, out );
	bvimport_builder_end( &p->scene );
	free( p );
	return status;
}
