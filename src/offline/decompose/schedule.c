// How the time of a decomposition is divided. See schedule.h.

#include "offline/decompose/schedule.h"

#include "offline/base/clock.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of a budget.
static const double proof_ends = 0.96;

// What the progress expects, by experiment on meshes of many kinds. Times are seconds unless they are beside others.
// What is known of parts replaces these as soon as there is any.
static const double half_open = 30;        // work of half an openness
static const double search_of_closed = 16; // beside the time before the search
static const double search_of_open = 0.18; // the same
static const double rest_of_closed_search = 0.23;
static const double rest_of_open_search = 0.03;
static const double by_open_part = 0.22; // to certify it
static const double most_open_parts = 16;
static const double proof_of_closed = 0.25; // beside all before it
static const double rest_of_closed_proof = 0.11;
static const double rest_of_open_proof = 0.4;
static const double making_of_closed = 0.7; // of making and certifying parts
static const double making_of_open = 0.055; // the same
static const double rest_of_convex = 0.3;   // beside the time before the search
static const double cuts_of_convex = 2.3;
static const double by_capped = 0.34;      // to cut a part for its few corners
static const double cutting = 0.33;        // beside the search, if all parts fail
static const double proving_again = 2.4;   // beside the certificates before it, if all parts fail
static const double half_failing = 0.7;    // share of the parts whose failing makes half of that necessary
static const double rest_of_cutting = 0.3; // beside the last time that parts were cut and certified

void bvdecomp_schedule_begin( const bvb_decompose_options* options, bvdecomp_schedule* out )
{
	double begin = bvbase_clock();
	*out = ( bvdecomp_schedule ){
		.clock = bvbase_clock,
		.begin = begin,
		.begin_of_step = begin,
		.budget = options->time_budget > 0 ? options->time_budget : INFINITY,
		.end_of_search = INFINITY,
		.end_of_making = INFINITY,
		.end_of_proof = INFINITY,
		.progress = options->progress,
		.progress_context = options->progress_context,
	};
}

uint64_t bvdecomp_schedule_work( const bvdecomp_schedule* s, uint64_t wanted )
{
	static const double per_second = 1e6; // as much as takes a tenth of a second
	double most = 1 + per_second * s->budget;
	return (double)wanted < most ? wanted : (uint64_t)most;
}

void bvdecomp_schedule_time_samples( bvdecomp_schedule* s, uint32_t samples )
{
	s->per_sample = ( s->clock() - s->begin ) / bvmath_max( samples, 1 );
}

void bvdecomp_schedule_divide( bvdecomp_schedule* s, const bvdecomp_shape* shape )
{
	// Shares that searches may take of a budget, by experiment.
	static const double most_of_open = 0.5;
	static const double most_of_closed = 0.85;

	// Of each triangle, to find the cells that it is in, and to make parts of these: some seconds by experiment.
	static const double by_triangle = 8e-6;
	static const double most_of_making = 0.35;
	static const double making_ends = 0.85;
	const bvb_mesh* mesh = &shape->mesh;
	bool open = shape->inside && !bvb_winding_is_closed( shape->inside );
	s->openness = open ? shape->work / ( shape->work + half_open ) : 0;
	if ( s->budget < INFINITY )
	{
		double making = bvmath_min( by_triangle * mesh->triangle_count, most_of_making * s->budget );
		s->end_of_search = s->begin + ( open ? most_of_open : most_of_closed ) * s->budget - making;
		s->end_of_making = s->begin + making_ends * s->budget;
		s->end_of_proof = s->begin + proof_ends * s->budget;
	}
}

bool bvdecomp_schedule_hurry( bvdecomp_schedule* s, const bvb_mesh* mesh, bool convex )
{
	// Of each triangle, to find out whether the shape is convex, to prepare the search and to give all triangles to
	// its parts, by experiment. The search of a convex shape has all corners of its hull.
	static const double by_triangle = 1e-5;
	static const double by_triangle_of_convex = 2e-5;
	static const double most = 0.7; // of the budget
	double needed = ( convex ? by_triangle_of_convex : by_triangle ) * mesh->triangle_count;
	s->hurried = s->clock() + needed > s->begin + most * s->budget;
	return s->hurried;
}

uint32_t bvdecomp_schedule_cells( const bvdecomp_schedule* s, uint32_t wanted )
{
	static const double share = 0.15; // of the budget
	static const double least = 1 << 10;
	double most = share * s->budget / s->per_sample;
	return wanted <= most ? wanted : (uint32_t)bvmath_max( bvmath_min( least, wanted ), most );
}

static double seconds_since_begin( const bvdecomp_schedule* s )
{
	return s->clock() - s->begin;
}

static void begin_step( bvdecomp_schedule* s, const bvdecomp_forecast* forecast )
{
	s->begin_of_step = s->clock();
	s->forecast = *forecast;
}

// Seconds that certifying parts of an open shape takes at first. Many parts share the work that certificates may take.
static double seconds_of_open_proof( const bvdecomp_schedule* s, double parts )
{
	return by_open_part * s->openness * bvmath_min( parts, most_open_parts );
}

// Cutting parts once that failed.
static double seconds_of_cutting( const bvdecomp_schedule* s, const bvdecomp_outlook* known )
{
	double failing = bvmath_min( known->failing, known->room );
	return cutting * s->searched * sqrt( failing / known->parts ) +
	       by_capped * bvmath_min( known->capped, known->room );
}

// Certifying what became of parts that failed, and what fails of these.
static double seconds_after_cutting( const bvdecomp_schedule* s, const bvdecomp_outlook* known )
{
	double failing = known->failing + 2 * known->capped;
	return known->room > 0 ? proving_again * s->proved * failing / ( failing + half_failing * known->parts )
	                       : 0;
}

// The time before the search is mostly that of its grid, and says how fast the machine is.
void bvdecomp_schedule_begin_search( bvdecomp_schedule* s, bool convex )
{
	double prepared = seconds_since_begin( s );
	double proof = seconds_of_open_proof( s, most_open_parts );
	bool open = s->openness > 0;
	bvdecomp_forecast forecast = {
		.seconds = ( open ? search_of_open : search_of_closed ) * prepared,
		.rest = open ? rest_of_open_search : rest_of_closed_search,
		.after = ( 1 + rest_of_open_proof ) * proof,
	};
	s->convex = convex;
	if ( convex )
	{
		forecast = ( bvdecomp_forecast ){ .after = rest_of_convex * prepared + by_capped * cuts_of_convex };
	}
	begin_step( s, &forecast );
}

void bvdecomp_schedule_begin_proof( bvdecomp_schedule* s, uint32_t parts )
{
	double elapsed = seconds_since_begin( s );
	bool open = s->openness > 0;
	bvdecomp_forecast forecast = s->forecast;
	s->proofs += 1;
	if ( s->proofs == 1 && s->convex )
	{
		forecast.seconds = 0;
	}
	else if ( s->proofs == 1 )
	{
		s->searched = s->clock() - s->begin_of_step;
		forecast.seconds = open ? seconds_of_open_proof( s, parts ) : proof_of_closed * elapsed;
		forecast.rest = open ? rest_of_open_proof : 0;
		forecast.after = open ? 0 : rest_of_closed_proof * elapsed;
	}
	else
	{
		double cut = s->clock() - s->begin_of_step;
		forecast.seconds = s->proved;
		forecast.rest = 0;
		forecast.after = s->failed ? rest_of_cutting * ( cut + s->proved ) : 0;
	}
	begin_step( s, &forecast );
}

void bvdecomp_schedule_halve_proof( bvdecomp_schedule* s, double wide, const bvdecomp_outlook* known )
{
	if ( s->proofs == 1 )
	{
		s->proved = ( 1 + wide ) * ( s->clock() - s->begin_of_step );
		s->forecast.after = seconds_of_cutting( s, known ) + seconds_after_cutting( s, known );
	}
	s->forecast.rest = 0;
}

void bvdecomp_schedule_begin_cutting( bvdecomp_schedule* s, const bvdecomp_outlook* known )
{
	s->proved = s->clock() - s->begin_of_step;
	s->failed = known->failing > 0;
	bvdecomp_forecast forecast = {
		.seconds = seconds_of_cutting( s, known ),
		.after = seconds_after_cutting( s, known ),
	};
	begin_step( s, &forecast );
}

// What is told is the time that has passed beside an estimate of the whole. As long as little of a step is done, its
// time is mostly what was expected of it. What is told never shrinks, and is 1 only at the end.
static bool tell( bvdecomp_schedule* s, double done, double end_of_step )
{
	static const double most = 0.999;
	static const double weight = 0.1; // of what is expected
	double now = s->clock();
	double elapsed = now - s->begin_of_step;
	double step = bvmath_max( elapsed, ( elapsed + weight * s->forecast.seconds ) / ( done + weight ) );
	step = bvmath_min( step, bvmath_max( end_of_step, now ) - s->begin_of_step );
	double whole = s->begin_of_step - s->begin + ( 1 + s->forecast.rest ) * step + s->forecast.after;
	whole = bvmath_max( bvmath_min( whole, proof_ends * s->budget ), now - s->begin );
	double share = whole > 0 ? ( now - s->begin ) / whole : 0;
	s->told = bvmath_max( s->told, bvmath_min( share, most ) );
	s->stopped = s->stopped || ( s->progress && !s->progress( s->progress_context, s->told ) );
	return !s->stopped;
}

bool bvdecomp_schedule_is_over( const bvdecomp_schedule* s )
{
	return s->end_of_search < INFINITY && s->clock() > s->end_of_search;
}

bool bvdecomp_schedule_search( bvdecomp_schedule* s, double done )
{
	return tell( s, done, s->end_of_search ) && s->clock() < s->end_of_search;
}

static double share_of_making( const bvdecomp_schedule* s )
{
	return s->openness > 0 ? making_of_open : making_of_closed;
}

void bvdecomp_schedule_make( bvdecomp_schedule* s, double done )
{
	tell( s, share_of_making( s ) * done, s->end_of_proof );
}

void bvdecomp_schedule_end_making( bvdecomp_schedule* s, const bvdecomp_outlook* known )
{
	double capped = by_capped * bvmath_min( known->capped, known->room );
	s->forecast.after = capped + ( s->proofs == 1 && s->convex ? 0 : s->forecast.after );
}

bool bvdecomp_schedule_proof( bvdecomp_schedule* s, double done )
{
	double making = share_of_making( s );
	return tell( s, making + ( 1 - making ) * done, s->end_of_proof ) && s->clock() < s->end_of_proof;
}

bool bvdecomp_schedule_is_late( const bvdecomp_schedule* s, uint32_t points )
{
	static const double by_point = 5e-6; // of a round hull, by experiment
	return s->stopped || s->clock() + by_point * points > s->end_of_making;
}
