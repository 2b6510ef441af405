// Continuous collision of vertices with faces and of edges with edges, on files of queries with known answers, by all finders.
//
//   bench_ccd [-n ROUNDS] [-o CSV] FILE...
//
// A row of a file: scene, whether there is a contact, then x, y, z of four points at time 0 and of the same at time 1.
// Vertex-face files have a vertex and three corners and name the first corner f0_t0_x in their first line; edge-edge files
// have both ends of an edge and of another. Numbers are binary64 numbers in decimal.
//
// Each round goes through all queries of a kind, so that no query is repeated at once. A query's time is the least of all
// rounds. Exit code 1: the certified finder misses a contact, reports a false one, or misses a bar of time.

#include "tests/bench/measure.h"

#include "bv/motion.h"

#include <math.h>

static const double bars[3] = { 5, 50, 1000 }; // microseconds: mean, 99th percentile, greatest

typedef struct query
{
	bool is_edges;
	bool hits;
	bv_vec3 start[4];
	bv_vec3 end[4];
} query;

typedef struct queries
{
	query* of;
	size_t count;
	size_t room;
} queries;

static const struct
{
	const char* name;
	bv_feature_options options;
} finders[] = {
	{ "certified", { .finder = bv_finder_certified } },
	{ "linear", { .finder = bv_finder_linear } },
	{ "regula falsi", { .finder = bv_finder_regula_falsi } },
	{ "quadratic", { .finder = bv_finder_quadratic } },
	{ "sampling", { .finder = bv_finder_sampling } },
	{ "sampled regula falsi", { .finder = bv_finder_sampled_regula_falsi } },
	{ "linear, interpolated", { .finder = bv_finder_linear, .inside = bv_inside_interpolated } },
	{ "sampled regula falsi, interpolated",
	  { .finder = bv_finder_sampled_regula_falsi, .inside = bv_inside_interpolated } },
};

enum
{
	finder_count = sizeof finders / sizeof *finders,
};

static _Noreturn void fail( const char* path, size_t line, const char* what )
{
	fprintf( stderr, "bench_ccd: %s:%zu: %s\n", path, line, what );
	exit( 2 );
}

static bool read_row( char* line, query* q )
{
	char* at = strchr( line, ',' );
	if ( !at || ( at[1] != '0' && at[1] != '1' ) || at[2] != ',' )
	{
		return false;
	}
	q->hits = at[1] == '1';
	at += 2;
	double x[24];
	for ( int i = 0; i < 24; ++i )
	{
		char* end;
		if ( *at != ',' )
		{
			return false;
		}
		x[i] = strtod( at + 1, &end );
		if ( end == at + 1 || !isfinite( x[i] ) )
		{
			return false;
		}
		at = end;
	}
	memcpy( q->start, x, sizeof q->start );
	memcpy( q->end, x + 12, sizeof q->end );
	return *at == '\n' || *at == '\r' || *at == 0;
}

static void read_file( const char* path, queries* all )
{
	static char line[8192];
	FILE* in = fopen( path, "r" );
	if ( !in || !fgets( line, sizeof line, in ) )
	{
		fail( path, 1, "cannot be read" );
	}
	bool is_faces = strstr( line, "f0_t0_x" ) != NULL;
	if ( !is_faces && !strstr( line, "ea0_t0_x" ) )
	{
		fail( path, 1, "has no column f0_t0_x or ea0_t0_x" );
	}
	for ( size_t number = 2; fgets( line, sizeof line, in ); ++number )
	{
		query q = { .is_edges = !is_faces };
		if ( !read_row( line, &q ) )
		{
			fail( path, number, "is not a scene, 0 or 1, and 24 numbers" );
		}
		if ( all->count == all->room )
		{
			all->room = 2 * all->room + 1024;
			all->of = realloc( all->of, all->room * sizeof *all->of );
			if ( !all->of )
			{
				fail( path, number, "out of memory" );
			}
		}
		all->of[all->count++] = q;
	}
	fclose( in );
}

typedef struct tally
{
	size_t queries;
	size_t hits;
	size_t missed;
	size_t false_hits;
	size_t uncertain;
	double mean;
	double median;
	double late; // 99th percentile
	double most;
} tally;

// @param times  room for a number per query
static void run( const queries* all, bool is_edges, const bv_feature_options* options, int rounds,
                 double* times, tally* out )
{
	*out = ( tally ){ 0 };
	for ( int round = 0; round < rounds; ++round )
	{
		size_t n = 0;
		for ( size_t i = 0; i < all->count; ++i )
		{
			const query* q = all->of + i;
			if ( q->is_edges != is_edges )
			{
				continue;
			}
			bv_feature_time r;
			double from = now();
			bv_status status = is_edges ? bv_moving_edge_edge( q->start, q->end, options, &r )
			                            : bv_moving_vertex_face( q->start, q->end, options, &r );
			double time = now() - from;
			if ( status != bv_ok )
			{
				fprintf( stderr, "bench_ccd: query %zu: %s\n", i, bv_status_text( status ) );
				exit( 2 );
			}
			times[n] = round == 0 || time < times[n] ? time : times[n];
			++n;
			if ( round == 0 )
			{
				++out->queries;
				out->hits += q->hits;
				out->missed += q->hits && !r.found;
				out->false_hits += !q->hits && r.found;
				out->uncertain += !r.certain;
			}
		}
	}
	double sum = 0;
	for ( size_t i = 0; i < out->queries; ++i )
	{
		sum += times[i];
	}
	if ( out->queries > 0 )
	{
		out->median = 1e6 * median( times, (int)out->queries );
		out->mean = 1e6 * sum / (double)out->queries;
		out->late = 1e6 * times[( out->queries - 1 ) * 99 / 100];
		out->most = 1e6 * times[out->queries - 1];
	}
}

static const char* verdict( bool met )
{
	return met ? "met" : "**not met**";
}

int main( int count, char** arguments )
{
	int rounds = 9;
	const char* samples = NULL;
	queries all = { 0 };
	for ( int i = 1; i < count; ++i )
	{
		if ( strcmp( arguments[i], "-n" ) == 0 && i + 1 < count )
		{
			rounds = atoi( arguments[++i] );
		}
		else if ( strcmp( arguments[i], "-o" ) == 0 && i + 1 < count )
		{
			samples = arguments[++i];
		}
		else
		{
			read_file( arguments[i], &all );
		}
	}
	double* times = malloc( ( all.count + 1 ) * sizeof *times );
	if ( all.count == 0 || rounds < 1 || !times )
	{
		fprintf( stderr, "usage: bench_ccd [-n ROUNDS] [-o CSV] FILE...\n" );
		return 2;
	}
	FILE* csv = open_samples( samples );
	bool missed = false;
	printf( "Microseconds, one thread, the least of %d rounds of each query.\n\n", rounds );
	printf( "| features | finder | queries | hits | missed | false | uncertain | mean | median | 99 %% | "
	        "greatest | "
	        "bar |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n" );
	for ( int e = 0; e < 2; ++e )
	{
		for ( int f = 0; f < finder_count; ++f )
		{
			tally t;
			run( &all, e == 1, &finders[f].options, rounds, times, &t );
			if ( t.queries == 0 )
			{
				continue;
			}
			const char* kind = e ? "edge-edge" : "vertex-face";
			bool met = t.missed + t.false_hits + t.uncertain == 0 && t.mean <= bars[0] && t.late <= bars[1] &&
			           t.most <= bars[2];
			missed = missed || ( f == 0 && !met );
			printf( "| %s | %s | %zu | %zu | %zu | %zu | %zu | %.2f | %.2f | %.1f | %.0f | %s |\n", kind,
			        finders[f].name, t.queries, t.hits, t.missed, t.false_hits, t.uncertain, t.mean, t.median,
			        t.late, t.most, f == 0 ? verdict( met ) : "" );
			const sample of = { kind, t.queries, finders[f].name, 1, 0 };
			write_sample( csv, &of, "missed", "1", (double)t.missed );
			write_sample( csv, &of, "false", "1", (double)t.false_hits );
			write_sample( csv, &of, "mean", "us", t.mean );
			write_sample( csv, &of, "median", "us", t.median );
			write_sample( csv, &of, "p99", "us", t.late );
			write_sample( csv, &of, "greatest", "us", t.most );
		}
	}
	if ( csv )
	{
		fclose( csv );
	}
	free( times );
	free( all.of );
	return missed ? 1 : 0;
}
