// The progress of decompositions whose steps take known times, by a clock that only the test moves: the share that is told
// is compared with the share that has passed.

#include "support.h"

#include "offline/decompose/schedule.h"

#include <math.h>

static double now;

static double given_clock( void )
{
	return now;
}

// Seconds that a decomposition takes.
typedef struct plan
{
	double preparing;
	double searching;
	double making;
	double certifying;
} plan;

// The share that is told after each moment of a plan.
typedef struct listener
{
	double whole;   // seconds
	double last;    // that was told
	double largest; // difference from the share that had passed
	uint32_t calls;
} listener;

static bool compare( void* context, double told )
{
	listener* l = context;
	assert_true( told >= l->last && told < 1 );
	l->last = told;
	l->largest = fmax( l->largest, fabs( told - now / l->whole ) );
	l->calls += 1;
	return true;
}

enum
{
	moments = 50, // of a step
};

// The schedule of a closed shape without triangles, when its search begins.
static bvdecomp_schedule begin( const plan* p, double budget, listener* l )
{
	*l = ( listener ){ .whole = p->preparing + p->searching + p->making + p->certifying };
	bvb_decompose_options options = bvb_decompose_options_default();
	options.time_budget = budget;
	options.progress = compare;
	options.progress_context = l;
	bvdecomp_schedule s;
	bvdecomp_schedule_begin( &options, &s );
	now = 0;
	s.clock = given_clock;
	s.begin = s.begin_of_step = 0;
	bvdecomp_schedule_divide( &s, &( bvdecomp_shape ){ 0 } );
	now = p->preparing;
	bvdecomp_schedule_begin_search( &s, false );
	return s;
}

static void search( const plan* p, bvdecomp_schedule* s )
{
	for ( int i = 0; i <= moments; ++i )
	{
		now = p->preparing + p->searching * i / moments;
		bvdecomp_schedule_search( s, (double)i / moments );
	}
}

static void make_and_certify( const plan* p, bvdecomp_schedule* s )
{
	static const bvdecomp_outlook known = { .parts = 10, .room = 54 };
	bvdecomp_schedule_begin_proof( s, (uint32_t)known.parts );
	for ( int i = 1; i <= moments; ++i )
	{
		now = p->preparing + p->searching + p->making * i / moments;
		bvdecomp_schedule_make( s, (double)i / moments );
	}
	bvdecomp_schedule_end_making( s, &known );
	for ( int i = 1; i <= moments; ++i )
	{
		now = p->preparing + p->searching + p->making + p->certifying * i / moments;
		bvdecomp_schedule_proof( s, (double)i / moments );
	}
}

// The expected share is that of the whole that has passed, by definition. Searches take 8 to 128 times the time before them.
static void steps_that_go_on_evenly_are_told_within_a_tenth( void** state )
{
	(void)state;
	for ( double searching = 8; searching <= 128; searching *= 2 )
	{
		plan p = {
			.preparing = 1, .searching = searching, .making = 0.12 * searching, .certifying = 0.08 * searching
		};
		listener l;
		bvdecomp_schedule s = begin( &p, 0, &l );
		search( &p, &s );
		make_and_certify( &p, &s );
		assert_true( l.calls == 3 * moments + 1 );
		assert_true( l.largest <= 0.1 );
		assert_true( l.last >= 0.9 );
	}
}

// The search of a closed shape may take 85 % of the budget, as the README says.
static void a_search_that_its_budget_ends_is_told_within_a_tenth( void** state )
{
	(void)state;
	static const double budget = 20;
	plan p = { .preparing = 1, .searching = 0.85 * budget - 1, .making = 1, .certifying = 1.2 };
	listener l;
	bvdecomp_schedule s = begin( &p, budget, &l );
	for ( int i = 0; i <= moments; ++i )
	{
		now = p.preparing + p.searching * i / moments;
		bvdecomp_schedule_search( &s, 0.5 * i / moments ); // half of it is left when its time ends
	}
	make_and_certify( &p, &s );
	assert_true( l.largest <= 0.1 );
}

// Cutting parts again takes as long as before if as many fail, so what is known of failures is part of the forecast.
static void failing_parts_make_the_progress_less( void** state )
{
	(void)state;
	plan p = { .preparing = 1, .searching = 10, .making = 1, .certifying = 1 };
	double told[2];
	for ( int k = 0; k < 2; ++k )
	{
		listener l;
		bvdecomp_schedule s = begin( &p, 0, &l );
		now = p.preparing + p.searching;
		bvdecomp_outlook known = { .parts = 10, .room = 54 };
		bvdecomp_schedule_begin_proof( &s, 10 );
		bvdecomp_schedule_end_making( &s, &known );
		now += p.making;
		known.failing = 10 * k;
		bvdecomp_schedule_halve_proof( &s, 0, &known );
		bvdecomp_schedule_proof( &s, 0.5 );
		told[k] = l.last;
	}
	assert_true( told[1] < told[0] - 0.1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( steps_that_go_on_evenly_are_told_within_a_tenth ),
		cmocka_unit_test( a_search_that_its_budget_ends_is_told_within_a_tenth ),
		cmocka_unit_test( failing_parts_make_the_progress_less ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
