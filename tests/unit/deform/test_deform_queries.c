// Queries of deformed meshes against all triangles: pairs with another mesh, rays, closest points, distances, and points inside.

#include "tests/unit/deform/bent_meshes.h"

#include "runtime/triangle/pair.h"
#include "runtime/triangle/ray.h"
#include "tests/reference/gaps.h"
#include "tests/reference/nearest.h"

#include <stdio.h>

// A deformed mesh, and where its vertices are.
typedef struct subject
{
	bent b;
	const bv_file* file;
	bvb_mesh mesh; // with the offset
	bv_vec3 center;
	double size;
} subject;

static void update( subject* s )
{
	refit_all( &s->b );
	s->file = bvw_deform_file( s->b.deform );
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < s->mesh.vertex_count; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( s->file, i );
		s->mesh.positions[i] = p;
		lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
		upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
	}
	s->center = plus( plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, lower ), 0.5, upper );
	s->size = length( minus( upper, lower ) ) + 0x1p-20 * s->b.diagonal;
}

static subject begin_subject( fixture* f, int mesh, int volumes )
{
	bvw_deform_options options = { .frames = volumes % 2 ? bvw_deform_turn : bvw_deform_keep };
	subject s = { .b = bend_file( f, bent_file( f, mesh, volumes ), &options ) };
	s.mesh = mesh_inside( f, bvw_deform_file( s.b.deform ) );
	update( &s );
	return s;
}

static bv_vec3 place_near( fixture* f, const subject* s, double distance )
{
	return plus( s->center, distance * s->size, random_around( f ) );
}

static void triangle_of( const bvb_mesh* mesh, uint32_t triangle, const bv_transform* t, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[triangle].corner[k]];
		out[k] = t ? bv_transform_point( t, p ) : p;
	}
}

typedef struct pair_set
{
	bool* seen;
	uint32_t columns;
	uint64_t repeated;
} pair_set;

static bool mark_pair( void* context, uint32_t a, uint32_t b )
{
	pair_set* set = context;
	bool* cell = set->seen + (size_t)a * set->columns + b;
	set->repeated += *cell;
	*cell = true;
	return true;
}

// The triangle test itself is proved in test_triangle_pair.
static uint64_t check_pairs( const subject* a, const subject* b, const bv_transform* t )
{
	uint32_t columns = b->mesh.triangle_count;
	pair_set set = { calloc( (size_t)a->mesh.triangle_count * columns, 1 ), columns, 0 };
	bv_collide_options options = { .callback = mark_pair, .context = &set };
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( a->file, b->file, t, &options, &result ), bv_ok );
	uint64_t expected = 0;
	for ( uint32_t i = 0; i < a->mesh.triangle_count; ++i )
	{
		bv_vec3 ta[3];
		triangle_of( &a->mesh, i, NULL, ta );
		for ( uint32_t k = 0; k < columns; ++k )
		{
			bv_vec3 tb[3];
			triangle_of( &b->mesh, k, t, tb );
			bool meets = bvtri_triangles_intersect( ta, tb );
			assert_int_equal( set.seen[(size_t)i * columns + k], meets );
			expected += meets;
		}
	}
	assert_int_equal( result.pairs, expected );
	assert_int_equal( set.repeated, 0 );
	free( set.seen );
	return expected;
}

static void check_ray( fixture* f, const subject* s, uint64_t* hits )
{
	bv_vec3 from = place_near( f, s, 1 );
	bv_ray ray = { from, minus( place_near( f, s, 0.4 ), from ), 0, INFINITY };
	bvtri_ray_frame frame;
	bvtri_ray_begin( ray.origin, ray.direction, &frame );
	double first = INFINITY;
	for ( uint32_t i = 0; i < s->mesh.triangle_count; ++i )
	{
		bv_vec3 corner[3];
		bvtri_ray_triangle hit;
		triangle_of( &s->mesh, i, NULL, corner );
		if ( bvtri_ray_meets_triangle( &frame, corner, &hit ) && hit.time >= 0 && hit.time < first )
		{
			first = hit.time;
		}
	}
	bv_ray_result result;
	assert_int_equal( bv_mesh_cast_ray( s->file, NULL, &ray, NULL, &result ), bv_ok );
	bool has_offset = bv_file_get_offset( s->file ).x != 0;
	assert_int_equal( result.found, first < INFINITY );
	if ( result.found )
	{
		assert_true( has_offset ? fabs( result.time - first ) < 1e-8 : result.time == first );
		*hits += 1;
	}
}

static void check_closest( fixture* f, const subject* s, const nearest_faces* faces )
{
	bv_vec3 point = place_near( f, s, 0.7 );
	double expected = nearest_distance( faces, point, NULL );
	bv_closest_result result;
	assert_int_equal( bv_mesh_closest_point( s->file, NULL, point, NULL, &result ), bv_ok );
	double error = 1e-9 * s->size + 1e-14 * length( point );
	if ( !result.found || !( fabs( result.distance - expected ) <= error ) )
	{
		fail_msg( "distance %.17g instead of %.17g", result.distance, expected );
	}
}

static void queries_equal_brute_force( void** state )
{
	fixture* f = *state;
	uint64_t pairs = 0;
	uint64_t hits = 0;
	int rounds = is_thorough() ? 24 : 1;
	for ( int mesh = 1; mesh < bent_meshes; ++mesh )
	{
		for ( int volumes = mesh % 3; volumes < bent_volumes; volumes += is_thorough() ? 1 : 3 )
		{
			subject a = begin_subject( f, mesh, volumes );
			subject b =
				begin_subject( f, ( mesh * 3 + volumes ) % 2 ? 1 : 7, ( volumes + mesh ) % bent_volumes );
			for ( int i = 0; i < rounds; ++i )
			{
				reset_positions( &a.b );
				deform( f, &a.b, ( i + volumes + mesh ) % deform_kinds );
				update( &a );
				deform( f, &b.b, i % 2 ? deform_noise : deform_wave );
				update( &b );

				// As large as the other one, so that they meet.
				bv_transform t = random_transform( f, a.size / b.size, i % 2, ( bv_vec3 ){ 0, 0, 0 } );
				bv_vec3 at = bv_transform_point( &t, b.center );
				t.pose.translation = minus( place_near( f, &a, 0.1 ), at );
				pairs += check_pairs( &a, &b, &t );
				nearest_faces faces;
				assert_true( nearest_prepare( &a.mesh, 0, a.mesh.triangle_count, &faces ) );
				for ( int k = 0; k < 6; ++k )
				{
					check_ray( f, &a, &hits );
					check_closest( f, &a, &faces );
				}
				nearest_free( &faces );
				reset_positions( &b.b );
			}
			end_bent( &a.b );
			end_bent( &b.b );
		}
	}
	printf( "%llu pairs, %llu hits\n", (unsigned long long)pairs, (unsigned long long)hits );
	assert_true( pairs > 500 && hits > 10 );
}

// Distances of pairs of triangles by their features.
static void distances_equal_brute_force( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < ( is_thorough() ? 60 : bent_volumes ); ++i )
	{
		subject a = begin_subject( f, 1, i % bent_volumes );
		subject b = begin_subject( f, i % 2 ? 7 : 1, ( i / 2 ) % bent_volumes );
		deform( f, &a.b, i % 2 ? deform_noise : deform_wave );
		update( &a );
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } );
		bv_vec3 at = bv_transform_point( &t, b.center );
		t.pose.translation =
			minus( plus( a.center, 1 + random_unit( f ), ( bv_vec3 ){ a.size, 0, b.size } ), at );
		double least = INFINITY;
		for ( uint32_t k = 0; k < a.mesh.triangle_count * b.mesh.triangle_count; ++k )
		{
			bv_vec3 ta[3];
			bv_vec3 tb[3];
			triangle_of( &a.mesh, k % a.mesh.triangle_count, NULL, ta );
			triangle_of( &b.mesh, k / a.mesh.triangle_count, &t, tb );
			least = fmin( least, gap_of_triangles( ta, tb ) );
		}
		bv_distance_result result;
		assert_int_equal( bv_mesh_distance( a.file, b.file, &t, NULL, &result ), bv_ok );
		assert_true( result.found && fabs( result.distance - least ) <= 1e-9 * a.size );
		end_bent( &a.b );
		end_bent( &b.b );
	}
}

// Meshes that were closed are so still. Of those that were only stretched and sheared, the winding number says what is inside.
static void points_inside_are_those_that_the_mesh_winds_about( void** state )
{
	fixture* f = *state;
	uint64_t inside = 0;
	for ( int i = 0; i < ( is_thorough() ? 90 : bent_volumes ); ++i )
	{
		subject s = begin_subject( f, i % 2 ? 2 : 1, i % bent_volumes );
		double m[3][3];
		for ( int k = 0; k < 9; ++k )
		{
			m[k / 3][k % 3] = 0.3 * random_sign( f ) + ( k % 4 == 0 ? 1 : 0 );
		}
		move_affinely( f, &s.b, m );
		update( &s );
		nearest_faces faces;
		assert_true( nearest_prepare( &s.mesh, 0, s.mesh.triangle_count, &faces ) );
		for ( int k = 0; k < 12; ++k )
		{
			bv_vec3 p = place_near( f, &s, 0.4 );
			double winding = nearest_winding( &faces, p );
			bv_contains_result result;
			assert_int_equal( bv_mesh_contains( s.file, NULL, p, NULL, &result ), bv_ok );
			if ( result.distance > 1e-6 * s.size )
			{
				assert_int_equal( result.side, fabs( winding ) > 0.5 ? bv_side_inside : bv_side_outside );
				inside += result.side == bv_side_inside;
			}
		}
		nearest_free( &faces );
		end_bent( &s.b );
	}
	assert_true( inside > 10 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( queries_equal_brute_force ),
		fixture_test( distances_equal_brute_force ),
		fixture_test( points_inside_are_those_that_the_mesh_winds_about ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
