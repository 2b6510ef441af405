// Trees built from the leaves up, optimised and collapsed, against Gottschalk's: the expected cost of each, and processor
// time on one thread.
//
//   bench_bottomup MESH... [--repeats N]

#include "hierarchy/expected.h"
#include "measure.h"

// One tree to be made.
typedef struct recipe
{
	const char* name;
	const char* builder;
	uint32_t optimise;
	uint32_t collapse;
	uint32_t leaf_triangles;
} recipe;

static const recipe recipes[] = {
	{ "gottschalk", "topdown", 0, 0, 1 },
	{ "gottschalk, optimised 1", "topdown", 1, 0, 1 },
	{ "gottschalk, optimised 10", "topdown", 10, 0, 1 },
	{ "gottschalk, collapsed 4", "topdown", 0, 4, 1 },
	{ "gottschalk, collapsed 8, leaves 4", "topdown", 0, 8, 4 },
	{ "ploc", "ploc", 0, 0, 1 },
	{ "ploc, optimised 1", "ploc", 1, 0, 1 },
	{ "ploc, optimised 3", "ploc", 3, 0, 1 },
	{ "ploc, optimised 10", "ploc", 10, 0, 1 },
	{ "ploc, optimised 50", "ploc", 50, 0, 1 },
	{ "ploc, collapsed 4", "ploc", 0, 4, 1 },
	{ "ploc, collapsed 8, leaves 4", "ploc", 0, 8, 4 },
	{ "ploc, optimised 10, collapsed 8, leaves 4", "ploc", 10, 8, 4 },
};

static void fail( const char* message )
{
	fprintf( stderr, "bench_bottomup: %s\n", message );
	exit( 2 );
}

static bvb_mesh copy_of( const bvb_mesh* mesh, bvb_arena* arena )
{
	bvb_mesh copy = *mesh;
	copy.positions = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *mesh->positions );
	copy.triangles = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *mesh->triangles );
	copy.origin = NULL;
	if ( !copy.positions || !copy.triangles )
	{
		fail( "out of memory" );
	}
	memcpy( copy.positions, mesh->positions, mesh->vertex_count * sizeof *mesh->positions );
	memcpy( copy.triangles, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles );
	return copy;
}

static uint32_t depth_of( const bvb_tree* tree, bvb_arena* arena )
{
	uint32_t* level = bvb_arena_allocate( arena, bvb_tree_node_count( tree ), sizeof *level );
	uint32_t depth = 0;
	for ( uint32_t i = 0; level && i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		depth = level[i] > depth ? level[i] : depth;
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			level[node.first_child + k] = level[i] + 1;
		}
	}
	return depth;
}

static void measure( const bvb_mesh* mesh, const recipe* r, bv_volume_type type, int repeats, double* plain )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = r->builder;
	options.optimise = r->optimise;
	options.collapse = r->collapse;
	options.leaf_triangles = r->leaf_triangles;
	options.volume_types = 1u << type;
	options.threads = 1;
	double least = 1e300;
	double cost = 0;
	uint32_t depth = 0;
	for ( int i = 0; i < repeats; ++i )
	{
		bvb_arena* arena = bvb_arena_create();
		bvb_mesh copy = copy_of( mesh, arena );
		bvb_tree* tree;
		bvb_error error;
		double start = core_now();
		if ( bvb_hierarchy_build( &copy, &options, arena, &tree, &error ) != bv_ok )
		{
			fail( error.message );
		}
		double seconds = core_now() - start;
		least = seconds < least ? seconds : least;
		cost = bvb_expected_cost( tree, &options );
		depth = depth_of( tree, arena );
		bvb_arena_destroy( arena );
	}
	*plain = *plain > 0 ? *plain : cost;
	printf( "  %-6s %-42s %10.1f %6.3f %8.3f s %7.3f Mtri/s  depth %u\n", bv_volume_type_name( type ),
	        r->name, cost, cost / *plain, least, 1e-6 * mesh->triangle_count / least, depth );
	fflush( stdout );
}

int main( int argc, char** argv )
{
	int repeats = 3;
	for ( int i = 1; i < argc; ++i )
	{
		if ( strcmp( argv[i], "--repeats" ) == 0 && i + 1 < argc )
		{
			repeats = atoi( argv[++i] );
			continue;
		}
		bvb_arena* arena = bvb_arena_create();
		bvb_import_options import_options = bvb_import_options_default();
		bvb_record_options record_options = bvb_record_options_default();
		bvb_import import;
		bvb_record record;
		bvb_error error = { "out of memory" };
		if ( !arena || bvb_import_file( argv[i], &import_options, arena, &import, &error ) != bv_ok ||
		     bvb_mesh_record( &import.scene.mesh, &record_options, arena, &record, &error ) != bv_ok )
		{
			fail( error.message );
		}
		printf( "%s, %u triangles\n", name_of( argv[i] ), record.mesh.triangle_count );
		static const bv_volume_type types[] = { bv_volume_obb, bv_volume_aabb };
		for ( int t = 0; t < 2; ++t )
		{
			double plain = 0;
			for ( size_t k = 0; k < sizeof recipes / sizeof *recipes; ++k )
			{
				measure( &record.mesh, recipes + k, types[t], repeats, &plain );
			}
		}
		bvb_arena_destroy( arena );
	}
	return 0;
}
