// Certified distances of round volumes: spheres, capsules and cylinders of nodes of trees, by number of
// triangles.
//
//   bench_hausdorff_round [--nodes N] MESH...
//
// Measures N nodes (20) of each mesh and class, evenly spaced, of at most 5,000 triangles: the smallest
// sphere, the best capsule, and the cylinder around the node's box along its longest side. To 1 % or 1e-3 of
// the sphere's diameter, with a target that was used before. Prints geometric means of the CPU time and
// arithmetic means of the regions.

#include "measure.h"

#include <math.h>

enum
{
	most_faces = 5000,
	classes = 5,
	kinds = 6,
	repeats = 3,
	batch = 8,
};

static const uint32_t class_limit[classes] = { 1, 10, 100, 1000, most_faces };
static const char* const kind_names[kinds] = { "ball's surface",     "ball",
	                                           "capsule's surface",  "capsule",
	                                           "cylinder's surface", "cylinder" };
static const double least_seconds = 1e-4;

typedef struct volumes
{
	bv_sphere ball;
	bv_capsule capsule;
	bv_cylinder cylinder;
} volumes;

typedef struct tally
{
	uint32_t count;
	double log_seconds;
	double regions;
} tally;

static void check( bool good, const char* message )
{
	if ( !good )
	{
		fprintf( stderr, "bench_hausdorff_round: %s\n", message );
		exit( 2 );
	}
}

static int class_of( uint32_t triangles )
{
	int c = 0;
	while ( c < classes && triangles > class_limit[c] )
	{
		c += 1;
	}
	return c;
}

static volumes volumes_of( const bvb_mesh* mesh, const bvb_node* node )
{
	uint32_t count = 3 * node->triangles;
	bv_vec3* points = malloc( count * sizeof *points );
	check( points, "out of memory" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = mesh->positions[mesh->triangles[node->first_triangle + i / 3].corner[i % 3]];
	}
	volumes v = { 0 };
	check( bvb_fit_sphere( points, count, &v.ball ) == bv_ok &&
	           bvb_fit_capsule( points, count, &v.capsule ) == bv_ok,
	       "no volume" );
	free( points );

	const double* half = node->volume.obb.half_extents;
	int longest = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
	bv_vec3 a = node->volume.obb.axis[longest];
	bv_vec3 c = node->volume.obb.center;
	double h = half[longest];
	v.cylinder.ends[0] = ( bv_vec3 ){ c.x - h * a.x, c.y - h * a.y, c.z - h * a.z };
	v.cylinder.ends[1] = ( bv_vec3 ){ c.x + h * a.x, c.y + h * a.y, c.z + h * a.z };
	v.cylinder.radius = hypot( half[( longest + 1 ) % 3], half[( longest + 2 ) % 3] );
	return v;
}

static bvb_hausdorff run( bvb_hausdorff_target* target, const volumes* v, int kind )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = kind % 2 ? bvb_hausdorff_solid : bvb_hausdorff_surface;
	options.absolute = 2e-3 * v->ball.radius;
	bvb_hausdorff result = { 0 };
	bv_status status = kind < 2   ? bvb_hausdorff_sphere( target, &v->ball, &options, &result )
	                   : kind < 4 ? bvb_hausdorff_capsule( target, &v->capsule, &options, &result )
	                              : bvb_hausdorff_cylinder( target, &v->cylinder, &options, &result );
	check( status == bv_ok, bv_status_text( status ) );
	return result;
}

static void time_kind( bvb_hausdorff_target* target, const volumes* v, int kind, tally* t )
{
	double least = INFINITY;
	bvb_hausdorff result = { 0 };
	for ( int i = 0; i < repeats; ++i )
	{
		int runs = 0;
		double start = core_now();
		double seconds;
		do
		{
			for ( int k = 0; k < batch; ++k )
			{
				result = run( target, v, kind );
			}
			runs += batch;
			seconds = core_now() - start;
		} while ( seconds < least_seconds );
		least = fmin( least, seconds / runs );
	}
	t->count += 1;
	t->log_seconds += log( least );
	t->regions += (double)result.regions;
}

static void time_node( const bvb_mesh* mesh, const bvb_node* node, const uint32_t* all, tally by_kind[kinds] )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_hausdorff_target* target = NULL;
	bvb_error error = { "" };
	check( arena && bvb_hausdorff_target_create( mesh, all + node->first_triangle, node->triangles, arena,
	                                             &target, &error ) == bv_ok,
	       error.message );
	volumes v = volumes_of( mesh, node );
	for ( int kind = 0; kind < kinds; ++kind )
	{
		// A box of no length has no cylinder.
		if ( kind < 4 || v.cylinder.radius > 0 )
		{
			time_kind( target, &v, kind, &by_kind[kind] );
		}
	}
	bvb_arena_destroy( arena );
}

static void time_mesh( const char* path, uint32_t wanted, tally tallies[classes][kinds] )
{
	bvb_arena* arena = bvb_arena_create();
	check( arena, "out of memory" );
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_hierarchy_options options = box_tree_options();
	bvb_import import;
	bvb_record record;
	bvb_tree* tree;
	bvb_error error = { "" };
	check( bvb_import_file( path, &import_options, arena, &import, &error ) == bv_ok &&
	           bvb_mesh_record( &import.scene.mesh, &record_options, arena, &record, &error ) == bv_ok &&
	           bvb_hierarchy_build( &record.mesh, &options, arena, &tree, &error ) == bv_ok,
	       error.message );
	uint32_t* all = bvb_arena_allocate( arena, record.mesh.triangle_count, sizeof *all );
	check( all, "out of memory" );
	for ( uint32_t i = 0; i < record.mesh.triangle_count; ++i )
	{
		all[i] = i;
	}
	uint32_t nodes = bvb_tree_node_count( tree );
	uint32_t in_class[classes + 1] = { 0 };
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		in_class[class_of( bvb_tree_node( tree, i ).triangles )] += 1;
	}
	uint32_t seen[classes + 1] = { 0 };
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		int c = class_of( node.triangles );
		uint64_t at = seen[c]++;
		bool is_chosen = at * wanted / in_class[c] != ( at + 1 ) * wanted / in_class[c];
		if ( c < classes && is_chosen )
		{
			time_node( &record.mesh, &node, all, tallies[c] );
		}
	}
	bvb_arena_destroy( arena );
}

int main( int count, char** arguments )
{
	uint32_t wanted = 20;
	int first = 1;
	if ( count > 2 && strcmp( arguments[1], "--nodes" ) == 0 )
	{
		wanted = (uint32_t)strtoul( arguments[2], NULL, 10 );
		first = 3;
	}
	if ( first >= count || wanted < 1 )
	{
		fprintf( stderr, "usage: bench_hausdorff_round [--nodes N] MESH...\n" );
		return 1;
	}
	tally tallies[classes][kinds] = { { { 0 } } };
	for ( int i = first; i < count; ++i )
	{
		time_mesh( arguments[i], wanted, tallies );
	}
	for ( int kind = 0; kind < kinds; ++kind )
	{
		printf( "%s\n  %-14s %6s %10s %10s\n", kind_names[kind], "triangles", "nodes", "us", "regions" );
		for ( int c = 0; c < classes; ++c )
		{
			const tally* t = &tallies[c][kind];
			char range[32];
			snprintf( range, sizeof range, "%u to %u", c ? class_limit[c - 1] + 1 : 1, class_limit[c] );
			if ( t->count > 0 )
			{
				printf( "  %-14s %6u %10.3f %10.1f\n", range, t->count,
				        1e6 * exp( t->log_seconds / t->count ), t->regions / t->count );
			}
		}
	}
	return 0;
}
