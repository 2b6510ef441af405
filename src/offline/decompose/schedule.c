// How the time of a decomposition is divided. See schedule.h.

#include "offline/decompose/schedule.h"

#include "offline/base/clock.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of a budget.
static const double proof_ends = 0.96;

void bvdecomp_schedule_begin( const bvb_decompose_options* options, bvdecomp_schedule* out )
{
	*out = ( bvdecomp_schedule ){
		.begin = bvbase_clock(),
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
	s->per_sample = ( bvbase_clock() - s->begin ) / bvmath_max( samples, 1 );
}

void bvdecomp_schedule_divide( bvdecomp_schedule* s, const bvdecomp_shape* shape )
{
	// Shares that searches may take of a budget, by experiment.
	static const double most_of_open = 0.5;
	static const double most_of_closed = 0.85;

	// What follows the search takes beside it, by experiment: certificates look at open edges.
	static const double rest = 0.2;
	static const double rest_by_work = 0.06;

	// Of each triangle, to find the cells that it is in, and to make parts of these: some seconds by experiment.
	static const double by_triangle = 8e-6;
	static const double most_of_making = 0.35;
	static const double making_ends = 0.85;
	const bvb_mesh* mesh = &shape->mesh;
	bool open = shape->inside && !bvb_winding_is_closed( shape->inside );
	s->rest_of_search = rest + ( open ? rest_by_work * shape->work : 0 );
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
	s->hurried = bvbase_clock() + needed > s->begin + most * s->budget;
	return s->hurried;
}

uint32_t bvdecomp_schedule_cells( const bvdecomp_schedule* s, uint32_t wanted )
{
	static const double share = 0.15; // of the budget
	static const double least = 1 << 10;
	double most = share * s->budget / s->per_sample;
	return wanted <= most ? wanted : (uint32_t)bvmath_max( bvmath_min( least, wanted ), most );
}

void bvdecomp_schedule_begin_step( bvdecomp_schedule* s, double rest )
{
	s->begin_of_step = bvbase_clock();
	s->prepared = s->prepared > 0 ? s->prepared : s->begin_of_step - s->begin;
	s->rest = rest;
}

// What is told is the time that has passed beside an estimate of the whole. As long as little of a step is done,
// the estimate is mostly the budget. What is told never shrinks, and is 1 only at the end.
static bool tell( bvdecomp_schedule* s, double done, double end_of_step )
{
	static const double trusted = 1.0 / 3; // of a step
	static const double most = 0.999;
	static const double least_whole = 3; // times what is before the first step
	double now = bvbase_clock();
	double weight = bvmath_min( done / trusted, 1 );
	double share = ( 1 - weight ) * ( now - s->begin ) / ( proof_ends * s->budget );
	if ( done > 0 )
	{
		double step = ( now - s->begin_of_step ) / done;
		step = bvmath_min( step, bvmath_max( end_of_step, now ) - s->begin_of_step );
		double whole = s->begin_of_step - s->begin + ( 1 + s->rest ) * step;
		whole = bvmath_max( whole, least_whole * s->prepared );
		share += weight * ( now - s->begin ) / bvmath_min( whole, proof_ends * s->budget );
	}
	s->told = bvmath_max( s->told, bvmath_min( share, most ) );
	s->stopped = s->stopped || ( s->progress && !s->progress( s->progress_context, s->told ) );
	return !s->stopped;
}

bool bvdecomp_schedule_is_over( const bvdecomp_schedule* s )
{
	return s->end_of_search < INFINITY && bvbase_clock() > s->end_of_search;
}

bool bvdecomp_schedule_search( bvdecomp_schedule* s, double done )
{
	return tell( s, done, s->end_of_search ) && bvbase_clock() < s->end_of_search;
}

bool bvdecomp_schedule_proof( bvdecomp_schedule* s, double done )
{
	return tell( s, done, s->end_of_proof ) && bvbase_clock() < s->end_of_proof;
}

bool bvdecomp_schedule_is_late( const bvdecomp_schedule* s, uint32_t points )
{
	static const double by_point = 5e-6; // of a round hull, by experiment
	return s->stopped || bvbase_clock() + by_point * points > s->end_of_making;
}
