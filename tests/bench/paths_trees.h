// Hierarchies that bench_paths compares, and the calls of bvbuild that make them.

#pragma once

#include "tests/bench/paths_scene.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

// A hierarchy of all meshes.
typedef struct tree_row
{
	const char* splitter; // or the builder, or the preset
	const char* volume;
	const char* children; // degree, or improvement rate
	const char* options;  // of bvbuild
	bool is_plain;        // as the thesis has it: top-down, with one face per leaf
	bool is_expanded;     // expansion rules are compared with it
} tree_row;

#define PLAIN_TREE( splitter, volume, children )                                                         \
	{                                                                                                    \
		splitter, volume, children, "--splitter " splitter " --volume " volume " " children, true, false \
	}
#define EXPANDED_TREE( splitter, volume, children )                                                     \
	{                                                                                                   \
		splitter, volume, children, "--splitter " splitter " --volume " volume " " children, true, true \
	}
// Hybrid expansion uses the section, see bv_expand_hybrid.
#define QUALITY_TREE( splitter )                                                                        \
	{                                                                                                   \
		splitter, "obb", "--improvement 0.75, node-quality",                                            \
			"--splitter " splitter " --improvement 0.75 --sections none,mesh,tree,bounds,node-quality", \
			true, true                                                                                  \
	}
#define TREES_OF_SPLITTER( splitter )                                                                    \
	PLAIN_TREE( splitter, "obb", "--degree 2" ), PLAIN_TREE( splitter, "obb", "--degree 3" ),            \
		PLAIN_TREE( splitter, "obb", "--degree 4" ), PLAIN_TREE( splitter, "obb", "--degree 5" ),        \
		PLAIN_TREE( splitter, "obb", "--degree 6" ), PLAIN_TREE( splitter, "obb", "--improvement 0.5" ), \
		PLAIN_TREE( splitter, "obb", "--improvement 0.6" ),                                              \
		PLAIN_TREE( splitter, "obb", "--improvement 0.9" )
#define TREES_OF_VOLUMES( splitter, children )                                                     \
	PLAIN_TREE( splitter, "obb,aabb,sphere", children ), PLAIN_TREE( splitter, "aabb", children ), \
		PLAIN_TREE( splitter, "sphere", children )

// The base comes first: paths are recorded with it, and all that does not compare hierarchies is measured with it.
static const tree_row tree_rows[] = {
	{ "preset balanced", "obb", "-", "--preset balanced", false, true },
	{ "preset fast", "aabb", "-", "--preset fast", false, false },
	{ "preset best", "obb", "-", "--preset best", false, false },
	TREES_OF_SPLITTER( "zachmann" ),
	PLAIN_TREE( "zachmann", "obb", "--improvement 0.75" ),
	TREES_OF_SPLITTER( "gottschalk-points" ),
	PLAIN_TREE( "gottschalk-points", "obb", "--improvement 0.75" ),
	TREES_OF_SPLITTER( "kmeans" ),
	EXPANDED_TREE( "kmeans", "obb", "--improvement 0.75" ),
	QUALITY_TREE( "kmeans" ),
	TREES_OF_SPLITTER( "insertion" ),
	EXPANDED_TREE( "insertion", "obb", "--improvement 0.75" ),
	QUALITY_TREE( "insertion" ),
	TREES_OF_VOLUMES( "kmeans", "--degree 5" ),
	TREES_OF_VOLUMES( "kmeans", "--degree 6" ),
	TREES_OF_VOLUMES( "insertion", "--degree 5" ),
	PLAIN_TREE( "kcenter", "sphere", "--degree 5" ),
	PLAIN_TREE( "branch-and-bound", "obb", "--degree 2" ),
};

enum
{
	tree_count = sizeof tree_rows / sizeof *tree_rows,
};

static const char* const plain_options =
	"--builder topdown --collapse 0 --leaf-triangles 1 --node-box pca --hausdorff 0 --recognize 0 "
	"--sections none,mesh,tree,bounds";

static inline void run_bvbuild( const char* bvbuild, const tree_row* row, const char* more,
                                const char* meshes, const char* folder )
{
	static char line[16384];
	int length = snprintf( line, sizeof line, "'%s' -q -j 1 --threads 1 --force %s %s %s %s -o '%s/'",
	                       bvbuild, row->is_plain ? plain_options : "", row->options, more, meshes, folder );
	if ( length < 0 || length >= (int)sizeof line || system( line ) != 0 )
	{
		give_up( "bvbuild failed: %s", line );
	}
}

// Processor time of all programs called so far.
static inline double seconds_of_children( void )
{
	struct rusage usage;
	getrusage( RUSAGE_CHILDREN, &usage );
	return (double)( usage.ru_utime.tv_sec + usage.ru_stime.tv_sec ) +
	       1e-6 * (double)( usage.ru_utime.tv_usec + usage.ru_stime.tv_usec );
}

// The meshes of the command line are normalized, those that are made are not.
// @return seconds of processor time
static inline double build_tree( const char* bvbuild, int tree, const char* folder, char** given )
{
	static char names[2][8192];
	char to[1024];
	snprintf( to, sizeof to, "%s/tree-%d", folder, tree );
	(void)mkdir( to, 0777 );
	names[0][0] = names[1][0] = 0;
	for ( int i = 0; i < given_mesh_count; ++i )
	{
		size_t used = strlen( names[0] );
		snprintf( names[0] + used, sizeof names[0] - used, " '%s'", given[i] );
	}
	for ( int i = 0; i < made_mesh_count; ++i )
	{
		size_t used = strlen( names[1] );
		snprintf( names[1] + used, sizeof names[1] - used, " '%s/%s.obj'", folder, made_meshes[i].name );
	}
	double start = seconds_of_children();
	run_bvbuild( bvbuild, tree_rows + tree, "--normalize", names[0], to );
	run_bvbuild( bvbuild, tree_rows + tree, "", names[1], to );
	return seconds_of_children() - start;
}

static inline const bv_file* open_tree( const char* folder, int tree, const char* mesh )
{
	char path[2048];
	const char* name = name_of( mesh );
	const char* dot = strrchr( name, '.' );
	int length = dot ? (int)( dot - name ) : (int)strlen( name );
	snprintf( path, sizeof path, "%s/tree-%d/%.*s.bvh", folder, tree, length, name );
	const bv_file* file = open_bvh( path );
	if ( !file )
	{
		give_up( "%s cannot be read", path );
	}
	return file;
}

static inline void open_trees( const char* folder, int tree, char** given, mesh_files* out )
{
	for ( int i = 0; i < mesh_count; ++i )
	{
		out->of[i] = open_tree( folder, tree,
		                        i < given_mesh_count ? given[i] : made_meshes[i - given_mesh_count].name );
	}
}

// @return the number of a row; without one, the program ends
static inline int find_tree( const char* splitter, const char* volume, const char* children )
{
	for ( int i = 0; i < tree_count; ++i )
	{
		if ( strcmp( tree_rows[i].splitter, splitter ) == 0 && strcmp( tree_rows[i].volume, volume ) == 0 &&
		     strcmp( tree_rows[i].children, children ) == 0 )
		{
			return i;
		}
	}
	give_up( "there is no tree %s %s %s", splitter, volume, children );
}
