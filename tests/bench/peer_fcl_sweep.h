// FCL about moving shapes and meshes: continuousCollide by sampling and by conservative advancement. In C++.
//
// fcl::InterpMotion turns by at most pi, so longer turns are given to conservative advancement in pieces. Its constructor from
// two fcl::Transform3d does not set the point that it turns about; the one from matrices does.

#pragma once

#include "tests/bench/peer_fcl.h"
#include "tests/bench/sweep_scene.h"

static inline fcl::InterpMotion<double> fcl_motion( const bv_motion& like, double from, double to )
{
	bv_transform start, end;
	bv_motion_at( &like, from, &start );
	bv_motion_at( &like, to, &end );
	fcl::Transform3d a = fcl_pose( start.pose ), b = fcl_pose( end.pose );
	return fcl::InterpMotion<double>( a.linear(), a.translation(), b.linear(), b.translation(),
	                                  fcl::Vector3d::Zero() );
}

// A motion of any angle, for sampling only.
struct fcl_any_motion : fcl::MotionBase<double>
{
	fcl::Transform3d start;
	fcl::Vector3d axis, shift;
	double angle;
	mutable fcl::Transform3d at;

	explicit fcl_any_motion( const bv_motion& like )
		: start( fcl_pose( like.start ) ), axis( like.axis.x, like.axis.y, like.axis.z ),
		  shift( like.shift.x, like.shift.y, like.shift.z ), angle( like.angle ), at( start )
	{
	}

	bool integrate( double time ) const override
	{
		at.linear() = fcl::AngleAxisd( time * angle, axis ).toRotationMatrix() * start.linear();
		at.translation() = start.translation() + time * shift;
		return true;
	}

	double computeMotionBound( const fcl::BVMotionBoundVisitor<double>& ) const override
	{
		return NAN;
	}

	double computeMotionBound( const fcl::TriangleMotionBoundVisitor<double>& ) const override
	{
		return NAN;
	}

	void getCurrentTransform( fcl::Transform3d& out ) const override
	{
		out = at;
	}

	void getTaylorModel( fcl::TMatrix3<double>&, fcl::TVector3<double>& ) const override
	{
	}
};

// @param samples  0 for conservative advancement
static inline sweep_answer fcl_sweep( const fcl::CollisionGeometryd* a,
                                      const fcl::MotionBase<double>* motion_a,
                                      const fcl::CollisionGeometryd* b,
                                      const fcl::MotionBase<double>* motion_b, int samples )
{
	fcl::ContinuousCollisionRequestd request(
		samples ? (size_t)samples : 10, samples ? 1e-7 : 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
		samples ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT );
	fcl::ContinuousCollisionResultd result;
	try
	{
		double time = fcl::continuousCollide( a, motion_a, b, motion_b, request, result );
		return { result.is_collide, time };
	} catch ( const std::exception& )
	{
		return { false, NAN };
	}
}

// A passage as FCL's shapes.
struct fcl_passage
{
	fcl::Boxd wall;
	std::unique_ptr<fcl::CollisionGeometryd> thing;
	fcl_any_motion whole;
	fcl::InterpMotion<double> rest;
	std::vector<fcl::InterpMotion<double>> pieces;

	explicit fcl_passage( const passage& p )
		: wall( 2 * p.wall.x, 2 * p.wall.y, 2 * p.wall.z ), whole( p.spin ),
		  rest( fcl_motion( still(), 0, 1 ) )
	{
		if ( p.is_round )
		{
			thing = std::make_unique<fcl::Capsuled>( p.radius, 2 * p.segment() );
		}
		else
		{
			thing = std::make_unique<fcl::Boxd>( 2 * p.half.x, 2 * p.half.y, 2 * p.half.z );
		}
		wall.computeLocalAABB();
		thing->computeLocalAABB();
		int count = (int)std::ceil( p.angle / 3 ) + ( p.angle == 0 );
		for ( int i = 0; i < count; ++i )
		{
			pieces.push_back( fcl_motion( p.spin, (double)i / count, ( i + 1.0 ) / count ) );
		}
	}

	sweep_answer sample( int samples ) const
	{
		whole.integrate( 0 );
		return fcl_sweep( &wall, &rest, thing.get(), &whole, samples );
	}

	sweep_answer advance() const
	{
		for ( size_t i = 0; i < pieces.size(); ++i )
		{
			pieces[i].integrate( 0 );
			sweep_answer part = fcl_sweep( &wall, &rest, thing.get(), &pieces[i], 0 );
			if ( part.found )
			{
				return { true, ( (double)i + part.time ) / (double)pieces.size() };
			}
		}
		return { false, 1 };
	}
};

// The triangles of a file as they are in it.
template <typename BV> std::shared_ptr<fcl::BVHModel<BV>> fcl_model_of( const bv_file* file )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	std::vector<fcl::Vector3d> points;
	std::vector<fcl::Triangle> triangles;
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		points.emplace_back( p.x, p.y, p.z );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		triangles.emplace_back( corner[0], corner[1], corner[2] );
	}
	auto model = std::make_shared<fcl::BVHModel<BV>>();
	model->beginModel();
	model->addSubModel( points, triangles );
	model->endModel();
	return model;
}
