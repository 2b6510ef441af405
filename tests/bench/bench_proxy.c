// How many triangles certified proxies have, and how long that takes.
//
//   bench_proxy [-t PERCENT[,PERCENT...]] [--off FOLDER] FILE...
//
// For each mesh and tolerance, in % of the diagonal of its box (0.5, 1, 2 and 5): triangles, their part of the mesh's, what is
// certified of both distances in % of the diagonal, the part of the mesh's triangles that are proved to be enclosed, and
// seconds.
//
// Exit codes: 1 usage, 2 a mesh could not be read or simplified.

#include "tests/bench/measure.h"

#include "base/core/box.h"
#include "base/core/vec.h"
#include "bvbuild/simplify.h"

#include <math.h>

enum
{
	most_tolerances = 16,
};

static double diagonal_of( const bvb_mesh* mesh )
{
	bv_aabb box = bv_box_of_points( mesh->positions, mesh->vertex_count );
	bv_vec3 e = bv_sub( box.upper, box.lower );
	return sqrt( bv_dot( e, e ) );
}

static void fail( const char* message )
{
	fprintf( stderr, "bench_proxy: %s\n", message );
	exit( 2 );
}

static void print_mesh( const char* path, const double* percent, int count )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_import import;
	bvb_record record;
	bvb_error error = { "" };
	if ( !arena || bvb_import_file( path, &import_options, arena, &import, &error ) != bv_ok ||
	     bvb_mesh_record( &import.scene.mesh, &record_options, arena, &record, &error ) != bv_ok )
	{
		fail( error.message );
	}
	double diagonal = diagonal_of( &record.mesh );
	for ( int i = 0; i < count; ++i )
	{
		bvb_arena* own = bvb_arena_create();
		bvb_simplify_options options = bvb_simplify_options_default();
		bvb_simplified result;
		options.tolerance = percent[i] / 100 * diagonal;
		double start = now();
		if ( !own || bvb_simplify( &record.mesh, &options, own, &result, &error ) != bv_ok )
		{
			fail( error.message );
		}
		double seconds = now() - start;
		printf( "%-24s %8u %6.2f %8u %7.2f %7.4f %7.4f %7.2f %8.2f\n", name_of( path ),
		        record.mesh.triangle_count, percent[i], result.mesh.triangle_count,
		        100.0 * result.mesh.triangle_count / record.mesh.triangle_count,
		        100 * result.from_proxy.upper / diagonal, 100 * result.from_mesh.upper / diagonal,
		        100.0 * result.enclosed / record.mesh.triangle_count, seconds );
		fflush( stdout );
		bvb_arena_destroy( own );
	}
	bvb_arena_destroy( arena );
}

int main( int count, char** arguments )
{
	double percent[most_tolerances] = { 0.5, 1, 2, 5 };
	int percents = 4;
	int first = 1;
	if ( count > 2 && strcmp( arguments[1], "-t" ) == 0 )
	{
		percents = 0;
		for ( char* text = strtok( arguments[2], "," ); text && percents < most_tolerances;
		      text = strtok( NULL, "," ) )
		{
			percent[percents++] = atof( text );
		}
		first = 3;
	}
	if ( first >= count )
	{
		fprintf( stderr, "usage: bench_proxy [-t PERCENT,...] FILE...\n" );
		return 1;
	}
	printf( "%-24s %8s %6s %8s %7s %7s %7s %7s %8s\n", "mesh", "before", "within", "after", "part", "proxy",
	        "mesh", "inside", "seconds" );
	for ( int i = first; i < count; ++i )
	{
		print_mesh( arguments[i], percent, percents );
	}
	return 0;
}
