// Files with an offset: accessors and queries answer as for a mesh that is where the offset says. The same mesh without an
// offset, placed there, is the other opinion; what encloses something is judged by exact arithmetic of reach.h.

#include "queries.h"

#include "bv/inspect.h"
#include "runtime/file/layout.h"
#include "runtime/file/local.h"
#include "runtime/tree/place.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <float.h>
#include <math.h>

// A mesh of record near 0 whose file says that it is somewhere else.
static bvb_bytes moved_bytes( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options,
                              bv_vec3 offset )
{
	bvb_error error = { "" };
	bvb_asset asset;
	bvb_bytes bytes = { 0 };
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = *mesh };
	if ( bvb_asset_build( &scene, &source, options, f->arena, &asset, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	asset.record.offset = offset;
	if ( bvb_asset_encode( &asset, f->arena, &bytes, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return bytes;
}

static bvb_asset_options full_options( int round )
{
	bvb_asset_options options = bvb_asset_options_default();
	options.sections |= 1u << bvb_section_radius | 1u << bvb_section_node_faces |
	                    1u << bvb_section_hull_topology | 1u << bvb_section_parts | 1u << bvb_section_proxy;
	options.record.positions = round % 2 ? bvb_positions_quantized : bvb_positions_float;
	options.hierarchy.volume_types = round % 9 == 8 ? ( 1u << bv_volume_types ) - 1 : 1u << round % 9;
	options.errors.relative = 0;
	options.decompose.max_parts = 4;
	options.decompose.effort = 0;
	options.density = 2;
	return options;
}

static const bv_vec3 offsets[] = {
	{ 1e6, -2e6, 0 }, { 1e9 / 3, 1e9 / 7, -1e9 / 9 }, { 0, 1e15 / 3, 0.1 }, { 0.7, 0.1, 1e-3 }
};

enum
{
	offset_count = sizeof offsets / sizeof *offsets,
};

// Where a stored position is, rounded, and where it is exactly, as the two numbers that it is between.
static void assert_moved( bv_vec3 found, bv_vec3 stored, bv_vec3 o )
{
	bv_vec3 sum = { stored.x + o.x, stored.y + o.y, stored.z + o.z };
	assert_true( found.x == sum.x && found.y == sum.y && found.z == sum.z );
}

typedef struct node_check
{
	const bv_file* file;
	uint32_t nodes;
} node_check;

static bool encloses( const bv_volume* volume, bv_vec3 p )
{
	return bvvol_kind_of( volume->type )->encloses( volume, p );
}

static bool check_node( void* context, const bv_node_info* node )
{
	node_check* c = context;
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( c->file, node->first_triangle + i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( encloses( &node->volume, bv_file_get_vertex( c->file, corner[k] ) ) );
		}
	}
	c->nodes += 1;
	return true;
}

static void assert_same_mass( const bv_mass* found, const bv_mass* stored, bv_vec3 o )
{
	assert_true( found->mass == stored->mass );
	assert_memory_equal( found->inertia, stored->inertia, sizeof found->inertia );
	assert_moved( found->center_of_mass, stored->center_of_mass, o );
}

static void check_accessors( const bv_file* file, bv_vec3 o )
{
	bv_vec3 offset = bv_file_get_offset( file );
	assert_memory_equal( &offset, &o, sizeof o );
	bv_file_bounds b;
	assert_true( bv_file_get_bounds( file, &b ) );
	const bv_volume bounds[] = {
		{ .type = bv_volume_aabb, .aabb = b.aabb }, { .type = bv_volume_sphere, .sphere = b.sphere },
		{ .type = bv_volume_obb, .obb = b.obb },    { .type = bv_volume_kdop26, .kdop = b.kdop },
		{ .type = bv_volume_rss, .rss = b.rss },
	};
	bv_mesh_info mesh = bv_file_get_mesh( file );
	for ( uint32_t i = 0; i < mesh.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		assert_moved( p, bvfile_local_vertex( file, i ), o );
		for ( size_t k = 0; k < sizeof bounds / sizeof *bounds; ++k )
		{
			assert_true( encloses( bounds + k, p ) );
		}
		assert_true( bvvol_capsule_reach( &b.capsule, p ) <= b.capsule.radius );
	}
	bv_vec3 none = bv_file_get_vertex( file, mesh.vertices );
	assert_true( none.x == 0 && none.y == 0 && none.z == 0 );

	bv_hull_info hull = bv_file_get_hull( file );
	uint32_t polygons = bv_file_get_hull_topology( file ).polygons;
	assert_true( polygons >= 4 );
	for ( uint32_t i = 0; i < hull.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_hull_position( file, i );
		assert_moved( p, bvfile_local_hull_position( file, i ), o );
		for ( uint32_t k = 0; k < polygons; ++k )
		{
			bv_hull_facet facet;
			assert_true( bv_file_get_hull_facet( file, k, &facet ) );
			assert_true( bv_dot( facet.normal, p ) <= facet.offset );
		}
	}

	node_check nodes = { file, 0 };
	assert_true( bv_file_visit_nodes( file, check_node, &nodes ) );
	assert_int_equal( nodes.nodes, bv_file_get_hierarchy( file ).nodes );
	for ( int of = 0; of < 4; ++of )
	{
		bv_mass found;
		bv_mass stored;
		assert_true( bv_file_get_mass( file, (bv_mass_of)of, &found ) );
		assert_true( bvfile_local_mass( file, (bv_mass_of)of, &stored ) );
		assert_same_mass( &found, &stored, o );
	}
	bv_body body;
	bv_mass of_body;
	assert_true( bv_file_get_body( file, &body ) && bv_file_get_mass( file, bv_mass_of_body, &of_body ) );
	assert_memory_equal( &body.mass, &of_body, sizeof of_body );

	uint32_t parts = bv_file_get_decomposition( file ).parts;
	assert_true( parts > 1 );
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bv_part stored;
		assert_true( bv_file_get_part( file, i, &part ) && bvfile_local_part( file, i, &stored ) );
		assert_same_mass( &part.mass, &stored.mass, o );
		const bv_volume box = { .type = bv_volume_aabb, .aabb = part.box };
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			bv_vec3 p = bv_file_get_part_vertex( file, i, k );
			assert_moved( p, bvfile_local_part_vertex( file, i, k ), o );
			assert_true( encloses( &box, p ) );
		}
	}
	bv_proxy proxy;
	assert_true( bv_file_get_proxy( file, &proxy ) );
	for ( uint32_t i = 0; i < proxy.vertices; ++i )
	{
		assert_moved( bv_file_get_proxy_vertex( file, i ), bvfile_local_proxy_vertex( file, i ), o );
	}
	for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
	{
		bv_primitive p;
		bv_primitive stored;
		bool has = bv_file_get_primitive( file, (bv_primitive_kind)kind, &p );
		assert_int_equal( has, bvfile_local_primitive( file, (bv_primitive_kind)kind, &stored ) );
		if ( has )
		{
			assert_true( p.error.lower <= stored.error.lower && p.error.upper > stored.error.upper );
			assert_true( kind != bv_primitive_sphere ||
			             length( minus( minus( p.sphere.center, o ), stored.sphere.center ) ) <=
			                 0x1p-51 * length( o ) );
		}
	}
}

// Volumes are those of all types, positions of both forms; some sums of positions and offsets are exact, some are not.
static void accessors_include_the_offset( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 9; ++round )
	{
		bvb_mesh ball = bumpy_ball( f, 4 );
		bvb_asset_options options = full_options( round );
		for ( int i = 0; i < offset_count; i += 1 + round % 2 )
		{
			check_accessors( open_bytes( moved_bytes( f, &ball, &options, offsets[i] ) ), offsets[i] );
		}
	}
}

static bool collect_part( void* context, uint32_t part )
{
	*(uint64_t*)context |= UINT64_C( 1 ) << part;
	return true;
}

// Those of the same box at the same file without an offset, where all sums are exact.
static void boxes_of_parts_are_found_where_they_are( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 4 );
	bvb_asset_options options = full_options( 0 );
	bv_vec3 o = { 1024, -65536, 4096 };
	const bv_file* near = open_bytes( moved_bytes( f, &ball, &options, ( bv_vec3 ){ 0, 0, 0 } ) );
	const bv_file* far = open_bytes( moved_bytes( f, &ball, &options, o ) );
	uint64_t some = 0;
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 a = random_around( f );
		bv_vec3 b = random_around( f );
		bv_aabb box = { { rint( 64 * fmin( a.x, b.x ) ) / 64, rint( 64 * fmin( a.y, b.y ) ) / 64,
			              rint( 64 * fmin( a.z, b.z ) ) / 64 },
			            { rint( 64 * fmax( a.x, b.x ) ) / 64, rint( 64 * fmax( a.y, b.y ) ) / 64,
			              rint( 64 * fmax( a.z, b.z ) ) / 64 } };
		bv_aabb moved = { plus( box.lower, 1, o ), plus( box.upper, 1, o ) };
		uint64_t found[2] = { 0, 0 };
		assert_true( bv_file_visit_parts( near, &box, collect_part, found ) );
		assert_true( bv_file_visit_parts( far, &moved, collect_part, found + 1 ) );
		assert_true( found[0] == found[1] );
		some += found[0] != 0;
	}
	assert_true( some > 50 && some <= 200 );
}

static bool add_pair( void* context, uint32_t a, uint32_t b )
{
	*(uint64_t*)context += ( a + UINT64_C( 1 ) ) * UINT64_C( 0x9E3779B97F4A7C15 ) ^ ( (uint64_t)b << 20 );
	return true;
}

// Two files with offsets, placed so that the meshes are near each other, against the same two without. The translation of the
// far pair is rounded to its own last place, so that only what is that near to touching may differ.
static void meshes_far_away_collide_as_near_ones( void** state )
{
	fixture* f = *state;
	int pairs = 0;
	for ( int round = 0; round < 16; ++round )
	{
		bvb_mesh soup[2] = { random_soup( f, 80, ( bv_vec3 ){ 0, 0, 0 } ),
			                 random_soup( f, 80, ( bv_vec3 ){ 0, 0, 0 } ) };
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << round % 8;
		bv_vec3 o[2] = { { 1e6 * ( round % 3 ), 0x1p30, 0 }, { round % 2 ? 1e9 : 0, 0, -3e5 } };
		const bv_file* near[2];
		const bv_file* far[2];
		for ( int k = 0; k < 2; ++k )
		{
			near[k] = open_bytes( moved_bytes( f, soup + k, &options, ( bv_vec3 ){ 0, 0, 0 } ) );
			far[k] = open_bytes( moved_bytes( f, soup + k, &options, o[k] ) );
		}
		for ( int i = 0; i < 10; ++i )
		{
			// Quarter turns and steps of 2^-20 are exact in both.
			static const double turns[3][3][3] = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
				                                   { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
				                                   { { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } } };
			bv_transform t = bv_transform_identity();
			memcpy( t.pose.rotation, turns[i % 3], sizeof turns[0] );
			t.mirror = i % 2;
			t.scale = i % 5 == 4 ? 2 : 1;
			bv_vec3 way = random_around( f );
			t.pose.translation =
				( bv_vec3 ){ rint( 0x1p10 * way.x ) / 0x1p10, rint( 0x1p10 * way.y ) / 0x1p10,
				             rint( 0x1p10 * way.z ) / 0x1p10 };
			bv_transform there = t;
			bv_vec3 moved = placed( &( bv_transform ){ t.pose, t.scale, t.mirror }, o[1] );
			there.pose.translation =
				plus( plus( t.pose.translation, -1, minus( moved, t.pose.translation ) ), 1, o[0] );
			uint64_t sum[2] = { 0, 0 };
			bv_collide_result found[2];
			for ( int k = 0; k < 2; ++k )
			{
				bv_collide_options how = { .callback = add_pair, .context = sum + k };
				assert_int_equal( bv_mesh_collide( ( k ? far : near )[0], ( k ? far : near )[1],
				                                   k ? &there : &t, &how, found + k ),
				                  bv_ok );
			}
			assert_memory_equal( found, found + 1, sizeof *found );
			assert_true( sum[0] == sum[1] );
			pairs += found[0].pairs > 0;

			bv_distance_result d[2];
			assert_int_equal( bv_mesh_distance( near[0], near[1], &t, NULL, d ), bv_ok );
			assert_int_equal( bv_mesh_distance( far[0], far[1], &there, NULL, d + 1 ), bv_ok );
			assert_true( d[0].distance == d[1].distance );
			assert_moved( d[1].a.point, d[0].a.point, o[0] );
			assert_moved( d[1].b.point, d[0].b.point, o[0] );
			assert_moved( d[1].a.local, d[0].a.local, o[0] );
			assert_moved( d[1].b.local, d[0].b.local, o[1] );
		}
	}
	assert_true( pairs > 50 );
}

// Of far meshes in any rotation, the placement of what is stored is as near as its own last place: long doubles, where they have
// more digits than doubles, tell. That of rounded products would be off by 1e-7.
static void placements_are_rounded_once( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 3 );
	bvb_asset_options options = plain_options();
	for ( int i = 0; i < 100; ++i )
	{
		bv_vec3 o[2] = { plus( ( bv_vec3 ){ 0, 0, 0 }, 1e9, random_around( f ) ),
			             plus( ( bv_vec3 ){ 0, 0, 0 }, 1e9, random_around( f ) ) };
		const bv_file* file[2];
		for ( int k = 0; k < 2; ++k )
		{
			file[k] = open_bytes( moved_bytes( f, &ball, &options, o[k] ) );
		}
		bv_transform t = random_transform( f, i % 3 ? 1 : 0.3, i % 2, ( bv_vec3 ){ 0, 0, 0 } );
		t.pose.translation = minus( o[0], placed( &t, o[1] ) );
		bv_transform storage;
		const bv_transform* stored = bvtree_place( file[0], file[1], &t, &storage );
		const double found[3] = { stored->pose.translation.x, stored->pose.translation.y,
			                      stored->pose.translation.z };
		const double from[3] = { t.pose.translation.x, t.pose.translation.y, t.pose.translation.z };
		const double to[3] = { o[0].x, o[0].y, o[0].z };
		const long double of[3] = { (long double)t.scale * ( t.mirror ? -o[1].x : o[1].x ),
			                        (long double)t.scale * o[1].y, (long double)t.scale * o[1].z };
		for ( int k = 0; k < 3; ++k )
		{
			long double sum = (long double)from[k] - to[k];
			for ( int j = 0; j < 3; ++j )
			{
				sum += t.pose.rotation[k][j] * of[j];
			}
			assert_true( fabsl( sum - found[k] ) <=
			             1e-15L * fabsl( sum ) + ( LDBL_MANT_DIG > 60 ? 1e-9L : 1e-6L ) );
		}
	}
}

// Queries of one mesh: the far file where it is, or placed, against the near one, placed.
static void queries_of_one_mesh_find_the_same( void** state )
{
	fixture* f = *state;
	int hits = 0;
	int inside = 0;
	for ( int round = 0; round < 12; ++round )
	{
		bvb_mesh ball = bumpy_ball( f, 4 );
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << round % 8;
		options.sections |= 1u << bvb_section_parts;
		options.decompose.max_parts = 3;
		options.decompose.effort = 0;
		bv_vec3 o = { 1e6, round % 2 ? -1e6 : 0, 0 };
		const bv_file* near = open_bytes( moved_bytes( f, &ball, &options, ( bv_vec3 ){ 0, 0, 0 } ) );
		const bv_file* far = open_bytes( moved_bytes( f, &ball, &options, o ) );
		bv_transform moved = bv_transform_translation( o.x, o.y, o.z );
		const bv_transform* to_near = &moved;
		const bv_transform* to_far = NULL;
		bv_transform turned = random_transform( f, 1.5, round % 3 == 2, ( bv_vec3 ){ 5, 6, 7 } );
		bv_transform both = bv_transform_compose( &turned, &moved );
		bv_vec3 middle = o;
		if ( round % 3 )
		{
			to_near = &both;
			to_far = &turned;
			middle = both.pose.translation;
		}
		for ( int i = 0; i < 60; ++i )
		{
			bv_vec3 p = plus( middle, 2, random_around( f ) );
			bv_closest_result c[2];
			assert_int_equal( bv_mesh_closest_point( near, to_near, p, NULL, c ), bv_ok );
			assert_int_equal( bv_mesh_closest_point( far, to_far, p, NULL, c + 1 ), bv_ok );
			assert_true( fabs( c[0].distance - c[1].distance ) <= 1e-8 );
			assert_true( length( minus( c[0].at.point, c[1].at.point ) ) <= 1e-8 );
			assert_true( length( minus( plus( c[0].at.local, 1, o ), c[1].at.local ) ) <= 1e-8 );
			assert_surface_point( far, &c[1].at,
			                      to_far ? to_far : &( bv_transform ){ bv_pose_identity(), 1, false }, 1e-8 );

			bv_contains_result s[2];
			assert_int_equal( bv_mesh_contains( near, to_near, p, NULL, s ), bv_ok );
			assert_int_equal( bv_mesh_contains( far, to_far, p, NULL, s + 1 ), bv_ok );
			assert_int_equal( s[0].side, s[1].side );
			inside += s[1].side == bv_side_inside;

			bv_ray ray = { .origin = p, .direction = minus( plus( middle, 0.5, random_around( f ) ), p ) };
			bv_ray_result r[3];
			size_t invalid;
			bv_rays rays = { .count = 1,
				             .origin = { &ray.origin, 0, bv_number_double },
				             .direction = { &ray.direction, 0, bv_number_double } };
			assert_int_equal( bv_mesh_cast_ray( near, to_near, &ray, NULL, r ), bv_ok );
			assert_int_equal( bv_mesh_cast_ray( far, to_far, &ray, NULL, r + 1 ), bv_ok );
			assert_int_equal( bv_mesh_cast_rays( far, to_far, &rays, NULL, r + 2, &invalid ), bv_ok );
			assert_int_equal( r[0].found, r[1].found );
			assert_true( !r[0].found || fabs( r[0].time - r[1].time ) <= 1e-7 );
			assert_true( r[1].found == r[2].found && r[1].time == r[2].time );
			hits += r[1].found;

			bv_sphere solid = { p, 0.5 };
			bv_overlap_result v[2];
			assert_int_equal( bv_mesh_overlap_sphere( near, to_near, &solid, NULL, v ), bv_ok );
			assert_int_equal( bv_mesh_overlap_sphere( far, to_far, &solid, NULL, v + 1 ), bv_ok );
			assert_int_equal( v[0].triangles, v[1].triangles );

			bv_convex shape = bv_convex_sphere( p, 0.1 );
			bv_cast_result m[2];
			assert_int_equal( bv_mesh_cast_convex( near, to_near, &shape, ray.direction, NULL, m ), bv_ok );
			assert_int_equal( bv_mesh_cast_convex( far, to_far, &shape, ray.direction, NULL, m + 1 ), bv_ok );
			assert_true( m[0].found == m[1].found &&
			             ( !m[0].found || fabs( m[0].time - m[1].time ) <= 1e-7 ) );

			bv_mesh_convex_result g[2];
			assert_int_equal( bv_mesh_distance_convex( near, to_near, &shape, NULL, g ), bv_ok );
			assert_int_equal( bv_mesh_distance_convex( far, to_far, &shape, NULL, g + 1 ), bv_ok );
			assert_true( g[0].lower <= g[1].upper && g[1].lower <= g[0].upper );
		}
		// Hull and parts of the file are where the mesh is.
		bv_convex shapes[] = { bv_convex_hull( far ), bv_convex_part( far, 0 ) };
		for ( int i = 0; i < 2; ++i )
		{
			bv_mesh_convex_result g;
			bv_overlap_result v;
			assert_int_equal( bv_mesh_distance_convex( far, NULL, shapes + i, NULL, &g ), bv_ok );
			assert_true( g.lower == 0 );
			assert_int_equal( bv_mesh_overlap_convex( far, NULL, shapes + i, NULL, &v ), bv_ok );
			assert_true( v.triangles > 0 );
			bv_transform away = bv_transform_translation( 0, 10, 0 );
			assert_int_equal( bv_mesh_distance_convex( far, &away, shapes + i, NULL, &g ), bv_ok );
			assert_true( g.lower > 5 && g.upper < 15 );
		}
	}
	assert_true( hits > 100 && inside > 30 );
}

// What leads out of range is an argument error, as without an offset; and so is a placement that is none.
static void placements_are_checked( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 3 );
	bvb_asset_options options = plain_options();
	const bv_file* far = open_bytes( moved_bytes( f, &ball, &options, ( bv_vec3 ){ 0x1p120, 0, 0 } ) );
	bv_transform t = bv_transform_identity();
	bv_collide_result r;
	bv_closest_result c;
	t.scale = 0x1p100;
	assert_int_equal( bv_mesh_collide( far, far, &t, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_point( far, &t, ( bv_vec3 ){ 0, 0, 0 }, NULL, &c ), bv_error_argument );
	t.scale = 0x1p60;
	assert_int_equal( bv_mesh_closest_point( far, &t, ( bv_vec3 ){ 0, 0, 0 }, NULL, &c ), bv_ok );
	t.scale = 1;
	t.pose.translation.y = NAN;
	assert_int_equal( bv_mesh_collide( far, far, &t, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_point( far, &t, ( bv_vec3 ){ 0, 0, 0 }, NULL, &c ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( accessors_include_the_offset ),
		fixture_test( boxes_of_parts_are_found_where_they_are ),
		fixture_test( meshes_far_away_collide_as_near_ones ),
		fixture_test( placements_are_rounded_once ),
		fixture_test( queries_of_one_mesh_find_the_same ),
		fixture_test( placements_are_checked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
