// Pairs of placed shapes. See pair.h.
//
// Rounding: what is computed of a point along a unit vector errs by less than 20 * 2^-53 of the coordinates that
// enter: of the shape's own ones, times the scale, and of the translation. Along its own axes a support is chosen
// by a direction that is off by 2^-51 of itself. 2^-47 of the sum covers both shapes.

#include "runtime/convex/pair.h"

#include "runtime/convex/climb.h"
#include "runtime/convex/simplex.h"
#include "runtime/math/range.h"

// One function for each way to find a support point, so that a search calls one function per point.
static bvconvex_support body_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_body* body = shape;
	++*body->supports;
	bv_vec3 own = bvconvex_body_direction( body, *along );
	bvconvex_support out = bvconvex_shape_support( &body->own, &own, near );
	out.at = bvconvex_body_point( body, out.at );
	return out;
}

static bvconvex_support graph_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_body* body = shape;
	++*body->supports;
	bv_vec3 own = bvconvex_body_direction( body, *along );
	uint32_t name = bvconvex_climb_graph( &body->own, &own, near );
	return ( bvconvex_support ){ bvconvex_body_point( body, body->own.hull.points[name] ), name };
}

static bvconvex_support columns_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bvconvex_body* body = shape;
	++*body->supports;
	bv_vec3 own = bvconvex_body_direction( body, *along );
	uint32_t name = bvconvex_columns_farthest( body->columns, &own );
	return ( bvconvex_support ){ bvconvex_body_point( body, body->own.hull.points[name] ), name };
}

BVSIMD_INLINE bv_vec3 box_corner( const bvconvex_body* body, uint32_t index )
{
	bv_vec3 out = body->center;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		bv_vec3 half = body->half[k];
		out = index >> k & 1 ? bv_add( out, half ) : bv_sub( out, half );
	}
	return out;
}

static bvconvex_support box_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bvconvex_body* body = shape;
	++*body->supports;
	uint32_t corner = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		corner |= (uint32_t)( bv_dot( *along, body->half[k] ) > 0 ) << k;
	}
	return ( bvconvex_support ){ box_corner( body, corner ), corner };
}

// Points of the second time have names after all those of the first. The sum of two support points is one of the sum.
static bvconvex_support moving_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_body* body = shape;
	const bvconvex_motion* m = body->motion;
	uint32_t corners = body->own.corners;
	bool late = bv_dot( bv_sub( m->way[1], m->way[0] ), *along ) > 0;
	bvconvex_support out =
		body->support( body, along, near >= corners && near < 2 * corners ? near - corners : near );
	out.at = bv_add( out.at, m->way[late ? 1 : 0] );
	out.name += late ? ( corners > 0 ? corners : 0x9E3779B9 ) : 0;
	return out;
}

void bvconvex_pair_move( bvconvex_pair* pair, bvconvex_motion* motion, double from, double to )
{
	bv_vec3 relative = bv_sub( motion->of[1], motion->of[0] );
	motion->time[0] = from;
	motion->time[1] = to;
	motion->way[0] = bv_scale( from, relative );
	motion->way[1] = bv_scale( to, relative );
	pair->body[1].motion = motion;
	pair->search.support[1] = moving_support;
	pair->search.rounding = pair->rounding = pair->still + 0x1p-47 * bvmath_norm1( motion->way[1] );
}

void bvconvex_pair_stop( bvconvex_pair* pair )
{
	pair->body[1].motion = NULL;
	pair->search.support[1] = pair->body[1].support;
	pair->search.rounding = pair->rounding = pair->still;
}

// What a pair needs of a placement: its inverse and skew take longer than all of this.
static void place( const bv_transform* placement, bvvol_similarity* out )
{
	out->scale = placement->scale;
	out->translation = placement->pose.translation;
	for ( int i = 0; i < 3; ++i )
	{
		const double* r = placement->pose.rotation[i];
		out->turn.row[i] = ( bv_vec3 ){ placement->mirror ? -r[0] : r[0], r[1], r[2] };
	}
}

static void place_box( bvconvex_body* body )
{
	const bv_obb* box = &body->own.convex->box;
	body->center = bvconvex_body_point( body, box->center );
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 half = bv_scale( box->half_extents[k], box->axis[k] );
		body->half[k] =
			body->placed ? bvmath_times( &body->placed->turn, bv_scale( body->placed->scale, half ) ) : half;
	}
}

static bvconvex_support_function* support_of( bvconvex_body* body )
{
	switch ( body->own.convex->kind )
	{
	case bv_convex_of_box: place_box( body ); return box_support;
	case bv_convex_of_graph: return graph_support;
	default: return body->columns ? columns_support : body_support;
	}
}

bool bvconvex_pair_read_shapes( const bv_convex* a, const bv_convex* b, bvconvex_pair_room* room )
{
	room->body[0].columns = room->body[1].columns = NULL;
	return bvconvex_shape_read( a, &room->body[0].own ) && bvconvex_shape_read( b, &room->body[1].own );
}

void bvconvex_pair_use_columns( bvconvex_pair_room* room, bvconvex_columns columns[2] )
{
	for ( int i = 0; i < 2; ++i )
	{
		bvconvex_body* body = room->body + i;
		body->columns = bvconvex_columns_set( &body->own, columns + i ) ? columns + i : NULL;
	}
}

// All but what only searches need.
static bool place_bodies( const bv_transform* placement, bvconvex_pair_room* room, bvconvex_pair* out )
{
	if ( placement &&
	     !( bv_transform_is_valid( placement ) && bvmath_is_in_range( placement->pose.translation ) ) )
	{
		return false;
	}
	bvconvex_body* first = room->body;
	bvconvex_body* second = room->body + 1;
	out->body = room->body;
	bv_vec3 translation = { 0, 0, 0 };
	double scale = 1;
	first->motion = second->motion = NULL;
	out->origin = first->own.middle;
	room->supports[0] = room->supports[1] = 0;
	first->supports = room->supports;
	second->supports = room->supports + 1;
	first->placed = NULL;
	first->shift = bv_negate( out->origin );
	second->placed = NULL;
	if ( placement )
	{
		place( placement, &room->placed );
		translation = placement->pose.translation;
		scale = placement->scale;
		second->placed = &room->placed;
	}
	second->shift = bv_sub( translation, out->origin );
	out->one_radius[0] = first->own.radius;
	out->one_radius[1] = scale * second->own.radius;
	out->radius = out->one_radius[0] + out->one_radius[1];
	out->polytopes = first->own.corners > 0 && second->own.corners > 0;
	out->closed_is_enough = false;
	out->scratch = NULL;
	out->scratch_bytes = 0;
	double coordinates = 2 * first->own.reach + scale * second->own.reach + bvmath_largest( translation );
	double rounding = ( out->polytopes ? 0x1p-47 : 0x1p-45 ) * coordinates;
	rounding = coordinates > 0 ? bvmath_max( rounding, 0x1p-1074 ) : 0; // products vanish, coordinates do not
	out->still = out->rounding = rounding;
	return true;
}

bool bvconvex_pair_read( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                         bvconvex_pair_room* room, bvconvex_pair* out )
{
	return bvconvex_pair_read_shapes( a, b, room ) && place_bodies( placement, room, out );
}

void bvconvex_pair_place( bvconvex_pair* pair )
{
	bvconvex_body* first = pair->body;
	bvconvex_body* second = pair->body + 1;
	first->support = support_of( first );
	second->support = support_of( second );
	pair->search = ( bvconvex_gjk_pair ){
		{ first->support, second->support }, { first, second }, pair->rounding, bvconvex_simplex_solve
	};
}

bool bvconvex_pair_place_shapes( const bv_transform* placement, bvconvex_pair_room* room, bvconvex_pair* out )
{
	bool is_valid = place_bodies( placement, room, out );
	if ( is_valid )
	{
		bvconvex_pair_place( out );
	}
	return is_valid;
}

bool bvconvex_pair_begin( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                          bvconvex_pair_room* room, bvconvex_pair* out )
{
	return bvconvex_pair_read_shapes( a, b, room ) && bvconvex_pair_place_shapes( placement, room, out );
}

// The height of a shape along a vector, in its own coordinates.
BVSIMD_INLINE double own_height( const bvconvex_body* body, bv_vec3 along, uint32_t* name )
{
	++*body->supports;
	if ( body->own.convex->kind == bv_convex_of_box )
	{
		return bvconvex_box_height( &body->own.convex->box, along, name );
	}
	bvconvex_support far = bvconvex_shape_support( &body->own, &along, *name );
	*name = far.name;
	return bv_dot( along, far.at );
}

double bvconvex_pair_slab( const bvconvex_pair* pair, const bv_vec3* along, uint32_t name[2] )
{
	const bvconvex_body* second = pair->body + 1;
	bv_vec3 against = bv_negate( *along );
	double first_height = own_height( pair->body, *along, name );
	double second_height = own_height( second, bvconvex_body_direction( second, against ), name + 1 );
	if ( second->placed )
	{
		second_height =
			second->placed->scale * second_height + bv_dot( against, second->placed->translation );
	}
	return -( first_height + second_height ) - pair->rounding;
}

uint32_t bvconvex_body_highest( const bvconvex_body* body, bv_vec3 along, uint32_t near, double doubt,
                                uint32_t* out, uint32_t most )
{
	double scale = body->placed ? body->placed->scale : 1;
	++*body->supports;
	return bvconvex_shape_highest( &body->own, bvconvex_body_direction( body, along ), near, doubt / scale,
	                               out, most );
}

bv_vec3 bvconvex_pair_middle( const bvconvex_pair* pair )
{
	return bv_sub( bvconvex_body_point( pair->body, pair->body[0].own.middle ),
	               bvconvex_body_point( pair->body + 1, pair->body[1].own.middle ) );
}

bv_vec3 bvconvex_pair_corner( const bvconvex_pair* pair, int which, uint32_t name )
{
	const bvconvex_body* body = pair->body + which;
	uint32_t index = body->motion ? name % body->own.corners : name;
	bv_vec3 placed = body->support == box_support
	                     ? box_corner( body, index )
	                     : bvconvex_body_point( body, bvconvex_shape_corner( &body->own, index ) );
	return body->motion ? bv_add( placed, body->motion->way[name / body->own.corners] ) : placed;
}

bvconvex_gjk_vertex bvconvex_pair_vertex( const bvconvex_pair* pair, const uint32_t name[2] )
{
	bv_vec3 a = bvconvex_pair_corner( pair, 0, name[0] );
	return ( bvconvex_gjk_vertex ){ bv_sub( a, bvconvex_pair_corner( pair, 1, name[1] ) ),
		                            { name[0], name[1] },
		                            a };
}

void bvconvex_pair_start( const bvconvex_pair* pair, const uint32_t* name, uint32_t count,
                          bvconvex_gjk_simplex* out )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	out->count = 0;
	for ( uint32_t i = 0; i < count && i < 4 && pair->polytopes; ++i )
	{
		const uint32_t* two = name + (size_t)2 * i;
		if ( two[0] < pair->body[0].own.corners && two[1] < pair->body[1].own.corners )
		{
			out->vertex[out->count++] = bvconvex_pair_vertex( pair, two );
		}
	}
	if ( out->count == 0 )
	{
		bv_vec3 along = bvconvex_pair_middle( pair );
		along = bvmath_norm1( along ) > 0 ? along : ( bv_vec3 ){ 1, 0, 0 };
		out->vertex[out->count++] = bvconvex_gjk_support( &pair->search, along, none );
	}
	pair->search.solve( out );
}

// Moves a point of the second shape as the placement does, without rounding.
static void place_exactly( const bvvol_similarity* placed, bvmath_exact3* point )
{
	bvmath_exact factor;
	bvmath_exact product;
	bvmath_exact3 scaled;
	bvmath_exact_set( placed->scale, &factor );
	bvmath_exact3_scale( &factor, point, &scaled );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_exact_set( bvmath_component( placed->translation, i ), point->x + i );
		for ( int k = 0; k < 3; ++k )
		{
			bvmath_exact_set( bvmath_component( placed->turn.row[i], k ), &factor );
			bvmath_exact_multiply( &factor, scaled.x + k, &product );
			bvmath_exact_add( point->x + i, &product, point->x + i );
		}
	}
}

static void move_exactly( const bvconvex_motion* motion, uint32_t end, bvmath_exact3* point )
{
	bvmath_exact first;
	bvmath_exact relative;
	bvmath_exact way;
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_set( bvmath_component( motion->of[0], k ), &first );
		bvmath_exact_set( bvmath_component( motion->of[1], k ), &relative );
		bvmath_exact_subtract( &relative, &first, &relative );
		bvmath_exact_set( motion->time[end], &first );
		bvmath_exact_multiply( &first, &relative, &way );
		bvmath_exact_add( point->x + k, &way, point->x + k );
	}
}

void bvconvex_pair_exact_corner( const bvconvex_pair* pair, int which, uint32_t name, bvmath_exact3* out )
{
	const bvconvex_body* body = pair->body + which;
	bvconvex_shape_exact_corner( &body->own, name % body->own.corners, out );
	if ( body->placed )
	{
		place_exactly( body->placed, out );
	}
	if ( body->motion )
	{
		move_exactly( body->motion, name / body->own.corners, out );
	}
}

void bvconvex_pair_exact_vertex( const bvconvex_pair* pair, const uint32_t name[2], bvmath_exact3* out )
{
	bvmath_exact3 b;
	bvconvex_pair_exact_corner( pair, 0, name[0], out );
	bvconvex_pair_exact_corner( pair, 1, name[1], &b );
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_subtract( out->x + k, b.x + k, out->x + k );
	}
}

void bvconvex_pair_exact_edge( const bvconvex_pair* pair, const uint32_t from[2], const uint32_t to[2],
                               bvmath_exact3* out )
{
	// One corner at a time, because they are large.
	bvmath_exact3 corner;
	bvconvex_pair_exact_corner( pair, 0, to[0], out );
	bvconvex_pair_exact_corner( pair, 1, to[1], &corner );
	bvmath_exact3_subtract( out, &corner, out );
	bvconvex_pair_exact_corner( pair, 0, from[0], &corner );
	bvmath_exact3_subtract( out, &corner, out );
	bvconvex_pair_exact_corner( pair, 1, from[1], &corner );
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_add( out->x + k, corner.x + k, out->x + k );
	}
}

uint32_t bvconvex_pair_exact_place( const bvconvex_pair* pair, int which, uint32_t name,
                                    const bvmath_exact3* along, int sign )
{
	const bvconvex_body* body = pair->body + which;
	const bvconvex_motion* motion = body->motion;
	if ( !motion || !( motion->time[0] < motion->time[1] ) )
	{
		return name;
	}
	bvmath_exact3 relative;
	bvmath_exact height;
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_set( bvmath_component( motion->of[0], k ), &height );
		bvmath_exact_set( bvmath_component( motion->of[1], k ), relative.x + k );
		bvmath_exact_subtract( relative.x + k, &height, relative.x + k );
	}
	bvmath_exact3_dot( along, &relative, &height );
	return sign * height.sign > 0 ? name + body->own.corners : name;
}
