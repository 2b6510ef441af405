// Queries of one mesh by CGAL's AABB_tree, with exact predicates and constructions in binary64. The tree for
// closest points is built beforehand as well.

#pragma once

#include "tests/bench/rays.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <cmath>
#include <memory>

struct cgal_rays
{
	typedef CGAL::Exact_predicates_inexact_constructions_kernel kernel;
	typedef std::vector<kernel::Triangle_3> triangles;
	typedef CGAL::AABB_traits<kernel, CGAL::AABB_triangle_primitive<kernel, triangles::const_iterator>>
		traits;

	triangles all;
	CGAL::AABB_tree<traits> tree;

	static kernel::Point_3 point_of( bv_vec3 p )
	{
		return { p.x, p.y, p.z };
	}

	static kernel::Ray_3 ray_of( const rays_query& q )
	{
		return { point_of( q.from ), kernel::Vector_3( q.way.x, q.way.y, q.way.z ) };
	}

	explicit cgal_rays( const rays_mesh& mesh )
	{
		for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
		{
			kernel::Triangle_3 t( point_of( mesh.corner[i] ), point_of( mesh.corner[i + 1] ),
			                      point_of( mesh.corner[i + 2] ) );
			if ( !t.is_degenerate() ) // which its predicates do not take
			{
				all.push_back( t );
			}
		}
		tree.insert( all.cbegin(), all.cend() );
		tree.build();
		tree.accelerate_distance_queries();
	}

	cgal_rays( const cgal_rays& ) = delete;

	double first_hit( const rays_query& q ) const
	{
		auto hit = tree.first_intersection( ray_of( q ) );
		if ( !hit )
		{
			return INFINITY;
		}
		const kernel::Point_3* at = boost::get<kernel::Point_3>( &hit->first );
		const auto* part = boost::get<kernel::Segment_3>( &hit->first );
		kernel::Point_3 from = point_of( q.from );
		if ( part )
		{
			bool second = CGAL::has_larger_distance_to_point( from, part->source(), part->target() );
			return std::sqrt( CGAL::squared_distance( from, second ? part->target() : part->source() ) );
		}
		kernel::Vector_3 way( q.way.x, q.way.y, q.way.z );
		return ( *at - from ) * way / way.squared_length();
	}

	double any_hit( const rays_query& q ) const
	{
		return tree.do_intersect( ray_of( q ) ) ? 1 : 0;
	}

	double closest_point( const rays_query& q ) const
	{
		return std::sqrt( tree.squared_distance( point_of( q.from ) ) );
	}

	static kernel::Iso_cuboid_3 box_of( const rays_query& q )
	{
		const bv_vec3& p = q.from;
		return { p.x - q.size, p.y - q.size, p.z - q.size, p.x + q.size, p.y + q.size, p.z + q.size };
	}

	double aligned( const rays_query& q ) const
	{
		return (double)tree.number_of_intersected_primitives( box_of( q ) );
	}

	double aligned_first( const rays_query& q ) const
	{
		return tree.do_intersect( box_of( q ) ) ? 1 : 0;
	}
};

static inline rays_entrant make_cgal( const rays_mesh& mesh )
{
	auto c = std::make_shared<cgal_rays>( mesh );
	rays_entrant out = { "CGAL", {} };
	out.answers[question::first_hit] = [c]( const rays_query& q ) { return c->first_hit( q ); };
	out.answers[question::any_hit] = [c]( const rays_query& q ) { return c->any_hit( q ); };
	out.answers[question::closest_point] = [c]( const rays_query& q ) { return c->closest_point( q ); };
	out.answers[question::aligned_all] = [c]( const rays_query& q ) { return c->aligned( q ); };
	out.answers[question::aligned_first] = [c]( const rays_query& q ) { return c->aligned_first( q ); };
	return out;
}
