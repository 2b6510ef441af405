// What it costs that a search can be stopped, how fast its answers become narrow, and how well it keeps to a budget of time.
//
//   bench_search [--quick] [--csv FILE] FILE.bvh...
//
// Pairs of the files, at random rotations and scales. Three sets of placements: far apart or overlapping; moved together to 0.3 of the
// distance; and to 0.01 of it. Searches and whole queries take turns; each time is the least of several.
//
// Overrun: how much later than asked for a search or a sweep with a clock returns, in time of the clock. A clock on the wall also counts what the
// machine does meanwhile, which a loop that only reads the clock shows. A clock of the thread's processor time does not, but takes
// some tenths of a microsecond itself.
//
// Exit codes: 1 an answer is wrong or a bar is missed, 2 a file cannot be read, 3 usage.

#include "bv/motion.h"
#include "bv/search.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"
#include "tests/bench/random.h"

#include <math.h>

enum
{
	most_files = 32,
	most_jobs = 400,
	shares = 6,
	most_runs = 200000,
	most_looks = 40000, // of a search or a sweep
	runs_of_looks = 6,
};

static const double share_of[shares] = { 0, 0.02, 0.05, 0.1, 0.2, 0.5 };
static const double bar_of_cost = 1.05;
static const double bar_of_gap = 0.02; // of the smaller root, at a share of 0.1
static const double bar_of_overrun = 2e-6;

typedef struct job
{
	const bv_file* a;
	const bv_file* b;
	bv_transform placed;
	double size; // of the smaller root's box: its diagonal
} job;

typedef struct bench
{
	const bv_file* file[most_files];
	int files;
	job jobs[most_jobs];
	int count;
	int repeats;
	FILE* csv;
	bool is_good;
} bench;

static double memory[BV_SEARCH_AMPLE / sizeof( double )];
static bv_aabb box_of( const bv_file* file )
{
	bv_file_bounds bounds;
	bv_file_get_bounds( file, &bounds );
	return bounds.aabb;
}

static double diagonal_of( bv_aabb box )
{
	return bv_length( bv_sub( box.upper, box.lower ) );
}

static bv_vec3 center_of( bv_aabb box )
{
	return bv_scale( 0.5, bv_add( box.lower, box.upper ) );
}

// @param near  part of the distance that is left; 0 for any placement
// @return false if the meshes meet, and there is no distance to take a part of
static bool draw_job( const bench* b, double near, job* out )
{
	*out = ( job ){ .a = b->file[(int)( random_unit() * b->files )],
		            .b = b->file[(int)( random_unit() * b->files )] };
	bv_aabb of_a = box_of( out->a );
	bv_aabb of_b = box_of( out->b );
	double ratio = diagonal_of( of_a ) / diagonal_of( of_b ) * ( 0.5 + random_unit() );
	double reach = 0.5 * ( diagonal_of( of_a ) + ratio * diagonal_of( of_b ) );
	(void)bv_transform_from_axis_angle( random_direction(), 6.283 * random_unit(), bv_vec3_make( 0, 0, 0 ),
	                                    &out->placed );
	out->placed.scale = ratio;
	bv_vec3 to =
		bv_add( center_of( of_a ), bv_scale( reach * ( 0.3 + 0.8 * random_unit() ), random_direction() ) );
	out->placed.pose.translation = bv_sub( to, bv_transform_point( &out->placed, center_of( of_b ) ) );
	out->size = fmin( diagonal_of( of_a ), ratio * diagonal_of( of_b ) );
	bv_distance_result r;
	if ( near == 0 || bv_mesh_distance( out->a, out->b, &out->placed, NULL, &r ) != bv_ok || r.distance == 0 )
	{
		return near == 0;
	}
	bv_vec3 way = bv_scale( 1 - near, bv_sub( r.a.point, r.b.point ) );
	out->placed.pose.translation = bv_add( out->placed.pose.translation, way );
	return true;
}

static double time_of_query( const job* j, bv_search_goal goal, double* distance )
{
	double begin = core_now();
	if ( goal == bv_search_distance )
	{
		bv_distance_result r;
		const bv_distance_options options = { .scratch = memory, .scratch_bytes = sizeof memory };
		(void)bv_mesh_distance( j->a, j->b, &j->placed, &options, &r );
		*distance = r.distance;
	}
	else
	{
		bv_collide_result r;
		const bv_collide_options first = { .first = true };
		(void)bv_mesh_collide( j->a, j->b, &j->placed, &first, &r );
		*distance = r.pairs > 0 ? 0 : INFINITY;
	}
	return core_now() - begin;
}

static double time_of_search( const job* j, bv_search_goal goal, bv_search_answer* answer )
{
	const bv_search_options options = { .goal = goal };
	bv_search* search;
	double begin = core_now();
	(void)bv_search_begin( j->a, j->b, &j->placed, &options, memory, sizeof memory, &search );
	(void)bv_search_run( search, NULL, answer );
	return core_now() - begin;
}

// Each of both runs once before it is timed, so that neither finds a warmer cache.
static double compare_costs( bench* b, bv_search_goal goal, double* of_query )
{
	double sum[2] = { 0, 0 };
	for ( int i = 0; i < b->count; ++i )
	{
		double least[2] = { INFINITY, INFINITY };
		for ( int k = 0; k <= b->repeats; ++k )
		{
			double distance;
			bv_search_answer answer;
			double times[2];
			times[0] = time_of_query( b->jobs + i, goal, &distance );
			times[0] = time_of_query( b->jobs + i, goal, &distance );
			times[1] = time_of_search( b->jobs + i, goal, &answer );
			times[1] = time_of_search( b->jobs + i, goal, &answer );
			b->is_good =
				b->is_good && answer.done &&
				( goal == bv_search_distance ? answer.lower == distance && answer.upper == distance
			                                 : ( answer.verdict == bv_search_meets ) == ( distance == 0 ) );
			for ( int m = 0; m < 2; ++m )
			{
				least[m] = fmin( least[m], times[m] );
			}
		}
		sum[0] += least[0];
		sum[1] += least[1];
	}
	*of_query = sum[0] / b->count;
	return sum[1] / sum[0];
}

// The width of answers at shares of all tests that a search takes, as parts of the smaller root: medians.
// @param of_apart  the same of meshes that are apart
// @return how many are
static int find_widths( bench* b, double out[shares], double of_apart[shares] )
{
	static double width[shares][most_jobs];
	static double apart[shares][most_jobs];
	int count = 0;
	for ( int i = 0; i < b->count; ++i )
	{
		const job* j = b->jobs + i;
		bv_search_answer whole;
		(void)time_of_search( j, bv_search_distance, &whole );
		for ( int k = 0; k < shares; ++k )
		{
			bv_search* search;
			bv_search_answer answer;
			double tests = share_of[k] * (double)( whole.volume_tests + whole.triangle_tests );
			const bv_budget budget = { .tests = tests < 1 ? 1 : (uint64_t)tests };
			(void)bv_search_begin( j->a, j->b, &j->placed, NULL, memory, sizeof memory, &search );
			if ( k > 0 )
			{
				(void)bv_search_run( search, &budget, NULL );
			}
			(void)bv_search_look( search, &answer );
			width[k][i] = apart[k][count] = ( answer.upper - answer.lower ) / j->size;
		}
		count += whole.upper > 0;
	}
	for ( int k = 0; k < shares; ++k )
	{
		out[k] = median( width[k], b->count );
		of_apart[k] = median( apart[k], count );
	}
	return count;
}

static void print_widths( const double width[shares] )
{
	for ( int k = 0; k < shares; ++k )
	{
		printf( " %.2f %%%s", 100 * width[k], k + 1 < shares ? "," : " |\n" );
	}
}

typedef double read_clock( void );

static double read_for_search( void* context )
{
	read_clock* const* clock = context;
	return ( *clock )();
}

// @param part  of the overruns that are not greater
static double overrun_of( double* values, int count, double part )
{
	qsort( values, (size_t)count, sizeof *values, compare_doubles );
	return values[(int)( part * ( count - 1 ) )];
}

static int measure_overruns( bench* b, read_clock* clock, int most, double* values )
{
	int count = 0;
	for ( int i = 0; count < most; i = ( i + 1 ) % b->count )
	{
		const job* j = b->jobs + i;
		bv_search* search;
		bv_search_answer answer = { .done = false };
		const bv_search_options options = { .goal = i % 4 == 0 ? bv_search_collision : bv_search_distance };
		(void)bv_search_begin( j->a, j->b, &j->placed, &options, memory, sizeof memory, &search );
		for ( int k = 0; k < 20 && !answer.done && count < most; ++k )
		{
			bv_budget budget = { .now = read_for_search, .context = &clock };
			budget.until = clock() + 1e-6 * ( 1 + 20 * random_unit() );
			(void)bv_search_run( search, &budget, NULL );
			double late = clock() - budget.until;
			(void)bv_search_look( search, &answer );
			if ( !answer.done )
			{
				values[count++] = late;
			}
		}
	}
	return count;
}

// The second mesh turns about the center of the first one.
static void turn_second( const job* j, bv_motion motion[2] )
{
	const bv_transform still = bv_transform_identity();
	(void)bv_motion_still( &still, motion );
	(void)bv_motion_screw( &j->placed, center_of( box_of( j->a ) ), random_direction(), 6.283 * random_unit(),
	                       0, motion + 1 );
}

static int measure_sweep_overruns( bench* b, read_clock* clock, int most, double* values )
{
	int count = 0;
	for ( int i = 0; count < most; i = ( i + 1 ) % b->count )
	{
		const job* j = b->jobs + i;
		bv_sweep* sweep;
		bv_motion motion[2];
		bool done = false;
		turn_second( j, motion );
		(void)bv_sweep_begin( j->a, motion, j->b, motion + 1, NULL, memory, sizeof memory, &sweep );
		for ( int k = 0; k < 20 && !done && count < most; ++k )
		{
			bv_budget budget = { .now = read_for_search, .context = &clock };
			budget.until = clock() + 1e-6 * ( 1 + 20 * random_unit() );
			(void)bv_sweep_run( sweep, &budget, &done, NULL );
			double late = clock() - budget.until;
			if ( !done )
			{
				values[count++] = late;
			}
		}
	}
	return count;
}

// Times between two looks at the clock of one search or sweep, which are the same looks each time: each the least of several runs. What the
// machine does meanwhile is in few of them, and not in the least one.
typedef struct looks
{
	double before;
	double least[most_looks];
	int count;
} looks;

static double look_at_clock( void* context )
{
	looks* l = context;
	double time = now();
	if ( l->count > 0 && l->count <= most_looks )
	{
		double* least = l->least + ( l->count - 1 );
		*least = fmin( *least, time - l->before );
	}
	l->count += 1;
	l->before = now();
	return time;
}

// Runs a search or a sweep to its end, or for as many looks as there is room for.
static int look_often( const job* j, bool is_sweep, bv_search_goal goal, const bv_motion motion[2], looks* l )
{
	const bv_budget budget = { .tests = most_looks, .now = look_at_clock, .context = l, .until = INFINITY };
	for ( int i = 0; i < most_looks; ++i )
	{
		l->least[i] = INFINITY;
	}
	for ( int k = 0; k < runs_of_looks; ++k )
	{
		l->count = 0;
		if ( is_sweep )
		{
			bv_sweep* sweep;
			bool done;
			(void)bv_sweep_begin( j->a, motion, j->b, motion + 1, NULL, memory, sizeof memory, &sweep );
			(void)bv_sweep_run( sweep, &budget, &done, NULL );
		}
		else
		{
			bv_search* search;
			const bv_search_options options = { .goal = goal };
			(void)bv_search_begin( j->a, j->b, &j->placed, &options, memory, sizeof memory, &search );
			(void)bv_search_run( search, &budget, NULL );
		}
	}
	return l->count > most_looks ? most_looks : l->count - 1;
}

// As bv_budget is documented: a run ends at the first look after which another time as long as the longest so far would be too much.
static int draw_late( const looks* l, int count, int most, double* values )
{
	int drawn = 0;
	for ( int i = 0; i < most; ++i )
	{
		int k = (int)( random_unit() * count );
		double until = 1e-6 * ( 1 + 20 * random_unit() );
		double time = 0;
		double longest = 0;
		while ( k < count && time < until && time + longest <= until )
		{
			longest = fmax( longest, l->least[k] );
			time += l->least[k++];
		}
		if ( k < count )
		{
			values[drawn++] = time - until;
		}
	}
	return drawn;
}

static int measure_least( bench* b, bool is_sweep, int most, double* values )
{
	static looks l;
	int count = 0;
	for ( int i = 0; i < most_jobs && count < most; ++i )
	{
		const job* j = b->jobs + i % b->count;
		bv_motion motion[2];
		turn_second( j, motion );
		int found =
			look_often( j, is_sweep, i % 4 == 0 ? bv_search_collision : bv_search_distance, motion, &l );
		int share = most / most_jobs < most - count ? most / most_jobs : most - count;
		count += found > 0 ? draw_late( &l, found, share, values + count ) : 0;
	}
	return count;
}

// What a loop that does nothing but look at the clock is late: the machine's own part.
static void measure_clock( read_clock* clock, int count, double* values )
{
	for ( int i = 0; i < count; ++i )
	{
		double until = clock() + 1e-6 * ( 1 + 20 * random_unit() );
		double time = 0;
		while ( time < until )
		{
			time = clock();
		}
		values[i] = clock() - until;
	}
}

static void print_set( bench* b, const char* name, double near )
{
	for ( b->count = 0; b->count < most_jobs; )
	{
		b->count += draw_job( b, near, b->jobs + b->count );
	}
	double time[2];
	double distance = compare_costs( b, bv_search_distance, time );
	double collision = compare_costs( b, bv_search_collision, time + 1 );
	double width[shares];
	double of_apart[shares];
	int apart = find_widths( b, width, of_apart );
	printf( "| %s | %.1f, %.3f | %.2f, %.3f |", name, 1e6 * time[0], distance, 1e6 * time[1], collision );
	print_widths( width );
	if ( apart < b->count )
	{
		printf( "| %s: %d of %d that are apart | | |", name, apart, b->count );
		print_widths( of_apart );
	}
	if ( b->csv )
	{
		fprintf( b->csv, "%s,%.9g,%.9g,%.9g,%.9g", name, time[0], distance, time[1], collision );
		for ( int k = 0; k < shares; ++k )
		{
			fprintf( b->csv, ",%.9g", width[k] );
		}
		fprintf( b->csv, "\n" );
	}
	b->is_good = b->is_good && distance <= bar_of_cost && collision <= bar_of_cost && width[3] <= bar_of_gap;
}

// @return the overrun that one in a thousand runs exceeds
static double print_overruns( const char* name, double* late, int count )
{
	double at[3] = { overrun_of( late, count, 0.5 ), overrun_of( late, count, 0.99 ),
		             overrun_of( late, count, 0.999 ) };
	printf( "| %s | %.2f | %.2f | %.2f |\n", name, 1e6 * at[0], 1e6 * at[1], 1e6 * at[2] );
	return at[2];
}

int main( int count, char** arguments )
{
	static bench b = { .repeats = 5, .is_good = true };
	static double late[most_runs];
	bool is_quick = false;
	for ( int i = 1; i < count; ++i )
	{
		if ( strcmp( arguments[i], "--quick" ) == 0 )
		{
			is_quick = true;
		}
		else if ( strcmp( arguments[i], "--csv" ) == 0 && i + 1 < count )
		{
			b.csv = fopen( arguments[++i], "w" );
		}
		else if ( b.files < most_files )
		{
			b.file[b.files] = open_bvh( arguments[i] );
			if ( !b.file[b.files++] )
			{
				fprintf( stderr, "bench_search: %s: cannot be read\n", arguments[i] );
				return 2;
			}
		}
	}
	if ( b.files == 0 )
	{
		fprintf( stderr, "usage: bench_search [--quick] [--csv FILE] FILE.bvh...\n" );
		return 3;
	}
	b.repeats = is_quick ? 1 : 5;
	int runs = is_quick ? most_runs / 20 : most_runs;
	if ( b.csv )
	{
		fprintf( b.csv, "placements,distance_seconds,distance_ratio,collision_seconds,collision_ratio" );
		for ( int k = 0; k < shares; ++k )
		{
			fprintf( b.csv, ",width_%g", share_of[k] );
		}
		fprintf( b.csv, "\n" );
	}
	printf( "| placements | `bv_mesh_distance`, us, and search / that | `bv_mesh_collide`, us, and search / "
	        "that | median width of "
	        "answers after 0, 2, 5, 10, 20, 50 %% of the tests |\n| --- | ---: | ---: | ---: |\n" );
	print_set( &b, "any", 0 );
	print_set( &b, "0.3 of the distance", 0.3 );
	print_set( &b, "0.01 of the distance", 0.01 );
	printf( "\n| overrun of %d runs, us | median | 99 %% | 99.9 %% |\n| --- | ---: | ---: | ---: |\n", runs );
	(void)print_overruns( "a loop that reads a clock on the wall", late,
	                      ( measure_clock( now, runs, late ), runs ) );
	(void)print_overruns( "searches by that clock", late, measure_overruns( &b, now, runs, late ) );
	(void)print_overruns( "sweeps by that clock", late, measure_sweep_overruns( &b, now, runs, late ) );
	double of_searches = print_overruns( "searches, least of 6 times between looks", late,
	                                     measure_least( &b, false, runs, late ) );
	double of_sweeps = print_overruns( "sweeps, least of 6 times between looks", late,
	                                   measure_least( &b, true, runs, late ) );
	double overrun = fmax( of_searches, of_sweeps );
	b.is_good = b.is_good && overrun <= bar_of_overrun;
	printf( "\nBars: ratios at most %.2f, width at 10 %% at most %.0f %%, overrun at 99.9 %% at most %.0f "
	        "us: %s\n",
	        bar_of_cost, 100 * bar_of_gap, 1e6 * bar_of_overrun, b.is_good ? "met" : "not met" );
	if ( b.csv )
	{
		fclose( b.csv );
	}
	return b.is_good ? 0 : 1;
}
