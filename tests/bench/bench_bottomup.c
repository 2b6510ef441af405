// Bottom-up trees, optimized and collapsed, compared with Gottschalk's: the expected cost of each and the
// CPU time on one thread.
//
//   bench_bottomup MESH... [--repeats N]

#include "offline/hierarchy/expected.h"
#include "tests/bench/judge.h"

// One tree to be made.
typedef struct recipe
{
	const char* name;
	const char* builder;
	uint32_t optimize;
	uint32_t collapse;
	uint32_t leaf_triangles;
} recipe;

static const recipe recipes[] = {
	{ "gottschalk", "topdown", 0, 0, 1 },
	{ "gottschalk, optimized 1", "topdown", 1, 0, 1 },
	{ "gottschalk, optimized 10", "topdown", 10, 0, 1 },
	{ "gottschalk, collapsed 4", "topdown", 0, 4, 1 },
	{ "gottschalk, collapsed 8, leaves 4", "topdown", 0, 8, 4 },
	{ "ploc", "ploc", 0, 0, 1 },
	{ "ploc, optimized 1", "ploc", 1, 0, 1 },
	{ "ploc, optimized 3", "ploc", 3, 0, 1 },
	{ "ploc, optimized 10", "ploc", 10, 0, 1 },
	{ "ploc, optimized 50", "ploc", 50, 0, 1 },
	{ "ploc, collapsed 4", "ploc", 0, 4, 1 },
	{ "ploc, collapsed 8, leaves 4", "ploc", 0, 8, 4 },
	{ "ploc, optimized 10, collapsed 8, leaves 4", "ploc", 10, 8, 4 },
};

static void fail( const char* message )
{
	fprintf( stderr, "bench_bottomup: %s\n", message );
	exit( 2 );
}

static void measure( const judge_mesh* mesh, const recipe* r, bv_volume_type type, int repeats,
                     double* plain )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = r->builder;
	options.splitter = "gottschalk";
	options.node_box = "dito-area";
	options.optimize = r->optimize;
	options.collapse = r->collapse;
	options.leaf_triangles = r->leaf_triangles;
	options.volume_types = 1u << type;
	options.threads = 1;
	double least = 1e300;
	double cost = 0;
	uint32_t depth = 0;
	for ( int i = 0; i < repeats; ++i )
	{
		judge_tree tree;
		bvb_error error;
		if ( judge_build( mesh, &options, &tree, &error ) != bv_ok )
		{
			fail( error.message );
		}
		least = tree.seconds < least ? tree.seconds : least;
		cost = bvhier_expected_cost( tree.asset.tree, &options );
		depth = tree.depth;
		judge_fell( &tree );
	}
	*plain = *plain > 0 ? *plain : cost;
	printf( "  %-6s %-42s %10.1f %6.3f %8.3f s %7.3f Mtri/s  depth %u\n", bv_volume_type_name( type ),
	        r->name, cost, cost / *plain, least, 1e-6 * mesh->asset.record.mesh.triangle_count / least,
	        depth );
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
		judge_mesh mesh;
		bvb_error error;
		if ( judge_load( argv[i], bvb_positions_float, &mesh, &error ) != bv_ok )
		{
			fail( error.message );
		}
		printf( "%s, %u triangles\n", name_of( argv[i] ), mesh.asset.record.mesh.triangle_count );
		static const bv_volume_type types[] = { bv_volume_obb, bv_volume_aabb };
		for ( int t = 0; t < 2; ++t )
		{
			double plain = 0;
			for ( size_t k = 0; k < sizeof recipes / sizeof *recipes; ++k )
			{
				measure( &mesh, recipes + k, types[t], repeats, &plain );
			}
		}
		judge_unload( &mesh );
	}
	return 0;
}
