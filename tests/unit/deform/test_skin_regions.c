// Queries within a region that was made exact: the same results as with a mesh all of whose vertices are skinned, and of boxes as
// by separating axes in 113-bit arithmetic.

#include "skinned.h"

static const bv_file* regional_file( fixture* f, bvb_mesh mesh, int types )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.leaf_triangles = 1 + (uint32_t)types % 4;
	options.hierarchy.volume_types = types < bv_volume_types ? 1u << types : ( 1u << bv_volume_types ) - 1;
	options.hierarchy.collapse = types % 2 ? 8 : 0;
	return build_file( f, &mesh, &options );
}

// A box that contains a vertex, somewhere in it.
static bv_aabb box_at( fixture* f, bv_vec3 p, double size )
{
	bv_vec3 a = random_point( f );
	bv_vec3 b = random_point( f );
	return ( bv_aabb ){ plus( p, -size, a ), plus( p, size, b ) };
}

static bv_vec3 point_in( fixture* f, const bv_aabb* box )
{
	bv_vec3 t = random_point( f );
	return ( bv_vec3 ){ box->lower.x + t.x * ( box->upper.x - box->lower.x ),
		                box->lower.y + t.y * ( box->upper.y - box->lower.y ),
		                box->lower.z + t.z * ( box->upper.z - box->lower.z ) };
}

static bv_aabb box_in( fixture* f, const bv_aabb* box )
{
	bv_vec3 a = point_in( f, box );
	bv_vec3 b = point_in( f, box );
	return ( bv_aabb ){ { fmin( a.x, b.x ), fmin( a.y, b.y ), fmin( a.z, b.z ) },
		                { fmax( a.x, b.x ), fmax( a.y, b.y ), fmax( a.z, b.z ) } };
}

typedef struct found_set
{
	uint8_t* found; // by triangle
	uint32_t count;
} found_set;

static bool add_found( void* context, uint32_t triangle )
{
	found_set* set = context;
	set->found[triangle] = 1;
	set->count += 1;
	return true;
}

static bool add_pair( void* context, uint32_t a, uint32_t b )
{
	(void)b;
	return add_found( context, a );
}

static void triangle_at( const bv_file* file, uint32_t triangle, bv_vec3 out[3] )
{
	uint32_t corner[3];
	bv_file_get_triangle( file, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bv_file_get_vertex( file, corner[k] );
	}
}

// Whether the axis separates the triangle from the box.
static bool separates( wide t[3][3], const wide half[3], const wide axis[3] )
{
	wide lower = 0;
	wide upper = 0;
	wide reach = 0;
	for ( int i = 0; i < 3; ++i )
	{
		wide at = axis[0] * t[i][0] + axis[1] * t[i][1] + axis[2] * t[i][2];
		lower = i == 0 || at < lower ? at : lower;
		upper = i == 0 || at > upper ? at : upper;
		reach += ( axis[i] < 0 ? -axis[i] : axis[i] ) * half[i];
	}
	return lower > reach || upper < -reach;
}

static bool triangle_touches( const bv_vec3 t[3], const bv_aabb* box )
{
	wide c[3][3];
	wide half[3];
	for ( int k = 0; k < 3; ++k )
	{
		wide l = ( &box->lower.x )[k];
		wide u = ( &box->upper.x )[k];
		half[k] = ( u - l ) / 2;
		for ( int i = 0; i < 3; ++i )
		{
			c[i][k] = ( &t[i].x )[k] - ( l + u ) / 2;
		}
	}
	wide edge[3][3];
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			edge[i][k] = c[( i + 1 ) % 3][k] - c[i][k];
		}
	}
	wide normal[3];
	for ( int k = 0; k < 3; ++k )
	{
		int a = ( k + 1 ) % 3;
		int b = ( k + 2 ) % 3;
		normal[k] = edge[0][a] * edge[1][b] - edge[0][b] * edge[1][a];
	}
	bool apart = separates( c, half, normal );
	for ( int k = 0; k < 3; ++k )
	{
		wide axis[3] = { k == 0, k == 1, k == 2 };
		apart = apart || separates( c, half, axis );
		for ( int i = 0; i < 3; ++i )
		{
			int a = ( k + 1 ) % 3;
			int b = ( k + 2 ) % 3;
			wide across[3] = { 0, 0, 0 };
			across[a] = -edge[i][b];
			across[b] = edge[i][a];
			apart = apart || separates( c, half, across );
		}
	}
	return !apart;
}

typedef struct pair_of_files
{
	const bv_file* part;  // exact in a region
	const bv_file* whole; // exact everywhere
	uint8_t* found[2];
	uint32_t triangles;
} pair_of_files;

static void assert_same_boxes( pair_of_files* p, const bv_aabb* box )
{
	found_set set[2] = { { p->found[0], 0 }, { p->found[1], 0 } };
	for ( int i = 0; i < 2; ++i )
	{
		memset( p->found[i], 0, p->triangles );
		bv_overlap_options options = { .callback = add_found, .context = set + i };
		bv_overlap_result result;
		const bv_file* file = i ? p->whole : p->part;
		assert_int_equal( bv_mesh_overlap_aabb( file, NULL, box, &options, &result ), bv_ok );
	}
	assert_memory_equal( p->found[0], p->found[1], p->triangles );
	for ( uint32_t i = 0; i < p->triangles; ++i )
	{
		bv_vec3 t[2][3];
		triangle_at( p->part, i, t[0] );
		triangle_at( p->whole, i, t[1] );
		bool touches = triangle_touches( t[1], box );
		assert_int_equal( triangle_touches( t[0], box ), touches );
		assert_int_equal( p->found[0][i], touches );
		assert_true( !touches || memcmp( t[0], t[1], sizeof t[0] ) == 0 );
	}
}

static void assert_same_segments( fixture* f, pair_of_files* p, const bv_aabb* region )
{
	bv_vec3 from = point_in( f, region );
	bv_ray ray = { .origin = from, .direction = minus( point_in( f, region ), from ), .to = 1 };
	bv_ray_result hit[2];
	assert_int_equal( bv_mesh_cast_ray( p->part, NULL, &ray, NULL, hit ), bv_ok );
	assert_int_equal( bv_mesh_cast_ray( p->whole, NULL, &ray, NULL, hit + 1 ), bv_ok );
	assert_int_equal( hit[0].found, hit[1].found );
	if ( hit[0].found )
	{
		assert_true( hit[0].time == hit[1].time && hit[0].at.triangle == hit[1].at.triangle );
	}
}

// A mesh inside of the region; its volumes can reach beyond.
static void assert_same_pairs( fixture* f, pair_of_files* p, const bv_aabb* region )
{
	bvb_mesh mesh = soup_create( f, 6 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = point_in( f, region );
	}
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << bv_volume_sphere;
	const bv_file* other = build_file( f, &mesh, &options );
	bv_aabb stored = { point_in( f, region ), point_in( f, region ) };
	for ( uint32_t i = 0; i < bv_file_get_mesh( other ).vertices; ++i )
	{
		bv_vec3 v = bv_file_get_vertex( other, i );
		stored.lower = ( bv_vec3 ){ fmin( stored.lower.x, v.x ), fmin( stored.lower.y, v.y ),
			                        fmin( stored.lower.z, v.z ) };
		stored.upper = ( bv_vec3 ){ fmax( stored.upper.x, v.x ), fmax( stored.upper.y, v.y ),
			                        fmax( stored.upper.z, v.z ) };
	}
	if ( stored.lower.x < region->lower.x || stored.lower.y < region->lower.y ||
	     stored.lower.z < region->lower.z || stored.upper.x > region->upper.x ||
	     stored.upper.y > region->upper.y || stored.upper.z > region->upper.z )
	{
		return;
	}
	found_set set[2] = { { p->found[0], 0 }, { p->found[1], 0 } };
	for ( int i = 0; i < 2; ++i )
	{
		memset( p->found[i], 0, p->triangles );
		bv_collide_options collide = { .callback = add_pair, .context = set + i };
		bv_collide_result result;
		assert_int_equal( bv_mesh_collide( i ? p->whole : p->part, other, NULL, &collide, &result ), bv_ok );
	}
	assert_memory_equal( p->found[0], p->found[1], p->triangles );
	assert_int_equal( set[0].count, set[1].count );
}

// The closest point counts if the ball to it is inside of the region.
static void assert_same_closest( fixture* f, pair_of_files* p, const bv_aabb* region )
{
	bv_vec3 from = point_in( f, region );
	double most = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double x = ( &from.x )[k];
		most = fmin( most, fmin( x - ( &region->lower.x )[k], ( &region->upper.x )[k] - x ) );
	}
	bv_closest_result r[2];
	assert_int_equal( bv_mesh_closest_point( p->part, NULL, from, NULL, r ), bv_ok );
	assert_int_equal( bv_mesh_closest_point( p->whole, NULL, from, NULL, r + 1 ), bv_ok );
	if ( r[0].distance < most * ( 1 - 1e-9 ) || r[1].distance < most * ( 1 - 1e-9 ) )
	{
		assert_true( r[0].distance == r[1].distance );
	}
}

static void check_region( fixture* f, pair_of_files* p, const bv_aabb* region )
{
	assert_same_boxes( p, region );
	for ( int i = 0; i < 3; ++i )
	{
		bv_aabb box = box_in( f, region );
		assert_same_boxes( p, &box );
		assert_same_segments( f, p, region );
		assert_same_closest( f, p, region );
	}
	if ( random_bits( f ) % 4 == 0 )
	{
		assert_same_pairs( f, p, region );
	}
}

static skinned regional_skin( fixture* f, int index, int types )
{
	switch ( index )
	{
	case 0: return skin_along( f, regional_file( f, tube_mesh( f, 30, 8 ), types ), 8, NULL );
	case 1: return skin_wildly( f, regional_file( f, bumpy_ball( f, 7 ), types ), 9, NULL );
	default:
		return skin_wildly( f, regional_file( f, random_soup( f, 60, ( bv_vec3 ){ 0, 0, 0 } ), types ), 3,
		                    NULL );
	}
}

static void queries_within_regions_are_exact( void** state )
{
	fixture* f = *state;
	for ( int index = 0; index < 3; ++index )
	{
		// In short, each type of volume with one of the meshes.
		for ( int types = is_thorough() ? 0 : index; types <= bv_volume_types;
		      types += is_thorough() ? 1 : 3 )
		{
			skinned part = regional_skin( f, index, types );
			skinned whole = skin_file( f, part.file, part.bones, &part.weights, NULL );
			uint32_t triangles = bv_file_get_mesh( part.file ).triangles;
			pair_of_files p = {
				.part = bvw_skin_file( part.skin ),
				.whole = bvw_skin_file( whole.skin ),
				.found = { bvb_arena_allocate( f->arena, triangles, 1 ),
				           bvb_arena_allocate( f->arena, triangles, 1 ) },
				.triangles = triangles,
			};
			bvw_bones bones = bones_of( &part );
			for ( int kind = 0; kind < pose_kinds * ( is_thorough() ? 10 : 1 ); ++kind )
			{
				pose_bones( f, &part, kind % pose_kinds );
				assert_int_equal( bvw_skin_refit( whole.skin, &bones, NULL ), bv_ok );
				assert_int_equal( bvw_skin_pose( part.skin, &bones, NULL ), bv_ok );
				double size = kind == pose_tiny ? 1e-30 : kind == pose_zero ? 0.3 : 1;
				bv_aabb region[3];
				for ( int i = 0; i < 3; ++i )
				{
					uint32_t vertex = (uint32_t)( random_bits( f ) % part.vertices );
					region[i] = box_at( f, bv_file_get_vertex( p.whole, vertex ), size * random_unit( f ) );
					bvw_deform_report report;
					assert_int_equal( bvw_skin_exact( part.skin, region + i, &report ), bv_ok );
					assert_true( report.vertices > 0 || i > 0 );
					assert_int_equal( report.nodes, 0 );
				}
				for ( int i = 0; i < 3 && kind % pose_kinds != pose_tiny; ++i )
				{
					check_region( f, &p, region + i );
				}
				assert_nodes_hold( p.part, skinned_positions( f, &part ) );
				// Posed there alone; what is elsewhere stays as it was.
				for ( int i = 0; i < 3; ++i )
				{
					uint32_t vertex = (uint32_t)( random_bits( f ) % part.vertices );
					region[i] = box_at( f, bv_file_get_vertex( p.whole, vertex ), size * random_unit( f ) );
				}
				bvw_deform_report report;
				assert_int_equal( bvw_skin_near( part.skin, &bones, region, 1 + (uint32_t)kind % 3, &report ),
				                  bv_ok );
				assert_true( report.vertices > 0 && report.nodes > 0 );
				for ( int i = 0; i < 1 + kind % 3 && kind % pose_kinds != pose_tiny; ++i )
				{
					check_region( f, &p, region + i );
				}
				assert_int_equal( bvw_skin_exact( part.skin, region, NULL ), bv_error_argument );
			}
		}
	}
}

// Rounding errors of queries are relative to the greatest coordinate: triangles that are far away along y appear to touch boxes that are
// beside them along x. They do so with and without a region.
static void rounding_errors_of_one_axis_count_along_others( void** state )
{
	fixture* f = *state;
	for ( int types = 0; types <= bv_volume_types; ++types )
	{
		skinned part = skin_along( f, regional_file( f, tube_mesh( f, 20, 8 ), types ), 2, NULL );
		skinned whole = skin_file( f, part.file, part.bones, &part.weights, NULL );
		uint32_t triangles = bv_file_get_mesh( part.file ).triangles;
		bvw_bones bones = bones_of( &part );
		bv_aabb region = { { 12, -1, -1 }, { 12.001, 1, 1 } };
		pose_bones( f, &part, pose_rest );
		part.matrices[16 + 5] = 1e22;
		assert_int_equal( bvw_skin_refit( whole.skin, &bones, NULL ), bv_ok );
		for ( int is_near = 0; is_near < 2; ++is_near )
		{
			assert_int_equal( bvw_skin_pose( part.skin, &bones, NULL ), bv_ok );
			assert_int_equal( is_near ? bvw_skin_near( part.skin, &bones, &region, 1, NULL )
			                          : bvw_skin_exact( part.skin, &region, NULL ),
			                  bv_ok );
			found_set set[2];
			for ( int i = 0; i < 2; ++i )
			{
				set[i] = ( found_set ){ .found = bvb_arena_allocate( f->arena, triangles, 1 ) };
				memset( set[i].found, 0, triangles );
				bv_overlap_options options = { .callback = add_found, .context = set + i };
				bv_overlap_result result;
				const bv_file* file = bvw_skin_file( i ? whole.skin : part.skin );
				assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &region, &options, &result ), bv_ok );
			}
			assert_memory_equal( set[0].found, set[1].found, triangles );
		}
	}
}

// Few vertices of a long tube are near a small region.
static void small_regions_move_few_vertices( void** state )
{
	fixture* f = *state;
	skinned s = skin_along( f, regional_file( f, tube_mesh( f, 100, 16 ), bv_volume_obb ), 10, NULL );
	bvw_bones bones = bones_of( &s );
	pose_bones( f, &s, pose_rest );
	assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
	bv_aabb region = { { 4, -2, -2 }, { 4.5, 2, 2 } };
	bvw_deform_report report;
	assert_int_equal( bvw_skin_exact( s.skin, &region, &report ), bv_ok );
	assert_in_range( report.vertices, 5 * 16, 11 * 16 );
	assert_int_equal( bvw_skin_exact( s.skin, &region, &report ), bv_ok );
	assert_int_equal( report.vertices, 0 );
	region = ( bv_aabb ){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
	assert_int_equal( bvw_skin_exact( s.skin, &region, &report ), bv_ok );
	assert_true( report.vertices > 80 * 16 && report.vertices < s.vertices );
	assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
	region = ( bv_aabb ){ { 20, -2, -2 }, { 21, 2, 2 } };
	assert_int_equal( bvw_skin_exact( s.skin, &region, &report ), bv_ok );
	assert_int_equal( report.vertices, 0 );
	assert_int_equal( bvw_skin_near( s.skin, &bones, &region, 1, &report ), bv_ok );
	assert_int_equal( report.vertices, 0 );
	assert_int_equal( report.nodes, 1 );
	region = ( bv_aabb ){ { 4, -2, -2 }, { 4.5, 2, 2 } };
	assert_int_equal( bvw_skin_near( s.skin, &bones, &region, 1, &report ), bv_ok );
	assert_in_range( report.vertices, 5 * 16, 11 * 16 );
	assert_true( report.nodes < bv_file_get_hierarchy( s.file ).nodes / 4 );
}

static bool add_leaf_area( void* context, const bv_node_info* node )
{
	*(double*)context += node->children > 0 ? 0 : area_of( &node->volume );
	return true;
}

// Volumes of leaves are of their vertices, up to the rounding of codes, whose steps depend on the siblings' boxes.
static void leaves_in_regions_are_tight( void** state )
{
	fixture* f = *state;
	bv_aabb everything = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
	for ( int types = 0; types <= bv_volume_types; ++types )
	{
		skinned s = skin_along( f, regional_file( f, tube_mesh( f, 60, 12 ), types ), 6, NULL );
		bvw_bones bones = bones_of( &s );
		pose_bones( f, &s, pose_chain );
		double area[3] = { 0, 0, 0 };
		assert_int_equal( bvw_skin_near( s.skin, &bones, &everything, 1, NULL ), bv_ok );
		bv_file_visit_nodes( bvw_skin_file( s.skin ), add_leaf_area, area );
		assert_nodes_hold( bvw_skin_file( s.skin ), skinned_positions( f, &s ) );
		assert_int_equal( bvw_skin_refit( s.skin, &bones, NULL ), bv_ok );
		bv_file_visit_nodes( bvw_skin_file( s.skin ), add_leaf_area, area + 1 );
		assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
		bv_file_visit_nodes( bvw_skin_file( s.skin ), add_leaf_area, area + 2 );
		assert_true( area[0] <= 1.02 * area[1] );
		assert_true( area[2] > 1.1 * area[1] && area[2] < 8 * area[1] );
	}
}

// Volumes that were passed over are of other poses and grids: queries elsewhere have no meaning, but end.
static void queries_elsewhere_end( void** state )
{
	fixture* f = *state;
	for ( int types = 0; types <= bv_volume_types; ++types )
	{
		skinned s = skin_wildly( f, regional_file( f, bumpy_ball( f, 7 ), types ), 9, NULL );
		bvw_bones bones = bones_of( &s );
		const bv_file* file = bvw_skin_file( s.skin );
		for ( int i = 0; i < 12; ++i )
		{
			pose_bones( f, &s, (int)( random_bits( f ) % pose_kinds ) );
			bv_aabb region =
				box_at( f, bv_file_get_vertex( file, (uint32_t)( random_bits( f ) % s.vertices ) ), 1 );
			assert_int_equal( bvw_skin_near( s.skin, &bones, &region, 1, NULL ), bv_ok );
			bv_ray ray = { .origin = random_around( f ), .direction = random_around( f ) };
			bv_ray_result hit;
			bv_closest_result closest;
			bv_collide_result pairs;
			bv_overlap_result overlap;
			bv_aabb box = box_at( f, random_around( f ), 3 );
			bv_collide_options few = { .most_tests = 100000 };
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ), bv_ok );
			assert_int_equal( bv_mesh_closest_point( file, NULL, ray.origin, NULL, &closest ), bv_ok );
			assert_int_equal( bv_mesh_collide( file, s.file, NULL, &few, &pairs ), bv_ok );
			assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &overlap ), bv_ok );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( queries_within_regions_are_exact ),
		fixture_test( rounding_errors_of_one_axis_count_along_others ),
		fixture_test( small_regions_move_few_vertices ),
		fixture_test( leaves_in_regions_are_tight ),
		fixture_test( queries_elsewhere_end ),
	};
	return cmocka_run_group_tests_name( "deform/skin_regions", tests, NULL, NULL );
}
