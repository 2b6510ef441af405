// Shared by the programs that measure FCL: its OBBRSS tree over a mesh file, built as in
// ../shared/tools/fcl_bench.cpp, and its queries. In C++.

#pragma once

#include "tests/bench/judge.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

using fcl_tree = fcl::BVHModel<fcl::OBBRSSd>;

// Center of the box to 0, half its diagonal to 1, in binary64.
static inline void normalize( std::vector<fcl::Vector3d>& points )
{
	fcl::Vector3d lower = points[0];
	fcl::Vector3d upper = points[0];
	for ( const fcl::Vector3d& p : points )
	{
		lower = lower.cwiseMin( p );
		upper = upper.cwiseMax( p );
	}
	fcl::Vector3d center = ( lower + upper ) / 2;
	double half = ( upper - lower ).norm() / 2;
	for ( fcl::Vector3d& p : points )
	{
		p = ( p - center ) / half;
	}
}

// A tree over the triangles of record, with their positions as they were read, normalized.
// @param seconds  receives the processor time of FCL's build, unless null
static inline std::shared_ptr<fcl_tree> make_fcl_tree( const judge_mesh& mesh, double* seconds )
{
	const bvb_mesh& record = mesh.asset.record.mesh;
	std::vector<int> number( mesh.source.vertex_count, -1 );
	std::vector<fcl::Vector3d> points;
	std::vector<fcl::Triangle> triangles;
	for ( uint32_t i = 0; i < record.triangle_count; ++i )
	{
		size_t corner[3];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = mesh.source.triangles[record.origin ? record.origin[i] : i].corner[k];
			if ( number[v] < 0 )
			{
				const bv_vec3& p = mesh.source.positions[v];
				number[v] = (int)points.size();
				points.emplace_back( p.x, p.y, p.z );
			}
			corner[k] = (size_t)number[v];
		}
		triangles.emplace_back( corner[0], corner[1], corner[2] );
	}
	normalize( points );
	auto tree = std::make_shared<fcl_tree>();
	double start = core_now();
	tree->beginModel();
	tree->addSubModel( points, triangles );
	tree->endModel();
	if ( seconds )
	{
		*seconds = core_now() - start;
	}
	return tree;
}

static inline fcl::Transform3d fcl_pose( const bv_pose& pose )
{
	fcl::Transform3d moved = fcl::Transform3d::Identity();
	for ( int i = 0; i < 9; ++i )
	{
		moved.linear()( i / 3, i % 3 ) = pose.rotation[i / 3][i % 3];
	}
	moved.translation() = fcl::Vector3d( pose.translation.x, pose.translation.y, pose.translation.z );
	return moved;
}

// All pairs, by FCL's own traversal with its own counters on: what fcl::collide does for two such trees.
static inline bv_collide_result fcl_collide( const fcl_tree& a, const fcl_tree& b, const bv_pose& pose )
{
	fcl::CollisionRequestd request( 1 << 24, false );
	fcl::CollisionResultd result;
	fcl::detail::MeshCollisionTraversalNodeOBBRSSd node;
	fcl::detail::initialize( node, a, fcl::Transform3d::Identity(), b, fcl_pose( pose ), request, result );
	node.enableStatistics( true );
	fcl::detail::collide( &node );
	return { result.numContacts(), (uint64_t)node.num_bv_tests, (uint64_t)node.num_leaf_tests, {} };
}

// Pairs as the library's own interface counts them, for times.
static inline uint64_t fcl_pairs( const fcl_tree& a, const fcl_tree& b, const bv_pose& pose, bool first )
{
	fcl::CollisionRequestd request( first ? 1 : 1 << 24, false );
	fcl::CollisionResultd result;
	fcl::collide( &a, fcl::Transform3d::Identity(), &b, fcl_pose( pose ), request, result );
	return result.numContacts();
}

static inline double fcl_distance( const fcl_tree& a, const fcl_tree& b, const bv_pose& pose )
{
	fcl::DistanceRequestd request( false );
	fcl::DistanceResultd result;
	return fcl::distance( &a, fcl::Transform3d::Identity(), &b, fcl_pose( pose ), request, result );
}
