// Convex shapes of all kinds against the points that they are made of or, if they are curved, against polytopes
// inside and around them. That shapes of points meet what they reach is proved in test_tree_overlap and
// test_tree_cast.

#include "queries.h"

#include "runtime/triangle/gap.h"
#include "runtime/triangle/nearest.h"

#include <stdio.h>

enum
{
	most_points = 1200,
	ring = 12,     // corners of a bipyramid's middle
	around = 48,   // corners of a polygon in place of a circle
	parallels = 16 // of a ball; twice as many meridians
};

static const double pi = 3.14159265358979323846;

// A shape, and two polytopes: one in it, one around it.
typedef struct judged
{
	bv_convex shape;
	bv_vec3 inner[most_points];
	bv_vec3 outer[most_points];
	uint32_t count;
	uint32_t first_neighbor[ring + 3]; // of a bipyramid
	uint32_t neighbors[6 * ring];
} judged;

static void add( judged* j, bv_vec3 inner, bv_vec3 outer )
{
	assert_true( j->count < most_points );
	j->inner[j->count] = inner;
	j->outer[j->count++] = outer;
}

static bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bv_vec3 unit( bv_vec3 v )
{
	return plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( v ), v );
}

static void add_disc( judged* j, bv_vec3 center, bv_vec3 axis, double radius )
{
	bv_vec3 other = fabs( axis.x ) < fabs( axis.y ) ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 u = unit( cross( axis, other ) );
	bv_vec3 v = unit( cross( axis, u ) );
	for ( int i = 0; i < around; ++i )
	{
		double angle = 2 * pi * i / around;
		bv_vec3 way = plus( plus( ( bv_vec3 ){ 0, 0, 0 }, cos( angle ), u ), sin( angle ), v );
		add( j, plus( center, radius, way ), plus( center, radius / cos( pi / around ), way ) );
	}
}

// No direction is farther than 0.7072 of the distance of two parallels from one of these points.
static void add_ellipsoid( judged* j, const bv_obb* box )
{
	double outer = 1 / cos( 0.7072 * pi / parallels );
	for ( int i = 0; i <= parallels; ++i )
	{
		for ( int k = 0; k < ( i % parallels == 0 ? 1 : 2 * parallels ); ++k )
		{
			double a = pi * i / parallels;
			double b = pi * k / parallels;
			double at[3] = { sin( a ) * cos( b ), sin( a ) * sin( b ), cos( a ) };
			bv_vec3 p = box->center;
			bv_vec3 q = box->center;
			for ( int n = 0; n < 3; ++n )
			{
				p = plus( p, at[n] * box->half_extents[n], box->axis[n] );
				q = plus( q, outer * at[n] * box->half_extents[n], box->axis[n] );
			}
			add( j, p, q );
		}
	}
}

static void add_box( judged* j, const bv_obb* box )
{
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 p = box->center;
		for ( int n = 0; n < 3; ++n )
		{
			p = plus( p, i >> n & 1 ? box->half_extents[n] : -box->half_extents[n], box->axis[n] );
		}
		add( j, p, p );
	}
}

static bv_vec3 support_of_ellipsoid( const void* context, bv_vec3 d )
{
	const bv_obb* box = context;
	double u[3];
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		u[i] = box->half_extents[i] * dot( box->axis[i], d );
		square += u[i] * u[i];
	}
	bv_vec3 p = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		p = plus( p, box->half_extents[i] * u[i] / sqrt( square ), box->axis[i] );
	}
	return p;
}

static const bv_file* read_file( fixture* f, const char* path )
{
	FILE* stream = fopen( path, "rb" );
	assert_non_null( stream );
	bvb_bytes bytes = { .data = bvb_arena_allocate( f->arena, 1 << 16, 1 ) };
	bytes.size = fread( bytes.data, 1, 1 << 16, stream );
	fclose( stream );
	return open_bytes( bytes );
}

static void add_hull( judged* j, const bv_file* file )
{
	for ( uint32_t i = 0; i < bv_file_get_hull( file ).vertices; ++i )
	{
		bv_vec3 p = bv_file_get_hull_position( file, i );
		add( j, p, p );
	}
}

static void add_part( judged* j, const bv_file* file, uint32_t part )
{
	bv_part of;
	assert_true( bv_file_get_part( file, part, &of ) );
	for ( uint32_t i = 0; i < of.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_part_vertex( file, part, i );
		add( j, p, p );
	}
}

// The corners of the ring, the apex along the axis, and the other one, each with its neighbors counterclockwise.
static void make_bipyramid( judged* j, bv_vec3 center, bv_vec3 axis, double radius )
{
	bv_vec3 other = fabs( axis.x ) < fabs( axis.y ) ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 u = unit( cross( axis, other ) );
	bv_vec3 v = unit( cross( axis, u ) );
	uint32_t* next = j->neighbors;
	for ( uint32_t i = 0; i < ring; ++i )
	{
		double angle = 2 * pi * i / ring;
		bv_vec3 p = plus( plus( center, radius * cos( angle ), u ), radius * sin( angle ), v );
		add( j, p, p );
		j->first_neighbor[i] = 4 * i;
		*next++ = ( i + 1 ) % ring;
		*next++ = ring;
		*next++ = ( i + ring - 1 ) % ring;
		*next++ = ring + 1;
	}
	for ( uint32_t apex = 0; apex < 2; ++apex )
	{
		bv_vec3 p = plus( center, apex == 0 ? 1 : -1, axis );
		add( j, p, p );
		j->first_neighbor[ring + apex] = ( 4 + apex ) * ring;
		for ( uint32_t i = 0; i < ring; ++i )
		{
			*next++ = apex == 0 ? i : ring - 1 - i;
		}
	}
	j->first_neighbor[ring + 2] = 6 * ring;
	j->shape = bv_convex_graph( j->inner, j->count, j->first_neighbor, j->neighbors );
}

enum
{
	kinds_of_shapes = 13,
	first_curved = 9,
};

static bv_obb random_box( fixture* f )
{
	bv_transform t = random_transform( f, 1, false, random_around( f ) );
	bv_obb box = { .center = t.pose.translation };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = t.pose.rotation[i];
		box.axis[i] = ( bv_vec3 ){ row[0], row[1], row[2] };
		box.half_extents[i] = pow( 10, -2 * random_unit( f ) );
	}
	return box;
}

// @param box  kept by the shape of a callback
static void make_shape( fixture* f, int kind, const bv_file* const files[4], bv_obb* box, judged* j )
{
	bv_vec3 a = random_around( f );
	bv_vec3 b = plus( a, 0.7, random_around( f ) );
	bv_vec3 c = plus( a, 0.7, random_around( f ) );
	double radius = 0.6 * random_unit( f ) + 0.01;
	*box = random_box( f );
	j->count = 0;
	switch ( kind )
	{
	case 0:
	case 1:
	case 2:
		j->shape = bv_convex_hull( files[kind] );
		add_hull( j, files[kind] );
		break;
	case 3:
		j->shape = bv_convex_part( files[3], 1 );
		add_part( j, files[3], 1 );
		break;
	case 4:
		j->shape = bv_convex_obb( box );
		add_box( j, box );
		break;
	case 5:
		j->shape = bv_convex_segment( a, b );
		add( j, a, a );
		add( j, b, b );
		break;
	case 6:
		j->shape = bv_convex_triangle( a, b, c );
		add( j, a, a );
		add( j, b, b );
		add( j, c, c );
		break;
	case 7:
		*box = ( bv_obb ){ a, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { radius, 0.2, 0.3 }, { 0 } };
		j->shape = bv_convex_box( a, ( bv_vec3 ){ radius, 0.2, 0.3 } );
		add_box( j, box );
		break;
	case 8: make_bipyramid( j, a, minus( b, a ), radius ); break;
	case 9:
		j->shape = bv_convex_cylinder( a, b, radius );
		add_disc( j, a, minus( b, a ), radius );
		add_disc( j, b, minus( b, a ), radius );
		break;
	case 10:
		j->shape = bv_convex_cone( a, b, radius );
		add_disc( j, a, minus( b, a ), radius );
		add( j, b, b );
		break;
	default:
		j->shape = kind == 11 ? bv_convex_ellipsoid( box ) : bv_convex_support( support_of_ellipsoid, box );
		add_ellipsoid( j, box );
		break;
	}
	j->shape.radius = kind % 2 == 0 ? 0 : 0.2 * random_unit( f );
}

static void get_files( fixture* f, const bv_file* files[4] )
{
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_asset_options options = plain_options();
	files[0] = build_file( f, &ball, &options );
	options.sections |= 1u << bvb_section_hull_topology;
	files[1] = build_file( f, &ball, &options );
	options.record.positions = bvb_positions_quantized;
	options.sections = 1u << bvb_section_hull | 1u << bvb_section_hull_topology;
	files[2] = build_file( f, &ball, &options );
	files[3] = read_file( f, "tests/golden/1.1-parts.bvh" );
	assert_true( bv_file_get_hull_topology( files[1] ).polygons > 0 );
	assert_true( bv_file_get_hull_topology( files[2] ).polygons > 0 );
	assert_false( bv_file_get_hull( files[2] ).of_mesh );
}

enum
{
	triangles = 60,
};

static bool mark( void* context, uint32_t triangle )
{
	bool* is_marked = context;
	is_marked[triangle] = true;
	return true;
}

static void get_marks( const bv_file* file, const bv_transform* t, const bv_convex* shape,
                       bool out[triangles] )
{
	bv_overlap_options options = { .callback = mark, .context = out };
	bv_overlap_result r;
	memset( out, 0, triangles );
	assert_int_equal( bv_mesh_overlap_convex( file, t, shape, &options, &r ), bv_ok );
}

// The middle of all points.
static bv_vec3 middle_of( const judged* j )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < j->count; ++i )
	{
		sum = plus( sum, 1.0 / j->count, j->inner[i] );
	}
	return sum;
}

// What the inner polytope meets the shape meets, and what the shape meets the outer one meets.
static void shapes_meet_what_is_between_polytopes( void** state )
{
	fixture* f = *state;
	const bv_file* files[4];
	get_files( f, files );
	int meeting[kinds_of_shapes] = { 0 };
	int apart[kinds_of_shapes] = { 0 };
	int between = 0;
	for ( int round = 0; round < 24 * kinds_of_shapes; ++round )
	{
		static judged j;
		bv_obb box;
		int kind = round % kinds_of_shapes;
		make_shape( f, kind, files, &box, &j );
		bvb_mesh soup = random_soup( f, triangles, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_vec3 at = plus( middle_of( &j ), kind < 4 ? 1 : 0.5, random_around( f ) );
		bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1, at );
		bv_convex inner = bv_convex_points( j.inner, j.count, j.shape.radius );
		bv_convex outer = bv_convex_points( j.outer, j.count, j.shape.radius );
		bool marks[3][triangles];
		get_marks( file, &t, &inner, marks[0] );
		get_marks( file, &t, &j.shape, marks[1] );
		get_marks( file, &t, &outer, marks[2] );
		for ( int i = 0; i < triangles; ++i )
		{
			assert_true( marks[0][i] <= marks[1][i] && marks[1][i] <= marks[2][i] );
			meeting[kind] += marks[1][i];
			apart[kind] += !marks[1][i];
			between += marks[0][i] != marks[2][i];
			assert_true( kind >= first_curved || marks[0][i] == marks[2][i] );
		}
	}
	for ( int kind = 0; kind < kinds_of_shapes; ++kind )
	{
		if ( meeting[kind] < 4 || apart[kind] < 50 )
		{
			fail_msg( "kind %d: %d meet, %d are apart", kind, meeting[kind], apart[kind] );
		}
	}
	assert_true( between < 24 * kinds_of_shapes * triangles / 50 );
}

// The outer polytope is met first, then the shape, then the inner one.
static void casts_hit_between_those_of_polytopes( void** state )
{
	fixture* f = *state;
	const bv_file* files[4];
	get_files( f, files );
	int hits[kinds_of_shapes] = { 0 };
	for ( int round = 0; round < 24 * kinds_of_shapes; ++round )
	{
		static judged j;
		bv_obb box;
		int kind = round % kinds_of_shapes;
		make_shape( f, kind, files, &box, &j );
		bvb_mesh soup = random_soup( f, triangles, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_vec3 way = plus( ( bv_vec3 ){ 0, 0, 0 }, 8, random_around( f ) );
		bv_vec3 at = plus( middle_of( &j ), 0.7, way );
		bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1, at );
		bv_convex inner = bv_convex_points( j.inner, j.count, j.shape.radius );
		bv_convex outer = bv_convex_points( j.outer, j.count, j.shape.radius );
		bv_cast_result r[3];
		assert_int_equal( bv_mesh_cast_convex( file, &t, &inner, way, NULL, r ), bv_ok );
		assert_int_equal( bv_mesh_cast_convex( file, &t, &j.shape, way, NULL, r + 1 ), bv_ok );
		assert_int_equal( bv_mesh_cast_convex( file, &t, &outer, way, NULL, r + 2 ), bv_ok );
		assert_true( r[0].found <= r[1].found && r[1].found <= r[2].found );
		if ( r[1].found )
		{
			hits[kind] += 1;
			assert_true( !r[0].found || r[1].time <= r[0].time + 1e-9 );
			assert_true( r[2].time <= r[1].time + 1e-9 );
			assert_true( fabs( length( r[1].normal ) - 1 ) < 1e-12 || r[1].at_start );
		}
	}
	for ( int kind = 0; kind < kinds_of_shapes; ++kind )
	{
		assert_true( hits[kind] > 4 );
	}
}

// By pairs of triangles, without GJK: a triangle may be a segment or a point.
static double distance_of_all( const bv_file* file, const bv_transform* t, const bv_vec3 ( *faces )[3],
                               int count, const bv_obb* solid )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_vec3 corner[3];
		get_placed( file, i, t, corner );
		for ( int k = 0; k < count; ++k )
		{
			bvtri_gap gap;
			if ( bvtri_triangles_gap( faces[k], corner, least, &gap ) )
			{
				least = sqrt( gap.square );
			}
		}
		bv_vec3 d = minus( corner[0], solid->center );
		if ( count == 12 && fabs( dot( d, solid->axis[0] ) ) < solid->half_extents[0] &&
		     fabs( dot( d, solid->axis[1] ) ) < solid->half_extents[1] &&
		     fabs( dot( d, solid->axis[2] ) ) < solid->half_extents[2] )
		{
			least = 0;
		}
	}
	return least;
}

static void distances_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	int apart = 0;
	for ( int round = 0; round < 160; ++round )
	{
		static judged j;
		bv_vec3 faces[12][3];
		int count = 1;
		bv_obb box = random_box( f );
		bv_vec3 a = random_around( f );
		bv_vec3 b = round % 4 < 1 ? a : random_around( f );
		bv_vec3 c = round % 4 < 2 ? b : random_around( f );
		faces[0][0] = a;
		faces[0][1] = b;
		faces[0][2] = c;
		bv_convex shape = round % 4 == 0   ? bv_convex_point( a )
		                  : round % 4 == 1 ? bv_convex_segment( a, b )
		                                   : bv_convex_triangle( a, b, c );
		if ( round % 4 == 3 )
		{
			static const int quads[6][4] = { { 0, 1, 3, 2 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
				                             { 2, 3, 7, 6 }, { 0, 2, 6, 4 }, { 1, 3, 7, 5 } };
			j.count = 0;
			add_box( &j, &box );
			for ( count = 0; count < 12; ++count )
			{
				const int* quad = quads[count / 2];
				faces[count][0] = j.inner[quad[0]];
				faces[count][1] = j.inner[quad[1 + count % 2]];
				faces[count][2] = j.inner[quad[2 + count % 2]];
			}
			shape = bv_convex_obb( &box );
		}
		shape.radius = round % 3 == 0 ? 0 : 0.2 * random_unit( f );
		bvb_mesh soup = random_soup( f, triangles, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1,
		                                   plus( a, round % 5, random_around( f ) ) );
		double core = distance_of_all( file, &t, (const bv_vec3( * )[3])faces, count, &box );
		double expected = core > shape.radius ? core - shape.radius : 0;
		bv_mesh_convex_result r;
		assert_int_equal( bv_mesh_distance_convex( file, &t, &shape, NULL, &r ), bv_ok );
		assert_true( r.found && r.lower <= expected + 1e-15 && r.upper >= expected - 1e-15 );
		assert_true( r.upper - r.lower < 1e-11 );
		assert_true( fabs( length( r.normal ) - 1 ) < 1e-12 );
		if ( expected > 1e-6 )
		{
			apart += 1;
			assert_surface_point( file, &r.at, &t, 1e-12 );
			assert_true( fabs( length( minus( r.point, r.at.point ) ) - expected ) < 1e-9 );
			assert_true( dot( minus( r.point, r.at.point ), r.normal ) > expected * ( 1 - 1e-6 ) );
			bv_mesh_convex_options options = { .limit = 0.999 * expected };
			assert_int_equal( bv_mesh_distance_convex( file, &t, &shape, &options, &r ), bv_ok );
			assert_false( r.found );
			options.limit = 1.001 * expected;
			assert_int_equal( bv_mesh_distance_convex( file, &t, &shape, &options, &r ), bv_ok );
			assert_true( r.found );
		}
	}
	assert_in_range( apart, 40, 150 );
}

// Of curved shapes: not less than from the polytope around it, nor more than from the one in it.
static void distances_are_between_those_of_polytopes( void** state )
{
	fixture* f = *state;
	const bv_file* files[4];
	get_files( f, files );
	for ( int round = 0; round < 12 * kinds_of_shapes; ++round )
	{
		static judged j;
		bv_obb box;
		make_shape( f, round % kinds_of_shapes, files, &box, &j );
		bvb_mesh soup = random_soup( f, triangles, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1,
		                                   plus( middle_of( &j ), 3, random_around( f ) ) );
		bv_convex inner = bv_convex_points( j.inner, j.count, j.shape.radius );
		bv_convex outer = bv_convex_points( j.outer, j.count, j.shape.radius );
		bv_mesh_convex_result r[3];
		assert_int_equal( bv_mesh_distance_convex( file, &t, &inner, NULL, r ), bv_ok );
		assert_int_equal( bv_mesh_distance_convex( file, &t, &j.shape, NULL, r + 1 ), bv_ok );
		assert_int_equal( bv_mesh_distance_convex( file, &t, &outer, NULL, r + 2 ), bv_ok );
		assert_true( r[1].lower <= r[0].upper && r[2].lower <= r[1].upper );
		assert_true( r[1].lower <= r[1].upper && r[1].upper - r[1].lower < 1e-6 );
	}
}

static void primitives_are_shapes( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_asset_options options = plain_options();
	options.recognize = bvb_asset_options_default().recognize;
	options.recognize.value = 10;
	const bv_file* file = build_file( f, &ball, &options );
	bv_recognized recognized;
	bv_primitive p;
	assert_true( bv_file_get_recognized( file, &recognized ) && recognized.best < bv_primitive_kinds );
	assert_true( bv_file_get_primitive( file, recognized.best, &p ) );
	bv_convex shape = bv_convex_primitive( file );
	static const bv_convex_kind expected[] = { bv_convex_of_box, bv_convex_of_corners, bv_convex_of_corners,
		                                       bv_convex_of_cylinder };
	assert_int_equal( shape.kind, expected[p.kind] );
	bv_overlap_result r;
	assert_int_equal( bv_mesh_overlap_convex( file, NULL, &shape, NULL, &r ), bv_ok );
	assert_true( r.triangles > 0 );
	const bv_file* none = read_file( f, "tests/golden/1.0-triangle.bvh" );
	shape = bv_convex_primitive( none );
	assert_int_equal( bv_mesh_overlap_convex( file, NULL, &shape, NULL, &r ), bv_error_argument );
}

static bv_vec3 support_without_numbers( const void* context, bv_vec3 d )
{
	(void)context;
	return ( bv_vec3 ){ NAN, d.x, d.y };
}

static void invalid_shapes_are_rejected( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 6 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_obb box = random_box( f );
	bv_obb bad = box;
	bad.axis[0].x += 0.5;
	bv_vec3 zero = { 0, 0, 0 };
	bv_vec3 one = { 1, 0, 0 };
	bv_vec3 nan = { NAN, 0, 0 };
	const bv_convex shapes[] = {
		bv_convex_points( NULL, 1, 0 ),
		bv_convex_points( &one, 0, 0 ),
		bv_convex_sphere( one, -1 ),
		bv_convex_sphere( nan, 1 ),
		{ .kind = bv_convex_of_corners, .count = 4 },
		bv_convex_cylinder( one, one, 1 ),
		bv_convex_cylinder( zero, one, -1 ),
		bv_convex_cone( zero, nan, 1 ),
		bv_convex_obb( &bad ),
		bv_convex_ellipsoid( &bad ),
		bv_convex_hull( NULL ),
		bv_convex_part( NULL, 0 ),
		bv_convex_part( file, 0 ),
		bv_convex_support( NULL, NULL ),
		bv_convex_support( support_without_numbers, NULL ),
		bv_convex_half_space( one, 1 ), // without bounds
		{ .kind = bv_convex_kinds },
	};
	for ( size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i )
	{
		bv_overlap_result overlaps = { .triangles = 77 };
		bv_cast_result hit = { .time = 77 };
		assert_int_equal( bv_mesh_overlap_convex( file, NULL, shapes + i, NULL, &overlaps ),
		                  bv_error_argument );
		assert_int_equal( bv_mesh_cast_convex( file, NULL, shapes + i, one, NULL, &hit ), bv_error_argument );
		bv_mesh_convex_result gap = { .lower = 77 };
		assert_int_equal( bv_mesh_distance_convex( file, NULL, shapes + i, NULL, &gap ), bv_error_argument );
		assert_true( gap.lower == 77 );
		assert_true( overlaps.triangles == 77 && hit.time == 77 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( shapes_meet_what_is_between_polytopes ),
		fixture_test( casts_hit_between_those_of_polytopes ),
		fixture_test( distances_are_those_of_brute_force ),
		fixture_test( distances_are_between_those_of_polytopes ),
		fixture_test( primitives_are_shapes ),
		fixture_test( invalid_shapes_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
