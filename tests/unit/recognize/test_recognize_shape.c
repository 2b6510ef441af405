// What fitting and measuring know of a primitive: distances, supports and bounds against definitions, derivatives against
// differences.

#include "primitive_meshes.h"

#include "offline/recognize/shape.h"

static bvrecog_shape random_shape( fixture* f, bv_primitive_kind kind )
{
	if ( kind != bv_primitive_box )
	{
		bv_vec3 first = random_point( f );
		bv_vec3 second = kind == bv_primitive_sphere ? first : random_point( f );
		return bvrecog_shape_rod( kind, first, second, 0.05 + random_unit( f ) );
	}
	placement place = random_placement( f );
	bvrecog_shape box = { .kind = kind, .center = place.offset };
	for ( int i = 0; i < 3; ++i )
	{
		box.axis[i] = place.axis[i];
		box.half[i] = 0.05 + random_unit( f );
	}
	return box;
}

static bv_primitive primitive_of( const bvrecog_shape* s )
{
	bv_primitive p = { .kind = s->kind };
	p.box.center = s->center;
	for ( int i = 0; i < 3; ++i )
	{
		p.box.axis[i] = s->axis[i];
		p.box.half_extents[i] = s->half[i];
	}
	p.sphere = ( bv_sphere ){ s->ends[0], s->radius };
	p.capsule = ( bv_capsule ){ { s->ends[0], s->ends[1] }, s->radius };
	p.cylinder = ( bv_cylinder ){ { s->ends[0], s->ends[1] }, s->radius };
	return p;
}

static bv_vec3 random_near( fixture* f )
{
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ 4 * p.x - 1.5, 4 * p.y - 1.5, 4 * p.z - 1.5 };
}

static bv_vec3 random_direction( fixture* f )
{
	bv_vec3 d = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
	return plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( d ), d );
}

static void distance_is_that_to_the_surface( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 4000; ++round )
	{
		bvrecog_shape s = random_shape( f, (bv_primitive_kind)( round % 4 ) );
		bv_primitive p = primitive_of( &s );
		bv_vec3 x = random_near( f );
		double distance = bvrecog_shape_distance( &s, x );
		assert_true( fabs( fabs( distance ) - primitive_distance( &p, x ) ) <= bvrecog_shape_grain( &s ) );
		bvrecog_near near = bvrecog_shape_near( &s, x );
		assert_true( near.distance == distance );
		assert_true( fabs( length( near.normal ) - 1 ) < 1e-14 );

		// Outside, going back along the normal leads to the surface; inside, going on.
		bv_vec3 surface = plus( x, -distance, near.normal );
		assert_true( fabs( bvrecog_shape_distance( &s, surface ) ) < 1e-12 );
	}
}

// Samples never reach farther, and nearly as far; nor deeper, nor farther away.
static void supports_and_bounds_are_those_of_samples( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bvrecog_shape s = random_shape( f, (bv_primitive_kind)( round % 4 ) );
		bv_primitive p = primitive_of( &s );
		bv_vec3 direction = random_direction( f );
		bv_vec3 from = random_near( f );
		double reach = -INFINITY;
		double farthest = 0;
		for ( int part = 0; part < ( s.kind == bv_primitive_box ? 6 : 3 ); ++part )
		{
			for ( int i = 0; i <= 40 * 40; ++i )
			{
				bv_vec3 x = surface_point( &p, part, i / 40 / 40.0, i % 40 / 40.0 );
				reach = fmax( reach, dot( x, direction ) );
				farthest = fmax( farthest, length( plus( x, -1, from ) ) );
			}
		}
		double support = bvrecog_shape_support( &s, direction );
		assert_true( support >= reach - 1e-13 && support <= reach + 0.05 );
		assert_true( bvrecog_shape_farthest( &s, from ) >= farthest - 1e-13 );
		for ( int i = 0; i < 200; ++i )
		{
			assert_true( -bvrecog_shape_distance( &s, random_near( f ) ) <=
			             bvrecog_shape_depth( &s ) + 1e-13 );
		}
	}
}

static void no_distance_is_below_its_planes( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20000; ++round )
	{
		bvrecog_shape s = random_shape( f, (bv_primitive_kind)( round % 4 ) );
		bv_vec3 direction = random_direction( f );
		bv_vec3 x = random_near( f );
		double bound = dot( direction, x ) - bvrecog_shape_support( &s, direction );
		assert_true( bvrecog_shape_distance( &s, x ) >= bound - bvrecog_shape_grain( &s ) );
	}
}

// Central differences of step h err by h^2 and by rounding / h; at edges of regions they mean nothing, so one in a hundred may
// be off.
static void derivatives_are_the_limits_of_differences( void** state )
{
	fixture* f = *state;
	const double h = 1e-5;
	int compared = 0;
	int off = 0;
	for ( int round = 0; round < 4000; ++round )
	{
		bvrecog_shape s = random_shape( f, (bv_primitive_kind)( round % 4 ) );
		bv_vec3 x = random_near( f );
		bv_vec3 direction = random_direction( f );
		double of_distance[bvrecog_shape_parameters_most];
		double of_support[bvrecog_shape_parameters_most];
		assert_true( bvrecog_shape_derivatives( &s, x, of_distance ) == bvrecog_shape_distance( &s, x ) );
		bvrecog_shape_support_derivatives( &s, direction, of_support );
		for ( int k = 0; k < bvrecog_shape_parameters( s.kind ); ++k )
		{
			double change[bvrecog_shape_parameters_most] = { 0 };
			change[k] = h;
			bvrecog_shape up = bvrecog_shape_moved( &s, change );
			change[k] = -h;
			bvrecog_shape down = bvrecog_shape_moved( &s, change );
			double distance =
				( bvrecog_shape_distance( &up, x ) - bvrecog_shape_distance( &down, x ) ) / ( 2 * h );
			double support =
				( bvrecog_shape_support( &up, direction ) - bvrecog_shape_support( &down, direction ) ) /
				( 2 * h );
			double scale = 1 + fabs( distance ) + fabs( support );
			off += fabs( distance - of_distance[k] ) > 1e-4 * scale;
			off += fabs( support - of_support[k] ) > 1e-4 * scale;
			compared += 2;
		}
	}
	assert_true( off < compared / 100 );
}

static void swelling_moves_the_surface_by_as_much( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 1000; ++round )
	{
		bvrecog_shape s = random_shape( f, (bv_primitive_kind)( round % 4 ) );
		bvrecog_shape swollen = bvrecog_shape_swollen( &s, 0.01 );

		// From a point inside, which no edge is nearest to.
		bv_vec3 middle = s.kind == bv_primitive_box ? s.center : plus( s.ends[0], 0.5, s.along );
		double before = bvrecog_shape_distance( &s, middle );
		assert_true( before < 0 );
		assert_true( fabs( bvrecog_shape_distance( &swollen, middle ) - ( before - 0.01 ) ) < 1e-13 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( distance_is_that_to_the_surface ),
		fixture_test( supports_and_bounds_are_those_of_samples ),
		fixture_test( no_distance_is_below_its_planes ),
		fixture_test( derivatives_are_the_limits_of_differences ),
		fixture_test( swelling_moves_the_surface_by_as_much ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
