// Rays and triangles: against arithmetic of 113 bits, and through the sides and corners of closed meshes.

#include "support.h"

#include "runtime/triangle/ray.h"

__extension__ typedef __float128 quad;

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

// The volume that direction and two corners span with the origin: on which side of their line the ray passes.
static double side_of( bv_vec3 o, bv_vec3 d, bv_vec3 a, bv_vec3 b )
{
	quad ax = (quad)a.x - o.x, ay = (quad)a.y - o.y, az = (quad)a.z - o.z;
	quad bx = (quad)b.x - o.x, by = (quad)b.y - o.y, bz = (quad)b.z - o.z;
	return (double)( d.x * ( ay * bz - az * by ) + d.y * ( az * bx - ax * bz ) +
	                 d.z * ( ax * by - ay * bx ) );
}

static double time_of_plane( bv_vec3 o, bv_vec3 d, const bv_vec3 t[3] )
{
	bv_vec3 u = minus( t[1], t[0] );
	bv_vec3 v = minus( t[2], t[0] );
	quad nx = (quad)u.y * v.z - (quad)u.z * v.y;
	quad ny = (quad)u.z * v.x - (quad)u.x * v.z;
	quad nz = (quad)u.x * v.y - (quad)u.y * v.x;
	return (
		double)( ( nx * ( (quad)t[0].x - o.x ) + ny * ( (quad)t[0].y - o.y ) + nz * ( (quad)t[0].z - o.z ) ) /
	             ( nx * d.x + ny * d.y + nz * d.z ) );
}

static void rays_meet_triangles_as_exact_volumes_say( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_vec3 t[3] = { random_point( f ), random_point( f ), random_point( f ) };
		bv_vec3 o = minus( random_point( f ), ( bv_vec3 ){ 0, 0, i % 2 == 0 ? 2 : -2 } );
		bv_vec3 d = minus( random_point( f ), o );
		double sides[3];
		double least = INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			sides[k] = side_of( o, d, t[( k + 1 ) % 3], t[( k + 2 ) % 3] );
			least = fmin( least, fabs( sides[k] ) );
		}
		if ( least < 1e-13 )
		{
			continue;
		}
		// Volumes above 0: the corners run counter-clockwise round the ray, which sees them clockwise, from behind.
		bool back = sides[0] > 0 && sides[1] > 0 && sides[2] > 0;
		bool front = sides[0] < 0 && sides[1] < 0 && sides[2] < 0;
		bvtri_ray_frame ray;
		bvtri_ray_triangle found;
		bvtri_ray_begin( o, d, &ray );
		bool hit = bvtri_ray_meets_triangle( &ray, t, &found );
		assert_int_equal( hit, back || front );
		if ( hit )
		{
			hits += 1;
			assert_int_equal( found.back, back );
			double sum = sides[0] + sides[1] + sides[2];
			double time = time_of_plane( o, d, t );
			assert_true( fabs( found.time - time ) <= 1e-13 / fabs( sum ) );
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( fabs( found.weight[k] - sides[k] / sum ) <= 1e-13 / fabs( sum ) );
			}
		}
	}
	assert_true( hits > 200 );
}

static bv_vec3 corner_of( const bvb_mesh* mesh, uint32_t triangle, int k )
{
	return mesh->positions[mesh->triangles[triangle].corner[k % 3]];
}

// From inside a closed mesh every ray leaves it, also through a corner, along a side, or through the middle of one, wherever it
// is and however it is rounded.
static void no_ray_leaves_a_closed_mesh_unseen( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	for ( int i = 0; i < 20000; ++i )
	{
		bv_vec3 shift = random_point( f );
		bv_vec3 o = minus( shift, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
		o = ( bv_vec3 ){ 0.3 * o.x, 0.3 * o.y, 0.3 * o.z };
		uint32_t triangle = (uint32_t)( random_bits( f ) % mesh.triangle_count );
		bv_vec3 a = corner_of( &mesh, triangle, 0 );
		bv_vec3 b = corner_of( &mesh, triangle, 1 );
		double s = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.5 : random_unit( f );
		bv_vec3 to = { a.x + s * ( b.x - a.x ), a.y + s * ( b.y - a.y ), a.z + s * ( b.z - a.z ) };
		bvtri_ray_frame ray;
		bvtri_ray_begin( o, minus( to, o ), &ray );
		int ahead = 0;
		int behind = 0;
		for ( uint32_t k = 0; k < mesh.triangle_count; ++k )
		{
			bv_vec3 t[3] = { corner_of( &mesh, k, 0 ), corner_of( &mesh, k, 1 ), corner_of( &mesh, k, 2 ) };
			bvtri_ray_triangle found;
			bool hit = bvtri_ray_meets_triangle( &ray, t, &found );
			ahead += hit && found.time > 0;
			behind += hit && found.time < 0;
		}
		assert_true( ahead > 0 && behind > 0 );
	}
}

static void sides_are_front_and_back( void** state )
{
	(void)state;
	const bv_vec3 t[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
	bvtri_ray_frame ray;
	bvtri_ray_triangle found;
	bvtri_ray_begin( ( bv_vec3 ){ 1, 1, 5 }, ( bv_vec3 ){ 0, 0, -2 }, &ray );
	assert_true( bvtri_ray_meets_triangle( &ray, t, &found ) );
	assert_false( found.back );
	assert_true( found.time == 2.5 && found.weight[0] == 0.5 && found.weight[1] == 0.25 );
	bvtri_ray_begin( ( bv_vec3 ){ 1, 1, -5 }, ( bv_vec3 ){ 0, 0, 2 }, &ray );
	assert_true( bvtri_ray_meets_triangle( &ray, t, &found ) );
	assert_true( found.back );

	// Along the plane, and of a triangle without area.
	bvtri_ray_begin( ( bv_vec3 ){ -1, 1, 0 }, ( bv_vec3 ){ 1, 0, 0 }, &ray );
	assert_false( bvtri_ray_meets_triangle( &ray, t, &found ) );
	const bv_vec3 line[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 2, 0, 0 } };
	bvtri_ray_begin( ( bv_vec3 ){ 1, 0, 5 }, ( bv_vec3 ){ 0, 0, -2 }, &ray );
	assert_false( bvtri_ray_meets_triangle( &ray, line, &found ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( rays_meet_triangles_as_exact_volumes_say ),
		fixture_test( no_ray_leaves_a_closed_mesh_unseen ),
		fixture_test( sides_are_front_and_back ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
