// libccd about the battery: GJK with EPA, and MPR. It has no distance and no casts; its answers to shapes that are apart are
// only decisions. Support functions are the caller's. In C++.

#pragma once

#include "tests/bench/battery_peer.h"

#include <ccd/ccd.h>
#include <ccd/vec3.h>

static inline bv_vec3 ccd_battery_local( const battery_shape& s, const bv_vec3& d )
{
	double across = std::sqrt( d.x * d.x + d.y * d.y ), length = bv_length( d );
	double side = across > 0 ? s.radius / across : 0, end = d.z > 0 ? s.half.z : -s.half.z;
	switch ( s.kind )
	{
	case battery_ball: return bv_scale( s.radius / length, d );
	case battery_box: return { d.x > 0 ? s.half.x : -s.half.x, d.y > 0 ? s.half.y : -s.half.y, end };
	case battery_capsule: return bv_add( { 0, 0, end }, bv_scale( s.radius / length, d ) );
	case battery_cylinder: return { side * d.x, side * d.y, end };
	case battery_cone:
		return s.half.z * d.z > s.radius * across - s.half.z * d.z
		           ? bv_vec3{ 0, 0, s.half.z }
		           : bv_vec3{ side * d.x, side * d.y, -s.half.z };
	default: break;
	}
	uint32_t best = 0;
	for ( uint32_t i = 1; i < s.count; ++i )
	{
		best = bv_dot( d, s.points[i] ) > bv_dot( d, s.points[best] ) ? i : best;
	}
	return s.points[best];
}

static inline void ccd_battery_support( const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out )
{
	const battery_shape& s = *static_cast<const battery_shape*>( object );
	const auto& r = s.rotation;
	const ccd_real_t* v = direction->v;
	bv_vec3 d = { r[0][0] * v[0] + r[1][0] * v[1] + r[2][0] * v[2],
		          r[0][1] * v[0] + r[1][1] * v[1] + r[2][1] * v[2],
		          r[0][2] * v[0] + r[1][2] * v[1] + r[2][2] * v[2] };
	bv_vec3 p = ccd_battery_local( s, d );
	ccdVec3Set( out, r[0][0] * p.x + r[0][1] * p.y + r[0][2] * p.z + s.position.x,
	            r[1][0] * p.x + r[1][1] * p.y + r[1][2] * p.z + s.position.y,
	            r[2][0] * p.x + r[2][1] * p.y + r[2][2] * p.z + s.position.z );
}

static inline void ccd_battery_center( const void* object, ccd_vec3_t* out )
{
	const battery_shape& s = *static_cast<const battery_shape*>( object );
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < s.count; ++i )
	{
		sum = bv_add( sum, bv_scale( 1.0 / s.count, s.points[i] ) );
	}
	const auto& r = s.rotation;
	ccdVec3Set( out, s.position.x + r[0][0] * sum.x + r[0][1] * sum.y + r[0][2] * sum.z,
	            s.position.y + r[1][0] * sum.x + r[1][1] * sum.y + r[1][2] * sum.z,
	            s.position.z + r[2][0] * sum.x + r[2][1] * sum.y + r[2][2] * sum.z );
}

struct ccd_battery : battery_peer
{
	ccd_t ccd;
	bool by_mpr;

	explicit ccd_battery( const char* called, bool mpr ) : battery_peer( called ), by_mpr( mpr )
	{
		CCD_INIT( &ccd );
		ccd.support1 = ccd.support2 = ccd_battery_support;
		ccd.center1 = ccd.center2 = ccd_battery_center;
		ccd.max_iterations = 1000;
		ccd.epa_tolerance = 1e-9; // with 1e-4, the default, two more cases are wrong
		ccd.mpr_tolerance = 1e-6;
	}

	void ask( const battery_pair& pair, battery_answer* answer ) override
	{
		if ( pair.is_cast )
		{
			return;
		}
		const void* a = &pair.shape[0];
		const void* b = &pair.shape[1];
		ccd_real_t depth = NAN;
		ccd_vec3_t n = { { NAN, NAN, NAN } }, p = n;
		int status = by_mpr ? ccdMPRPenetration( a, b, &ccd, &depth, &n, &p )
		                    : ccdGJKPenetration( a, b, &ccd, &depth, &n, &p );
		answer->is_given = true;
		answer->failure = status < -1 ? "error" : "";
		answer->meets = status == 0;
		if ( status == 0 )
		{
			answer->value = -depth;
			answer->normal = { n.v[0], n.v[1], n.v[2] };
			answer->contact = { p.v[0], p.v[1], p.v[2] };
		}
	}
};
