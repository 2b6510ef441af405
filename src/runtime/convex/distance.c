// Queries of pairs of convex shapes. See bv/convex.h.

#include "runtime/convex/distance.h"

#include "runtime/convex/topology.h"
#include "runtime/math/range.h"

#include <math.h>

const bvconvex_method bvconvex_methods[bv_convex_methods] = {
	[bv_convex_method_default] = { "default", "a closed form where there is one, otherwise as gjk", NULL,
	                               bvconvex_closed_distance, bvconvex_closed_overlap, true },
	[bv_convex_method_gjk] = { "gjk",
	                           "GJK; EPA for shapes that overlap; exact arithmetic for polytopes where both "
	                           "are in doubt",
	                           bvconvex_pair_is_bounded, bvconvex_gjk_epa_distance, bvconvex_gjk_epa_overlap,
	                           true },
	[bv_convex_method_closed] = { "closed", "closed forms only; where one is not certain enough, as gjk",
	                              bvconvex_has_closed_form, bvconvex_closed_distance, bvconvex_closed_overlap,
	                              true },
	[bv_convex_method_sat] = { "sat",
	                           "all face normals and pairs of edges; the distance of shapes that are apart "
	                           "is only between the widest slab and two support points",
	                           bvconvex_topology_is_known, bvconvex_sat_distance, bvconvex_sat_overlap,
	                           false },
	[bv_convex_method_vclip] = { "vclip",
	                             "V-Clip from the features of the last query; EPA for shapes that overlap; "
	                             "exact arithmetic where a walk ends elsewhere",
	                             bvconvex_topology_is_known, bvconvex_vclip_distance, bvconvex_vclip_overlap,
	                             false },
	[bv_convex_method_mpr] = { "mpr",
	                           "Minkowski portal refinement; depths are along a ray from the centers, too "
	                           "large for flat shapes, and with normals of their own; intervals are wide",
	                           bvconvex_pair_is_bounded, bvconvex_mpr_distance, bvconvex_mpr_overlap, false },
	[bv_convex_method_chung_wang] = { "chung_wang",
	                                  "separating vector of Chung and Wang, then GJK after 32 rounds; only "
	                                  "whether shapes meet: intervals are wide",
	                                  bvconvex_pair_is_bounded, bvconvex_chung_wang_distance,
	                                  bvconvex_chung_wang_overlap, false },
	[bv_convex_method_margin] = { "margin",
	                              "EPA between shapes enlarged by 1e-5 of their size; next to each other "
	                              "intervals are as wide as a part of that",
	                              bvconvex_pair_is_bounded, bvconvex_margin_distance, bvconvex_margin_overlap,
	                              false },
	[bv_convex_method_shell] = { "shell",
	                             "EPA that guesses the sphere that the nearest point is on; intervals of "
	                             "depths are up to 5 % wide where a guess is right",
	                             bvconvex_pair_is_bounded, bvconvex_shell_distance, bvconvex_shell_overlap,
	                             false },
};

static const double default_tolerance = 1e-6;

const char* bv_convex_method_name( bv_convex_method method )
{
	return (unsigned)method < bv_convex_methods ? bvconvex_methods[method].name : NULL;
}

const char* bv_convex_method_help( bv_convex_method method )
{
	return (unsigned)method < bv_convex_methods ? bvconvex_methods[method].help : NULL;
}

bv_convex_options bv_convex_options_default( void )
{
	return ( bv_convex_options ){ .tolerance = 0 };
}

static bool are_valid( const bv_convex_options* o )
{
	bool scratch =
		!o->scratch || ( o->scratch_bytes >= BV_CONVEX_SCRATCH_LEAST && (uintptr_t)o->scratch % 8 == 0 );
	return (unsigned)o->method < bv_convex_methods && o->tolerance >= 0 && o->tolerance <= 1 && scratch;
}

bv_status bvconvex_query_begin( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                                const bv_convex_options* options, bvconvex_query* out )
{
	static const bv_convex_options defaults = { .tolerance = 0 };
	const bv_convex_options* o = options ? options : &defaults;
	if ( !are_valid( o ) || !bvconvex_pair_read( a, b, placement, &out->room, &out->pair ) )
	{
		return bv_error_argument;
	}
	out->pair.scratch = o->scratch;
	out->pair.scratch_bytes = o->scratch_bytes;
	out->method = bvconvex_methods + o->method;
	out->asked = ( bvconvex_asked ){
		.relative = o->tolerance > 0 ? o->tolerance : default_tolerance,
		.cache = o->cache,
	};
	return !out->method->takes || out->method->takes( &out->pair ) ? bv_ok : bv_error_unsupported;
}

// A coordinate of -0 becomes 0.
static bv_vec3 without_sign_of_zero( bv_vec3 v )
{
	return bv_add( v, ( bv_vec3 ){ 0, 0, 0 } );
}

// The signed distance of such shapes is minus their radius to 2^-140.
static void widen_tiny( const bvconvex_pair* pair, bv_convex_result* out )
{
	if ( bvconvex_pair_is_tiny( pair ) && out->upper > -INFINITY )
	{
		out->lower = bvmath_min( out->lower, -pair->radius * ( 1 + 0x1p-50 ) - 0x1p-140 );
		out->upper = bvmath_max( out->upper, 0x1p-140 - pair->radius * ( 1 - 0x1p-50 ) );
	}
}

// Its support points are what the next query begins with.
bool bvconvex_query_is_apart( const bvconvex_query* q, double beyond, bv_vec3* normal, double* lower )
{
	bv_convex_cache* cache = q->asked.cache;
	if ( !cache || !q->method->tries_last || !bvconvex_pair_is_bounded( &q->pair ) )
	{
		return false;
	}
	bv_vec3 axis = { cache->axis[0], cache->axis[1], cache->axis[2] };
	uint32_t name[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	if ( cache->count > 0 )
	{
		name[0] = cache->name[0][0];
		name[1] = cache->name[0][1];
	}
	// The error of its length is one of rounding, which the slab has room for.
	bool is_unit = fabs( bv_dot( axis, axis ) - 1 ) <= 0x1p-49;
	double slab = is_unit ? bvconvex_pair_slab( &q->pair, &axis, name ) : 0;
	double most = q->pair.radius + beyond;
	if ( !is_unit || !( slab > most * ( 1 + 0x1p-51 ) ) )
	{
		return false;
	}
	cache->name[0][0] = name[0];
	cache->name[0][1] = name[1];
	cache->count = cache->count > 0 ? cache->count : 1;
	cache->faces = 0;
	*normal = axis;
	*lower = bvmath_max( beyond, ( slab - q->pair.radius ) * ( 1 - 0x1p-51 ) - 0x1p-52 * q->pair.radius );
	return true;
}

bv_status bv_convex_overlap( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                             const bv_convex_options* options, bv_convex_overlap_result* result )
{
	bvconvex_query q;
	bv_status status = result ? bvconvex_query_begin( a, b, placement, options, &q ) : bv_error_argument;
	if ( status != bv_ok )
	{
		return status;
	}
	bv_convex_overlap_result out = { .overlaps = true };
	double gap;
	if ( !bvconvex_pair_is_tiny( &q.pair ) )
	{
		if ( bvconvex_query_is_apart( &q, 0, &out.axis, &gap ) )
		{
			out.overlaps = false;
			out.certain = true;
		}
		else
		{
			bvconvex_pair_place( &q.pair );
			q.method->overlap( &q.pair, &q.asked, &out );
		}
	}
	double square = bv_dot( out.axis, out.axis );
	if ( !out.overlaps && !( square > 0.5 && square < 2 ) )
	{
		out = ( bv_convex_overlap_result ){ .overlaps = true }; // by numbers that are not numbers
	}
	out.axis = without_sign_of_zero( out.axis );
	out.supports = bvconvex_pair_supports( &q.room );
	*result = out;
	return bv_ok;
}

// Callbacks can return anything, and coordinates of extreme sizes can overflow. What is not a number is not known.
static void widen_nonsense( bv_convex_result* out )
{
	double square = bv_dot( out->normal, out->normal );
	if ( square > 0.5 && square < 2 &&
	     fabs( square - 1 ) > 0x1p-40 ) // of a vector whose squares nearly vanish
	{
		out->normal = bv_scale( 1 / sqrt( square ), out->normal );
	}
	bool is_known = out->lower <= out->upper && out->lower < INFINITY &&
	                ( out->upper == -INFINITY || ( square > 0.5 && square < 2 ) );
	if ( !is_known )
	{
		*out = ( bv_convex_result ){ .lower = -INFINITY, .upper = INFINITY, .normal = { 1, 0, 0 } };
	}
}

void bvconvex_query_finish( const bvconvex_query* query, bv_convex_result* out )
{
	widen_tiny( &query->pair, out );
	widen_nonsense( out );
	out->normal = without_sign_of_zero( out->normal );
	out->supports = bvconvex_pair_supports( &query->room );
}

bv_status bv_convex_distance( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              const bv_convex_options* options, bv_convex_result* result )
{
	bvconvex_query q;
	bv_status status = result ? bvconvex_query_begin( a, b, placement, options, &q ) : bv_error_argument;
	if ( status != bv_ok )
	{
		return status;
	}
	bvconvex_query_distance( &q, result );
	result->point[0] = bv_add( result->point[0], q.pair.origin );
	result->point[1] = bv_add( result->point[1], q.pair.origin );
	return bv_ok;
}
