// Distances of volumes from triangles that are known in closed form.

#include "hausdorff_volumes.h"
#include "point_sets.h"
#include "shapes.h"

// Measures and compares with what is known; to a tenth of a percent, or a millionth of the size where there is no distance.
static void assert_distance_to( fixture* f, const bvb_mesh* mesh, const any_volume* from,
                                bvb_hausdorff_measure measure, double expected )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = measure;
	options.relative = 1e-3;
	options.inside = measure == bvb_hausdorff_outside ? winding_of( f, mesh ) : NULL;
	volume* v = any_points( from );
	nearest_faces faces;
	assert_non_null( v );
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	double rounding = rounding_of( v, mesh );
	options.absolute = 0x1p26 * rounding;
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, mesh ), from, &options, &r ), bv_ok );
	const char* fault = interval_fault( &r, &options, from, v, &faces, rounding );
	if ( fault || !( r.lower <= expected + rounding && expected <= r.upper + rounding ) )
	{
		fail_msg( "%s, measure %d: [%.17g, %.17g], expected %.17g: %s", any_names[from->kind], measure,
		          r.lower, r.upper, expected, fault ? fault : "not in it" );
	}
	nearest_free( &faces );
	volume_free( v );
}

static void assert_distance( fixture* f, const bvb_mesh* mesh, const any_volume* from, double solid,
                             double surface )
{
	assert_distance_to( f, mesh, from, bvb_hausdorff_solid, solid );
	assert_distance_to( f, mesh, from, bvb_hausdorff_surface, surface );
}

static any_volume box_of( double x0, double y0, double z0, double x1, double y1, double z1 )
{
	return ( any_volume ){ .kind = any_aabb, .aabb = { { x0, y0, z0 }, { x1, y1, z1 } } };
}

static any_volume ball_of( double x, double y, double z, double radius )
{
	return ( any_volume ){ .kind = any_sphere, .sphere = { { x, y, z }, radius } };
}

static bvb_mesh triangle_of( fixture* f, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bvb_mesh mesh = soup_create( f, 1 );
	set_triangle( &mesh, 0, a, b, c );
	return mesh;
}

// Now and then far away.
static bv_vec3 random_place( fixture* f )
{
	double far = random_bits( f ) % 4 == 0 ? 1000 : 1;
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ far * p.x, far * p.y, far * p.z };
}

static bvb_mesh random_triangle( fixture* f )
{
	bv_vec3 a = random_place( f );
	bv_vec3 b = random_point( f );
	bv_vec3 c = random_point( f );
	return triangle_of( f, a, ( bv_vec3 ){ a.x + b.x, a.y + b.y, a.z + b.z },
	                    ( bv_vec3 ){ a.x + c.x, a.y - c.y, a.z + c.z } );
}

static bv_obb random_box( fixture* f )
{
	bv_vec3 h = random_point( f );
	h.z = random_bits( f ) % 4 ? h.z : 0;
	bv_obb box = { .center = random_place( f ), .half_extents = { h.x, h.y, h.z } };
	random_frame( f, box.axis );
	return box;
}

static void random_polytope( fixture* f, any_kind kind, any_volume* out )
{
	enum
	{
		most = 20,
	};
	bv_vec3* points = bvb_arena_allocate( f->arena, most, sizeof *points );
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % most );
	static const uint32_t k[] = { 6, 14, 18, 26 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = random_point( f );
	}
	*out = ( any_volume ){ .kind = kind };
	switch ( kind )
	{
	case any_aabb: out->aabb = bvb_fit_aabb( points, count ); break;
	case any_obb: out->obb = random_box( f ); break;
	case any_kdop:
		assert_int_equal( bvb_fit_kdop( points, count, k[random_bits( f ) % 4], &out->kdop ), bv_ok );
		break;
	case any_hull: *out = any_of_hull( f, points, count ); break;
	case any_prism: out->prism.box = random_box( f ); break;
	default: out->mesh = random_triangle( f ); break;
	}
}

// The distance to one triangle is convex, so that it is greatest at a corner.
static void one_triangle_is_farthest_from_a_corner_of_a_polytope( void** state )
{
	fixture* f = *state;
	static const any_kind kinds[] = { any_aabb, any_obb, any_kdop, any_hull, any_mesh, any_prism };
	for ( int round = 0; round < 300; ++round )
	{
		bvb_mesh mesh = random_triangle( f );
		any_volume from;
		random_polytope( f, kinds[round % 6], &from );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		volume* v = any_points( &from );
		uint32_t corners;
		const bv_vec3* corner = volume_corners( v, &corners );
		double expected = 0;
		for ( uint32_t i = 0; i < corners; ++i )
		{
			expected = fmax( expected, nearest_distance_exact( &faces, corner[i] ) );
		}
		assert_distance( f, &mesh, &from, expected, expected );
		volume_free( v );
		nearest_free( &faces );
	}
}

// The greatest distance of a ball from what is convex is its radius more than its center's, and a capsule is what two
// balls span.
static void one_triangle_is_a_radius_farther_from_a_ball_or_a_capsule_than_from_its_ends( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		bvb_mesh mesh = random_triangle( f );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		bv_vec3 from = random_place( f );
		bv_vec3 to = round % 5 == 0 ? from : random_point( f );
		double radius = round % 7 == 0 ? 0 : random_unit( f );
		double near = nearest_distance_exact( &faces, from );
		double far = fmax( near, nearest_distance_exact( &faces, to ) );
		any_volume ball = ball_of( from.x, from.y, from.z, radius );
		any_volume capsule = { .kind = any_capsule, .capsule = { { from, to }, radius } };
		assert_distance( f, &mesh, &ball, radius + near, radius + near );
		assert_distance( f, &mesh, &capsule, radius + far, radius + far );
		nearest_free( &faces );
	}
}

// What four balls at the corners of a rectangle span.
static void one_triangle_is_a_radius_farther_from_a_swept_rectangle_than_from_its_corners( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		bvb_mesh mesh = random_triangle( f );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		bv_rss rss = { .center = random_place( f ), .radius = round % 7 == 0 ? 0 : random_unit( f ) };
		random_frame( f, rss.axis );
		rss.half_extents[0] = random_unit( f );
		rss.half_extents[1] = round % 5 == 0 ? 0 : random_unit( f );
		double far = 0;
		for ( int i = 0; i < 4; ++i )
		{
			bv_vec3 offset = in_frame( rss.axis, i & 1 ? rss.half_extents[0] : -rss.half_extents[0],
			                           i & 2 ? rss.half_extents[1] : -rss.half_extents[1], 0 );
			bv_vec3 corner = { rss.center.x + offset.x, rss.center.y + offset.y, rss.center.z + offset.z };
			far = fmax( far, nearest_distance_exact( &faces, corner ) );
		}
		any_volume from = { .kind = any_rss, .rss = rss };
		assert_distance( f, &mesh, &from, rss.radius + far, rss.radius + far );
		nearest_free( &faces );
	}
}

// Of a cylinder round the z axis, of radius and length 1, and a triangle whose corner at ( 5, 0, 0 ) is nearest to all of
// it the farthest point is ( -1, 0, 1 ); all of it turned.
static void one_triangle_is_farthest_from_the_rim_of_a_cylinder( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bvb_mesh mesh = triangle_of( f, in_frame( axis, 5, 0, 0 ), in_frame( axis, 9, 1, 0 ),
		                             in_frame( axis, 9, -1, -0.5 ) );
		any_volume from = { .kind = any_cylinder,
			                .cylinder = { { in_frame( axis, 0, 0, 0 ), in_frame( axis, 0, 0, 1 ) }, 1 } };
		assert_distance( f, &mesh, &from, sqrt( 37 ), sqrt( 37 ) );
	}
}

static void a_cubes_own_box_is_half_its_side_away_inside_and_nothing_on_the_surface( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	any_volume aabb = box_of( 0, 0, 0, 2, 2, 2 );
	any_volume obb = { .kind = any_obb,
		               .obb = { .center = { 1, 1, 1 },
		                        .axis = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } },
		                        .half_extents = { 1, 1, 1 } } };
	any_volume hull = any_of_hull( f, mesh.positions, mesh.vertex_count );
	any_volume kdop = { .kind = any_kdop };
	assert_int_equal( bvb_fit_kdop( mesh.positions, mesh.vertex_count, 26, &kdop.kdop ), bv_ok );
	assert_distance( f, &mesh, &aabb, 1, 0 );
	assert_distance( f, &mesh, &obb, 1, 0 );
	assert_distance( f, &mesh, &hull, 1, 0 );
	assert_distance( f, &mesh, &kdop, 1, 0 );
}

// On the surface as far as caps are high; inside, the cube's middle is farther.
static void a_cube_in_round_volumes( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	any_volume ball = ball_of( 1, 1, 1, sqrt( 3 ) );
	any_volume cylinder = { .kind = any_cylinder, .cylinder = { { { 1, 1, 0 }, { 1, 1, 2 } }, sqrt( 2 ) } };
	any_volume capsule = { .kind = any_capsule, .capsule = { { { 1, 1, 0 }, { 1, 1, 2 } }, sqrt( 2 ) } };
	assert_distance( f, &mesh, &ball, 1, sqrt( 3 ) - 1 );
	assert_distance( f, &mesh, &cylinder, 1, sqrt( 2 ) - 1 );
	assert_distance( f, &mesh, &capsule, sqrt( 2 ), sqrt( 2 ) );
}

// The octahedron |x| + |y| + |z| <= 3 and the rhombic dodecahedron |x| + |y|, |y| + |z|, |z| + |x| <= 2.
static void a_cube_in_k_dops_that_are_not_boxes( void** state )
{
	fixture* f = *state;
	bvb_mesh corner = box_mesh( f, 2, 2, 2 );
	bvb_mesh mesh = moved( f, &corner, ( bv_vec3 ){ -1, -1, -1 } );
	any_volume octahedron = { .kind = any_kdop, .kdop = { .k = 14 } };
	any_volume dodecahedron = { .kind = any_kdop, .kdop = { .k = 18 } };
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		double eight = i < 3 ? 5 : 3;
		double twelve = i < 3 ? 5 : 2;
		octahedron.kdop.lower[i] = i < 7 ? -eight : 0;
		octahedron.kdop.upper[i] = i < 7 ? eight : 0;
		dodecahedron.kdop.lower[i] = i < 3 || i >= 7 ? -twelve : 0;
		dodecahedron.kdop.upper[i] = i < 3 || i >= 7 ? twelve : 0;
	}
	assert_distance( f, &mesh, &octahedron, 2, 2 );
	assert_distance( f, &mesh, &dodecahedron, 1, 1 );
}

// Every face into four, new corners on the unit sphere.
static bvb_mesh subdivided( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh result = soup_create( f, 4 * mesh->triangle_count );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bv_vec3 p[3];
		bv_vec3 m[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = mesh->positions[mesh->triangles[i].corner[k]];
		}
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 q = p[( k + 1 ) % 3];
			bv_vec3 s = { p[k].x + q.x, p[k].y + q.y, p[k].z + q.z };
			double length = sqrt( s.x * s.x + s.y * s.y + s.z * s.z );
			m[k] = ( bv_vec3 ){ s.x / length, s.y / length, s.z / length };
		}
		set_triangle( &result, 4 * i, p[0], m[0], m[2] );
		set_triangle( &result, 4 * i + 1, p[1], m[1], m[0] );
		set_triangle( &result, 4 * i + 2, p[2], m[2], m[1] );
		set_triangle( &result, 4 * i + 3, m[0], m[1], m[2] );
	}
	return result;
}

// The center is as far as the nearest face, R or nearly, and the sphere is where faces are nearest to the center as far
// from these as they are from the sphere: they are acute.
static void a_hollow_ball_in_a_sphere_is_near_its_surface_and_far_inside( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = icosahedron( f );
	any_volume ball = ball_of( 0, 0, 0, 1 );
	assert_distance( f, &mesh, &ball, icosahedron_inradius, 1 - icosahedron_inradius );
	for ( int level = 0; level < 2; ++level )
	{
		mesh = subdivided( f, &mesh );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
		double inside = nearest_distance_exact( &faces, ( bv_vec3 ){ 0, 0, 0 } );
		assert_distance( f, &mesh, &ball, inside, 1 - inside );
		nearest_free( &faces );
	}
}

static void the_box_of_two_parallel_sheets_is_half_their_distance_away( void** state )
{
	fixture* f = *state;
	for ( uint32_t steps = 1; steps <= 4; ++steps )
	{
		bvb_mesh low =
			sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, steps );
		bvb_mesh high = moved( f, &low, ( bv_vec3 ){ 0, 0, 0.75 } );
		bvb_mesh both = joined( f, &low, &high );
		any_volume box = box_of( 0, 0, 0, 1, 2, 0.75 );
		assert_distance( f, &both, &box, 0.375, 0.375 );
	}
}

static void a_sheet_in_its_flat_box_in_a_thick_one_and_in_a_ball( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheet( f, ( bv_vec3 ){ -1, -1, 0 }, ( bv_vec3 ){ 2, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 3 );
	any_volume flat = box_of( -1, -1, 0, 1, 1, 0 );
	any_volume thick = box_of( -1, -1, -0.5, 1, 1, 0.25 );
	any_volume ball = ball_of( 0, 0, 0, sqrt( 2 ) );
	any_volume hull = any_of_hull( f, mesh.positions, mesh.vertex_count );
	assert_int_equal( hull.hull.kind, bv_hull_polygon );
	assert_distance( f, &mesh, &flat, 0, 0 );
	assert_distance( f, &mesh, &thick, 0.5, 0.5 );
	assert_distance( f, &mesh, &ball, sqrt( 2 ), sqrt( 2 ) );
	assert_distance( f, &mesh, &hull, 0, 0 );
}

// Two sides of 2, each 1 wide. In the box the corner over the notch is 1 away from both; the hull cuts it off, and its
// slope's middle is 1/2 away. Nothing within the prism is more than half its height of 1 from its top or bottom.
static void an_l_in_its_box_and_its_hull( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 2, 2, 1 }, true );
	fill_cubes( &c, ( int[3] ){ 1, 1, 0 }, ( int[3] ){ 2, 2, 1 }, false );
	bvb_mesh prism = surface_of_cubes( f, &c );
	any_volume box = box_of( 0, 0, 0, 2, 2, 1 );
	any_volume hull = any_of_hull( f, prism.positions, prism.vertex_count );
	assert_distance( f, &prism, &box, 1, 1 );
	assert_distance( f, &prism, &hull, 0.5, 0.5 );
	assert_distance_to( f, &prism, &box, bvb_hausdorff_outside, 1 );
	assert_distance_to( f, &prism, &hull, bvb_hausdorff_outside, 0.5 );

	bvb_mesh along_x = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 2, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
	bvb_mesh along_y = sheet( f, ( bv_vec3 ){ 0, 1, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
	bvb_mesh flat = joined( f, &along_x, &along_y );
	any_volume flat_box = box_of( 0, 0, 0, 2, 2, 0 );
	any_volume flat_hull = any_of_hull( f, flat.positions, flat.vertex_count );
	assert_distance( f, &flat, &flat_box, 1, 1 );
	assert_distance( f, &flat, &flat_hull, 0.5, 0.5 );
}

static void a_mesh_is_no_distance_from_itself( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	any_volume from_ball = { .kind = any_mesh, .mesh = ball };
	any_volume from_box = { .kind = any_mesh, .mesh = box };
	assert_distance( f, &ball, &from_ball, 0, 0 );
	assert_distance( f, &box, &from_box, 0, 0 );
	assert_distance_to( f, &ball, &from_ball, bvb_hausdorff_outside, 0 );
}

// No point of a cube is farther from the cube moved by less than its side than it was moved, and the middle of a side is
// as far.
static void a_mesh_is_as_far_from_itself_as_it_was_moved( void** state )
{
	fixture* f = *state;
	bvb_mesh low = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 3 );
	bvb_mesh high = moved( f, &low, ( bv_vec3 ){ 0, 0, 0.125 } );
	any_volume from = { .kind = any_mesh, .mesh = low };
	assert_distance( f, &high, &from, 0.125, 0.125 );
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	bvb_mesh beside = moved( f, &box, ( bv_vec3 ){ 0.25, 0, 0 } );
	from.mesh = box;
	assert_distance( f, &beside, &from, 0.25, 0.25 );
}

// Not by their greatest distance from it, but by the nearest point's: from a small mesh to a large one it is less than back.
static void the_distance_is_directed( void** state )
{
	fixture* f = *state;
	bvb_mesh small = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
	bvb_mesh large = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 4, 0, 0 }, ( bv_vec3 ){ 0, 5, 0 }, 2 );
	any_volume from_small = { .kind = any_mesh, .mesh = small };
	any_volume from_large = { .kind = any_mesh, .mesh = large };
	assert_distance( f, &large, &from_small, 0, 0 );
	assert_distance( f, &small, &from_large, 5, 5 ); // 3 to the side and 4 up
}

static void what_is_inside_of_a_closed_mesh_is_not_outside( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 4, 4, 4 );
	any_volume own = any_of_hull( f, mesh.positions, mesh.vertex_count );
	any_volume box = box_of( 0, 0, 0, 4, 4, 4 );
	any_volume within = ball_of( 2, 2, 2, 1.5 );
	any_volume round_it = ball_of( 2, 2, 2, 2 * sqrt( 3 ) );
	bvb_mesh pole = box_mesh( f, 1, 1, 5 );
	any_volume poking_out = { .kind = any_mesh, .mesh = moved( f, &pole, ( bv_vec3 ){ 1, 1, 1 } ) };
	assert_distance_to( f, &mesh, &own, bvb_hausdorff_outside, 0 );
	assert_distance_to( f, &mesh, &box, bvb_hausdorff_outside, 0 );
	assert_distance_to( f, &mesh, &within, bvb_hausdorff_outside, 0 );
	assert_distance_to( f, &mesh, &round_it, bvb_hausdorff_outside, 2 * sqrt( 3 ) - 2 );
	assert_distance_to( f, &mesh, &poking_out, bvb_hausdorff_outside, 2 );
}

// In the middle of a pit of 2 x 2 x 2 all walls are 1 away; a slot of 1 x 2 x 4 through all of the cube has no point
// more than 1/2 from a wall.
// A box without its lid. From all places in the plane of the opening half of all directions are covered: above it a point is outside, as
// far from there, below it inside.
static void half_the_directions_decide_what_is_inside_of_an_open_mesh( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		const uint32_t* c = mesh.triangles[i].corner;
		const bv_vec3* p = mesh.positions;
		if ( !( p[c[0]].z == 2 && p[c[1]].z == 2 && p[c[2]].z == 2 ) )
		{
			mesh.triangles[kept++] = mesh.triangles[i];
		}
	}
	assert_int_equal( kept, mesh.triangle_count - 2 );
	mesh.triangle_count = kept;
	any_volume below = box_of( 1, 1, 1.8, 1, 1, 1.8 );
	assert_distance_to( f, &mesh, &below, bvb_hausdorff_outside, 0 );
	for ( double height = 0.02; height < 2; height *= 2 )
	{
		bv_aabb above = { { 1, 1, 2 + height }, { 1, 1, 2 + height } };
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.measure = bvb_hausdorff_outside;
		options.inside = winding_of( f, &mesh );
		options.relative = 1e-3;
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_aabb( target_of( f, &mesh ), &above, &options, &r ), bv_ok );

		// However narrow it was to be.
		assert_true( r.lower <= height && height <= r.upper );
		assert_true( r.lower >= 0.92 * height && r.upper <= 1.02 * height );
	}
}

static void the_hull_of_a_cube_with_a_notch_is_half_the_notchs_width_away( void** state )
{
	fixture* f = *state;
	cubes pit = { 0 };
	fill_cubes( &pit, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 4, 4, 4 }, true );
	cubes slot = pit;
	fill_cubes( &pit, ( int[3] ){ 1, 1, 2 }, ( int[3] ){ 3, 3, 4 }, false );
	fill_cubes( &slot, ( int[3] ){ 1, 0, 2 }, ( int[3] ){ 2, 4, 4 }, false );
	bvb_mesh with_pit = surface_of_cubes( f, &pit );
	bvb_mesh with_slot = surface_of_cubes( f, &slot );
	any_volume hull = any_of_hull( f, with_pit.positions, with_pit.vertex_count );
	any_volume box = box_of( 0, 0, 0, 4, 4, 4 );
	assert_distance_to( f, &with_pit, &hull, bvb_hausdorff_outside, 1 );
	assert_distance_to( f, &with_pit, &box, bvb_hausdorff_outside, 1 );
	assert_distance_to( f, &with_slot, &hull, bvb_hausdorff_outside, 0.5 );
	assert_distance_to( f, &with_slot, &box, bvb_hausdorff_outside, 0.5 );
}

static void a_box_and_a_triangle_far_away_are_as_far_as_they_are( void** state )
{
	fixture* f = *state;
	const double far = 1e6;
	bvb_mesh mesh =
		triangle_of( f, ( bv_vec3 ){ far, 0, 0 }, ( bv_vec3 ){ far + 1, 0, 0 }, ( bv_vec3 ){ far, 0, -1 } );
	any_volume box = box_of( -1, -2, 0, 0, 2, 3 );
	double expected = sqrt( ( far + 1 ) * ( far + 1 ) + 2 * 2 + 3 * 3 );
	assert_distance( f, &mesh, &box, expected, expected );
}

// A decoy that is nearer than what counts.
static void triangles_that_do_not_count_are_not_measured( void** state )
{
	fixture* f = *state;
	bvb_mesh far = sheet( f, ( bv_vec3 ){ 0, 0, 3 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 3 );
	bvb_mesh near = moved( f, &far, ( bv_vec3 ){ 0, 0, -2 } );
	bvb_mesh mesh = joined( f, &near, &far );
	uint32_t which[18];
	for ( uint32_t i = 0; i < 18; ++i )
	{
		which[i] = 35 - i;
	}
	bvb_error error;
	bvb_hausdorff_target* target;
	assert_int_equal( bvb_hausdorff_target_create( &mesh, which, 18, f->arena, &target, &error ), bv_ok );
	bvb_hausdorff r;
	assert_int_equal( bvb_hausdorff_aabb( target, &( bv_aabb ){ { 0, 0, 0 }, { 1, 1, 0.5 } }, NULL, &r ),
	                  bv_ok );
	assert_true( r.lower <= 3 && r.upper >= 3 && r.upper <= r.lower * 1.01 );
}

static void assert_refused( fixture* f, const any_volume* v, const bvb_hausdorff_options* options )
{
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, &mesh ), v, options, &r ), bv_error_argument );
}

static void what_is_no_volume_is_refused( void** state )
{
	fixture* f = *state;
	const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const any_volume none[] = {
		box_of( 0, 0, 1, 1, 1, 0 ),
		box_of( 0, 0, 0, 1, 1, NAN ),
		box_of( 0, 0, 0, 1, 1, INFINITY ),
		ball_of( 0, 0, 0, -1 ),
		ball_of( 0, NAN, 0, 1 ),
		ball_of( 0, 0, 0, INFINITY ),
		{ .kind = any_obb, .obb = { .axis = { axis[0], axis[1], axis[2] }, .half_extents = { 1, -1, 1 } } },
		{ .kind = any_obb, .obb = { .axis = { axis[0], axis[1], axis[2] }, .half_extents = { 1, NAN, 1 } } },
		{ .kind = any_capsule, .capsule = { { { 0, 0, 0 }, { 1, 0, 0 } }, -1 } },
		{ .kind = any_capsule, .capsule = { { { 0, 0, 0 }, { INFINITY, 0, 0 } }, 1 } },
		{ .kind = any_cylinder, .cylinder = { { { 0, 0, 0 }, { 1, 0, 0 } }, 0 } },
		{ .kind = any_cylinder, .cylinder = { { { 1, 0, 0 }, { 1, 0, 0 } }, 1 } },
		{ .kind = any_rss, .rss = { .radius = 1 } },
		{ .kind = any_rss, .rss = { .axis = { axis[0], axis[1], axis[2] }, .radius = -1 } },
		{ .kind = any_rss, .rss = { .axis = { axis[0], axis[1], axis[2] }, .half_extents = { NAN, 1 } } },
		{ .kind = any_kdop, .kdop = { .k = 7 } },
		{ .kind = any_kdop, .kdop = { .k = 6, .lower = { 1 }, .upper = { 0 } } },
		{ .kind = any_prism, .prism = { { .half_extents = { 1, 1, 1 } } } },
		{ .kind = any_prism,
		  .prism = { { .axis = { axis[0], axis[1], axis[2] }, .half_extents = { 1, -1, 1 } } } },
		{ .kind = any_mesh },
	};
	for ( size_t i = 0; i < sizeof none / sizeof none[0]; ++i )
	{
		assert_refused( f, &none[i], NULL );
	}
}

// Planes of which each is met alone, but not all together.
static void a_k_dop_whose_planes_have_no_common_point_is_refused( void** state )
{
	fixture* f = *state;
	any_volume v = { .kind = any_kdop, .kdop = { .k = 14 } };
	for ( int i = 0; i < 7; ++i )
	{
		v.kdop.lower[i] = i < 3 ? 0 : i == 3 ? 4 : -9;
		v.kdop.upper[i] = i < 3 ? 1 : 9;
	}
	assert_refused( f, &v, NULL );
}

static void tolerances_that_are_none_are_refused( void** state )
{
	fixture* f = *state;
	const any_volume box = box_of( 0, 0, 0, 1, 1, 1 );
	const double bad[] = { -1, NAN };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.relative = bad[i];
		assert_refused( f, &box, &options );
		options = bvb_hausdorff_options_default();
		options.absolute = bad[i];
		assert_refused( f, &box, &options );
	}
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_outside;
	assert_refused( f, &box, &options );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( one_triangle_is_farthest_from_a_corner_of_a_polytope ),
		fixture_test( one_triangle_is_a_radius_farther_from_a_ball_or_a_capsule_than_from_its_ends ),
		fixture_test( one_triangle_is_a_radius_farther_from_a_swept_rectangle_than_from_its_corners ),
		fixture_test( one_triangle_is_farthest_from_the_rim_of_a_cylinder ),
		fixture_test( a_cubes_own_box_is_half_its_side_away_inside_and_nothing_on_the_surface ),
		fixture_test( a_cube_in_round_volumes ),
		fixture_test( a_cube_in_k_dops_that_are_not_boxes ),
		fixture_test( a_hollow_ball_in_a_sphere_is_near_its_surface_and_far_inside ),
		fixture_test( the_box_of_two_parallel_sheets_is_half_their_distance_away ),
		fixture_test( a_sheet_in_its_flat_box_in_a_thick_one_and_in_a_ball ),
		fixture_test( an_l_in_its_box_and_its_hull ),
		fixture_test( a_mesh_is_no_distance_from_itself ),
		fixture_test( a_mesh_is_as_far_from_itself_as_it_was_moved ),
		fixture_test( the_distance_is_directed ),
		fixture_test( what_is_inside_of_a_closed_mesh_is_not_outside ),
		fixture_test( half_the_directions_decide_what_is_inside_of_an_open_mesh ),
		fixture_test( the_hull_of_a_cube_with_a_notch_is_half_the_notchs_width_away ),
		fixture_test( a_box_and_a_triangle_far_away_are_as_far_as_they_are ),
		fixture_test( triangles_that_do_not_count_are_not_measured ),
		fixture_test( what_is_no_volume_is_refused ),
		fixture_test( a_k_dop_whose_planes_have_no_common_point_is_refused ),
		fixture_test( tolerances_that_are_none_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
