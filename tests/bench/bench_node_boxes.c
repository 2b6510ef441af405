// Boxes of node-sized sets by every method of fitting: speed on one thread, and size relative to the
// smallest box.
//
//   bench_node_boxes MESH... [--sets N]
//
// The sets are nodes of 8 to 64 triangles of trees built over the meshes, at most N per mesh (200), evenly
// spaced. The smallest box is the best of many searches from random frames over the vertices of the hull. If
// a set is so flat that the rounding of a stored frame is most of its thickness, areas are compared instead.

#include "bvbuild/bvbuild.h"
#include "offline/fit/obb_method.h"
#include "offline/fit/obb_node.h"
#include "runtime/math/vec.h"
#include "tests/bench/random.h"
#include "tests/box_trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	max_methods = 8,
	starts = 200,
	repeats = 20,
};

static double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What is known of one method on sets of one kind.
typedef struct tally
{
	double seconds;
	uint64_t boxes;
	double sum; // of ratios to the least
	double worst;
	uint64_t sets;
} tally;

typedef struct totals
{
	tally solid[max_methods];
	tally flat[max_methods];
} totals;

static void random_frame( bv_vec3 axis[3] )
{
	double q[4];
	double square;
	do
	{
		square = 0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = 2 * random_unit() - 1;
			square += q[i] * q[i];
		}
	} while ( square > 1 || square < 0.01 );
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double s = 2 / square;
	axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = bv_cross( axis[0], axis[1] );
}

static void fail( const char* message )
{
	fprintf( stderr, "bench_node_boxes: %s\n", message );
	exit( 2 );
}

static double product( const double length[3] )
{
	return length[0] * length[1] * length[2];
}

// Twice the area of a flat box.
static double area( const double length[3] )
{
	return length[0] * length[1] + length[1] * length[2] + length[2] * length[0];
}

// The sides of the least box of a set.
static void least_box( const bv_vec3* points, uint32_t count, bvb_arena* arena, double least[3] )
{
	bvb_hull hull;
	bvb_error error = { "" };
	if ( bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		fail( error.message );
	}
	bv_vec3* corners = bvb_arena_allocate( arena, hull.vertex_count, sizeof *corners );
	for ( uint32_t i = 0; corners && i < hull.vertex_count; ++i )
	{
		corners[i] = points[hull.vertices[i]];
	}
	bvfit_box_cost best = { INFINITY, 0, 0 };
	for ( int i = 0; corners && i < starts; ++i )
	{
		bv_vec3 axis[3];
		double length[3];
		random_frame( axis );
		bvfit_obb_refine( corners, hull.vertex_count, bvb_box_volume, axis );
		bvfit_box_lengths( corners, hull.vertex_count, axis, length );
		bvfit_box_cost cost = bvfit_box_cost_of( length, bvb_box_volume );
		if ( bvfit_box_cost_less( cost, best ) )
		{
			best = cost;
			memcpy( least, length, sizeof length );
		}
	}
}

static void add( tally* t, double ratio )
{
	t->sum += ratio;
	t->worst = fmax( t->worst, ratio );
	t->sets += 1;
}

static void measure_set( const bvfit_face* faces, const uint32_t* order, uint32_t count, totals* out )
{
	bvb_arena* arena = bvb_arena_create();
	bv_vec3* points = bvb_arena_allocate( arena, 3 * (size_t)count, sizeof *points );
	if ( !points )
	{
		fail( "out of memory" );
	}
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		points[i] = faces[order[i / 3]].corner[i % 3];
	}
	double least[3] = { 0, 0, 0 };
	least_box( points, 3 * count, arena, least );
	double thinnest = fmin( least[0], fmin( least[1], least[2] ) );
	double longest = fmax( least[0], fmax( least[1], least[2] ) );
	bool flat = thinnest < 1e-4 * longest;

	const char* name;
	for ( uint32_t m = 0; ( name = bvb_node_box_name( m, NULL ) ) && m < max_methods; ++m )
	{
		const bvfit_node_box* method = bvfit_node_box_find( name );
		tally* t = ( flat ? out->flat : out->solid ) + m;
		bvvol_packed_obb box;
		double start = now();
		for ( int i = 0; i < repeats; ++i )
		{
			box = method->fit( faces, order, count );
		}
		t->seconds += now() - start;
		t->boxes += repeats;
		double length[3] = { 2.0 * box.half_extents[0], 2.0 * box.half_extents[1],
			                 2.0 * box.half_extents[2] };
		add( t, flat ? area( length ) / area( least ) : product( length ) / product( least ) );
	}
	bvb_arena_destroy( arena );
}

static bool node_sized( const bvb_node* node )
{
	return node->triangles >= 8 && node->triangles <= 64;
}

static void measure_mesh( const char* path, uint32_t wanted, totals* out )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_hierarchy_options options = box_tree_options();
	bvb_import import;
	bvb_record record;
	bvb_tree* tree;
	bvb_error error = { "out of memory" };
	if ( !arena || bvb_import_file( path, &import_options, arena, &import, &error ) != bv_ok ||
	     bvb_mesh_record( &import.scene.mesh, &record_options, arena, &record, &error ) != bv_ok ||
	     bvb_hierarchy_build( &record.mesh, &options, arena, &tree, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bvb_mesh* mesh = &record.mesh;
	bvfit_face* faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *faces );
	uint32_t* order = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *order );
	if ( !faces || !order )
	{
		fail( "out of memory" );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		faces[i] = bvfit_face_of(
			( bv_vec3[3] ){ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] } );
		order[i] = i;
	}

	uint32_t nodes = bvb_tree_node_count( tree );
	uint32_t sets = 0;
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		sets += node_sized( &node );
	}
	uint32_t step = sets / wanted + 1;
	uint32_t seen = 0;
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		if ( node_sized( &node ) && seen++ % step == 0 )
		{
			measure_set( faces, order + node.first_triangle, node.triangles, out );
		}
	}
	bvb_arena_destroy( arena );
}

static void print( const char* what, const tally* tallies )
{
	if ( tallies[0].sets == 0 )
	{
		return;
	}
	printf( "%llu %s\n", (unsigned long long)tallies[0].sets, what );
	const char* name;
	for ( uint32_t m = 0; ( name = bvb_node_box_name( m, NULL ) ) && m < max_methods; ++m )
	{
		const tally* t = tallies + m;
		printf( "  %-10s %10.0f boxes/s   mean %.4f   worst %.4f of the least\n", name,
		        (double)t->boxes / t->seconds, t->sum / (double)t->sets, t->worst );
	}
}

int main( int count, char** arguments )
{
	static totals all;
	uint32_t wanted = 200;
	int meshes = count;
	if ( count > 3 && strcmp( arguments[count - 2], "--sets" ) == 0 )
	{
		wanted = (uint32_t)atoi( arguments[count - 1] );
		meshes = count - 2;
	}
	if ( meshes < 2 || wanted < 1 )
	{
		fprintf( stderr, "usage: bench_node_boxes MESH... [--sets N]\n" );
		return 1;
	}
	for ( int i = 1; i < meshes; ++i )
	{
		measure_mesh( arguments[i], wanted, &all );
	}
	print( "sets of 8 to 64 triangles: volume", all.solid );
	print( "flat sets: area", all.flat );
	return 0;
}
