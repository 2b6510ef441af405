// Wavefront OBJ, read in one pass over the text. See obj.h; the format is that of "Advanced Visualizer",
// appendix B1.
//
// Numbers with up to 19 digits are rounded correctly by one exact operation (Clinger 1990) or by one 128-bit
// division; the rest goes through strtod. Triangles are stored as they come. Polygons wait until all vertices
// are known.

#include "formats/obj/obj.h"

#include "base/offline/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

enum
{
	// Enough for any real model, and ear clipping takes the square of it.
	corner_limit = 16384,
	step_limit = 2000000000, // for cutting polygons: some ten seconds
};

// The corners of a polygon of `corners` are kept in the places of its corners - 2 triangles, from `first` on.
typedef struct polygon
{
	uint32_t first;
	uint32_t corners;
} polygon;

typedef struct parser
{
	const char* name;
	const char* cursor;
	const char* end; // of the data, or its first NUL byte
	bool nul;
	uint64_t line;

	bv_vec3* positions;
	uint32_t position_count;
	uint32_t position_capacity;
	bvb_triangle* triangles;
	uint32_t triangle_count;
	uint32_t triangle_capacity;
	polygon* polygons;
	uint32_t polygon_count;
	uint32_t polygon_capacity;
	uint64_t points;
	uint64_t lines;

	uint64_t vertex_limit;   // a positive index above it is an error at once
	uint64_t largest_vertex; // positive index so far
	uint32_t corner[corner_limit];
	uint32_t scratch[2 * corner_limit];
	bvb_error* error;
} parser;

__attribute__( ( format( printf, 3, 4 ) ) ) static bv_status fail( const parser* p, bv_status status,
                                                                   const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );

	// Whatever else seems wrong with the line that holds the NUL byte, this is the cause.
	if ( p->nul && !memchr( p->cursor, '\n', (size_t)( p->end - p->cursor ) ) )
	{
		status = bv_error_input;
		strcpy( text, "binary data, not OBJ text" );
	}
	return bvb_fail( p->error, status, "%s:%llu: %s", p->name, (unsigned long long)p->line, text );
}

static bool is_digit( char c )
{
	return (unsigned char)( c - '0' ) < 10;
}

static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// A token ends at a comment too, and at a backslash that may continue the line.
static bool at_separator( const parser* p )
{
	return p->cursor == p->end || is_blank( *p->cursor ) || *p->cursor == '\n' || *p->cursor == '#' ||
	       *p->cursor == '\\';
}

static bool at_line_end( const parser* p )
{
	return p->cursor == p->end || *p->cursor == '\n' || *p->cursor == '#';
}

static bv_status fail_token( parser* p, const char* token, const char* what )
{
	char text[40];
	size_t length = 0;
	p->cursor = token;
	while ( p->cursor < p->end && !is_blank( *p->cursor ) && *p->cursor != '\n' && length < sizeof text - 4 )
	{
		char c = *p->cursor++;
		text[length++] = c >= 0x20 && c < 0x7f ? c : '?';
	}
	strcpy( text + length, length == sizeof text - 4 ? "..." : "" );
	return fail( p, bv_error_input, "'%s' %s", text, what );
}

// Blanks, and backslashes that continue the line.
static void skip_blanks( parser* p )
{
	for ( ;; )
	{
		while ( p->cursor < p->end && is_blank( *p->cursor ) )
		{
			++p->cursor;
		}
		if ( p->cursor == p->end || *p->cursor != '\\' )
		{
			return;
		}
		const char* after = p->cursor + 1;
		while ( after < p->end && *after == '\r' )
		{
			++after;
		}
		if ( after < p->end && *after != '\n' )
		{
			return;
		}
		p->line += after < p->end;
		p->cursor = after < p->end ? after + 1 : after;
	}
}

// To the newline, which is left.
static void skip_physical_line( parser* p )
{
	const char* newline = memchr( p->cursor, '\n', (size_t)( p->end - p->cursor ) );
	p->cursor = newline ? newline : p->end;
}

// A backslash at the end of a comment continues nothing: it is the end of some path there.
static void skip_line( parser* p )
{
	for ( ;; )
	{
		const char* start = p->cursor;
		skip_physical_line( p );
		const char* last = p->cursor;
		while ( last > start && last[-1] == '\r' )
		{
			--last;
		}
		if ( p->cursor == p->end || last == start || last[-1] != '\\' ||
		     memchr( start, '#', (size_t)( last - start ) ) )
		{
			return;
		}
		++p->cursor;
		++p->line;
	}
}

static double power_of_ten( int exponent )
{
	static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	return power[exponent];
}

static int bits( uint128 x )
{
	uint64_t high = (uint64_t)( x >> 64 );
	return high ? 128 - __builtin_clzll( high ) : 64 - __builtin_clzll( (uint64_t)x );
}

// mantissa * 10^exponent for |exponent| <= 27: 5^27 has 63 bits, so a product has at most 127 and is exact,
// and a quotient has at least 64, of which a remainder only has to be seen in the last.
static double scale_exactly( uint64_t mantissa, int exponent )
{
	uint64_t five = 1;
	for ( int i = exponent < 0 ? -exponent : exponent; i > 0; --i )
	{
		five *= 5;
	}
	uint128 value = mantissa;
	if ( exponent >= 0 )
	{
		value *= five;
	}
	else
	{
		int shift = 128 - bits( value );
		value <<= shift;
		exponent -= shift;
		uint128 remainder = value % five;
		value = value / five | ( remainder != 0 );
	}

	int excess = bits( value ) - 53;
	if ( excess > 0 )
	{
		uint128 half = (uint128)1 << ( excess - 1 );
		uint128 rest = value & ( ( half << 1 ) - 1 );
		value >>= excess;
		value += rest > half || ( rest == half && ( value & 1 ) );
		exponent += excess;
	}
	return ldexp( (double)(uint64_t)value, exponent );
}

// Any number of digits. The first 800 decide, with one more that stands for all others: the longest decimal
// that lies exactly between two doubles has 767 digits. What strtod is given has no decimal point, which a
// locale could change.
static double convert_slowly( const char* first, const char* last, int64_t exponent )
{
	enum
	{
		kept_limit = 800
	};
	char text[kept_limit + 40];
	int kept = 0;
	bool more = false;
	bool fraction = false;
	for ( const char* s = first; s < last; ++s )
	{
		if ( *s == '.' )
		{
			fraction = true;
			continue;
		}
		exponent -= fraction;
		if ( kept < kept_limit )
		{
			text[kept] = *s;
			kept += kept > 0 || *s != '0';
		}
		else
		{
			++exponent;
			more |= *s != '0';
		}
	}
	if ( kept == 0 )
	{
		return 0;
	}
	if ( more )
	{
		text[kept++] = '1';
		--exponent;
	}
	snprintf( text + kept, 40, "e%lld", (long long)exponent );
	return strtod( text, NULL );
}

// `word` in any case at `s`.
static bool starts_with( const char* s, const char* end, const char* word )
{
	for ( ; *word; ++s, ++word )
	{
		if ( s == end || ( *s | 0x20 ) != *word )
		{
			return false;
		}
	}
	return true;
}

// What printf writes: inf, infinity, nan, nan(ind).
static bool read_word( parser* p, bool negative, double* out )
{
	const char* s = p->cursor;
	if ( starts_with( s, p->end, "inf" ) )
	{
		*out = negative ? -INFINITY : INFINITY;
		p->cursor = s + ( starts_with( s, p->end, "infinity" ) ? 8 : 3 );
		return true;
	}
	if ( !starts_with( s, p->end, "nan" ) )
	{
		return false;
	}
	*out = NAN;
	s += 3;
	if ( s < p->end && *s == '(' )
	{
		while ( s < p->end && *s != ')' && *s != '\n' )
		{
			++s;
		}
		s += s < p->end && *s == ')';
	}
	p->cursor = s;
	return true;
}

// Decimal floating point as of C, without hexadecimal digits; .5, 5. and +1 included.
static bool read_number( parser* p, double* out )
{
	const char* s = p->cursor;
	const char* end = p->end;
	bool negative = s < end && *s == '-';
	s += s < end && ( *s == '-' || *s == '+' );

	const char* first = s;
	uint64_t mantissa = 0;
	while ( s < end && is_digit( *s ) )
	{
		mantissa = 10 * mantissa + (uint64_t)( *s++ - '0' );
	}
	int64_t digits = s - first;
	int64_t exponent = 0;
	if ( s < end && *s == '.' )
	{
		const char* point = s++;
		while ( s < end && is_digit( *s ) )
		{
			mantissa = 10 * mantissa + (uint64_t)( *s++ - '0' );
		}
		exponent = point + 1 - s;
		digits -= exponent;
	}
	if ( digits == 0 )
	{
		p->cursor = first;
		return s == first && read_word( p, negative, out );
	}
	const char* last = s;

	int64_t written = 0;
	if ( s < end && ( *s == 'e' || *s == 'E' ) )
	{
		++s;
		bool below = s < end && *s == '-';
		s += s < end && ( *s == '-' || *s == '+' );
		if ( s == end || !is_digit( *s ) )
		{
			return false;
		}
		while ( s < end && is_digit( *s ) )
		{
			int digit = *s++ - '0';
			written = written < INT64_MAX / 100 ? 10 * written + digit : written;
		}
		written = below ? -written : written;
		exponent += written;
	}
	p->cursor = s;

	double value;
	if ( digits > 19 || exponent < -27 || exponent > 27 )
	{
		value = convert_slowly( first, last, written );
	}
	else if ( mantissa >> 53 || exponent < -22 || exponent > 22 )
	{
		value = mantissa ? scale_exactly( mantissa, (int)exponent ) : 0;
	}
	else
	{
		value = exponent < 0 ? (double)mantissa / power_of_ten( (int)-exponent )
		                     : (double)mantissa * power_of_ten( (int)exponent );
	}
	*out = negative ? -value : value;
	return true;
}

static bv_status read_coordinate( parser* p, double* out )
{
	const char* token = p->cursor;
	return read_number( p, out ) && at_separator( p ) ? bv_ok : fail_token( p, token, "is not a number" );
}

// Twice the room, as far as 32-bit indices go.
static void* grow( void* array, uint32_t* capacity, size_t size )
{
	uint32_t larger = *capacity < 4096 ? 4096 : *capacity > UINT32_MAX / 2 ? UINT32_MAX : 2 * *capacity;
	void* grown = realloc( array, larger * size );
	*capacity = grown ? larger : *capacity;
	return grown;
}

static bv_status read_vertex( parser* p )
{
	double value[3];
	int count = 0;
	uint64_t line = p->line;
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
		p->line = line;
		return fail( p, bv_error_input, "a vertex needs 3 coordinates, this has %d", count );
	}

	if ( p->position_count == p->position_capacity )
	{
		if ( p->position_count == UINT32_MAX )
		{
			return fail( p, bv_error_limit, "more than %u vertices", UINT32_MAX );
		}
		void* grown = grow( p->positions, &p->position_capacity, sizeof *p->positions );
		if ( !grown )
		{
			return bvb_fail_memory( p->error );
		}
		p->positions = grown;
	}
	p->positions[p->position_count++] = ( bv_vec3 ){ value[0], value[1], value[2] };
	return bv_ok;
}

// Digits up to 10^18, beyond which they make no difference.
static uint64_t read_digits( parser* p )
{
	uint64_t value = 0;
	while ( p->cursor < p->end && is_digit( *p->cursor ) )
	{
		uint64_t digit = (uint64_t)( *p->cursor++ - '0' );
		value = value < 100000000000000000u ? 10 * value + digit : value;
	}
	return value;
}

static void skip_sign( parser* p )
{
	p->cursor += p->cursor < p->end && ( *p->cursor == '-' || *p->cursor == '+' );
}

// v, v/vt, v//vn or v/vt/vn. Texture coordinates and normals only have to be integers, and may be left out.
static bv_status read_index( parser* p, const char* element, uint32_t* out )
{
	const char* token = p->cursor;
	bool negative = *token == '-';
	skip_sign( p );
	if ( p->cursor == p->end || !is_digit( *p->cursor ) )
	{
		return fail_token( p, token, "is not a vertex index" );
	}
	uint64_t index = read_digits( p );
	for ( int i = 0; i < 2 && p->cursor < p->end && *p->cursor == '/'; ++i )
	{
		++p->cursor;
		skip_sign( p );
		read_digits( p );
	}
	if ( !at_separator( p ) )
	{
		return fail_token( p, token, "is not a vertex index" );
	}

	uint64_t limit = negative ? p->position_count : p->vertex_limit;
	if ( index == 0 || index > limit )
	{
		return fail( p, bv_error_input, "%s refers to vertex %s%llu of %llu", element, negative ? "-" : "",
		             (unsigned long long)index, (unsigned long long)( index ? limit : p->position_count ) );
	}
	if ( negative )
	{
		*out = (uint32_t)( p->position_count - index );
	}
	else
	{
		p->largest_vertex = index > p->largest_vertex ? index : p->largest_vertex;
		*out = (uint32_t)( index - 1 );
	}
	return bv_ok;
}

static bv_status reserve_triangles( parser* p, uint32_t count )
{
	if ( count > UINT32_MAX - p->triangle_count )
	{
		return fail( p, bv_error_limit, "more than %u triangles", UINT32_MAX );
	}
	while ( p->triangle_capacity - p->triangle_count < count )
	{
		void* grown = grow( p->triangles, &p->triangle_capacity, sizeof *p->triangles );
		if ( !grown )
		{
			return bvb_fail_memory( p->error );
		}
		p->triangles = grown;
	}
	return bv_ok;
}

static bv_status keep_polygon( parser* p, uint32_t corners )
{
	if ( p->polygon_count == p->polygon_capacity )
	{
		void* grown = grow( p->polygons, &p->polygon_capacity, sizeof *p->polygons );
		if ( !grown )
		{
			return bvb_fail_memory( p->error );
		}
		p->polygons = grown;
	}
	p->polygons[p->polygon_count++] = ( polygon ){ p->triangle_count, corners };
	return bv_ok;
}

static bv_status read_face( parser* p )
{
	uint32_t count = 0;
	uint64_t line = p->line;
	for ( skip_blanks( p ); !at_line_end( p ); skip_blanks( p ) )
	{
		if ( count == corner_limit )
		{
			return fail( p, bv_error_limit, "a face of more than %d corners", corner_limit );
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
		p->line = line;
		return fail( p, bv_error_input, "a face needs 3 corners, this has %u", count );
	}

	bv_status status = reserve_triangles( p, count - 2 );
	if ( status == bv_ok && count > 3 )
	{
		status = keep_polygon( p, count );
	}
	if ( status == bv_ok )
	{
		memcpy( p->triangles + p->triangle_count, p->corner, count * sizeof p->corner[0] );
		p->triangle_count += count - 2;
	}
	return status;
}

// A point or line element, of which only the number matters.
static bv_status read_indices( parser* p, const char* element, uint64_t needed, uint64_t* count )
{
	uint64_t line = p->line;
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
		p->line = line;
		return fail( p, bv_error_input, "a %s needs %llu vertices, this has %llu", element,
		             (unsigned long long)needed, (unsigned long long)*count );
	}
	return bv_ok;
}

static bv_status read_points( parser* p )
{
	uint64_t count;
	bv_status status = read_indices( p, "point", 1, &count );
	p->points += count;
	return status;
}

static bv_status read_line( parser* p )
{
	uint64_t count;
	bv_status status = read_indices( p, "line", 2, &count );
	p->lines += status == bv_ok ? count - 1 : 0;
	return status;
}

static bv_status skip( parser* p )
{
	skip_line( p );
	return bv_ok;
}

static bv_status refuse_call( parser* p )
{
	return fail( p, bv_error_unsupported, "'call' of another file is not supported" );
}

typedef struct keyword
{
	const char* name;
	bv_status ( *read )( parser* p );
} keyword;

// The whole specification, superseded statements included; the frequent ones first.
static const keyword keywords[] = {
	{ "v", read_vertex },   { "f", read_face },    { "vn", skip },          { "vt", skip },
	{ "g", skip },          { "o", skip },         { "s", skip },           { "usemtl", skip },
	{ "mtllib", skip },     { "l", read_line },    { "p", read_points },    { "vp", skip },
	{ "fo", read_face },    { "mg", skip },        { "call", refuse_call }, { "csh", skip },
	{ "deg", skip },        { "bmat", skip },      { "step", skip },        { "cstype", skip },
	{ "curv", skip },       { "curv2", skip },     { "surf", skip },        { "parm", skip },
	{ "trim", skip },       { "hole", skip },      { "scrv", skip },        { "sp", skip },
	{ "end", skip },        { "con", skip },       { "bevel", skip },       { "c_interp", skip },
	{ "d_interp", skip },   { "lod", skip },       { "maplib", skip },      { "usemap", skip },
	{ "shadow_obj", skip }, { "trace_obj", skip }, { "ctech", skip },       { "stech", skip },
	{ "bsp", skip },        { "bzp", skip },       { "cdc", skip },         { "cdp", skip },
	{ "res", skip },
};

static bv_status read_statement( parser* p )
{
	const char* token = p->cursor;
	while ( !at_separator( p ) )
	{
		++p->cursor;
	}
	size_t length = (size_t)( p->cursor - token );
	for ( size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i )
	{
		if ( strncmp( keywords[i].name, token, length ) == 0 && !keywords[i].name[length] )
		{
			return keywords[i].read( p );
		}
	}

	for ( const char* s = token; s < p->cursor; ++s )
	{
		if ( *s < 0x20 || *s >= 0x7f )
		{
			return fail( p, bv_error_input, "binary data, not OBJ text" );
		}
	}
	return fail_token( p, token, "is no OBJ keyword" );
}

static bv_status read_all( parser* p, const char* data )
{
	bool mark = p->end - data >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0;
	p->cursor = data + ( mark ? 3 : 0 );
	p->line = 1;
	p->position_count = 0;
	p->triangle_count = 0;
	p->polygon_count = 0;
	p->points = 0;
	p->lines = 0;

	while ( p->cursor < p->end )
	{
		skip_blanks( p );
		if ( !at_line_end( p ) )
		{
			bv_status status = read_statement( p );
			if ( status != bv_ok )
			{
				return status;
			}
		}
		skip_physical_line( p );
		if ( p->cursor < p->end )
		{
			++p->cursor;
			++p->line;
		}
	}
	return p->nul ? fail( p, bv_error_input, "binary data, not OBJ text" ) : bv_ok;
}

static bv_status cut_polygons( parser* p )
{
	uint64_t steps = 0;
	for ( uint32_t i = 0; i < p->polygon_count; ++i )
	{
		uint32_t count = p->polygons[i].corners;
		bvb_triangle* triangles = p->triangles + p->polygons[i].first;
		memcpy( p->corner, triangles, count * sizeof p->corner[0] );
		steps += bvb_triangulate( p->positions, p->corner, count, p->scratch, triangles );
		if ( steps > step_limit )
		{
			return bvb_fail( p->error, bv_error_limit, "%s: its polygons take too long to cut into triangles",
			                 p->name );
		}
	}
	return bv_ok;
}

static bv_status deliver( const parser* p, bvb_arena* arena, bvb_import* out )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( arena, p->position_count, sizeof( bv_vec3 ) ),
		.triangles = bvb_arena_allocate( arena, p->triangle_count, sizeof( bvb_triangle ) ),
		.vertex_count = p->position_count,
		.triangle_count = p->triangle_count,
	};
	if ( !mesh.positions || !mesh.triangles )
	{
		return bvb_fail_memory( p->error );
	}
	memcpy( mesh.positions, p->positions, p->position_count * sizeof( bv_vec3 ) );
	memcpy( mesh.triangles, p->triangles, p->triangle_count * sizeof( bvb_triangle ) );
	out->scene.mesh = mesh;
	out->points = p->points;
	out->lines = p->lines;
	return bv_ok;
}

static bv_status read_mesh( parser* p, const char* data, bvb_arena* arena, bvb_import* out )
{
	bv_status status = read_all( p, data );
	if ( status != bv_ok )
	{
		return status;
	}

	// Only now is it known that a face went too far. Reading again finds its line, which costs nothing
	// otherwise.
	if ( p->largest_vertex > p->position_count )
	{
		p->vertex_limit = p->position_count;
		status = read_all( p, data );
		return status != bv_ok ? status : bvb_fail( p->error, bv_error_internal, "%s: lost a line", p->name );
	}
	if ( p->triangle_count == 0 )
	{
		if ( p->points || p->lines )
		{
			return bvb_fail( p->error, bv_error_input, "%s: no faces (%llu points, %llu lines)", p->name,
			                 (unsigned long long)p->points, (unsigned long long)p->lines );
		}
		return bvb_fail( p->error, bv_error_input, "%s: no faces", p->name );
	}
	status = cut_polygons( p );
	if ( status != bv_ok )
	{
		return status;
	}
	return deliver( p, arena, out );
}

bv_status bvb_read_obj( const char* name, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                        bvb_error* error )
{
	parser* p = malloc( sizeof *p );
	if ( !p )
	{
		return bvb_fail_memory( error );
	}
	const char* nul = size ? memchr( data, 0, size ) : NULL;
	memset( p, 0, offsetof( parser, corner ) );
	p->name = name;
	p->end = nul ? nul : data + size;
	p->nul = nul != NULL;
	p->vertex_limit = UINT64_MAX;
	p->error = error;

	bv_status status = read_mesh( p, data, arena, out );
	free( p->positions );
	free( p->triangles );
	free( p->polygons );
	free( p );
	return status;
}
