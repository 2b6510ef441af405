// Smallest boxes of meshes: size and speed, compared with CGAL::oriented_bounding_box (Chang, Gorissen,
// Melchior 2011) in the same run, with all pairs of hull edges (tests/reference), and with known optima.
//
//   bench_boxes [-n REPEATS] [-e EDGES] [-o OPTIMA.csv] FILE...
//
// Both start from the vertices of the file as a 64-bit array and use one thread, including the hull. Medians
// of REPEATS (9), taken in turn. CGAL runs with its defaults over inexact constructions. It draws random
// numbers; the smallest volume of its runs counts, computed from its eight corners. All pairs of edges are
// searched, untimed, if the hull has at most EDGES (12000); 0 disables this. A row of OPTIMA belongs to a
// mesh if its name, number of vertices and volume of the upright box match.
//
// This project's box is the stored one, rounded outward to 32-bit floats. It is larger than CGAL's in the
// same frame by about 1e-7, and by more where it is thin or far from the origin. Sets without volume and
// unreadable files are skipped.
//
// Exit codes: 1 usage, 2 a file that should be there is not, or a fit failed.

#define CGAL_EIGEN3_ENABLED 1

#include "tests/bench/measure.h"
#include "tests/reference/orourke.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/optimal_bounding_box.h>

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {

using point = CGAL::Exact_predicates_inexact_constructions_kernel::Point_3;

struct optimum
{
	std::string name; // without extension
	uint32_t vertices;
	double volume;
	double upright_volume;
};

struct result
{
	std::string name;
	double ours; // seconds
	double cgal;
	double to_cgal; // volumes relative to others, 0 when there is none
	double to_optimum;
	double to_all_pairs;
	double
		rounding; // by how much of its volume a box grows when each side moves by the stored form's resolution
};

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_boxes: %s\n", message );
	exit( 2 );
}

std::string without_extension( const std::string& name )
{
	return name.substr( 0, name.rfind( '.' ) );
}

std::vector<optimum> read_optima( const char* path )
{
	std::vector<optimum> optima;
	FILE* file = fopen( path, "r" );
	if ( !file )
	{
		fail( "the optima can't be read" );
	}
	char line[1024];
	while ( fgets( line, sizeof line, file ) )
	{
		char name[256];
		unsigned vertices;
		double volume;
		double upright;
		if ( sscanf( line, "%255[^,],%u,%lf,%lf", name, &vertices, &volume, &upright ) == 4 )
		{
			optima.push_back( { without_extension( name ), vertices, volume, volume * upright } );
		}
	}
	fclose( file );
	return optima;
}

double known_optimum( const std::vector<optimum>& optima, const char* path, const bv_vec3* points,
                      uint32_t count )
{
	bv_aabb box = bvb_fit_aabb( points, count );
	double upright = bv_aabb_volume( &box );
	for ( const optimum& o : optima )
	{
		// The volumes are products of numbers with six digits.
		if ( o.vertices == count && o.name == without_extension( name_of( path ) ) &&
		     std::fabs( upright / o.upright_volume - 1 ) < 1e-4 )
		{
			return o.volume;
		}
	}
	return 0;
}

double volume_of( const std::array<point, 8>& corner )
{
	double square = 1;
	for ( int k : { 1, 3, 5 } )
	{
		square *= ( corner[k] - corner[0] ).squared_length();
	}
	return std::sqrt( square );
}

// @return seconds
double fit_ours( const bv_vec3* points, uint32_t count, bv_obb* box )
{
	bvb_error error;
	bvb_hull hull;
	double start = now();
	bvb_arena* arena = bvb_arena_create();
	if ( !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok ||
	     bvb_fit_obb( points, count, &hull, nullptr, arena, box ) != bv_ok )
	{
		fail( "a box could not be fitted" );
	}
	bvb_arena_destroy( arena );
	return now() - start;
}

// Center and half extents are binary32 numbers, and so is the frame, which turns what is far from the center.
double rounding_of( const bv_obb& box )
{
	double size = std::max( { box.half_extents[0], box.half_extents[1], box.half_extents[2] } );
	double far =
		std::max( { std::fabs( box.center.x ), std::fabs( box.center.y ), std::fabs( box.center.z ) } );
	double growth = 0;
	for ( double half : box.half_extents )
	{
		growth += ( far + size ) * 0x1p-23 / half;
	}
	return growth;
}

double fit_cgal( const std::vector<point>& points, double* volume )
{
	std::array<point, 8> corner;
	double start = now();
	CGAL::oriented_bounding_box( points, corner );
	double seconds = now() - start;
	*volume = volume_of( corner );
	return seconds;
}

bool is_solid( const bv_vec3* points, uint32_t count, uint32_t* corners )
{
	bvb_error error;
	bvb_hull hull;
	bvb_arena* arena = bvb_arena_create();
	if ( !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		fail( "a hull could not be made" );
	}
	bool solid = hull.kind == bv_hull_polyhedron;
	*corners = hull.vertex_count;
	bvb_arena_destroy( arena );
	return solid;
}

double all_pairs( const bv_vec3* points, uint32_t count, uint32_t max_edges )
{
	orourke_options options = orourke_options_default();
	options.max_edges = max_edges;
	orourke_box box;
	omp_set_num_threads( omp_get_num_procs() );
	orourke_result found = max_edges ? orourke_search( points, count, &options, &box ) : orourke_refused;
	omp_set_num_threads( 1 );
	return found == orourke_found ? box.volume : 0;
}

void print_ratio( double ratio )
{
	ratio > 0 ? printf( " %11.8f", ratio ) : printf( " %11s", "" );
}

bool bench( const char* path, int repeats, uint32_t max_edges, const std::vector<optimum>& optima,
            result* out )
{
	bvb_arena* arena = bvb_arena_create();
	const bv_vec3* positions;
	uint32_t count;
	uint32_t corners;
	bool solid = read_points( path, arena, &positions, &count ) && is_solid( positions, count, &corners );
	if ( solid )
	{
		std::vector<point> points;
		for ( uint32_t i = 0; i < count; ++i )
		{
			points.emplace_back( positions[i].x, positions[i].y, positions[i].z );
		}
		std::vector<double> ours( repeats );
		std::vector<double> cgal( repeats );
		bv_obb box;
		double least = INFINITY;
		fit_ours( positions, count, &box );
		for ( int i = 0; i < repeats; ++i )
		{
			double of_cgal;
			cgal[i] = fit_cgal( points, &of_cgal );
			ours[i] = fit_ours( positions, count, &box );
			least = std::min( least, of_cgal );
		}
		double volume = bv_obb_volume( &box );
		double known = known_optimum( optima, path, positions, count );
		double exhaustive = all_pairs( positions, count, max_edges );
		*out = { name_of( path ),   median( ours.data(), repeats ), median( cgal.data(), repeats ),
			     volume / least,    known > 0 ? volume / known : 0, exhaustive > 0 ? volume / exhaustive : 0,
			     rounding_of( box ) };
		printf( "%-29s %7u %7u %9.3f %9.3f %6.1f", out->name.c_str(), count, corners, 1e3 * out->ours,
		        1e3 * out->cgal, out->cgal / out->ours );
		print_ratio( out->to_cgal );
		print_ratio( out->to_all_pairs );
		print_ratio( out->to_optimum );
		printf( " %13.6g\n", volume );
		fflush( stdout );
	}
	bvb_arena_destroy( arena );
	return solid;
}

void summarize( const char* what, const std::vector<result>& results, double result::*ratio, double bar )
{
	const result* worst = nullptr;
	int count = 0;
	int above = 0;
	int unexplained = 0;
	for ( const result& r : results )
	{
		count += r.*ratio > 0;
		above += r.*ratio > bar;
		unexplained += r.*ratio > bar + r.rounding;
		worst = r.*ratio > 0 && ( !worst || r.*ratio > worst->*ratio ) ? &r : worst;
	}
	if ( worst )
	{
		printf( "volume to %s: worst %.8f (%s), above %.7g on %d of %d, by more than rounding on %d\n", what,
		        worst->*ratio, worst->name.c_str(), bar, above, count, unexplained );
	}
}

void summarize_times( std::vector<result> results )
{
	std::sort( results.begin(), results.end(),
	           []( const result& a, const result& b ) { return a.cgal * b.ours < b.cgal * a.ours; } );
	const result& least = results.front();
	const result& middle = results[results.size() / 2];
	long slower =
		std::count_if( results.begin(), results.end(), []( const result& r ) { return r.ours > r.cgal; } );
	printf( "time: slower than CGAL on %ld of %zu; CGAL's time to ours: median %.1f, least %.2f (%s)\n",
	        slower, results.size(), middle.cgal / middle.ours, least.cgal / least.ours, least.name.c_str() );
}

} // namespace

int main( int count, char** arguments )
{
	int repeats = 9;
	uint32_t max_edges = 12000;
	std::vector<optimum> optima;
	int first = 1;
	for ( ; first + 1 < count && arguments[first][0] == '-'; first += 2 )
	{
		switch ( arguments[first][1] )
		{
		case 'n': repeats = atoi( arguments[first + 1] ); break;
		case 'e': max_edges = (uint32_t)atoi( arguments[first + 1] ); break;
		case 'o': optima = read_optima( arguments[first + 1] ); break;
		default: repeats = 0; break;
		}
	}
	if ( first >= count || repeats < 1 )
	{
		fprintf( stderr, "usage: bench_boxes [-n REPEATS] [-e EDGES] [-o OPTIMA.csv] FILE...\n" );
		return 1;
	}
	omp_set_num_threads( 1 );
	printf( "%-29s %7s %7s %9s %9s %6s %35s\n", "", "", "hull", "ours", "CGAL", "times",
	        "our volume to that of" );
	printf( "%-29s %7s %7s %9s %9s %6s %11s %11s %11s %13s\n", "file", "points", "corners", "ms", "ms",
	        "faster", "CGAL", "all pairs", "optima", "volume" );
	std::vector<result> results;
	for ( int i = first; i < count; ++i )
	{
		result r;
		if ( bench( arguments[i], repeats, max_edges, optima, &r ) )
		{
			results.push_back( r );
		}
	}
	if ( results.empty() )
	{
		fail( "no mesh with a volume" );
	}
	summarize( "CGAL's least of all runs", results, &result::to_cgal, 1 + 1e-6 );
	summarize( "all pairs of edges", results, &result::to_all_pairs, 1.0005 );
	summarize( "known optima", results, &result::to_optimum, 1.0005 );
	summarize_times( results );
	return 0;
}
