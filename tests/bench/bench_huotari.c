// Claims of T. Huotari's thesis of 2011 about Chung-Wang's separating vector, GJK and GJK's ray cast, tested again: algorithms as
// printed (tests/reference) against those of the library.
//
//   bench_huotari [--quick] [-o CSV]
//
// Prints tables in Markdown, verdicts last. Exit code 1: a query of the library is wrong.

#include "tests/bench/measure.h"
#include "tests/bench/verdict.h"

#include "bv/convex.h"

#include "tests/reference/huotari.h"
#include "tests/reference/printed.h"
#include "tests/reference/random.h"

#include <math.h>

enum
{
	corners = 32,
	frames = 360,
};

typedef struct hull
{
	bv_vec3 points[corners];
	int count;
} hull;

typedef enum hull_kind
{
	hull_of_points,
	hull_cube,
	hull_square,
} hull_kind;

// Points on a sphere, or the corners of a cube or a square.
static void make_hull( uint64_t* seed, hull_kind kind, bv_vec3 at, hull* out )
{
	bool cube = kind != hull_of_points;
	out->count = kind == hull_square ? 4 : cube ? 8 : corners;
	for ( int i = 0; i < out->count; ++i )
	{
		bv_vec3 p = cube ? ( bv_vec3 ){ i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5 }
		                 : bv_scale( 0.5, random_direction( seed ) );
		out->points[i] = bv_add( p, at );
		if ( kind == hull_square ) // in a plane of which no axis is a normal
		{
			bv_vec3 q = out->points[i];
			out->points[i] = ( bv_vec3 ){ 0.6 * q.x - 0.48 * q.y, 0.8 * q.x + 0.36 * q.y, 0.8 * q.y };
		}
	}
}

static bv_convex shape_of( const hull* h )
{
	return bv_convex_points( h->points, (uint32_t)h->count, 0 );
}

static bool overlap( const bv_convex* a, const bv_convex* b, const bv_transform* at, bv_convex_method method,
                     bv_convex_cache* cache, uint32_t* supports )
{
	const bv_convex_options options = { .method = method, .cache = cache };
	bv_convex_overlap_result o;
	if ( bv_convex_overlap( a, b, at, &options, &o ) != bv_ok || !o.certain )
	{
		fprintf( stderr, "bench_huotari: a query failed\n" );
		exit( 1 );
	}
	*supports = o.supports;
	return o.overlaps;
}

// A path of hulls that stay apart: one goes around the other and approaches it, by a degree and a part of the gap per frame.
static void follow( int paths, verdicts* v )
{
	uint64_t seed = 21;
	int queries = 0;
	int kept = 0;
	int near = 0;
	double again = 0;
	double anew = 0;
	uint32_t most = 0;
	for ( int path = 0; path < paths; ++path )
	{
		hull h[2];
		make_hull( &seed, path % 4 == 0, ( bv_vec3 ){ 0, 0, 0 }, h );
		make_hull( &seed, path % 4 == 1, ( bv_vec3 ){ 0, 0, 0 }, h + 1 );
		const bv_convex shape[2] = { shape_of( h ), shape_of( h + 1 ) };
		bv_convex_cache cache = { .count = 0 };
		for ( int frame = 0; frame < frames; ++frame )
		{
			double angle = 0.017453292519943295 * frame;
			double r = 1.8 - 0.9 * frame / frames;
			bv_transform at =
				bv_transform_translation( r * cos( angle ), r * sin( angle ), 0.1 * path / paths );
			uint32_t supports;
			uint32_t cold;
			bool truth = overlap( shape, shape + 1, &at, bv_convex_method_default, NULL, &cold );
			require( v, overlap( shape, shape + 1, &at, bv_convex_method_chung_wang, NULL, &cold ) == truth,
			         "Chung-Wang agrees with the default" );
			bool met = overlap( shape, shape + 1, &at, bv_convex_method_chung_wang, &cache, &supports );
			require( v, met == truth, "Chung-Wang with a cache agrees with the default" );
			if ( met )
			{
				break;
			}
			if ( frame > 0 )
			{
				queries += 1;
				kept += supports == 1;
				near += supports <= 2;
				again += supports;
				anew += cold;
				most = cold > most ? cold : most;
			}
		}
	}
	printf( "\nPaths of %d pairs of hulls that stay apart, %d frames of one degree: support points per frame "
	        "%.2f with the last "
	        "vector, %.2f without, %.1f %% of the frames need no other.\n",
	        paths, queries, again / queries, anew / queries, 100.0 * kept / queries );
	write_figure( v, "frames answered by the last vector", "hulls", queries, (double)kept / queries );
	write_figure( v, "support points", "with the last vector", queries, again / queries );
	write_figure( v, "support points", "without", queries, anew / queries );
	write_figure( v, "frames answered after one reflection", "hulls", queries, (double)near / queries );
	add_verdict( v, "5.4", "the last separating vector is mostly next to a new one", "no figure",
	             confirmed_if( 2 * near > queries ),
	             "%.0f %% of frames need no other, %.0f %% at most one; %.2f support points per frame, %.2f "
	             "without it",
	             100.0 * kept / queries, 100.0 * near / queries, again / queries, anew / queries );
}

static const uint32_t cube_face[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
	                                       { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
	                                       { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };

// How often printed algorithms are wrong about pairs, of which the library's decision is exact.
typedef struct misjudged
{
	int pairs;
	int apart;    // in truth
	int wrong[3]; // Chung-Wang, GJK, planes of faces of A
	int endless[3];
	int cubes;       // pairs that have faces
	int reflections; // pairs that are apart, for which more than 32 reflections were not enough
} misjudged;

static void count_answer( misjudged* m, int which, printed_answer answer, bool truth )
{
	m->wrong[which] += answer != printed_endless && ( answer == printed_collides ) != truth;
	m->endless[which] += answer == printed_endless;
}

static void judge_pair( const hull* a, const hull* b, misjudged* m )
{
	const printed_hull printed[2] = { { a->points, (uint32_t)a->count }, { b->points, (uint32_t)b->count } };
	const bv_convex shape[2] = { shape_of( a ), shape_of( b ) };
	uint32_t supports;
	bool truth = overlap( shape, shape + 1, NULL, bv_convex_method_default, NULL, &supports );
	m->pairs += 1;
	m->apart += !truth;
	count_answer( m, 0, printed_chung_wang( printed[0], printed[1] ), truth );
	count_answer( m, 1, printed_gjk( printed[0], printed[1] ), truth );
	if ( a->count == 8 )
	{
		m->cubes += 1;
		count_answer( m, 2, printed_separating_face( printed[0], cube_face, 12, printed[1] ), truth );
	}
	overlap( shape, shape + 1, NULL, bv_convex_method_chung_wang, NULL, &supports );
	m->reflections += !truth && supports >= 32;
}

static void judge_printed( int pairs, verdicts* v )
{
	uint64_t seed = 22;
	misjudged found[3] = { { .pairs = 0 } };
	for ( int i = 0; i < pairs; ++i )
	{
		hull h[2];
		hull_kind kind = (hull_kind)( i % 3 );
		bv_vec3 at = bv_scale( 0.7 + 0.5 * fabs( random_coordinate( &seed ) ), random_direction( &seed ) );
		if ( kind != hull_of_points )
		{
			at = kind == hull_square
			         ? ( bv_vec3 ){ at.x, at.y, 0 }
			         : ( bv_vec3 ){ 0.5 * rint( 4 * at.x ), 0.5 * rint( 4 * at.y ), 0.5 * rint( 4 * at.z ) };
		}
		make_hull( &seed, i % 9 == 0 ? hull_cube : kind, ( bv_vec3 ){ 0, 0, 0 }, h );
		make_hull( &seed, kind, at, h + 1 );
		judge_pair( h, h + 1, found + kind );
	}
	printf( "\n| pairs | apart | Chung-Wang as printed: wrong, endless | GJK as printed: wrong, endless | "
	        "faces of A: wrong | "
	        "reflections here that hand over to GJK |\n| --- | ---: | ---: | ---: | ---: | ---: |\n" );
	static const char* const names[3] = { "hulls at random", "cubes with the same axes",
		                                  "squares in one plane" };
	misjudged all = { .pairs = 0 };
	for ( int k = 0; k < 3; ++k )
	{
		const misjudged* m = found + k;
		printf( "| %d %s | %d | %d, %d | %d, %d | %d of %d | %d |\n", m->pairs, names[k], m->apart,
		        m->wrong[0], m->endless[0], m->wrong[1], m->endless[1], m->wrong[2], m->cubes,
		        m->reflections );
		write_figure( v, "Chung-Wang as printed, wrong", names[k], m->pairs, m->wrong[0] );
		write_figure( v, "GJK as printed, wrong", names[k], m->pairs, m->wrong[1] );
		write_figure( v, "GJK as printed, endless", names[k], m->pairs, m->endless[1] );
		write_figure( v, "handed over", names[k], m->pairs, m->reflections );
		all.pairs += m->pairs;
		all.apart += m->apart;
		all.cubes += m->cubes;
		all.reflections += m->reflections;
		for ( int i = 0; i < 3; ++i )
		{
			all.wrong[i] += m->wrong[i];
			all.endless[i] += m->endless[i];
		}
	}
	add_verdict( v, "5.4.3", "reflections and the hemisphere decide every pair", "a proof",
	             confirmed_if( all.wrong[0] == 0 ), "as printed %d of %d pairs are wrong", all.wrong[0],
	             all.pairs );
	add_verdict( v, "5.4.3", "the reflections end at a separating vector", "a proof, cited as wrong",
	             confirmed_if( all.reflections == 0 ), "%d of %d pairs that are apart are not decided by 32",
	             all.reflections, all.apart );
	add_verdict( v, "5.3", "GJK as printed decides every pair", "pseudocode 5 and 6",
	             confirmed_if( all.wrong[1] + all.endless[1] == 0 ), "%d of %d wrong, %d endless",
	             all.wrong[1], all.pairs, all.endless[1] );
	add_verdict( v, "5.1", "shapes that no face of A separates collide", "pseudocode 4",
	             confirmed_if( all.wrong[2] == 0 ), "%d of %d wrong", all.wrong[2], all.cubes );
}

// What a ray cast costs at an eps, and how far off its times are.
typedef struct casting
{
	double eps;
	double steps;
	double seconds;
	double error;
	int wrong; // hits and misses
	int endless;
	int off; // times with an error above 1e-3
} casting;

typedef struct moving
{
	hull of[2];
	bv_vec3 motion; // of the second
	bool hits;
	double time;
	double doubt;
} moving;

static double cast_printed( const moving* m, double eps, bool absolute, int* steps )
{
	const huotari_fixes fixes = {
		.loop = true, .plane = true, .beyond = true, .direction = true, .eps = eps, .relative = !absolute
	};
	const huotari_pair pair = { m->of[0].points, m->of[0].count, m->of[1].points, m->of[1].count, m->motion };
	return huotari_cast( &pair, &fixes, steps );
}

static void note( const moving* m, bool hits, double time, casting* c )
{
	c->wrong += hits != m->hits;
	if ( hits && m->hits )
	{
		double error = fabs( time - m->time ) - m->doubt;
		c->error = fmax( c->error, error );
		c->off += error > 1e-3;
	}
}

static void run_printed( const moving* m, int count, bool absolute, casting* c )
{
	double start = core_now();
	for ( int i = 0; i < count; ++i )
	{
		int steps;
		double time = cast_printed( m + i, c->eps, absolute, &steps );
		c->steps += (double)steps / count;
		c->endless += steps >= 1000;
		if ( steps < 1000 )
		{
			note( m + i, time <= 1, time, c );
		}
	}
	c->seconds = ( core_now() - start ) / count;
}

static void cast_here( const moving* m, double tolerance, bv_convex_cast_result* out )
{
	const bv_convex shape[2] = { shape_of( m->of ), shape_of( m->of + 1 ) };
	const bv_convex_cast_options options = { .method = bv_convex_cast_method_gjk, .tolerance = tolerance };
	if ( bv_convex_cast( shape, shape + 1, NULL, ( bv_vec3 ){ 0, 0, 0 }, m->motion, &options, out ) != bv_ok )
	{
		exit( 1 );
	}
}

static void run_here( const moving* m, int count, casting* c )
{
	double start = core_now();
	for ( int i = 0; i < count; ++i )
	{
		bv_convex_cast_result r;
		cast_here( m + i, c->eps, &r );
		c->steps += (double)r.supports / count;
		note( m + i, r.found, r.upper < INFINITY ? r.upper : r.lower, c );
	}
	c->seconds = ( core_now() - start ) / count;
}

static void print_casting( const char* what, const casting* c, const verdicts* v )
{
	printf( "| %s | %.0e | %.1f | %.2f | %.1e | %d | %d | %d |\n", what, c->eps, c->steps, 1e6 * c->seconds,
	        c->error, c->off, c->wrong, c->endless );
	write_figure( v, "steps of the cast", what, c->eps, c->steps );
	write_figure( v, "seconds of the cast", what, c->eps, c->seconds );
	write_figure( v, "error of the time", what, c->eps, c->error );
}

static void scale( double by, moving* m )
{
	m->motion = bv_scale( by, m->motion );
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 0; i < m->of[k].count; ++i )
		{
			m->of[k].points[i] = bv_scale( by, m->of[k].points[i] );
		}
	}
}

static void cast_rays( int count, verdicts* v )
{
	moving* m = malloc( (size_t)count * sizeof *m );
	uint64_t seed = 23;
	if ( !m )
	{
		exit( 1 );
	}
	int hits = 0;
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 from = bv_scale( 3, random_direction( &seed ) );
		make_hull( &seed, i % 2, ( bv_vec3 ){ 0, 0, 0 }, m[i].of );
		make_hull( &seed, i % 3 == 0, from, m[i].of + 1 );
		bv_vec3 to = bv_scale( fabs( random_coordinate( &seed ) ), random_direction( &seed ) );
		m[i].motion = bv_sub( to, from );
		scale( pow( 10, i % 7 - 3 ), m + i );
		bv_convex_cast_result r;
		cast_here( m + i, 1e-13, &r );
		require( v, r.certain, "casts of polytopes are certain" );
		m[i].hits = r.found;
		m[i].time = r.found ? 0.5 * ( r.lower + r.upper ) : 0;
		m[i].doubt = r.found ? 0.5 * ( r.upper - r.lower ) : 0;
		hits += r.found;
	}
	printf( "\n%d casts of hulls from 1e-3 to 1e3 in size, of which %d hit. *As printed*: with the "
	        "corrections that let it run at "
	        "all. Errors are those of "
	        "the time of contact, from 0 to 1.\n\n| algorithm | eps | steps | us | largest error | above "
	        "1e-3 | wrong | endless |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
	        count, hits );
	casting relative[3] = { { .eps = 1e-3 }, { .eps = 1e-6 }, { .eps = 1e-12 } };
	casting absolute[3] = { { .eps = 1e-3 }, { .eps = 1e-6 }, { .eps = 1e-12 } };
	casting here[3] = { { .eps = 1e-3 }, { .eps = 1e-6 }, { .eps = 1e-12 } };
	for ( int k = 0; k < 3; ++k )
	{
		run_printed( m, count, false, relative + k );
		print_casting( "as printed, equation 30", relative + k, v );
	}
	for ( int k = 0; k < 3; ++k )
	{
		run_printed( m, count, true, absolute + k );
		print_casting( "as printed, pseudocode 9", absolute + k, v );
	}
	for ( int k = 0; k < 3; ++k )
	{
		run_here( m, count, here + k );
		print_casting( "GJK ray cast here", here + k, v );
		require( v, here[k].wrong == 0, "casts find the same contacts at any tolerance" );
	}
	double ratio = relative[1].steps / relative[0].steps;
	double ours = here[1].steps / here[0].steps;
	add_verdict( v, "6.2.4", "eps 1e-6 takes 2.8 times as long as 1e-3 (van den Bergen)", "2.8",
	             confirmed_if( ratio > 2 && ratio < 4 ), "%.2f times the steps: %.1f and %.1f", ratio,
	             relative[1].steps, relative[0].steps );
	add_verdict( v, "6.2.4", "the same of the tolerance of bv_convex_cast", "2.8",
	             confirmed_if( ours > 2 && ours < 4 ), "%.2f times the support points: %.1f and %.1f", ours,
	             here[1].steps, here[0].steps );
	add_verdict( v, "6.2.4", "eps says when the point has arrived", "no figure", "not comparable: no figure",
	             "times are off by up to %.1g at 1e-3, %.1g at 1e-6, %.1g at 1e-12", relative[0].error,
	             relative[1].error, relative[2].error );
	int unreliable[2] = { relative[1].wrong + relative[1].endless + relative[1].off,
		                  absolute[1].wrong + absolute[1].endless + absolute[1].off };
	add_verdict( v, "6.2.4", "equation 30 is clearly more reliable than a comparison with eps", "no figure",
	             confirmed_if( 2 * unreliable[0] < unreliable[1] ),
	             "wrong, endless or off by more than 1e-3 at 1e-6: %d by equation 30, %d otherwise",
	             unreliable[0], unreliable[1] );
	free( m );
}

int main( int count, char** arguments )
{
	static verdicts v;
	bool quick;
	if ( !begin_verdicts( &v, count, arguments, &quick ) )
	{
		return 1;
	}
	follow( quick ? 20 : 400, &v );
	judge_printed( quick ? 1000 : 20000, &v );
	cast_rays( quick ? 1000 : 20000, &v );
	int status = print_verdicts( &v );
	if ( v.csv )
	{
		fclose( v.csv );
	}
	return status;
}
