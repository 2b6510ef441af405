// Smallest enclosing spheres compared with CGAL's in the same run: radius and time, on random sets and on
// meshes.
//
//   bench_spheres [-n REPEATS] [FILE...]
//
// CGAL has two that are used for points, both here over its inexact constructions: Min_sphere_d (Welzl 1991,
// with move to front and pivots after Gaertner 1999) and Min_sphere_of_spheres_d with points as spheres
// (Fischer, Gaertner 2003, farthest first). Times are compared with the faster of the two. All start from a
// 64-bit array, use one thread, and end with center and radius; medians of REPEATS (9), taken in turn, over
// at least 10000 points of different random sets.
//
// This project's time is that of bvb_fit_sphere, which also rounds the sphere outward to the stored numbers
// and ensures that it encloses all points; the column "ball" is without that. Radii are compared before it,
// and with rational arithmetic (Min_sphere_d over Gmpq) for the first sets of up to 5000 points. The last
// column is what the rounding adds.
//
// Exit codes: 1 usage, 2 a fit failed.

#include "tests/bench/measure.h"

extern "C" {
#include "offline/fit/sphere.h"
}

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Gmpq.h>
#include <CGAL/Min_sphere_annulus_d_traits_3.h>
#include <CGAL/Min_sphere_d.h>
#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/Simple_cartesian.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using of_points = CGAL::Min_sphere_d<CGAL::Min_sphere_annulus_d_traits_3<kernel>>;
using of_spheres = CGAL::Min_sphere_of_spheres_d<CGAL::Min_sphere_of_points_d_traits_3<kernel, double>>;
using rational = CGAL::Simple_cartesian<CGAL::Gmpq>;
using exact = CGAL::Min_sphere_d<CGAL::Min_sphere_annulus_d_traits_3<rational>>;

const uint32_t most_exact = 5000;
const unsigned seconds_to_end = 5;

struct result
{
	std::string name;
	double ours;    // seconds
	double peer;    // the faster one of both
	double error;   // of the radius, relative to that of CGAL's Min_sphere_of_spheres_d
	double inexact; // relative to rational arithmetic's, 0 when it was not asked
};

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_spheres: %s\n", message );
	exit( 2 );
}

using set = std::vector<bv_vec3>;
using cgal_set = std::vector<kernel::Point_3>;

cgal_set for_cgal( const set& points )
{
	cgal_set same;
	for ( const bv_vec3& p : points )
	{
		same.emplace_back( p.x, p.y, p.z );
	}
	return same;
}

double stored_radius( const set& points )
{
	bv_sphere ball;
	if ( bvb_fit_sphere( points.data(), (uint32_t)points.size(), &ball ) != bv_ok )
	{
		fail( "a ball could not be fitted" );
	}
	return ball.radius;
}

double ball_radius( const set& points )
{
	bvfit_ball ball = {};
	bvfit_least_ball( points.data(), (uint32_t)points.size(), &ball );
	return ball.radius;
}

double radius_of_points( const cgal_set& points )
{
	of_points ball( points.begin(), points.end() );
	return std::sqrt( ball.squared_radius() );
}

double radius_of_spheres( const cgal_set& points )
{
	of_spheres ball( points.begin(), points.end() );
	return CGAL::to_double( ball.radius() );
}

// One after the other, as the clock is too slow for small ones.
// @return seconds a set
template <typename Set, typename Fit> double time_of( const std::vector<Set>& sets, Fit fit )
{
	volatile double sink = 0;
	double start = now();
	for ( const Set& s : sets )
	{
		sink = sink + fit( s );
	}
	return ( now() - start ) / (double)sets.size();
}

double exact_radius( const set& points )
{
	std::vector<rational::Point_3> same;
	for ( const bv_vec3& p : points )
	{
		same.emplace_back( p.x, p.y, p.z );
	}
	exact ball( same.begin(), same.end() );
	return std::sqrt( CGAL::to_double( ball.squared_radius() ) );
}

// Over inexact constructions Min_sphere_d runs in circles on some sets whose points are on one sphere. A
// child process finds out.
bool ends( const std::vector<cgal_set>& sets )
{
	pid_t child = fork();
	if ( child == 0 )
	{
		alarm( seconds_to_end );
		for ( const cgal_set& s : sets )
		{
			radius_of_points( s );
		}
		_exit( 0 );
	}
	int status;
	if ( child < 0 || waitpid( child, &status, 0 ) < 0 )
	{
		fail( "a child process could not be started" );
	}
	return WIFEXITED( status );
}

// What is added to each radius relative to another is the largest over the sets.
void grow( double* error, double radius, double other )
{
	double now = radius / other - 1;
	*error = std::fabs( now ) > std::fabs( *error ) ? now : *error;
}

// Sets of the same number of points.
result bench( const std::string& name, const std::vector<set>& sets, int repeats )
{
	std::vector<cgal_set> same;
	double error[4] = { 0, 0, 0, 0 };
	size_t points = sets[0].size();
	for ( const set& s : sets )
	{
		same.push_back( for_cgal( s ) );
	}
	bool circles = !ends( same );
	for ( size_t i = 0; i < sets.size(); ++i )
	{
		const set& s = sets[i];
		double radius = ball_radius( s );
		bool rationally = points <= most_exact && i < 10;
		grow( &error[0], radius, circles ? radius : radius_of_points( same[i] ) );
		grow( &error[1], radius, radius_of_spheres( same[i] ) );
		grow( &error[2], radius, rationally ? exact_radius( s ) : radius );
		grow( &error[3], stored_radius( s ), radius );
	}
	std::vector<double> ours( repeats );
	std::vector<double> balls( repeats );
	std::vector<double> theirs[2] = { ours, ours };
	for ( int i = 0; i < repeats; ++i )
	{
		theirs[0][i] = circles ? INFINITY : time_of( same, radius_of_points );
		theirs[1][i] = time_of( same, radius_of_spheres );
		ours[i] = time_of( sets, stored_radius );
		balls[i] = time_of( sets, ball_radius );
	}
	double seconds = median( ours.data(), repeats );
	double peer[2] = { median( theirs[0].data(), repeats ), median( theirs[1].data(), repeats ) };
	double faster = std::min( peer[0], peer[1] );
	printf( "%-29s %8zu %10.2f %10.2f", name.c_str(), points, 1e6 * seconds,
	        1e6 * median( balls.data(), repeats ) );
	circles ? printf( " %10s", "circles" ) : printf( " %10.2f", 1e6 * peer[0] );
	printf( " %10.2f %6.2f", 1e6 * peer[1], faster / seconds );
	circles ? printf( " %10s", "" ) : printf( " %10.1e", error[0] );
	printf( " %10.1e", error[1] );
	points <= most_exact ? printf( " %10.1e", error[2] ) : printf( " %10s", "" );
	printf( " %10.1e\n", error[3] );
	fflush( stdout );
	return { name, seconds, faster, std::fabs( error[1] ), std::fabs( error[2] ) };
}

// In the unit ball, on its surface up to rounding, or on a grid of whole numbers, of which many are as far
// away as any.
set random_set( const std::string& kind, uint32_t count, uint64_t seed )
{
	std::mt19937_64 bits( seed );
	std::normal_distribution<double> normal;
	std::uniform_real_distribution<double> uniform;
	uint32_t side = (uint32_t)std::ceil( std::cbrt( count ) );
	set points;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( kind == "grid" )
		{
			points.push_back( { double( i % side ), double( i / side % side ), double( i / side / side ) } );
			continue;
		}
		bv_vec3 p = { normal( bits ), normal( bits ), normal( bits ) };
		double scale = ( kind == "in ball" ? std::cbrt( uniform( bits ) ) : 1 ) /
		               std::sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
		points.push_back( { scale * p.x, scale * p.y, scale * p.z } );
	}
	std::shuffle( points.begin(), points.end(), bits );
	return points;
}

void summarize( const std::string& what, const std::vector<result>& results )
{
	if ( results.empty() )
	{
		return;
	}
	const result* worst = &results[0];
	const result* least = &results[0];
	double inexact = 0;
	std::vector<double> ratios;
	for ( const result& r : results )
	{
		worst = r.error > worst->error ? &r : worst;
		least = r.peer / r.ours < least->peer / least->ours ? &r : least;
		inexact = std::max( inexact, r.inexact );
		ratios.push_back( r.peer / r.ours );
	}
	long slower = std::count_if( ratios.begin(), ratios.end(), []( double x ) { return x < 1; } );
	printf( "%s: radii differ from exact ones by %.1e at most, from Min_sphere_of_spheres_d's by %.1e (%s); "
	        "slower than "
	        "CGAL's faster one on %ld of %zu; its time to ours: median %.1f, least %.2f (%s)\n",
	        what.c_str(), inexact, worst->error, worst->name.c_str(), slower, results.size(),
	        median( ratios.data(), (int)ratios.size() ), least->peer / least->ours, least->name.c_str() );
}

} // namespace

int main( int count, char** arguments )
{
	int repeats = 9;
	int first = 1;
	if ( count > 2 && strcmp( arguments[1], "-n" ) == 0 )
	{
		repeats = atoi( arguments[2] );
		first = 3;
	}
	if ( repeats < 1 || ( first < count && arguments[first][0] == '-' ) )
	{
		fprintf( stderr, "usage: bench_spheres [-n REPEATS] [FILE...]\n" );
		return 1;
	}
	printf( "%-29s %8s %21s %21s %6s %32s %10s\n", "", "", "ours, us", "CGAL, us", "times",
	        "our radius to that of", "stored to" );
	printf( "%-29s %8s %10s %10s %10s %10s %6s %10s %10s %10s %10s\n", "set", "points", "stored", "ball",
	        "points", "spheres", "faster", "points", "spheres", "exact", "ball" );
	std::vector<result> sets;
	for ( const char* kind : { "in ball", "on sphere", "grid" } )
	{
		for ( uint32_t n = 10; n <= 100000; n *= 10 )
		{
			std::vector<set> drawn;
			for ( uint32_t i = 0; i < 1 + 10000 / n; ++i )
			{
				drawn.push_back( random_set( kind, n, n + i ) );
			}
			sets.push_back( bench( kind, drawn, repeats ) );
		}
	}
	std::vector<result> meshes;
	for ( int i = first; i < count; ++i )
	{
		bvb_arena* arena = bvb_arena_create();
		const bv_vec3* points;
		uint32_t n;
		if ( read_points( arguments[i], arena, &points, &n ) )
		{
			meshes.push_back( bench( name_of( arguments[i] ),
			                         std::vector<set>( 1 + 1000 / n, set( points, points + n ) ), repeats ) );
		}
		bvb_arena_destroy( arena );
	}
	summarize( "random sets", sets );
	summarize( "meshes", meshes );
	return 0;
}
