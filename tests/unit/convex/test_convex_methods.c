// Methods for pairs of convex shapes: no interval may miss the signed distance of exact arithmetic, and no method may deny
// what another one proves.

#include "convex_shapes.h"

#include "bv/file.h"

#include "runtime/convex/sat.h"
#include "runtime/convex/vclip.h"
#include "tests/reference/convex_exact.h"

#include <stdio.h>

// Of those that take any two polytopes: closed forms have tests of their own.
static bv_convex_method next_method( bv_convex_method m )
{
	return m + 1 == bv_convex_method_closed ? m + 2 : m + 1;
}

static bv_convex_result distance_by( bv_convex_method method, const bv_convex* a, const bv_convex* b,
                                     const bv_transform* at )
{
	bv_convex_options options = { .method = method };
	bv_convex_result out;
	assert_int_equal( bv_convex_distance( a, b, at, &options, &out ), bv_ok );
	return out;
}

static bv_convex_overlap_result overlap_by( bv_convex_method method, const bv_convex* a, const bv_convex* b,
                                            const bv_transform* at )
{
	bv_convex_options options = { .method = method };
	bv_convex_overlap_result out;
	assert_int_equal( bv_convex_overlap( a, b, at, &options, &out ), bv_ok );
	return out;
}

// Methods that decide polytopes in exact arithmetic where they are in doubt.
static bool is_exact( bv_convex_method m )
{
	return m == bv_convex_method_default || m == bv_convex_method_gjk || m == bv_convex_method_sat ||
	       m == bv_convex_method_vclip;
}

static void check_pair( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                        const convex_exact_result* truth )
{
	for ( bv_convex_method m = 0; m < bv_convex_methods; m = next_method( m ) )
	{
		bv_convex_result d = distance_by( m, a, b, at );
		assert_true( d.lower <= truth->upper && truth->lower <= d.upper );
		bv_convex_overlap_result o = overlap_by( m, a, b, at );
		assert_true( o.overlaps == ( truth->sign <= 0 ) || !( o.certain || is_exact( m ) ) );
		assert_true( o.certain || !is_exact( m ) );
	}
}

// The corners of a graph are all that its hull is of.
static bv_convex without_faces( const bv_convex* shape )
{
	return shape->kind == bv_convex_of_graph ? bv_convex_points( shape->points, shape->count, 0 ) : *shape;
}

static void intervals_and_decisions_hold_in_both_orders( void** state )
{
	fixture* f = *state;
	convex_exact* memory = convex_exact_create();
	for ( int i = 0; i < ( is_thorough() ? 100000 : 600 ); ++i )
	{
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
		bv_convex a = random_polytope( f, i % 50 == 0 ? 200 : 16 );
		bv_convex b = i % 8 == 0 ? a : random_polytope( f, 16 );
		bv_transform t;
		const bv_transform* at = random_placement( f, &t ) ? &t : NULL;
		bv_convex plain[2] = { without_faces( &a ), without_faces( &b ) };
		convex_exact_result truth;
		assert_true( convex_exact_compare( memory, plain, NULL, plain + 1, at, &truth ) );
		check_pair( &a, &b, at, &truth );
		if ( !at )
		{
			check_pair( &b, &a, NULL, &truth );
		}
		else
		{
			bv_transform back = bv_transform_inverse( at );
			assert_true( convex_exact_compare( memory, plain + 1, NULL, plain, &back, &truth ) );
			check_pair( &b, &a, &back, &truth );
		}
	}
	convex_exact_destroy( memory );
}

// A tetrahedron with a corner, an edge or a face in a plane of small integers, and a box on the other side of it.
static void shapes_that_touch_overlap_by_all_exact_methods( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100; ++i )
	{
		int in_plane = 1 + i % 3;
		bv_vec3 p[4];
		bv_convex a;
		do
		{
			for ( int k = 0; k < 4; ++k )
			{
				p[k] = signed_point( f );
				p[k] = ( bv_vec3 ){ rint( 4 * p[k].x ), rint( 4 * p[k].y ), k < in_plane ? 0 : -1 - k };
			}
		} while ( !graph_of( f, p, 4, &a ) );
		bv_convex b = bv_convex_box( ( bv_vec3 ){ 0, 0, 1 }, ( bv_vec3 ){ 5, 6, 1 } );
		bv_transform above = bv_transform_translation( 0, 0, 0x1p-52 );
		for ( bv_convex_method m = 0; m < bv_convex_methods; m = next_method( m ) )
		{
			if ( is_exact( m ) )
			{
				assert_true( overlap_by( m, &a, &b, NULL ).overlaps );
				assert_true( overlap_by( m, &b, &a, NULL ).overlaps );
				assert_false( overlap_by( m, &a, &b, &above ).overlaps );
			}
		}
	}
}

// Two polytopes in place of the last ones.
// @return the placement, which can be null
static const bv_transform* random_pair( fixture* f, bv_convex* a, bv_convex* b, bv_transform* placement )
{
	bvb_arena_destroy( f->arena );
	f->arena = bvb_arena_create();
	*a = random_polytope( f, 20 );
	*b = random_polytope( f, 20 );
	return random_placement( f, placement ) ? placement : NULL;
}

// The search itself, without what proves its result: it has to find the direction of the least depth among faces and pairs of
// edges, and some slab of shapes that are apart. The truth is that of GJK and EPA, which evaluate other directions.
static void sat_finds_the_depth( void** state )
{
	fixture* f = *state;
	int deep = 0;
	for ( int i = 0; i < 800; ++i )
	{
		bv_convex a;
		bv_convex b;
		bv_transform t;
		const bv_transform* at = random_pair( f, &a, &b, &t );
		bv_convex_result d = distance_by( bv_convex_method_gjk, &a, &b, at );
		bvconvex_pair_room room;
		bvconvex_pair pair;
		bvconvex_proof proof;
		assert_true( bvconvex_pair_begin( &a, &b, at, &room, &pair ) );
		bvconvex_proof_begin( &proof );
		bvconvex_sat_search( &pair, INFINITY, &proof );
		if ( d.upper < -1e-9 )
		{
			assert_true( proof.lower >= d.lower - 1e-12 );
			++deep;
		}
		else if ( d.lower > 1e-9 )
		{
			assert_true( proof.lower > 0 );
		}
	}
	assert_true( deep > 200 );
}

static bv_convex shape_of_feature( const bvconvex_polyhedron* p, bvconvex_feature f, bv_vec3 corner[32] )
{
	uint32_t count = 1;
	corner[0] = bvconvex_polyhedron_corner( p, f.edge.from );
	if ( f.kind == bvconvex_feature_edge )
	{
		corner[count++] = bvconvex_polyhedron_corner( p, f.edge.to );
	}
	bvconvex_half_edge e = f.edge;
	while ( f.kind == bvconvex_feature_face && e.to != f.edge.from )
	{
		assert_true( count < 32 );
		corner[count++] = bvconvex_polyhedron_corner( p, e.to );
		e = bvconvex_half_edge_next( p, e );
	}
	return bv_convex_points( corner, count, 0 );
}

// @return whether the walk from any features has ended by itself, with features that are as far apart as the shapes
static bool walk_between( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                          const bv_convex_result* d )
{
	bvconvex_pair_room room;
	bvconvex_pair pair;
	bvconvex_polyhedron p;
	bvconvex_polyhedron q;
	assert_true( bvconvex_pair_begin( a, b, at, &room, &pair ) );
	bvconvex_polyhedron_begin( &pair, 0, &p );
	bvconvex_polyhedron_begin( &pair, 1, &q );
	bvconvex_vclip_result r = { 0 };
	r.feature[0].edge = bvconvex_half_edge_of( &p, 0 );
	r.feature[1].edge = bvconvex_half_edge_of( &q, 0 );
	bvconvex_vclip_walk( &p, &q, &r );
	assert_false( r.penetrates && d->lower > 1e-9 );
	if ( r.found && d->lower > 1e-9 )
	{
		bv_vec3 corner[2][32];
		bv_convex one = shape_of_feature( &p, r.feature[0], corner[0] );
		bv_convex two = shape_of_feature( &q, r.feature[1], corner[1] );
		bv_convex_result e = distance_by( bv_convex_method_gjk, &one, &two, NULL );
		assert_true( fabs( e.upper - d->upper ) <= 2e-6 * d->upper );
		bvconvex_vclip_result again = r;
		bvconvex_vclip_walk( &p, &q, &again );
		assert_int_equal( again.steps, 1 );
	}
	return r.found;
}

static void vclip_walks_to_the_nearest_features( void** state )
{
	fixture* f = *state;
	int walks = 0;
	for ( int i = 0; i < 800; ++i )
	{
		bv_convex a;
		bv_convex b;
		bv_transform t;
		const bv_transform* at = random_pair( f, &a, &b, &t );
		bv_convex_result d = distance_by( bv_convex_method_gjk, &a, &b, at );
		if ( d.lower > 1e-9 )
		{
			++walks;
			assert_true( walk_between( &a, &b, at, &d ) );
		}
	}
	assert_true( walks > 300 );
}

// A shape and itself moved: for each edge there is a parallel one, and for each face, to rounding.
static void parallel_edges_lead_vclip_in_no_circle( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 6000; ++i )
	{
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
		bv_convex a;
		bv_vec3 p = signed_point( f );
		bv_transform at = bv_transform_translation( 3 * p.x, 3 * p.y, 3 * p.z );
		if ( random_graph( f, 4 + (uint32_t)i % 3, &a ) )
		{
			bv_convex_result d = distance_by( bv_convex_method_gjk, &a, &a, &at );
			assert_true( !( d.lower > 1e-9 ) || walk_between( &a, &a, &at, &d ) );
		}
	}
}

// Points on a unit sphere.
static bv_convex round_graph( fixture* f, uint32_t count )
{
	bv_vec3 points[200];
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = signed_point( f );
		double length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
		points[i] = ( bv_vec3 ){ p.x / length, p.y / length, p.z / length };
	}
	bv_convex out;
	assert_true( graph_of( f, points, count, &out ) );
	return out;
}

static void vclip_goes_on_where_the_last_query_ended( void** state )
{
	fixture* f = *state;
	bv_convex a = round_graph( f, 150 );
	bv_convex b = round_graph( f, 150 );
	bv_convex_cache cache = { .count = 0 };
	bv_convex_options options = { .method = bv_convex_method_vclip, .cache = &cache };
	for ( int i = 0; i < 60; ++i )
	{
		bv_transform at = bv_transform_translation( 2.5 * cos( 0.02 * i ), 2.5 * sin( 0.02 * i ), 0.3 );
		bv_convex_result d;
		bv_convex_result plain = distance_by( bv_convex_method_gjk, &a, &b, &at );
		assert_int_equal( bv_convex_distance( &a, &b, &at, &options, &d ), bv_ok );
		assert_true( d.lower <= plain.upper && plain.lower <= d.upper );
		assert_true( d.upper - d.lower <= 1e-6 * d.upper );
		assert_true( cache.count == 3 && cache.name[0][0] < a.count && cache.name[0][1] < b.count );
	}
}

// @param kept  receives how many queries the vector of the last one answered
// @return support points of each shape, of all queries
static uint32_t separate_along( const bv_convex* a, const bv_convex* b, bool orbit, int* kept )
{
	bv_convex_cache cache = { .count = 0 };
	bv_convex_options options = { .method = bv_convex_method_chung_wang, .cache = &cache };
	uint32_t supports = 0;
	*kept = 0;
	for ( int i = 0; i < 360; ++i )
	{
		double angle = orbit ? 0.0174533 * i : 0.7;
		double r = orbit ? 2.5 : 5 - 2.9 / 360 * i;
		bv_transform at = bv_transform_translation( r * cos( angle ), r * sin( angle ), 0 );
		bv_convex_overlap_result o;
		assert_int_equal( bv_convex_overlap( a, b, &at, &options, &o ), bv_ok );
		assert_false( o.overlaps );
		supports += o.supports;
		*kept += o.supports == 1;
	}
	return supports;
}

// Two balls of 60 corners. A vector found by reflection is next to the edge of all that separate: it lasts while they
// approach, and is found again by one more support point of each while one goes around the other by a degree per query.
static void chung_wang_keeps_its_vector( void** state )
{
	fixture* f = *state;
	bv_convex a = round_graph( f, 60 );
	bv_convex b = round_graph( f, 60 );
	int kept;
	separate_along( &a, &b, false, &kept );
	assert_true( kept >= 270 );
	assert_true( separate_along( &a, &b, true, &kept ) <= 2 * 360 );
}

// Shapes that are not next to each other are decided by reflections and hemispheres alone, most of them after a few.
static void chung_wang_rarely_needs_gjk( void** state )
{
	fixture* f = *state;
	int pairs = 0;
	int handed_over = 0;
	uint32_t supports = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
		bv_convex a = random_polytope( f, 16 );
		bv_convex b = random_polytope( f, 16 );
		bv_transform t;
		const bv_transform* at = random_placement( f, &t ) ? &t : NULL;
		a.radius = i % 3 == 0 ? 0 : 0.1;
		bv_convex_result d = distance_by( bv_convex_method_gjk, &a, &b, at );
		if ( d.lower > 0.01 || d.upper < -0.01 )
		{
			// Rounded shapes are not decided in exact arithmetic.
			bv_convex_overlap_result o = overlap_by( bv_convex_method_chung_wang, &a, &b, at );
			assert_true( o.overlaps == ( d.upper < 0 ) );
			++pairs;
			supports += o.supports;
			handed_over += o.supports >= 32;
		}
	}
	assert_true( pairs > 200 );
	assert_true( handed_over * 20 <= pairs && supports <= 6 * (uint32_t)pairs );
}

// All directions between corners are along lattice vectors, many of them opposite to each other. Rounding the boxes leaves
// the decision to the search alone.
static void chung_wang_decides_boxes_on_a_lattice( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } );
	a.radius = 0.125;
	for ( int i = 0; i < 729; ++i )
	{
		const double c[3] = { i % 9 - 4, i / 9 % 9 - 4, i / 81 - 4 };
		double square = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double gap = fmax( fabs( c[k] ) - 2, 0 );
			square += gap * gap;
		}
		bv_transform at = bv_transform_translation( c[0], c[1], c[2] );
		bv_convex_overlap_result o = overlap_by( bv_convex_method_chung_wang, &a, &a, &at );
		assert_true( o.overlaps == ( sqrt( square ) <= 0.25 ) );
	}
}

// Two plates of 10 x 10 x 0.1 with one above the other, 0.05 deep, and beside it by 8, all rotated: the shortest way out is
// 0.05 (Leemann 2017, figure 12), and that along the ray is 2.
static void depths_of_flat_shapes_by_mpr_are_along_a_ray( void** state )
{
	(void)state;
	const double c = 0.6;
	const double s = 0.8;
	bv_obb plate = { .half_extents = { 5, 5, 0.05 } };
	plate.axis[0] = ( bv_vec3 ){ c, s * c, s * s };
	plate.axis[1] = ( bv_vec3 ){ -s, c * c, c * s };
	plate.axis[2] = ( bv_vec3 ){ 0, -s, c };
	bv_obb other = plate;
	other.center = ( bv_vec3 ){ 8 * plate.axis[0].x, 8 * plate.axis[0].y, 8 * plate.axis[0].z };
	other.center.y += 0.05 * plate.axis[2].y;
	other.center.z += 0.05 * plate.axis[2].z;
	bv_convex a = bv_convex_obb( &plate );
	bv_convex b = bv_convex_obb( &other );
	bv_convex_result gjk = distance_by( bv_convex_method_gjk, &a, &b, NULL );
	bv_convex_result sat = distance_by( bv_convex_method_sat, &a, &b, NULL );
	bv_convex_result mpr = distance_by( bv_convex_method_mpr, &a, &b, NULL );
	assert_true( fabs( gjk.lower + 0.05 ) < 1e-9 && fabs( gjk.upper + 0.05 ) < 1e-9 );
	assert_true( fabs( sat.lower + 0.05 ) < 1e-9 && fabs( sat.upper + 0.05 ) < 1e-9 );
	assert_true( mpr.lower < -0.15 && mpr.upper >= -0.05 );
}

static bv_convex random_round( fixture* f )
{
	bv_vec3 p = signed_point( f );
	bv_vec3 q = signed_point( f );
	bv_obb frame = { .center = p, .axis = { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } } };
	bv_convex out;
	switch ( random_bits( f ) % 6 )
	{
	case 0: return bv_convex_sphere( p, random_unit( f ) );
	case 1: return bv_convex_capsule( p, q, random_unit( f ) );
	case 2: return bv_convex_cylinder( p, q, 0.1 + random_unit( f ) );
	case 3: return bv_convex_cone( p, q, 0.1 + random_unit( f ) );
	case 4:
		for ( int k = 0; k < 3; ++k )
		{
			frame.half_extents[k] = 0.1 + random_unit( f );
		}
		return bv_convex_ellipsoid( &frame );
	default:
		out = random_polytope( f, 12 );
		out.radius = random_unit( f );
		return out;
	}
}

static void curved_shapes_get_intervals_that_overlap( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 400; ++i )
	{
		bv_convex a = random_round( f );
		bv_convex b = random_round( f );
		bv_transform t;
		const bv_transform* at = random_placement( f, &t ) ? &t : NULL;
		bv_convex_result d = distance_by( bv_convex_method_default, &a, &b, at );
		bv_convex_overlap_result o = overlap_by( bv_convex_method_default, &a, &b, at );
		for ( bv_convex_method m = 1; m < bv_convex_methods; m = next_method( m ) )
		{
			bv_convex_options options = { .method = m };
			bv_convex_result e;
			bv_status status = bv_convex_distance( &a, &b, at, &options, &e );
			assert_true( status == bv_ok ||
			             ( status == bv_error_unsupported &&
			               ( m == bv_convex_method_sat || m == bv_convex_method_vclip ) ) );
			if ( status == bv_ok )
			{
				assert_true( e.lower <= d.upper && d.lower <= e.upper );
				bv_convex_overlap_result p = overlap_by( m, &a, &b, at );
				assert_true( p.overlaps == o.overlaps || !p.certain || !o.certain );
			}
		}
	}
}

// Balls as one point with a radius, whose depth is the sum of the radii less the distance of the centers.
static void balls_are_as_deep_as_in_the_closed_form( void** state )
{
	(void)state;
	bv_convex a = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 1 );
	bv_convex b = bv_convex_sphere( ( bv_vec3 ){ 1.5, 0, 0 }, 0.75 );
	for ( bv_convex_method m = 0; m < bv_convex_methods; m = next_method( m ) )
	{
		bv_convex_result d = distance_by( m, &a, &b, NULL );
		assert_true( d.lower <= -0.25 && -0.25 <= d.upper );
		assert_true( overlap_by( m, &a, &b, NULL ).overlaps );
	}
}

static bv_vec3 ball_support( const void* context, bv_vec3 along )
{
	const double* radius = context;
	double s = *radius / sqrt( along.x * along.x + along.y * along.y + along.z * along.z );
	return ( bv_vec3 ){ s * along.x, s * along.y, s * along.z };
}

// Balls that only their supports tell of: the depth is the sum of the radii less the distance of the centers. The sphere
// through any four points of the difference is the difference.
static void shells_find_the_depth_of_balls( void** state )
{
	(void)state;
	const double radius[2] = { 1, 0.75 };
	bv_convex a = bv_convex_support( ball_support, radius );
	bv_convex b = bv_convex_support( ball_support, radius + 1 );
	for ( int i = 1; i < 17; ++i )
	{
		double x = 0.1 * i;
		bv_transform at = bv_transform_translation( 0.6 * x, 0, 0.8 * x );
		double depth = 1.75 - x;
		bv_convex_result d = distance_by( bv_convex_method_shell, &a, &b, &at );
		assert_true( d.lower <= -depth && -depth <= d.upper );
		assert_true( d.lower >= -depth * ( 1 + 1e-6 ) && d.upper <= -0.95 * depth );
	}
}

// The ray from the center of the difference of two balls leaves it where it is least deep.
static void mpr_finds_the_depth_of_balls( void** state )
{
	(void)state;
	const double radius[2] = { 1, 0.75 };
	bv_convex a = bv_convex_support( ball_support, radius );
	bv_convex b = bv_convex_support( ball_support, radius + 1 );
	for ( int i = 1; i < 17; ++i )
	{
		double x = 0.1 * i;
		bv_transform at = bv_transform_translation( 0.36 * x, 0.48 * x, 0.8 * x );
		double depth = 1.75 - x;
		bv_convex_result d = distance_by( bv_convex_method_mpr, &a, &b, &at );
		bv_convex_overlap_result o = overlap_by( bv_convex_method_mpr, &a, &b, &at );
		assert_true( d.lower <= -depth && d.lower >= -depth * ( 1 + 1e-5 ) && -depth <= d.upper &&
		             d.upper < 0 );
		assert_true( o.overlaps && o.certain );
	}
}

// The difference of two cubes with the same axes is a cube, and a ray from its center leaves it through the face that it
// is least deep behind.
static void mpr_finds_the_depth_of_cubes( void** state )
{
	fixture* f = *state;
	bv_obb cube = { .half_extents = { 1, 1, 1 } };
	cube.axis[0] = ( bv_vec3 ){ 0.6, 0.48, 0.64 };
	cube.axis[1] = ( bv_vec3 ){ -0.8, 0.36, 0.48 };
	cube.axis[2] = ( bv_vec3 ){ 0, -0.8, 0.6 };
	bv_convex a = bv_convex_obb( &cube );
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 p = signed_point( f );
		const double c[3] = { 1.9 * p.x, 1.9 * p.y, 1.9 * p.z };
		bv_vec3 at = { 0, 0, 0 };
		for ( int k = 0; k < 3; ++k )
		{
			at.x += c[k] * cube.axis[k].x;
			at.y += c[k] * cube.axis[k].y;
			at.z += c[k] * cube.axis[k].z;
		}
		bv_transform placement = bv_transform_translation( at.x, at.y, at.z );
		double depth = 2 - fmax( fabs( c[0] ), fmax( fabs( c[1] ), fabs( c[2] ) ) );
		bv_convex_result d = distance_by( bv_convex_method_mpr, &a, &a, &placement );
		assert_true( fabs( d.lower + depth ) < 1e-9 && d.upper >= -depth - 1e-9 );
		assert_true( d.supports < 30 );
	}
}

// Next to each other, and overlapping: the margin is a part of the size, and so is the width of the interval.
static void margins_make_intervals_narrow_where_shapes_touch( void** state )
{
	(void)state;
	bv_obb turned = { .half_extents = { 1, 1, 1 } };
	turned.axis[0] = ( bv_vec3 ){ 0.6, 0.8, 0 };
	turned.axis[1] = ( bv_vec3 ){ -0.8, 0.6, 0 };
	turned.axis[2] = ( bv_vec3 ){ 0, 0, 1 };
	bv_convex a = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } );
	for ( int i = -3; i <= 3; ++i )
	{
		// The corner of the turned box is 1.4 from its center along x.
		double gap = 1e-6 * i;
		turned.center.x = 2.4 + gap;
		bv_convex b = bv_convex_obb( &turned );
		bv_convex_result d = distance_by( bv_convex_method_margin, &a, &b, NULL );
		assert_true( d.lower <= gap + 1e-15 && gap - 1e-15 <= d.upper );
		assert_true( d.upper - d.lower < 1e-6 );
	}
	turned.center.x = 1.4;
	bv_convex b = bv_convex_obb( &turned );
	bv_convex_result d = distance_by( bv_convex_method_margin, &a, &b, NULL );
	assert_true( d.lower <= -1 + 1e-9 && -1 - 1e-9 <= d.upper && d.upper - d.lower < 0.01 );
}

static void faces_that_are_not_known_are_unsupported( void** state )
{
	(void)state;
	bv_vec3 corner[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bv_convex shape[2] = { bv_convex_points( corner, 4, 0 ), bv_convex_cone( corner[0], corner[1], 1 ) };
	bv_convex box = bv_convex_box( corner[0], ( bv_vec3 ){ 1, 1, 1 } );
	const bv_convex_method method[2] = { bv_convex_method_sat, bv_convex_method_vclip };
	for ( int i = 0; i < 4; ++i )
	{
		bv_convex_options options = { .method = method[i / 2] };
		bv_convex_result d = { .supports = 77 };
		bv_convex_overlap_result o = { .supports = 77 };
		assert_int_equal( bv_convex_distance( shape + i % 2, &box, NULL, &options, &d ),
		                  bv_error_unsupported );
		assert_int_equal( bv_convex_overlap( &box, shape + i % 2, NULL, &options, &o ),
		                  bv_error_unsupported );
		assert_true( d.supports == 77 && o.supports == 77 );
	}
}

static const bv_file* read_parts( fixture* f )
{
	FILE* stream = fopen( "tests/golden/1.1-parts.bvh", "rb" );
	assert_non_null( stream );
	bvb_bytes bytes = { .data = bvb_arena_allocate( f->arena, 1 << 16, 1 ) };
	bytes.size = fread( bytes.data, 1, 1 << 16, stream );
	fclose( stream );
	return open_bytes( bytes );
}

// The faces of a file's hull and of its parts are those of their corners.
static void shapes_of_files_have_faces( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 8 );
	bvb_asset_options options = bvb_asset_options_default();
	options.sections |= 1u << bvb_section_hull_topology;
	const bv_file* file = build_file( f, &ball, &options );
	const bv_file* parts = read_parts( f );
	bv_convex shape[3] = { bv_convex_hull( file ), bv_convex_part( parts, 0 ), bv_convex_part( parts, 1 ) };
	for ( int i = 0; i < 60; ++i )
	{
		bv_transform t;
		const bv_transform* at = random_placement( f, &t ) ? &t : NULL;
		const bv_convex* a = shape + i % 3;
		const bv_convex* b = shape + i / 3 % 3;
		bv_convex_result d = distance_by( bv_convex_method_gjk, a, b, at );
		bv_convex_result sat = distance_by( bv_convex_method_sat, a, b, at );
		bv_convex_result vclip = distance_by( bv_convex_method_vclip, a, b, at );
		assert_true( sat.lower <= d.upper && d.lower <= sat.upper );
		assert_true( vclip.lower <= d.upper && d.lower <= vclip.upper );
		assert_true( d.lower <= 1e-9 || vclip.upper - vclip.lower <= 1e-6 * vclip.upper );
		assert_true( d.upper >= -1e-9 || sat.lower >= d.lower - 1e-9 );
	}
}

// Neighbors that do not belong together give wrong results at most.
static void no_method_hangs_on_neighbors_at_random( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 points[12];
		uint32_t first[13] = { 0 };
		uint32_t neighbors[12 * 4];
		for ( int k = 0; k < 12; ++k )
		{
			points[k] = signed_point( f );
			first[k + 1] = first[k] + (uint32_t)( random_bits( f ) % 5 );
		}
		for ( int k = 0; k < 12 * 4; ++k )
		{
			neighbors[k] = (uint32_t)( random_bits( f ) % 13 );
		}
		bv_convex a = bv_convex_graph( points, 12, first, neighbors );
		bv_transform t;
		random_placement( f, &t );
		for ( bv_convex_method m = 0; m < bv_convex_methods; m = next_method( m ) )
		{
			bv_convex_result d = distance_by( m, &a, &a, &t );
			assert_false( isnan( d.lower ) || isnan( d.upper ) );
			overlap_by( m, &a, &a, &t );
		}
	}
}

static void methods_have_names_and_help( void** state )
{
	(void)state;
	for ( bv_convex_method m = 0; m < bv_convex_methods; m = next_method( m ) )
	{
		assert_non_null( bv_convex_method_name( m ) );
		assert_true( strlen( bv_convex_method_help( m ) ) > 10 );
		for ( bv_convex_method k = 0; k < m; ++k )
		{
			assert_string_not_equal( bv_convex_method_name( m ), bv_convex_method_name( k ) );
		}
	}
	assert_null( bv_convex_method_help( bv_convex_methods ) );
}

// Of corners that are a few units in the last place apart one can be next to others only that are as high to rounding, while the
// farthest one is on the other side. Against all corners.
static void climbs_do_not_end_between_corners_that_are_as_high( void** state )
{
	fixture* f = *state;
	enum
	{
		clusters = 24,
		each = 8,
	};
	for ( int h = 0; h < 10; ++h )
	{
		bv_vec3 points[clusters * each];
		for ( int i = 0; i < clusters * each; ++i )
		{
			bv_vec3 near = bv_scale( 0x1p-51, signed_point( f ) );
			points[i] =
				i % each == 0 ? bv_normalize( signed_point( f ) ) : bv_add( points[i - i % each], near );
		}
		bv_convex graph;
		bvconvex_prepared shape;
		assert_true( graph_of( f, points, clusters * each, &graph ) );
		assert_true( graph.count > clusters );
		assert_true( bvconvex_shape_prepare( &graph, &shape ) );
		for ( int i = 0; i < 300; ++i )
		{
			bv_vec3 along = bv_normalize( signed_point( f ) );
			uint32_t from = (uint32_t)( random_bits( f ) % graph.count );
			double found = bv_dot( along, bvconvex_shape_support( &shape, &along, from ).at );
			for ( uint32_t k = 0; k < graph.count; ++k )
			{
				assert_true( bv_dot( along, graph.points[k] ) <= found + 1e-15 );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_and_decisions_hold_in_both_orders ),
		fixture_test( shapes_that_touch_overlap_by_all_exact_methods ),
		fixture_test( sat_finds_the_depth ),
		fixture_test( vclip_walks_to_the_nearest_features ),
		fixture_test( parallel_edges_lead_vclip_in_no_circle ),
		fixture_test( vclip_goes_on_where_the_last_query_ended ),
		fixture_test( chung_wang_keeps_its_vector ),
		fixture_test( chung_wang_rarely_needs_gjk ),
		fixture_test( chung_wang_decides_boxes_on_a_lattice ),
		fixture_test( depths_of_flat_shapes_by_mpr_are_along_a_ray ),
		fixture_test( curved_shapes_get_intervals_that_overlap ),
		fixture_test( balls_are_as_deep_as_in_the_closed_form ),
		fixture_test( mpr_finds_the_depth_of_balls ),
		fixture_test( mpr_finds_the_depth_of_cubes ),
		fixture_test( shells_find_the_depth_of_balls ),
		fixture_test( margins_make_intervals_narrow_where_shapes_touch ),
		fixture_test( faces_that_are_not_known_are_unsupported ),
		fixture_test( shapes_of_files_have_faces ),
		fixture_test( climbs_do_not_end_between_corners_that_are_as_high ),
		fixture_test( no_method_hangs_on_neighbors_at_random ),
		fixture_test( methods_have_names_and_help ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
