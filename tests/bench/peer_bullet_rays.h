// Queries of one mesh by Bullet: btBvhTriangleMeshShape with its quantized tree, without a collision world. Rays
// are btTriangleRaycastCallback, casts btTriangleConvexcastCallback, as in btCollisionWorld. Overlaps are the
// triangles whose boxes processAllTriangles reports, tested by the exact tests of libbv. Bullet has no way to
// end a query at the first triangle.
//
// A convex cast of Bullet looks for the first contact up to a tolerance of its own, 0.0001 of its units.

#pragma once

extern "C" {
#include "runtime/triangle/box.h"
#include "runtime/triangle/nearest.h"
}
#include "tests/bench/rays.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include <cmath>
#include <memory>

static inline btVector3 bullet_vector( bv_vec3 v )
{
	return { (btScalar)v.x, (btScalar)v.y, (btScalar)v.z };
}

struct bullet_first_hit : btTriangleRaycastCallback
{
	using btTriangleRaycastCallback::btTriangleRaycastCallback;

	btScalar reportHit( const btVector3&, btScalar fraction, int, int ) override
	{
		return fraction;
	}
};

struct bullet_first_contact : btTriangleConvexcastCallback
{
	using btTriangleConvexcastCallback::btTriangleConvexcastCallback;

	btScalar reportHit( const btVector3&, const btVector3&, btScalar fraction, int, int ) override
	{
		m_hitFraction = std::min( m_hitFraction, fraction );
		return m_hitFraction;
	}
};

// Triangles near a query, of which those that a test accepts are counted. The test gets their corners in
// binary64.
template <class test> struct bullet_count : btTriangleCallback
{
	const rays_mesh* mesh;
	const test* accepts;
	double count = 0;

	bullet_count( const rays_mesh* m, const test* t ) : mesh( m ), accepts( t )
	{
	}

	void processTriangle( btVector3*, int, int index ) override
	{
		count += ( *accepts )( &mesh->corner[3 * (size_t)index] );
	}
};

struct bullet_rays
{
	const rays_mesh* mesh;
	btTriangleIndexVertexArray arrays;
	std::unique_ptr<btBvhTriangleMeshShape> shape;

	explicit bullet_rays( const rays_mesh& m ) : mesh( &m )
	{
		btIndexedMesh part;
		part.m_numTriangles = (int)m.triangles();
		part.m_triangleIndexBase = (const unsigned char*)m.corners.data();
		part.m_triangleIndexStride = 3 * sizeof( int );
		part.m_numVertices = (int)( m.positions.size() / 3 );
		part.m_vertexBase = (const unsigned char*)m.positions.data();
		part.m_vertexStride = 3 * sizeof( float );
		part.m_vertexType = PHY_FLOAT;
		arrays.addIndexedMesh( part, PHY_INTEGER );
		shape = std::make_unique<btBvhTriangleMeshShape>( &arrays, true );
		shape->setMargin( 0 );
	}

	bullet_rays( const bullet_rays& ) = delete;

	double first_hit( const rays_query& q ) const
	{
		btVector3 from = bullet_vector( q.from );
		btVector3 to = from + rays_reach * bullet_vector( q.way );
		bullet_first_hit hit( from, to );
		shape->performRaycast( &hit, from, to );
		return hit.m_hitFraction < 1 ? (double)( rays_reach * hit.m_hitFraction ) : INFINITY;
	}

	double cast( const btConvexShape& moving, const btMatrix3x3& turn, const rays_query& q ) const
	{
		btTransform from( turn, bullet_vector( q.from ) );
		btTransform to( turn, bullet_vector( q.from ) + rays_reach * bullet_vector( q.way ) );
		bullet_first_contact hit( &moving, from, to, btTransform::getIdentity(), 0 );
		hit.m_hitFraction = 1;
		hit.m_allowedPenetration = 0;
		btVector3 lower;
		btVector3 upper;
		moving.getAabb( btTransform( turn ), lower, upper );
		shape->performConvexcast( &hit, from.getOrigin(), to.getOrigin(), lower, upper );
		return hit.m_hitFraction < 1 ? (double)( rays_reach * hit.m_hitFraction ) : INFINITY;
	}

	double ball_cast( const rays_query& q ) const
	{
		return cast( btSphereShape( (btScalar)q.size ), btMatrix3x3::getIdentity(), q );
	}

	double box_cast( const rays_query& q ) const
	{
		btMatrix3x3 turn;
		for ( int k = 0; k < 3; ++k )
		{
			btVector3 axis = bullet_vector( q.box.axis[k] );
			for ( int i = 0; i < 3; ++i )
			{
				turn[i][k] = axis[i];
			}
		}
		btScalar half = (btScalar)q.size;
		btBoxShape box( btVector3( half, half, half ) );
		box.setMargin( 0 );
		return cast( box, turn, q );
	}

	// @param extent  of the query along each axis
	template <class test> double count( const rays_query& q, const btVector3& extent, const test& t ) const
	{
		bullet_count<test> counted( mesh, &t );
		btVector3 center = bullet_vector( q.from );
		shape->processAllTriangles( &counted, center - extent, center + extent );
		return counted.count;
	}

	double ball( const rays_query& q ) const
	{
		btScalar r = (btScalar)q.size;
		double square = q.size * q.size;
		return count( q, btVector3( r, r, r ), [&]( const bv_vec3* corner ) {
			bvtri_nearest near;
			bvtri_nearest_on_triangle( q.from, corner, &near );
			return near.square <= square;
		} );
	}

	double box_of( const rays_query& q, const bv_obb& box ) const
	{
		btVector3 extent( 0, 0, 0 );
		for ( int k = 0; k < 3; ++k )
		{
			extent += (btScalar)box.half_extents[k] * bullet_vector( box.axis[k] ).absolute();
		}
		return count( q, extent,
		              [&]( const bv_vec3* corner ) { return bvtri_overlaps_box( corner, &box, 0 ); } );
	}

	double aligned( const rays_query& q ) const
	{
		bv_obb box = q.box;
		for ( int k = 0; k < 3; ++k )
		{
			box.axis[k] = { (double)( k == 0 ), (double)( k == 1 ), (double)( k == 2 ) };
		}
		return box_of( q, box );
	}
};

static inline rays_entrant make_bullet( const rays_mesh& mesh )
{
	auto b = std::make_shared<bullet_rays>( mesh );
	rays_entrant out = { "Bullet", {} };
	out.answers[question::first_hit] = [b]( const rays_query& q ) { return b->first_hit( q ); };
	out.answers[question::ball_all] = [b]( const rays_query& q ) { return b->ball( q ); };
	out.answers[question::box_all] = [b]( const rays_query& q ) { return b->box_of( q, q.box ); };
	out.answers[question::aligned_all] = [b]( const rays_query& q ) { return b->aligned( q ); };
	out.answers[question::ball_cast] = [b]( const rays_query& q ) { return b->ball_cast( q ); };
	out.answers[question::box_cast] = [b]( const rays_query& q ) { return b->box_cast( q ); };
	return out;
}
