// Boxes and cylinders as meshes, and the choice by type. See bvbuild/tessellate.h.

#include "offline/fit/tessellate.h"

#include "offline/base/error.h"
#include "offline/base/frame.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>
#include <string.h>

bool bvfit_tessellation_begin( bvb_tessellation* out, uint32_t vertices, uint32_t triangles,
                               bvb_arena* arena )
{
	*out = ( bvb_tessellation ){
		.mesh = {
			.positions = bvb_arena_allocate( arena, vertices, sizeof *out->mesh.positions ),
			.triangles = bvb_arena_allocate( arena, triangles, sizeof *out->mesh.triangles ),
			.vertex_count = vertices,
			.triangle_count = triangles,
		},
	};
	return out->mesh.positions && out->mesh.triangles;
}

static bool is_same( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Bit k of a corner's number says on which side it is along axis k. @return whether the sides along an axis
// coincide
static bool is_flat( const bv_vec3 corner[8], int axis )
{
	bool flat = true;
	for ( int i = 0; i < 8; ++i )
	{
		flat = flat && is_same( corner[i], corner[i ^ 1 << axis] );
	}
	return flat;
}

static bool make_solid( const bv_vec3 corner[8], bvb_arena* arena, bvb_tessellation* out )
{
	static const bvb_triangle triangles[12] = {
		{ { 0, 2, 3 } }, { { 0, 3, 1 } }, { { 4, 5, 7 } }, { { 4, 7, 6 } }, { { 0, 1, 5 } }, { { 0, 5, 4 } },
		{ { 2, 6, 7 } }, { { 2, 7, 3 } }, { { 0, 4, 6 } }, { { 0, 6, 2 } }, { { 1, 3, 7 } }, { { 1, 7, 5 } },
	};
	if ( !bvfit_tessellation_begin( out, 8, 12, arena ) )
	{
		return false;
	}
	memcpy( out->mesh.positions, corner, 8 * sizeof *corner );
	memcpy( out->mesh.triangles, triangles, sizeof triangles );
	return true;
}

// A rectangle, or what is left of one. Its two sides are cut along two diagonals, so that no edge belongs to
// both.
static bool make_flat( const bv_vec3 corner[8], const bool flat[3], bvb_arena* arena, bvb_tessellation* out )
{
	static const bvb_triangle triangles[4] = {
		{ { 0, 1, 3 } }, { { 0, 3, 2 } }, { { 0, 2, 1 } }, { { 1, 2, 3 } }
	};
	uint32_t thin = (uint32_t)flat[0] + flat[1] + flat[2];
	if ( !bvfit_tessellation_begin( out, 8u >> thin, thin == 1 ? 4 : 0, arena ) )
	{
		return false;
	}
	uint32_t count = 0;
	for ( int i = 0; i < 8; ++i )
	{
		bool first = true;
		for ( int k = 0; k < 3; ++k )
		{
			first = first && !( flat[k] && i >> k & 1 );
		}
		if ( first )
		{
			out->mesh.positions[count++] = corner[i];
		}
	}
	if ( thin == 1 )
	{
		memcpy( out->mesh.triangles, triangles, sizeof triangles );
	}
	return true;
}

static bool make_box( const bv_vec3 corner[8], bvb_arena* arena, bvb_tessellation* out )
{
	const bool flat[3] = { is_flat( corner, 0 ), is_flat( corner, 1 ), is_flat( corner, 2 ) };
	return flat[0] || flat[1] || flat[2] ? make_flat( corner, flat, arena, out )
	                                     : make_solid( corner, arena, out );
}

static bool make_aabb( const bv_aabb* box, bvb_arena* arena, bvb_tessellation* out )
{
	bv_vec3 corner[8];
	for ( int i = 0; i < 8; ++i )
	{
		corner[i] = ( bv_vec3 ){ i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y,
			                     i & 4 ? box->upper.z : box->lower.z };
	}
	return make_box( corner, arena, out );
}

static bool make_oriented( bv_vec3 center, const bv_vec3 axis[3], const double half_extents[3],
                           bvb_arena* arena, bvb_tessellation* out )
{
	bv_vec3 corner[8];
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 x = { 0, 0, 0 };
		for ( int k = 0; k < 3; ++k )
		{
			x = bv_add( x, bv_scale( i >> k & 1 ? half_extents[k] : -half_extents[k], axis[k] ) );
		}
		corner[i] = bv_add( center, x );
	}
	return make_box( corner, arena, out );
}

// Of no width or height it is a rectangle, of no length a triangle with two sides.
static bool make_prism( const bv_obb* box, bvb_arena* arena, bvb_tessellation* out )
{
	static const bvb_triangle triangles[8] = {
		{ { 0, 2, 1 } }, { { 3, 4, 5 } }, { { 0, 1, 4 } }, { { 0, 4, 3 } },
		{ { 1, 2, 5 } }, { { 1, 5, 4 } }, { { 2, 0, 3 } }, { { 2, 3, 5 } },
	};
	static const bvb_triangle two_sides[2] = { { { 0, 2, 1 } }, { { 0, 1, 2 } } };
	const double* h = box->half_extents;
	bv_vec3 corner[6];
	for ( int i = 0; i < 6; ++i )
	{
		bv_vec3 x = bv_scale( i % 3 == 0 ? -h[0] : i % 3 == 1 ? h[0] : 0, box->axis[0] );
		x = bv_add( x, bv_scale( i % 3 == 2 ? h[1] : -h[1], box->axis[1] ) );
		corner[i] = bv_add( box->center, bv_add( x, bv_scale( i < 3 ? -h[2] : h[2], box->axis[2] ) ) );
	}
	bool tip = !is_same( corner[0], corner[1] ) && !is_same( corner[1], corner[2] ) &&
	           !is_same( corner[2], corner[0] );
	if ( !tip || !( h[0] > 0 && h[1] > 0 ) )
	{
		return make_oriented( box->center, box->axis, h, arena, out );
	}
	bool flat =
		is_same( corner[0], corner[3] ) || is_same( corner[1], corner[4] ) || is_same( corner[2], corner[5] );
	if ( !bvfit_tessellation_begin( out, flat ? 3 : 6, flat ? 2 : 8, arena ) )
	{
		return false;
	}
	memcpy( out->mesh.positions, corner, ( flat ? 3 : 6 ) * sizeof *corner );
	memcpy( out->mesh.triangles, flat ? two_sides : triangles, ( flat ? 2 : 8 ) * sizeof *triangles );
	return true;
}

static bool make_rounded( const bv_volume* volume, uint32_t sides, bvb_arena* arena, bvb_tessellation* out )
{
	bvvol_rounded v = bvvol_volume_rounded( volume );
	bvfit_round_box body = {
		.center = v.center,
		.axis = { v.axis[0], v.axis[1], v.axis[2] },
		.half_extents = { v.half_extents[0], v.half_extents[1], v.half_extents[2] },
		.radius = v.radius,
	};
	return body.radius > 0 ? bvfit_tessellate_round_box( &body, sides, arena, out )
	                       : make_oriented( body.center, body.axis, body.half_extents, arena, out );
}

static bool make( const bv_volume* volume, uint32_t sides, bvb_arena* arena, bvb_tessellation* out )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	return kind->form == bvvol_form_slabs     ? bvfit_tessellate_kdop( &volume->kdop, arena, out )
	       : kind->form == bvvol_form_upright ? make_aabb( &volume->aabb, arena, out )
	       : kind->tapered                    ? make_prism( &volume->prism.box, arena, out )
	                                          : make_rounded( volume, sides, arena, out );
}

static bv_status check_sides( uint32_t* sides, bvb_error* error )
{
	*sides = *sides > 0 ? *sides : BVB_TESSELLATION_SIDES;
	return *sides <= BVB_TESSELLATION_MAX_SIDES
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument, "a round volume can have at most %d sides, not %u",
	                          BVB_TESSELLATION_MAX_SIDES, (unsigned)*sides );
}

bv_status bvb_tessellate( const bv_volume* volume, uint32_t sides, bvb_arena* arena, bvb_tessellation* out,
                          bvb_error* error )
{
	*out = ( bvb_tessellation ){ 0 };
	bv_status status = check_sides( &sides, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( (uint32_t)volume->type >= bv_volume_types )
	{
		return bvbase_fail( error, bv_error_argument, "unknown volume type %d", (int)volume->type );
	}
	return make( volume, sides, arena, out ) ? bv_ok : bvbase_fail_memory( error );
}

// A frame whose last axis runs from one end to the other, and half the distance of the two.
static double find_axes( const bv_vec3 ends[2], bv_vec3 axis[3] )
{
	bv_vec3 along = bv_sub( ends[1], ends[0] );
	double largest = bvmath_largest( along );
	bv_vec3 scaled = { along.x / largest, along.y / largest, along.z / largest };
	double length = largest > 0 ? sqrt( bv_dot( scaled, scaled ) ) : 0;
	axis[2] = length > 0 ? bv_scale( 1 / length, scaled ) : ( bv_vec3 ){ 0, 0, 1 };
	axis[0] = bvbase_perpendicular( axis[2] );
	axis[1] = bv_cross( axis[2], axis[0] );
	return 0.5 * largest * length;
}

static bv_vec3 middle_of( const bv_vec3 ends[2] )
{
	return bv_add( bv_scale( 0.5, ends[0] ), bv_scale( 0.5, ends[1] ) );
}

bv_status bvb_tessellate_capsule( const bv_capsule* capsule, uint32_t sides, bvb_arena* arena,
                                  bvb_tessellation* out, bvb_error* error )
{
	*out = ( bvb_tessellation ){ 0 };
	bv_status status = check_sides( &sides, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvfit_round_box body = { .center = middle_of( capsule->ends ), .radius = capsule->radius };
	body.half_extents[2] = find_axes( capsule->ends, body.axis );
	bool made = body.radius > 0 ? bvfit_tessellate_round_box( &body, sides, arena, out )
	                            : make_oriented( body.center, body.axis, body.half_extents, arena, out );
	return made ? bv_ok : bvbase_fail_memory( error );
}

// A prism around the cylinder, over four times as many sides.
static void fill_prism( const bv_vec3 ring[4 * BVB_TESSELLATION_MAX_SIDES], uint32_t count, bv_vec3 center,
                        bv_vec3 half, bvb_mesh* out )
{
	bvb_triangle* t = out->triangles;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t next = i + 1 < count ? i + 1 : 0;
		out->positions[i] = bv_add( center, bv_sub( ring[i], half ) );
		out->positions[count + i] = bv_add( center, bv_add( ring[i], half ) );
		*t++ = ( bvb_triangle ){ { i, next, count + next } };
		*t++ = ( bvb_triangle ){ { i, count + next, count + i } };
	}
	for ( uint32_t i = 2; i < count; ++i )
	{
		*t++ = ( bvb_triangle ){ { 0, i, i - 1 } };
		*t++ = ( bvb_triangle ){ { count, count + i - 1, count + i } };
	}
}

// The polygon around a circle whose corners are, in each quarter, in the directions ( sides - i, i ).
// @return how far out the corners are, so that the sides touch a circle of radius 1
static double fill_ring( uint32_t sides, double x[], double y[] )
{
	double nearest = 1;
	for ( uint32_t i = 0; i < 4 * sides; ++i )
	{
		uint32_t quarter = i / sides;
		double v = i % sides;
		double u = sides - v;
		double length = sqrt( u * u + v * v );
		x[i] = ( quarter == 0 ? u : quarter == 1 ? -v : quarter == 2 ? -u : v ) / length;
		y[i] = ( quarter == 0 ? v : quarter == 1 ? u : quarter == 2 ? -v : -u ) / length;
		if ( i > 0 )
		{
			double a = 0.5 * ( x[i - 1] + x[i] );
			double b = 0.5 * ( y[i - 1] + y[i] );
			nearest = bvmath_min( nearest, sqrt( a * a + b * b ) );
		}
	}
	return 1 / nearest;
}

bv_status bvb_tessellate_cylinder( const bv_cylinder* cylinder, uint32_t sides, bvb_arena* arena,
                                   bvb_tessellation* out, bvb_error* error )
{
	*out = ( bvb_tessellation ){ 0 };
	bv_status status = check_sides( &sides, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bv_vec3 axis[3];
	double half = find_axes( cylinder->ends, axis );
	bv_vec3 center = middle_of( cylinder->ends );
	if ( half == 0 || cylinder->radius == 0 )
	{
		return make_oriented( center, axis, ( const double[3] ){ 0, 0, half }, arena, out )
		           ? bv_ok
		           : bvbase_fail_memory( error );
	}
	uint32_t count = 4 * sides;
	double x[4 * BVB_TESSELLATION_MAX_SIDES];
	double y[4 * BVB_TESSELLATION_MAX_SIDES];
	bv_vec3 ring[4 * BVB_TESSELLATION_MAX_SIDES];
	double rounding = 0x1p-48 * ( bvmath_norm1( center ) + half + cylinder->radius );
	double outer = fill_ring( sides, x, y ) * ( cylinder->radius + rounding );
	for ( uint32_t i = 0; i < count; ++i )
	{
		ring[i] = bv_add( bv_scale( outer * x[i], axis[0] ), bv_scale( outer * y[i], axis[1] ) );
	}
	if ( !bvfit_tessellation_begin( out, 2 * count, 4 * count - 4, arena ) )
	{
		return bvbase_fail_memory( error );
	}
	fill_prism( ring, count, center, bv_scale( half + rounding, axis[2] ), &out->mesh );
	out->standoff = ( outer - cylinder->radius ) + 4 * rounding;
	return bv_ok;
}
