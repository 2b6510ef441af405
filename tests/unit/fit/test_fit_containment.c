// Every fit encloses its points, decided without rounding: random sets of all kinds that break fits, each fitted by every
// volume of a table.
//
// A volume that is a neighborhood of a segment or a rectangle encloses a point if one point of these is near enough: a
// rounded foot of the perpendicular is found, and its exact distance decides. Most points are so far inside that a rounded
// distance with a generous allowance tells.
//
// BV_CONTAINMENT_CASES is the number of sets.

#include "support.h"

#include "exact_sum.h"

enum
{
	few = 16,
	most = 300,
	sets_per_arena = 64,
	default_cases = 2500,
};

typedef union volume
{
	bv_aabb aabb;
	bv_sphere sphere;
	bv_kdop kdop;
	bv_capsule capsule;
	bv_rss rss;
	bv_obb obb;
} volume;

typedef struct kind
{
	const char* name;
	bv_status ( *fit )( fixture* f, const bv_vec3* points, uint32_t count, volume* out );
	bool ( *encloses )( const volume* v, bv_vec3 p );
} kind;

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length( bv_vec3 a )
{
	return sqrt( dot( a, a ) );
}

static bv_vec3 difference( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static double component( bv_vec3 a, int k )
{
	return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// Whether the number that a few rounded operations on terms of this size gave is below a limit without doubt.
static bool surely_below( double rounded, double size, double limit )
{
	return rounded + 1e-13 * size < limit;
}

// |p - c - s u - t v| <= radius
static bool is_near( bv_vec3 p, bv_vec3 c, double s, bv_vec3 u, double t, bv_vec3 v, double radius )
{
	bv_vec3 d = difference( p, c );
	bv_vec3 rest = { d.x - s * u.x - t * v.x, d.y - s * u.y - t * v.y, d.z - s * u.z - t * v.z };
	if ( surely_below( length( rest ), length( d ) + fabs( s ) * length( u ) + fabs( t ) * length( v ),
	                   radius ) )
	{
		return true;
	}
	exact_sum sum = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		exact_sum e = { 0 };
		exact_add( &e, component( p, k ) );
		exact_add( &e, -component( c, k ) );
		exact_add_product( &e, -s, component( u, k ) );
		exact_add_product( &e, -t, component( v, k ) );
		exact_add_square( &sum, &e );
	}
	exact_add_product( &sum, radius, -radius );
	return exact_sign( &sum ) <= 0;
}

static const bv_vec3 null = { 0, 0, 0 };

static bool aabb_encloses( const volume* v, bv_vec3 p )
{
	bv_vec3 l = v->aabb.lower;
	bv_vec3 u = v->aabb.upper;
	return l.x <= p.x && p.x <= u.x && l.y <= p.y && p.y <= u.y && l.z <= p.z && p.z <= u.z;
}

static bool sphere_encloses( const volume* v, bv_vec3 p )
{
	return is_near( p, v->sphere.center, 0, null, 0, null, v->sphere.radius );
}

static bool kdop_encloses( const volume* v, bv_vec3 p )
{
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( !bv_kdop_uses( v->kdop.k, i ) )
		{
			continue;
		}
		bv_vec3 d = bv_kdop_direction( i );
		exact_sum above = { 0 };
		exact_sum below = { 0 };
		for ( int k = 0; k < 3; ++k )
		{
			exact_add( &above, component( d, k ) * component( p, k ) );
			exact_add( &below, component( d, k ) * component( p, k ) );
		}
		exact_add( &above, -v->kdop.lower[i] );
		exact_add( &below, -v->kdop.upper[i] );
		if ( exact_sign( &above ) < 0 || exact_sign( &below ) > 0 )
		{
			return false;
		}
	}
	return true;
}

// t ( b - a ) is not exact: the segment's direction is doubled into t b - t a.
static bool segment_is_near( bv_vec3 p, const bv_capsule* c, double t )
{
	bv_vec3 a = c->ends[0];
	bv_vec3 b = c->ends[1];
	exact_sum sum = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		exact_sum e = { 0 };
		exact_add( &e, component( p, k ) );
		exact_add( &e, -component( a, k ) );
		exact_add_product( &e, t, component( a, k ) );
		exact_add_product( &e, -t, component( b, k ) );
		exact_add_square( &sum, &e );
	}
	exact_add_product( &sum, c->radius, -c->radius );
	return exact_sign( &sum ) <= 0;
}

static bool capsule_encloses( const volume* v, bv_vec3 p )
{
	const bv_capsule* c = &v->capsule;
	bv_vec3 along = difference( c->ends[1], c->ends[0] );
	bv_vec3 d = difference( p, c->ends[0] );
	double t = fmax( 0, fmin( 1, dot( d, along ) / dot( along, along ) ) );
	t = isnan( t ) ? 0 : t;
	bv_vec3 rest = { d.x - t * along.x, d.y - t * along.y, d.z - t * along.z };
	return surely_below( length( rest ), length( d ) + t * length( along ), c->radius ) ||
	       segment_is_near( p, c, t ) || segment_is_near( p, c, 0 ) || segment_is_near( p, c, 1 );
}

static bool rss_encloses( const volume* v, bv_vec3 p )
{
	const bv_rss* r = &v->rss;
	bv_vec3 d = difference( p, r->center );
	double foot[2];
	for ( int i = 0; i < 2; ++i )
	{
		foot[i] = fmax( -r->half_extents[i], fmin( r->half_extents[i], dot( r->axis[i], d ) ) );
	}
	return is_near( p, r->center, foot[0], r->axis[0], foot[1], r->axis[1], r->radius );
}

static bool obb_encloses( const volume* v, bv_vec3 p )
{
	const bv_obb* box = &v->obb;
	bv_vec3 d = difference( p, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		double half = box->half_extents[i];
		if ( surely_below( fabs( dot( box->axis[i], d ) ), length( d ), half ) )
		{
			continue;
		}
		exact_sum beyond[2] = { { 0 }, { 0 } };
		for ( int k = 0; k < 3; ++k )
		{
			for ( int side = 0; side < 2; ++side )
			{
				double axis = side ? -component( box->axis[i], k ) : component( box->axis[i], k );
				exact_add_product( &beyond[side], axis, component( p, k ) );
				exact_add_product( &beyond[side], -axis, component( box->center, k ) );
			}
		}
		exact_add( &beyond[0], -half );
		exact_add( &beyond[1], -half );
		if ( exact_sign( &beyond[0] ) > 0 || exact_sign( &beyond[1] ) > 0 )
		{
			return false;
		}
	}
	return true;
}

static bv_status fit_aabb( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	out->aabb = bvb_fit_aabb( points, count );
	return bv_ok;
}

static bv_status fit_sphere( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_sphere( points, count, &out->sphere );
}

static bv_status fit_sphere_fast( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	out->sphere = bvb_fit_sphere_fast( points, count );
	return bv_ok;
}

static bv_status fit_kdop_6( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_kdop( points, count, 6, &out->kdop );
}

static bv_status fit_kdop_14( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_kdop( points, count, 14, &out->kdop );
}

static bv_status fit_kdop_18( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_kdop( points, count, 18, &out->kdop );
}

static bv_status fit_kdop_26( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_kdop( points, count, 26, &out->kdop );
}

static bv_status fit_capsule( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_capsule( points, count, &out->capsule );
}

static bv_status fit_rss( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	(void)f;
	return bvb_fit_rss( points, count, &out->rss );
}

static bv_status fit_obb( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	return bvb_fit_obb( points, count, NULL, NULL, f->arena, &out->obb );
}

static bv_status fit_obb_dito( fixture* f, const bv_vec3* points, uint32_t count, volume* out )
{
	bvb_obb_options options = bvb_obb_options_default();
	options.method = "dito";
	return bvb_fit_obb( points, count, NULL, &options, f->arena, &out->obb );
}

static const kind kinds[] = {
	{ "aabb", fit_aabb, aabb_encloses },
	{ "sphere", fit_sphere, sphere_encloses },
	{ "fast sphere", fit_sphere_fast, sphere_encloses },
	{ "6-DOP", fit_kdop_6, kdop_encloses },
	{ "14-DOP", fit_kdop_14, kdop_encloses },
	{ "18-DOP", fit_kdop_18, kdop_encloses },
	{ "26-DOP", fit_kdop_26, kdop_encloses },
	{ "capsule", fit_capsule, capsule_encloses },
	{ "rss", fit_rss, rss_encloses },
	{ "obb", fit_obb, obb_encloses },
	{ "obb of dito", fit_obb_dito, obb_encloses },
};

enum
{
	kind_count = sizeof kinds / sizeof kinds[0],
};

static double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

static void random_frame( fixture* f, bv_vec3 axis[3] )
{
	double x = random_unit( f ) - 0.5, y = random_unit( f ) - 0.5, z = random_unit( f ) - 0.5;
	double w = random_unit( f ) + 0.01;
	double s = 2 / ( x * x + y * y + z * z + w * w );
	axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) };
}

// A point of one of the shapes, of a size of about 1.
static bv_vec3 point_of_shape( fixture* f, unsigned shape )
{
	bv_vec3 p = random_point( f );
	double r = length( p );
	switch ( shape )
	{
	case 0: return p;
	case 1: return ( bv_vec3 ){ p.x, p.y, 0 };
	case 2: return ( bv_vec3 ){ p.x, 0, 0 };
	case 3: return null;
	case 4: return ( bv_vec3 ){ p.x, p.y, 1e-6 * p.z };
	case 5: return ( bv_vec3 ){ p.x, 1e-6 * p.y, 1e-6 * p.z };
	case 6: return ( bv_vec3 ){ floor( 4 * p.x ), floor( 3 * p.y ), floor( 2 * p.z ) };
	case 7: return r > 0 ? ( bv_vec3 ){ p.x / r, p.y / r, p.z / r } : p; // an eighth of a sphere
	case 8:
		p = ( bv_vec3 ){ p.x - 0.5, p.y - 0.5, p.z - 0.5 };
		r = length( p );
		return r > 0 ? ( bv_vec3 ){ p.x / r, p.y / r, p.z / r } : p;
	default:
		p = ( bv_vec3 ){ p.x - 0.5, p.y - 0.5, 0 };
		r = length( p );
		return r > 0 ? ( bv_vec3 ){ p.x / r, p.y / r, 0 } : p;
	}
}

// Upright or turned, near the origin or 1e6 times the size away, of sizes that leave binary32's normal numbers behind or
// reach the largest coordinates allowed, binary32 numbers or others, repeated points among them.
static uint32_t make_set( fixture* f, bv_vec3* out )
{
	static const double sizes[] = { 1, 1, 1, 1e-30, 1e-38, 1e-44, 1e30, 0x1p119 };
	bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % ( random_bits( f ) % 64 == 0 ? most : few ) );
	unsigned shape = (unsigned)( random_bits( f ) % 10 );
	double size = sizes[random_bits( f ) % 8];
	bool far = size <= 1e30 && random_bits( f ) % 4 == 0;
	bv_vec3 offset = { far ? 1e6 : 0, far ? -7e5 : 0, far ? 3.1e5 : 0 };
	bool round = random_bits( f ) % 4 != 0;
	size = shape == 6 && size > 1e30 ? size / 8 : size / 2;
	if ( random_bits( f ) % 2 )
	{
		random_frame( f, axis );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = point_of_shape( f, shape );
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			double turned =
				p.x * component( axis[0], k ) + p.y * component( axis[1], k ) + p.z * component( axis[2], k );
			at[k] = size * ( turned + component( offset, k ) );
			at[k] = round ? to_float( at[k] ) : at[k];
		}
		out[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
		if ( i > 0 && random_bits( f ) % 6 == 0 )
		{
			out[i] = out[random_bits( f ) % i];
		}
	}
	return count;
}

static void no_point_is_outside( void** state )
{
	fixture* f = *state;
	const char* given = getenv( "BV_CONTAINMENT_CASES" );
	long cases = given ? strtol( given, NULL, 10 ) : default_cases;
	assert_true( cases > 0 );
	for ( long i = 0; i < cases; ++i )
	{
		bv_vec3 points[most];
		uint32_t count = make_set( f, points );
		for ( int k = 0; k < kind_count; ++k )
		{
			volume v;
			assert_int_equal( kinds[k].fit( f, points, count, &v ), bv_ok );
			for ( uint32_t p = 0; p < count; ++p )
			{
				if ( !kinds[k].encloses( &v, points[p] ) )
				{
					fail_msg( "set %ld: the %s leaves out point %u of %u: %.17g %.17g %.17g", i,
					          kinds[k].name, p, count, points[p].x, points[p].y, points[p].z );
				}
			}
		}
		if ( i % sets_per_arena == 0 )
		{
			bvb_arena_destroy( f->arena );
			f->arena = bvb_arena_create();
		}
	}
}

// What decides above must not say yes to everything: fits are tight, so that one shrunk by a millionth leaves a point out.
static void what_is_a_little_too_small_leaves_something_out( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 300; ++i )
	{
		bv_vec3 points[8];
		for ( int p = 0; p < 8; ++p )
		{
			points[p] = random_point( f );
		}
		for ( int k = 0; k < kind_count; ++k )
		{
			volume v;
			assert_int_equal( kinds[k].fit( f, points, 8, &v ), bv_ok );
			const double less = 1 - 1e-6;
			if ( kinds[k].encloses == aabb_encloses )
			{
				v.aabb.upper.x -= 1e-6;
			}
			else if ( kinds[k].encloses == sphere_encloses )
			{
				v.sphere.radius *= less;
			}
			else if ( kinds[k].encloses == kdop_encloses )
			{
				v.kdop.lower[2] += 1e-6;
			}
			else if ( kinds[k].encloses == capsule_encloses )
			{
				v.capsule.radius *= less;
			}
			else if ( kinds[k].encloses == rss_encloses )
			{
				v.rss.radius *= less;
			}
			else
			{
				v.obb.half_extents[2] *= less;
			}
			bool all = true;
			for ( int p = 0; p < 8; ++p )
			{
				all = all && kinds[k].encloses( &v, points[p] );
			}
			assert_false( all );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_point_is_outside ),
		fixture_test( what_is_a_little_too_small_leaves_something_out ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
