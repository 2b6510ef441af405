// The three reductions on sets that can be followed by hand, and by brute force on sets that can't.

#include "offline/literature/spheres/reduce.h"

#include "support.h"

enum
{
	most_points = 40,
};

// A patch for each point, on a line, and spheres about points of it.
typedef struct line
{
	bv_vec3 points[most_points];
	uint32_t first[most_points + 1];
	bv_vec3 center[most_points];
	double depth[most_points];
	bvlit_reducible set;
	bvlit_error_table table;
} line;

// A shape without an inside: depths are 0, and errors are how far spheres reach.
static double no_depth( void* context, bv_vec3 point, double wanted )
{
	(void)wanted;
	(void)context;
	(void)point;
	return 0;
}

static void begin( fixture* f, line* l, const double* at, uint32_t patches, const double* centers,
                   uint32_t spheres )
{
	*l = ( line ){ .first = { 0 } };
	for ( uint32_t i = 0; i < patches; ++i )
	{
		l->points[i] = ( bv_vec3 ){ at[i], 0, 0 };
		l->first[i + 1] = i + 1;
	}
	for ( uint32_t i = 0; i < spheres; ++i )
	{
		l->center[i] = ( bv_vec3 ){ centers[i], 0, 0 };
	}
	l->set =
		( bvlit_reducible ){ l->center, l->depth, spheres, l->points, l->first, patches, no_depth, NULL };
	assert_int_equal( bvlit_error_table_create( &l->set, 0, f->arena, &l->table ), bv_ok );
}

static void assert_left( const bvlit_reduced* r, const double* centers, uint32_t count, double error )
{
	assert_int_equal( r->count, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( fabs( r->center[i].x - centers[i] ) < 1e-12 );
	}
	assert_true( fabs( r->error - error ) < 1e-12 );
}

static const double five[] = { 0, 1, 10, 11.5, 20 };

// The nearest two first, into one in the middle between them; then the next.
static void pairs_that_are_nearest_merge( void** state )
{
	fixture* f = *state;
	line l;
	bvlit_reduced r;
	begin( f, &l, five, 5, five, 5 );
	assert_int_equal( bvlit_reduce_merge( &l.set, &l.table, 4, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 0.5, 10, 11.5, 20 }, 4, 0.5 );
	assert_int_equal( bvlit_reduce_merge( &l.set, &l.table, 3, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 0.5, 10.75, 20 }, 3, 0.75 );

	// Of those that are left 10.75 with 20 costs 9.25 about the better center, 0.5 with 10.75 costs 10.75. The sphere round 10 .. 11.5 and 20 is about
	// 15.
	assert_int_equal( bvlit_reduce_merge( &l.set, &l.table, 2, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 0.5, 15 }, 2, 5 );
}

// Spheres that are left stay where they are. The one that leaves least to be covered bursts: that at 0, as the one at 1 takes its point; then
// that at 10, which costs 1.5.
static void the_one_that_is_missed_least_bursts( void** state )
{
	fixture* f = *state;
	line l;
	bvlit_reduced r;
	begin( f, &l, five, 5, five, 5 );
	assert_int_equal( bvlit_reduce_burst( &l.set, &l.table, 4, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 1, 10, 11.5, 20 }, 4, 1 );
	assert_int_equal( bvlit_reduce_burst( &l.set, &l.table, 3, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 1, 11.5, 20 }, 3, 1.5 );
}

// Points 0 .. 8, spheres at each: three that stand off by 1 cover all, and with any less a sphere covers only its own point. Burst gets there by
// no such plan.
static void the_least_stand_off_is_found( void** state )
{
	fixture* f = *state;
	line l;
	bvlit_reduced r;
	double at[9];
	for ( int i = 0; i < 9; ++i )
	{
		at[i] = i;
	}
	begin( f, &l, at, 9, at, 9 );
	assert_int_equal( bvlit_reduce_expand( &l.set, &l.table, 3, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 1, 4, 7 }, 3, 1 );

	// One sphere for all of them, in the middle.
	assert_int_equal( bvlit_reduce_expand( &l.set, &l.table, 1, f->arena, &r ), bv_ok );
	assert_left( &r, ( const double[] ){ 4 }, 1, 4 );
}

// A large sphere deep in the shape protrudes less than a small one on its surface.
static void deep_spheres_protrude_less( void** state )
{
	fixture* f = *state;
	static bvlit_reduction* const all[] = { bvlit_reduce_merge, bvlit_reduce_burst, bvlit_reduce_expand };
	static const double at[] = { -1, 1 };
	static const double centers[] = { 0, 0.5 };
	line l;
	begin( f, &l, at, 2, centers, 2 );
	l.center[1] = ( bv_vec3 ){ 0, 3, 0 };
	l.depth[1] = 3;
	assert_int_equal( bvlit_error_table_create( &l.set, 0, f->arena, &l.table ), bv_ok );
	for ( int i = 0; i < 3; ++i )
	{
		bvlit_reduced r;
		assert_int_equal( all[i]( &l.set, &l.table, 1, f->arena, &r ), bv_ok );
		assert_int_equal( r.count, 1 );
		assert_true( r.center[0].y == 3 && fabs( r.error - ( sqrt( 10 ) - 3 ) ) < 1e-12 );
	}
}

static double error_of_choice( const line* l, uint32_t bits )
{
	double worst = 0;
	for ( uint32_t p = 0; p < l->set.patch_count; ++p )
	{
		double least = INFINITY;
		for ( uint32_t s = 0; s < l->set.sphere_count; ++s )
		{
			double error = fabs( l->points[p].x - l->center[s].x );
			least = bits >> s & 1 ? fmin( least, error ) : least;
		}
		worst = fmax( worst, least );
	}
	return worst;
}

// Random points and 12 spheres: what is said of the error is true, no reduction is better than the best of all choices of spheres (but merging, which
// moves them), one sphere is chosen as well as can be, and the best of three is.
static void errors_are_those_of_the_choice( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		double at[30];
		double centers[12];
		for ( int i = 0; i < 30; ++i )
		{
			at[i] = 10 * random_unit( f );
			centers[i % 12] = 10 * random_unit( f );
		}
		line l;
		begin( f, &l, at, 30, centers, 12 );
		for ( uint32_t most = 1; most <= 4; ++most )
		{
			double optimum = INFINITY;
			for ( uint32_t bits = 1; bits < 1u << 12; ++bits )
			{
				if ( (uint32_t)__builtin_popcount( bits ) <= most )
				{
					optimum = fmin( optimum, error_of_choice( &l, bits ) );
				}
			}
			bvlit_reduced r[4];
			bvlit_reduce_merge( &l.set, &l.table, most, f->arena, r );
			bvlit_reduce_burst( &l.set, &l.table, most, f->arena, r + 1 );
			bvlit_reduce_expand( &l.set, &l.table, most, f->arena, r + 2 );
			bvlit_reduce_best( &l.set, &l.table, most, f->arena, r + 3 );
			for ( int k = 0; k < 4; ++k )
			{
				line left = l;
				assert_true( r[k].count >= 1 && r[k].count <= most );
				memcpy( left.center, r[k].center, sizeof r[k].center );
				left.set.sphere_count = r[k].count;
				assert_true( fabs( error_of_choice( &left, 0xff ) - r[k].error ) < 1e-12 );
				assert_true( k == 0 || k == 3 || r[k].error >= optimum - 1e-12 );
				assert_true( r[3].error <= r[k].error );
			}
			assert_true( most > 1 || r[2].error <= optimum + 1e-12 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( pairs_that_are_nearest_merge ),   fixture_test( the_one_that_is_missed_least_bursts ),
		fixture_test( the_least_stand_off_is_found ),   fixture_test( deep_spheres_protrude_less ),
		fixture_test( errors_are_those_of_the_choice ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
