// Casts of pairs of convex shapes. See bv/convex.h and cast.h.

#include "runtime/convex/cast.h"

#include "runtime/convex/distance.h"
#include "runtime/math/range.h"

#include <math.h>

const bvconvex_caster bvconvex_casters[bv_convex_cast_methods] = {
	[bv_convex_cast_method_default] = { "default", bvconvex_cast_default, NULL },
	[bv_convex_cast_method_gjk] = { "gjk", bvconvex_cast_gjk, NULL },
	[bv_convex_cast_method_balls] = { "balls", bvconvex_cast_balls, bvconvex_cast_takes_balls },
	[bv_convex_cast_method_advancement] = { "advancement", bvconvex_cast_advancement, NULL },
	[bv_convex_cast_method_swept] = { "swept", bvconvex_cast_swept, NULL },
	[bv_convex_cast_method_sampled] = { "sampled", bvconvex_cast_sampled, NULL },
};

static const double default_tolerance = 1e-6;

// Later times would make displacements overflow that are too small to matter before.
static const double latest = 0x1p900;

const char* bv_convex_cast_method_name( bv_convex_cast_method method )
{
	return (unsigned)method < bv_convex_cast_methods ? bvconvex_casters[method].name : NULL;
}

bv_convex_cast_options bv_convex_cast_options_default( void )
{
	return ( bv_convex_cast_options ){ .limit = 0 };
}

double bvconvex_cast_default( bvconvex_cast_search* s )
{
	return bvconvex_cast_takes_balls( s->pair ) ? bvconvex_cast_balls( s ) : bvconvex_cast_gjk( s );
}

// @return a vector of length 1, also along one that is so short that its square vanishes
static bv_vec3 unit( bv_vec3 v )
{
	double most = bvmath_largest( v );
	return bv_normalize( ( bv_vec3 ){ v.x / most, v.y / most, v.z / most } );
}

// Functions that are not inlined have left the stack when EPA and exact arithmetic take most of it.

// Finds the time after which the shapes have passed each other.
BVSIMD_NOINLINE void find_end( bvconvex_cast_search* s )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bv_vec3 along = unit( s->relative );
	bvconvex_pair_move( s->pair, &s->motion, 0, 0 );
	bvconvex_gjk_vertex far = bvconvex_gjk_support( &s->pair->search, bv_negate( along ), none );
	double way = bv_dot( along, far.at );
	double passed = way + s->pair->radius * ( 1 + 0x1p-50 ) + 2 * s->pair->rounding;
	double speed = bv_dot( along, s->relative ) * ( 1 - 0x1p-49 );
	bvconvex_cast_plane( s, along, way );
	if ( passed / speed < s->end )
	{
		s->end = bvmath_max( passed / speed * ( 1 + 0x1p-50 ), 0 );
	}
}

BVSIMD_NOINLINE void use_cache( bvconvex_cast_search* s )
{
	const double* axis = s->cache->axis;
	bv_vec3 along = { axis[0], axis[1], axis[2] };
	if ( bvmath_norm1( along ) > 0.5 && bvmath_norm1( along ) < 2 )
	{
		bvconvex_cast_plane_along( s, bv_normalize( along ) );
	}
}

static bool is_finite( bv_vec3 v )
{
	return bvmath_norm1( v ) < INFINITY;
}

// Coordinates that differ too much in size leave EPA without a direction: then any one has to do.
BVSIMD_NOINLINE void take_any_point( const bvconvex_pair* pair, bv_convex_result* out )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	out->normal = ( bv_vec3 ){ 1, 0, 0 };
	bvconvex_gjk_vertex any = bvconvex_gjk_support( &pair->search, out->normal, none );
	out->point[0] = any.first;
	out->point[1] = bv_sub( any.first, any.at );
}

static void describe_start( const bvconvex_pair* pair, bv_convex_cast_result* out )
{
	const bvconvex_asked asked = { .relative = default_tolerance };
	bv_convex_result overlap;
	bvconvex_gjk_epa_distance( pair, &asked, &overlap );
	if ( !( fabs( bv_length( overlap.normal ) - 1 ) < 0x1p-20 ) || !is_finite( overlap.point[0] ) ||
	     !is_finite( overlap.point[1] ) )
	{
		take_any_point( pair, &overlap );
	}
	out->normal = overlap.normal;
	out->point[0] = bv_add( overlap.point[0], pair->origin );
	out->point[1] = bv_add( overlap.point[1], pair->origin );
}

// Nearest points at a time, and the direction between them unless they are so close to each other that it would be that of
// rounding errors: then that of the last plane.
BVSIMD_NOINLINE void describe_contact( bvconvex_cast_search* s, bv_convex_cast_result* out )
{
	static const double relative = 1e-9;
	const bvconvex_pair* pair = s->pair;
	bvconvex_gjk_result found;
	bvconvex_pair_move( s->pair, &s->motion, s->lower, s->lower );
	bvconvex_gjk_vertex first = bvconvex_cast_first_vertex( s );
	bvconvex_gjk_distance( &pair->search, &first, 0, relative, &found );
	out->normal = found.lower > 0x1p10 * pair->rounding ? found.along : s->normal;
	bvconvex_gjk_describe( found.nearest, out->point );
	// A point of the first shape moves on with it.
	bv_vec3 moved = bv_add( pair->origin, bv_scale( s->lower, s->motion.of[0] ) );
	bv_vec3 round[2] = { bv_scale( pair->one_radius[0], out->normal ),
		                 bv_scale( -pair->one_radius[1], out->normal ) };
	for ( int k = 0; k < 2; ++k )
	{
		out->point[k] = bv_add( bv_add( out->point[k], round[k] ), moved );
	}
}

static void describe( bvconvex_cast_search* s, double limit, bv_convex_cast_result* out )
{
	out->found = !s->never && !s->unseen;
	out->certain = s->never ? bvmath_is_zero( s->relative ) || s->end < latest || !( limit > latest )
	                        : s->upper < INFINITY;
	out->at_start = out->found && !( s->upper > 0 );
	out->lower = s->never && out->certain ? limit : s->lower;
	out->upper = s->never ? INFINITY : s->upper;
	out->normal = out->point[0] = out->point[1] = ( bv_vec3 ){ 0, 0, 0 };
	if ( out->found && !bvmath_is_zero( s->normal ) )
	{
		describe_contact( s, out );
	}
	if ( s->cache && !bvmath_is_zero( s->normal ) )
	{
		s->cache->axis[0] = s->normal.x;
		s->cache->axis[1] = s->normal.y;
		s->cache->axis[2] = s->normal.z;
	}
}

static void find_contact( bvconvex_cast_search* s, double tolerance, bvconvex_find_cast* find )
{
	bv_vec3 along;
	bvconvex_cast_window_state start =
		s->lower > 0 ? bvconvex_cast_apart : bvconvex_cast_window( s, 0, 0, &along );
	if ( start == bvconvex_cast_meet )
	{
		s->upper = 0;
	}
	else if ( bvmath_is_zero( s->relative ) )
	{
		s->never = start == bvconvex_cast_apart;
	}
	else
	{
		if ( start == bvconvex_cast_apart && !( s->lower > 0 ) )
		{
			bvconvex_cast_plane_along( s, along );
		}
		find_end( s );
		s->width = tolerance * s->end;
		double window = s->never ? -1 : find( s );
		if ( window >= 0 )
		{
			bvconvex_cast_narrow( s, window );
		}
	}
}

BVSIMD_NOINLINE void run( bvconvex_pair* pair, bv_vec3 motion_a, bv_vec3 motion_b,
                          const bv_convex_cast_options* o, bv_convex_cast_result* out )
{
	double limit = o->limit > 0 ? o->limit : 1;
	bvconvex_cast_search search = {
		.pair = pair,
		.motion = { .of = { motion_a, motion_b } },
		.relative = bv_sub( motion_b, motion_a ),
		.end = bvmath_min( limit, latest ),
		.cache = o->cache,
		.upper = INFINITY,
	};
	if ( o->cache )
	{
		use_cache( &search );
	}
	find_contact( &search, o->tolerance > 0 ? o->tolerance : default_tolerance,
	              bvconvex_casters[o->method].find );
	describe( &search, limit, out );
	bvconvex_pair_stop( pair );
}

bv_status bvconvex_cast_times( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                               bv_vec3 motion, bool* found, bv_interval* time )
{
	bvconvex_pair_room room;
	bvconvex_pair pair;
	if ( !bvmath_is_in_range( motion ) || !bvconvex_pair_begin( a, b, placement, &room, &pair ) )
	{
		return bv_error_argument;
	}
	if ( !bvconvex_pair_is_bounded( &pair ) )
	{
		return bv_error_unsupported;
	}
	bvconvex_cast_search search = { .pair = &pair,
		                            .motion = { .of = { { 0, 0, 0 }, motion } },
		                            .relative = motion,
		                            .end = 1,
		                            .upper = INFINITY };
	if ( !bvconvex_pair_is_tiny( &pair ) )
	{
		find_contact( &search, default_tolerance, bvconvex_cast_default );
	}
	*found = !search.never;
	*time = ( bv_interval ){ search.lower, search.upper };
	if ( !( time->lower <= time->upper ) )
	{
		*time = ( bv_interval ){ 0, INFINITY };
	}
	return bv_ok;
}

// Callbacks can return anything.
static void widen_nonsense( bv_convex_cast_result* out )
{
	if ( !( out->lower <= out->upper ) )
	{
		out->lower = 0;
		out->upper = INFINITY;
		out->certain = false;
	}
}

bv_status bv_convex_cast( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                          bv_vec3 motion_a, bv_vec3 motion_b, const bv_convex_cast_options* options,
                          bv_convex_cast_result* result )
{
	static const bv_convex_cast_options defaults = { .limit = 0 };
	const bv_convex_cast_options* o = options ? options : &defaults;
	bvconvex_pair_room room;
	bvconvex_pair pair;
	if ( !result || (unsigned)o->method >= bv_convex_cast_methods || !( o->limit >= 0 ) ||
	     !( o->tolerance >= 0 && o->tolerance <= 1 ) || !bvmath_is_in_range( motion_a ) ||
	     !bvmath_is_in_range( motion_b ) || !bvconvex_pair_begin( a, b, placement, &room, &pair ) )
	{
		return bv_error_argument;
	}
	const bvconvex_caster* method = bvconvex_casters + o->method;
	if ( !bvconvex_pair_is_bounded( &pair ) || ( method->takes && !method->takes( &pair ) ) )
	{
		return bv_error_unsupported;
	}
	if ( bvconvex_pair_is_tiny( &pair ) )
	{
		*result = ( bv_convex_cast_result ){ .found = true, .upper = INFINITY, .normal = { 1, 0, 0 } };
		return bv_ok;
	}
	run( &pair, motion_a, motion_b, o, result );
	if ( result->found && bvmath_is_zero( result->normal ) )
	{
		describe_start( &pair, result );
	}
	widen_nonsense( result );
	result->supports = bvconvex_pair_supports( &room );
	return bv_ok;
}
