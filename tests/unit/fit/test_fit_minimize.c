// Minimization without derivatives, of functions whose minima are known.

#include "support.h"

#include "offline/fit/minimize.h"

// Rosenbrock's valley: 0 at (1, 1), reached from the traditional (-1.2, 1).
static double rosenbrock( const void* context, const double* x )
{
	(void)context;
	double a = x[1] - x[0] * x[0];
	return 100 * a * a + ( 1 - x[0] ) * ( 1 - x[0] );
}

static void a_bent_valley_is_followed_to_its_end( void** state )
{
	(void)state;
	double x[2] = { -1.2, 1 };
	const double step[2] = { 0.5, 0.5 };
	double cost = bvfit_nelder_mead( rosenbrock, NULL, 2, x, step, 400, 1e-12 );
	assert_true( cost < 1e-12 && cost == rosenbrock( NULL, x ) );
	assert_true( fabs( x[0] - 1 ) < 1e-5 && fabs( x[1] - 1 ) < 1e-5 );
}

// |x_i - i| weighted, which has kinks.
static double kinked( const void* context, const double* x )
{
	double sum = 1;
	for ( int i = 0; i < *(const int*)context; ++i )
	{
		sum += ( i + 1 ) * fabs( x[i] - i );
	}
	return sum;
}

static void the_result_is_never_worse_than_the_start( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		int count = 1 + round % bvfit_simplex_most;
		double x[bvfit_simplex_most];
		double step[bvfit_simplex_most];
		for ( int i = 0; i < count; ++i )
		{
			x[i] = 10 * random_unit( f ) - 5;
			step[i] = random_unit( f ) - 0.5;
		}
		double before = kinked( &count, x );
		double after = bvfit_nelder_mead( kinked, &count, count, x, step, 20 + round, 1e-6 );
		assert_true( after <= before && after == kinked( &count, x ) );
		assert_true( count > 2 || round < 100 || after < 1.1 );
	}
}

typedef struct parabola
{
	double minimum;
	int calls;
} parabola;

static double parabola_cost( const void* context, const double* x )
{
	parabola* p = (parabola*)context;
	++p->calls;
	return ( *x - p->minimum ) * ( *x - p->minimum );
}

static void a_search_upwards_finds_the_minimum_in_few_calls( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		parabola p = { .minimum = 10 * random_unit( f ) };
		double x = bvfit_search_upwards( parabola_cost, &p, 0, 0.125, 40 );
		assert_true( fabs( x - p.minimum ) < 1e-3 );
		assert_true( p.calls <= 41 );
	}
}

static void a_search_upwards_stays_where_it_starts_if_all_else_is_worse( void** state )
{
	(void)state;
	parabola p = { .minimum = -1 };
	assert_true( bvfit_search_upwards( parabola_cost, &p, 2, 0.5, 12 ) == 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_bent_valley_is_followed_to_its_end ),
		fixture_test( the_result_is_never_worse_than_the_start ),
		fixture_test( a_search_upwards_finds_the_minimum_in_few_calls ),
		fixture_test( a_search_upwards_stays_where_it_starts_if_all_else_is_worse ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
