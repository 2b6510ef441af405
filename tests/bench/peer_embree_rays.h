// Queries of one mesh by Embree: rtcIntersect1, rtcOccluded1 and rtcPointQuery, which visits the triangles
// within a radius. Scenes are of high quality, except for counts of triangles: the trees of such scenes have
// parts of a triangle in several places, and report it as often. The exact distance of a triangle is that of
// libbv.

#pragma once

extern "C" {
#include "runtime/triangle/nearest.h"
}
#include "tests/bench/peer_embree.h"
#include "tests/bench/rays.h"

#include <memory>

struct embree_rays
{
	RTCDevice device;
	RTCScene scene;
	const rays_mesh* mesh;

	embree_rays( const rays_mesh& m, RTCSceneFlags flags, RTCBuildQuality quality )
		: device( rtcNewDevice( "threads=1" ) ), mesh( &m )
	{
		RTCGeometry geometry = rtcNewGeometry( device, RTC_GEOMETRY_TYPE_TRIANGLE );
		scene = rtcNewScene( device );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
		                            m.positions.data(), 0, 12, m.positions.size() / 3 );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m.corners.data(), 0,
		                            12, m.corners.size() / 3 );
		rtcSetGeometryBuildQuality( geometry, quality );
		rtcCommitGeometry( geometry );
		rtcAttachGeometry( scene, geometry );
		rtcReleaseGeometry( geometry );
		rtcSetSceneFlags( scene, flags );
		rtcSetSceneBuildQuality( scene, quality );
		rtcCommitScene( scene );
	}

	embree_rays( const embree_rays& ) = delete;

	~embree_rays()
	{
		rtcReleaseScene( scene );
		rtcReleaseDevice( device );
	}

	static RTCRay ray_of( const rays_query& q )
	{
		RTCRay ray = {};
		ray.org_x = (float)q.from.x;
		ray.org_y = (float)q.from.y;
		ray.org_z = (float)q.from.z;
		ray.dir_x = (float)q.way.x;
		ray.dir_y = (float)q.way.y;
		ray.dir_z = (float)q.way.z;
		ray.tfar = INFINITY;
		ray.mask = ~0u;
		return ray;
	}

	double first_hit( const rays_query& q ) const
	{
		RTCIntersectContext context;
		rtcInitIntersectContext( &context );
		RTCRayHit hit;
		hit.ray = ray_of( q );
		hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
		rtcIntersect1( scene, &context, &hit );
		return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : (double)hit.ray.tfar;
	}

	double any_hit( const rays_query& q ) const
	{
		RTCIntersectContext context;
		rtcInitIntersectContext( &context );
		RTCRay ray = ray_of( q );
		rtcOccluded1( scene, &context, &ray );
		return ray.tfar < 0 ? 1 : 0;
	}

	// Of a query of points.
	struct progress
	{
		const rays_mesh* mesh;
		bv_vec3 point;
		double square; // of the distance, or of the radius
		double count;
		bool first;
	};

	static bool look_for_nearer( RTCPointQueryFunctionArguments* a )
	{
		auto* p = (progress*)a->userPtr;
		bvtri_nearest near;
		bvtri_nearest_on_triangle( p->point, &p->mesh->corner[3 * (size_t)a->primID], &near );
		if ( near.square >= p->square )
		{
			return false;
		}
		p->square = near.square;
		a->query->radius = (float)std::sqrt( near.square );
		return true;
	}

	static bool count_within( RTCPointQueryFunctionArguments* a )
	{
		auto* p = (progress*)a->userPtr;
		bvtri_nearest near;
		if ( p->first && p->count > 0 )
		{
			return false;
		}
		bvtri_nearest_on_triangle( p->point, &p->mesh->corner[3 * (size_t)a->primID], &near );
		p->count += near.square <= p->square;
		if ( p->first && p->count > 0 )
		{
			a->query->radius = 0;
			return true;
		}
		return false;
	}

	progress visit( const rays_query& q, float radius, bool first, RTCPointQueryFunction look ) const
	{
		RTCPointQueryContext context;
		rtcInitPointQueryContext( &context );
		RTCPointQuery point = { (float)q.from.x, (float)q.from.y, (float)q.from.z, 0, radius };
		progress p = { mesh, q.from, (double)radius * radius, 0, first };
		rtcPointQuery( scene, &point, &context, look, &p );
		return p;
	}
};

static inline rays_entrant embree_entrant( const char* name, const std::shared_ptr<embree_rays>& e )
{
	rays_entrant out = { name, {} };
	out.answers[question::first_hit] = [e]( const rays_query& q ) { return e->first_hit( q ); };
	out.answers[question::any_hit] = [e]( const rays_query& q ) { return e->any_hit( q ); };
	return out;
}

static inline rays_entrant make_embree_robust( const rays_mesh& mesh )
{
	return embree_entrant( "Embree robust", std::make_shared<embree_rays>( mesh, RTC_SCENE_FLAG_ROBUST,
	                                                                       RTC_BUILD_QUALITY_HIGH ) );
}

static inline rays_entrant make_embree( const rays_mesh& mesh )
{
	auto e = std::make_shared<embree_rays>( mesh, RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_HIGH );
	auto once = std::make_shared<embree_rays>( mesh, RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_MEDIUM );
	rays_entrant out = embree_entrant( "Embree", e );
	out.answers[question::closest_point] = [e]( const rays_query& q ) {
		return std::sqrt( e->visit( q, INFINITY, false, embree_rays::look_for_nearer ).square );
	};
	out.answers[question::ball_all] = [once]( const rays_query& q ) {
		return once->visit( q, (float)q.size, false, embree_rays::count_within ).count;
	};
	out.answers[question::ball_first] = [e]( const rays_query& q ) {
		return e->visit( q, (float)q.size, true, embree_rays::count_within ).count;
	};
	return out;
}
