// What collision detection costs step by step while a part is led along a path through a dense scene, and what it answers (Eckstein
// 1998, chapter 10).
//
//   bench_paths [--quick] [--part NAME] BVBUILD FOLDER PATHS MESH...   measures
//   bench_paths --record BVBUILD FOLDER PATHS MESH...                  makes the paths
//   bench_paths --curves CSV BVBUILD FOLDER PATHS MESH...              counts tests of each step, for paths_plot.py
//
// MESH... are seven meshes: two that are led out of a casing, and five that the casing is made of. FOLDER receives hierarchies, PATHS has
// the paths and the places of parts as CSV files. Parts of the measurement are static, sweeps, budgets and world; default all.
//
// Exit codes: 1 answers contradict each other, 2 a file cannot be read or made, 3 usage.

#include "tests/bench/paths_budgets.h"
#include "tests/bench/paths_record.h"
#include "tests/bench/paths_static.h"
#include "tests/bench/paths_sweeps.h"
#include "tests/bench/paths_verdicts.h"
#include "tests/bench/paths_world.h"

static path_scene scenes[] = {
	{ .name = "casing-1", .parts_file = "casing-parts", .mover = 0 },
	{ .name = "casing-2", .parts_file = "casing-parts", .mover = 1 },
	{ .name = "screw", .parts_file = "screw-parts", .mover = mesh_bolt },
	{ .name = "slits", .parts_file = "slits-parts", .mover = mesh_blade },
};

enum
{
	scene_count = sizeof scenes / sizeof *scenes,
};

_Static_assert( (int)scene_count <= (int)most_scenes, "tables have a column for each" );

static mesh_files trees[tree_count];
static double build_seconds[tree_count];

static void record_all( const char* paths )
{
	make_casing( scenes + 0, trees );
	write_parts( paths, scenes + 0 );
	make_nut( scenes + 2 );
	write_parts( paths, scenes + 2 );
	make_slits( scenes + 3 );
	write_parts( paths, scenes + 3 );
	const path_plan* plans[scene_count] = { &casing_plan, &casing_plan, &nut_plan, &slit_plan };
	for ( int i = 0; i < scene_count; ++i )
	{
		// Rounded as in the file.
		read_parts( paths, scenes + i );
		record_path( scenes + i, plans[i], trees );
		write_path( paths, scenes + i );
	}
}

static void read_all( const char* paths, bool quick )
{
	for ( int i = 0; i < scene_count; ++i )
	{
		path_scene* s = scenes + i;
		bv_file_bounds bounds;
		read_parts( paths, s );
		read_path( paths, s );
		s->path.count = quick && s->path.count > 40 ? 40 : s->path.count;
		if ( !bv_file_get_bounds( trees->of[s->mover], &bounds ) )
		{
			give_up( "a file has no bounds" );
		}
		s->size = 0.5 * bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) );
	}
}

// What the command line says.
typedef struct settings
{
	bool quick;
	bool records;
	const char* part;   // of the measurement; null for all
	const char* curves; // CSV file; null to measure
	const char* bvbuild;
	const char* folder;
	const char* paths;
	char** meshes;
} settings;

static bool read_settings( int count, char** arguments, settings* out )
{
	int i = 1;
	for ( ; i < count && arguments[i][0] == '-'; ++i )
	{
		if ( strcmp( arguments[i], "--quick" ) == 0 )
		{
			out->quick = true;
		}
		else if ( strcmp( arguments[i], "--record" ) == 0 )
		{
			out->records = true;
		}
		else if ( strcmp( arguments[i], "--part" ) == 0 && i + 1 < count )
		{
			out->part = arguments[++i];
		}
		else if ( strcmp( arguments[i], "--curves" ) == 0 && i + 1 < count )
		{
			out->curves = arguments[++i];
		}
		else
		{
			return false;
		}
	}
	if ( count - i != 3 + given_mesh_count )
	{
		return false;
	}
	out->bvbuild = arguments[i];
	out->folder = arguments[i + 1];
	out->paths = arguments[i + 2];
	out->meshes = arguments + i + 3;
	return true;
}

static bool is_wanted( const settings* with, const char* part )
{
	return !with->part || strcmp( with->part, part ) == 0;
}

static int tree_of_curves( void )
{
	return find_tree( "kmeans", "obb", "--improvement 0.75" );
}

// Only the static table compares hierarchies.
static bool is_tree_wanted( const settings* with, int tree )
{
	bool compares = !with->records && !with->curves && is_wanted( with, "static" );
	return tree == 0 || compares || ( with->curves && tree == tree_of_curves() );
}

static void build_all( const settings* with )
{
	if ( !write_meshes( with->folder ) )
	{
		give_up( "%s cannot be written", with->folder );
	}
	for ( int i = 0; i < tree_count; ++i )
	{
		if ( is_tree_wanted( with, i ) )
		{
			build_seconds[i] = build_tree( with->bvbuild, i, with->folder, with->meshes );
			open_trees( with->folder, i, with->meshes, trees + i );
		}
	}
}

static void write_all_curves( const char* path )
{
	FILE* file = fopen( path, "w" );
	if ( !file )
	{
		give_up( "%s cannot be written", path );
	}
	fputs( "path,step,pairs,larger,both,hybrid\n", file );
	for ( int i = 0; i < scene_count; ++i )
	{
		write_curves( file, scenes + i, trees, trees + tree_of_curves() );
	}
	fclose( file );
}

static uint32_t triangles_of( int mesh )
{
	return bv_file_get_mesh( trees->of[mesh] ).triangles;
}

static void print_scenes( void )
{
	printf( "| path | steps | steps with a contact | triangles that move | parts that stand still | their "
	        "triangles |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < scene_count; ++i )
	{
		const path_scene* s = scenes + i;
		uint32_t triangles = 0;
		int meeting = 0;
		for ( int k = 0; k < s->part_count; ++k )
		{
			triangles += triangles_of( s->part[k].mesh );
		}
		for ( int step = 0; step < s->path.count; ++step )
		{
			meeting += pose_meets( s, trees, step );
		}
		printf( "| %s | %d | %d | %u | %d | %u |\n", s->name, s->path.count, meeting,
		        triangles_of( s->mover ), s->part_count, triangles );
	}
	printf( "\n" );
}

// All tables.
typedef struct tables
{
	static_table hierarchies;
	sweep_table sweeps[scene_count][most_strides];
	budget_table budgets;
	world_table world;
} tables;

static void run_static( const settings* with, int rounds, tables* t )
{
	if ( !is_wanted( with, "static" ) )
	{
		return;
	}
	list_static_rows( &t->hierarchies );
	for ( int i = 0; i < scene_count; ++i )
	{
		measure_static( scenes + i, i, trees, rounds, &t->hierarchies );
	}
	print_static( &t->hierarchies, scenes, scene_count, build_seconds );
	print_presets( &t->hierarchies, scenes, scene_count );
	print_noise( &t->hierarchies, scene_count );
	print_splitters( &t->hierarchies, scene_count );
	fflush( stdout );
}

static void run_sweeps( const settings* with, int rounds, tables* t )
{
	if ( !is_wanted( with, "sweeps" ) )
	{
		return;
	}
	for ( int i = 0; i < scene_count; ++i )
	{
		for ( int k = 0; k < most_strides; ++k )
		{
			measure_sweeps( scenes + i, trees, strides[k], rounds, t->sweeps[i] + k );
		}
	}
	print_sweeps( t->sweeps, scenes, scene_count );
	print_modes( t->sweeps, scene_count );
	fflush( stdout );
}

static void run_pools( const settings* with, tables* t )
{
	if ( !is_wanted( with, "budgets" ) )
	{
		return;
	}
	list_budget_rows( &t->budgets );
	for ( int i = 0; i < scene_count; ++i )
	{
		measure_budgets( scenes + i, trees, &t->budgets );
	}
	print_budgets( &t->budgets );
	fflush( stdout );
}

static void run_worlds( const settings* with, int rounds, tables* t )
{
	if ( is_wanted( with, "world" ) )
	{
		measure_world( scenes, trees, rounds, &t->world );
		print_world( &t->world );
	}
}

static void print_verdicts( const settings* with, tables* t )
{
	const int screw = 2;
	if ( is_wanted( with, "static" ) )
	{
		begin_verdict_table(
			"Verdicts on hierarchies and expansion rules: mean tests / mean time / greatest time of a step "
			"relative "
			"to the first level, geometric means of the paths. Levels that the claim prefers are bold." );
		print_static_verdicts( &t->hierarchies, build_seconds, scene_count );
		printf( "\n" );
	}
	begin_verdict_table( "Verdicts on motions, budgets and broad phases." );
	printf(
		"| D.3-D.7 | the scene of 1998, an engine bay | it was not published | cannot be tested here |\n" );
	if ( is_wanted( with, "sweeps" ) )
	{
		print_sweep_verdicts( t->sweeps, scene_count, screw );
	}
	if ( is_wanted( with, "budgets" ) )
	{
		print_budget_verdicts( &t->budgets );
	}
	if ( is_wanted( with, "world" ) )
	{
		print_world_verdicts( &t->world );
	}
}

int main( int count, char** arguments )
{
	static tables t;
	settings with = { .quick = false };
	if ( !read_settings( count, arguments, &with ) )
	{
		fprintf( stderr, "usage: bench_paths [--quick] [--record] [--part NAME] [--curves CSV] BVBUILD "
		                 "FOLDER PATHS MESH...\n" );
		return 3;
	}
	build_all( &with );
	if ( with.records )
	{
		record_all( with.paths );
		return 0;
	}
	read_all( with.paths, with.quick );
	if ( with.curves )
	{
		write_all_curves( with.curves );
		return 0;
	}
	int rounds = with.quick ? 1 : 5;
	print_scenes();
	run_static( &with, rounds, &t );
	run_sweeps( &with, rounds, &t );
	run_pools( &with, &t );
	run_worlds( &with, rounds, &t );
	print_verdicts( &with, &t );
	return 0;
}
