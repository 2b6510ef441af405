// Broad phases of the grid family where sizes spread: claims of M. Kravec and of J. Leemann on grids, run again.
//
//   bench_world_grids [--quick] [-o CSV]
//
// Tables: time and tests of a moved box by ratio of sizes, number of boxes and share that moves; the time of moves alone; the uniform
// grid by length of cells; memory; verdicts.
//
// Cubes with sides from 1 to a ratio, the number above s being proportional to 1 / s, are in a cube in which each touches one other
// on average. They move at random, by at most a tenth of their side. Methods take turns, step by step, in one process. Times are
// processor time, medians over steps without the first three. All methods have to find as many pairs as the tree.

#include "bvworld/broadphase.h"
#include "tests/bench/measure.h"
#include "tests/bench/verdict.h"

#include <math.h>

enum
{
	methods = 5,
	warm = 3,
	most_steps = 40,
	ratios = 5,
};

static const bvw_method method_of[methods] = { bvw_method_uniform, bvw_method_levels, bvw_method_hash_grids,
	                                           bvw_method_spatial_hash, bvw_method_tree };
static const double ratio_of[ratios] = { 1, 10, 100, 1e3, 1e4 };

// G. Steele, D. Lea, C. Flood's splitmix64.
static double draw( uint64_t* state )
{
	uint64_t z = *state += UINT64_C( 0x9e3779b97f4a7c15 );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-53;
}

static void give_up( const char* what )
{
	fprintf( stderr, "bench_world_grids: %s\n", what );
	exit( 1 );
}

typedef struct boxes
{
	uint32_t count;  // of all
	uint32_t movers; // the first ones can move
	double edge;
	bv_vec3* at;
	double* half;
	uint64_t random;
} boxes;

static bv_aabb box_of( const boxes* b, uint32_t i )
{
	bv_vec3 c = b->at[i];
	double h = b->half[i];
	return ( bv_aabb ){ { c.x - h, c.y - h, c.z - h }, { c.x + h, c.y + h, c.z + h } };
}

static bv_vec3 draw_point( uint64_t* random, double edge )
{
	double x = edge * draw( random );
	double y = edge * draw( random );
	return ( bv_vec3 ){ x, y, edge * draw( random ) };
}

// With s distributed as 1 / s^2 from 1 to R: E( s ) = R ln R / ( R - 1 ), E( s^2 ) = R, E( s^3 ) = R ( R + 1 ) / 2. Each touches one
// other on average if the volume is the count times E( ( s + s' )^3 ) = 2 E( s^3 ) + 6 E( s^2 ) E( s ).
static boxes make_boxes( uint32_t count, uint32_t others, double ratio )
{
	boxes b = { .count = count + others, .movers = count, .random = 44 };
	double mean = ratio > 1 ? ratio * log( ratio ) / ( ratio - 1 ) : 1;
	b.edge = cbrt( count * ( ratio * ( ratio + 1 ) + 6 * ratio * mean ) );
	b.at = malloc( b.count * sizeof *b.at );
	b.half = malloc( b.count * sizeof *b.half );
	for ( uint32_t i = 0; i < count; ++i )
	{
		b.at[i] = draw_point( &b.random, b.edge );
		b.half[i] = 0.5 / ( 1 / ratio + ( 1 - 1 / ratio ) * draw( &b.random ) );
	}
	return b;
}

static double wander( boxes* b, double x, double most )
{
	double by = most * ( 2 * draw( &b->random ) - 1 );
	return x + by < 0 || x + by > b->edge ? x - by : x + by;
}

static void step( boxes* b, unsigned percent )
{
	for ( uint32_t i = 0; i < b->movers; ++i )
	{
		if ( i % 100 < percent )
		{
			double most = 0.2 * b->half[i];
			b->at[i].x = wander( b, b->at[i].x, most );
			b->at[i].y = wander( b, b->at[i].y, most );
			b->at[i].z = wander( b, b->at[i].z, most );
		}
	}
}

static void free_boxes( boxes* b )
{
	free( b->at );
	free( b->half );
}

typedef struct entrant
{
	bvw_broadphase* world;
	bvw_broadphase_options options;
	int64_t pairs;
	uint64_t tests;
	int steps;
	double moving[most_steps]; // seconds of moves
	double all[most_steps];    // of moves and update
} entrant;

static void update( entrant* e )
{
	bvw_changes changes;
	bv_status status = bvw_broadphase_update( e->world, &changes );
	while ( status == bv_error_memory )
	{
		e->options.pairs *= 2;
		size_t bytes = bvw_broadphase_bytes( &e->options );
		void* memory = malloc( bytes );
		bvw_broadphase* copy = NULL;
		if ( !memory || bvw_broadphase_copy( e->world, memory, bytes, &e->options, &copy ) != bv_ok )
		{
			give_up( "out of memory" );
		}
		free( e->world );
		e->world = copy;
		status = bvw_broadphase_update( e->world, &changes );
	}
	e->pairs += (int64_t)changes.begun_count - changes.ended_count;
	e->tests = changes.tests;
}

static void begin( entrant* e, bvw_method method, const boxes* b )
{
	*e = ( entrant ){ .options = { .objects = b->count, .pairs = 8 * b->count, .method = method } };
	size_t bytes = bvw_broadphase_bytes( &e->options );
	void* memory = malloc( bytes );
	if ( !memory || bvw_broadphase_begin( memory, bytes, &e->options, &e->world ) != bv_ok )
	{
		give_up( "out of memory" );
	}
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		bvw_object o = { .box = box_of( b, i ) };
		bvw_broadphase_add( e->world, i, &o );
	}
	update( e );
}

static void go_on( entrant* e, const boxes* b, unsigned percent, bool counts )
{
	double from = core_now();
	for ( uint32_t i = 0; i < b->movers; ++i )
	{
		if ( i % 100 < percent )
		{
			bv_aabb box = box_of( b, i );
			bvw_broadphase_move( e->world, i, &box );
		}
	}
	double moved = core_now();
	update( e );
	if ( counts )
	{
		e->moving[e->steps] = moved - from;
		e->all[e->steps++] = core_now() - from;
	}
}

// What a moved box costs.
typedef struct figure
{
	double all;    // us
	double moving; // us
	double tests;
} figure;

// @return the number of pairs at the end
static uint32_t run( boxes* b, unsigned percent, const bvw_method* of, int count, double budget, figure* out )
{
	entrant e[methods];
	for ( int m = 0; m < count; ++m )
	{
		begin( e + m, of[m], b );
	}
	double moved = b->movers * (double)percent / 100;
	double from = core_now();
	for ( int s = 0; s < warm + 3 || ( s < warm + most_steps && core_now() - from < budget * count ); ++s )
	{
		step( b, percent );
		for ( int m = 0; m < count; ++m )
		{
			go_on( e + m, b, percent, s >= warm );
			if ( e[m].pairs != e[0].pairs )
			{
				give_up( "methods differ" );
			}
		}
	}
	uint32_t pairs = (uint32_t)e[0].pairs;
	for ( int m = 0; m < count; ++m )
	{
		out[m] = ( figure ){ 1e6 * median( e[m].all, e[m].steps ) / moved,
			                 1e6 * median( e[m].moving, e[m].steps ) / moved, (double)e[m].tests / moved };
		free( e[m].world );
	}
	return pairs;
}

typedef struct bench
{
	bool quick;
	double budget; // seconds for a method in a cell
	// By the number of boxes, share, ratio and method; 0 where it was not measured.
	figure of[3][2][ratios][methods];
	verdicts v;
} bench;

static const uint32_t count_of[3] = { 1000, 10000, 100000 };
static const unsigned percent_of[2] = { 100, 10 };

static void run_ratios( bench* b )
{
	printf( "Time of a moved box in us, and its tests of boxes. *Moving*: percent of the boxes. *Ratio*: of "
	        "the longest side to the "
	        "shortest.\n\n| boxes | moving | ratio | pairs |" );
	for ( int m = 0; m < 2 * methods; ++m )
	{
		printf( " %s%s |", bvw_method_name( method_of[m % methods] ), m < methods ? ", us" : ", tests" );
	}
	printf( "\n| ---: | ---: | ---: | ---: |" );
	for ( int m = 0; m < 2 * methods; ++m )
	{
		printf( " ---: |" );
	}
	printf( "\n" );
	for ( int n = 0; n < ( b->quick ? 2 : 3 ); ++n )
	{
		for ( int p = 0; p < 2; ++p )
		{
			for ( int r = 0; r < ratios; ++r )
			{
				figure* f = b->of[n][p][r];
				boxes scene = make_boxes( count_of[n], 0, ratio_of[r] );
				uint32_t pairs = run( &scene, percent_of[p], method_of, methods, b->budget, f );
				free_boxes( &scene );
				printf( "| %u | %u | %g | %u |", count_of[n], percent_of[p], ratio_of[r], pairs );
				for ( int m = 0; m < 2 * methods; ++m )
				{
					printf( " %.3g |", m < methods ? f[m].all : f[m - methods].tests );
				}
				char what[64];
				snprintf( what, sizeof what, "%u boxes, %u %% move", count_of[n], percent_of[p] );
				for ( int m = 0; m < methods; ++m )
				{
					write_figure( &b->v, what, bvw_method_name( method_of[m] ), ratio_of[r], f[m].all );
				}
				printf( "\n" );
				fflush( stdout );
			}
		}
	}
}

static void print_moves( const bench* b )
{
	printf( "\nTime of `bvw_broadphase_move` alone, us, 10,000 boxes, all move:\n\n| ratio |" );
	for ( int m = 0; m < methods; ++m )
	{
		printf( " %s |", bvw_method_name( method_of[m] ) );
	}
	printf( "\n| ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int r = 0; r < ratios; ++r )
	{
		printf( "| %g |", ratio_of[r] );
		for ( int m = 0; m < methods; ++m )
		{
			printf( " %.3f |", b->of[1][0][r][m].moving );
		}
		printf( "\n" );
	}
}

// Cells are twice as long as boxes are on average. Others that are far away and do not move, nine for ten, determine the average.
static double run_length( bench* b, double length, unsigned percent )
{
	const uint32_t count = 10000;
	const uint32_t others = 9000;
	boxes scene = make_boxes( count, others, 1 );
	double side = ( 0.95 * length - 1 ) / 0.9;
	for ( uint32_t i = 0; i < others; ++i )
	{
		bv_vec3 at = draw_point( &scene.random, 40 * scene.edge );
		scene.at[count + i] = ( bv_vec3 ){ at.x + 1e5, at.y, at.z };
		scene.half[count + i] = side / 2;
	}
	figure f;
	const bvw_method method = bvw_method_uniform;
	run( &scene, percent, &method, 1, b->budget, &f );
	free_boxes( &scene );
	return f.all;
}

static void run_lengths( bench* b )
{
	const double lengths[] = { 1.06, 1.25, 1.5, 2, 2.5, 3, 4, 6, 8 };
	double least[2] = { INFINITY, INFINITY };
	double at[2] = { 0, 0 };
	double one = 0, two = 0, eight = 0;
	printf( "\nThe uniform grid by the length of cells, in sides of the equal boxes, 10,000 of which move; "
	        "us of a moved box:\n\n"
	        "| length of cells | all move | 10 %% move |\n| ---: | ---: | ---: |\n" );
	for ( size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i )
	{
		double f[2];
		for ( int p = 0; p < 2; ++p )
		{
			f[p] = run_length( b, lengths[i], percent_of[p] );
			at[p] = f[p] < least[p] ? lengths[i] : at[p];
			least[p] = f[p] < least[p] ? f[p] : least[p];
		}
		one = i == 0 ? f[0] : one;
		two = lengths[i] == 2 ? f[0] : two;
		eight = f[0];
		printf( "| %g | %.3f | %.3f |\n", lengths[i], f[0], f[1] );
		fflush( stdout );
	}
	add_verdict( &b->v, "Kravec, grids", "large cells have too many pairs to compare", "no figure",
	             confirmed_if( eight > 1.2 * least[0] ), "%.2f times the least time at 8 sides",
	             eight / least[0] );
	add_verdict( &b->v, "Kravec, grids", "small cells are too many", "no figure",
	             confirmed_if( one > 1.2 * least[0] ),
	             "%.2f times the least time at 1.06 sides; shorter ones were not measured", one / least[0] );
	add_verdict( &b->v, "Kravec, resolution", "a = 0.5, b = 1: cells of one to two sizes are the best",
	             "no figure", confirmed_if( at[0] >= 1 && at[0] <= 2 ),
	             "least at %g sizes; %.2f times that at 1.06, %.2f at 2", at[0], one / least[0],
	             two / least[0] );
}

static void print_memory( void )
{
	printf( "\nBytes of an object beside those of all methods, of 100,000:\n\n| method | bytes |\n| --- | "
	        "---: |\n" );
	bvw_broadphase_options o = { .objects = 100000, .pairs = 1, .method = bvw_method_all_pairs };
	double shared = (double)bvw_broadphase_bytes( &o );
	for ( int m = 0; m < methods; ++m )
	{
		o.method = method_of[m];
		printf( "| %s | %.0f |\n", bvw_method_name( o.method ),
		        ( (double)bvw_broadphase_bytes( &o ) - shared ) / o.objects );
	}
}

static void judge( bench* b )
{
	const int last = ratios - 1;
	int n = b->quick ? 1 : 2;
	figure* equal = b->of[n][0][0];
	figure* spread = b->of[n][0][last];
	double uniform = spread[0].tests / equal[0].tests;
	double leveled = spread[1].tests / equal[1].tests;
	add_verdict( &b->v, "Kravec, hierarchies",
	             "where sizes spread, a hierarchy compares fewer pairs than a uniform grid", "no figure",
	             confirmed_if( spread[1].tests < spread[0].tests ),
	             "ratio 10^4: %.0f tests a box instead of %.0f; of equal boxes %.1f and %.1f",
	             spread[1].tests, spread[0].tests, equal[1].tests, equal[0].tests );
	add_verdict( &b->v, "Kravec, hierarchies", "tests do not depend on the spread of sizes", "no figure",
	             confirmed_if( leveled < 2 ), "%.1f times those of equal boxes; uniform grid %.0f times",
	             leveled, uniform );
	add_verdict( &b->v, "Kravec, hierarchies", "it is faster where sizes spread", "no figure",
	             confirmed_if( spread[1].all < spread[0].all ),
	             "ratio 10^4: %.2f times the uniform grid's time; ratio 1: %.2f times",
	             spread[1].all / spread[0].all, equal[1].all / equal[0].all );
	double moving = 0;
	for ( int r = 0; r < ratios; ++r )
	{
		moving = fmax( moving, b->of[1][0][r][1].moving / b->of[1][0][r][1].all );
	}
	add_verdict( &b->v, "Kravec, update",
	             "removing and adding a box of a hierarchy again needs no optimization", "no figure",
	             confirmed_if( moving < 0.25 ), "moves are at most %.0f %% of a step", 100 * moving );
	double one = spread[2].all / fmin( spread[0].all, spread[1].all );
	add_verdict( &b->v, "Leemann, hash grids", "one cell of one grid is enough where sizes spread",
	             "no figure", confirmed_if( one < 1 ),
	             "ratio 10^4: %.2f times the time of the better of the two above", one );
	double growth = b->of[n][0][0][2].tests / b->of[0][0][0][2].tests;
	double time = b->of[n][0][0][2].all / b->of[0][0][0][2].all;
	add_verdict( &b->v, "Leemann, hash grids", "O( n ) on average, equal boxes", "no figure",
	             confirmed_if( growth < 1.5 ),
	             "from %u to %u boxes tests of a box grow %.2f times, time %.2f times", count_of[0],
	             count_of[n], growth, time );
	growth = spread[2].tests / b->of[0][0][last][2].tests;
	time = spread[2].all / b->of[0][0][last][2].all;
	add_verdict( &b->v, "Leemann, hash grids", "O( n ) on average, ratio 10^4", "no figure",
	             confirmed_if( growth < 1.5 ), "tests of a box grow %.2f times, time %.2f times", growth,
	             time );
}

int main( int count, char** arguments )
{
	static bench b;
	if ( !begin_verdicts( &b.v, count, arguments, &b.quick ) )
	{
		return 2;
	}
	b.budget = b.quick ? 0.15 : 1;
	run_ratios( &b );
	print_moves( &b );
	run_lengths( &b );
	print_memory();
	judge( &b );
	int status = print_verdicts( &b.v );
	if ( b.v.csv )
	{
		fclose( b.v.csv );
	}
	return status;
}
