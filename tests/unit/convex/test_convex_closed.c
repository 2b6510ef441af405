// Closed forms of pairs of points, balls, segments, capsules, triangles, boxes and half-spaces, also rounded ones, against
// separating axes and all pairs of features in long double, and against GJK and EPA.

#include "support.h"

#include "bv/convex.h"

#include <stdio.h>

typedef long double real;

typedef struct vector
{
	real x[3];
} vector;

static vector vector_of( bv_vec3 v )
{
	return ( vector ){ { v.x, v.y, v.z } };
}

static vector sum( vector a, real s, vector b )
{
	return ( vector ){ { a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2] } };
}

static real product( vector a, vector b )
{
	return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static vector cross( vector a, vector b )
{
	return ( vector ){ { a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
		                 a.x[0] * b.x[1] - a.x[1] * b.x[0] } };
}

// A shape without its radius, placed.
typedef struct solid
{
	int corners;
	vector corner[8]; // of a box, corner i has the sign of bit k along axis k
	int edges;
	vector edge[3]; // directions
	real radius;
	real reach; // of coordinates before they are placed, and of the placement
	bool unbounded;
	vector normal; // of a half-space: of length 1
	real offset;
} solid;

static vector turned( const bv_transform* placement, vector v )
{
	v.x[0] = placement->mirror ? -v.x[0] : v.x[0];
	vector out;
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = placement->pose.rotation[i];
		out.x[i] = row[0] * v.x[0] + row[1] * v.x[1] + row[2] * v.x[2];
	}
	return out;
}

static vector placed( const bv_transform* placement, vector v )
{
	return sum( vector_of( placement->pose.translation ), placement->scale, turned( placement, v ) );
}

static void place( const bv_convex* shape, const bv_transform* placement, solid* out )
{
	const bv_vec3* by = &placement->pose.translation;
	*out = ( solid ){ .radius = (real)placement->scale * shape->radius,
		              .reach = fabs( by->x ) + fabs( by->y ) + fabs( by->z ) };
	if ( shape->kind == bv_convex_of_half_space )
	{
		// The images of two directions in the plane span the plane's image.
		vector normal = vector_of( shape->normal );
		vector axis = { { fabs( shape->normal.x ) < 0.5, fabs( shape->normal.x ) >= 0.5, 0 } };
		vector one = cross( normal, axis );
		vector two = cross( normal, one );
		vector across = cross( turned( placement, one ), turned( placement, two ) );
		real side = product( across, turned( placement, normal ) ) > 0 ? 1 : -1;
		out->normal = sum( ( vector ){ { 0, 0, 0 } }, side / sqrtl( product( across, across ) ), across );
		vector foot = sum( ( vector ){ { 0, 0, 0 } }, shape->offset / product( normal, normal ), normal );
		out->offset = product( out->normal, placed( placement, foot ) );
		out->reach += placement->scale * sqrtl( product( foot, foot ) );
		out->unbounded = true;
		return;
	}
	if ( shape->kind == bv_convex_of_box )
	{
		out->corners = 8;
		out->edges = 3;
		for ( int i = 0; i < 8; ++i )
		{
			vector at = vector_of( shape->box.center );
			for ( int k = 0; k < 3; ++k )
			{
				at = sum( at, i >> k & 1 ? shape->box.half_extents[k] : -shape->box.half_extents[k],
				          vector_of( shape->box.axis[k] ) );
			}
			out->corner[i] = placed( placement, at );
		}
		for ( int k = 0; k < 3; ++k )
		{
			out->edge[k] = turned( placement, vector_of( shape->box.axis[k] ) );
		}
		return;
	}
	out->corners = (int)shape->count;
	out->edges = shape->count == 3 ? 3 : shape->count == 2 ? 1 : 0;
	for ( int i = 0; i < out->corners; ++i )
	{
		out->corner[i] = placed( placement, vector_of( shape->corner[i] ) );
	}
	for ( int i = 0; i < out->edges; ++i )
	{
		out->edge[i] = sum( out->corner[( i + 1 ) % 3], -1, out->corner[i] );
	}
}

static real square_to_segment( vector p, vector a, vector b )
{
	vector along = sum( b, -1, a );
	real square = product( along, along );
	real t = square > 0 ? product( along, sum( p, -1, a ) ) / square : 0;
	vector off = sum( p, -1, sum( a, fmaxl( 0, fminl( 1, t ) ), along ) );
	return product( off, off );
}

static real square_of_segments( vector p, vector p_end, vector q, vector q_end )
{
	real least = fminl( fminl( square_to_segment( p, q, q_end ), square_to_segment( p_end, q, q_end ) ),
	                    fminl( square_to_segment( q, p, p_end ), square_to_segment( q_end, p, p_end ) ) );
	vector u = sum( p_end, -1, p );
	vector v = sum( q_end, -1, q );
	vector normal = cross( u, v );
	vector w = sum( q, -1, p );
	real square = product( normal, normal );
	if ( square > 0 )
	{
		real s = product( cross( w, v ), normal ) / square;
		real t = product( cross( w, u ), normal ) / square;
		if ( s >= 0 && s <= 1 && t >= 0 && t <= 1 )
		{
			vector off = sum( sum( w, t, v ), -s, u );
			least = fminl( least, product( off, off ) );
		}
	}
	return least;
}

static real square_to_triangle( vector p, vector a, vector b, vector c )
{
	real least = fminl( square_to_segment( p, a, b ),
	                    fminl( square_to_segment( p, b, c ), square_to_segment( p, c, a ) ) );
	vector normal = cross( sum( b, -1, a ), sum( c, -1, a ) );
	bool inside = product( normal, cross( sum( b, -1, a ), sum( p, -1, a ) ) ) >= 0 &&
	              product( normal, cross( sum( c, -1, b ), sum( p, -1, b ) ) ) >= 0 &&
	              product( normal, cross( sum( a, -1, c ), sum( p, -1, c ) ) ) >= 0;
	real square = product( normal, normal );
	real height = product( normal, sum( p, -1, a ) );
	return inside && square > 0 ? fminl( least, height * height / square ) : least;
}

// Two corners of each edge, three of each triangle of the surface.
static int edges_of( const solid* s, int out[12][2] )
{
	int count = 0;
	for ( int i = 0; i < s->corners; ++i )
	{
		for ( int k = i + 1; k < s->corners; ++k )
		{
			int apart = i ^ k;
			if ( s->corners < 8 || apart == 1 || apart == 2 || apart == 4 )
			{
				out[count][0] = i;
				out[count++][1] = k;
			}
		}
	}
	return count;
}

static int faces_of( const solid* s, int out[12][3] )
{
	if ( s->corners < 8 )
	{
		out[0][0] = 0;
		out[0][1] = 1;
		out[0][2] = 2;
		return s->corners == 3;
	}
	for ( int i = 0; i < 12; ++i )
	{
		int axis = i / 4;
		int base = i & 1 ? 1 << axis : 0;
		int one = 1 << ( axis + 1 ) % 3;
		int two = 1 << ( axis + 2 ) % 3;
		out[i][0] = base;
		out[i][1] = base + one + two;
		out[i][2] = base + ( i & 2 ? one : two );
	}
	return 12;
}

static real least_of_corners( const solid* a, const solid* b )
{
	real least = INFINITY;
	int edge[12][2];
	int face[12][3];
	int edges = edges_of( b, edge );
	int faces = faces_of( b, face );
	for ( int i = 0; i < a->corners; ++i )
	{
		for ( int k = 0; k < edges && b->corners < 8; ++k )
		{
			least = fminl( least,
			               square_to_segment( a->corner[i], b->corner[edge[k][0]], b->corner[edge[k][1]] ) );
		}
		for ( int k = 0; k < faces; ++k )
		{
			least = fminl( least, square_to_triangle( a->corner[i], b->corner[face[k][0]],
			                                          b->corner[face[k][1]], b->corner[face[k][2]] ) );
		}
	}
	return least;
}

// Of solids that do not overlap.
static real distance_of( const solid* a, const solid* b )
{
	vector off = sum( b->corner[0], -1, a->corner[0] );
	real least = fminl( product( off, off ), fminl( least_of_corners( a, b ), least_of_corners( b, a ) ) );
	int edge[2][12][2];
	int edges[2] = { edges_of( a, edge[0] ), edges_of( b, edge[1] ) };
	for ( int i = 0; i < edges[0]; ++i )
	{
		for ( int k = 0; k < edges[1]; ++k )
		{
			least = fminl( least, square_of_segments( a->corner[edge[0][i][0]], a->corner[edge[0][i][1]],
			                                          b->corner[edge[1][k][0]], b->corner[edge[1][k][1]] ) );
		}
	}
	return sqrtl( least );
}

// The least overlap along all normals of faces of the difference, and how uncertain it is.
typedef struct overlap
{
	real depth;
	real doubt;
} overlap;

static void along( const solid* a, const solid* b, vector axis, real sine, overlap* out )
{
	real length = sqrtl( product( axis, axis ) );
	real range[2][2] = { { INFINITY, -INFINITY }, { INFINITY, -INFINITY } };
	if ( !( length > 0 ) )
	{
		return;
	}
	for ( int which = 0; which < 2; ++which )
	{
		const solid* s = which ? b : a;
		for ( int i = 0; i < s->corners; ++i )
		{
			real at = product( axis, s->corner[i] ) / length;
			range[which][0] = fminl( range[which][0], at );
			range[which][1] = fmaxl( range[which][1], at );
		}
	}
	real depth = fminl( range[0][1] - range[1][0], range[1][1] - range[0][0] );
	if ( depth < out->depth )
	{
		out->depth = depth;
		out->doubt = 0x1p-60L / sine;
	}
}

static overlap overlap_of( const solid* a, const solid* b )
{
	overlap out = { INFINITY, 0 };
	const solid* both[2] = { a, b };
	for ( int which = 0; which < 2; ++which )
	{
		const solid* s = both[which];
		for ( int i = 0; i < ( s->corners == 8 ? 3 : s->corners == 3 ); ++i )
		{
			along( a, b, cross( s->edge[i], s->edge[( i + 1 ) % 3] ), 1, &out );
		}
	}
	for ( int i = 0; i < a->edges; ++i )
	{
		for ( int k = 0; k < b->edges; ++k )
		{
			vector axis = cross( a->edge[i], b->edge[k] );
			real lengths = sqrtl( product( a->edge[i], a->edge[i] ) * product( b->edge[k], b->edge[k] ) );
			along( a, b, axis, lengths > 0 ? sqrtl( product( axis, axis ) ) / lengths : 1, &out );
		}
	}
	return out;
}

// The signed distance, with the radii.
static real signed_distance( const solid* a, const solid* b, real size, real* doubt )
{
	real radii = a->radius + b->radius;
	*doubt = 0x1p-56L * size;
	if ( a->unbounded || b->unbounded )
	{
		const solid* plane = a->unbounded ? a : b;
		const solid* other = a->unbounded ? b : a;
		real least = INFINITY;
		for ( int i = 0; i < other->corners; ++i )
		{
			least = fminl( least, product( plane->normal, other->corner[i] ) - plane->offset );
		}
		return least - radii;
	}
	bool has_volume = a->corners + b->corners > 4 &&
	                  ( a->corners == 8 || b->corners == 8 || ( a->corners > 1 && b->corners > 1 ) );
	if ( has_volume )
	{
		overlap found = overlap_of( a, b );
		if ( found.depth < INFINITY && found.depth > 0x1p-50L * size )
		{
			*doubt += found.doubt * size;
			return -found.depth - radii;
		}
		// Touching, or next to it: all features are as near as that, be it from outside or inside.
		*doubt += found.depth < INFINITY && found.depth > -*doubt ? 2 * fabsl( found.depth ) : 0;
	}
	return distance_of( a, b ) - radii;
}

enum
{
	kinds = 9,
};

static const char* const name_of[kinds] = { "point",   "ball",        "segment",
	                                        "capsule", "triangle",    "rounded triangle",
	                                        "box",     "rounded box", "half-space" };

static bv_vec3 random_corner( fixture* f, bool grid )
{
	bv_vec3 p = random_point( f );
	p = ( bv_vec3 ){ 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1 };
	return grid ? ( bv_vec3 ){ floor( 2 * p.x ), floor( 2 * p.y ), floor( 2 * p.z ) } : p;
}

static bv_quaternion random_rotation( fixture* f )
{
	bv_vec3 axis = bv_normalize( random_corner( f, false ) );
	double angle = 3 * random_unit( f );
	double s = sin( angle );
	return ( bv_quaternion ){ s * axis.x, s * axis.y, s * axis.z, cos( angle ) };
}

static bv_convex random_shape( fixture* f, int kind, bool grid )
{
	bv_vec3 p[3] = { random_corner( f, grid ), random_corner( f, grid ), random_corner( f, grid ) };
	double radius =
		kind == 1 || kind == 3 || kind == 5 || kind == 7 ? ( grid ? 0.5 : 0.5 * random_unit( f ) ) : 0;
	bv_convex out = bv_convex_capsule( p[0], p[1], radius );
	if ( kind < 2 )
	{
		out = bv_convex_sphere( p[0], radius );
	}
	else if ( kind == 4 || kind == 5 )
	{
		out = bv_convex_triangle( p[0], p[1], p[2] );
	}
	else if ( kind == 6 || kind == 7 )
	{
		out = bv_convex_box(
			p[0], ( bv_vec3 ){ 0.25 + fabs( p[1].x ), 0.25 + fabs( p[1].y ), 0.25 + fabs( p[1].z ) } );
	}
	else if ( kind == 8 )
	{
		bool null = p[1].x == 0 && p[1].y == 0 && p[1].z == 0;
		out = bv_convex_half_space( null ? ( bv_vec3 ){ 0, 0, 1 } : p[1], p[2].x );
	}
	out.radius = radius;
	return out;
}

// No placement worth the name, quarter turns on a grid, next to aligned, or anything.
static bv_transform random_placement( fixture* f, int way )
{
	bv_transform out = bv_transform_identity();
	bv_vec3 to = random_corner( f, way < 2 );
	bv_quaternion turn = { 0, 0, 0, 1 };
	double scale = 1;
	if ( way == 1 )
	{
		turn = ( bv_quaternion ){ 0, 0, sqrt( 0.5 ), sqrt( 0.5 ) };
		scale = random_bits( f ) % 2 ? -2 : 0.5;
	}
	else if ( way == 2 )
	{
		double small = pow( 10, -12 * random_unit( f ) );
		turn = ( bv_quaternion ){ small, -small, 0.5 * small, 1 };
		double length = sqrt( 2.25 * small * small + 1 );
		turn = ( bv_quaternion ){ turn.x / length, turn.y / length, turn.z / length, turn.w / length };
	}
	else if ( way == 3 )
	{
		turn = random_rotation( f );
		scale = ( random_bits( f ) % 2 ? -1 : 1 ) * ( 0.3 + 2 * random_unit( f ) );
	}
	if ( way > 0 )
	{
		assert_int_equal( bv_transform_from_trs( to, turn, scale, &out ), bv_ok );
	}
	return out;
}

static double size_of( const solid* a, const solid* b )
{
	real size = fmaxl( a->reach, b->reach );
	for ( int i = 0; i < a->corners + b->corners; ++i )
	{
		vector p = i < a->corners ? a->corner[i] : b->corner[i - a->corners];
		size = fmaxl( size, fmaxl( fabsl( p.x[0] ), fmaxl( fabsl( p.x[1] ), fabsl( p.x[2] ) ) ) );
	}
	return (double)( size + a->radius + b->radius );
}

static real distance_from_shape( bv_vec3 p, const solid* s, real size )
{
	solid point = { .corners = 1, .corner = { vector_of( p ) } };
	real doubt;
	return signed_distance( &point, s, size, &doubt );
}

// What a result must have: an interval with the true value, as narrow as promised, points of both shapes that are that far
// apart along the normal.
// @param other  by GJK, null for none: the result where the closed form is not certain enough, and can be wider then
static void check_result( const bv_convex_result* r, const bv_convex_result* other, const solid* a,
                          const solid* b, const char* what )
{
	double size = size_of( a, b );
	real doubt;
	real expected = signed_distance( a, b, size, &doubt );
	if ( !( r->lower <= expected + doubt && r->upper >= expected - doubt ) )
	{
		fail_msg( "%s: [%.17g, %.17g] instead of %.17Lg", what, r->lower, r->upper, expected );
	}
	double width = ( expected > 0 ? 1e-6 : 1e-5 ) * fabs( (double)expected ) +
	               ( a->radius + b->radius > 0 ? 8 : 4 ) * 0x1p-52 * size;
	if ( !( r->upper - r->lower <= width ) )
	{
		if ( !other || other->lower != r->lower || other->upper != r->upper )
		{
			fail_msg( "%s: [%.17g, %.17g] is wider than %g", what, r->lower, r->upper, width );
		}
		return;
	}
	double error = 2e-6 * fabs( (double)expected ) + 1e-9 * size;
	bv_vec3 off = bv_sub( bv_sub( r->point[1], r->point[0] ), bv_scale( (double)expected, r->normal ) );
	real outside =
		fmaxl( distance_from_shape( r->point[0], a, size ), distance_from_shape( r->point[1], b, size ) );
	if ( !( bv_length( off ) <= error && outside <= error && fabs( bv_length( r->normal ) - 1 ) < 1e-14 ) )
	{
		fail_msg( "%s: [%.17g, %.17g] with points that are off by %g, outside by %Lg", what, r->lower,
		          r->upper, bv_length( off ), outside );
	}
}

// Multiplies and moves a shape.
static void move_shape( bv_convex* shape, double unit, bv_vec3 by )
{
	for ( int i = 0; i < 3; ++i )
	{
		shape->corner[i] = bv_add( bv_scale( unit, shape->corner[i] ), by );
		shape->box.half_extents[i] *= unit;
	}
	shape->box.center = bv_add( bv_scale( unit, shape->box.center ), by );
	shape->radius *= unit;
	shape->offset = unit * shape->offset + bv_dot( shape->normal, by );
}

typedef struct two_shapes
{
	bv_convex shape[2];
	const bv_transform* placement; // null where the shapes are in common coordinates
	bool exact;                    // polytopes with coordinates of few digits
	const char* what;
} two_shapes;

static void check_pair( const two_shapes* pair )
{
	bv_transform none = bv_transform_identity();
	const bv_convex* a = pair->shape;
	const bv_convex* b = pair->shape + 1;
	solid of_a;
	solid of_b;
	place( a, &none, &of_a );
	place( b, pair->placement ? pair->placement : &none, &of_b );
	bv_convex_options options = { .method = bv_convex_method_closed };
	bv_convex_result r;
	assert_int_equal( bv_convex_distance( a, b, pair->placement, &options, &r ), bv_ok );

	options.method = bv_convex_method_gjk;
	bv_convex_result other;
	bool bounded = !of_a.unbounded && !of_b.unbounded;
	assert_int_equal( bv_convex_distance( a, b, pair->placement, &options, &other ),
	                  bounded ? bv_ok : bv_error_unsupported );
	if ( bounded && !( r.lower <= other.upper && r.upper >= other.lower ) )
	{
		fail_msg( "%s: [%.17g, %.17g], and by GJK [%.17g, %.17g]", pair->what, r.lower, r.upper, other.lower,
		          other.upper );
	}
	check_result( &r, bounded ? &other : NULL, &of_a, &of_b, pair->what );
	options.method = bv_convex_method_closed;

	bv_convex_overlap_result o;
	assert_int_equal( bv_convex_overlap( a, b, pair->placement, &options, &o ), bv_ok );
	real doubt;
	real expected = signed_distance( &of_a, &of_b, size_of( &of_a, &of_b ), &doubt );
	bool polytopes = of_a.radius + of_b.radius == 0;
	bool wrong = o.certain && ( o.overlaps ? expected > 4 * doubt : expected < -4 * doubt );
	bool vague = !o.certain && ( polytopes || fabsl( expected ) > 0x1p-48L * size_of( &of_a, &of_b ) );
	bool exact = !pair->exact || o.overlaps == ( expected <= doubt );
	if ( wrong || vague || !exact )
	{
		fail_msg( "%s: overlap %d, certain %d, of %.17Lg", pair->what, o.overlaps, o.certain, expected );
	}
	real apart = INFINITY;
	for ( int i = 0; i < of_a.corners && !of_b.unbounded && !o.overlaps; ++i )
	{
		for ( int k = 0; k < of_b.corners; ++k )
		{
			apart = fminl( apart, product( vector_of( o.axis ), sum( of_b.corner[k], -1, of_a.corner[i] ) ) );
		}
	}
	assert_true( apart >
	             of_a.radius + of_b.radius - 0x1p-48L * size_of( &of_a, &of_b ) ); // rounding of the axis
}

static two_shapes random_pair( fixture* f, int i, bv_transform* placement, char* what )
{
	int kind[2] = { i % kinds, i / kinds % kinds };
	int way = i / ( kinds * kinds ) % 4;
	two_shapes pair = { .what = what };
	*placement = random_placement( f, way );
	pair.placement = way > 0 ? placement : NULL;
	pair.exact = way == 0 && kind[0] % 2 == 0 && kind[1] % 2 == 0;
	double unit = i % 7 == 0 ? 0x1p100 : i % 7 == 1 ? 0x1p-100 : 1;
	double far = i % 5 == 0 ? 0x1p20 * unit : 0;
	bv_vec3 by = { far, -far, 0.5 * far };
	for ( int k = 0; k < 2; ++k )
	{
		pair.shape[k] = random_shape( f, kind[k], way < 2 );
		move_shape( pair.shape + k, unit, k == 1 && way > 0 ? ( bv_vec3 ){ 0, 0, 0 } : by );
	}
	placement->pose.translation = bv_add( bv_scale( unit, placement->pose.translation ), by );
	snprintf( what, 128, "%d: %s, %s, %d", i, name_of[kind[0]], name_of[kind[1]], way );
	return pair;
}

static void cells_are_what_all_features_say( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 2000 : 40;
	for ( int i = 0; i < kinds * kinds * rounds; ++i )
	{
		char what[128];
		bv_transform placement;
		two_shapes pair = random_pair( f, i, &placement, what );
		if ( pair.shape[0].kind != bv_convex_of_half_space || pair.shape[1].kind != bv_convex_of_half_space )
		{
			check_pair( &pair );
		}
	}
}

// The second shape is placed so that both touch along the axis of least overlap, to rounding and a few powers of ten.
static void cells_hold_next_to_touching( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 2000 : 24;
	for ( int i = 0; i < kinds * kinds * rounds; ++i )
	{
		char what[128];
		bv_transform placement;
		two_shapes pair = random_pair( f, i, &placement, what );
		bv_convex_result r;
		bool bounded =
			pair.shape[0].kind != bv_convex_of_half_space || pair.shape[1].kind != bv_convex_of_half_space;
		if ( bv_convex_distance( pair.shape, pair.shape + 1, pair.placement, NULL, &r ) == bv_ok && bounded )
		{
			double gap =
				i % 2 ? 0 : pow( 10, -17 + 12 * random_unit( f ) ) * ( random_bits( f ) % 2 ? 1 : -1 );
			placement = pair.placement ? placement : bv_transform_identity();
			pair.placement = &placement;
			pair.exact = false;
			// In few digits, as exact arithmetic has no room for all.
			bv_vec3 way = { r.normal.x + 8 - 8, r.normal.y + 8 - 8, r.normal.z + 8 - 8 };
			double step = gap * fabs( r.lower ) - r.lower;
			bv_vec3 by = bv_scale( fabs( step ) > 1e-200 ? step : 0, way );
			placement.pose.translation = bv_add( placement.pose.translation, by );
			check_pair( &pair );
		}
	}
}

// Both orders: the same numbers, with points and normal the other way round.
static void order_does_not_matter( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < kinds * kinds * 4; ++i )
	{
		bv_convex a = random_shape( f, i % kinds, false );
		bv_convex b = random_shape( f, i / kinds % kinds, false );
		bv_convex_result one;
		bv_convex_result two;
		assert_int_equal( bv_convex_distance( &a, &b, NULL, NULL, &one ), bv_ok );
		assert_int_equal( bv_convex_distance( &b, &a, NULL, NULL, &two ), bv_ok );
		if ( one.upper > -INFINITY )
		{
			double error = 1e-6 * fabs( one.lower ) + 1e-12;
			assert_true( fabs( one.lower - two.lower ) <= error && fabs( one.upper - two.upper ) <= error );
			assert_true( bv_length( bv_add( one.normal, two.normal ) ) <= 1e-6 );
		}
	}
}

static bv_vec3 support_of_octahedron( const void* context, bv_vec3 along )
{
	double size = *(const double*)context;
	bv_vec3 a = { fabs( along.x ), fabs( along.y ), fabs( along.z ) };
	return ( bv_vec3 ){ a.x >= a.y && a.x >= a.z ? copysign( size, along.x ) : 0,
		                a.y > a.x && a.y >= a.z ? copysign( size, along.y ) : 0,
		                a.z > a.x && a.z > a.y ? copysign( size, along.z ) : 0 };
}

// Support functions in closed form: of a cylinder the end and the disc, of an ellipsoid sqrt( sum ( h n )^2 ), of a cone
// the greater of disc and apex, of an octahedron the largest coordinate.
static void half_spaces_meet_curved_shapes_where_their_supports_say( void** state )
{
	fixture* f = *state;
	double size = 0.75;
	bv_obb axes = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { 1, 0.5, 2 } };
	bv_convex shape[4] = {
		bv_convex_cylinder( ( bv_vec3 ){ 0, 0, -1 }, ( bv_vec3 ){ 0, 0, 1 }, 0.5 ),
		bv_convex_cone( ( bv_vec3 ){ 0, 0, -1 }, ( bv_vec3 ){ 0, 0, 1 }, 0.5 ),
		bv_convex_ellipsoid( &axes ),
		bv_convex_support( support_of_octahedron, &size ),
	};
	for ( int i = 0; i < 400; ++i )
	{
		bv_vec3 n = bv_normalize( random_corner( f, false ) );
		double disc = 0.5 * sqrt( n.x * n.x + n.y * n.y );
		double lengths = sqrt( n.x * n.x + 0.25 * n.y * n.y + 4 * n.z * n.z );
		double reach[4] = { fabs( n.z ) + disc, fmax( disc + n.z, -n.z ), lengths,
			                size * fmax( fabs( n.x ), fmax( fabs( n.y ), fabs( n.z ) ) ) };
		double offset = 4 * random_unit( f ) - 2;
		bv_convex below = bv_convex_half_space( bv_scale( 3, n ), 3 * offset );
		bv_convex* s = shape + i % 4;
		s->radius = i % 3 == 0 ? 0.25 : 0;
		double expected = -reach[i % 4] - offset - s->radius;
		bv_convex_result r;
		bv_convex_overlap_result o;
		assert_int_equal( bv_convex_distance( &below, s, NULL, NULL, &r ), bv_ok );
		assert_true( r.lower <= expected + 1e-14 && r.upper >= expected - 1e-14 &&
		             r.upper - r.lower < 1e-11 );
		assert_true( bv_length( bv_sub( r.normal, n ) ) < 1e-14 );
		assert_true( fabs( bv_dot( n, r.point[0] ) - offset ) < 1e-13 );
		assert_true( fabs( bv_dot( n, r.point[1] ) - offset - expected ) < 1e-13 );
		assert_int_equal( bv_convex_overlap( s, &below, NULL, NULL, &o ), bv_ok );
		assert_true( o.overlaps == ( expected <= 0 ) || fabs( expected ) < 1e-11 );
		bv_convex_options closed = { .method = bv_convex_method_closed };
		assert_int_equal( bv_convex_distance( s, &below, NULL, &closed, &r ), bv_ok );
		assert_true( r.lower <= expected + 1e-14 && r.upper >= expected - 1e-14 );
		assert_true( bv_length( bv_add( r.normal, n ) ) < 1e-14 );
		assert_int_equal( bv_convex_distance( s, shape, NULL, &closed, &r ), bv_error_unsupported );
	}
}

// Two half-spaces are disjoint only if their planes are parallel and they face away from each other.
static void half_spaces_that_face_away_have_a_distance( void** state )
{
	(void)state;
	bv_convex below = bv_convex_half_space( ( bv_vec3 ){ 0, 3, 4 }, 5 ); // 1 from the origin
	bv_convex above = bv_convex_half_space( ( bv_vec3 ){ 0, -6, -8 }, -25 );
	bv_convex_result r;
	bv_convex_overlap_result o;
	assert_int_equal( bv_convex_distance( &below, &above, NULL, NULL, &r ), bv_ok );
	assert_true( r.lower <= 1.5 && r.upper >= 1.5 && r.upper - r.lower < 1e-14 );
	assert_true( fabs( r.normal.y - 0.6 ) < 1e-15 && fabs( r.normal.z - 0.8 ) < 1e-15 );
	assert_true( fabs( bv_length( bv_sub( r.point[1], r.point[0] ) ) - 1.5 ) < 1e-14 );
	assert_int_equal( bv_convex_overlap( &below, &above, NULL, NULL, &o ), bv_ok );
	assert_true( !o.overlaps && o.certain );

	bv_transform at = bv_transform_translation( 0, -0.9, -1.2 ); // along the normal by the gap
	assert_int_equal( bv_convex_overlap( &below, &above, &at, NULL, &o ), bv_ok );
	assert_true( o.overlaps || o.certain );
	above.offset = -10;
	assert_int_equal( bv_convex_distance( &below, &above, NULL, NULL, &r ), bv_ok );
	assert_true( r.lower == 0 && r.upper == 0 );
	above.radius = 0.25;
	assert_int_equal( bv_convex_distance( &below, &above, NULL, NULL, &r ), bv_ok );
	assert_true( r.lower <= -0.25 && r.upper >= -0.25 && r.upper - r.lower < 1e-15 );

	bv_convex slanted = bv_convex_half_space( ( bv_vec3 ){ 0, -3, -4.5 }, -100 );
	const bv_convex* others[2] = { &slanted, &below };
	for ( int i = 0; i < 2; ++i )
	{
		assert_int_equal( bv_convex_distance( &below, others[i], NULL, NULL, &r ), bv_ok );
		assert_true( r.lower == -INFINITY && r.upper == -INFINITY );
		assert_true( bv_length( r.normal ) == 0 && bv_length( r.point[0] ) == 0 &&
		             bv_length( r.point[1] ) == 0 );
		assert_int_equal( bv_convex_overlap( &below, others[i], NULL, NULL, &o ), bv_ok );
		assert_true( o.overlaps && o.certain );
	}

	// The mirror image of z <= 2 in z = 0, three times the size, is z >= -6.
	bv_transform turn;
	assert_int_equal(
		bv_transform_from_trs( ( bv_vec3 ){ 0, 0, 0 }, ( bv_quaternion ){ 0, 0, 0, 1 }, -3, &turn ), bv_ok );
	bv_convex deep = bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, -10 );
	bv_convex level = bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, 2 );
	assert_int_equal( bv_convex_distance( &deep, &level, &turn, NULL, &r ), bv_ok );
	assert_true( r.lower <= 4 && r.upper >= 4 && r.upper - r.lower < 1e-13 );
}

static void invalid_half_spaces_are_rejected( void** state )
{
	(void)state;
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 1 );
	const bv_convex bad[] = {
		bv_convex_half_space( ( bv_vec3 ){ 0, 0, 0 }, 0 ),
		bv_convex_half_space( ( bv_vec3 ){ 0, 0, NAN }, 0 ),
		bv_convex_half_space( ( bv_vec3 ){ INFINITY, 0, 0 }, 0 ),
		bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, NAN ),
		bv_convex_half_space( ( bv_vec3 ){ 0x1p-101, 0, 0 }, 0 ),
		bv_convex_half_space( ( bv_vec3 ){ 0x1p101, 0, 0 }, 0 ),
		bv_convex_half_space( ( bv_vec3 ){ 0, 0.5, 0 }, BV_MAX_LENGTH ),
	};
	bv_convex_result r;
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		assert_int_equal( bv_convex_distance( bad + i, &ball, NULL, NULL, &r ), bv_error_argument );
		assert_int_equal( bv_convex_distance( &ball, bad + i, NULL, NULL, &r ), bv_error_argument );
	}
	bv_convex good = bv_convex_half_space( ( bv_vec3 ){ 0, 0x1p100, 0 }, BV_MAX_LENGTH );
	assert_int_equal( bv_convex_distance( &ball, &good, NULL, NULL, &r ), bv_ok );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( cells_are_what_all_features_say ),
		fixture_test( cells_hold_next_to_touching ),
		fixture_test( order_does_not_matter ),
		fixture_test( half_spaces_meet_curved_shapes_where_their_supports_say ),
		cmocka_unit_test( half_spaces_that_face_away_have_a_distance ),
		cmocka_unit_test( invalid_half_spaces_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
