// Closed forms of half-spaces: one support of the other shape (Leemann 2017, section 5.2, where the plane's depth has the
// wrong sign).
//
// Where rounding errors are not small beside the distance, that of a polytope is computed exactly. A half-space that is
// placed by x -> s T x + t is bounded by the plane with normal sign( det T ) cof( T ) n, where cof( T ) is the matrix of
// cofactors: none of this rounds, also if T is not quite orthonormal.

#include "runtime/convex/closed.h"

#include <math.h>

// The points x with normal * x <= offset, exactly, in coordinates of the pair's first shape.
typedef struct exact_half_space
{
	bvmath_exact3 normal;
	bvmath_exact offset;
} exact_half_space;

static void turn_negative( bvmath_exact* x, int sign )
{
	x->sign = (int8_t)( sign < 0 ? -x->sign : x->sign );
}

static void place_half_space( const bvvol_similarity* placed, bv_vec3 normal, double offset,
                              exact_half_space* out )
{
	bvmath_exact3 row[2];
	bvmath_exact3 cofactors;
	bvmath_exact3 other;
	bvmath_exact product;
	bvmath_exact volume = { .sign = 0 };
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_exact3_set( placed->turn.row[( i + 1 ) % 3], row );
		bvmath_exact3_set( placed->turn.row[( i + 2 ) % 3], row + 1 );
		bvmath_exact3_cross( row, row + 1, &cofactors );
		bvmath_exact3_set( normal, &other );
		bvmath_exact3_dot( &cofactors, &other, out->normal.x + i );
		if ( i == 0 )
		{
			bvmath_exact3_set( placed->turn.row[0], &other );
			bvmath_exact3_dot( &cofactors, &other, &volume );
		}
	}
	int sign = volume.sign;
	for ( int i = 0; i < 3; ++i )
	{
		turn_negative( out->normal.x + i, sign );
	}
	turn_negative( &volume, sign );
	bvmath_exact_set( offset, &out->offset );
	bvmath_exact_multiply( &out->offset, &volume, &product );
	bvmath_exact_set( placed->scale, &volume );
	bvmath_exact_multiply( &product, &volume, &out->offset );
	bvmath_exact3_set( placed->translation, &other );
	bvmath_exact3_dot( &out->normal, &other, &product );
	bvmath_exact_add( &out->offset, &product, &out->offset );
}

static void read_half_space( const bvconvex_core* core, exact_half_space* out )
{
	const bv_convex* shape = core->body->own.convex;
	if ( core->body->placed )
	{
		place_half_space( core->body->placed, shape->normal, shape->offset, out );
		return;
	}
	bvmath_exact3_set( shape->normal, &out->normal );
	bvmath_exact_set( shape->offset, &out->offset );
}

// @param out  has the interval in binary64; receives that of the value, which is exact to 2^-50
static void take_exact( double value, bv_convex_result* out )
{
	double doubt = 1.01 * 0x1p-50 * fabs( value ) + 0x1p-999;
	out->lower = bvmath_max( out->lower, value == 0 ? 0 : value - doubt );
	out->upper = bvmath_min( out->upper, value == 0 ? 0 : value + doubt );
}

// The least of normal * x - offset of all corners.
// @param most  corners that are as far as this along the normal in binary64 can be the nearest one
static void take_exact_corner( const bvconvex_cores* cores, const bvconvex_core* half,
                               const bvconvex_core* other, double most, bv_convex_result* out )
{
	exact_half_space plane;
	bvmath_exact3 corner;
	bvmath_exact height;
	bvmath_exact least = { .lost = true };
	read_half_space( half, &plane );
	bool first = true;
	for ( uint32_t i = 0; i < other->body->own.corners; ++i )
	{
		if ( bv_dot( half->axis[0], bvconvex_pair_corner( cores->pair, other->which, i ) ) <= most )
		{
			bvconvex_pair_exact_corner( cores->pair, other->which, i, &corner );
			bvmath_exact3_dot( &plane.normal, &corner, &height );
			bvmath_exact_subtract( &height, &plane.offset, &height );
			if ( height.lost )
			{
				return;
			}
			bool less = first;
			if ( !first )
			{
				bvmath_exact_subtract( &height, &least, &corner.x[0] );
				less = corner.x[0].sign < 0;
			}
			least = less ? height : least;
			first = false;
		}
	}
	bvmath_exact3_dot( &plane.normal, &plane.normal, &height );
	if ( !least.lost && !height.lost )
	{
		double value = least.sign == 0 ? 0 : bvmath_exact_over_root( &least, &height );
		take_exact( value, out );
	}
}

void bvconvex_closed_half_space( const bvconvex_cores* cores, bv_convex_result* out )
{
	int which = cores->core[1]->kind == bvconvex_core_half_space;
	const bvconvex_core* half = cores->core[which];
	const bvconvex_core* other = cores->core[1 - which];
	const bvconvex_gjk_pair* search = &cores->pair->search;
	bv_vec3 down = bv_negate( half->axis[0] );
	bvconvex_support support =
		search->support[other->which]( search->shape[other->which], &down, BVCONVEX_NO_POINT );
	double gap = bv_dot( half->axis[0], bv_sub( support.at, half->center ) );
	out->normal = which ? bv_negate( half->axis[0] ) : half->axis[0];
	out->point[1 - which] = support.at;
	out->point[which] = bv_sub( support.at, bv_scale( gap, half->axis[0] ) );
	out->supports = 1;
	if ( !( fabs( gap ) < INFINITY ) )
	{
		return; // a callback's point
	}
	out->lower = gap - cores->doubt;
	out->upper = gap + cores->doubt;
	if ( 2 * cores->doubt > cores->relative * fabs( gap - cores->radius ) && other->body->own.corners > 0 )
	{
		take_exact_corner( cores, half, other, bv_dot( half->axis[0], support.at ) + 2 * cores->doubt, out );
	}
}

// The planes of half-spaces that face away from each other are normal_a * x = offset_a and, as normal_b = -k normal_a,
// normal_a * x = -offset_b / k. The gap is the difference of both, divided by the length of normal_a.
static void take_gap( const exact_half_space plane[2], bv_convex_result* out )
{
	bvmath_exact product[2];
	bvmath_exact square;
	bvmath_exact part;
	int i = 0;
	while ( plane[1].normal.x[i].sign == 0 )
	{
		++i;
	}
	bvmath_exact_multiply( &plane[1].offset, plane[0].normal.x + i, product );
	bvmath_exact_multiply( &plane[0].offset, plane[1].normal.x + i, product + 1 );
	bvmath_exact_subtract( product, product + 1, product );
	turn_negative( product, plane[1].normal.x[i].sign );
	bvmath_exact3_dot( &plane[0].normal, &plane[0].normal, &square );
	bvmath_exact_multiply( plane[1].normal.x + i, plane[1].normal.x + i, product + 1 );
	bvmath_exact_multiply( product + 1, &square, &part );
	if ( !product->lost && !part.lost )
	{
		take_exact( product->sign == 0 ? 0 : bvmath_exact_over_root( product, &part ), out );
	}
}

void bvconvex_closed_half_spaces( const bvconvex_cores* cores, bv_convex_result* out )
{
	exact_half_space plane[2];
	bvmath_exact3 across;
	bvmath_exact along;
	read_half_space( cores->core[0], plane );
	read_half_space( cores->core[1], plane + 1 );
	bvmath_exact3_cross( &plane[0].normal, &plane[1].normal, &across );
	bvmath_exact3_dot( &plane[0].normal, &plane[1].normal, &along );
	bool known = !along.lost;
	bool parallel = true;
	for ( int k = 0; k < 3; ++k )
	{
		known &= !across.x[k].lost;
		parallel &= across.x[k].sign == 0;
	}
	if ( !known )
	{
		return;
	}
	if ( !parallel || along.sign > 0 )
	{
		// No translation separates them.
		out->lower = out->upper = -INFINITY;
		out->normal = ( bv_vec3 ){ 0, 0, 0 };
		out->point[0] = out->point[1] = bv_negate( cores->pair->origin );
		return;
	}
	take_gap( plane, out );
	out->normal = cores->core[0]->axis[0];
	out->point[0] = cores->core[0]->center;
	out->point[1] = bv_add( out->point[0], bv_scale( out->lower, out->normal ) );
}
