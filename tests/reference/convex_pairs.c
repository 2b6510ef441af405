// Pairs of polytopes by index. See convex_pairs.h.

#include "tests/reference/convex_pairs.h"

#include "tests/reference/exact_depth.h"
#include "tests/reference/random.h"

#include <math.h>
#include <string.h>

static uint32_t below( uint64_t* random, uint32_t count )
{
	return (uint32_t)( (uint64_t)next_random( random ) * count >> 31 );
}

// In [-most, most].
static double integer( uint64_t* random, uint32_t most )
{
	return (double)below( random, 2 * most + 1 ) - most;
}

static double within( uint64_t* random, double lower, double upper )
{
	return lower + ( upper - lower ) * ( next_random( random ) * 0x1p-31 );
}

static double least_of( double a, double b )
{
	return a < b ? a : b;
}

// From 4 to 1,000, mostly few.
static uint32_t random_count( uint64_t* random )
{
	uint32_t part = below( random, 100 );
	return 4 + below( random, part < 60 ? 13 : part < 90 ? 45 : part < 98 ? 125 : convex_pair_most - 3 );
}

// Calls in one expression have no order; each of these is a statement.

static bv_vec3 random_vector( uint64_t* random, double lower, double upper )
{
	double x = within( random, lower, upper );
	double y = within( random, lower, upper );
	double z = within( random, lower, upper );
	return ( bv_vec3 ){ x, y, z };
}

static bv_vec3 integer_vector( uint64_t* random, uint32_t most )
{
	double x = integer( random, most );
	double y = integer( random, most );
	double z = integer( random, most );
	return ( bv_vec3 ){ x, y, z };
}

static bv_vec3 combined( double i, bv_vec3 u, double j, bv_vec3 v )
{
	return ( bv_vec3 ){ i * u.x + j * v.x, i * u.y + j * v.y, i * u.z + j * v.z };
}

// A rotation whose rows are orthonormal, except for rounding.
static void random_rotation( uint64_t* random, double r[3][3] )
{
	bv_vec3 x = random_direction( random );
	bv_vec3 z;
	double length;
	do
	{
		z = bv_cross( x, random_direction( random ) );
		length = bv_length( z );
	} while ( length < 0.1 );
	z = bv_scale( 1 / length, z );
	bv_vec3 y = bv_cross( z, x );
	const bv_vec3 row[3] = { x, y, z };
	memcpy( r, row, sizeof row );
}

static bv_vec3 rotated( double r[3][3], bv_vec3 v )
{
	return ( bv_vec3 ){ r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
		                r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
		                r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z };
}

static bv_vec3 rotated_back( double r[3][3], bv_vec3 v )
{
	return ( bv_vec3 ){ r[0][0] * v.x + r[1][0] * v.y + r[2][0] * v.z,
		                r[0][1] * v.x + r[1][1] * v.y + r[2][1] * v.z,
		                r[0][2] * v.x + r[1][2] * v.y + r[2][2] * v.z };
}

// The hull of the points with its edges; false if it is flat.
static bool set_graph( convex_pair* pair, int which, uint32_t count )
{
	bv_vec3* p = pair->points[which];
	uint32_t* first = pair->first_neighbor[which];
	uint32_t* neighbors = pair->neighbors[which];
	uint32_t corner[convex_pair_most];
	exact_depth* memory = exact_depth_create();
	exact_pair* points = exact_pair_create();
	bv_convex origin = bv_convex_point( ( bv_vec3 ){ 0, 0, 0 } );
	bv_convex hull = bv_convex_points( p, count, 0 );
	const bv_convex* shape[2] = { &origin, &hull };
	const bv_transform* placement[2] = { NULL, NULL };
	exact_pair_set( points, shape, placement );
	uint32_t corners = exact_hull_find( memory, points, corner, first, neighbors );
	exact_pair_destroy( points );
	exact_depth_destroy( memory );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		p[i] = p[corner[i]]; // corners ascend
	}
	pair->shape[which] = bv_convex_graph( p, corners, first, neighbors );
	return corners > 0;
}

// Shapes of one, two and three points are given as such or as points, some others with edges.
static void set_shape( convex_pair* pair, uint64_t* random, int which, uint32_t count )
{
	const bv_vec3* p = pair->points[which];
	bool has_edges = below( random, 6 ) == 0;
	if ( has_edges && count > 3 && set_graph( pair, which, count ) )
	{
		return;
	}
	bv_convex shape = bv_convex_points( p, count, 0 );
	if ( count <= 3 && below( random, 2 ) == 0 )
	{
		shape = count == 1   ? bv_convex_point( p[0] )
		        : count == 2 ? bv_convex_segment( p[0], p[1] )
		                     : bv_convex_triangle( p[0], p[1], p[2] );
	}
	pair->shape[which] = shape;
}

static void random_transform( uint64_t* random, bv_transform* t )
{
	*t = bv_transform_identity();
	random_rotation( random, t->pose.rotation );
	t->scale = within( random, 0.5, 2 );
	t->mirror = below( random, 2 ) == 0;
}

static void know_nothing( convex_pair* pair )
{
	pair->sign[0] = -1;
	pair->sign[1] = 1;
}

// Random pairs. Each solid is within 1 of the origin; the other is moved away, on average just far enough to part them.

typedef enum solid
{
	solid_sphere,
	solid_ellipsoid,
	solid_box,
	solid_grid,
	solid_any,
} solid;

// With the box of its semi-axes or half extents.
static bv_vec3 point_of_solid( uint64_t* random, solid kind, bv_vec3 extent )
{
	bv_vec3 p = random_direction( random );
	if ( kind == solid_box )
	{
		p = random_vector( random, -1, 1 );
		double* at = &p.x + below( random, 3 );
		*at = *at < 0 ? -1 : 1;
	}
	if ( kind == solid_grid )
	{
		return bv_scale( 0.25, integer_vector( random, 3 ) );
	}
	return ( bv_vec3 ){ extent.x * p.x, extent.y * p.y, extent.z * p.z };
}

static uint32_t fill_solid( convex_pair* pair, uint64_t* random, int which, solid kind )
{
	bv_vec3 extent = { 1, 1, 1 };
	if ( kind == solid_ellipsoid || kind == solid_box )
	{
		extent = random_vector( random, 0.05, 1 );
	}
	uint32_t count = random_count( random );
	for ( uint32_t i = 0; i < count; ++i )
	{
		pair->points[which][i] = point_of_solid( random, kind, extent );
	}
	return count;
}

// A shape of any kind of bv_convex that is a polytope: a box, or points.
// @return how many points; 0 for a box
static uint32_t fill_any( convex_pair* pair, uint64_t* random, int which )
{
	uint32_t kind = below( random, 6 );
	if ( kind == 0 )
	{
		return fill_solid( pair, random, which, (solid)below( random, solid_any ) );
	}
	if ( kind <= 2 )
	{
		bv_obb box = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 }, { 0, 0, 0, 1 } };
		for ( int k = 0; k < 3; ++k )
		{
			box.half_extents[k] = below( random, 10 ) == 0 ? 0 : within( random, 0.05, 0.7 );
		}
		double r[3][3];
		random_rotation( random, r );
		if ( kind == 2 )
		{
			memcpy( box.axis, r, sizeof r );
		}
		pair->shape[which] = bv_convex_obb( &box );
		return 0;
	}
	uint32_t count = 6 - kind;
	for ( uint32_t i = 0; i < count; ++i )
	{
		pair->points[which][i] = random_direction( random );
	}
	return count;
}

static void make_random( convex_pair* pair, uint64_t* random, solid kind )
{
	uint32_t count[2];
	for ( int i = 0; i < 2; ++i )
	{
		count[i] = kind == solid_any ? fill_any( pair, random, i ) : fill_solid( pair, random, i, kind );
	}
	double far = below( random, 4 ) == 0 ? within( random, 1, 1e3 ) : within( random, 0, 2 );
	bv_vec3 by = bv_scale( far, random_direction( random ) );
	pair->is_placed = below( random, 2 ) == 0;
	if ( pair->is_placed )
	{
		random_transform( random, &pair->placement );
		pair->placement.pose.translation = by;
	}
	else
	{
		for ( uint32_t i = 0; i < count[1]; ++i )
		{
			pair->points[1][i] = bv_add( pair->points[1][i], by );
		}
		pair->shape[1].box.center = count[1] == 0 ? by : pair->shape[1].box.center;
	}
	for ( int i = 0; i < 2; ++i )
	{
		if ( count[i] > 0 )
		{
			set_shape( pair, random, i, count[i] );
		}
	}
	know_nothing( pair );
}

static void make_spheres( convex_pair* pair, uint64_t* random )
{
	make_random( pair, random, solid_sphere );
}

static void make_ellipsoids( convex_pair* pair, uint64_t* random )
{
	make_random( pair, random, solid_ellipsoid );
}

static void make_boxes( convex_pair* pair, uint64_t* random )
{
	make_random( pair, random, solid_box );
}

static void make_grids( convex_pair* pair, uint64_t* random )
{
	make_random( pair, random, solid_grid );
}

static void make_any( convex_pair* pair, uint64_t* random )
{
	make_random( pair, random, solid_any );
}

// Adversarial pairs.

// What of a shape contains c, and where the rest of it is.
typedef enum feature
{
	feature_corner,      // c is a corner, everything else is behind the plane
	feature_edge,        // c is within an edge in the plane
	feature_other_edge,  // ... of another direction
	feature_face,        // c is within a polygon in the plane
	feature_flat,        // the same, and there is nothing else
	feature_flat_across, // an edge in the plane, the rest in one other plane
	feature_line,        // an edge in the plane and nothing else
	feature_line_across, // c and points behind it on one line
	feature_point,       // c and nothing else
	features_count,
} feature;

typedef struct lattice
{
	bv_vec3 c;    // the common point
	bv_vec3 u;    // the plane
	bv_vec3 v;    // ...
	bv_vec3 w;    // from a to b
	bv_vec3 edge; // in the plane
} lattice;

static bv_vec3 in_plane( uint64_t* random, const lattice* l )
{
	double i = integer( random, 6 );
	return combined( i, l->u, integer( random, 6 ), l->v );
}

static bool is_zero( bv_vec3 v )
{
	return bv_dot( v, v ) <= 0;
}

static lattice random_lattice( uint64_t* random, bv_vec3 c )
{
	lattice l = { .c = c };
	double height;
	do
	{
		// Small numbers make parallel sides and common coordinates.
		uint32_t most = below( random, 2 ) == 0 ? 1 : 16;
		l.u = integer_vector( random, most );
		l.v = integer_vector( random, most );
		l.w = integer_vector( random, most );
		height = bv_dot( bv_cross( l.u, l.v ), l.w );
	} while ( height >= 0 && height <= 0 );
	do
	{
		l.edge = in_plane( random, &l );
	} while ( is_zero( l.edge ) );
	return l;
}

// Points of one shape. side: -1 behind the plane, 1 in front of it.
static uint32_t fill_feature( bv_vec3* p, uint64_t* random, const lattice* l, feature kind, double side,
                              uint32_t count )
{
	uint32_t n = 0;
	bv_vec3 edge = kind == feature_other_edge ? bv_add( in_plane( random, l ), l->u ) : l->edge;
	edge = is_zero( edge ) ? l->u : edge;
	bool has_edge = kind == feature_edge || kind == feature_other_edge || kind == feature_flat_across ||
	                kind == feature_line;
	bool has_face = kind == feature_face || kind == feature_flat;
	if ( has_edge )
	{
		p[n++] = bv_scale( -1.0 - below( random, 4 ), edge );
		p[n++] = bv_scale( 1.0 + below( random, 4 ), edge );
	}
	else if ( has_face )
	{
		// Three points whose mean is c.
		p[0] = in_plane( random, l );
		p[1] = in_plane( random, l );
		p[2] = bv_negate( bv_add( p[0], p[1] ) );
		n = 3;
		for ( uint32_t more = below( random, 1 + count / 3 ); more > 0 && n < count; --more )
		{
			p[n++] = in_plane( random, l );
		}
	}
	else
	{
		p[n++] = ( bv_vec3 ){ 0, 0, 0 };
	}
	while ( n < count )
	{
		double k = side * ( 1 + below( random, 6 ) );
		double i = integer( random, 6 );
		switch ( kind )
		{
		case feature_flat: p[n++] = in_plane( random, l ); break;
		case feature_line: p[n++] = bv_scale( integer( random, 4 ), edge ); break;
		case feature_point: p[n++] = ( bv_vec3 ){ 0, 0, 0 }; break;
		case feature_line_across: p[n++] = bv_scale( k, l->w ); break;
		case feature_flat_across: p[n++] = combined( i, edge, k, l->w ); break;
		default: p[n++] = bv_add( in_plane( random, l ), bv_scale( k, l->w ) ); break;
		}
	}
	for ( uint32_t i = 0; i < n; ++i )
	{
		p[i] = bv_add( p[i], l->c );
	}
	return n;
}

static double largest_of( const bv_vec3* p, uint32_t count )
{
	double most = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		most = fmax( most, fmax( fabs( p[i].x ), fmax( fabs( p[i].y ), fabs( p[i].z ) ) ) );
	}
	return most;
}

// A gap along the coordinate in which the plane is steepest: a multiple of the unit in the last place of a coordinate.
// @return its sign
static int random_gap( uint64_t* random, const lattice* l, double coordinate, double size, bv_vec3* gap )
{
	static const double part[] = { 0, 0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3 };
	bv_vec3 n = bv_cross( l->u, l->v );
	n = bv_dot( n, l->w ) < 0 ? bv_negate( n ) : n;
	double unit = ldexp( 1, ilogb( fmax( coordinate, 0x1p-900 ) ) - 52 );
	double length = part[below( random, sizeof( part ) / sizeof( *part ) )] * size;
	length = length > 0 ? fmax( 1, rint( length / unit ) ) * unit : 0;
	length = below( random, 2 ) == 0 ? -length : length;
	int k = fabs( n.x ) >= fabs( n.y ) && fabs( n.x ) >= fabs( n.z ) ? 0 : fabs( n.y ) >= fabs( n.z ) ? 1 : 2;
	double along = k == 0 ? n.x : k == 1 ? n.y : n.z;
	double signed_length = along < 0 ? -length : length;
	*gap = ( bv_vec3 ){ k == 0 ? signed_length : 0, k == 1 ? signed_length : 0, k == 2 ? signed_length : 0 };
	return length > 0 ? 1 : length < 0 ? -1 : 0;
}

static void know_sign( convex_pair* pair, int gap )
{
	pair->sign[0] = gap < 0 ? -1 : gap;
	pair->sign[1] = gap < 0 ? 1 : gap;
}

// A rotation whose rows have one entry each, 1 or -1.
static void quarter_turns( uint64_t* random, double r[3][3] )
{
	static const int order[3][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 } };
	const int* to = order[below( random, 3 )];
	double x = below( random, 2 ) == 0 ? -1 : 1;
	double y = below( random, 2 ) == 0 ? -1 : 1;
	double sign[3] = { x, y, x * y };
	memset( r, 0, 9 * sizeof( double ) );
	for ( int i = 0; i < 3; ++i )
	{
		r[i][to[i]] = sign[i];
	}
}

static void inverse_points( bv_vec3* p, uint32_t count, bv_transform* t )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 q = rotated_back( t->pose.rotation, bv_sub( p[i], t->pose.translation ) );
		q = bv_scale( 1 / t->scale, q );
		p[i] = ( bv_vec3 ){ t->mirror ? -q.x : q.x, q.y, q.z };
	}
}

// Moves b by a gap, in one of four ways. Where coordinates are not rounded, the sign of the gap is known.
static void finish( convex_pair* pair, uint64_t* random, const lattice* l, const uint32_t count[2] )
{
	bv_vec3* a = pair->points[0];
	bv_vec3* b = pair->points[1];
	bv_vec3 lowest = a[0];
	bv_vec3 highest = a[0];
	for ( uint32_t i = 0; i < count[0] + count[1]; ++i )
	{
		bv_vec3 p = i < count[0] ? a[i] : b[i - count[0]];
		lowest = ( bv_vec3 ){ fmin( lowest.x, p.x ), fmin( lowest.y, p.y ), fmin( lowest.z, p.z ) };
		highest = ( bv_vec3 ){ fmax( highest.x, p.x ), fmax( highest.y, p.y ), fmax( highest.z, p.z ) };
	}
	bv_vec3 sides = bv_sub( highest, lowest );
	double size = fmax( sides.x, fmax( sides.y, sides.z ) );
	size = size > 0 ? size : 1;
	double coordinate = fmax( largest_of( a, count[0] ), largest_of( b, count[1] ) );
	bv_vec3 gap;
	int sign = random_gap( random, l, coordinate, size, &gap );
	uint32_t way = below( random, 6 );
	know_sign( pair, sign );
	bv_transform* t = &pair->placement;
	double r[3][3];
	if ( way == 2 || way == 3 )
	{
		// All quotients and differences of integers are exact; b is moved by the translation.
		*t = bv_transform_identity();
		quarter_turns( random, t->pose.rotation );
		t->scale = ldexp( 1, (int)integer( random, 3 ) );
		t->mirror = below( random, 2 ) == 0;
		t->pose.translation = l->c;
		inverse_points( b, count[1], t );
		t->pose.translation = bv_add( l->c, gap );
		pair->is_placed = true;
	}
	else
	{
		for ( uint32_t i = 0; i < count[1]; ++i )
		{
			b[i] = bv_add( b[i], gap );
		}
	}
	if ( way == 4 )
	{
		random_rotation( random, r );
		for ( uint32_t i = 0; i < count[0] + count[1]; ++i )
		{
			bv_vec3* p = i < count[0] ? &a[i] : &b[i - count[0]];
			*p = rotated( r, *p );
		}
		know_nothing( pair );
	}
	if ( way == 5 )
	{
		random_transform( random, t );
		t->pose.translation = bv_add( l->c, bv_scale( size, random_direction( random ) ) );
		inverse_points( b, count[1], t );
		pair->is_placed = true;
		know_nothing( pair );
	}
	set_shape( pair, random, 0, count[0] );
	set_shape( pair, random, 1, count[1] );
}

static uint32_t lattice_count( uint64_t* random )
{
	uint32_t part = below( random, 100 );
	return 4 + below( random, part < 70 ? 9 : part < 97 ? 45 : part < 99 ? 125 : convex_pair_most - 3 );
}

// Some pairs are of another size, by a power of two.
static void resize( lattice* l, uint64_t index )
{
	uint64_t half = index / 2;
	if ( half % 8 == 5 )
	{
		double scale = ldexp( 1, (int)( half / 8 % 301 ) - 150 );
		bv_vec3* all[5] = { &l->c, &l->u, &l->v, &l->w, &l->edge };
		for ( int i = 0; i < 5; ++i )
		{
			*all[i] = bv_scale( scale, *all[i] );
		}
	}
}

static void make_contact( convex_pair* pair, uint64_t* random, bv_vec3 c, feature kind_a, feature kind_b )
{
	lattice l = random_lattice( random, c );
	resize( &l, pair->index );
	double side = below( random, 2 ) == 0 ? -1 : 1;
	feature kind[2] = { side < 0 ? kind_a : kind_b, side < 0 ? kind_b : kind_a };
	uint32_t count[2];
	for ( int i = 0; i < 2; ++i )
	{
		uint32_t wanted = lattice_count( random );
		// Shapes of one, two and three points, where that is all there is.
		wanted = kind[i] >= feature_flat && below( random, 2 ) == 0 ? 1 : wanted;
		count[i] = fill_feature( pair->points[i], random, &l, kind[i], i == 0 ? -1 : 1, wanted );
	}
	finish( pair, random, &l, count );
}

static bv_vec3 near_origin( uint64_t* random )
{
	return below( random, 2 ) == 0 ? ( bv_vec3 ){ 0, 0, 0 } : integer_vector( random, 100 );
}

static void make_faces( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_face, feature_face );
}

static void make_parallel_edges( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_edge, feature_edge );
}

static void make_edges( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_edge, feature_other_edge );
}

static void make_corner_face( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_corner, feature_face );
}

static void make_corners( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_corner, feature_corner );
}

static void make_corner_edge( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_corner, feature_edge );
}

static void make_edge_face( convex_pair* pair, uint64_t* random )
{
	make_contact( pair, random, near_origin( random ), feature_edge, feature_face );
}

static void make_flat( convex_pair* pair, uint64_t* random )
{
	feature kind = below( random, 2 ) == 0 ? feature_flat : feature_flat_across;
	feature other = (feature)below( random, features_count );
	make_contact( pair, random, near_origin( random ), kind, other );
}

static void make_linear( convex_pair* pair, uint64_t* random )
{
	feature kind = below( random, 2 ) == 0 ? feature_line : feature_line_across;
	feature other = (feature)below( random, features_count );
	make_contact( pair, random, near_origin( random ), kind, other );
}

static void make_points( convex_pair* pair, uint64_t* random )
{
	feature other = (feature)below( random, features_count );
	make_contact( pair, random, near_origin( random ), feature_point, other );
}

static void make_far( convex_pair* pair, uint64_t* random )
{
	bv_vec3 d = random_direction( random );
	bv_vec3 c = { rint( 1e6 * d.x ), rint( 1e6 * d.y ), rint( 1e6 * d.z ) };
	feature kind = (feature)below( random, feature_flat );
	make_contact( pair, random, c, kind, (feature)below( random, features_count ) );
}

// Two coordinates, or one, are 2^13 or 2^14 times smaller: about 10^4.
static void make_thin( convex_pair* pair, uint64_t* random )
{
	lattice l = random_lattice( random, near_origin( random ) );
	bv_vec3* all[5] = { &l.c, &l.u, &l.v, &l.w, &l.edge };
	double x = below( random, 2 ) == 0 ? 1 : 0x1p-13;
	double y = x < 1 && below( random, 2 ) == 0 ? 1 : 0x1p-14;
	for ( int i = 0; i < 5; ++i )
	{
		*all[i] = ( bv_vec3 ){ x * all[i]->x, y * all[i]->y, all[i]->z };
	}
	uint32_t count[2];
	for ( int i = 0; i < 2; ++i )
	{
		feature kind = (feature)below( random, feature_flat );
		count[i] =
			fill_feature( pair->points[i], random, &l, kind, i == 0 ? -1 : 1, lattice_count( random ) );
	}
	finish( pair, random, &l, count );
}

static void make_identical( convex_pair* pair, uint64_t* random )
{
	lattice l = random_lattice( random, near_origin( random ) );
	uint32_t count[2];
	feature kind = (feature)below( random, features_count );
	count[0] = count[1] = fill_feature( pair->points[0], random, &l, kind, -1, lattice_count( random ) );
	memcpy( pair->points[1], pair->points[0], count[0] * sizeof *pair->points[0] );
	finish( pair, random, &l, count );
	know_nothing( pair );
}

// Corners of b are means of corners of a, some of these themselves.
static void make_contained( convex_pair* pair, uint64_t* random )
{
	lattice l = random_lattice( random, near_origin( random ) );
	uint32_t count = fill_feature( pair->points[0], random, &l, feature_face, -1, lattice_count( random ) );
	uint32_t inside = lattice_count( random );
	bool has_corners = below( random, 2 ) == 0;
	for ( uint32_t i = 0; i < inside; ++i )
	{
		bv_vec3 p = { 0, 0, 0 };
		for ( int k = 0; k < 4; ++k )
		{
			p = bv_add( p, pair->points[0][below( random, count )] );
		}
		bool is_corner = has_corners && below( random, 4 ) == 0;
		pair->points[1][i] = is_corner ? pair->points[0][below( random, count )] : bv_scale( 0.25, p );
	}
	set_shape( pair, random, 0, count );
	set_shape( pair, random, 1, inside );
	pair->sign[0] = -1;
	pair->sign[1] = 0;
}

// Two boxes with the same axes, or a box and points on it. Entries of the axes are multiples of 2^-16: orthonormal to
// 1e-4, and products with half extents are exact.
static void make_box_contacts( convex_pair* pair, uint64_t* random )
{
	bv_obb box = {
		integer_vector( random, 50 ), { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 }, { 0, 0, 0, 1 }
	};
	if ( below( random, 3 ) > 0 )
	{
		double r[3][3];
		random_rotation( random, r );
		double* entry = &box.axis[0].x;
		for ( int i = 0; i < 9; ++i )
		{
			entry[i] = rint( r[i / 3][i % 3] * 0x1p16 ) * 0x1p-16;
		}
	}
	bool is_pair = below( random, 2 ) == 0;
	uint32_t out = 1 + below( random, 7 ); // along which axes b is outside
	uint32_t first = out & 1 ? 0 : out & 2 ? 1 : 2;
	bv_obb other = box;
	bv_vec3 step = { 0, 0, 0 };
	for ( uint32_t k = 0; k < 3; ++k )
	{
		box.half_extents[k] = 0.25 * ( 1 + below( random, 40 ) );
		other.half_extents[k] = 0.25 * ( 1 + below( random, 40 ) );
		double reach = box.half_extents[k] + ( is_pair ? other.half_extents[k] : 0 );
		double part = out >> k & 1 ? reach : least_of( 0.25 * below( random, 40 ), reach );
		step = bv_add( step, bv_scale( part, box.axis[k] ) );
	}
	lattice l = { bv_add( box.center, step ), box.axis[( first + 1 ) % 3], box.axis[( first + 2 ) % 3],
		          box.axis[first], box.axis[( first + 1 ) % 3] };
	pair->shape[0] = bv_convex_obb( &box );
	bv_vec3 gap;
	double size = 32;
	double coordinate = 128;
	know_sign( pair, random_gap( random, &l, coordinate, size, &gap ) );
	if ( is_pair )
	{
		other.center = bv_add( l.c, gap );
		pair->is_placed = below( random, 2 ) == 0;
		if ( pair->is_placed )
		{
			pair->placement = bv_transform_translation( other.center.x, other.center.y, other.center.z );
			other.center = ( bv_vec3 ){ 0, 0, 0 };
		}
		pair->shape[1] = bv_convex_obb( &other );
		return;
	}
	feature kind = (feature)below( random, features_count );
	uint32_t count = fill_feature( pair->points[1], random, &l, kind, 1, lattice_count( random ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		pair->points[1][i] = bv_add( pair->points[1][i], gap );
	}
	set_shape( pair, random, 1, count );
}

typedef struct kind_row
{
	const char* name;
	void ( *make )( convex_pair* pair, uint64_t* random );
} kind_row;

// Random kinds first.
static const kind_row kinds[] = {
	{ "on spheres", make_spheres },
	{ "on ellipsoids", make_ellipsoids },
	{ "on boxes", make_boxes },
	{ "on grids", make_grids },
	{ "any shapes", make_any },
	{ "parallel faces", make_faces },
	{ "parallel edges", make_parallel_edges },
	{ "edge on edge", make_edges },
	{ "corner on face", make_corner_face },
	{ "corner on edge", make_corner_edge },
	{ "corner on corner", make_corners },
	{ "edge on face", make_edge_face },
	{ "thin, 1 : 10^4", make_thin },
	{ "10^6 away", make_far },
	{ "flat", make_flat },
	{ "linear", make_linear },
	{ "points", make_points },
	{ "identical", make_identical },
	{ "contained", make_contained },
	{ "box contacts", make_box_contacts },
};

enum
{
	random_kinds = 5,
	all_kinds = sizeof( kinds ) / sizeof( *kinds ),
};

uint32_t convex_pair_kinds( void )
{
	return all_kinds;
}

const char* convex_pair_kind( uint32_t kind )
{
	return kind < all_kinds ? kinds[kind].name : NULL;
}

void convex_pair_make( uint64_t index, convex_pair* pair )
{
	uint64_t half = index / 2;
	bool is_adversarial = index & 1;
	pair->index = index;
	pair->kind = is_adversarial ? random_kinds + (uint32_t)( half % ( all_kinds - random_kinds ) )
	                            : (uint32_t)( half % random_kinds );
	pair->is_placed = false;
	pair->placement = bv_transform_identity();
	// Neighboring seeds give similar first numbers.
	uint64_t random = ( index + 1 ) * UINT64_C( 0x9E3779B97F4A7C15 );
	random ^= random >> 29;
	next_random( &random );
	next_random( &random );
	kinds[pair->kind].make( pair, &random );
}
