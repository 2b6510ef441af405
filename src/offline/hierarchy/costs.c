// What tests cost: the matrix that is shipped, and one that is read.

#include "bvbuild/hierarchy.h"
#include "offline/base/error.h"

#include "offline/base/number.h"

#include <stddef.h>
#include <string.h>

// Nanoseconds a step, of two volumes in the order of bv_volume_type, rounded to two digits: what `bvinspect
// --measure-costs` printed with AVX2, of a build by gcc 12 with -O3; of types that are not boxes the medians
// of four runs. With SSE2 two boxes are 14, and the rest is the same.
static const bv_costs shipped = {
	.volumes = { { 6.6, 6.7, 70, 250, 190, 190, 290, 210 },
	             { 6.7, 6.8, 63, 250, 170, 180, 230, 220 },
	             { 70, 63, 21, 88, 120, 150, 180, 97 },
	             { 250, 250, 88, 270, 340, 370, 420, 400 },
	             { 190, 170, 120, 340, 130, 140, 240, 360 },
	             { 190, 180, 150, 370, 140, 220, 200, 400 },
	             { 290, 230, 180, 420, 240, 200, 240, 450 },
	             { 210, 220, 97, 400, 360, 400, 450, 310 } },
	.triangles = 21,
	.opening = 140,
	.leaf = 59,
};

bv_costs bvb_costs_default( void )
{
	return shipped;
}

// The lines that are not of two volumes: what stands before the cost, and where that goes.
static const struct
{
	const char* name;
	size_t offset;
} step_lines[] = {
	{ "triangles", offsetof( bv_costs, triangles ) },
	{ "opening", offsetof( bv_costs, opening ) },
	{ "leaf", offsetof( bv_costs, leaf ) },
};

// A word of a line.
typedef struct word
{
	const char* begin;
	size_t length;
} word;

enum
{
	most_words = 4, // one more than any line has
	step_line_count = sizeof step_lines / sizeof step_lines[0],
};

static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\r';
}

// Returns how many there are, or most_words if there are more.
static int split_words( const char* s, const char* end, word words[most_words] )
{
	int count = 0;
	while ( s < end && count < most_words )
	{
		const char* begin = s;
		while ( s < end && !is_blank( *s ) )
		{
			s += 1;
		}
		if ( s > begin )
		{
			words[count++] = ( word ){ begin, (size_t)( s - begin ) };
		}
		s += s < end;
	}
	return count;
}

static bool is_word( const word* w, const char* text )
{
	return strlen( text ) == w->length && memcmp( w->begin, text, w->length ) == 0;
}

// Returns bv_volume_types when there is none of that name.
static int type_of( const word* w )
{
	int type = 0;
	while ( type < bv_volume_types && !is_word( w, bv_volume_type_name( (bv_volume_type)type ) ) )
	{
		type += 1;
	}
	return type;
}

static bool read_cost( const word* w, double* out )
{
	const char* end = w->begin + w->length;
	return bvbase_read_number( w->begin, end, out ) == end && *out > 0 && *out <= BVB_MAX_COST;
}

static double* step_cost( bv_costs* costs, int index )
{
	return (double*)( (char*)costs + step_lines[index].offset );
}

// Where the cost of a line belongs, of two types with the lesser one first. Returns null when it is no such
// line.
static double* place_of( const word* words, int count, bv_costs* costs )
{
	int a = count == 3 ? type_of( &words[0] ) : bv_volume_types;
	int b = count == 3 ? type_of( &words[1] ) : bv_volume_types;
	if ( a < bv_volume_types && b < bv_volume_types )
	{
		return a < b ? &costs->volumes[a][b] : &costs->volumes[b][a];
	}
	for ( int i = 0; count == 2 && i < step_line_count; ++i )
	{
		if ( is_word( &words[0], step_lines[i].name ) )
		{
			return step_cost( costs, i );
		}
	}
	return NULL;
}

// Takes one line. Costs that are not known yet are 0.
static bv_status take_line( const word* words, int count, unsigned line, bv_costs* out, bvb_error* error )
{
	double* at = place_of( words, count, out );
	if ( !at )
	{
		return bvbase_fail( error, bv_error_input,
		                    "line %u: expected TYPE TYPE COST, triangles COST, opening COST or leaf COST",
		                    line );
	}
	double cost;
	if ( !read_cost( &words[count - 1], &cost ) )
	{
		return bvbase_fail( error, bv_error_input, "line %u: the cost must be above 0 and at most 1e9",
		                    line );
	}
	if ( *at > 0 )
	{
		return bvbase_fail( error, bv_error_input, "line %u: duplicate entry", line );
	}
	*at = cost;
	return bv_ok;
}

// Tables of before there were prisms lack them and later types: they cost what rectangle swept spheres do,
// which are compared in the same way.
static void add_later_types( bv_costs* costs )
{
	for ( int b = bv_volume_prism; b < bv_volume_types; ++b )
	{
		for ( int a = 0; a <= b; ++a )
		{
			int type = a < bv_volume_prism ? a : bv_volume_rss;
			double* cost = &costs->volumes[a][b];
			const double* other = type < bv_volume_rss ? &costs->volumes[type][bv_volume_rss]
			                                           : &costs->volumes[bv_volume_rss][type];
			*cost = *cost > 0 ? *cost : *other;
		}
	}
}

// Gives the types the other way round the same costs.
static bv_status complete( bv_costs* costs, bvb_error* error )
{
	add_later_types( costs );
	for ( int a = 0; a < bv_volume_types; ++a )
	{
		for ( int b = a; b < bv_volume_types; ++b )
		{
			costs->volumes[b][a] = costs->volumes[a][b];
			if ( !( costs->volumes[a][b] > 0 ) )
			{
				return bvbase_fail( error, bv_error_input, "the cost of %s against %s is missing",
				                    bv_volume_type_name( (bv_volume_type)a ),
				                    bv_volume_type_name( (bv_volume_type)b ) );
			}
		}
	}
	for ( int i = 0; i < step_line_count; ++i )
	{
		if ( !( *step_cost( costs, i ) > 0 ) )
		{
			return bvbase_fail( error, bv_error_input, "the cost of %s is missing", step_lines[i].name );
		}
	}
	return bv_ok;
}

bv_status bvb_costs_parse( const char* text, size_t size, bv_costs* out, bvb_error* error )
{
	bv_costs costs = { .triangles = 0 };
	const char* end = text + size;
	const char* s = text;
	for ( unsigned line = 1; s < end; ++line )
	{
		const char* stop = memchr( s, '\n', (size_t)( end - s ) );
		stop = stop ? stop : end;
		word words[most_words];
		int count = split_words( s, stop, words );
		if ( count > 0 && words[0].begin[0] != '#' )
		{
			bv_status status = take_line( words, count, line, &costs, error );
			if ( status != bv_ok )
			{
				return status;
			}
		}
		s = stop < end ? stop + 1 : end;
	}
	bv_status status = complete( &costs, error );
	if ( status == bv_ok )
	{
		*out = costs;
	}
	return status;
}
