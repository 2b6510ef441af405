// Corners in exact arithmetic. See exact_corners.h.

#include "tests/reference/exact_corners.h"

#include "runtime/file/local.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void exact_init( exact_vec* v )
{
	for ( int k = 0; k < 3; ++k )
	{
		mpz_init( v->at[k] );
	}
}

void exact_clear( exact_vec* v )
{
	for ( int k = 0; k < 3; ++k )
	{
		mpz_clear( v->at[k] );
	}
}

void exact_cross( exact_vec* out, const exact_vec* a, const exact_vec* b, mpz_t scratch )
{
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3;
		int j = ( k + 2 ) % 3;
		mpz_mul( out->at[k], a->at[i], b->at[j] );
		mpz_mul( scratch, a->at[j], b->at[i] );
		mpz_sub( out->at[k], out->at[k], scratch );
	}
}

void exact_dot( mpz_t out, const exact_vec* a, const exact_vec* b )
{
	mpz_mul( out, a->at[0], b->at[0] );
	mpz_addmul( out, a->at[1], b->at[1] );
	mpz_addmul( out, a->at[2], b->at[2] );
}

void exact_sub( exact_vec* out, const exact_vec* a, const exact_vec* b )
{
	for ( int k = 0; k < 3; ++k )
	{
		mpz_sub( out->at[k], a->at[k], b->at[k] );
	}
}

bool exact_is_zero( const exact_vec* v )
{
	return mpz_sgn( v->at[0] ) == 0 && mpz_sgn( v->at[1] ) == 0 && mpz_sgn( v->at[2] ) == 0;
}

bv_vec3 exact_direction( const exact_vec* v )
{
	double part[3];
	long exponent[3];
	long most = LONG_MIN;
	for ( int k = 0; k < 3; ++k )
	{
		part[k] = mpz_get_d_2exp( &exponent[k], v->at[k] );
		most = part[k] != 0 && exponent[k] > most ? exponent[k] : most;
	}
	for ( int k = 0; k < 3; ++k )
	{
		long below = part[k] != 0 ? most - exponent[k] : 0;
		part[k] = below < 200 ? ldexp( part[k], (int)-below ) : 0;
	}
	return ( bv_vec3 ){ part[0], part[1], part[2] };
}

// A number other than 0 is digits 2^exponent.
static int64_t digits_of( double x, int* exponent )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int field = bits >> 52 & 0x7ff;
	uint64_t leading = UINT64_C( 1 ) << 52;
	uint64_t digits = ( bits & ( leading - 1 ) ) | ( field ? leading : 0 );
	int zeros = __builtin_ctzll( digits );
	*exponent = ( field ? field : 1 ) - 1075 + zeros;
	digits >>= zeros;
	return x < 0 ? -(int64_t)digits : (int64_t)digits;
}

// The exponent of the lowest bit that is set; LONG_MAX for 0.
static long lowest_bit( double x )
{
	int exponent;
	if ( x == 0 )
	{
		return LONG_MAX;
	}
	digits_of( x, &exponent );
	return exponent;
}

static long least( long a, long b )
{
	return a < b ? a : b;
}

static long lowest_bit_of( bv_vec3 v )
{
	return least( lowest_bit( v.x ), least( lowest_bit( v.y ), lowest_bit( v.z ) ) );
}

// What numbers are multiplied by, as an exponent, so that all are integers.
static long bits_for( long lowest )
{
	return lowest == LONG_MAX ? 0 : -lowest;
}

// The integer x 2^bits.
static void set_scaled( mpz_t out, double x, long bits )
{
	if ( x == 0 )
	{
		mpz_set_si( out, 0 );
		return;
	}
	int exponent;
	mpz_set_si( out, digits_of( x, &exponent ) );
	mpz_mul_2exp( out, out, (mp_bitcnt_t)( exponent + bits ) );
}

static void set_scaled_vec( exact_vec* out, bv_vec3 v, long bits )
{
	set_scaled( out->at[0], v.x, bits );
	set_scaled( out->at[1], v.y, bits );
	set_scaled( out->at[2], v.z, bits );
}

static double largest( bv_vec3 v )
{
	return fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
}

static bool is_finite( bv_vec3 v )
{
	return isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z );
}

// How many corners a shape has; 0 if it is not a polytope.
static uint32_t corners_of( const bv_convex* c )
{
	bv_part part;
	if ( c->radius != 0 )
	{
		return 0;
	}
	switch ( c->kind )
	{
	case bv_convex_of_points:
	case bv_convex_of_graph: return c->count;
	case bv_convex_of_corners: return c->count <= 3 ? c->count : 0;
	case bv_convex_of_box: return 8;
	case bv_convex_of_hull: return bv_file_get_hull( c->file ).vertices;
	case bv_convex_of_part: return bv_file_get_part( c->file, c->part, &part ) ? part.vertices : 0;
	default: return 0;
	}
}

// A corner as it is stored: without the origin of the shape, and before it is placed. Not of boxes.
static bv_vec3 source_of( const exact_shape* s, uint32_t index )
{
	const bv_convex* c = s->convex;
	switch ( c->kind )
	{
	case bv_convex_of_points:
	case bv_convex_of_graph: return c->points[index];
	case bv_convex_of_corners: return c->corner[index];
	default: break;
	}
	return c->kind == bv_convex_of_hull ? bvfile_local_hull_position( c->file, index )
	                                    : bvfile_local_part_vertex( c->file, c->part, index );
}

static double side_of( uint32_t index, int axis )
{
	return index >> axis & 1 ? 1 : -1;
}

// A corner minus the first one, or minus the center of a box.
static bv_vec3 relative_of( const exact_shape* s, uint32_t index, bv_vec3 first )
{
	if ( s->convex->kind != bv_convex_of_box )
	{
		bv_vec3 p = source_of( s, index );
		return ( bv_vec3 ){ p.x - first.x, p.y - first.y, p.z - first.z };
	}
	const bv_obb* box = &s->convex->box;
	bv_vec3 sum = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		double h = side_of( index, k ) * box->half_extents[k];
		sum =
			( bv_vec3 ){ sum.x + h * box->axis[k].x, sum.y + h * box->axis[k].y, sum.z + h * box->axis[k].z };
	}
	return sum;
}

static void grow( exact_shape* s, uint32_t count )
{
	if ( count <= s->room )
	{
		return;
	}
	for ( int k = 0; k < 3; ++k )
	{
		s->near[k] = realloc( s->near[k], count * sizeof( double ) );
	}
	s->corner = realloc( s->corner, count * sizeof *s->corner );
	s->known = realloc( s->known, count * sizeof *s->known );
	for ( uint32_t i = s->room; i < count; ++i )
	{
		exact_init( &s->corner[i] );
		s->known[i] = 0;
	}
	s->room = count;
}

// The scale of the source's integers, and the largest source coordinate; infinity if one is not finite.
static double measure_source( exact_shape* s )
{
	const bv_convex* c = s->convex;
	long lowest = lowest_bit_of( s->origin );
	double most = largest( s->origin );
	if ( c->kind == bv_convex_of_box )
	{
		lowest = lowest_bit_of( c->box.center );
		most = largest( c->box.center );
		double sum = 0;
		bool finite = is_finite( c->box.center );
		for ( int k = 0; k < 3; ++k )
		{
			long axis = lowest_bit_of( c->box.axis[k] );
			long extent = lowest_bit( c->box.half_extents[k] );
			lowest = axis == LONG_MAX || extent == LONG_MAX ? lowest : least( lowest, axis + extent );
			sum += c->box.half_extents[k] * largest( c->box.axis[k] );
			finite = finite && is_finite( c->box.axis[k] ) && isfinite( c->box.half_extents[k] );
		}
		s->source_bits = bits_for( lowest );
		return finite ? most + sum : INFINITY;
	}
	bool finite = is_finite( s->origin );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 p = source_of( s, i );
		finite = finite && is_finite( p );
		if ( !finite )
		{
			return INFINITY;
		}
		lowest = least( lowest, lowest_bit_of( p ) );
		bv_vec3 whole = { p.x + s->origin.x, p.y + s->origin.y, p.z + s->origin.z };
		most = fmax( most, largest( whole ) );
	}
	s->source_bits = bits_for( lowest );
	return most;
}

// @return how many bits the placed corners need
static long measure_placement( exact_shape* s )
{
	const bv_transform* t = s->placement;
	if ( !t )
	{
		return s->source_bits;
	}
	long lowest = LONG_MAX;
	for ( int i = 0; i < 9; ++i )
	{
		lowest = least( lowest, lowest_bit( t->pose.rotation[i / 3][i % 3] ) );
	}
	long rotation_bits = bits_for( lowest );
	long scale_bits = bits_for( lowest_bit( t->scale ) );
	mpz_t scale;
	mpz_init( scale );
	set_scaled( scale, t->scale, scale_bits );
	for ( int i = 0; i < 9; ++i )
	{
		mpz_ptr entry = s->matrix[i / 3].at[i % 3];
		set_scaled( entry, t->pose.rotation[i / 3][i % 3], rotation_bits );
		mpz_mul( entry, entry, scale );
		if ( t->mirror && i % 3 == 0 )
		{
			mpz_neg( entry, entry );
		}
	}
	mpz_clear( scale );
	s->matrix_bits = rotation_bits + scale_bits;
	long needed = bits_for( lowest_bit_of( t->pose.translation ) );
	bool is_moved = largest( t->pose.translation ) > 0;
	long placed = s->source_bits + s->matrix_bits;
	return is_moved && needed > placed ? needed : placed;
}

static bv_vec3 turned( const bv_transform* t, bv_vec3 v )
{
	if ( !t )
	{
		return v;
	}
	bv_vec3 m = { t->scale * ( t->mirror ? -v.x : v.x ), t->scale * v.y, t->scale * v.z };
	const double( *r )[3] = t->pose.rotation;
	return ( bv_vec3 ){ r[0][0] * m.x + r[0][1] * m.y + r[0][2] * m.z,
		                r[1][0] * m.x + r[1][1] * m.y + r[1][2] * m.z,
		                r[2][0] * m.x + r[2][1] * m.y + r[2][2] * m.z };
}

// Rounded corners. A difference is rounded once, a sum of three products six times, twice for boxes; products with the
// scale once more. All together below 2^-48 of the sums of magnitudes, of which no coordinate exceeds three times the
// largest one by more than rounding.
static void round_corners( exact_shape* s )
{
	bool is_box = s->convex->kind == bv_convex_of_box;
	bv_vec3 first = is_box ? s->convex->box.center : source_of( s, 0 );
	double reach = 0;
	double placed = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 p = relative_of( s, i, first );
		bv_vec3 q = turned( s->placement, p );
		s->near[0][i] = q.x;
		s->near[1][i] = q.y;
		s->near[2][i] = q.z;
		reach = fmax( reach, largest( p ) );
		placed = fmax( placed, largest( q ) );
	}
	if ( is_box )
	{
		for ( int k = 0; k < 3; ++k )
		{
			reach = fmax( reach, 3 * s->convex->box.half_extents[k] * largest( s->convex->box.axis[k] ) );
		}
	}
	double scale = s->placement ? 3 * s->placement->scale : 1;
	s->error = 0x1p-48 * scale * reach + 1e-290;
	s->reach = placed;
}

// The largest coordinate of the placed shape, rounded.
static double placed_size( const exact_shape* s, double source )
{
	if ( !s->placement )
	{
		return source;
	}
	bool is_box = s->convex->kind == bv_convex_of_box;
	bv_vec3 first = is_box ? s->convex->box.center : source_of( s, 0 );
	first = ( bv_vec3 ){ first.x + s->origin.x, first.y + s->origin.y, first.z + s->origin.z };
	bv_vec3 base = turned( s->placement, first );
	bv_vec3 t = s->placement->pose.translation;
	double most = fmax( largest( t ), s->placement->scale * source );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 p = { base.x + t.x + s->near[0][i], base.y + t.y + s->near[1][i],
			          base.z + t.z + s->near[2][i] };
		most = fmax( most, largest( p ) );
	}
	return most;
}

exact_pair* exact_pair_create( void )
{
	exact_pair* pair = calloc( 1, sizeof *pair );
	for ( int i = 0; i < 2; ++i )
	{
		exact_init( &pair->shape[i].moved );
		exact_init( &pair->work[i] );
		for ( int k = 0; k < 3; ++k )
		{
			exact_init( &pair->shape[i].matrix[k] );
		}
	}
	for ( int k = 0; k < 4; ++k )
	{
		mpz_init( pair->scratch[k] );
	}
	return pair;
}

void exact_pair_destroy( exact_pair* pair )
{
	if ( !pair )
	{
		return;
	}
	for ( int i = 0; i < 2; ++i )
	{
		exact_shape* s = &pair->shape[i];
		for ( uint32_t k = 0; k < s->room; ++k )
		{
			exact_clear( &s->corner[k] );
		}
		free( s->corner );
		free( s->known );
		exact_clear( &s->moved );
		exact_clear( &pair->work[i] );
		for ( int k = 0; k < 3; ++k )
		{
			free( s->near[k] );
			exact_clear( &s->matrix[k] );
		}
	}
	for ( uint32_t i = 0; i < pair->ready; ++i )
	{
		exact_clear( &pair->at[i].at );
	}
	for ( int k = 0; k < 4; ++k )
	{
		mpz_clear( pair->scratch[k] );
	}
	free( pair->at );
	free( pair->value );
	free( pair );
}

bool exact_pair_set( exact_pair* pair, const bv_convex* const convex[2],
                     const bv_transform* const placement[2] )
{
	++pair->number;
	pair->count = 0;
	pair->size = 0;
	pair->bits = LONG_MIN;
	for ( int i = 0; i < 2; ++i )
	{
		exact_shape* s = &pair->shape[i];
		s->convex = convex[i];
		s->placement = placement[i];
		s->count = corners_of( convex[i] );
		bool is_file = convex[i]->kind == bv_convex_of_hull || convex[i]->kind == bv_convex_of_part;
		s->origin = is_file ? bv_file_get_offset( convex[i]->file ) : ( bv_vec3 ){ 0, 0, 0 };
		double source = s->count > 0 ? measure_source( s ) : INFINITY;
		if ( !isfinite( source ) || ( placement[i] && !bv_transform_is_valid( placement[i] ) ) )
		{
			return false;
		}
		grow( s, s->count );
		long bits = measure_placement( s );
		pair->bits = bits > pair->bits ? bits : pair->bits;
		round_corners( s );
		pair->size = fmax( pair->size, placed_size( s, source ) );
		if ( s->count > pair->values )
		{
			pair->value = realloc( pair->value, s->count * sizeof( double ) );
			pair->values = s->count;
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		if ( placement[i] )
		{
			set_scaled_vec( &pair->shape[i].moved, placement[i]->pose.translation, pair->bits );
		}
	}
	// Three products of direction and coordinate: both have errors, and the sum is rounded. Half of the factors
	// would do.
	double reach = pair->shape[0].reach + pair->shape[1].reach;
	pair->error = 0x1p-47 * reach + 16 * ( pair->shape[0].error + pair->shape[1].error );
	return true;
}

static void set_source( exact_pair* pair, const exact_shape* s, uint32_t index, exact_vec* out )
{
	if ( s->convex->kind != bv_convex_of_box )
	{
		set_scaled_vec( out, source_of( s, index ), s->source_bits );
		if ( largest( s->origin ) > 0 )
		{
			set_scaled_vec( &pair->work[1], s->origin, s->source_bits );
			for ( int k = 0; k < 3; ++k )
			{
				mpz_add( out->at[k], out->at[k], pair->work[1].at[k] );
			}
		}
		return;
	}
	const bv_obb* box = &s->convex->box;
	set_scaled_vec( out, box->center, s->source_bits );
	for ( int k = 0; k < 3; ++k )
	{
		long axis_bits = bits_for( lowest_bit_of( box->axis[k] ) );
		if ( box->half_extents[k] == 0 || largest( box->axis[k] ) <= 0 )
		{
			continue;
		}
		set_scaled( pair->scratch[0], side_of( index, k ) * box->half_extents[k],
		            s->source_bits - axis_bits );
		set_scaled_vec( &pair->work[1], box->axis[k], axis_bits );
		for ( int i = 0; i < 3; ++i )
		{
			mpz_addmul( out->at[i], pair->work[1].at[i], pair->scratch[0] );
		}
	}
}

static const exact_vec* corner_of( exact_pair* pair, int which, uint32_t index )
{
	exact_shape* s = &pair->shape[which];
	exact_vec* out = &s->corner[index];
	if ( s->known[index] == pair->number )
	{
		return out;
	}
	s->known[index] = pair->number;
	exact_vec* source = s->placement ? &pair->work[0] : out;
	set_source( pair, s, index, source );
	long bits = s->source_bits + ( s->placement ? s->matrix_bits : 0 );
	for ( int k = 0; k < 3; ++k )
	{
		if ( s->placement )
		{
			exact_dot( out->at[k], &s->matrix[k], source );
		}
		mpz_mul_2exp( out->at[k], out->at[k], (mp_bitcnt_t)( pair->bits - bits ) );
		if ( s->placement )
		{
			mpz_add( out->at[k], out->at[k], s->moved.at[k] );
		}
	}
	return out;
}

uint32_t exact_pair_vertex( exact_pair* pair, uint32_t a, uint32_t b )
{
	if ( pair->count == pair->room )
	{
		pair->room = 2 * pair->room + 64;
		pair->at = realloc( pair->at, pair->room * sizeof *pair->at );
	}
	exact_vertex* v = &pair->at[pair->count];
	if ( pair->count == pair->ready )
	{
		exact_init( &v->at );
		++pair->ready;
	}
	v->name[0] = a;
	v->name[1] = b;
	exact_sub( &v->at, corner_of( pair, 1, b ), corner_of( pair, 0, a ) );
	for ( int k = 0; k < 3; ++k )
	{
		v->near[k] = pair->shape[1].near[k][b] - pair->shape[0].near[k][a];
	}
	return pair->count++;
}

// The corner of a shape that is farthest along the direction times the sign.
static uint32_t farthest( exact_pair* pair, int which, const exact_vec* direction, bv_vec3 rounded, int sign )
{
	const exact_shape* s = &pair->shape[which];
	const double* restrict x = s->near[0];
	const double* restrict y = s->near[1];
	const double* restrict z = s->near[2];
	double* restrict value = pair->value;
	double u = sign * rounded.x;
	double v = sign * rounded.y;
	double w = sign * rounded.z;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		value[i] = u * x[i] + v * y[i] + w * z[i];
	}
	double most = value[0];
	uint32_t best = 0;
	for ( uint32_t i = 1; i < s->count; ++i )
	{
		if ( value[i] > most )
		{
			most = value[i];
			best = i;
		}
	}
	double enough = most - 2 * pair->error;
	bool compares = false;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( value[i] >= enough && i != best )
		{
			if ( !compares )
			{
				exact_dot( pair->scratch[2], direction, corner_of( pair, which, best ) );
				compares = true;
			}
			exact_dot( pair->scratch[3], direction, corner_of( pair, which, i ) );
			if ( sign * mpz_cmp( pair->scratch[3], pair->scratch[2] ) > 0 )
			{
				mpz_swap( pair->scratch[2], pair->scratch[3] );
				best = i;
			}
		}
	}
	return best;
}

uint32_t exact_pair_support( exact_pair* pair, const exact_vec* direction, int sign )
{
	bv_vec3 rounded = exact_direction( direction );
	uint32_t a = farthest( pair, 0, direction, rounded, -sign );
	uint32_t b = farthest( pair, 1, direction, rounded, sign );
	return exact_pair_vertex( pair, a, b );
}
