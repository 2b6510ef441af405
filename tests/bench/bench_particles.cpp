// Neighbors of particles compared with nanoflann, and the experiment of Stratbuecker 2003, figure 4, run again.
//
//   bench_particles [--quick] [--rounds N] [--parts WORDS] [-o CSV]
//
// Parts, both by default: times, figure.
//
// Points of a fixed density, such that each has about 40 others within a distance of 1: uniform in a cube, or in clusters of 1,000 that
// are far from each other. Numbers of points are random in space. Each entrant makes lists of all neighbors; nanoflann's are
// not sorted. Times are processor time of one thread, medians of rounds in which entrants take turns. Lists are compared with each other.
//
// Figure 4: balls of radii 0.25 to 0.5 in a cube of fixed density move in random directions and are reflected at its sides. The counts
// are those of a step, as means over steps without the first one, which has no sorted list. Exit codes: 1 a bar is missed
// or lists differ, 2 usage.

#include "tests/bench/measure.h"
#include "tests/bench/peer_nanoflann.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "tests/reference/stratbuecker.h"
}

namespace {

struct particle_settings
{
	bool quick = false;
	int rounds = 7;
	std::string parts = "times,figure";
	FILE* csv = nullptr;
	int missed = 0;
};

// S. Vigna's splitmix64.
struct particle_random
{
	uint64_t state;

	double unit()
	{
		uint64_t z = ( state += UINT64_C( 0x9e3779b97f4a7c15 ) );
		z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
		z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
		return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-53;
	}
};

const double pi = 3.14159265358979323846;
const double bar = 0.125;

// @param clustered  in cubes of 1,000 points, in a cube of a hundred times the edge
std::vector<double> make_points( uint32_t count, bool clustered )
{
	particle_random random = { 1 };
	const double density = 40 / ( 4 * pi / 3 );
	double edge = cbrt( ( clustered ? 1000 : count ) / density );
	uint32_t clusters = clustered ? count / 1000 : 1;
	std::vector<double> corners;
	for ( uint32_t i = 0; i < 3 * clusters; ++i )
	{
		corners.push_back( clustered ? 100 * cbrt( count / density ) * random.unit() : 0 );
	}
	std::vector<double> points;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t cluster = std::min( clusters - 1, (uint32_t)( clusters * random.unit() ) );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			points.push_back( corners[3 * cluster + k] + edge * random.unit() );
		}
	}
	return points;
}

// Arrays for the lists of this library.
struct own_lists
{
	std::vector<uint64_t> memory;
	std::vector<uint64_t> begin;
	std::vector<uint32_t> neighbors;
	bvw_neighbors of{};
	size_t bytes = 0;

	void find( const bvw_particles& particles, const bvw_neighbors_options& options )
	{
		bytes = bvw_neighbors_bytes( particles.count, 0, &options );
		memory.resize( ( bytes + 7 ) / 8 );
		begin.resize( particles.count + (size_t)1 );
		of.begin = begin.data();
		of.neighbors = neighbors.data();
		of.most = neighbors.size();
		bv_status status = bvw_neighbors_find( &particles, nullptr, &options, memory.data(), bytes, &of );
		if ( status == bv_error_memory )
		{
			neighbors.resize( of.count + of.count / 8 );
			find( particles, options );
		}
		else if ( status != bv_ok )
		{
			fprintf( stderr, "bench_particles: bvw_neighbors_find failed\n" );
			exit( 1 );
		}
	}
};

#if HAS_NANOFLANN
bool lists_are_equal( const own_lists& own, peer_lists& peer )
{
	bool is_equal = own.of.count == peer.neighbors.size();
	for ( size_t i = 0; is_equal && i + 1 < peer.begin.size(); ++i )
	{
		uint32_t* first = peer.neighbors.data() + peer.begin[i];
		uint32_t* last = peer.neighbors.data() + peer.begin[i + 1];
		std::sort( first, last );
		is_equal =
			own.begin[i] == peer.begin[i] && std::equal( first, last, own.neighbors.data() + own.begin[i] );
	}
	return is_equal;
}
#endif

// One row of the table of times.
void compare_times( particle_settings& with, uint32_t count, bool clustered )
{
	std::vector<double> points = make_points( count, clustered );
	bvw_particles particles = {};
	particles.positions = points.data();
	particles.count = count;
	bvw_neighbors_options options = {};
	options.distance = 1;
	own_lists grid, sweep;
	peer_lists peer;
	std::vector<double> times[3];
	const char* scene = clustered ? "clusters" : "uniform";
	// Short calls are disturbed more.
	int rounds = count >= 1000000  ? std::min( with.rounds, 3 )
	             : count >= 100000 ? with.rounds
	                               : 5 * with.rounds;
	for ( int round = 0; round < rounds; ++round )
	{
		for ( int entrant = 0; entrant < 3; ++entrant )
		{
			const char* names[] = { "grid", "sweep", "nanoflann" };
			bool is_skipped =
				( entrant == 1 && ( round > 0 || count > 100000 ) ) || ( entrant == 2 && !HAS_NANOFLANN );
			// A first call finds out how long arrays have to be.
			if ( entrant == 0 && round == 0 )
			{
				grid.find( particles, options );
			}
			if ( is_skipped )
			{
				continue;
			}
			options.method = entrant == 1 ? bvw_neighbors_sweep : bvw_neighbors_grid;
			double before = core_now();
			if ( entrant < 2 )
			{
				( entrant == 0 ? grid : sweep ).find( particles, options );
			}
#if HAS_NANOFLANN
			else
			{
				nanoflann_lists( points.data(), count, 1, peer );
			}
#endif
			double seconds = core_now() - before;
			times[entrant].push_back( seconds );
			sample of = { scene, count, names[entrant], 1, round };
			write_sample( with.csv, &of, "time", "s", seconds );
		}
	}
	double own = median( times[0].data(), (int)times[0].size() );
	printf( "| %s | %u | %.1f | %.1f | %.1f | %.3f |", scene, count, (double)grid.of.count / count,
	        (double)grid.of.tests / count, (double)grid.bytes / count, 1e6 * own / count );
	if ( times[1].empty() )
	{
		printf( " |" );
	}
	else
	{
		printf( " %.3f |", 1e6 * median( times[1].data(), (int)times[1].size() ) / count );
	}
	bool is_small = (double)grid.bytes <= 16.0 * count;
	with.missed += !is_small;
#if HAS_NANOFLANN
	double theirs = median( times[2].data(), (int)times[2].size() );
	bool is_equal = lists_are_equal( grid, peer );
	bool is_met = own <= bar * theirs;
	with.missed += !is_met + !is_equal;
	printf( " %.3f | %.3f | %.3f | %s | %s |\n", 1e6 * theirs / count, own / theirs, bar,
	        is_met ? "met" : "**not met**", is_equal ? "yes" : "**no**" );
#else
	printf( " | | %.3f | | |\n", bar );
#endif
	fflush( stdout );
}

// Balls that move, for figure 4.
struct moving_balls
{
	uint32_t count;
	double edge;
	std::vector<double> at;
	std::vector<double> speed;
	std::vector<double> radii;

	// @param energy  greatest way of a step, in units of the greatest radius
	moving_balls( uint32_t of, double energy ) : count( of ), edge( 1.2 * cbrt( of ) )
	{
		particle_random random = { 2 };
		for ( uint32_t i = 0; i < count; ++i )
		{
			radii.push_back( 0.25 + 0.25 * random.unit() );
			for ( int k = 0; k < 3; ++k )
			{
				at.push_back( edge * random.unit() );
				speed.push_back( energy * 0.5 * ( 2 * random.unit() - 1 ) );
			}
		}
	}

	void move()
	{
		for ( size_t i = 0; i < at.size(); ++i )
		{
			at[i] += speed[i];
			if ( at[i] < 0 || at[i] > edge )
			{
				at[i] = at[i] < 0 ? -at[i] : 2 * edge - at[i];
				speed[i] = -speed[i];
			}
		}
	}
};

// What is counted in a step.
struct step_counts
{
	double tests[2] = { 0, 0 };       // of one pass and of two
	double comparisons[2] = { 0, 0 }; // all, per particle
	double complete_tests = 0;        // of the completed form
	double complete_steps = 0;
	double depth = 0;
	double missed[2] = { 0, 0 }; // per cent of the pairs
	double pairs = 0;            // per particle
};

uint64_t different_pairs( std::vector<uint64_t>& pairs, uint64_t count )
{
	std::sort( pairs.begin(), pairs.begin() + (std::ptrdiff_t)count );
	return (uint64_t)( std::unique( pairs.begin(), pairs.begin() + (std::ptrdiff_t)count ) - pairs.begin() );
}

// Counts one step: both passes of the printed form, and the completed one.
void count_step( const moving_balls& balls, stratbuecker& s, std::vector<uint32_t>& order, own_lists& lists,
                 step_counts& sum )
{
	s.tests = s.comparisons = s.found = 0;
	stratbuecker_sort( &s );
	stratbuecker_pass( &s, 0 );
	uint64_t one = s.found;
	sum.tests[0] += (double)s.tests;
	sum.comparisons[0] += (double)s.comparisons;
	stratbuecker_pass( &s, s.cell / 2 );
	sum.tests[1] += (double)s.tests;
	sum.comparisons[1] += (double)s.comparisons;
	sum.depth += s.depth;
	bvw_particles particles = {};
	particles.positions = balls.at.data();
	particles.radii = balls.radii.data();
	particles.count = balls.count;
	bvw_neighbors_options options = {};
	options.half = true;
	options.method = bvw_neighbors_sweep;
	options.sort = bvw_neighbors_merge;
	options.order = order.data();
	std::vector<uint32_t> before = order;
	lists.find( particles, options );
	sum.complete_tests += (double)lists.of.tests;
	sum.complete_steps += (double)lists.of.steps;
	double all = (double)lists.of.count;
	std::vector<uint64_t> pairs( s.pairs, s.pairs + s.found );
	sum.missed[0] += 100 * ( all - (double)one ) / all;
	sum.missed[1] += 100 * ( all - (double)different_pairs( pairs, s.found ) ) / all;
	sum.pairs += all;
}

void write_count( FILE* csv, uint32_t count, double energy, const char* what, double value )
{
	char entrant[32];
	snprintf( entrant, sizeof entrant, "energy %g", energy );
	sample of = { "figure 4", count, entrant, 1, 0 };
	write_sample( csv, &of, what, "", value );
}

step_counts repeat_figure( particle_settings& with, uint32_t count, double energy )
{
	const int steps = count >= 1000000 ? 3 : 6;
	moving_balls balls( count, energy );
	std::vector<uint32_t> order( count ), other( count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		order[i] = other[i] = i;
	}
	std::vector<uint64_t> pairs( 8 * (size_t)count );
	stratbuecker s = {};
	s.at = balls.at.data();
	s.radii = balls.radii.data();
	s.count = count;
	s.cell = 1;
	s.order = order.data();
	s.pairs = pairs.data();
	s.most = pairs.size();
	own_lists lists;
	step_counts first, sum;
	count_step( balls, s, other, lists, first );
	for ( int step = 1; step < steps; ++step )
	{
		balls.move();
		count_step( balls, s, other, lists, sum );
	}
	double times = steps - 1;
	double each = times * count;
	step_counts mean = sum;
	for ( int k = 0; k < 2; ++k )
	{
		mean.tests[k] /= each;
		mean.comparisons[k] /= each;
		mean.missed[k] /= times;
	}
	mean.complete_tests /= each;
	mean.complete_steps /= each;
	mean.depth /= times;
	mean.pairs /= each;
	write_count( with.csv, count, energy, "tests one pass", mean.tests[0] );
	write_count( with.csv, count, energy, "tests two passes", mean.tests[1] );
	write_count( with.csv, count, energy, "comparisons one pass", mean.comparisons[0] );
	write_count( with.csv, count, energy, "comparisons two passes", mean.comparisons[1] );
	write_count( with.csv, count, energy, "tests completed", mean.complete_tests );
	write_count( with.csv, count, energy, "steps completed", mean.complete_steps );
	write_count( with.csv, count, energy, "R_sort", mean.depth );
	write_count( with.csv, count, energy, "missed by one pass (percent)", mean.missed[0] );
	write_count( with.csv, count, energy, "missed by two passes (percent)", mean.missed[1] );
	printf( "| %g | %u | %.2f | %.2f | %.2f | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f | %.3f |\n", energy,
	        count, mean.pairs, mean.tests[0], mean.tests[1], mean.comparisons[0], mean.comparisons[1],
	        mean.complete_tests, mean.complete_steps, mean.depth, mean.missed[0], mean.missed[1] );
	fflush( stdout );
	return mean;
}

void run_figure( particle_settings& with )
{
	const uint32_t most = with.quick ? 100000 : 1000000;
	printf( "\nBy step and particle: overlap tests and all comparisons of the printed form with one and two "
	        "passes, of the "
	        "completed form, R_sort, and the per cent of pairs that the printed form misses. *Energy*: the "
	        "greatest way of a "
	        "step along an axis, in greatest radii.\n\n"
	        "| energy | balls | pairs | tests, one pass | tests, two | comparisons, one | comparisons, two | "
	        "tests, completed | "
	        "comparisons, completed | R_sort | missed by one, %% | missed by two, %% |\n"
	        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	double tests[2] = { 0, 0 };
	double comparisons[2] = { 0, 0 };
	double depth[2] = { 0, 0 };
	for ( double energy : { 0.0, 0.001, 0.01, 0.1, 1.0 } )
	{
		for ( uint32_t count = 1000; count <= most; count *= 10 )
		{
			step_counts c = repeat_figure( with, count, energy );
			if ( energy == 0.1 && ( count == 10000 || count == most ) )
			{
				tests[count == most] = c.tests[0];
				comparisons[count == most] = c.comparisons[0];
				depth[count == most] = c.depth;
			}
		}
	}
	printf( "\n| claim of 2003, section 6 | at 10,000 balls, energy 0.1 | at %u | verdict |\n| --- | ---: | "
	        "---: | --- |\n",
	        most );
	bool is_flat = tests[1] < 1.1 * tests[0];
	printf( "| tests per particle do not rise with N | %.2f | %.2f | %s |\n", tests[0], tests[1],
	        is_flat ? "confirmed" : "refuted" );
	bool is_settled = comparisons[1] < 1.02 * comparisons[0];
	printf( "| all comparisons rise like a logarithm first, and settle | %.1f | %.1f | %s |\n",
	        comparisons[0], comparisons[1], is_settled ? "confirmed" : "refuted: they follow R_sort" );
	printf( "| R_sort depends on the energy alone | %.1f | %.1f | %s |\n", depth[0], depth[1],
	        depth[1] < depth[0] + 0.5 ? "confirmed" : "refuted: it rises with N" );
}

void run_times( particle_settings& with )
{
	printf( "Microseconds per particle. *Neighbors*, *tests* and *bytes* of memory besides the lists, of the "
	        "grid, are per particle. "
	        "nanoflann builds a tree and asks about each point.\n\n"
	        "| points | count | neighbors | tests | bytes | grid | sweep | nanoflann | ratio | bar | met | "
	        "equal lists |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n" );
	for ( bool clustered : { false, true } )
	{
		for ( uint32_t points = 10000; points <= ( with.quick ? 100000u : 1000000u ); points *= 10 )
		{
			compare_times( with, points, clustered );
		}
	}
}

bool read_arguments( int count, char** arguments, particle_settings& with )
{
	for ( int i = 1; i < count; ++i )
	{
		std::string word = arguments[i];
		const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
		if ( word == "--quick" )
		{
			with.quick = true;
			with.rounds = 5;
		}
		else if ( word == "--rounds" && value && atoi( value ) > 0 )
		{
			with.rounds = atoi( value );
			++i;
		}
		else if ( word == "--parts" && value )
		{
			with.parts = value;
			++i;
		}
		else if ( word == "-o" && value )
		{
			with.csv = open_samples( value );
			++i;
			if ( !with.csv )
			{
				return false;
			}
		}
		else
		{
			return false;
		}
	}
	return true;
}

} // namespace

int main( int count, char** arguments )
{
	particle_settings with;
	if ( !read_arguments( count, arguments, with ) )
	{
		fprintf( stderr, "usage: bench_particles [--quick] [--rounds N] [--parts WORDS] [-o CSV]\n" );
		return 2;
	}
	if ( with.parts.find( "times" ) != std::string::npos )
	{
		run_times( with );
	}
	if ( with.parts.find( "figure" ) != std::string::npos )
	{
		run_figure( with );
	}
	if ( with.csv )
	{
		fclose( with.csv );
	}
	return with.missed > 0;
}
