// Bullet about pairs of convex shapes, in its double precision build, with margins of 0: btGjkPairDetector, with EPA
// for depths, as its collision algorithms use it; btGjkEpaSolver2 by itself. In C++.

#pragma once

#include "tests/bench/convex_entrant.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

static_assert( sizeof( btScalar ) == sizeof( double ), "Bullet's double precision build" );

enum bullet_function
{
	bullet_pair_detector,
	bullet_pair_detector_epa,
	bullet_epa2_distance,
	bullet_epa2_penetration,
};

struct bullet_entrant : convex_entrant
{
	bullet_function function;
	std::vector<std::unique_ptr<btConvexShape>> solids;
	std::vector<std::vector<btTransform>> poses;
	std::vector<btVector3> guesses; // from the last pose
	btVoronoiSimplexSolver simplex;
	btGjkEpaPenetrationDepthSolver epa;

	bullet_entrant( const char* by, convex_query what, bullet_function f )
		: convex_entrant( "Bullet", by, what, f == bullet_epa2_distance || f == bullet_epa2_penetration ),
		  function( f )
	{
	}

	void load( const convex_scene& scene ) override
	{
		solids.clear();
		poses.clear();
		guesses.assign( scene.pairs.size(), btVector3( 0, 0, 0 ) );
		for ( const auto& pair : scene.pairs )
		{
			for ( const convex_shape& shape : pair->shape )
			{
				solids.push_back( make( shape ) );
			}
			poses.emplace_back();
			for ( const bv_transform& at : pair->poses )
			{
				const auto& r = at.pose.rotation;
				const bv_vec3& t = at.pose.translation;
				btMatrix3x3 turn( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1],
				                  r[2][2] );
				poses.back().emplace_back( turn, btVector3( t.x, t.y, t.z ) );
			}
		}
	}

	static std::unique_ptr<btConvexShape> make( const convex_shape& like )
	{
		std::unique_ptr<btConvexShape> out;
		if ( like.ball > 0 )
		{
			return std::make_unique<btSphereShape>( like.ball ); // whose margin is its radius
		}
		if ( like.box )
		{
			out = std::make_unique<btBoxShape>( btVector3( like.half.x, like.half.y, like.half.z ) );
		}
		else
		{
			std::vector<btVector3> points;
			for ( const bv_vec3& p : like.points )
			{
				points.emplace_back( p.x, p.y, p.z );
			}
			out = std::make_unique<btConvexHullShape>( &points[0][0], (int)points.size() );
		}
		out->setMargin( 0 );
		return out;
	}

	double ask( size_t pair, size_t pose, bool coherent ) override
	{
		const btConvexShape* a = solids[2 * pair].get();
		const btConvexShape* b = solids[2 * pair + 1].get();
		const btTransform& at = poses[pair][pose];
		if ( function == bullet_pair_detector || function == bullet_pair_detector_epa )
		{
			return detect( a, b, at );
		}
		btGjkEpaSolver2::sResults results;
		btVector3& guess = guesses[pair];
		if ( !coherent )
		{
			guess = at.getOrigin();
		}
		bool found =
			function == bullet_epa2_distance
				? btGjkEpaSolver2::Distance( a, btTransform::getIdentity(), b, at, guess, results )
				: btGjkEpaSolver2::Penetration( a, btTransform::getIdentity(), b, at, guess, results );
		if ( found )
		{
			guess = results.witnesses[0] - results.witnesses[1];
		}
		if ( query == query_distance )
		{
			return found ? results.distance : 0;
		}
		return found ? -results.distance : results.status == btGjkEpaSolver2::sResults::Separated ? -1 : NAN;
	}

	double detect( const btConvexShape* a, const btConvexShape* b, const btTransform& at )
	{
		bool deep = function == bullet_pair_detector_epa;
		btGjkPairDetector detector( a, b, &simplex, deep ? &epa : nullptr );
		btGjkPairDetector::ClosestPointInput input;
		btPointCollector output;
		input.m_transformA = btTransform::getIdentity();
		input.m_transformB = at;
		detector.getClosestPoints( input, output, nullptr );
		if ( query == query_distance )
		{
			return output.m_hasResult ? std::max( output.m_distance, 0.0 ) : 0;
		}
		return output.m_hasResult ? -output.m_distance : NAN;
	}
};
