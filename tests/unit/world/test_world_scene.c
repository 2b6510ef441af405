// Objects made of files: boxes against all vertices in rational arithmetic, and pairs against all objects and all their triangles.

#include "scenes.h"

static bool holds( const bv_aabb* box, bv_vec3 p )
{
	return box->lower.x <= p.x && p.x <= box->upper.x && box->lower.y <= p.y && p.y <= box->upper.y &&
	       box->lower.z <= p.z && p.z <= box->upper.z;
}

static void assert_holds_exactly( const bv_aabb* box, const bv_file* file, const bv_transform* t )
{
	const double lower[3] = { box->lower.x, box->lower.y, box->lower.z };
	const double upper[3] = { box->upper.x, box->upper.y, box->upper.z };
	mpq_t at;
	mpq_t bound;
	mpq_inits( at, bound, NULL );
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		for ( int k = 0; k < 3; ++k )
		{
			place_exactly( t, p, k, at );
			mpq_set_d( bound, lower[k] );
			assert_true( mpq_cmp( bound, at ) <= 0 );
			mpq_set_d( bound, upper[k] );
			assert_true( mpq_cmp( bound, at ) >= 0 );
		}
		assert_true( holds( box, bv_transform_point( t, p ) ) );
	}
	mpq_clears( at, bound, NULL );
}

// The size of a box along an axis.
static double side( const bv_aabb* box, int k )
{
	bv_vec3 d = minus( box->upper, box->lower );
	return k == 0 ? d.x : k == 1 ? d.y : d.z;
}

// At any placement, also skewed as far as is allowed, mirrored, tiny, huge and far away. Of a turned box of the mesh no side is longer
// than its diagonal; that of a mesh that is a box is as tight as its own.
static void boxes_hold_all_vertices( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		const bv_file* files[scene_files];
		if ( round % 10 == 0 )
		{
			make_files( f, round, files );
		}
		for ( int i = 0; i < scene_files; ++i )
		{
			double reach = round % 3 == 0 ? 0 : pow( 10, 16 * random_unit( f ) - 4 );
			bv_transform t =
				placed_around( f, files[i], plus( ( bv_vec3 ){ 0, 0, 0 }, reach, random_around( f ) ) );
			t.scale *= round % 5 == 0 ? 0x1p-60 : round % 5 == 1 ? 0x1p60 : 1;
			bv_aabb box;
			assert_int_equal( bvw_file_box( files[i], &t, &box ), bv_ok );
			assert_holds_exactly( &box, files[i], &t );
			bv_aabb own = box_of_placed( files[i], &t );
			bv_transform none = bv_transform_identity();
			bv_aabb local = box_of_placed( files[i], &none );
			double diagonal = t.scale * length( minus( local.upper, local.lower ) );
			double slack = 1e-12 * ( diagonal + t.scale * 4000 ) + 1e-14 * length( t.pose.translation );
			for ( int k = 0; k < 3; ++k )
			{
				double most = i == 1 ? side( &own, k ) : 1.001 * diagonal;
				assert_true( side( &box, k ) <= most + slack + 1e-4 * diagonal );
			}
		}
	}
}

static void boxes_without_placement_are_those_of_files( void** state )
{
	fixture* f = *state;
	const bv_file* files[scene_files];
	make_files( f, 0, files );
	bv_transform none = bv_transform_identity();
	for ( int i = 0; i < scene_files; ++i )
	{
		bv_aabb a;
		bv_aabb b;
		assert_int_equal( bvw_file_box( files[i], NULL, &a ), bv_ok );
		assert_int_equal( bvw_file_box( files[i], &none, &b ), bv_ok );
		assert_memory_equal( &a, &b, sizeof a );
		bv_aabb own = box_of_placed( files[i], &none );
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( side( &a, k ) <= side( &own, k ) + 1e-11 * ( 1 + length( own.lower ) ) );
		}
	}
}

// At times of the interval the vertices are where bv_motion_at says. Long turns and short ones.
static void swept_boxes_hold_all_vertices_at_all_times( void** state )
{
	fixture* f = *state;
	const bv_file* files[scene_files];
	make_files( f, 3, files );
	bool is_smaller_than_all[2] = { false, false };
	for ( int round = 0; round < 160; ++round )
	{
		const bv_file* file = files[round % scene_files];
		bv_transform t = placed_around( f, file, random_around( f ) );
		bv_transform to = placed_around( f, file, plus( random_around( f ), 3, random_around( f ) ) );
		to.scale = t.scale;
		to.mirror = t.mirror;
		bv_motion motion;
		double angle = round % 2 == 0 ? 0.1 : 9;
		bv_status status =
			round % 4 < 2 ? bv_motion_screw( &t, random_around( f ), random_around( f ), angle, 1, &motion )
						  : bv_motion_slerp( &t, &to, bv_file_get_offset( file ), &motion );
		assert_int_equal( status, bv_ok );
		double from = random_unit( f );
		double until = from + ( 1 - from ) * random_unit( f );
		bv_aabb box;
		bv_aabb all;
		assert_int_equal( bvw_file_swept_box( file, &motion, from, until, &box ), bv_ok );
		assert_int_equal( bvw_file_swept_box( file, &motion, 0, 1, &all ), bv_ok );
		for ( int i = 0; i <= 16; ++i )
		{
			bv_transform at;
			double time = i == 16 ? until : from + ( until - from ) * i / 16;
			assert_int_equal( bv_motion_at( &motion, time, &at ), bv_ok );
			for ( uint32_t v = 0; v < bv_file_get_mesh( file ).vertices; ++v )
			{
				bv_vec3 p = placed( &at, bv_file_get_vertex( file, v ) );
				assert_true( holds( &box, p ) && holds( &all, p ) );
			}
		}
		is_smaller_than_all[round % 2] |= side( &box, 0 ) < 0.9 * side( &all, 0 );
	}
	assert_true( is_smaller_than_all[0] && is_smaller_than_all[1] );
}

__extension__ typedef __float128 wide;

// Six times the volume of a tetrahedron.
static wide volume( const bv_vec3* a, const bv_vec3* b, const bv_vec3* c, const bv_vec3* d )
{
	wide u[3] = { (wide)b->x - (wide)a->x, (wide)b->y - (wide)a->y, (wide)b->z - (wide)a->z };
	wide v[3] = { (wide)c->x - (wide)a->x, (wide)c->y - (wide)a->y, (wide)c->z - (wide)a->z };
	wide w[3] = { (wide)d->x - (wide)a->x, (wide)d->y - (wide)a->y, (wide)d->z - (wide)a->z };
	return u[0] * ( v[1] * w[2] - v[2] * w[1] ) - u[1] * ( v[0] * w[2] - v[2] * w[0] ) +
	       u[2] * ( v[0] * w[1] - v[1] * w[0] );
}

static bool is_crossed( const bv_vec3 t[3], const bv_vec3* p, const bv_vec3* q )
{
	bool above = volume( t, t + 1, t + 2, p ) > 0;
	bool beyond = volume( t, t + 1, t + 2, q ) > 0;
	bool left = volume( p, q, t, t + 1 ) > 0;
	return above != beyond && left == ( volume( p, q, t + 1, t + 2 ) > 0 ) &&
	       left == ( volume( p, q, t + 2, t ) > 0 );
}

// In general position: a side of one crosses the other.
static bool triangles_cross( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	bool cross = false;
	for ( int k = 0; k < 3 && !cross; ++k )
	{
		cross = is_crossed( a, b + k, b + ( k + 1 ) % 3 ) || is_crossed( b, a + k, a + ( k + 1 ) % 3 );
	}
	return cross;
}

static void get_corners( const stage* s, uint32_t object, uint32_t triangle, bv_vec3 out[3] )
{
	const bvw_instance* i = s->instances + object;
	get_placed( s->files[i->file], triangle, &i->placement, out );
}

// All triangles of both, but for those whose boxes are apart.
static bool meshes_cross( const stage* s, uint32_t a, uint32_t b )
{
	const bvw_instance* of_a = s->instances + a;
	const bvw_instance* of_b = s->instances + b;
	bv_aabb box = box_of_placed( s->files[of_b->file], &of_b->placement );
	uint32_t count_a = bv_file_get_mesh( s->files[of_a->file] ).triangles;
	uint32_t count_b = bv_file_get_mesh( s->files[of_b->file] ).triangles;
	bool cross = false;
	for ( uint32_t i = 0; i < count_a && !cross; ++i )
	{
		bv_vec3 t[3];
		get_corners( s, a, i, t );
		bv_aabb own = box_of_points( t, 3 );
		for ( uint32_t k = 0; k < count_b && !cross && !boxes_are_apart( &own, &box ); ++k )
		{
			bv_vec3 u[3];
			get_corners( s, b, k, u );
			bv_aabb other = box_of_points( u, 3 );
			cross = !boxes_are_apart( &own, &other ) && triangles_cross( t, u );
		}
	}
	return cross;
}

// Of every method, at the origin and far from it.
static void pairs_lead_to_all_meshes_that_intersect( void** state )
{
	fixture* f = *state;
	const bv_vec3 middles[2] = { { 0, 0, 0 }, { 1e7, -2e7, 3e6 } };
	for ( int round = 0; round < 2; ++round )
	{
		static bool crosses[scene_objects][scene_objects];
		stage s;
		make_stage( f, round, 9, middles[round], &s );
		uint32_t crossing = 0;
		uint32_t apart = 0;
		for ( uint32_t a = 0; a < scene_objects; ++a )
		{
			for ( uint32_t b = a + 1; b < scene_objects; ++b )
			{
				crosses[a][b] =
					is_made_of_file( &s, a ) && is_made_of_file( &s, b ) && meshes_cross( &s, a, b );
				crossing += crosses[a][b];
			}
		}
		for ( int m = bvw_method_all_pairs; m < bvw_methods; ++m )
		{
			bvw_scene scene = scene_of( &s, m );
			bvw_changes changes;
			uint32_t found = 0;
			assert_int_equal( bvw_broadphase_update( s.worlds[m], &changes ), bv_ok );
			for ( uint32_t i = 0; i < changes.begun_count; ++i )
			{
				bvw_pair p = changes.begun[i];
				bvw_meshes meshes = { .a = NULL };
				bv_collide_result r;
				bv_collide_options first = { .first = true };
				if ( !is_made_of_file( &s, p.a ) || !is_made_of_file( &s, p.b ) )
				{
					assert_int_equal( bvw_scene_pair( &scene, p, &meshes ), bv_error_argument );
					assert_null( meshes.a );
					continue;
				}
				assert_int_equal( bvw_scene_pair( &scene, p, &meshes ), bv_ok );
				assert_ptr_equal( meshes.a, s.files[s.instances[p.a].file] );
				assert_ptr_equal( meshes.b, s.files[s.instances[p.b].file] );
				assert_int_equal( bv_mesh_collide( meshes.a, meshes.b, &meshes.b_in_a, &first, &r ), bv_ok );
				assert_int_equal( r.pairs > 0, crosses[p.a][p.b] );
				found += r.pairs > 0;
				apart += r.pairs == 0;
			}
			assert_int_equal( found, crossing );
		}
		assert_true( crossing > 20 && apart > 20 );
	}
}

static void invalid_arguments_change_nothing( void** state )
{
	fixture* f = *state;
	stage s;
	make_stage( f, 0, 9, ( bv_vec3 ){ 0, 0, 0 }, &s );
	bv_aabb box = { { 1, 2, 3 }, { 4, 5, 6 } };
	const bv_aabb before = box;
	bv_transform bad = bv_transform_identity();
	bad.pose.rotation[0][0] = 1.1;
	bv_transform far = bv_transform_translation( 0, 2 * BV_MAX_LENGTH, 0 );
	bv_transform nowhere = bv_transform_translation( NAN, 0, 0 );
	const bv_transform* wrong[] = { &bad, &far, &nowhere };
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bvw_file_box( s.files[0], wrong[i], &box ), bv_error_argument );
	}
	assert_int_equal( bvw_file_box( NULL, NULL, &box ), bv_error_argument );
	assert_int_equal( bvw_file_box( s.files[0], NULL, NULL ), bv_error_argument );
	bv_motion motion;
	bv_transform none = bv_transform_identity();
	assert_int_equal( bv_motion_still( &none, &motion ), bv_ok );
	assert_int_equal( bvw_file_swept_box( NULL, &motion, 0, 1, &box ), bv_error_argument );
	assert_int_equal( bvw_file_swept_box( s.files[0], &motion, 0, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_file_swept_box( s.files[0], NULL, 0, 1, &box ), bv_error_argument );
	assert_int_equal( bvw_file_swept_box( s.files[0], &motion, 0.5, 0.25, &box ), bv_error_argument );
	assert_int_equal( bvw_file_swept_box( s.files[0], &motion, 0, NAN, &box ), bv_error_argument );
	assert_memory_equal( &box, &before, sizeof box );

	bvw_scene scene = scene_of( &s, bvw_method_tree );
	bvw_pair pair = { 0, 1 };
	bvw_meshes out = { .a = s.files[2] };
	bvw_scene scenes[4] = { scene, scene, scene, scene };
	scenes[0].world = NULL;
	scenes[1].files = NULL;
	scenes[2].instances = NULL;
	scenes[3].file_count = 1;
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvw_scene_pair( scenes + i, pair, &out ), bv_error_argument );
	}
	assert_int_equal( bvw_scene_pair( NULL, pair, &out ), bv_error_argument );
	assert_int_equal( bvw_scene_pair( &scene, pair, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_pair( &scene, ( bvw_pair ){ 0, scene_objects }, &out ), bv_error_argument );
	s.instances[1].placement = bad;
	assert_int_equal( bvw_scene_pair( &scene, pair, &out ), bv_error_argument );
	s.instances[1].placement = none;
	s.instances[1].placement.scale = 0x1p-90;
	s.instances[0].placement.scale = 0x1p90;
	assert_int_equal( bvw_scene_pair( &scene, pair, &out ), bv_error_unsupported );
	assert_ptr_equal( out.a, s.files[2] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_hold_all_vertices ),
		fixture_test( boxes_without_placement_are_those_of_files ),
		fixture_test( swept_boxes_hold_all_vertices_at_all_times ),
		fixture_test( pairs_lead_to_all_meshes_that_intersect ),
		fixture_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
