// libccd about pairs of convex shapes. Support functions are the caller's: the sign of each coordinate for boxes, all
// points up to 32 corners, and climbing along edges from the last answer beyond. libccd 2.1 has no distance. In C++.

#pragma once

#include "tests/bench/convex_entrant.h"

#include <ccd/ccd.h>
#include <ccd/vec3.h>

struct ccd_body
{
	const convex_shape* shape;
	const bv_transform* at; // null for the identity
	mutable uint32_t last;
	mutable ccd_vec3_t along; // of the last support
	bool begins_along;        // with that, instead of with the default
};

static inline uint32_t ccd_corner( const ccd_body& body, bv_vec3 d )
{
	const std::vector<bv_vec3>& p = body.shape->points;
	if ( p.size() <= 32 )
	{
		uint32_t best = 0;
		double most = bv_dot( d, p[0] );
		for ( uint32_t i = 1; i < p.size(); ++i )
		{
			double at = bv_dot( d, p[i] );
			if ( at > most )
			{
				most = at;
				best = i;
			}
		}
		return best;
	}
	uint32_t best = body.last;
	double most = bv_dot( d, p[best] );
	for ( uint32_t here = UINT32_MAX; here != best; )
	{
		here = best;
		for ( uint32_t i = body.shape->first_neighbor[here]; i < body.shape->first_neighbor[here + 1]; ++i )
		{
			uint32_t other = body.shape->neighbors[i];
			double at = bv_dot( d, p[other] );
			bool better = at > most; // without a branch, which would be mispredicted
			best = better ? other : best;
			most = better ? at : most;
		}
	}
	body.last = best;
	return best;
}

static inline void ccd_support( const void* object, const ccd_vec3_t* dir, ccd_vec3_t* out )
{
	const ccd_body& body = *static_cast<const ccd_body*>( object );
	bv_vec3 d = { dir->v[0], dir->v[1], dir->v[2] };
	if ( body.at )
	{
		const auto& r = body.at->pose.rotation;
		d = { r[0][0] * d.x + r[1][0] * d.y + r[2][0] * d.z, r[0][1] * d.x + r[1][1] * d.y + r[2][1] * d.z,
			  r[0][2] * d.x + r[1][2] * d.y + r[2][2] * d.z };
	}
	bv_vec3 p;
	if ( body.shape->ball > 0 )
	{
		p = bv_scale( body.shape->ball / bv_length( d ), d );
	}
	else if ( body.shape->box )
	{
		const bv_vec3& h = body.shape->half;
		p = { d.x > 0 ? h.x : -h.x, d.y > 0 ? h.y : -h.y, d.z > 0 ? h.z : -h.z };
	}
	else
	{
		p = body.shape->points[ccd_corner( body, d )];
	}
	if ( body.at )
	{
		const auto& r = body.at->pose.rotation;
		const bv_vec3& t = body.at->pose.translation;
		p = { r[0][0] * p.x + r[0][1] * p.y + r[0][2] * p.z + t.x,
			  r[1][0] * p.x + r[1][1] * p.y + r[1][2] * p.z + t.y,
			  r[2][0] * p.x + r[2][1] * p.y + r[2][2] * p.z + t.z };
	}
	else
	{
		body.along = *dir;
	}
	ccdVec3Set( out, p.x, p.y, p.z );
}

static inline void ccd_center( const void* object, ccd_vec3_t* out )
{
	const ccd_body& body = *static_cast<const ccd_body*>( object );
	bv_vec3 t = body.at ? body.at->pose.translation : bv_vec3{ 0, 0, 0 };
	ccdVec3Set( out, t.x, t.y, t.z );
}

static inline void ccd_begin( const void* first, const void* second, ccd_vec3_t* dir )
{
	const ccd_body& body = *static_cast<const ccd_body*>( first );
	if ( body.begins_along )
	{
		*dir = body.along;
	}
	else
	{
		ccdFirstDirDefault( first, second, dir );
	}
}

enum ccd_function
{
	ccd_gjk_intersect,
	ccd_gjk_penetration,
	ccd_mpr_intersect,
	ccd_mpr_penetration,
};

struct ccd_entrant : convex_entrant
{
	ccd_function function;
	ccd_t ccd;
	std::vector<ccd_body> bodies;
	const convex_scene* scene = nullptr;

	ccd_entrant( const char* by, convex_query what, ccd_function f, double epa_tolerance = 1e-4 )
		: convex_entrant( "libccd", by, what, f == ccd_gjk_intersect || f == ccd_gjk_penetration ),
		  function( f )
	{
		CCD_INIT( &ccd );
		ccd.first_dir = ccd_begin;
		ccd.support1 = ccd.support2 = ccd_support;
		ccd.center1 = ccd.center2 = ccd_center;
		ccd.epa_tolerance = epa_tolerance;
		ccd.max_iterations = 100; // as its README has it: without a limit it can hang
	}

	void load( const convex_scene& s ) override
	{
		scene = &s;
		bodies.clear();
		for ( const auto& pair : s.pairs )
		{
			bodies.push_back( { &pair->shape[0], nullptr, 0, {}, false } );
			bodies.push_back( { &pair->shape[1], nullptr, 0, {}, false } );
		}
	}

	double ask( size_t pair, size_t pose, bool coherent ) override
	{
		ccd_body& a = bodies[2 * pair];
		ccd_body& b = bodies[2 * pair + 1];
		b.at = &scene->pairs[pair]->poses[pose];
		// EPA takes twice as long from the simplex that this leads to.
		a.begins_along = coherent && function == ccd_gjk_intersect;
		if ( !coherent )
		{
			a.last = b.last = 0;
		}
		ccd_real_t depth;
		ccd_vec3_t direction;
		ccd_vec3_t position;
		int status;
		switch ( function )
		{
		case ccd_gjk_intersect: return ccdGJKIntersect( &a, &b, &ccd );
		case ccd_mpr_intersect: return ccdMPRIntersect( &a, &b, &ccd );
		case ccd_gjk_penetration:
			status = ccdGJKPenetration( &a, &b, &ccd, &depth, &direction, &position );
			break;
		default: status = ccdMPRPenetration( &a, &b, &ccd, &depth, &direction, &position ); break;
		}
		return status == 0 ? depth : status == -1 ? -1 : NAN;
	}
};
