// ODE about pairs of convex shapes: dCollide. That is a test of separating axes for two boxes, closed forms for balls,
// and in Debian's build libccd's MPR for hulls. It has contacts, and so depths, but no distances. In C++.

#pragma once

#include "tests/bench/convex_entrant.h"

#include <array>

#include <ode/ode.h>

// Once for the program, while it queries.
struct ode_session
{
	ode_session()
	{
		dInitODE2( 0 );
		dAllocateODEDataForThread( dAllocateMaskAll );
	}

	ode_session( const ode_session& ) = delete;

	~ode_session()
	{
		dCloseODE();
	}
};

// With the arrays that ODE refers to.
struct ode_solid
{
	std::vector<dReal> planes;
	std::vector<dReal> points;
	std::vector<unsigned> polygons;
	dGeomID geometry;

	explicit ode_solid( const convex_shape& like )
	{
		if ( like.ball > 0 )
		{
			geometry = dCreateSphere( nullptr, (dReal)like.ball );
			return;
		}
		if ( like.box )
		{
			geometry = dCreateBox( nullptr, (dReal)( 2 * like.half.x ), (dReal)( 2 * like.half.y ),
			                       (dReal)( 2 * like.half.z ) );
			return;
		}
		for ( const bv_vec3& p : like.points )
		{
			points.insert( points.end(), { (dReal)p.x, (dReal)p.y, (dReal)p.z } );
		}
		for ( const bvb_triangle& face : like.faces )
		{
			const bv_vec3& a = like.points[face.corner[0]];
			bv_vec3 n = bv_normalize( bv_cross( bv_sub( like.points[face.corner[1]], a ),
			                                    bv_sub( like.points[face.corner[2]], a ) ) );
			planes.insert( planes.end(), { (dReal)n.x, (dReal)n.y, (dReal)n.z, (dReal)bv_dot( n, a ) } );
			polygons.insert( polygons.end(), { 3, face.corner[0], face.corner[1], face.corner[2] } );
		}
		geometry = dCreateConvex( nullptr, planes.data(), (unsigned)like.faces.size(), points.data(),
		                          (unsigned)like.points.size(), polygons.data() );
	}

	ode_solid( const ode_solid& ) = delete;

	~ode_solid()
	{
		dGeomDestroy( geometry );
	}
};

struct ode_entrant : convex_entrant
{
	std::vector<std::unique_ptr<ode_solid>> solids;
	std::vector<std::vector<std::array<dReal, 12>>> turns; // dMatrix3
	const convex_scene* scene = nullptr;

	explicit ode_entrant( convex_query what ) : convex_entrant( "ODE", "dCollide", what, false )
	{
	}

	void load( const convex_scene& s ) override
	{
		scene = &s;
		solids.clear();
		turns.clear();
		for ( const auto& pair : s.pairs )
		{
			solids.push_back( std::make_unique<ode_solid>( pair->shape[0] ) );
			solids.push_back( std::make_unique<ode_solid>( pair->shape[1] ) );
			turns.emplace_back();
			for ( const bv_transform& at : pair->poses )
			{
				std::array<dReal, 12> turn{};
				for ( size_t i = 0; i < 9; ++i )
				{
					turn[i / 3 * 4 + i % 3] = (dReal)at.pose.rotation[i / 3][i % 3];
				}
				turns.back().push_back( turn );
			}
		}
	}

	double ask( size_t pair, size_t pose, bool ) override
	{
		dGeomID a = solids[2 * pair]->geometry;
		dGeomID b = solids[2 * pair + 1]->geometry;
		const bv_vec3& t = scene->pairs[pair]->poses[pose].pose.translation;
		dGeomSetPosition( b, (dReal)t.x, (dReal)t.y, (dReal)t.z );
		dGeomSetRotation( b, turns[pair][pose].data() );
		dContactGeom contacts[8];
		int count = dCollide( a, b, query == query_overlap ? 1 : 8, contacts, sizeof *contacts );
		if ( query == query_overlap )
		{
			return count > 0;
		}
		double most = -1;
		for ( int i = 0; i < count; ++i )
		{
			most = std::max( most, (double)contacts[i].depth );
		}
		return most;
	}
};
