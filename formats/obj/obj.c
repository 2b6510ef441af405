// Wavefront OBJ, read in one pass over the text. See obj.h; the format is that of "Advanced Visualizer",
// appendix B1.
//
// A long text is read in parts beside each other, each by a parser of its own, and put together. What a part
// can't know makes all of it be read again, in one part: how many vertices are before it, which negative
// indices count from, and which line an error is in.

#include "formats/obj/obj.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"
#include "offline/base/threads.h"
#include "offline/import/builder.h"
#include "offline/import/text.h"

#include <stdlib.h>
#include <string.h>

enum
{
	most_libraries = 256, // material libraries that are kept; they shape nothing
	least_part = 1 << 17, // bytes of text that are worth a parser of their own
	parts_a_thread = 4,   // so that all threads end at about the same time
};

// Part of the text.
typedef struct span
{
	const char* text;
	size_t length;
} span;

// A name that a part sets.
typedef struct obj_change
{
	uint32_t triangle; // the first behind it, of the part
	bvimport_builder_kind kind;
	span name;
} obj_change;

typedef struct obj_parser
{
	bvimport_text text;

	bvimport_builder scene;
	bool is_part;        // what precedes the text is not known
	obj_change* changes; // of a part
	uint32_t change_count;
	uint32_t change_room;
	bool has_objects; // `o` statements: then groups are no objects
	uint64_t points;
	uint64_t lines;
	bvimport_notes notes;

	uint64_t vertex_limit;   // a positive index above it is an error at once
	uint64_t largest_vertex; // positive index so far
	uint32_t library_count;
	span libraries[most_libraries]; // their names, as often as they are there
	uint32_t corner[bvimport_face_corner_limit];
} obj_parser;

// A token ends at a comment too, and at a backslash that may continue the line.
static bool at_separator( const obj_parser* p )
{
	return p->text.cursor == p->text.end || bvimport_text_is_blank( *p->text.cursor ) ||
	       *p->text.cursor == '\n' || *p->text.cursor == '#' || *p->text.cursor == '\\';
}

static bool at_line_end( const obj_parser* p )
{
	return p->text.cursor == p->text.end || *p->text.cursor == '\n' || *p->text.cursor == '#';
}

static bool is_keyword( const char* word, size_t length );

// Where the next line begins, if the backslash at `s` is the last of its line; null otherwise.
static const char* find_next_line( const obj_parser* p, const char* s )
{
	const char* after = s + 1;
	while ( after < p->text.end && *after == '\r' )
	{
		++after;
	}
	if ( after == p->text.end )
	{
		return after;
	}
	return *after == '\n' ? after + 1 : NULL;
}

// A backslash does not continue the line if the next line is a statement: names of folders end with one.
static bool is_continued( const obj_parser* p, const char* backslash )
{
	bvimport_text next = p->text;
	next.cursor = find_next_line( p, backslash );
	if ( !next.cursor )
	{
		return false;
	}
	bvimport_text_skip_blanks( &next );
	const char* word;
	size_t length = bvimport_text_read_word( &next, &word );
	return !is_keyword( word, length );
}

static void note_backslash( obj_parser* p )
{
	bvimport_notes_add( &p->notes, 0,
	                    "line %llu: the backslash at its end continues nothing, because a statement follows",
	                    (unsigned long long)p->text.line );
}

// At a backslash.
static void skip_backslashes( obj_parser* p )
{
	while ( p->text.cursor < p->text.end && *p->text.cursor == '\\' )
	{
		const char* backslash = p->text.cursor;
		const char* next_line = find_next_line( p, backslash );
		if ( !next_line )
		{
			return;
		}
		if ( !is_continued( p, backslash ) )
		{
			note_backslash( p );
			p->text.cursor = backslash + 1;
		}
		else
		{
			p->text.line += next_line[-1] == '\n';
			p->text.cursor = next_line;
		}
		bvimport_text_skip_blanks( &p->text );
	}
}

// Blanks, and backslashes at the ends of lines.
static void skip_blanks( obj_parser* p )
{
	const char* next = p->text.cursor + 1;
	if ( next < p->text.end && *p->text.cursor == ' ' && *next > ' ' && *next != '\\' )
	{
		p->text.cursor = next;
		return;
	}
	while ( p->text.cursor < p->text.end && bvimport_text_is_blank( *p->text.cursor ) )
	{
		++p->text.cursor;
	}
	if ( p->text.cursor < p->text.end && *p->text.cursor == '\\' )
	{
		skip_backslashes( p );
	}
}

// A part of the text does not know its line numbers, so it cannot give warnings.
static bv_status check_notes( obj_parser* p )
{
	return p->is_part && p->notes.warnings > 0
	           ? bvimport_text_fail( &p->text, bv_error_limit,
	                                 "lines with warnings are not supported when the file is read in parts" )
	           : bv_ok;
}

// To the last of the lines that are one. A backslash at the end of a comment continues nothing either.
static void skip_line( obj_parser* p )
{
	for ( ;; )
	{
		const char* start = p->text.cursor;
		bvimport_text_skip_line( &p->text );
		const char* last = p->text.cursor;
		while ( last > start && last[-1] == '\r' )
		{
			--last;
		}
		if ( p->text.cursor == p->text.end || last == start || last[-1] != '\\' ||
		     memchr( start, '#', (size_t)( last - start ) ) )
		{
			return;
		}
		if ( !is_continued( p, last - 1 ) )
		{
			note_backslash( p );
			return;
		}
		++p->text.cursor;
		++p->text.line;
	}
}

static bv_status read_coordinate( obj_parser* p, double* out )
{
	const char* token = p->text.cursor;
	const char* after = bvbase_read_number( token, p->text.end, out );
	p->text.cursor = after ? after : token;
	return after && at_separator( p ) ? bv_ok
	                                  : bvimport_text_fail_token( &p->text, token, "is not a number" );
}

static bv_status read_vertex( obj_parser* p )
{
	double value[3];
	int count = 0;
	uint64_t line = p->text.line;
	for ( skip_blanks( p ); !at_line_end( p ); skip_blanks( p ) )
	{
		double unused;
		bv_status status = read_coordinate( p, count < 3 ? &value[count] : &unused );
		if ( status != bv_ok )
		{
			return status;
		}
		count += count < 3;
	}
	if ( count < 3 )
	{
		p->text.line = line;
		return bvimport_text_fail( &p->text, bv_error_input, "vertex has %d coordinates instead of 3",
		                           count );
	}

	return bvimport_builder_add_vertex( &p->scene, ( bv_vec3 ){ value[0], value[1], value[2] } );
}

// Digits up to 10^18, beyond which they make no difference.
static uint64_t read_digits( obj_parser* p )
{
	uint64_t value = 0;
	while ( p->text.cursor < p->text.end && bvimport_text_is_digit( *p->text.cursor ) )
	{
		uint64_t digit = (uint64_t)( *p->text.cursor++ - '0' );
		value = value < 100000000000000000u ? 10 * value + digit : value;
	}
	return value;
}

static void skip_sign( obj_parser* p )
{
	p->text.cursor += p->text.cursor < p->text.end && ( *p->text.cursor == '-' || *p->text.cursor == '+' );
}

// Most indices are a few digits and a blank. @return whether that is one, in which case the cursor is behind
// it
static bool read_plain_index( obj_parser* p, uint32_t* out )
{
	enum
	{
		most_digits = 9
	};
	const char* s = p->text.cursor;
	const char* end = p->text.end - s > most_digits ? s + most_digits : p->text.end;
	uint32_t value = 0;
	while ( s < end && bvimport_text_is_digit( *s ) )
	{
		value = 10 * value + (uint32_t)( *s++ - '0' );
	}
	if ( s == end || !( *s == ' ' || *s == '\n' || *s == '\r' ) || value == 0 || value > p->vertex_limit )
	{
		return false;
	}
	p->text.cursor = s;
	p->largest_vertex = value > p->largest_vertex ? value : p->largest_vertex;
	*out = value - 1;
	return true;
}

// v, v/vt, v//vn or v/vt/vn. Texture coordinates and normals only have to be integers, and may be left out.
static bv_status read_index( obj_parser* p, const char* element, uint32_t* out )
{
	if ( read_plain_index( p, out ) )
	{
		return bv_ok;
	}
	const char* token = p->text.cursor;
	bool negative = *token == '-';
	skip_sign( p );
	if ( p->text.cursor == p->text.end || !bvimport_text_is_digit( *p->text.cursor ) )
	{
		return bvimport_text_fail_token( &p->text, token, "is not a vertex index" );
	}
	uint64_t index = read_digits( p );
	for ( int i = 0; i < 2 && p->text.cursor < p->text.end && *p->text.cursor == '/'; ++i )
	{
		++p->text.cursor;
		skip_sign( p );
		read_digits( p );
	}
	if ( !at_separator( p ) )
	{
		return bvimport_text_fail_token( &p->text, token, "is not a vertex index" );
	}

	uint64_t limit = negative ? p->scene.position_count : p->vertex_limit;
	if ( index == 0 || index > limit )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "%s refers to vertex %s of %llu", element,
		                           bvimport_text_written( &p->text, token ).text,
		                           (unsigned long long)( index ? limit : p->scene.position_count ) );
	}
	if ( negative && p->is_part )
	{
		return bvimport_text_fail( &p->text, bv_error_limit,
		                           "relative indices are not supported when the file is read in parts" );
	}
	if ( negative )
	{
		*out = (uint32_t)( p->scene.position_count - index );
	}
	else
	{
		p->largest_vertex = index > p->largest_vertex ? index : p->largest_vertex;
		*out = (uint32_t)( index - 1 );
	}
	return bv_ok;
}

static bv_status read_face( obj_parser* p )
{
	uint32_t count = 0;
	uint64_t line = p->text.line;
	for ( skip_blanks( p ); !at_line_end( p ); skip_blanks( p ) )
	{
		if ( count == bvimport_face_corner_limit )
		{
			return bvimport_text_fail( &p->text, bv_error_limit, "face has more than %d corners",
			                           bvimport_face_corner_limit );
		}
		bv_status status = read_index( p, "face", &p->corner[count] );
		if ( status != bv_ok )
		{
			return status;
		}
		++count;
	}
	if ( count < 3 )
	{
		bvimport_notes_add( &p->notes, 1, "line %llu: face has %u corners instead of 3 or more",
		                    (unsigned long long)line, count );
	}
	return bvimport_builder_add_face( &p->scene, p->corner, count );
}

// A point or line element, of which only the number matters.
static bv_status read_indices( obj_parser* p, const char* element, uint64_t needed, uint64_t* count )
{
	uint64_t line = p->text.line;
	*count = 0;
	for ( skip_blanks( p ); !at_line_end( p ); skip_blanks( p ) )
	{
		uint32_t vertex;
		bv_status status = read_index( p, element, &vertex );
		if ( status != bv_ok )
		{
			return status;
		}
		++*count;
	}
	if ( *count < needed )
	{
		bvimport_notes_add( &p->notes, 0, "line %llu: %s has %llu vertices instead of %llu or more",
		                    (unsigned long long)line, element, (unsigned long long)*count,
		                    (unsigned long long)needed );
	}
	return bv_ok;
}

static bv_status read_points( obj_parser* p )
{
	uint64_t count;
	bv_status status = read_indices( p, "point", 1, &count );
	p->points += count;
	return status;
}

static bv_status read_line( obj_parser* p )
{
	uint64_t count;
	bv_status status = read_indices( p, "line", 2, &count );
	p->lines += status == bv_ok && count > 1 ? count - 1 : 0;
	return status;
}

static bv_status skip( obj_parser* p )
{
	skip_line( p );
	return bv_ok;
}

// The rest of the line without the blanks around it. A name that goes on in the next line is cut.
static span take_rest( obj_parser* p )
{
	bvimport_text_skip_blanks( &p->text );
	bool continued =
		p->text.cursor < p->text.end && *p->text.cursor == '\\' && is_continued( p, p->text.cursor );
	if ( continued )
	{
		skip_blanks( p );
	}
	const char* name = p->text.cursor;
	bvimport_text_skip_line( &p->text );
	const char* last = p->text.cursor;
	p->text.cursor = name;
	skip_line( p );

	bool cut = p->text.cursor > last;
	const char* comment = memchr( name, '#', (size_t)( last - name ) );
	last = comment && ( comment == name || bvimport_text_is_blank( comment[-1] ) ) ? comment : last;
	while ( last > name && ( bvimport_text_is_blank( last[-1] ) || ( cut && last[-1] == '\\' ) ) )
	{
		--last;
	}
	return ( span ){ name, (size_t)( last - name ) };
}

static bv_status note_change( obj_parser* p, bvimport_builder_kind kind, span name )
{
	if ( p->change_count == p->change_room )
	{
		uint32_t room = p->change_room ? 2 * p->change_room : 64;
		obj_change* larger = realloc( p->changes, room * sizeof *larger );
		if ( !larger )
		{
			return bvbase_fail_memory( p->text.error );
		}
		p->changes = larger;
		p->change_room = room;
	}
	p->changes[p->change_count++] = ( obj_change ){ p->scene.triangle_count, kind, name };
	return bv_ok;
}

static bv_status read_name( obj_parser* p, bvimport_builder_kind kind )
{
	span name = take_rest( p );
	if ( p->is_part )
	{
		return note_change( p, kind, name );
	}
	return bvimport_builder_set( &p->scene, kind, name.text, name.length );
}

static void add_library( obj_parser* p, const char* name, size_t length )
{
	if ( length > 0 && length < bvbase_path_bytes && p->library_count < most_libraries &&
	     !memchr( name, 0, length ) )
	{
		p->libraries[p->library_count++] = ( span ){ name, length };
	}
}

// Several names with blanks between, as the specification has it, or a name with blanks in it, as many files
// do.
static bv_status read_libraries( obj_parser* p )
{
	span all = take_rest( p );
	const char* end = all.text + all.length;
	add_library( p, all.text, all.length );
	for ( const char* c = all.text; c < end; )
	{
		const char* name = c;
		while ( c < end && !bvimport_text_is_blank( *c ) )
		{
			++c;
		}
		if ( (size_t)( c - name ) < all.length )
		{
			add_library( p, name, (size_t)( c - name ) );
		}
		c += c < end;
	}
	return bv_ok;
}

static bv_status read_object( obj_parser* p )
{
	p->has_objects = true;
	return read_name( p, bvimport_builder_object );
}

static bv_status read_group( obj_parser* p )
{
	return read_name( p, bvimport_builder_group );
}

static bv_status read_material( obj_parser* p )
{
	return read_name( p, bvimport_builder_material );
}

static bv_status refuse_call( obj_parser* p )
{
	return bvimport_text_fail( &p->text, bv_error_unsupported,
	                           "'call' (including another file) is not supported" );
}

typedef struct obj_keyword
{
	const char* name;
	bv_status ( *read )( obj_parser* p );
} obj_keyword;

// The whole specification, superseded statements included; the frequent ones first.
static const obj_keyword keywords[] = {
	{ "v", read_vertex },
	{ "f", read_face },
	{ "vn", skip },
	{ "vt", skip },
	{ "g", read_group },
	{ "o", read_object },
	{ "s", skip },
	{ "usemtl", read_material },
	{ "mtllib", read_libraries },
	{ "l", read_line },
	{ "p", read_points },
	{ "vp", skip },
	{ "fo", read_face },
	{ "mg", skip },
	{ "call", refuse_call },
	{ "csh", skip },
	{ "deg", skip },
	{ "bmat", skip },
	{ "step", skip },
	{ "cstype", skip },
	{ "curv", skip },
	{ "curv2", skip },
	{ "surf", skip },
	{ "parm", skip },
	{ "trim", skip },
	{ "hole", skip },
	{ "scrv", skip },
	{ "sp", skip },
	{ "end", skip },
	{ "con", skip },
	{ "bevel", skip },
	{ "c_interp", skip },
	{ "d_interp", skip },
	{ "lod", skip },
	{ "maplib", skip },
	{ "usemap", skip },
	{ "shadow_obj", skip },
	{ "trace_obj", skip },
	{ "ctech", skip },
	{ "stech", skip },
	{ "bsp", skip },
	{ "bzp", skip },
	{ "cdc", skip },
	{ "cdp", skip },
	{ "res", skip },
};

static const obj_keyword* find_keyword( const char* word, size_t length )
{
	for ( size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i )
	{
		if ( strncmp( keywords[i].name, word, length ) == 0 && !keywords[i].name[length] )
		{
			return &keywords[i];
		}
	}
	return NULL;
}

static bool is_keyword( const char* word, size_t length )
{
	return length > 0 && find_keyword( word, length );
}

static bv_status read_statement( obj_parser* p )
{
	const char* token = p->text.cursor;
	while ( !at_separator( p ) )
	{
		++p->text.cursor;
	}
	const obj_keyword* keyword = find_keyword( token, (size_t)( p->text.cursor - token ) );
	return keyword ? keyword->read( p )
	               : bvimport_text_fail_keyword( &p->text, token, "is not an OBJ keyword" );
}

static bv_status read_all( obj_parser* p, bvimport_text begin )
{
	p->text = begin;
	bvimport_builder_restart( &p->scene );
	p->has_objects = false;
	p->points = 0;
	p->lines = 0;
	p->library_count = 0;
	p->notes = ( bvimport_notes ){ 0 };

	while ( p->text.cursor < p->text.end )
	{
		skip_blanks( p );
		if ( !at_line_end( p ) )
		{
			bv_status status = read_statement( p );
			status = status == bv_ok ? check_notes( p ) : status;
			if ( status != bv_ok )
			{
				return status;
			}
		}
		bvimport_text_skip_line( &p->text );
		if ( p->text.cursor < p->text.end )
		{
			++p->text.cursor;
			++p->text.line;
		}
	}
	return p->text.cut ? bvimport_text_fail_binary( &p->text ) : bv_ok;
}

// Where a part may end: behind a line that the next one does not continue.
static const char* find_break( const char* begin, const char* from, const char* end )
{
	while ( from < end )
	{
		const char* newline = memchr( from, '\n', (size_t)( end - from ) );
		if ( !newline )
		{
			return end;
		}
		const char* last = newline;
		while ( last > begin && last[-1] == '\r' )
		{
			--last;
		}
		if ( last == begin || last[-1] != '\\' )
		{
			return newline + 1;
		}
		from = newline + 1;
	}
	return end;
}

// One part of the text.
typedef struct obj_part
{
	obj_parser* parser; // null when out of memory
	bvb_error error;
	bv_status status;
	uint32_t position; // the first of it in the whole
	uint32_t triangle;
} obj_part;

static void read_part( obj_part* at, bvimport_text text )
{
	obj_parser* p = malloc( sizeof *p );
	at->parser = p;
	at->status = bv_error_memory;
	if ( p )
	{
		memset( p, 0, offsetof( obj_parser, corner ) );
		p->vertex_limit = UINT64_MAX;
		p->is_part = true;
		text.error = &at->error;
		bvimport_builder_begin( &p->scene, text.file, &at->error );
		at->status = read_all( p, text );
	}
}

static void end_part( obj_part* at )
{
	if ( at->parser )
	{
		bvimport_builder_end( &at->parser->scene );
		free( at->parser->changes );
		free( at->parser );
		at->parser = NULL;
	}
}

// Sets the names that a part sets, between its triangles, which are written later.
static bv_status replay( obj_parser* p, const obj_parser* from )
{
	bv_status status = bv_ok;
	uint32_t done = 0;
	for ( uint32_t i = 0; i < from->change_count && status == bv_ok; ++i )
	{
		const obj_change* c = from->changes + i;
		status = bvimport_builder_claim_triangles( &p->scene, c->triangle - done );
		status = status == bv_ok ? bvimport_builder_set( &p->scene, c->kind, c->name.text, c->name.length )
		                         : status;
		done = c->triangle;
	}
	return status == bv_ok ? bvimport_builder_claim_triangles( &p->scene, from->scene.triangle_count - done )
	                       : status;
}

// Makes room for all parts, and everything but vertices and triangles.
static bv_status join( obj_parser* p, obj_part* parts, int count )
{
	uint64_t positions = 0;
	uint64_t triangles = 0;
	for ( int i = 0; i < count; ++i )
	{
		positions += parts[i].parser->scene.position_count;
		triangles += parts[i].parser->scene.triangle_count;
	}
	bv_status status = bvimport_builder_reserve_vertices( &p->scene, positions );
	status = status == bv_ok ? bvimport_builder_reserve_triangles( &p->scene, triangles ) : status;
	for ( int i = 0; i < count && status == bv_ok; ++i )
	{
		const obj_parser* from = parts[i].parser;
		parts[i].position = p->scene.position_count;
		parts[i].triangle = p->scene.triangle_count;
		status = bvimport_builder_append_polygons( &p->scene, &from->scene, p->scene.triangle_count );
		status = status == bv_ok ? replay( p, from ) : status;
		p->scene.position_count += from->scene.position_count;
		p->has_objects = p->has_objects || from->has_objects;
		p->points += from->points;
		p->lines += from->lines;
		p->largest_vertex =
			from->largest_vertex > p->largest_vertex ? from->largest_vertex : p->largest_vertex;
		for ( uint32_t k = 0; k < from->library_count && p->library_count < most_libraries; ++k )
		{
			p->libraries[p->library_count++] = from->libraries[k];
		}
	}
	return status;
}

static void fill( obj_parser* p, obj_part* from )
{
	const bvimport_builder* scene = &from->parser->scene;
	if ( scene->position_count > 0 )
	{
		memcpy( p->scene.positions + from->position, scene->positions,
		        scene->position_count * sizeof *scene->positions );
	}
	if ( scene->triangle_count > 0 )
	{
		memcpy( p->scene.triangles + from->triangle, scene->triangles,
		        scene->triangle_count * sizeof *scene->triangles );
	}
	end_part( from );
}

// @return whether all of the text has been read, and nothing was wrong with it
static bool read_in_parts( obj_parser* p, bvimport_text begin, int team )
{
	size_t size = (size_t)( begin.end - begin.cursor );
	size_t most = (size_t)parts_a_thread * (size_t)team;
	int count = (int)( size / least_part < most ? size / least_part : most );
	obj_part* parts = count > 1 && !begin.cut ? calloc( (size_t)count, sizeof *parts ) : NULL;
	if ( !parts )
	{
		return false;
	}
#pragma omp parallel for num_threads( team ) schedule( dynamic, 1 )
	for ( int i = 0; i < count; ++i )
	{
		bvimport_text text = begin;
		const char* end = begin.cursor + size * (size_t)( i + 1 ) / (size_t)count;
		const char* first = begin.cursor + size * (size_t)i / (size_t)count;
		text.cursor = i == 0 ? begin.cursor : find_break( begin.cursor, first, begin.end );
		text.end = i == count - 1 ? begin.end : find_break( begin.cursor, end, begin.end );
		read_part( &parts[i], text );
	}
	bool good = true;
	for ( int i = 0; i < count; ++i )
	{
		good = good && parts[i].status == bv_ok;
	}
	good = good && join( p, parts, count ) == bv_ok && p->largest_vertex <= p->scene.position_count;
#pragma omp parallel for num_threads( team ) schedule( dynamic, 1 )
	for ( int i = 0; i < count; ++i )
	{
		if ( good )
		{
			fill( p, &parts[i] );
		}
		end_part( &parts[i] );
	}
	free( parts );
	return good;
}

static int compare_spans( const void* a, const void* b )
{
	const span* x = a;
	const span* y = b;
	int order = memcmp( x->text, y->text, x->length < y->length ? x->length : y->length );
	return order ? order : ( x->length > y->length ) - ( x->length < y->length );
}

static bool copy_libraries( obj_parser* p, bvb_arena* arena, bvb_side_files* out )
{
	bvb_side_file* files = bvb_arena_allocate( arena, p->library_count, sizeof *files );
	*out = ( bvb_side_files ){ files, 0 };
	qsort( p->libraries, p->library_count, sizeof *p->libraries, compare_spans );
	for ( uint32_t i = 0; files && i < p->library_count; ++i )
	{
		const span* s = &p->libraries[i];
		if ( i > 0 && compare_spans( s - 1, s ) == 0 )
		{
			continue;
		}
		char* name = bvb_arena_allocate( arena, s->length + 1, 1 );
		if ( !name )
		{
			return false;
		}
		memcpy( name, s->text, s->length );
		files[out->count++] = ( bvb_side_file ){ .name = name, .use = bvb_side_file_named };
	}
	return files;
}

static bv_status read_mesh( obj_parser* p, bvimport_text begin, int team, bvb_arena* arena, bvb_import* out )
{
	bv_status status = bv_ok;
	if ( team < 2 || !read_in_parts( p, begin, team ) )
	{
		p->largest_vertex = 0;
		status = read_all( p, begin );
	}
	if ( status != bv_ok )
	{
		return status;
	}

	// Only now is it known that a face went too far. Reading again finds its line, which costs nothing
	// otherwise.
	if ( p->largest_vertex > p->scene.position_count )
	{
		p->vertex_limit = p->scene.position_count;
		status = read_all( p, begin );
		return status != bv_ok ? status
		                       : bvbase_fail( p->text.error, bv_error_internal,
		                                      "%s: cannot find the line of an invalid index", p->text.file );
	}
	if ( p->scene.triangle_count == 0 )
	{
		return bvimport_builder_fail_empty( &p->scene, p->points, p->lines, &p->notes );
	}
	if ( begin.filled )
	{
		bvimport_notes_add( &p->notes, 0, BVIMPORT_TEXT_FILLED );
	}
	if ( !p->has_objects )
	{
		status = bvimport_builder_take_groups_for_objects( &p->scene );
	}
	out->points = p->points;
	out->lines = p->lines;
	status = status == bv_ok ? bvimport_notes_deliver( &p->notes, arena, out, p->text.error ) : status;
	if ( !copy_libraries( p, arena, &out->side_files ) )
	{
		return bvbase_fail_memory( p->text.error );
	}
	return status == bv_ok ? bvimport_builder_finish( &p->scene, arena, &out->scene ) : status;
}

bv_status bvobj_read_obj_by( const char* name, const char* data, size_t size, uint32_t threads,
                             bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	obj_parser* p = malloc( sizeof *p );
	if ( !p )
	{
		return bvbase_fail_memory( error );
	}
	memset( p, 0, offsetof( obj_parser, corner ) );
	p->vertex_limit = UINT64_MAX;
	bvimport_builder_begin( &p->scene, name, error );

	bv_status status =
		read_mesh( p, bvimport_text_begin( name, data, size, "OBJ", error ),
	               bvbase_thread_team_for( arena, threads, size, 2 * least_part ), arena, out );
	bvimport_builder_end( &p->scene );
	free( p );
	return status;
}

bv_status bvobj_read_obj( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error )
{
	return bvobj_read_obj_by( name, data, size, 1, arena, out, error );
}
