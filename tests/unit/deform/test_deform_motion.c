// Refits for a step: nodes enclose vertices that move along lines from its begin to its end. And refits by several threads, which give the
// same bytes as those by one.

#include "tests/unit/deform/bent_meshes.h"

#include <pthread.h>
#include <stdio.h>

static const bvw_deform_options moving = { .motion = true, .workers = BVW_MAX_WORKERS };

// Tasks in an order of their own, or each by a thread.
typedef struct team
{
	int order; // 0: as they come; 1: the last one first; 2: odd ones first; 3: by threads
	void ( *task )( void* data, uint32_t k );
	void* data;
	uint32_t count;
	uint32_t open;
	uint32_t starts;
	pthread_t thread[BVW_MAX_WORKERS];
} team;

enum
{
	team_orders = 4,
};

typedef struct team_task
{
	team* of;
	uint32_t k;
} team_task;

static void* run_team_task( void* data )
{
	team_task t = *(team_task*)data;
	free( data );
	t.of->task( t.of->data, t.k );
	return NULL;
}

static uint32_t in_order( int order, uint32_t count, uint32_t i )
{
	uint32_t odd = count / 2;
	return order == 1 ? count - 1 - i : order == 2 ? ( i < odd ? 2 * i + 1 : 2 * ( i - odd ) ) : i;
}

static void* start( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count )
{
	team* t = context;
	assert_true( t->open == 0 && count > 0 && count <= BVW_MAX_WORKERS );
	t->task = task;
	t->data = data;
	t->count = count;
	++t->open;
	++t->starts;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t k = in_order( t->order, count, i );
		if ( t->order < 3 )
		{
			task( data, k );
			continue;
		}
		team_task* one = malloc( sizeof *one );
		*one = ( team_task ){ t, k };
		assert_int_equal( pthread_create( t->thread + k, NULL, run_team_task, one ), 0 );
	}
	return t->thread + 1;
}

static void finish( void* context, void* started )
{
	team* t = context;
	assert_true( t->open == 1 && started == t->thread + 1 );
	for ( uint32_t k = 0; k < t->count && t->order == 3; ++k )
	{
		assert_int_equal( pthread_join( t->thread[k], NULL ), 0 );
	}
	t->open = 0;
}

static void refit_on( bent* b, const double* from, const double* to, int order, uint32_t workers )
{
	team t = { .order = order };
	bvw_tasks tasks = { &t, workers, start, finish };
	bvw_vertices v[2] = { { .positions = from, .count = b->vertices },
		                  { .positions = to, .count = b->vertices } };
	bvw_deform_report report = { 0 };
	bv_status status = to ? bvw_deform_refit_motion( b->deform, v, v + 1, &tasks, &report )
	                      : bvw_deform_refit_on( b->deform, v, &tasks, &report );
	assert_int_equal( status, bv_ok );
	assert_true( t.open == 0 && ( workers == 1 || t.starts > 0 ) );
	assert_true( report.vertices == b->vertices && report.nodes == b->before.count && report.whole );
}

// The mesh as it is between two others, rounded to binary64 only.
static void set_between( bvb_mesh* mesh, const double* from, const double* to, bv_vec3 offset, double t )
{
	const double o[3] = { offset.x, offset.y, offset.z };
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		double at[3];
		for ( uint32_t k = 0; k < 3; ++k )
		{
			float a = (float)( from[3 * i + k] - o[k] );
			float b = (float)( to[3 * i + k] - o[k] );
			// Between the two numbers even after rounding.
			double x = t == 0 ? a : t == 1 ? b : a + t * ( (double)b - a );
			at[k] = fmin( fmax( x, fmin( a, b ) ), fmax( a, b ) );
		}
		mesh->positions[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
	}
}

// Between the ends, points are rounded: half extents may be too small by the rounding of coordinates.
static void assert_nearly_encloses( const plain_nodes* nodes, const bvb_mesh* mesh )
{
	plain_nodes larger = *nodes;
	plain_node* copy = malloc( nodes->count * sizeof *copy );
	memcpy( copy, nodes->node, nodes->count * sizeof *copy );
	larger.node = copy;
	for ( uint32_t i = 0; i < nodes->count; ++i )
	{
		bv_volume* v = &copy[i].volume;
		double reach = 0;
		for ( uint32_t k = 0; k < 3 * copy[i].triangles; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[copy[i].first_triangle + k / 3].corner[k % 3]];
			reach = fmax( reach, fabs( p.x ) + fabs( p.y ) + fabs( p.z ) );
		}
		double more = 0x1p-50 * reach;
		switch ( v->type )
		{
		case bv_volume_obb:
			for ( int k = 0; k < 3; ++k )
			{
				v->obb.half_extents[k] += more;
			}
			break;
		case bv_volume_sphere: v->sphere.radius += more; break;
		case bv_volume_rss: v->rss.radius += more; break;
		case bv_volume_prism:
			for ( int k = 0; k < 3; ++k )
			{
				v->prism.box.half_extents[k] += 0x1p16 * more;
			}
			break;
		case bv_volume_aabb: break;
		default:
			for ( int k = 3; k < BV_KDOP_DIRECTIONS; ++k )
			{
				v->kdop.lower[k] -= more;
				v->kdop.upper[k] += more;
			}
		}
	}
	assert_encloses( &larger, mesh );
	free( copy );
}

// All types of volumes, all kinds of deformation, by different numbers of workers; and afterwards back to no motion.
static void nodes_enclose_a_step( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 40 : 2;
	uint64_t steps = 0;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		for ( int volumes = mesh % 2; volumes < bent_volumes; volumes += is_thorough() ? 1 : 2 )
		{
			const bv_file* file = bent_file( f, mesh, volumes );
			bvw_deform_options options = moving;
			options.frames = ( mesh + volumes ) % 3 == 2 ? bvw_deform_turn : bvw_deform_keep;
			bent b = bend_file( f, file, &options );
			options.motion = false;
			bent still = bend_file( f, file, &options );
			bv_vec3 offset = bv_file_get_offset( file );
			double* from = malloc( 3 * sizeof *from * b.vertices );
			for ( int i = 0; i < rounds; ++i )
			{
				if ( i % 4 == 0 )
				{
					reset_positions( &b );
				}
				memcpy( from, b.positions, 3 * sizeof *from * b.vertices );
				deform( f, &b, ( i + volumes + 3 * mesh ) % deform_kinds );
				refit_on( &b, from, b.positions, i % team_orders,
				          1 + (uint32_t)( i + mesh ) % BVW_MAX_WORKERS );
				bvb_mesh now = mesh_inside( f, bvw_deform_file( b.deform ) );
				plain_nodes nodes = plain_nodes_of( f, bvw_deform_file( b.deform ) );
				assert_same_tree( &b.before, &nodes, b.turns );

				// The file has the positions of the begin.
				for ( uint32_t k = 0; k < b.vertices; ++k )
				{
					assert_true( now.positions[k].x == (float)( from[3 * k] - offset.x ) );
				}
				const double times[] = { 0, 1, random_unit( f ), random_unit( f ) };
				for ( int k = 0; k < 4; ++k )
				{
					set_between( &now, from, b.positions, offset, times[k] );
					if ( k < 2 )
					{
						assert_encloses( &nodes, &now );
						assert_verifies( bvw_deform_file( b.deform ), &now );
					}
					else
					{
						assert_nearly_encloses( &nodes, &now );
					}
				}
				++steps;

				// A list after a step: what is not listed stays where the step began.
				uint32_t listed = (uint32_t)( random_bits( f ) % b.vertices );
				double* to = b.positions + 3 * (size_t)listed;
				double at[3] = { to[0], to[1], to[2] };
				memcpy( b.positions, from, 3 * sizeof *from * b.vertices );
				memcpy( to, at, sizeof at );
				bvw_vertices v = vertices_of( &b );
				uint32_t count = (uint32_t)i % 2;
				bvw_deform_report report;
				assert_int_equal( bvw_deform_refit( b.deform, &v, &listed, count, &report ), bv_ok );
				assert_true( report.vertices == count && report.nodes == b.before.count && report.whole );
				if ( i % 2 == 0 )
				{
					memcpy( to, from + 3 * (size_t)listed, sizeof at );
				}
				memcpy( still.positions, b.positions, 3 * sizeof *from * b.vertices );
				refit_all( &still );
				assert_same_images( &b, &still );
			}
			free( from );
			end_bent( &b );
			end_bent( &still );
		}
	}
	printf( "%llu steps\n", (unsigned long long)steps );
}

// A step in which nothing moves is none.
static void a_step_at_rest_gives_the_bytes_of_a_refit( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		const bv_file* file = bent_file( f, 2, volumes );
		bent a = bend_file( f, file, &moving );
		bent b = bend_file( f, file, NULL );
		deform( f, &a, deform_noise );
		memcpy( b.positions, a.positions, 3 * sizeof *a.positions * a.vertices );
		refit_on( &a, a.positions, a.positions, 0, 1 );
		refit_all( &b );
		assert_same_images( &a, &b );
		end_bent( &a );
		end_bent( &b );
	}
}

static void any_number_of_workers_gives_the_same_bytes( void** state )
{
	fixture* f = *state;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		int volumes = is_thorough() ? bent_volumes : 1;
		for ( int v = mesh; v < mesh + volumes; ++v )
		{
			const bv_file* file = bent_file( f, mesh, v % bent_volumes );
			bvw_deform_options options = moving;
			options.frames = mesh % 2 == 0 ? bvw_deform_turn : bvw_deform_keep;
			bent several = bend_file( f, file, &options );
			bent pair = bend_file( f, file, &options );
			options.motion = false;
			bent alone = bend_file( f, file, &options );
			for ( uint32_t workers = 1; workers <= BVW_MAX_WORKERS; workers += workers < 10 ? 1 : 6 )
			{
				double* from = malloc( 3 * sizeof *from * alone.vertices );
				memcpy( from, alone.positions, 3 * sizeof *from * alone.vertices );
				deform( f, &alone, (int)( random_bits( f ) % deform_kinds ) );
				refit_all( &alone );
				int order = (int)( workers % team_orders );
				refit_on( &several, alone.positions, NULL, order, workers );
				assert_same_images( &alone, &several );
				refit_on( &several, from, alone.positions, order, workers );
				refit_on( &pair, from, alone.positions, 0, 1 );
				assert_same_images( &pair, &several );
				free( from );
			}
			end_bent( &alone );
			end_bent( &several );
			end_bent( &pair );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nodes_enclose_a_step ),
		fixture_test( a_step_at_rest_gives_the_bytes_of_a_refit ),
		fixture_test( any_number_of_workers_gives_the_same_bytes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
