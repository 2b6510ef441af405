// FCL about the battery, with both of its solvers: fcl::collide, and fcl::distance of shapes that are apart; fcl::distance with
// signed distances by itself; fcl::continuousCollide by conservative advancement. In C++.

#pragma once

#include "tests/bench/battery_peer.h"

#include <fcl/fcl.h>

static inline std::shared_ptr<fcl::CollisionGeometryd> fcl_battery_solid( const battery_shape& s )
{
	switch ( s.kind )
	{
	case battery_ball: return std::make_shared<fcl::Sphered>( s.radius );
	case battery_box: return std::make_shared<fcl::Boxd>( 2 * s.half.x, 2 * s.half.y, 2 * s.half.z );
	case battery_capsule: return std::make_shared<fcl::Capsuled>( s.radius, 2 * s.half.z );
	case battery_cylinder: return std::make_shared<fcl::Cylinderd>( s.radius, 2 * s.half.z );
	case battery_cone: return std::make_shared<fcl::Coned>( s.radius, 2 * s.half.z );
	default: break;
	}
	auto eigen = []( const bv_vec3& p ) { return fcl::Vector3d( p.x, p.y, p.z ); };
	if ( s.count == 3 )
	{
		auto mesh =
			std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>(); // its shape TriangleP is for parts of meshes
		mesh->beginModel();
		mesh->addTriangle( eigen( s.points[0] ), eigen( s.points[1] ), eigen( s.points[2] ) );
		mesh->endModel();
		return mesh;
	}
	battery_faces like( s );
	auto points = std::make_shared<std::vector<fcl::Vector3d>>();
	auto faces = std::make_shared<std::vector<int>>();
	for ( const bv_vec3& p : like.corners )
	{
		points->push_back( eigen( p ) );
	}
	for ( const bvb_triangle& t : like.triangles )
	{
		faces->insert( faces->end(), { 3, (int)t.corner[0], (int)t.corner[1], (int)t.corner[2] } );
	}
	return std::make_shared<fcl::Convexd>( points, (int)like.triangles.size(), faces );
}

static inline fcl::Transform3d fcl_battery_pose( const battery_shape& s, const bv_vec3& position )
{
	fcl::Transform3d out = fcl::Transform3d::Identity();
	for ( int i = 0; i < 9; ++i )
	{
		out.linear()( i / 3, i % 3 ) = s.rotation[i / 3][i % 3];
	}
	out.translation() = fcl::Vector3d( position.x, position.y, position.z );
	return out;
}

struct fcl_battery : battery_peer
{
	fcl::GJKSolverType solver;
	bool by_distance;

	fcl_battery( const char* called, fcl::GJKSolverType with, bool is_signed )
		: battery_peer( called ), solver( with ), by_distance( is_signed )
	{
	}

	static bv_vec3 vec( const fcl::Vector3d& v )
	{
		return { v[0], v[1], v[2] };
	}

	// A point of a hull by itself is a ball of radius 0.
	static std::shared_ptr<fcl::CollisionGeometryd> solid_of( const battery_shape& s )
	{
		return s.kind == battery_hull && s.count == 1 ? std::make_shared<fcl::Sphered>( 0.0 )
		                                              : fcl_battery_solid( s );
	}

	static fcl::Transform3d pose_of( const battery_shape& s )
	{
		return fcl_battery_pose( s, s.kind == battery_hull && s.count == 1 ? bv_add( s.position, s.points[0] )
		                                                                   : s.position );
	}

	void distance( const fcl::CollisionGeometryd* a, const fcl::Transform3d& at_a,
	               const fcl::CollisionGeometryd* b, const fcl::Transform3d& at_b, battery_answer* answer )
	{
		fcl::DistanceRequestd request( true, by_distance );
		request.gjk_solver_type = solver;
		fcl::DistanceResultd result;
		double value = fcl::distance( a, at_a, b, at_b, request, result );
		if ( value == -1 )
		{
			answer->is_given =
				!by_distance; // shapes that it takes for overlapping, here; meshes have no depth
			return;
		}
		answer->value = value;
		answer->point[0] = vec( result.nearest_points[0] );
		answer->point[1] = vec( result.nearest_points[1] );
	}

	void collide( const fcl::CollisionGeometryd* a, const fcl::Transform3d& at_a,
	              const fcl::CollisionGeometryd* b, const fcl::Transform3d& at_b, battery_answer* answer )
	{
		fcl::CollisionRequestd request( 8, true );
		request.gjk_solver_type = solver;
		fcl::CollisionResultd result;
		answer->meets = fcl::collide( a, at_a, b, at_b, request, result ) > 0;
		double most = -INFINITY;
		for ( size_t i = 0; i < result.numContacts(); ++i )
		{
			const fcl::Contactd& contact = result.getContact( i );
			double depth = std::fabs( contact.penetration_depth ); // of one solver with the other sign
			if ( depth > most )
			{
				most = depth;
				answer->value = -depth;
				answer->normal = vec( contact.normal );
				answer->contact = vec( contact.pos );
			}
		}
	}

	void cast( const battery_pair& pair, battery_answer* answer )
	{
		fcl::ContinuousCollisionRequestd request( 100, 1e-6, fcl::CCDM_LINEAR, solver,
		                                          fcl::CCDC_CONSERVATIVE_ADVANCEMENT );
		fcl::ContinuousCollisionResultd result;
		const battery_shape* s = pair.shape;
		auto a = solid_of( s[0] ), b = solid_of( s[1] );
		fcl::continuousCollide( a.get(), fcl_battery_pose( s[0], s[0].position ),
		                        fcl_battery_pose( s[0], moved_by( pair, 0 ) ), b.get(),
		                        fcl_battery_pose( s[1], s[1].position ),
		                        fcl_battery_pose( s[1], moved_by( pair, 1 ) ), request, result );
		answer->meets = result.is_collide;
		answer->value = result.is_collide ? result.time_of_contact * pair.limit : NAN;
	}

	void ask( const battery_pair& pair, battery_answer* answer ) override
	{
		answer->is_given = !pair.is_cast || !by_distance;
		if ( !answer->is_given )
		{
			return;
		}
		try
		{
			if ( pair.is_cast )
			{
				cast( pair, answer );
				return;
			}
			auto a = solid_of( pair.shape[0] ), b = solid_of( pair.shape[1] );
			fcl::Transform3d at_a = pose_of( pair.shape[0] ), at_b = pose_of( pair.shape[1] );
			if ( !by_distance )
			{
				collide( a.get(), at_a, b.get(), at_b, answer );
			}
			if ( by_distance || !answer->meets )
			{
				distance( a.get(), at_a, b.get(), at_b, answer );
			}
		} catch ( const std::exception& )
		{
			answer->failure = "throws";
		}
	}
};
