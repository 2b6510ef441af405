// FCL about pairs of convex shapes: both of its solvers, called directly, as its own dispatch takes longer. Boxes are
// its boxes, hulls its Convex with faces, which climbs along edges beyond 32 corners where libccd's copy is in use. In
// C++.

#pragma once

#include "tests/bench/convex_entrant.h"

#include <fcl/fcl.h>

struct fcl_solid
{
	std::unique_ptr<fcl::Sphered> ball;
	std::unique_ptr<fcl::Boxd> box;
	std::unique_ptr<fcl::Convexd> hull;

	explicit fcl_solid( const convex_shape& like )
	{
		if ( like.ball > 0 )
		{
			ball = std::make_unique<fcl::Sphered>( like.ball );
			return;
		}
		if ( like.box )
		{
			box = std::make_unique<fcl::Boxd>( 2 * like.half.x, 2 * like.half.y, 2 * like.half.z );
			return;
		}
		auto points = std::make_shared<std::vector<fcl::Vector3d>>();
		auto faces = std::make_shared<std::vector<int>>();
		for ( const bv_vec3& p : like.points )
		{
			points->emplace_back( p.x, p.y, p.z );
		}
		for ( const bvb_triangle& t : like.faces )
		{
			faces->insert( faces->end(), { 3, (int)t.corner[0], (int)t.corner[1], (int)t.corner[2] } );
		}
		hull = std::make_unique<fcl::Convexd>( points, (int)like.faces.size(), faces );
	}
};

static inline void set_cached( const fcl::detail::GJKSolver_indep<double>& solver, bool keeps )
{
	if ( !keeps )
	{
		solver.cached_guess = fcl::Vector3d( 1, 0, 0 );
	}
}

static inline void set_cached( const fcl::detail::GJKSolver_libccd<double>&, bool )
{
}

template <typename Solver> struct fcl_entrant : convex_entrant
{
	std::vector<std::unique_ptr<fcl_solid>> solids;
	std::vector<Solver> solvers; // one per pair: guesses are in it
	std::vector<std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>> poses;
	std::vector<fcl::ContactPointd> contacts;
	const fcl::Transform3d identity = fcl::Transform3d::Identity();

	fcl_entrant( const char* by, convex_query what, bool has_cache )
		: convex_entrant( "FCL", by, what, has_cache )
	{
	}

	void load( const convex_scene& scene ) override
	{
		solids.clear();
		poses.clear();
		solvers.assign( scene.pairs.size(), Solver() );
		for ( const auto& pair : scene.pairs )
		{
			solids.push_back( std::make_unique<fcl_solid>( pair->shape[0] ) );
			solids.push_back( std::make_unique<fcl_solid>( pair->shape[1] ) );
			poses.emplace_back();
			for ( const bv_transform& at : pair->poses )
			{
				fcl::Transform3d moved = fcl::Transform3d::Identity();
				for ( int i = 0; i < 9; ++i )
				{
					moved.linear()( i / 3, i % 3 ) = at.pose.rotation[i / 3][i % 3];
				}
				const bv_vec3& t = at.pose.translation;
				moved.translation() = fcl::Vector3d( t.x, t.y, t.z );
				poses.back().push_back( moved );
			}
		}
		for ( const Solver& solver : solvers )
		{
			solver.enableCachedGuess( true );
		}
	}

	template <typename A, typename B>
	double solve( const Solver& solver, const A& a, const B& b, const fcl::Transform3d& at )
	{
		double distance = 0;
		fcl::Vector3d nearest[2];
		switch ( query )
		{
		case query_distance:
			return solver.shapeDistance( a, identity, b, at, &distance, nearest, nearest + 1 ) ? distance : 0;
		case query_depth:
			contacts.clear();
			return !solver.shapeIntersect( a, identity, b, at, &contacts ) || contacts.empty() ? -1
			                                                                                   : deepest();
		default: return solver.shapeIntersect( a, identity, b, at, nullptr );
		}
	}

	// Of hulls only pairs of hulls are in question.
	template <typename Shape>
	double with_first( const Solver& solver, const Shape& a, const fcl_solid& b, const fcl::Transform3d& at )
	{
		return b.ball ? solve( solver, a, *b.ball, at ) : solve( solver, a, *b.box, at );
	}

	// Those of GST_INDEP have the other sign.
	double deepest() const
	{
		double most = 0;
		for ( const fcl::ContactPointd& contact : contacts )
		{
			most = std::max( most, std::fabs( contact.penetration_depth ) );
		}
		return most;
	}

	double ask( size_t pair, size_t pose, bool coherent ) override
	{
		const fcl_solid& a = *solids[2 * pair];
		const fcl_solid& b = *solids[2 * pair + 1];
		const fcl::Transform3d& at = poses[pair][pose];
		set_cached( solvers[pair], coherent );
		try
		{
			return a.ball  ? with_first( solvers[pair], *a.ball, b, at )
			       : a.box ? with_first( solvers[pair], *a.box, b, at )
			               : solve( solvers[pair], *a.hull, *b.hull, at );
		} catch ( const std::exception& )
		{
			return NAN;
		}
	}
};

using fcl_indep_entrant = fcl_entrant<fcl::detail::GJKSolver_indep<double>>;
using fcl_ccd_entrant = fcl_entrant<fcl::detail::GJKSolver_libccd<double>>;
