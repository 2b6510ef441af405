// Intervals in twice the precision. See near.h.

#include "runtime/convex/near.h"

#include <math.h>

static bvmath_wide3 wide_box_corner( const bv_obb* box, uint32_t index )
{
	bvmath_wide3 out = bvmath_wide3_of( box->center );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_wide3 axis = bvmath_wide3_of( box->axis[i] );
		out = bvmath_wide3_add( &out, index >> i & 1 ? box->half_extents[i] : -box->half_extents[i], &axis );
	}
	return out;
}

static bvmath_wide3 wide_own_corner( const bvconvex_body* body, uint32_t name )
{
	if ( body->own.convex->kind == bv_convex_of_box )
	{
		return wide_box_corner( &body->own.convex->box, name );
	}
	bv_vec3 stored[2];
	bvconvex_shape_stored_corner( &body->own, name, stored );
	bvmath_wide3 own = bvmath_wide3_of( stored[0] );
	bvmath_wide3 offset = bvmath_wide3_of( stored[1] );
	return bvmath_is_zero( stored[1] ) ? own : bvmath_wide3_add( &own, 1, &offset );
}

static bvmath_wide3 wide_corner( const bvconvex_body* body, uint32_t name )
{
	bvmath_wide3 own = wide_own_corner( body, name );
	if ( !body->placed )
	{
		return own;
	}
	const bvvol_similarity* placed = body->placed;
	if ( placed->scale != 1 )
	{
		bvmath_wide3 none = bvmath_wide3_of( ( bv_vec3 ){ 0, 0, 0 } );
		own = bvmath_wide3_add( &none, placed->scale, &own );
	}
	bvmath_wide3 out = bvmath_wide3_of( placed->translation );
	for ( int i = 0; i < 3; ++i )
	{
		out.x[i] = bvmath_wide_add( out.x[i], bvmath_wide3_dot( placed->turn.row[i], &own ) );
	}
	return out;
}

bvmath_wide3 bvconvex_near_vertex( const bvconvex_pair* pair, const uint32_t name[2] )
{
	bvmath_wide3 a = wide_corner( pair->body, name[0] );
	bvmath_wide3 b = wide_corner( pair->body + 1, name[1] );
	return bvmath_wide3_add( &a, -1, &b );
}

// What the sums here are off by.
static double rounding_of( const bvconvex_pair* pair )
{
	return 0x1p-45 * pair->rounding + 0x1p-890;
}

static double value_of( bvmath_wide x )
{
	return x.high + x.low;
}

static bvmath_wide dot_of( bv_vec3 a, bv_vec3 b )
{
	bvmath_wide x = bvmath_wide_product( a.x, b.x );
	bvmath_wide y = bvmath_wide_product( a.y, b.y );
	bvmath_wide z = bvmath_wide_product( a.z, b.z );
	return bvmath_wide_add( bvmath_wide_add( x, y ), z );
}

static bvmath_wide dot_of_wide( const bvmath_wide3* a, const bvmath_wide3* b )
{
	bvmath_wide x = bvmath_wide_multiply( a->x[0], b->x[0] );
	bvmath_wide y = bvmath_wide_multiply( a->x[1], b->x[1] );
	bvmath_wide z = bvmath_wide_multiply( a->x[2], b->x[2] );
	return bvmath_wide_add( bvmath_wide_add( x, y ), z );
}

static bool is_box( const bvconvex_near_plane* plane, int which )
{
	return plane->pair->body[which].own.convex->kind == bv_convex_of_box;
}

// @param own  a point or, if there is no shift, a direction of a body
static bvmath_wide product_with( const bvconvex_near_plane* plane, int which, bv_vec3 own, bool shifts )
{
	if ( which == 0 || !plane->pair->body[1].placed )
	{
		return dot_of( plane->along, own );
	}
	bvmath_wide x = bvmath_wide_multiply( plane->own.x[0], ( bvmath_wide ){ own.x, 0 } );
	bvmath_wide y = bvmath_wide_multiply( plane->own.x[1], ( bvmath_wide ){ own.y, 0 } );
	bvmath_wide z = bvmath_wide_multiply( plane->own.x[2], ( bvmath_wide ){ own.z, 0 } );
	bvmath_wide sum = bvmath_wide_add( bvmath_wide_add( x, y ), z );
	return shifts ? bvmath_wide_add( sum, plane->shift ) : sum;
}

// Turning the direction once takes less time than turning each corner.
static void begin_plane( const bvconvex_pair* pair, bv_vec3 along, bvconvex_near_plane* out )
{
	out->pair = pair;
	out->along = along;
	out->length = bv_length( along );
	const bvvol_similarity* placed = pair->body[1].placed;
	if ( placed )
	{
		const bv_vec3* row = placed->turn.row;
		out->own.x[0] = dot_of( along, ( bv_vec3 ){ row[0].x, row[1].x, row[2].x } );
		out->own.x[1] = dot_of( along, ( bv_vec3 ){ row[0].y, row[1].y, row[2].y } );
		out->own.x[2] = dot_of( along, ( bv_vec3 ){ row[0].z, row[1].z, row[2].z } );
		for ( int i = 0; i < 3 && placed->scale != 1; ++i )
		{
			out->own.x[i] = bvmath_wide_multiply( ( bvmath_wide ){ placed->scale, 0 }, out->own.x[i] );
		}
		out->shift = dot_of( along, placed->translation );
	}
	for ( int which = 0; which < 2; ++which )
	{
		if ( is_box( out, which ) )
		{
			const bv_obb* box = &pair->body[which].own.convex->box;
			out->box[which][0] = product_with( out, which, box->center, true );
			for ( int i = 0; i < 3; ++i )
			{
				bvmath_wide half = { box->half_extents[i], 0 };
				out->box[which][1 + i] =
					bvmath_wide_multiply( half, product_with( out, which, box->axis[i], false ) );
			}
		}
	}
}

static bvmath_wide height_of_corner( const bvconvex_near_plane* plane, int which, uint32_t name )
{
	if ( is_box( plane, which ) )
	{
		bvmath_wide out = plane->box[which][0];
		for ( int i = 0; i < 3; ++i )
		{
			bvmath_wide half = plane->box[which][1 + i];
			out = bvmath_wide_add( out, name >> i & 1 ? half : bvmath_wide_negate( half ) );
		}
		return out;
	}
	const bvconvex_body* body = plane->pair->body + which;
	if ( body->own.hull.points )
	{
		return product_with( plane, which, body->own.hull.points[name], true );
	}
	bvmath_wide3 corner = wide_own_corner( body, name );
	return which == 1 && body->placed ? bvmath_wide_add( dot_of_wide( &plane->own, &corner ), plane->shift )
	                                  : bvmath_wide3_dot( plane->along, &corner );
}

// Of the corner of a box that is the highest, or the lowest.
static bvmath_wide greatest_of_box( const bvconvex_near_plane* plane, int which, int sign )
{
	bvmath_wide out = plane->box[which][0];
	out = sign < 0 ? bvmath_wide_negate( out ) : out;
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_wide half = plane->box[which][1 + i];
		out = bvmath_wide_add( out, value_of( half ) < 0 ? bvmath_wide_negate( half ) : half );
	}
	return out;
}

// @param sign  1 for the greatest product with a point of a body, -1 for the least one
static bvmath_wide greatest( const bvconvex_near_plane* plane, int which, int sign, uint32_t near )
{
	enum
	{
		most = 16,
	};
	const bvconvex_pair* pair = plane->pair;
	const bvconvex_body* body = pair->body + which;
	if ( is_box( plane, which ) )
	{
		++*body->supports;
		return greatest_of_box( plane, which, sign );
	}
	uint32_t name[most];
	double doubt = 2 * pair->rounding * bvmath_norm1( plane->along );
	bv_vec3 along = sign < 0 ? bv_negate( plane->along ) : plane->along;
	uint32_t count = bvconvex_body_highest( body, along, near, doubt, name, most );
	bool all = count > most;
	bvmath_wide best = { -INFINITY, 0 };
	for ( uint32_t i = 0; i < ( all ? body->own.corners : count ); ++i )
	{
		bvmath_wide height = height_of_corner( plane, which, all ? i : name[i] );
		height = sign < 0 ? bvmath_wide_negate( height ) : height;
		height = bvmath_wide_sum( height.high, height.low );
		bool higher = height.high > best.high || ( height.high == best.high && height.low > best.low );
		best = higher ? height : best;
	}
	return best;
}

static double round_up( const bvconvex_near_plane* plane, bvmath_wide product )
{
	double height = value_of( product ) / plane->length;
	return height + 0x1p-50 * fabs( height ) + 2 * rounding_of( plane->pair );
}

static double round_down( const bvconvex_near_plane* plane, bvmath_wide product )
{
	return -round_up( plane, bvmath_wide_negate( product ) );
}

double bvconvex_near_plane_height( const bvconvex_near_plane* plane, const uint32_t name[2] )
{
	bvmath_wide a = height_of_corner( plane, 0, name[0] );
	bvmath_wide b = height_of_corner( plane, 1, name[1] );
	return round_down( plane, bvmath_wide_add( a, bvmath_wide_negate( b ) ) );
}

double bvconvex_near_support( const bvconvex_pair* pair, bv_vec3 along, const uint32_t near[2] )
{
	bvconvex_near_plane plane;
	begin_plane( pair, along, &plane );
	bvmath_wide a = greatest( &plane, 0, 1, near[0] );
	bvmath_wide b = greatest( &plane, 1, -1, near[1] );
	return round_up( &plane, bvmath_wide_add( a, b ) );
}

// From one corner to another, in the shape's coordinates.
static bvmath_wide3 own_way( const bvconvex_body* body, uint32_t from, uint32_t to )
{
	bvmath_wide3 out = bvmath_wide3_of( ( bv_vec3 ){ 0, 0, 0 } );
	if ( body->own.convex->kind == bv_convex_of_box )
	{
		const bv_obb* box = &body->own.convex->box;
		for ( int i = 0; i < 3; ++i )
		{
			double sign = (double)( to >> i & 1 ) - (double)( from >> i & 1 );
			bvmath_wide3 axis = bvmath_wide3_of( box->axis[i] );
			out = sign != 0 ? bvmath_wide3_add( &out, 2 * sign * box->half_extents[i], &axis ) : out;
		}
		return out;
	}
	if ( body->own.hull.points )
	{
		bv_vec3 a = body->own.hull.points[from];
		bv_vec3 b = body->own.hull.points[to];
		out.x[0] = bvmath_wide_sum( b.x, -a.x );
		out.x[1] = bvmath_wide_sum( b.y, -a.y );
		out.x[2] = bvmath_wide_sum( b.z, -a.z );
		return out;
	}
	bvmath_wide3 start = wide_own_corner( body, from );
	out = wide_own_corner( body, to );
	return bvmath_wide3_add( &out, -1, &start );
}

// @return the way from one vertex to another. Each coordinate errs by 2^-52 of the ways from corner to corner
static bv_vec3 edge_between( const bvconvex_pair* pair, const uint32_t from[2], const uint32_t to[2] )
{
	bvmath_wide3 edge = bvmath_wide3_of( ( bv_vec3 ){ 0, 0, 0 } );
	if ( to[0] != from[0] )
	{
		edge = own_way( pair->body, from[0], to[0] );
	}
	if ( to[1] != from[1] )
	{
		const bvvol_similarity* placed = pair->body[1].placed;
		bvmath_wide3 own = own_way( pair->body + 1, from[1], to[1] );
		for ( int i = 0; i < 3; ++i )
		{
			bvmath_wide turned = placed ? bvmath_wide3_dot( placed->turn.row[i], &own ) : own.x[i];
			if ( placed && placed->scale != 1 )
			{
				turned = bvmath_wide_multiply( ( bvmath_wide ){ placed->scale, 0 }, turned );
			}
			edge.x[i] = bvmath_wide_add( edge.x[i], bvmath_wide_negate( turned ) );
		}
	}
	return bvmath_wide3_round( &edge );
}

enum
{
	most_high = 12,
};

// The corners of a body that can be the highest ones, and their heights.
typedef struct high_corners
{
	uint32_t count;
	uint32_t name[most_high];
	bvmath_wide height[most_high];
	bvmath_wide greatest;
} high_corners;

// Lists the points that are not below a height. Four at a time, because most are.
// @return how many there are, or a number above most_high
static uint32_t list_points( const bv_vec3* points, uint32_t count, bv_vec3 along, double least,
                             uint32_t* out )
{
	uint32_t found = 0;
	for ( uint32_t i = 0; i < count; i += 4 )
	{
		const bv_vec3* p = points + i;
		uint32_t left = count - i < 4 ? count - i : 4;
		if ( left == 4 )
		{
			double first = bvmath_max( bv_dot( along, p[0] ), bv_dot( along, p[1] ) );
			double second = bvmath_max( bv_dot( along, p[2] ), bv_dot( along, p[3] ) );
			left = bvmath_max( first, second ) >= least ? 4 : 0;
		}
		for ( uint32_t k = 0; k < left; ++k )
		{
			if ( bv_dot( along, p[k] ) >= least )
			{
				if ( found == most_high )
				{
					return most_high + 1;
				}
				out[found++] = i + k;
			}
		}
	}
	return found;
}

// Corners that are not below one of them, to rounding.
// @return how many there are, or a number above most_high
static uint32_t list_high( const bvconvex_near_plane* plane, int which, bv_vec3 along, uint32_t near,
                           uint32_t* name )
{
	const bvconvex_body* body = plane->pair->body + which;
	const bvconvex_prepared* own = &body->own;
	double doubt = 2 * plane->pair->rounding * bvmath_norm1( plane->along );
	if ( !own->hull.points || near >= own->corners || own->corners > 64 )
	{
		return bvconvex_body_highest( body, along, near, doubt, name, most_high );
	}
	++*body->supports;
	along = bvconvex_body_direction( body, along );
	doubt = body->placed ? doubt / body->placed->scale : doubt;
	double least = bv_dot( along, own->hull.points[near] ) - doubt;
	return list_points( own->hull.points, own->corners, along, least, name );
}

// @return false if there are too many
static bool find_high_corners( const bvconvex_near_plane* plane, int which, uint32_t near, high_corners* out )
{
	int sign = which == 0 ? 1 : -1;
	bv_vec3 along = which == 0 ? plane->along : bv_negate( plane->along );
	if ( is_box( plane, which ) )
	{
		++*plane->pair->body[which].supports;
		out->count = 0;
		out->greatest = greatest_of_box( plane, which, sign );
		return true;
	}
	out->count = list_high( plane, which, along, near, out->name );
	if ( !( out->count >= 1 && out->count <= most_high ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		bvmath_wide height = height_of_corner( plane, which, out->name[i] );
		height = sign < 0 ? bvmath_wide_negate( height ) : height;
		height = bvmath_wide_sum( height.high, height.low );
		bool higher = i == 0 || height.high > out->greatest.high ||
		              ( height.high == out->greatest.high && height.low > out->greatest.low );
		out->greatest = higher ? height : out->greatest;
		out->height[i] = height;
	}
	return true;
}

// @return how high a corner of the first body is or, of the second, how low
static bvmath_wide known_height( const bvconvex_near_plane* plane, int which, const high_corners* high,
                                 uint32_t name )
{
	uint32_t i = 0;
	while ( i < high->count && high->name[i] != name )
	{
		++i;
	}
	if ( i < high->count )
	{
		return high->height[i];
	}
	bvmath_wide height = height_of_corner( plane, which, name );
	return which == 0 ? height : bvmath_wide_negate( height );
}

// @param product  receives those of the vector and each vertex
// @return false if there are too many high corners
static bool find_level( const bvconvex_near_plane* plane, const uint32_t* const names[3],
                        bvmath_wide product[3], bvconvex_near_level* out )
{
	high_corners high[2];
	if ( !find_high_corners( plane, 0, names[0][0], high ) ||
	     !find_high_corners( plane, 1, names[0][1], high + 1 ) )
	{
		return false;
	}
	out->upper = round_up( plane, bvmath_wide_add( high[0].greatest, high[1].greatest ) );
	out->lower = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_wide a = known_height( plane, 0, high, names[k][0] );
		bvmath_wide b = known_height( plane, 1, high + 1, names[k][1] );
		product[k] = bvmath_wide_add( a, b );
		out->lower = bvmath_min( out->lower, round_down( plane, product[k] ) );
	}
	return true;
}

// Turns the normal to where the products are equal, which removes the rounding errors of the cross product. Only those of its
// coordinates remain.
static bv_vec3 turn_level( bv_vec3 normal, const bv_vec3 edge[2], const bvmath_wide product[3] )
{
	double square = bv_dot( normal, normal );
	double first = value_of( bvmath_wide_add( product[0], bvmath_wide_negate( product[1] ) ) );
	double second = value_of( bvmath_wide_add( product[0], bvmath_wide_negate( product[2] ) ) );
	bv_vec3 by = bv_add( bv_scale( first / square, bv_cross( edge[1], normal ) ),
	                     bv_scale( second / square, bv_cross( normal, edge[0] ) ) );
	return bv_add( normal, by );
}

bool bvconvex_near_plane_of( const bvconvex_pair* pair, const uint32_t* const names[3], double enough,
                             bvconvex_near_plane* plane, bvconvex_near_level* out )
{
	const bv_vec3 edge[2] = { edge_between( pair, names[0], names[1] ),
		                      edge_between( pair, names[0], names[2] ) };
	bvmath_wide product[3];
	begin_plane( pair, bv_cross( edge[0], edge[1] ), plane );
	bool is_known = plane->length > 0 && plane->length < INFINITY && find_level( plane, names, product, out );
	if ( is_known && out->upper - out->lower > enough )
	{
		begin_plane( pair, turn_level( plane->along, edge, product ), plane );
		is_known = plane->length > 0 && plane->length < INFINITY && find_level( plane, names, product, out );
	}
	return is_known;
}

// Of rounded edges: they are known to 2^-52 of themselves.
static bv_vec3 cross_of( const bvmath_wide3 corner[3] )
{
	bvmath_wide3 u = bvmath_wide3_add( corner + 1, -1, corner );
	bvmath_wide3 v = bvmath_wide3_add( corner + 2, -1, corner );
	return bv_cross( bvmath_wide3_round( &u ), bvmath_wide3_round( &v ) );
}

double bvconvex_near_height( const bvconvex_pair* pair, const uint32_t* const names[3], bv_vec3* normal )
{
	bvmath_wide3 corner[3];
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = bvconvex_near_vertex( pair, names[i] );
	}
	*normal = cross_of( corner );
	double length = bv_length( *normal );
	double least = INFINITY;
	for ( int i = 0; i < 3 && length > 0; ++i )
	{
		least = bvmath_min( least, value_of( bvmath_wide3_dot( *normal, corner + i ) ) / length );
	}
	return length > 0 ? least - 0x1p-50 * fabs( least ) - 2 * rounding_of( pair ) : 0;
}

// Moves a point of an edge to where it is nearest to the origin. The second step removes the rounding error of the first.
// @param weight  of the edge's end
static bvmath_wide3 slide( bvmath_wide3 point, const bvmath_wide3* edge, bvmath_wide* weight )
{
	bv_vec3 along = bvmath_wide3_round( edge );
	double square = bv_dot( along, along );
	for ( int i = 0; i < 2 && square > 0; ++i )
	{
		double by = -value_of( bvmath_wide3_dot( along, &point ) ) / square;
		point = bvmath_wide3_add( &point, by, edge );
		*weight = bvmath_wide_add( *weight, ( bvmath_wide ){ by, 0 } );
	}
	return point;
}

// Weights that are off by a unit in the last place are those of a point that is off by as much of the shapes' size.
static bool is_in_simplex( bvmath_wide second, double third )
{
	bvmath_wide first = bvmath_wide_add( ( bvmath_wide ){ 1, 0 }, bvmath_wide_negate( second ) );
	first = bvmath_wide_add( first, ( bvmath_wide ){ -third, 0 } );
	return value_of( first ) >= 0 && value_of( second ) >= 0 && third >= 0;
}

void bvconvex_near_distance( const bvconvex_pair* pair, bvconvex_gjk_simplex* s, bvconvex_near_gap* out )
{
	bvmath_wide3 corner[3];
	bvmath_wide3 edge[2];
	bvmath_wide3 point;
	corner[0] = bvconvex_near_vertex( pair, s->vertex[0].name );
	point = corner[0];
	for ( int i = 1; i < s->count; ++i )
	{
		corner[i] = bvconvex_near_vertex( pair, s->vertex[i].name );
		edge[i - 1] = bvmath_wide3_add( corner + i, -1, corner );
		point = bvmath_wide3_add( &point, s->weight[i], edge + i - 1 );
	}
	bv_vec3 along;
	bvmath_wide second = { s->count > 1 ? s->weight[1] : 0, 0 };
	double third = s->count > 2 ? s->weight[2] : 0;
	if ( s->count == 3 )
	{
		along = cross_of( corner );
		along = value_of( bvmath_wide3_dot( along, corner ) ) < 0 ? bv_negate( along ) : along;
	}
	else
	{
		point = s->count == 2 ? slide( point, edge, &second ) : point;
		along = bvmath_wide3_round( &point );
	}
	s->nearest = bvmath_wide3_round( &point );
	double length = bv_length( s->nearest );
	out->upper =
		is_in_simplex( second, third ) ? length * ( 1 + 0x1p-50 ) + 2 * rounding_of( pair ) : INFINITY;
	out->lower =
		bv_length( along ) > 0 ? -bvconvex_near_support( pair, bv_negate( along ), s->vertex[0].name ) : 0;
	out->along = bv_negate( bv_normalize( along ) );
}
