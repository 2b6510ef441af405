// Frames of a game within a budget of time: many meshes that all move, a broad phase, and one pool of searches for all pairs.
//
//   bench_frames [--quick] [--sweeps] [--csv FILE] FILE.bvh...
//
// 200 objects made of the files in turns, scaled to the radius 1, go from place to place in a cube and turn. Each frame, their boxes move, the
// broad phase reports the pairs of boxes that touch, a search for the distance of each pair begins with the triangles that were nearest
// in the frame before, and bvw_pool_run spends the rest of 8 ms. With --sweeps, the first contact of each pair during the frame
// is looked for instead.
//
// Printed: the time of frames, the width of answers, as parts of the objects' radius or of the frame, and the time that all searches of a
// frame take to their ends. The machine takes time away from some frames, see the row of a loop that reads the clock for as long.
//
// Exit codes: 1 an answer is wrong or the bar is missed, 2 a file cannot be read, 3 usage.

#include "bvworld/bvworld.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"
#include "tests/bench/random.h"

#include <math.h>

enum
{
	most_files = 32,
	objects = 200,
	most_pairs = 3000,
	frames_of_way = 120, // between two places
	most_frames = 1200,
};

static const double budget_of_frame = 8e-3;
static const double bar_of_frame = 1.01; // of the budget
static const double side = 16;           // of the cube that objects move in

typedef struct placed_object
{
	const bv_file* file;
	bv_vec3 center; // of the file
	double scale;
	bv_transform from;
	bv_transform to;
	bv_transform now;
	bv_motion motion; // of the present frame
	bv_motion way;
} placed_object;

// What is remembered of a pair.
typedef struct memory_of_pair
{
	bvw_pair pair;
	uint32_t triangle[2];
	bool has_triangles;
} memory_of_pair;

typedef struct bench
{
	const bv_file* file[most_files];
	int files;
	bool sweeps;
	placed_object object[objects];
	bvw_broadphase* world;
	bvw_pair pairs[most_pairs];
	memory_of_pair before[most_pairs];
	uint32_t before_count;
	bvw_pool_item item[most_pairs];
	uint32_t scratch[most_pairs + 1];
	double* memory; // BV_SEARCH_LEAST for each pair
	uint32_t count;
} bench;

static bv_vec3 random_vector( double size )
{
	double x = random_unit() - 0.5;
	double y = random_unit() - 0.5;
	return bv_scale( size, bv_vec3_make( x, y, random_unit() - 0.5 ) );
}

// A place in the cube, so that the file's center is there.
static bv_transform random_place( const placed_object* o )
{
	bv_transform t = bv_transform_identity();
	(void)bv_transform_from_axis_angle( random_direction(), 6.283 * random_unit(), bv_vec3_make( 0, 0, 0 ),
	                                    &t );
	t.scale = o->scale;
	t.pose.translation = bv_sub( random_vector( side ), bv_transform_point( &t, o->center ) );
	return t;
}

static void choose_way( placed_object* o )
{
	o->from = o->to;
	o->to = random_place( o );
	(void)bv_motion_slerp( &o->from, &o->to, o->center, &o->way );
}

static bool make_objects( bench* b )
{
	for ( uint32_t i = 0; i < objects; ++i )
	{
		placed_object* o = b->object + i;
		bv_file_bounds bounds;
		o->file = b->file[i % (uint32_t)b->files];
		if ( !bv_file_get_bounds( o->file, &bounds ) )
		{
			return false;
		}
		o->center = bv_scale( 0.5, bv_add( bounds.aabb.lower, bounds.aabb.upper ) );
		o->scale = 2 / bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) );
		o->to = random_place( o );
		choose_way( o );
		(void)bv_motion_at( &o->way, ( i % frames_of_way ) / (double)frames_of_way, &o->now );
		bvw_object in_world = { .category = 0 };
		if ( bvw_file_box( o->file, &o->now, &in_world.box ) != bv_ok ||
		     bvw_broadphase_add( b->world, i, &in_world ) != bv_ok )
		{
			return false;
		}
	}
	return true;
}

static void move_objects( bench* b, int frame )
{
	for ( uint32_t i = 0; i < objects; ++i )
	{
		placed_object* o = b->object + i;
		// Objects choose their ways in turns.
		int at = ( frame + (int)i ) % frames_of_way;
		bv_transform start = o->now;
		bv_aabb box;
		if ( at == 0 )
		{
			o->to = o->now;
			choose_way( o );
		}
		(void)bv_motion_at( &o->way, ( at + 1 ) / (double)frames_of_way, &o->now );
		if ( b->sweeps )
		{
			(void)bv_motion_slerp( &start, &o->now, o->center, &o->motion );
			(void)bvw_file_swept_box( o->file, &o->motion, 0, 1, &box );
		}
		else
		{
			(void)bvw_file_box( o->file, &o->now, &box );
		}
		(void)bvw_broadphase_move( b->world, i, &box );
	}
}

static void* memory_of( const bench* b, uint32_t index )
{
	return b->memory + (size_t)index * ( BV_SEARCH_LEAST / sizeof( double ) );
}

_Static_assert( BV_SWEEP_LEAST <= BV_SEARCH_LEAST, "memory of a pair" );

// Pairs are sorted, as those of the frame before.
static const uint32_t* triangles_before( const bench* b, bvw_pair pair, uint32_t* from )
{
	for ( ; *from < b->before_count; ++*from )
	{
		const memory_of_pair* m = b->before + *from;
		if ( m->pair.a > pair.a || ( m->pair.a == pair.a && m->pair.b >= pair.b ) )
		{
			return m->pair.a == pair.a && m->pair.b == pair.b && m->has_triangles ? m->triangle : NULL;
		}
	}
	return NULL;
}

static bool begin_pairs( bench* b )
{
	uint32_t from = 0;
	if ( bvw_broadphase_pairs( b->world, b->pairs, most_pairs, &b->count ) != bv_ok )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		const bvw_pair pair = b->pairs[i];
		const placed_object* x = b->object + pair.a;
		const placed_object* y = b->object + pair.b;
		b->item[i] = ( bvw_pool_item ){ .width = 0 };
		if ( b->sweeps )
		{
			if ( bv_sweep_begin( x->file, &x->motion, y->file, &y->motion, NULL, memory_of( b, i ),
			                     BV_SEARCH_LEAST, &b->item[i].sweep ) != bv_ok )
			{
				return false;
			}
			continue;
		}
		bv_transform b_in_a = bv_transform_between( &x->now, &y->now );
		const bv_search_options options = { .last = triangles_before( b, pair, &from ) };
		b->item[i].weight = x->scale; // answers are in coordinates of a
		if ( bv_search_begin( x->file, y->file, &b_in_a, &options, memory_of( b, i ), BV_SEARCH_LEAST,
		                      &b->item[i].search ) != bv_ok )
		{
			return false;
		}
	}
	return true;
}

static void remember_pairs( bench* b )
{
	b->before_count = b->sweeps ? 0 : b->count;
	for ( uint32_t i = 0; i < b->before_count; ++i )
	{
		bv_search_answer a;
		(void)bv_search_look( b->item[i].search, &a );
		b->before[i] = ( memory_of_pair ){ b->pairs[i], { a.triangle[0], a.triangle[1] }, a.found };
	}
}

static double read_clock( void* context )
{
	(void)context;
	return now();
}

typedef struct measures
{
	double time[most_frames];
	double widest[most_frames];
	double mean[most_frames];
	double decided[most_frames]; // share of pairs that are known to meet or to be apart
	double whole[most_frames];   // time to the end of all searches
	double clock[most_frames];
	double pairs;
} measures;

// What is known of a pair.
typedef struct known
{
	double lower;
	double upper;
	bool is_decided;
} known;

static known look_at( const bvw_pool_item* item )
{
	if ( item->sweep )
	{
		bv_sweep_result r = { .lower = 0 };
		bool done = false;
		(void)bv_sweep_look( item->sweep, &done, &r );
		return ( known ){ r.lower, r.upper, done || r.found };
	}
	bv_search_answer a;
	(void)bv_search_look( item->search, &a );
	return ( known ){ a.lower, a.upper, a.verdict != bv_search_open };
}

// @return false if something failed, or an answer of the end is outside of that of the frame
static bool run_frame( bench* b, int frame, measures* out )
{
	double begin = now();
	bv_budget budget = { .now = read_clock, .until = begin + budget_of_frame };
	bvw_changes changes;
	bvw_pool_report report;
	move_objects( b, frame );
	if ( bvw_broadphase_update( b->world, &changes ) != bv_ok || !begin_pairs( b ) ||
	     bvw_pool_run( b->item, b->count, NULL, &budget, b->scratch, sizeof b->scratch, &report ) != bv_ok )
	{
		return false;
	}
	out->time[frame] = now() - begin;
	remember_pairs( b );
	out->widest[frame] = report.widest;
	out->pairs += b->count;
	static known in_frame[most_pairs];
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		in_frame[i] = look_at( b->item + i );
		out->mean[frame] += b->item[i].width / b->count;
		out->decided[frame] += in_frame[i].is_decided / (double)b->count;
	}
	double rest = now();
	bool good =
		bvw_pool_run( b->item, b->count, NULL, NULL, b->scratch, sizeof b->scratch, &report ) == bv_ok;
	out->whole[frame] = out->time[frame] + ( now() - rest );
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		known end = look_at( b->item + i );
		good = good && end.is_decided && end.lower >= in_frame[i].lower && end.upper <= in_frame[i].upper;
	}
	double until = now() + budget_of_frame;
	double time = 0;
	while ( time < until )
	{
		time = now();
	}
	out->clock[frame] = budget_of_frame + ( now() - until );
	return good && report.open == 0;
}

static double part_of( double* values, int count, double part )
{
	qsort( values, (size_t)count, sizeof *values, compare_doubles );
	return values[(int)( part * ( count - 1 ) )];
}

static void print_row( const char* name, const char* unit, double factor, double* values, int count )
{
	double sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		sum += values[i];
	}
	printf( "| %s | %.3f | %.3f | %.3f | %.3f | %s |\n", name, factor * sum / count,
	        factor * part_of( values, count, 0.5 ), factor * part_of( values, count, 0.99 ),
	        factor * part_of( values, count, 1 ), unit );
}

static int give_up( const char* why )
{
	fprintf( stderr, "bench_frames: %s\n", why );
	return 2;
}

int main( int count, char** arguments )
{
	static bench b;
	static measures m;
	const char* csv = NULL;
	int frames = most_frames;
	for ( int i = 1; i < count; ++i )
	{
		if ( strcmp( arguments[i], "--quick" ) == 0 )
		{
			frames = most_frames / 10;
		}
		else if ( strcmp( arguments[i], "--sweeps" ) == 0 )
		{
			b.sweeps = true;
		}
		else if ( strcmp( arguments[i], "--csv" ) == 0 && i + 1 < count )
		{
			csv = arguments[++i];
		}
		else if ( b.files == most_files || !( b.file[b.files] = open_bvh( arguments[i] ) ) )
		{
			return give_up( "a file cannot be read" );
		}
		else
		{
			b.files += 1;
		}
	}
	if ( b.files == 0 )
	{
		fprintf( stderr, "usage: bench_frames [--quick] [--sweeps] [--csv FILE] FILE.bvh...\n" );
		return 3;
	}
	bvw_broadphase_options options = { .objects = objects, .pairs = most_pairs };
	size_t bytes = bvw_broadphase_bytes( &options );
	void* memory = malloc( bytes );
	b.memory = malloc( (size_t)most_pairs * BV_SEARCH_LEAST );
	if ( !memory || !b.memory || bvw_broadphase_begin( memory, bytes, &options, &b.world ) != bv_ok ||
	     !make_objects( &b ) )
	{
		return give_up( "the scene cannot be made" );
	}
	bool good = true;
	for ( int frame = 0; frame < frames && good; ++frame )
	{
		good = run_frame( &b, frame, &m );
	}
	FILE* out = csv ? fopen( csv, "w" ) : NULL;
	if ( out )
	{
		fprintf( out, "frame,seconds,widest,mean,decided,whole_seconds\n" );
		for ( int i = 0; i < frames; ++i )
		{
			fprintf( out, "%d,%.9g,%.9g,%.9g,%.9g,%.9g\n", i, m.time[i], m.widest[i], m.mean[i], m.decided[i],
			         m.whole[i] );
		}
		fclose( out );
	}
	const char* unit = b.sweeps ? "of the frame" : "of a radius";
	int over = 0;
	int clock_over = 0;
	for ( int i = 0; i < frames; ++i )
	{
		over += m.time[i] > bar_of_frame * budget_of_frame;
		clock_over += m.clock[i] > bar_of_frame * budget_of_frame;
	}
	printf( "%d frames of %d objects, %.0f pairs on average, %s\n\n", frames, objects, m.pairs / frames,
	        b.sweeps ? "sweeps" : "distances" );
	printf( "| | mean | median | 99 %% | greatest | unit |\n| --- | ---: | ---: | ---: | ---: | --- |\n" );
	print_row( "time of a frame", "ms", 1e3, m.time, frames );
	print_row( "a loop that reads the clock for 8 ms", "ms", 1e3, m.clock, frames );
	print_row( "all searches to the end", "ms", 1e3, m.whole, frames );
	print_row( "widest answer", unit, 1, m.widest, frames );
	print_row( "mean width", unit, 1, m.mean, frames );
	print_row( "pairs decided", "%", 100, m.decided, frames );
	bool met = good && over <= clock_over;
	printf(
		"\nBar: no frame above %.2f ms unless the machine took the time: %d frames are, of the loop %d: %s\n",
		1e3 * bar_of_frame * budget_of_frame, over, clock_over, met ? "met" : "not met" );
	return met ? 0 : 1;
}
