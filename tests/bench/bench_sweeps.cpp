// First contacts of moving objects, compared with other libraries.
//
//   bench_sweeps [--tables WORDS] [--passages N] [--peer-passages N] [--motions N] [--compared N] [--pairs N] [--rounds N]
//                [--peer NAME COMMAND]... [--export FILE] [-o CSV] MESHES POSES.csv...
//
// Tables, all by default: walls, meshes, modes, steps, convex, finders. MESHES is a folder.
//
//   walls   rods, plates and needles that fly and turn through thin walls, N of them for this library and N for others. The
//           truth does not depend on any library: the center of the thing passes the inside of the wall at a known time.
//   meshes  N motions, near and far, of each pair of meshes. Checked by static queries at 200 times. The first ones of each are
//           compared with other ways
//   modes   the same motions and those of steps, by all modes of this library
//   steps   motions by the mean side of a triangle from recorded poses, compared with static queries there
//   convex  pairs of 32 points on a sphere. Checked by static queries at 50 times
//   finders N moving vertices and faces, and edges, by all finders; the certified one is the truth (make moving-oracle judges it)
//
// Programs of --peer read FILE of --export, which has a passage per line, and print a line per passage: whether there is a contact,
// the time of contact, microseconds.
//
// Times are processor time of one thread. Exit codes: 1 a bar is missed, 2 usage, or something cannot be read.

#include "tests/bench/sweep_finders.h"
#include "tests/bench/sweep_meshes.h"
#include "tests/bench/sweep_modes.h"
#include "tests/bench/sweep_walls.h"

namespace {

void run_convex( settings& with )
{
	// The clock takes 0.7 us: several queries are timed together.
	const int corners = 32, times_before = 50, together = 8;
	const double bar = 10;
	std::vector<double> times;
	uint64_t hits = 0, uncertain = 0, late = 0, unmet = 0, starts = 0;
	double widest = 0;
	sweep_random random = { 32 };
	for ( int i = 0; i < with.pairs; ++i )
	{
		bv_vec3 points[2][corners];
		for ( int k = 0; k < 2 * corners; ++k )
		{
			points[k / corners][k % corners] = random.direction();
		}
		bv_convex a = bv_convex_points( points[0], corners, 0 ),
				  b = bv_convex_points( points[1], corners, 0 );
		// The way of 2, the diameter, begins where they are apart, and leads to a point near the center of a.
		bv_vec3 from_where = bv_scale( 2 + random.unit(), random.direction() );
		bv_vec3 way = bv_scale( 2, bv_normalize( bv_sub( bv_scale( 2.5, random.in_ball() ), from_where ) ) );
		bv_quaternion turn = random.rotation(), by;
		bv_quaternion_from_axis_angle( random.direction(), 1.5707963267948966, &by );
		bv_transform start = place( turn, from_where );
		bv_transform end = place( bv_quaternion_multiply( by, turn ), bv_add( from_where, way ) );
		bv_motion rest = still(), moves;
		bv_motion_slerp( &start, &end, { 0, 0, 0 }, &moves );
		bv_sweep_result r;
		double least = INFINITY;
		for ( int round = 0; round < 3; ++round )
		{
			double from = core_now();
			bool done = true;
			for ( int k = 0; k < together; ++k )
			{
				done = done && bv_sweep_convexes( &a, &rest, &b, &moves, nullptr, &r ) == bv_ok;
			}
			least = std::min( least, ( core_now() - from ) / together );
			if ( !done )
			{
				sweep_fail( "bv_sweep_convexes failed" );
			}
		}
		times.push_back( 1e6 * least );
		hits += r.found;
		starts += r.at_start;
		uncertain += !r.certain;
		widest = r.found ? std::max( widest, r.upper - r.lower ) : widest;
		auto meet = [&]( double time ) {
			bv_transform at = relative_at( rest, moves, time );
			bv_convex_overlap_result o;
			return bv_convex_overlap( &a, &b, &at, nullptr, &o ) == bv_ok && o.overlaps && o.certain;
		};
		for ( int k = 0; k < times_before && r.lower > 0; ++k )
		{
			late += meet( r.lower * ( 1 - 1e-10 ) * ( k + random.unit() ) / times_before );
		}
		unmet += r.found && !meet( r.upper );
	}
	double average = mean( times );
	printf( "\n| pairs | contacts | at the start | uncertain | widest | overlaps before | no overlap at "
	        "upper | mean, us | median | "
	        "99 %% | greatest | bar |\n"
	        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n" );
	printf( "| %d | %llu | %llu | %llu | %.2g | %llu | %llu | %.2f | %.2f | %.2f | %.1f | %s |\n", with.pairs,
	        (unsigned long long)hits, (unsigned long long)starts, (unsigned long long)uncertain, widest,
	        (unsigned long long)late, (unsigned long long)unmet, average, percentile( times, 0.5 ),
	        percentile( times, 0.99 ), percentile( times, 1 ), average <= bar ? "met" : "**not met**" );
	fflush( stdout );
	write_row( with, "convex", "bv_sweep_convexes", times.size(), "mean us", average );
	write_row( with, "convex", "bv_sweep_convexes", times.size(), "p99 us", percentile( times, 0.99 ) );
	write_row( with, "convex", "bv_sweep_convexes", times.size(), "late", (double)late );
	require( with, late == 0, "convex pairs: never late" );
	require( with, unmet == 0, "convex pairs: overlap at upper" );
	require( with, average <= bar, "convex pairs: a mean of 10 us" );
}

bool read_arguments( int count, char** arguments, settings& with )
{
	for ( int i = 1; i < count; ++i )
	{
		std::string word = arguments[i];
		if ( word.rfind( "-", 0 ) != 0 )
		{
			if ( with.folder )
			{
				with.poses.push_back( arguments[i] );
			}
			else
			{
				with.folder = arguments[i];
			}
			continue;
		}
		if ( i + 1 >= count )
		{
			return false;
		}
		const char* value = arguments[++i];
		if ( word == "--tables" )
		{
			with.tables = value;
		}
		else if ( word == "--passages" )
		{
			with.passages = strtoull( value, nullptr, 10 );
		}
		else if ( word == "--peer-passages" )
		{
			with.peer_passages = strtoull( value, nullptr, 10 );
		}
		else if ( word == "--motions" )
		{
			with.motions = atoi( value );
		}
		else if ( word == "--compared" )
		{
			with.compared = atoi( value );
		}
		else if ( word == "--pairs" )
		{
			with.pairs = atoi( value );
		}
		else if ( word == "--rounds" )
		{
			with.rounds = atoi( value );
		}
		else if ( word == "--export" )
		{
			with.exported = value;
		}
		else if ( word == "--peer" && i + 1 < count )
		{
			with.peers.emplace_back( value, arguments[++i] );
		}
		else if ( word == "-o" )
		{
			with.csv = open_samples( value );
		}
		else
		{
			return false;
		}
	}
	return with.folder && with.passages > 0 && with.motions > 0 && with.pairs > 0 && with.rounds > 0;
}

} // namespace

int main( int count, char** arguments )
{
	settings with;
	if ( !read_arguments( count, arguments, with ) )
	{
		fprintf( stderr,
		         "usage: bench_sweeps [--tables WORDS] [--passages N] [--peer-passages N] [--motions N] "
		         "[--compared N] [--pairs N] "
		         "[--rounds N] [--peer NAME COMMAND]... [--export FILE] [-o CSV] MESHES POSES.csv...\n" );
		return 2;
	}
	const struct
	{
		const char* name;
		void ( *run )( settings& );
		const char* caption;
	} tables[] = {
		{ "walls", run_walls,
		  "Rods, plates and needles through walls of thickness 1 to 1e-4, turning by up to 40 rad. *After "
		  "the center*: found, but later than when the center passes the wall, which is proven. *Late*, "
		  "*early*: by more than 0.001 of the time, compared with the bracket." },
		{ "meshes", run_meshes,
		  "Whole meshes. *Met before*: static queries that find a contact before `lower`, of 200 for each "
		  "motion. Then other ways, on the first motions of each or each 10th or 25th of these: *equal* to "
		  "their step." },
		{ "modes", run_modes,
		  "Modes of bv_sweep_meshes, on those motions, and on motions by the mean side of a triangle from "
		  "recorded poses. *Late*, *early*: by more than 0.001 of the time, compared with mode dynamic; "
		  "*by*: "
		  "their mean delay. *Rejected*: no time for a contact at the end. *Times static*: the mean, divided "
		  "by that of the static query." },
		{ "steps", run_steps, "Motions by the mean side of a triangle, from recorded poses." },
		{ "convex", run_convex,
		  "Pairs of 32 points on a sphere, turning by pi/2 and moving by the diameter. *Overlaps before*: of "
		  "50 for each pair. Times are those of eight equal queries together, because the clock takes 0.7 "
		  "us." },
		{ "finders", run_finders,
		  "Moving vertices and faces, and pairs of edges, in a ball of radius 1. *Interpolated*: the inside "
		  "test INTER of 1998." },
	};
	for ( const auto& table : tables )
	{
		if ( with.tables.find( table.name ) != std::string::npos )
		{
			printf( "\n%s\n", table.caption );
			table.run( with );
		}
	}
	if ( with.csv )
	{
		fclose( with.csv );
	}
	return with.missed > 0;
}
