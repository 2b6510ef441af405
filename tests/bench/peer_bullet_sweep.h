// Bullet about things that fly through walls, in its double precision build: btContinuousConvexCollision, and the casts that only
// translate, in the orientation at the start. In C++.
//
// btContinuousConvexCollision turns by at most pi / 4 in one call: the rest of a turn is dropped (btTransformUtil). So it is also asked in
// pieces of that angle. Boxes and walls have Bullet's default margin, which is inside of them.

#pragma once

#include "tests/bench/sweep_scene.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

static_assert( sizeof( btScalar ) == sizeof( double ), "Bullet's double precision build" );

struct bullet_passage
{
	btBoxShape wall;
	std::unique_ptr<btConvexShape> thing;
	std::vector<btTransform> poses; // at the ends of pieces

	static btTransform pose_at( const bv_motion& motion, double time )
	{
		bv_transform at;
		bv_motion_at( &motion, time, &at );
		const auto& r = at.pose.rotation;
		const bv_vec3& t = at.pose.translation;
		return btTransform(
			btMatrix3x3( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2] ),
			btVector3( t.x, t.y, t.z ) );
	}

	explicit bullet_passage( const passage& p ) : wall( btVector3( p.wall.x, p.wall.y, p.wall.z ) )
	{
		if ( p.is_round )
		{
			thing = std::make_unique<btCapsuleShapeZ>( p.radius, 2 * p.segment() );
		}
		else
		{
			thing = std::make_unique<btBoxShape>( btVector3( p.half.x, p.half.y, p.half.z ) );
		}
		int pieces = (int)std::ceil( p.angle / 0.78 ) + ( p.angle == 0 );
		for ( int i = 0; i <= pieces; ++i )
		{
			poses.push_back( pose_at( p.spin, (double)i / pieces ) );
		}
	}

	template <typename Caster>
	static sweep_answer cast( Caster& caster, const btTransform& from, const btTransform& to )
	{
		btTransform here = btTransform::getIdentity();
		btConvexCast::CastResult result;
		result.m_fraction = 1;
		bool found = caster.calcTimeOfImpact( here, here, from, to, result );
		return { found, found ? result.m_fraction : 1 };
	}

	sweep_answer whole() const
	{
		btVoronoiSimplexSolver simplex;
		btGjkEpaPenetrationDepthSolver epa;
		btContinuousConvexCollision caster( &wall, thing.get(), &simplex, &epa );
		return cast( caster, poses.front(), poses.back() );
	}

	sweep_answer in_pieces() const
	{
		btVoronoiSimplexSolver simplex;
		btGjkEpaPenetrationDepthSolver epa;
		size_t count = poses.size() - 1;
		for ( size_t i = 0; i < count; ++i )
		{
			btContinuousConvexCollision caster( &wall, thing.get(), &simplex, &epa );
			sweep_answer part = cast( caster, poses[i], poses[i + 1] );
			if ( part.found )
			{
				return { true, ( (double)i + part.time ) / (double)count };
			}
		}
		return { false, 1 };
	}

	btTransform end_without_turn() const
	{
		return btTransform( poses.front().getBasis(), poses.back().getOrigin() );
	}

	sweep_answer gjk_cast() const
	{
		btVoronoiSimplexSolver simplex;
		btGjkConvexCast caster( &wall, thing.get(), &simplex );
		return cast( caster, poses.front(), end_without_turn() );
	}

	sweep_answer subsimplex_cast() const
	{
		btVoronoiSimplexSolver simplex;
		btSubsimplexConvexCast caster( &wall, thing.get(), &simplex );
		return cast( caster, poses.front(), end_without_turn() );
	}
};
