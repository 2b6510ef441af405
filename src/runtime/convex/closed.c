// The table of closed forms, and the method that tries them first. See closed.h.

#include "runtime/convex/closed.h"

#include "runtime/convex/proof.h"

#include <math.h>

// By the kinds of both cores, the lesser one first. Pairs without one are iterated.
static bvconvex_closed_form* const closed_forms[bvconvex_core_kinds][bvconvex_core_kinds] = {
	[bvconvex_core_point] = { bvconvex_closed_points, bvconvex_closed_segments, bvconvex_closed_point_face,
	                          bvconvex_closed_point_box, bvconvex_closed_half_space },
	[bvconvex_core_segment] = { NULL, bvconvex_closed_segments, bvconvex_closed_segment_face,
	                            bvconvex_closed_axes, bvconvex_closed_half_space },
	[bvconvex_core_triangle] = { NULL, NULL, bvconvex_closed_faces, bvconvex_closed_axes,
	                             bvconvex_closed_half_space },
	[bvconvex_core_box] = { NULL, NULL, NULL, bvconvex_closed_axes, bvconvex_closed_half_space },
	[bvconvex_core_half_space] = { NULL, NULL, NULL, NULL, bvconvex_closed_half_spaces,
	                               bvconvex_closed_half_space },
};

static bvconvex_core_kind kind_of( const bvconvex_body* body )
{
	const bv_convex* shape = body->own.convex;
	switch ( shape->kind )
	{
	case bv_convex_of_box: return bvconvex_core_box;
	case bv_convex_of_half_space: return bvconvex_core_half_space;
	case bv_convex_of_points:
	case bv_convex_of_corners:
		return body->own.corners <= 3 ? (bvconvex_core_kind)( bvconvex_core_point + body->own.corners - 1 )
		                              : bvconvex_core_other;
	default: return bvconvex_core_other;
	}
}

static void read_box( bvconvex_core* core )
{
	const bv_obb* box = &core->body->own.convex->box;
	const bvvol_similarity* placed = core->body->placed;
	core->center = bvconvex_body_point( core->body, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		core->axis[i] = placed ? bvmath_times( &placed->turn, box->axis[i] ) : box->axis[i];
		core->half[i] = placed ? placed->scale * box->half_extents[i] : box->half_extents[i];
	}
}

// The normal is transformed by the transposed inverse: the cofactors, divided by the determinant.
static void read_half_space( bvconvex_core* core )
{
	const bv_convex* shape = core->body->own.convex;
	const bvvol_similarity* placed = core->body->placed;
	bv_vec3 normal = bv_normalize( shape->normal );
	core->center =
		bvconvex_body_point( core->body, bv_scale( shape->offset / bv_length( shape->normal ), normal ) );
	if ( placed )
	{
		const bv_vec3* row = placed->turn.row;
		bv_vec3 first = bv_cross( row[1], row[2] );
		bv_vec3 turned = { bv_dot( first, normal ), bv_dot( bv_cross( row[2], row[0] ), normal ),
			               bv_dot( bv_cross( row[0], row[1] ), normal ) };
		normal = bv_normalize( bv_dot( first, row[0] ) < 0 ? bv_negate( turned ) : turned );
	}
	core->axis[0] = normal;
}

// Corners that are on a line up to a part of the rounding error that there is room for make a segment, and those on a point
// a point.
static void read_corners( const bvconvex_pair* pair, bvconvex_core* core )
{
	double enough = 0x1p-4 * pair->rounding;
	bv_vec3* p = core->corner;
	core->corners = (int)core->body->own.corners;
	for ( int i = 0; i < core->corners; ++i )
	{
		p[i] = bvconvex_body_point( core->body, core->body->own.hull.points[i] );
	}
	if ( core->corners == 3 )
	{
		double square[3];
		for ( int i = 0; i < 3; ++i )
		{
			bv_vec3 side = bv_sub( p[( i + 1 ) % 3], p[i] );
			square[i] = bv_dot( side, side );
		}
		int longest = square[0] >= square[1] && square[0] >= square[2] ? 0 : square[1] >= square[2] ? 1 : 2;
		bv_vec3 end[2] = { p[longest], p[( longest + 1 ) % 3] };
		bv_vec3 across = bv_cross( bv_sub( end[1], end[0] ), bv_sub( p[( longest + 2 ) % 3], end[0] ) );
		if ( bv_dot( across, across ) <= enough * enough * square[longest] )
		{
			core->corners = 2;
			p[0] = end[0];
			p[1] = end[1];
		}
	}
	if ( core->corners == 2 && bvmath_norm1( bv_sub( p[1], p[0] ) ) <= enough )
	{
		core->corners = 1;
	}
	core->kind = (bvconvex_core_kind)( bvconvex_core_point + core->corners - 1 );
}

static void read_core( const bvconvex_pair* pair, int which, bvconvex_core* out )
{
	out->body = pair->body + which;
	out->which = which;
	out->kind = kind_of( out->body );
	out->corners = 0;
	switch ( out->kind )
	{
	case bvconvex_core_box: read_box( out ); break;
	case bvconvex_core_half_space: read_half_space( out ); break;
	case bvconvex_core_other: break;
	default: read_corners( pair, out );
	}
}

bool bvconvex_pair_is_bounded( const bvconvex_pair* pair )
{
	return kind_of( pair->body ) != bvconvex_core_half_space &&
	       kind_of( pair->body + 1 ) != bvconvex_core_half_space;
}

static bvconvex_closed_form* form_of( bvconvex_core_kind a, bvconvex_core_kind b )
{
	return a <= b ? closed_forms[a][b] : closed_forms[b][a];
}

bool bvconvex_has_closed_form( const bvconvex_pair* pair )
{
	return form_of( kind_of( pair->body ), kind_of( pair->body + 1 ) ) != NULL;
}

static bv_vec3 hint_of( const bv_convex_cache* cache, bool swapped )
{
	bv_vec3 axis = { 0, 0, 0 };
	if ( cache )
	{
		axis = ( bv_vec3 ){ cache->axis[0], cache->axis[1], cache->axis[2] };
		bool usable = bvmath_norm1( axis ) > 0.5 && bvmath_norm1( axis ) < 2;
		axis = usable ? bv_normalize( swapped ? bv_negate( axis ) : axis ) : ( bv_vec3 ){ 0, 0, 0 };
	}
	return axis;
}

// Of coordinates below 2^-400, whose squares and products would vanish.
static bool is_tiny( const bvconvex_pair* pair )
{
	return !( pair->rounding > 0x1p-440 ) && bvconvex_pair_is_bounded( pair );
}

static double relative_of( const bvconvex_pair* pair, const bvconvex_asked* asked )
{
	return pair->closed_is_enough ? bvmath_max( asked->relative, 1e-6 ) : asked->relative;
}

// The signed distance of the cores.
// @param out  has infinite bounds, which remain where there is no closed form
static void find_gap( const bvconvex_pair* pair, const bvconvex_asked* asked, bool decides,
                      bv_convex_result* out )
{
	if ( !bvconvex_has_closed_form( pair ) || is_tiny( pair ) )
	{
		return;
	}
	bvconvex_core core[2];
	read_core( pair, 0, core );
	read_core( pair, 1, core + 1 );
	bool swapped = core[0].kind > core[1].kind;
	const bvconvex_cores cores = {
		.pair = pair,
		.core = { core + ( swapped ? 1 : 0 ), core + ( swapped ? 0 : 1 ) },
		.doubt = 2 * pair->rounding,
		.relative = relative_of( pair, asked ),
		.radius = pair->radius * ( 1 + 0x1p-51 ),
		.decides = decides,
		.hint = hint_of( asked->cache, swapped ),
	};
	form_of( core[0].kind, core[1].kind )( &cores, out );
	if ( swapped )
	{
		bv_vec3 first = out->point[0];
		out->point[0] = out->point[1];
		out->point[1] = first;
		out->normal = bv_negate( out->normal );
	}
}

static void add_radii( const bvconvex_pair* pair, bv_convex_result* out )
{
	double doubt = 0x1p-51 * pair->radius;
	out->lower -= pair->radius;
	out->upper -= pair->radius;
	out->lower -= doubt + 0x1p-52 * fabs( out->lower );
	out->upper += doubt + 0x1p-52 * fabs( out->upper );
	out->point[0] = bv_add( out->point[0], bv_scale( pair->one_radius[0], out->normal ) );
	out->point[1] = bv_sub( out->point[1], bv_scale( pair->one_radius[1], out->normal ) );
}

// Whether the cores are apart along the axis of the last query, or that from middle to middle. Separating axes find no
// distance then.
BVSIMD_NOINLINE bool are_axes_idle( const bvconvex_pair* pair, const bvconvex_asked* asked )
{
	if ( form_of( kind_of( pair->body ), kind_of( pair->body + 1 ) ) != bvconvex_closed_axes )
	{
		return false;
	}
	bv_vec3 axis = bvconvex_proof_remembered( asked->cache );
	axis = bv_normalize( bvmath_is_zero( axis ) ? bv_negate( bvconvex_pair_middle( pair ) ) : axis );
	uint32_t name[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	return bvconvex_pair_slab( pair, &axis, name ) > pair->rounding;
}

// Where closed forms were not narrow enough the last time. A polytope that is of no use is forgotten.
static bool resumes( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	if ( !asked->cache || asked->cache->faces == 0 )
	{
		return false;
	}
	bool found = bvconvex_gjk_epa_resumes( pair, asked, out );
	asked->cache->faces = found ? asked->cache->faces : 0;
	return found;
}

void bvconvex_closed_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bool has_form = bvconvex_has_closed_form( pair );
	if ( has_form && resumes( pair, asked, out ) )
	{
		return;
	}
	if ( !has_form || are_axes_idle( pair, asked ) )
	{
		bvconvex_gjk_epa_distance( pair, asked, out );
		return;
	}
	find_gap( pair, asked, false, out );
	if ( pair->radius > 0 && out->upper > -INFINITY )
	{
		add_radii( pair, out );
	}
	double least = bvmath_min( fabs( out->lower ), fabs( out->upper ) );
	bool narrow = least < INFINITY && out->upper - out->lower <= relative_of( pair, asked ) * least;
	if ( narrow || !bvconvex_pair_is_bounded( pair ) )
	{
		bvconvex_proof_remember( asked->cache, out->normal );
		return;
	}
	*out = ( bv_convex_result ){ .lower = -INFINITY, .upper = INFINITY };
	bvconvex_gjk_epa_distance( pair, asked, out );
}

void bvconvex_closed_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                              bv_convex_overlap_result* out )
{
	bv_convex_result gap = { .lower = -INFINITY, .upper = INFINITY };
	find_gap( pair, asked, true, &gap );
	double radius = pair->radius * ( 1 + 0x1p-51 );
	out->overlaps = !( gap.lower > radius );
	out->certain = !out->overlaps || gap.upper <= pair->radius * ( 1 - 0x1p-51 );
	out->axis = out->overlaps ? ( bv_vec3 ){ 0, 0, 0 } : gap.normal;
	out->supports = gap.supports;
	if ( out->certain || !bvconvex_pair_is_bounded( pair ) )
	{
		bvconvex_proof_remember( asked->cache, gap.normal );
		return;
	}
	bvconvex_gjk_epa_overlap( pair, asked, out );
}
