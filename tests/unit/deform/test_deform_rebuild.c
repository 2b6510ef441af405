// Rebuilt hierarchies: all that a refit gives, the same triangles under other numbers, and less cost.

#include "tests/unit/deform/bent_meshes.h"
#include "tests/unit/deform/tight.h"

#include "bvbuild/hausdorff.h"
#include "bvworld/deform_contact.h"
#include "bvworld/skin.h"

#include <stdio.h>

static const uint32_t all_triangles = UINT32_MAX;

static bvw_deform_rebuild_report rebuild( const bent* b, uint32_t triangles )
{
	bvw_deform_rebuild_report r;
	bvw_deform_quality_result before;
	bvw_deform_quality_result after;
	uint32_t count = bv_file_get_mesh( b->file ).triangles;
	assert_int_equal( bvw_deform_quality( b->deform, &before ), bv_ok );
	assert_int_equal( bvw_deform_rebuild( b->deform, triangles, &r ), bv_ok );
	assert_int_equal( bvw_deform_quality( b->deform, &after ), bv_ok );
	assert_true( r.triangles <= ( triangles > 0 ? triangles : count ) );
	assert_true( r.turned + r.assigned <= r.subtrees );
	assert_true( r.gain >= 0 && r.gain < 1 );
	assert_true( ( r.gain > 0 ) == ( r.turned + r.assigned > 0 ) );
	assert_true( after.cost_at_begin == before.cost_at_begin );
	return r;
}

// Triangles are those of the file under their numbers there, each once, with their corners in order.
static void assert_same_triangles( fixture* f, const bent* b )
{
	const bv_file* file = bvw_deform_file( b->deform );
	uint32_t count = bv_file_get_mesh( b->file ).triangles;
	bool* seen = bvb_arena_allocate( f->arena, count, sizeof *seen );
	memset( seen, 0, count );
	assert_int_equal( bv_file_get_mesh( file ).triangles, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t number = bvw_deform_triangle( b->deform, i );
		uint32_t now[3];
		uint32_t before[3];
		assert_true( number < count && !seen[number] );
		seen[number] = true;
		bv_file_get_triangle( file, i, now );
		bv_file_get_triangle( b->file, number, before );
		assert_memory_equal( now, before, sizeof now );
	}
	assert_int_equal( bvw_deform_triangle( b->deform, count ), UINT32_MAX );
	assert_int_equal( bvw_deform_triangle( NULL, 0 ), UINT32_MAX );
}

static void check_rebuilt( fixture* f, bent* b )
{
	bvb_mesh now;
	b->turns = true; // axes are new
	plain_nodes after = check_bent( f, b, &now );
	assert_tight( &after, &now );
	assert_same_triangles( f, b );
}

static void nodes_enclose_their_triangles_after_rebuilds( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 60 : 4;
	uint64_t assigned = 0;
	uint64_t turned = 0;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		for ( int volumes = 0; volumes < bent_volumes; ++volumes )
		{
			bvw_deform_options options = { .rebuild_triangles = all_triangles, .no_lists = volumes % 3 == 0 };
			options.frames = ( mesh + volumes ) % 2 == 0 ? bvw_deform_turn : bvw_deform_keep;
			const bv_file* file = bent_file( f, mesh, volumes );
			uint32_t count = bv_file_get_mesh( file ).triangles;
			bent b = bend_file( f, file, &options );
			for ( int i = 0; i < rounds; ++i )
			{
				if ( i % 2 == 0 )
				{
					end_bent( &b );
					b = bend_file( f, file, &options );
				}
				deform( f, &b, ( i + volumes + 3 * mesh ) % deform_kinds );
				refit_all( &b );
				uint32_t budget = i % 2 == 0 ? 0 : count / 2;
				bvw_deform_rebuild_report r = rebuild( &b, budget );
				assigned += r.assigned;
				turned += r.turned;
				check_rebuilt( f, &b );
				// A second one finds nothing worse than it was.
				uint32_t budget_again = budget > 0 && r.triangles > 0 ? r.triangles : budget;
				if ( r.triangles == count )
				{
					assert_int_equal( rebuild( &b, budget_again ).subtrees, 0 );
				}
				deform( f, &b, ( i + 5 ) % deform_kinds );
				refit_all( &b );
				check_rebuilt( f, &b );
			}
			end_bent( &b );
		}
	}
	printf( "%llu subtrees assigned, %llu turned\n", (unsigned long long)assigned,
	        (unsigned long long)turned );
	assert_true( assigned > 50 && turned > 10 );
}

// Nodes above the rebuilt subtrees turn with their vertices in another order, whether lists can be refitted or not.
static void rebuilds_do_not_depend_on_lists( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 2, 1, 0 }, ( bv_vec3 ){ -1, 1, 1 }, 20 );
	uint64_t assigned = 0;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = bent_types( volumes );
		const bv_file* file = build_file( f, &mesh, &built );
		bvw_deform_options options = { .rebuild_triangles = all_triangles, .frames = bvw_deform_turn };
		bent a = bend_file( f, file, &options );
		options.no_lists = true;
		bent b = bend_file( f, file, &options );
		for ( int i = 0; i < 3; ++i )
		{
			deform( f, &a, i % 2 == 0 ? deform_part : deform_wave );
			memcpy( b.positions, a.positions, 3 * sizeof *a.positions * a.vertices );
			refit_all( &a );
			refit_all( &b );
			assigned += rebuild( &a, mesh.triangle_count / 6 ).assigned;
			rebuild( &b, mesh.triangle_count / 6 );
			assert_same_images( &a, &b );
		}
		end_bent( &a );
		end_bent( &b );
	}
	assert_true( assigned > 10 );
}

// After a rebuild, too, refits of vertices that are listed give the same bytes as refits of all.
static void refits_of_lists_after_a_rebuild_are_those_of_all( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2 * bent_volumes; ++i )
	{
		bvw_deform_options options = { .rebuild_triangles = all_triangles,
			                           .frames = i % 2 ? bvw_deform_turn : bvw_deform_keep };
		const bv_file* file = bent_file( f, i % 2 ? 2 : 7, i / 2 );
		bent a = bend_file( f, file, &options );
		bent b = bend_file( f, file, &options );
		deform( f, &a, i % 3 == 0 ? deform_part : deform_wave );
		memcpy( b.positions, a.positions, 3 * sizeof *a.positions * a.vertices );
		refit_all( &a );
		refit_all( &b );
		bvw_deform_rebuild_report ra = rebuild( &a, 0 );
		bvw_deform_rebuild_report rb = rebuild( &b, 0 );
		assert_memory_equal( &ra, &rb, sizeof ra );
		assert_same_images( &a, &b );
		for ( int k = 0; k < 5; ++k )
		{
			uint32_t list[40];
			for ( uint32_t n = 0; n < 40; ++n )
			{
				list[n] = (uint32_t)( random_bits( f ) % a.vertices );
				a.positions[3 * list[n] + n % 3] += 0.1 * a.diagonal * random_sign( f );
			}
			memcpy( b.positions, a.positions, 3 * sizeof *a.positions * a.vertices );
			bvw_vertices v = vertices_of( &a );
			assert_int_equal( bvw_deform_refit( a.deform, &v, list, 40, NULL ), bv_ok );
			refit_all( &b );
			assert_same_images( &a, &b );
		}
		check_rebuilt( f, &a );
		end_bent( &a );
		end_bent( &b );
	}
}

// Large nodes turn as a sample of their vertices does, and their errors follow from one. Nodes above a rebuilt subtree have another sample
// then, although none of their vertices moved.
static void nodes_above_a_rebuilt_subtree_are_those_of_a_whole_refit( void** state )
{
	fixture* f = *state;
	uint32_t assigned = 0;
	for ( int i = 0; i < 9; ++i )
	{
		bvb_mesh mesh = bumpy_ball( f, 20 );
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = 1u << ( i % 3 == 0 ? bv_volume_aabb : bv_volume_obb );
		built.sections |= 1u << bvb_section_errors;
		built.errors.relative = 0.5;
		bvw_deform_options options = { .rebuild_triangles = all_triangles,
			                           .frames = i % 3 == 2 ? bvw_deform_turn : bvw_deform_keep,
			                           .errors = i % 3 < 2 };
		const bv_file* file = build_file( f, &mesh, &built );
		bent a = bend_file( f, file, &options );
		bent b = bend_file( f, file, &options );
		move_noisily( f, &a, 1, 2 * a.diagonal );
		memcpy( b.positions, a.positions, 3 * sizeof *a.positions * a.vertices );
		refit_all( &a );
		refit_all( &b );
		uint32_t budget = bv_file_get_mesh( file ).triangles / ( 4u + (uint32_t)i );
		assigned += rebuild( &a, budget ).assigned;
		rebuild( &b, budget );
		assert_same_images( &a, &b );
		uint32_t vertex = (uint32_t)( random_bits( f ) % a.vertices );
		bvw_vertices v = vertices_of( &a );
		assert_int_equal( bvw_deform_refit( a.deform, &v, &vertex, 1, NULL ), bv_ok );
		refit_all( &b );
		assert_same_images( &a, &b );
		check_rebuilt( f, &a );
		end_bent( &a );
		end_bent( &b );
	}
	assert_int_equal( assigned, 9 );
}

static void volumes_of_motion_can_be_rebuilt( void** state )
{
	fixture* f = *state;
	int gain = 0;
	for ( int i = 0; i < 2 * bent_volumes; ++i )
	{
		bvw_deform_options options = { .rebuild_triangles = all_triangles,
			                           .motion = true,
			                           .frames = i % 2 ? bvw_deform_turn : bvw_deform_keep };
		bent b = bend_file( f, bent_file( f, 2, i / 2 ), &options );
		double* later = bvb_arena_allocate( f->arena, 3 * (size_t)b.vertices, sizeof *later );
		memcpy( later, b.positions, 3 * sizeof *later * b.vertices );
		deform( f, &b, deform_part );
		bvw_vertices from = vertices_of( &b );
		bvw_vertices to = { .positions = later, .count = b.vertices };
		assert_int_equal( bvw_deform_refit_motion( b.deform, &from, &to, NULL, NULL ), bv_ok );
		gain += rebuild( &b, 0 ).gain > 0;
		assert_same_triangles( f, &b );
		// At both ends, and so in between: volumes are convex.
		const bv_file* file = bvw_deform_file( b.deform );
		plain_nodes nodes = plain_nodes_of( f, file );
		bvb_mesh mesh = mesh_inside( f, file );
		assert_encloses( &nodes, &mesh );
		for ( uint32_t k = 0; k < b.vertices; ++k )
		{
			mesh.positions[k] =
				( bv_vec3 ){ (float)later[3 * k], (float)later[3 * k + 1], (float)later[3 * k + 2] };
		}
		assert_encloses( &nodes, &mesh );
		end_bent( &b );
	}
	assert_true( gain > bent_volumes );
}

// Numbers of vertices do not fit 2 bytes, and triangles of a cluster come from all over the mesh.
static void triangles_of_many_vertices_stay_the_same( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 22000, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_asset_options built = plain_options();
	built.hierarchy.volume_types = 1u << bv_volume_aabb;
	bvw_deform_options options = { .rebuild_triangles = all_triangles };
	bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
	assert_true( b.vertices > 65536 );
	move_noisily( f, &b, 1, b.diagonal );
	refit_all( &b );
	assert_int_equal( rebuild( &b, 0 ).assigned, 1 );
	assert_same_triangles( f, &b );
	bvb_mesh now = mesh_inside( f, bvw_deform_file( b.deform ) );
	plain_nodes nodes = plain_nodes_of( f, bvw_deform_file( b.deform ) );
	assert_encloses( &nodes, &now );
	end_bent( &b );
}

// 512 triangles in a row change places. What they cover is the same, so that the hierarchy can be as good as it was: its numbers of triangles
// are those that fit a row.
static void a_row_in_another_order_gets_as_good_as_new( void** state )
{
	fixture* f = *state;
	static const int types[] = { bv_volume_aabb, bv_volume_obb, bv_volume_kdop18, bv_volume_sphere };
	for ( int i = 0; i < 4; ++i )
	{
		enum
		{
			length = 512,
		};
		bvb_mesh mesh = soup_create( f, length );
		for ( uint32_t k = 0; k < 3 * length; ++k )
		{
			mesh.positions[k] = ( bv_vec3 ){ 1.5 * ( k / 3 ) + ( k % 3 == 1 ), k % 3 == 2, 0.25 * ( k % 3 ) };
		}
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = 1u << types[i];
		built.hierarchy.collapse = 8;
		bvw_deform_options options = { .rebuild_triangles = all_triangles };
		bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
		for ( uint32_t k = 0; k < length; ++k )
		{
			uint32_t place = ( 167 * k + 13 ) % length;
			for ( uint32_t n = 0; n < 3; ++n )
			{
				// Vertices are numbered by the order of triangles.
				uint32_t at[3];
				bv_file_get_triangle( b.file, k, at );
				b.positions[3 * at[n]] += 1.5 * ( (double)place - floor( b.positions[3 * at[n]] / 1.5 ) );
			}
		}
		refit_all( &b );
		bvw_deform_quality_result spoiled;
		bvw_deform_quality_result rebuilt;
		assert_int_equal( bvw_deform_quality( b.deform, &spoiled ), bv_ok );
		assert_true( rebuild( &b, 0 ).assigned == 1 );
		assert_int_equal( bvw_deform_quality( b.deform, &rebuilt ), bv_ok );
		if ( spoiled.ratio < 4 || rebuilt.ratio > 1.2 || rebuilt.rebuild )
		{
			fail_msg( "%s: %g, then %g", bv_volume_type_name( (bv_volume_type)types[i] ), spoiled.ratio,
			          rebuilt.ratio );
		}
		check_rebuilt( f, &b );
		end_bent( &b );
	}
}

// All of them are on a line when it is rebuilt: the area of the triangles is only rounding, so that whatever follows costs less for its area.
static void a_mesh_that_was_rebuilt_in_a_bad_shape_is_rebuilt_again( void** state )
{
	fixture* f = *state;
	static const int kinds[] = { deform_line, deform_decades };
	for ( int i = 0; i < 8; ++i )
	{
		bvb_mesh mesh = bumpy_ball( f, 20 );
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = 1u << ( i % 2 ? bv_volume_aabb : bv_volume_obb );
		built.hierarchy.collapse = 8;
		bvw_deform_options options = { .rebuild_triangles = all_triangles };
		const bv_file* file = build_file( f, &mesh, &built );
		uint32_t count = bv_file_get_mesh( file ).triangles;
		bent b = bend_file( f, file, &options );
		deform( f, &b, kinds[i / 2 % 2] );
		refit_all( &b );
		assert_int_equal( rebuild( &b, 0 ).subtrees, 1 );
		reset_positions( &b );
		refit_all( &b );
		bvw_deform_quality_result q;
		assert_int_equal( bvw_deform_quality( b.deform, &q ), bv_ok );
		assert_true( q.rebuild && q.worst_count == BVW_DEFORM_WORST );
		if ( i < 4 )
		{
			assert_int_equal( rebuild( &b, 0 ).subtrees, 1 );
		}
		// Parts of a mesh, all of them one after the other.
		for ( int k = 0; k < 12 && i >= 4; ++k )
		{
			rebuild( &b, k < 8 ? count / 4 : count / 2 );
		}
		bvw_deform_quality_result now;
		assert_int_equal( bvw_deform_quality( b.deform, &now ), bv_ok );
		assert_true( i < 4 ? now.ratio < 1.15 : now.ratio < 0.8 * q.ratio );
		end_bent( &b );
	}
}

// To the corners of a tetrahedron: the area of the triangles grows more than that of the boxes, but a new hierarchy is far better.
static void all_triangles_are_rebuilt_whatever_their_area_is( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvb_asset_options built = plain_options();
	built.hierarchy.volume_types = 1u << bv_volume_obb;
	bvw_deform_options options = { .rebuild_triangles = all_triangles };
	bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
	deform( f, &b, deform_corners );
	refit_all( &b );
	bvw_deform_quality_result q;
	assert_int_equal( bvw_deform_quality( b.deform, &q ), bv_ok );
	assert_true( q.rebuild );
	assert_true( rebuild( &b, 0 ).gain > 0.5 );
	assert_int_equal( rebuild( &b, 0 ).subtrees, 0 );
	check_rebuilt( f, &b );
	end_bent( &b );
}

// Axes of volumes that were turned, about which nothing else changed.
static void axes_that_stay_are_found_again( void** state )
{
	fixture* f = *state;
	static const int types[] = { bv_volume_obb, bv_volume_rss };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = bent_mesh( f, 8 );
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = 1u << types[i];
		bvw_deform_options options = { .rebuild_triangles = all_triangles };
		bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 1, 2, 3 } );
		for ( uint32_t k = 0; k < b.vertices; ++k )
		{
			bv_vec3 p = bv_transform_point( &t, bv_file_get_vertex( b.file, k ) );
			memcpy( b.positions + 3 * k, &p, sizeof p );
		}
		refit_all( &b );
		bvw_deform_quality_result spoiled;
		bvw_deform_quality_result rebuilt;
		assert_int_equal( bvw_deform_quality( b.deform, &spoiled ), bv_ok );
		bvw_deform_rebuild_report r = rebuild( &b, 0 );
		assert_int_equal( r.turned + r.assigned, 1 );
		assert_int_equal( bvw_deform_quality( b.deform, &rebuilt ), bv_ok );
		printf( "%s: %g, then %g\n", bv_volume_type_name( (bv_volume_type)types[i] ), spoiled.ratio,
		        rebuilt.ratio );
		assert_true( spoiled.ratio > 1.5 && rebuilt.ratio < 1.1 );
		check_rebuilt( f, &b );
		end_bent( &b );
	}
}

// New axes depend on where the vertices are only, whether a refit turns them or not.
static void axes_that_turn_are_as_good_as_those_that_stay( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_asset_options built = plain_options();
	built.hierarchy.volume_types = 1u << bv_volume_obb;
	const bv_file* file = build_file( f, &mesh, &built );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 1, 2, 3 } );
	bvw_deform_quality_result q[2];
	for ( int i = 0; i < 2; ++i )
	{
		bvw_deform_options options = { .rebuild_triangles = all_triangles,
			                           .frames = i > 0 ? bvw_deform_turn : bvw_deform_keep };
		bent b = bend_file( f, file, &options );
		for ( uint32_t k = 0; k < b.vertices; ++k )
		{
			bv_vec3 p = bv_transform_point( &t, bv_file_get_vertex( b.file, k ) );
			p = ( bv_vec3 ){ p.x + 3 * p.y, p.y, 0.2 * p.z };
			memcpy( b.positions + 3 * k, &p, sizeof p );
		}
		refit_all( &b );
		bvw_deform_rebuild_report r = rebuild( &b, 0 );
		assert_int_equal( r.assigned + r.turned, 1 );
		assert_int_equal( bvw_deform_quality( b.deform, q + i ), bv_ok );
		end_bent( &b );
	}
	printf( "%g, %g\n", q[0].ratio, q[1].ratio );
	assert_float_equal( q[0].ratio, q[1].ratio, 0.02 * q[0].ratio );
}

// All vertices are at one point at time 0. So the triangles, and the axes, follow from where they go.
static void rebuilds_see_where_vertices_go( void** state )
{
	fixture* f = *state;
	static const int types[] = { bv_volume_aabb, bv_volume_obb };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = bent_mesh( f, i == 0 ? 2 : 8 );
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = 1u << types[i];
		bvw_deform_options options = { .rebuild_triangles = all_triangles, .motion = true };
		bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
		double* later = bvb_arena_allocate( f->arena, 3 * (size_t)b.vertices, sizeof *later );
		if ( i == 0 )
		{
			move_noisily( f, &b, 1, 2 * b.diagonal );
		}
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } );
		for ( uint32_t k = 0; k < 3 * b.vertices; k += 3 )
		{
			bv_vec3 p = { b.positions[k], b.positions[k + 1], b.positions[k + 2] };
			p = bv_transform_point( &t, p );
			memcpy( later + k, &p, sizeof p );
		}
		deform( f, &b, deform_point );
		bvw_vertices from = vertices_of( &b );
		bvw_vertices to = { .positions = later, .count = b.vertices };
		assert_int_equal( bvw_deform_refit_motion( b.deform, &from, &to, NULL, NULL ), bv_ok );
		bvw_deform_rebuild_report r = rebuild( &b, 0 );
		assert_true( r.gain > ( i == 0 ? 0.15 : 0.5 ) );
		end_bent( &b );
	}
}

// Pairs of a mesh that was never rebuilt.
typedef struct pair_list
{
	const bvw_deform* deform;
	uint64_t* pair;
	uint64_t count;
	uint64_t most;
} pair_list;

static bool add_pair( void* context, const bvw_self_pair* pair )
{
	pair_list* list = context;
	uint64_t a = bvw_deform_triangle( list->deform, pair->triangle[0] );
	uint64_t b = bvw_deform_triangle( list->deform, pair->triangle[1] );
	assert_true( list->count < list->most );
	list->pair[list->count++] = a < b ? a << 32 | b : b << 32 | a;
	return true;
}

static int compare_pairs( const void* left, const void* right )
{
	uint64_t a = *(const uint64_t*)left;
	uint64_t b = *(const uint64_t*)right;
	return ( a > b ) - ( a < b );
}

static pair_list self_pairs( fixture* f, const bvw_deform* deform )
{
	pair_list list = { .deform = deform, .most = 40000 };
	list.pair = bvb_arena_allocate( f->arena, list.most, sizeof *list.pair );
	bvw_self_collide_options options = { .callback = add_pair, .context = &list };
	bvw_self_collide_result r;
	assert_int_equal( bvw_deform_self_collide( deform, &options, &r ), bv_ok );
	qsort( list.pair, list.count, sizeof *list.pair, compare_pairs );
	return list;
}

static void queries_find_the_same_in_a_rebuilt_hierarchy( void** state )
{
	fixture* f = *state;
	uint64_t pairs = 0;
	uint32_t assigned = 0;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		const bv_file* file = bent_file( f, 2, volumes );
		bvw_deform_options options = { .rebuild_triangles = all_triangles };
		bent plain = bend_file( f, file, NULL );
		bent b = bend_file( f, file, &options );
		deform( f, &b, deform_part );
		move_noisily( f, &b, 0.3, 0.5 * b.diagonal );
		memcpy( plain.positions, b.positions, 3 * sizeof *b.positions * b.vertices );
		refit_all( &plain );
		refit_all( &b );
		assigned += rebuild( &b, 0 ).assigned;
		pair_list expected = self_pairs( f, plain.deform );
		pair_list found = self_pairs( f, b.deform );
		assert_int_equal( found.count, expected.count );
		assert_memory_equal( found.pair, expected.pair, found.count * sizeof *found.pair );
		pairs += found.count;
		for ( int i = 0; i < 20; ++i )
		{
			bv_vec3 from = { 3 * random_sign( f ), 3 * random_sign( f ), 3 * random_sign( f ) };
			bv_ray ray = { from, bv_scale( -1, from ), 0, INFINITY };
			bv_ray_result r[2];
			bv_closest_result c[2];
			for ( int k = 0; k < 2; ++k )
			{
				const bv_file* of = bvw_deform_file( k == 0 ? plain.deform : b.deform );
				assert_int_equal( bv_mesh_cast_ray( of, NULL, &ray, NULL, r + k ), bv_ok );
				assert_int_equal( bv_mesh_closest_point( of, NULL, from, NULL, c + k ), bv_ok );
			}
			assert_int_equal( r[0].found, r[1].found );
			assert_true( !r[0].found || r[0].time == r[1].time );
			assert_float_equal( c[0].distance, c[1].distance, 1e-12 );
		}
		end_bent( &b );
		end_bent( &plain );
	}
	assert_true( pairs > 1000 && assigned > 5 );
}

static bvw_owners* owners_of( fixture* f, const bv_file* file )
{
	size_t bytes = bvw_owners_bytes( file );
	size_t scratch_bytes = bvw_owners_scratch_bytes( file );
	uint64_t* memory = bvb_arena_allocate( f->arena, bytes / 8 + 1, 8 );
	uint64_t* scratch = bvb_arena_allocate( f->arena, scratch_bytes / 8 + 1, 8 );
	bvw_owners* out;
	assert_int_equal( bvw_owners_begin( file, scratch, scratch_bytes, memory, bytes, &out ), bv_ok );
	return out;
}

// Contacts of features do not depend on the numbers of triangles; owners do.
static void owners_are_out_of_date_after_a_rebuild( void** state )
{
	fixture* f = *state;
	const bv_file* file = bent_file( f, 2, bv_volume_aabb );
	bvw_deform_options options = { .rebuild_triangles = all_triangles, .motion = true };
	bent b = bend_file( f, file, &options );
	double* later = bvb_arena_allocate( f->arena, 3 * (size_t)b.vertices, sizeof *later );
	memcpy( later, b.positions, 3 * sizeof *later * b.vertices );
	move_noisily( f, &b, 1, 0.3 * b.diagonal );
	bvw_vertices from = vertices_of( &b );
	bvw_vertices to = { .positions = later, .count = b.vertices };
	assert_int_equal( bvw_deform_refit_motion( b.deform, &from, &to, NULL, NULL ), bv_ok );
	bvw_owners* of_file = owners_of( f, file );
	bvw_deform_sweep_result before;
	bvw_deform_sweep_result after = { .contacts = 12345 };
	assert_int_equal( bvw_deform_self_sweep( b.deform, of_file, NULL, &before ), bv_ok );
	assert_true( before.contacts > 100 );
	bvw_owners* of_image = owners_of( f, bvw_deform_file( b.deform ) );
	assert_memory_equal( of_file, of_image, bvw_owners_bytes( file ) );
	assert_int_equal( rebuild( &b, 0 ).assigned, 1 );
	assert_int_equal( bvw_deform_self_sweep( b.deform, of_file, NULL, &after ), bv_error_argument );
	assert_int_equal( after.contacts, 12345 );
	of_image = owners_of( f, bvw_deform_file( b.deform ) );
	assert_int_equal( bvw_deform_self_sweep( b.deform, of_image, NULL, &after ), bv_ok );
	assert_int_equal( after.contacts, before.contacts );
	end_bent( &b );
}

// Each was rebuilt once, but their triangles are in different orders.
static void owners_of_a_mesh_that_was_rebuilt_differently_are_refused( void** state )
{
	fixture* f = *state;
	const bv_file* file = bent_file( f, 2, bv_volume_aabb );
	bvw_deform_options options = { .rebuild_triangles = all_triangles, .motion = true };
	bvw_owners* owners[3];
	bent b[3];
	for ( int i = 0; i < 3; ++i )
	{
		b[i] = bend_file( f, file, &options );
		// The last two are the same.
		if ( i < 2 )
		{
			move_noisily( f, b + i, 1, 2 * b->diagonal );
		}
		else
		{
			memcpy( b[2].positions, b[1].positions, 3 * sizeof *b[1].positions * b[1].vertices );
		}
		bvw_vertices v = vertices_of( b + i );
		assert_int_equal( bvw_deform_refit_motion( b[i].deform, &v, &v, NULL, NULL ), bv_ok );
		assert_int_equal( rebuild( b + i, 0 ).assigned, 1 );
		owners[i] = owners_of( f, bvw_deform_file( b[i].deform ) );
	}
	for ( int i = 0; i < 9; ++i )
	{
		bool same = i % 3 == i / 3 || ( i % 3 > 0 && i / 3 > 0 );
		bvw_deform_sweep_result r;
		bv_status status = bvw_deform_self_sweep( b[i % 3].deform, owners[i / 3], NULL, &r );
		assert_int_equal( status, same ? bv_ok : bv_error_argument );
	}
	for ( int i = 0; i < 3; ++i )
	{
		end_bent( b + i );
	}
}

// What a visit of the nodes compares them with.
static bool bounds_hold( void* context, const bv_node_info* node )
{
	const bvb_tree_errors* found = context;
	const bvb_node_error* e = found->nodes + node->index;
	assert_true( node->has_errors );
	assert_true( node->solid_upper >= e->solid_lower );
	assert_true( node->surface_upper >= e->surface_lower );
	return true;
}

// Nothing is known of nodes with other triangles but that these are in their volumes.
static bool bound_is_a_diameter( void* context, const bv_node_info* node )
{
	uint32_t* nodes = context;
	double diameter = bv_length( bv_sub( node->volume.aabb.upper, node->volume.aabb.lower ) );
	assert_true( node->level == 0 || node->solid_upper >= diameter * ( 1 - 1e-12 ) );
	*nodes += node->level > 0;
	return true;
}

static void errors_of_other_triangles_are_not_those_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bent_mesh( f, 3 );
	bvb_asset_options built = plain_options();
	built.hierarchy.volume_types = 1u << bv_volume_aabb;
	built.sections |= 1u << bvb_section_errors;
	built.errors.relative = 0.1;
	bvw_deform_options options = { .rebuild_triangles = all_triangles, .errors = true };
	bent b = bend_file( f, build_file( f, &mesh, &built ), &options );
	move_noisily( f, &b, 1, 2 * b.diagonal );
	refit_all( &b );
	assert_int_equal( rebuild( &b, 0 ).assigned, 1 );
	uint32_t nodes = 0;
	bv_file_visit_nodes( bvw_deform_file( b.deform ), bound_is_a_diameter, &nodes );
	reset_positions( &b );
	refit_all( &b );
	bv_file_visit_nodes( bvw_deform_file( b.deform ), bound_is_a_diameter, &nodes );
	assert_true( nodes > 20 );
	end_bent( &b );
}

static void errors_hold_after_rebuilds( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2 * bent_volumes; ++i )
	{
		bvb_asset_options built = plain_options();
		built.hierarchy.volume_types = bent_types( i / 2 );
		built.sections |= 1u << bvb_section_errors;
		built.errors.relative = 0.1;
		bvb_mesh source = bent_mesh( f, i % 2 ? 2 : 4 );
		bvw_deform_options options = { .rebuild_triangles = all_triangles,
			                           .errors = true,
			                           .no_lists = i % 2 > 0,
			                           .frames = i % 4 < 2 ? bvw_deform_turn : bvw_deform_keep };
		bent b = bend_file( f, build_file( f, &source, &built ), &options );
		uint32_t count = bv_file_get_mesh( b.file ).triangles;
		for ( int k = 0; k < 3; ++k )
		{
			deform( f, &b, k == 1 ? deform_part : deform_noise );
			refit_all( &b );
			if ( k < 2 )
			{
				rebuild( &b, k == 0 ? count / 2 : 0 );
			}
			if ( k == 1 )
			{
				// A whole refit finds the same, errors as well.
				size_t bytes = image_bytes( &b );
				char* copy = bvb_arena_allocate( f->arena, bytes, 1 );
				memcpy( copy, bvw_deform_file( b.deform ), bytes );
				refit_all( &b );
				assert_memory_equal( bvw_deform_file( b.deform ), copy, bytes );
			}
			const bv_file* file = bvw_deform_file( b.deform );
			bvb_tree_errors_options measuring = bvb_tree_errors_options_default();
			bvb_tree_errors found;
			bvb_error error = { "" };
			measuring.threads = 1;
			assert_int_equal( bvb_hausdorff_file( file, &measuring, f->arena, &found, &error ), bv_ok );
			bv_file_visit_nodes( file, bounds_hold, &found );
			bv_file_errors all;
			assert_true( bv_file_get_errors( file, &all ) );
			assert_true( all.all.solid.max.upper >= found.all.solid.max.lower );
			assert_true( all.all.solid.mean.upper >= found.all.solid.mean.lower );
		}
		end_bent( &b );
	}
}

static void what_is_refused_changes_nothing( void** state )
{
	fixture* f = *state;
	const bv_file* file = bent_file( f, 2, bv_volume_obb );
	bent none = bend_file( f, file, NULL );
	bvw_deform_rebuild_report r = { .subtrees = 77 };
	assert_int_equal( bvw_deform_rebuild( NULL, 0, &r ), bv_error_argument );
	assert_int_equal( bvw_deform_rebuild( none.deform, 0, &r ), bv_error_argument );
	assert_int_equal( bvw_deform_rebuild( none.deform, 1, &r ), bv_error_argument );
	assert_int_equal( bvw_deform_triangle( none.deform, 5 ), 5 );
	bvw_deform_options options = { .rebuild_triangles = 100 };
	bent b = bend_file( f, file, &options );
	bent same = bend_file( f, file, &options );
	assert_int_equal( bvw_deform_rebuild( b.deform, 101, &r ), bv_error_argument );
	assert_int_equal( r.subtrees, 77 );
	assert_same_images( &b, &same );
	// Nothing is worse than it was.
	assert_int_equal( bvw_deform_rebuild( b.deform, 100, &r ), bv_ok );
	assert_int_equal( r.subtrees, 0 );
	assert_true( r.gain == 0 );
	assert_same_images( &b, &same );
	deform( f, &b, deform_part );
	refit_all( &b );
	assert_int_equal( bvw_deform_rebuild( b.deform, 0, NULL ), bv_ok );
	assert_int_equal( bvw_deform_rebuild( b.deform, 1, &r ), bv_ok );
	assert_int_equal( r.triangles, 0 );
	check_rebuilt( f, &b );
	// A skin knows the triangles of leaves.
	uint8_t bones[4] = { 0 };
	float weights[4] = { 1 };
	bvw_weights skin = { .set = { .bones = bones, .bone_bytes = 1, .weights = weights, .count = 1 },
		                 .vertices = 1,
		                 .bones = 1 };
	uint32_t* index = bvb_arena_allocate( f->arena, b.vertices, sizeof *index );
	memset( index, 0, b.vertices * sizeof *index );
	skin.index = index;
	assert_true( bvw_skin_bytes( none.deform, &skin ) > 0 );
	assert_int_equal( bvw_skin_bytes( b.deform, &skin ), 0 );
	end_bent( &none );
	end_bent( &same );
	end_bent( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nodes_enclose_their_triangles_after_rebuilds ),
		fixture_test( rebuilds_do_not_depend_on_lists ),
		fixture_test( refits_of_lists_after_a_rebuild_are_those_of_all ),
		fixture_test( nodes_above_a_rebuilt_subtree_are_those_of_a_whole_refit ),
		fixture_test( volumes_of_motion_can_be_rebuilt ),
		fixture_test( triangles_of_many_vertices_stay_the_same ),
		fixture_test( a_row_in_another_order_gets_as_good_as_new ),
		fixture_test( a_mesh_that_was_rebuilt_in_a_bad_shape_is_rebuilt_again ),
		fixture_test( all_triangles_are_rebuilt_whatever_their_area_is ),
		fixture_test( axes_that_stay_are_found_again ),
		fixture_test( axes_that_turn_are_as_good_as_those_that_stay ),
		fixture_test( rebuilds_see_where_vertices_go ),
		fixture_test( queries_find_the_same_in_a_rebuilt_hierarchy ),
		fixture_test( owners_are_out_of_date_after_a_rebuild ),
		fixture_test( owners_of_a_mesh_that_was_rebuilt_differently_are_refused ),
		fixture_test( errors_of_other_triangles_are_not_those_of_the_file ),
		fixture_test( errors_hold_after_rebuilds ),
		fixture_test( what_is_refused_changes_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
