// Certified distances of all nodes of a tree: CPU time per triangle on one thread.
//
//   bench_hausdorff [--ablation | --levels] [--repeats N] [--limit SECONDS] MESH...
//
// Trees are built with the defaults; medians of N runs (5). --ablation disables each bound in turn, once, in
// a process that may take SECONDS (20). --levels shows the quality of the levels and cuts of each tree.

#include "child.h"
#include "measure.h"
#include "offline/hausdorff/tree_errors.h"

#include <math.h>

enum
{
	most_repeats = 99,
	large = 1000, // triangles; below that what a tree costs whatever its size counts
};

// When a node is done.
typedef struct tolerance
{
	const char* name;
	double relative;
	double floor;
} tolerance;

static const tolerance tolerances[] = {
	{ "1 %, floor 1e-3", 0.01, 1e-3 },
	{ "10 %, floor 1e-2", 0.1, 1e-2 },
	{ "10 %, floor 1e-3", 0.1, 1e-3 },
};

enum
{
	tolerance_count = sizeof tolerances / sizeof *tolerances,
};

typedef struct ablation
{
	const char* name;
	unsigned bounds;
} ablation;

enum
{
	regions_only = bvhaus_bounds_all & ~bvhaus_bound_prisms,
};

static const ablation ablations[] = {
	{ "all", bvhaus_bounds_all },
	{ "no prisms", regions_only },
	{ "nor node", regions_only & ~bvhaus_bound_node },
	{ "nor combined", regions_only & ~bvhaus_bound_combined },
	{ "nor bisector", regions_only & ~bvhaus_bound_bisector },
	{ "nor inherit", regions_only & ~bvhaus_bound_inherit },
};

enum
{
	ablation_count = sizeof ablations / sizeof *ablations,
};

typedef struct subject
{
	bvb_arena* arena;
	bvb_mesh mesh;
	bvb_tree* tree;
} subject;

typedef struct run
{
	double seconds; // of processor time
	uint64_t regions;
} run;

static void fail( const char* message )
{
	fprintf( stderr, "bench_hausdorff: %s\n", message );
	exit( 2 );
}

static subject build( const char* path )
{
	subject s = { .arena = bvb_arena_create() };
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_hierarchy_options options = box_tree_options();
	bvb_import import;
	bvb_record record;
	bvb_error error = { "out of memory" };
	if ( !s.arena || bvb_import_file( path, &import_options, s.arena, &import, &error ) != bv_ok ||
	     bvb_mesh_record( &import.scene.mesh, &record_options, s.arena, &record, &error ) != bv_ok ||
	     bvb_hierarchy_build( &record.mesh, &options, s.arena, &s.tree, &error ) != bv_ok )
	{
		fail( error.message );
	}
	s.mesh = record.mesh;
	return s;
}

static bvb_tree_errors measure( const subject* s, const tolerance* t, unsigned bounds, bvb_arena* arena )
{
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	options.relative = t->relative;
	options.floor = t->floor;
	options.threads = 1;
	bvb_tree_errors errors = { 0 };
	bvb_error error = { "out of memory" };
	if ( !arena || bvhaus_tree_with( &s->mesh, s->tree, &options, bounds, arena, &errors, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return errors;
}

static run time_once( const subject* s, const tolerance* t, unsigned bounds )
{
	bvb_arena* arena = bvb_arena_create();
	double start = core_now();
	bvb_tree_errors errors = measure( s, t, bounds, arena );
	double seconds = core_now() - start;
	bvb_arena_destroy( arena );
	return ( run ){ seconds, errors.regions };
}

static run time_median( const subject* s, const tolerance* t, int repeats )
{
	double seconds[most_repeats];
	run r = { 0, 0 };
	for ( int i = 0; i < repeats; ++i )
	{
		r = time_once( s, t, bvhaus_bounds_all );
		seconds[i] = r.seconds;
	}
	r.seconds = median( seconds, repeats );
	return r;
}

// Means over large meshes, every mesh counting the same, and the one that is farthest above.
typedef struct summary
{
	double sum;
	double largest;
	const char* slowest;
	int meshes;
} summary;

static void bench_times( char* const* paths, int count, int repeats )
{
	summary of[tolerance_count] = { { 0 } };
	printf( "Core-microseconds and regions per triangle\n%-22s %9s", "", "triangles" );
	for ( int i = 0; i < tolerance_count; ++i )
	{
		printf( " %18s", tolerances[i].name );
	}
	printf( "\n" );
	for ( int k = 0; k < count; ++k )
	{
		subject s = build( paths[k] );
		double triangles = s.mesh.triangle_count;
		printf( "%-22s %9.0f", name_of( paths[k] ), triangles );
		for ( int i = 0; i < tolerance_count; ++i )
		{
			run r = time_median( &s, &tolerances[i], repeats );
			double each = 1e6 * r.seconds / triangles;
			printf( " %9.1f %8.1f", each, (double)r.regions / triangles );
			fflush( stdout );
			if ( s.mesh.triangle_count > large )
			{
				of[i].sum += each;
				of[i].meshes += 1;
				of[i].slowest = each > of[i].largest ? name_of( paths[k] ) : of[i].slowest;
				of[i].largest = fmax( of[i].largest, each );
			}
		}
		printf( "\n" );
		bvb_arena_destroy( s.arena );
	}
	for ( int i = 0; i < tolerance_count && of[i].meshes > 0; ++i )
	{
		double mean = of[i].sum / of[i].meshes;
		printf( "%s: mean of the %d meshes above %d triangles %.1f us, at most %.2f times that (%s)\n",
		        tolerances[i].name, of[i].meshes, large, mean, of[i].largest / mean, of[i].slowest );
	}
}

typedef struct ablation_run
{
	const subject* subject;
	const tolerance* tolerance;
	unsigned bounds;
} ablation_run;

static void run_ablation( const void* input, void* result )
{
	const ablation_run* a = input;
	*(run*)result = time_once( a->subject, a->tolerance, a->bounds );
}

static void print_ablation( const subject* s, const tolerance* t, unsigned limit )
{
	printf( " %-17s", t->name );
	for ( int i = 0; i < ablation_count; ++i )
	{
		ablation_run a = { s, t, ablations[i].bounds };
		run r;
		char text[32] = "failed";
		switch ( run_in_child( limit, run_ablation, &a, &r, sizeof r ) )
		{
		case outcome_done:
			snprintf( text, sizeof text, "%.1f", 1e6 * r.seconds / s->mesh.triangle_count );
			break;
		case outcome_out_of_time:
			snprintf( text, sizeof text, "> %.0f", 1e6 * limit / s->mesh.triangle_count );
			break;
		case outcome_failed: break;
		}
		printf( " %12s", text );
		fflush( stdout );
	}
	printf( "\n" );
}

static void bench_ablations( char* const* paths, int count, unsigned limit )
{
	printf( "Core-microseconds per triangle with bounds left out\n%-22s %9s %-17s", "", "triangles", "" );
	for ( int i = 0; i < ablation_count; ++i )
	{
		printf( " %12s", ablations[i].name );
	}
	printf( "\n" );
	for ( int k = 0; k < count; ++k )
	{
		subject s = build( paths[k] );
		for ( int i = 0; i < 2; ++i )
		{
			printf( "%-22s %9u", i ? "" : name_of( paths[k] ), s.mesh.triangle_count );
			print_ablation( &s, &tolerances[i], limit );
		}
		bvb_arena_destroy( s.arena );
	}
}

static void print_summary( const bv_error_summary* e, double size )
{
	printf( "  %8.5f %8.5f %8.5f %8.5f", e->mean.lower / size, e->mean.upper / size, e->max.lower / size,
	        e->max.upper / size );
}

static void show_levels( const char* path )
{
	subject s = build( path );
	bvb_tree_errors_options defaults = bvb_tree_errors_options_default();
	tolerance t = { NULL, defaults.relative, defaults.floor };
	bvb_tree_errors errors = measure( &s, &t, bvhaus_bounds_all, s.arena );
	bvb_node root = bvb_tree_node( s.tree, 0 );
	const double* h = root.volume.obb.half_extents;
	double size = 2 * sqrt( h[0] * h[0] + h[1] * h[1] + h[2] * h[2] );
	uint32_t* nodes = calloc( errors.level_count, sizeof *nodes );
	uint8_t* level = calloc( errors.node_count, sizeof *level );
	if ( !nodes || !level )
	{
		fail( "out of memory" );
	}
	for ( uint32_t i = 0; i < errors.node_count; ++i )
	{
		bvb_node node = bvb_tree_node( s.tree, i );
		nodes[level[i]] += 1;
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			level[node.first_child + k] = (uint8_t)( level[i] + 1 );
		}
	}
	printf( "%s, %u triangles: solid errors relative to the root's diagonal\n%5s %7s  %17s %17s  %17s %17s\n",
	        name_of( path ), s.mesh.triangle_count, "level", "nodes", "mean of level", "largest",
	        "mean of cut", "largest" );
	for ( uint32_t i = 0; i < errors.level_count; ++i )
	{
		printf( "%5u %7u", i, nodes[i] );
		print_summary( &errors.levels[i].level.solid, size );
		print_summary( &errors.levels[i].cut.solid, size );
		printf( "\n" );
	}
	free( nodes );
	free( level );
	bvb_arena_destroy( s.arena );
}

int main( int count, char** arguments )
{
	const char* mode = "";
	int repeats = 5;
	int limit = 20;
	int first = 1;
	while ( first < count && strncmp( arguments[first], "--", 2 ) == 0 )
	{
		const char* option = arguments[first];
		if ( strcmp( option, "--repeats" ) == 0 && first + 1 < count )
		{
			repeats = atoi( arguments[first + 1] );
			first += 2;
		}
		else if ( strcmp( option, "--limit" ) == 0 && first + 1 < count )
		{
			limit = atoi( arguments[first + 1] );
			first += 2;
		}
		else
		{
			mode = option;
			first += 1;
		}
	}
	bool leave_out = strcmp( mode, "--ablation" ) == 0;
	bool levels = strcmp( mode, "--levels" ) == 0;
	if ( first >= count || repeats < 1 || repeats > most_repeats || limit < 1 ||
	     ( *mode && !leave_out && !levels ) )
	{
		fprintf( stderr,
		         "usage: bench_hausdorff [--ablation | --levels] [--repeats N] [--limit SECONDS] MESH...\n" );
		return 1;
	}
	if ( leave_out )
	{
		bench_ablations( arguments + first, count - first, (unsigned)limit );
	}
	else if ( levels )
	{
		for ( int i = first; i < count; ++i )
		{
			show_levels( arguments[i] );
		}
	}
	else
	{
		bench_times( arguments + first, count - first, repeats );
	}
	return 0;
}
