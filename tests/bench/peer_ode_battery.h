// ODE about the battery: dCollide, whose contacts have depths. It has no distances and no casts, and no cones. A triangle is a
// trimesh, a point a ball of radius 0. In C++.

#pragma once

#include "tests/bench/battery_peer.h"

#include <ode/ode.h>

// With the arrays that ODE refers to.
struct ode_battery_solid
{
	std::vector<dReal> planes;
	std::vector<dReal> points;
	std::vector<unsigned> polygons;
	std::vector<dTriIndex> indices;
	dTriMeshDataID mesh = nullptr;
	dGeomID geometry = nullptr; // null: it has no such shape
	bv_vec3 middle = { 0, 0, 0 };

	explicit ode_battery_solid( const battery_shape& s )
	{
		dReal radius = (dReal)s.radius, length = (dReal)( 2 * s.half.z );
		switch ( s.kind )
		{
		case battery_ball: geometry = dCreateSphere( nullptr, radius ); break;
		case battery_box:
			geometry = dCreateBox( nullptr, (dReal)( 2 * s.half.x ), (dReal)( 2 * s.half.y ), length );
			break;
		case battery_capsule: geometry = dCreateCapsule( nullptr, radius, length ); break;
		case battery_cylinder: geometry = dCreateCylinder( nullptr, radius, length ); break;
		case battery_hull: make_hull( s ); break;
		default: break;
		}
		if ( s.kind == battery_hull && s.count == 1 )
		{
			geometry = dCreateSphere( nullptr, 0 );
		}
		const auto& r = s.rotation;
		bv_vec3 at = { s.position.x + r[0][0] * middle.x + r[0][1] * middle.y + r[0][2] * middle.z,
			           s.position.y + r[1][0] * middle.x + r[1][1] * middle.y + r[1][2] * middle.z,
			           s.position.z + r[2][0] * middle.x + r[2][1] * middle.y + r[2][2] * middle.z };
		if ( geometry )
		{
			dMatrix3 turn = {};
			for ( int i = 0; i < 9; ++i )
			{
				turn[i / 3 * 4 + i % 3] = (dReal)s.rotation[i / 3][i % 3];
			}
			dGeomSetRotation( geometry, turn );
			dGeomSetPosition( geometry, (dReal)at.x, (dReal)at.y, (dReal)at.z );
		}
	}

	ode_battery_solid( const ode_battery_solid& ) = delete;

	~ode_battery_solid()
	{
		if ( geometry )
		{
			dGeomDestroy( geometry );
		}
		if ( mesh )
		{
			dGeomTriMeshDataDestroy( mesh );
		}
	}

	// The origin of a hull must be inside of it: at the mean of its corners.
	void make_hull( const battery_shape& s )
	{
		battery_faces like( s );
		for ( const bv_vec3& p : like.corners )
		{
			middle = bv_add( middle, bv_scale( 1.0 / (double)like.corners.size(), p ) );
		}
		for ( bv_vec3& p : like.corners )
		{
			p = bv_sub( p, middle );
			points.insert( points.end(), { (dReal)p.x, (dReal)p.y, (dReal)p.z } );
		}
		if ( like.is_flat )
		{
			for ( const bvb_triangle& side : like.triangles )
			{
				for ( uint32_t corner : side.corner )
				{
					indices.push_back( (dTriIndex)corner );
				}
			}
			mesh = dGeomTriMeshDataCreate();
			dGeomTriMeshDataBuildDouble( mesh, points.data(), 3 * sizeof( dReal ), (int)like.corners.size(),
			                             indices.data(), (int)indices.size(), 3 * sizeof( dTriIndex ) );
			geometry = dCreateTriMesh( nullptr, mesh, nullptr, nullptr, nullptr );
			return;
		}
		for ( const bvb_triangle& face : like.triangles )
		{
			const bv_vec3& a = like.corners[face.corner[0]];
			bv_vec3 n = bv_normalize( bv_cross( bv_sub( like.corners[face.corner[1]], a ),
			                                    bv_sub( like.corners[face.corner[2]], a ) ) );
			planes.insert( planes.end(), { (dReal)n.x, (dReal)n.y, (dReal)n.z, (dReal)bv_dot( n, a ) } );
			polygons.insert( polygons.end(), { 3, face.corner[0], face.corner[1], face.corner[2] } );
		}
		if ( !like.triangles.empty() )
		{
			geometry = dCreateConvex( nullptr, planes.data(), (unsigned)like.triangles.size(), points.data(),
			                          (unsigned)like.corners.size(), polygons.data() );
		}
	}
};

struct ode_battery : battery_peer
{
	explicit ode_battery( const char* called ) : battery_peer( called )
	{
		dInitODE2( 0 );
		dAllocateODEDataForThread( dAllocateMaskAll );
	}

	void ask( const battery_pair& pair, battery_answer* answer ) override
	{
		if ( pair.is_cast )
		{
			return;
		}
		ode_battery_solid a( pair.shape[0] ), b( pair.shape[1] );
		answer->is_given = a.geometry && b.geometry;
		if ( !answer->is_given )
		{
			return;
		}
		dContactGeom contacts[8];
		int count = dCollide( a.geometry, b.geometry, 8, contacts, sizeof *contacts );
		answer->meets = count > 0;
		double most = -INFINITY;
		for ( int i = 0; i < count; ++i )
		{
			if ( contacts[i].depth > most )
			{
				most = contacts[i].depth;
				answer->value = -most;
				answer->normal = { -contacts[i].normal[0], -contacts[i].normal[1], -contacts[i].normal[2] };
				answer->contact = { contacts[i].pos[0], contacts[i].pos[1], contacts[i].pos[2] };
			}
		}
	}
};
