// Bullet about the battery: btGjkPairDetector with EPA, as its collision algorithms use it, and btContinuousConvexCollision, as
// its sweep tests do. Boxes and cylinders have its default margins, which are inside of them and round their edges: without margins
// three more cases are wrong. Those of cones, hulls and triangles would be outside: they are 0. In double or float precision, by
// BT_USE_DOUBLE_PRECISION. In C++.

#pragma once

#include "tests/bench/battery_peer.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

struct bullet_battery : battery_peer
{
	btVoronoiSimplexSolver simplex;
	btGjkEpaPenetrationDepthSolver epa;

	using battery_peer::battery_peer;

	static btVector3 bullet_vec( const bv_vec3& v )
	{
		return btVector3( (btScalar)v.x, (btScalar)v.y, (btScalar)v.z );
	}

	static bv_vec3 vec( const btVector3& v )
	{
		return { v.x(), v.y(), v.z() };
	}

	static std::unique_ptr<btConvexShape> solid_of( const battery_shape& s )
	{
		btScalar radius = (btScalar)s.radius, half = (btScalar)s.half.z;
		std::unique_ptr<btConvexShape> out;
		switch ( s.kind ) // the margin of balls and capsules is their radius
		{
		case battery_ball: return std::make_unique<btSphereShape>( radius );
		case battery_capsule: return std::make_unique<btCapsuleShapeZ>( radius, 2 * half );
		case battery_box: out = std::make_unique<btBoxShape>( bullet_vec( s.half ) ); break;
		case battery_cylinder:
			out = std::make_unique<btCylinderShapeZ>( btVector3( radius, radius, half ) );
			break;
		case battery_cone:
			out = std::make_unique<btConeShapeZ>( radius, 2 * half );
			out->setMargin( 0 );
			break;
		default:
			if ( s.count == 3 )
			{
				out = std::make_unique<btTriangleShape>( bullet_vec( s.points[0] ), bullet_vec( s.points[1] ),
				                                         bullet_vec( s.points[2] ) );
			}
			else
			{
				auto hull = std::make_unique<btConvexHullShape>();
				for ( uint32_t i = 0; i < s.count; ++i )
				{
					hull->addPoint( bullet_vec( s.points[i] ) );
				}
				out = std::move( hull );
			}
			out->setMargin( 0 );
		}
		return out;
	}

	static btTransform pose_of( const battery_shape& s, const bv_vec3& position )
	{
		btMatrix3x3 turn;
		for ( int i = 0; i < 3; ++i )
		{
			turn[i] = btVector3( (btScalar)s.rotation[i][0], (btScalar)s.rotation[i][1],
			                     (btScalar)s.rotation[i][2] );
		}
		return btTransform( turn, bullet_vec( position ) );
	}

	void ask( const battery_pair& pair, battery_answer* answer ) override
	{
		auto a = solid_of( pair.shape[0] ), b = solid_of( pair.shape[1] );
		btTransform at_a = pose_of( pair.shape[0], pair.shape[0].position );
		btTransform at_b = pose_of( pair.shape[1], pair.shape[1].position );
		answer->is_given = true;
		if ( pair.is_cast )
		{
			btContinuousConvexCollision caster( a.get(), b.get(), &simplex, &epa );
			btConvexCast::CastResult result;
			result.m_fraction = 1;
			answer->meets =
				caster.calcTimeOfImpact( at_a, pose_of( pair.shape[0], moved_by( pair, 0 ) ), at_b,
			                             pose_of( pair.shape[1], moved_by( pair, 1 ) ), result );
			if ( answer->meets )
			{
				answer->value = result.m_fraction * pair.limit;
				answer->normal = bv_negate( vec( result.m_normal ) );
				answer->contact = vec( result.m_hitPoint );
			}
			return;
		}
		btGjkPairDetector detector( a.get(), b.get(), &simplex, &epa );
		btGjkPairDetector::ClosestPointInput input;
		btPointCollector output;
		input.m_transformA = at_a;
		input.m_transformB = at_b;
		detector.getClosestPoints( input, output, nullptr );
		answer->failure = output.m_hasResult ? "" : "no-result";
		if ( output.m_hasResult )
		{
			answer->value = output.m_distance;
			answer->meets = output.m_distance <= 0;
			bv_vec3 n = vec( output.m_normalOnBInWorld );
			answer->normal = bv_negate( n );
			answer->point[1] = vec( output.m_pointInWorld );
			answer->point[0] = bv_add( answer->point[1], bv_scale( output.m_distance, n ) );
		}
	}
};
