// What two volumes have in common: between polytopes exact to rounding, between balls in closed form, else by
// evenly spread points.

#include "offline/assess/common.h"

#include "bvbuild/assess.h"
#include "bvbuild/fit.h"
#include "offline/assess/nodes.h"
#include "offline/assess/polytope.h"
#include "offline/base/frame.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>

enum
{
	most_planes = 2 * BV_KDOP_DIRECTIONS,
	points_wanted = 1024,
	points_tried = 16 * points_wanted,
};

// A box along any axes: a box itself; of a prism the box around it; of a k-DOP its first three slabs; of a
// round volume a box around it.
typedef struct box
{
	bv_vec3 center;
	bv_vec3 axis[3];
	double half[3];
} box;

// dot( normal, x ) <= offset.
typedef struct common_plane
{
	bv_vec3 normal;
	double offset;
} common_plane;

static box upright( bv_vec3 lower, bv_vec3 upper )
{
	return ( box ){
		.center = bv_scale( 0.5, bv_add( lower, upper ) ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half = { ( upper.x - lower.x ) / 2, ( upper.y - lower.y ) / 2, ( upper.z - lower.z ) / 2 },
	};
}

static box box_of( const bv_volume* v )
{
	const bvvol_kind* kind = bvvol_kind_of( v->type );
	bvvol_rounded r = bvvol_volume_rounded( v );
	box b = { .center = kind->center( v ), .axis = { r.axis[0], r.axis[1], r.axis[2] } };
	kind->half_lengths( v, b.half );
	return b;
}

// Points are relative to an origin; of none the box is the origin.
static box box_around( const bv_vec3* points, uint32_t count, bv_vec3 origin, const bv_vec3 axis[3] )
{
	box out = { .center = origin, .axis = { axis[0], axis[1], axis[2] } };
	for ( int k = 0; k < 3 && count > 0; ++k )
	{
		double least = INFINITY;
		double most = -INFINITY;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double at = bv_dot( axis[k], points[i] );
			least = bvmath_min( least, at );
			most = bvmath_max( most, at );
		}
		out.center = bv_add( out.center, bv_scale( ( least + most ) / 2, axis[k] ) );
		out.half[k] = ( most - least ) / 2;
	}
	return out;
}

static bool is_polytope( const bv_volume* v )
{
	return !bvvol_kind_of( v->type )->has_radius;
}

static bool is_kdop( const bv_volume* v )
{
	return bvvol_kind_of( v->type )->form == bvvol_form_slabs;
}

// A prism's two slanted sides.
static int slants_of( const bv_obb* around, common_plane out[most_planes] )
{
	const double* h = around->half_extents;
	double length = sqrt( h[0] * h[0] + 4 * ( h[1] * h[1] ) );
	bv_vec3 tip = bv_add( around->center, bv_scale( h[1], around->axis[1] ) );
	for ( int i = 0; i < 2 && length > 0; ++i )
	{
		double aside = ( i ? -2 : 2 ) * h[1] / length;
		bv_vec3 normal =
			bv_add( bv_scale( aside, around->axis[0] ), bv_scale( h[0] / length, around->axis[1] ) );
		out[i] = ( common_plane ){ normal, bv_dot( normal, tip ) };
	}
	return length > 0 ? 2 : 0;
}

// Those besides its box.
static int slabs_of( const bv_volume* v, common_plane out[most_planes] )
{
	if ( bvvol_kind_of( v->type )->tapered )
	{
		return slants_of( &v->prism.box, out );
	}
	int count = 0;
	const bv_kdop* dop = &v->kdop;
	for ( uint32_t i = 3; is_kdop( v ) && i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( dop->k, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			out[count++] = ( common_plane ){ d, dop->upper[i] };
			out[count++] = ( common_plane ){ bv_negate( d ), -dop->lower[i] };
		}
	}
	return count;
}

static int planes_of( const bv_volume* v, common_plane out[most_planes] )
{
	box b = box_of( v );
	int count = slabs_of( v, out );
	for ( int i = 0; i < 3; ++i )
	{
		double at = bv_dot( b.axis[i], b.center );
		out[count++] = ( common_plane ){ b.axis[i], at + b.half[i] };
		out[count++] = ( common_plane ){ bv_negate( b.axis[i] ), b.half[i] - at };
	}
	return count;
}

// Cuts what is left, in coordinates in which a box is the cube from -1 to 1.
// @return which of the two is left
static bvassess_cut_polytope* cut_all( bvassess_cut_polytope room[2], bvassess_cut_polytope* left,
                                       const box* b, const common_plane* planes, int count )
{
	for ( int i = 0; i < count && left->of.corner_count > 0; ++i )
	{
		bv_vec3 n = planes[i].normal;
		bv_vec3 normal = { bv_dot( n, b->axis[0] ) * b->half[0], bv_dot( n, b->axis[1] ) * b->half[1],
			               bv_dot( n, b->axis[2] ) * b->half[2] };
		double offset = planes[i].offset - bv_dot( n, b->center );
		left = bvassess_polytope_cut_by( left, left == &room[0] ? &room[1] : &room[0], normal, offset );
	}
	return left;
}

// Of two volumes along the coordinate axes what they have in common is one, too: of each pair of slabs the
// part of both.
// @return false where there is nothing
static bool meet( const bv_volume* a, const bv_volume* b, box* upright_box, common_plane* slabs, int* count )
{
	double lower[BV_KDOP_DIRECTIONS];
	double upper[BV_KDOP_DIRECTIONS];
	*count = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		lower[i] = -INFINITY;
		upper[i] = INFINITY;
		for ( int k = 0; k < 2; ++k )
		{
			const bv_volume* v = k == 0 ? a : b;
			bool is_box = v->type == bv_volume_aabb;
			if ( bv_kdop_uses( is_box ? 6 : v->kdop.k, i ) )
			{
				lower[i] = bvmath_max( lower[i], is_box ? bvmath_component( v->aabb.lower, (int)i )
				                                        : v->kdop.lower[i] );
				upper[i] = bvmath_min( upper[i], is_box ? bvmath_component( v->aabb.upper, (int)i )
				                                        : v->kdop.upper[i] );
			}
		}
		if ( lower[i] >= upper[i] )
		{
			return false;
		}
		if ( i >= 3 && upper[i] < INFINITY )
		{
			bv_vec3 d = bv_kdop_direction( i );
			slabs[( *count )++] = ( common_plane ){ d, upper[i] };
			slabs[( *count )++] = ( common_plane ){ bv_negate( d ), -lower[i] };
		}
	}
	*upright_box =
		upright( ( bv_vec3 ){ lower[0], lower[1], lower[2] }, ( bv_vec3 ){ upper[0], upper[1], upper[2] } );
	return true;
}

static bool is_turned( const bv_volume* v )
{
	return bvvol_kind_of( v->type )->planes == 0;
}

// In the coordinates of a box around what is left, or of the lesser one, thin ones lose nothing.
static double common_of_polytopes( const bv_volume* lesser, const bv_volume* other )
{
	common_plane planes[2 * most_planes];
	bvassess_cut_polytope room[2];
	box b;
	int count;
	if ( is_turned( lesser ) || is_turned( other ) )
	{
		b = box_of( lesser );
		count = slabs_of( lesser, planes );
		count += planes_of( other, planes + count );
	}
	else if ( !meet( lesser, other, &b, planes, &count ) )
	{
		return 0;
	}
	bvassess_polytope_begin( &room[0] );
	const bvassess_cut_polytope* left = cut_all( room, &room[0], &b, planes, count );
	return bvassess_polytope_volume( left ) * ( b.half[0] * b.half[1] * b.half[2] );
}

// Along the direction in which a k-DOP is thinnest, and at right angles to that towards its farthest corner:
// it fills much of that box, where a thin one fills next to nothing of an upright one.
static box tight_box_of( const bv_volume* v )
{
	common_plane slabs[most_planes];
	bvassess_cut_polytope room[2];
	box b = box_of( v );
	bv_vec3 corner[bvassess_polytope_corners];
	bvassess_polytope_begin( &room[0] );
	const bvassess_cut_polytope* left = cut_all( room, &room[0], &b, slabs, slabs_of( v, slabs ) );
	double thinnest = INFINITY;
	bv_vec3 normal = { 1, 0, 0 };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		double length = sqrt( bv_dot( d, d ) );
		double width = ( v->kdop.upper[i] - v->kdop.lower[i] ) / length;
		if ( bv_kdop_uses( v->kdop.k, i ) && width < thinnest )
		{
			thinnest = width;
			normal = bv_scale( 1 / length, d );
		}
	}
	double farthest = 0;
	bv_vec3 along = bvbase_perpendicular( normal );
	for ( uint32_t i = 0; i < left->of.corner_count; ++i )
	{
		bv_vec3 p = left->corners[i];
		corner[i] = ( bv_vec3 ){ b.half[0] * p.x, b.half[1] * p.y, b.half[2] * p.z };
		bv_vec3 flat = bv_sub( corner[i], corner[0] );
		flat = bv_sub( flat, bv_scale( bv_dot( normal, flat ), normal ) );
		double square = bv_dot( flat, flat );
		if ( square > farthest )
		{
			farthest = square;
			along = bv_scale( 1 / sqrt( square ), flat );
		}
	}
	return box_around( corner, left->of.corner_count, b.center,
	                   ( const bv_vec3[3] ){ normal, along, bv_cross( normal, along ) } );
}

// Two caps, cut off where the spheres meet.
static double common_of_balls( const bv_sphere* lesser, const bv_sphere* other )
{
	bv_vec3 way = bv_sub( other->center, lesser->center );
	double d = sqrt( bv_dot( way, way ) );
	double r = lesser->radius;
	double s = other->radius;
	if ( d >= r + s )
	{
		return 0;
	}
	if ( d <= s - r )
	{
		return bv_sphere_volume( lesser );
	}
	const double pi = 0x1.921fb54442d18p+1;
	double apart = r + s - d;
	return pi * ( apart * apart ) * ( ( d * d + 2 * d * ( r + s ) ) - 3 * ( ( r - s ) * ( r - s ) ) ) /
	       ( 12 * d );
}

static bool rounded_holds( const bvvol_rounded* v, bv_vec3 p )
{
	bv_vec3 way = bv_sub( p, v->center );
	double beyond[3];
	for ( int i = 0; i < 3; ++i )
	{
		beyond[i] = bvmath_max( fabs( bv_dot( v->axis[i], way ) ) - v->half_extents[i], 0 );
	}
	double square = ( beyond[0] * beyond[0] + beyond[1] * beyond[1] ) + beyond[2] * beyond[2];
	return square <= v->radius * v->radius;
}

static bool planes_hold( const common_plane* planes, int count, bv_vec3 p )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( bv_dot( planes[i].normal, p ) > planes[i].offset )
		{
			return false;
		}
	}
	return true;
}

// A volume that points are tested against.
typedef struct holder
{
	common_plane planes[most_planes];
	int count; // of planes; 0 of a round volume
	bvvol_rounded rounded;
} holder;

static void begin_holder( const bv_volume* v, holder* out )
{
	out->count = is_polytope( v ) ? planes_of( v, out->planes ) : 0;
	out->rounded = bvvol_volume_rounded( v );
}

static bool holds( const holder* h, bv_vec3 p )
{
	return h->count > 0 ? planes_hold( h->planes, h->count, p ) : rounded_holds( &h->rounded, p );
}

// Whether the balls around the two are apart.
static bool certainly_apart( const box* a, const box* b )
{
	bv_vec3 way = bv_sub( a->center, b->center );
	double square_a = ( a->half[0] * a->half[0] + a->half[1] * a->half[1] ) + a->half[2] * a->half[2];
	double square_b = ( b->half[0] * b->half[0] + b->half[1] * b->half[1] ) + b->half[2] * b->half[2];
	return sqrt( bv_dot( way, way ) ) > sqrt( square_a ) + sqrt( square_b );
}

// Multiples of an irrational vector, modulo 1, are spread evenly: powers of the inverse of the root of x^4 =
// x + 1 (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
static bv_vec3 spread_point( const box* b, uint32_t index )
{
	const double root[3] = { 0x1.a36a9465a325ep-1, 0x1.57930711f71f6p-1, 0x1.1972574e5e7b2p-1 };
	bv_vec3 p = b->center;
	for ( int i = 0; i < 3; ++i )
	{
		double x = 0.5 + root[i] * index;
		p = bv_add( p, bv_scale( ( 2 * ( x - floor( x ) ) - 1 ) * b->half[i], b->axis[i] ) );
	}
	return p;
}

// The share of the lesser one's points that the other one holds.
static double share_of_points( const bv_volume* lesser, const bv_volume* other )
{
	holder holder_of_lesser;
	holder holder_of_other;
	box b = is_kdop( lesser ) ? tight_box_of( lesser ) : box_of( lesser );
	box around_other = box_of( other );
	if ( certainly_apart( &b, &around_other ) )
	{
		return 0;
	}
	begin_holder( lesser, &holder_of_lesser );
	begin_holder( other, &holder_of_other );
	uint32_t inside = 0;
	uint32_t common = 0;
	for ( uint32_t i = 1; i <= points_tried && inside < points_wanted; ++i )
	{
		bv_vec3 p = spread_point( &b, i );
		if ( holds( &holder_of_lesser, p ) )
		{
			inside += 1;
			common += holds( &holder_of_other, p );
		}
	}
	return inside > 0 ? (double)common / inside : 0;
}

double bvassess_size_of( const bv_volume* volume )
{
	return bvassess_is_flat( volume, 0x1p-41 ) ? 0 : bvb_volume_of( volume );
}

double bvassess_overlap_of_sized( const bvassess_sized_volume* a, const bvassess_sized_volume* b )
{
	if ( a->size == 0 || b->size == 0 )
	{
		return -1;
	}
	const bv_volume* lesser = a->size <= b->size ? &a->volume : &b->volume;
	const bv_volume* other = a->size <= b->size ? &b->volume : &a->volume;
	double least = bvmath_min( a->size, b->size );
	double share = 0;
	if ( is_polytope( lesser ) && is_polytope( other ) )
	{
		share = common_of_polytopes( lesser, other ) / least;
	}
	else if ( lesser->type == bv_volume_sphere && other->type == bv_volume_sphere )
	{
		share = common_of_balls( &lesser->sphere, &other->sphere ) / least;
	}
	else
	{
		share = share_of_points( lesser, other );
	}
	return bvmath_min( bvmath_max( share, 0 ), 1 );
}

double bvb_overlap_of( const bv_volume* a, const bv_volume* b )
{
	const bvassess_sized_volume sized[2] = { { *a, bvassess_size_of( a ) }, { *b, bvassess_size_of( b ) } };
	return bvassess_overlap_of_sized( &sized[0], &sized[1] );
}
