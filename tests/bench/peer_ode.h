// Queries of two meshes by ODE: dCollide of two dTriMesh. In Debian's libode that is OPCODE's traversal of
// two trees of boxes (collision_trimesh_trimesh.cpp, dCollideTTL), followed by contacts of each pair of
// triangles found. It returns the number of remaining contacts, not the number of pairs. It always finds all
// pairs first; asking for one contact of any kind only saves the computation of the others. Vertices are
// 32-bit floats, which OPCODE uses and which make it 5 % faster. In C++.

#pragma once

#include "tests/bench/peer_fcl.h"

#include <ode/ode.h>

enum
{
	ode_most_contacts = 65535, // all that dCollide can be asked for
};

// Once for the program, while it queries.
struct ode_library
{
	ode_library()
	{
		// It would say of hundreds of contacts that they may be redundant.
		dSetMessageHandler( []( int, const char*, va_list ) {} );
		dInitODE2( 0 );
		dAllocateODEDataForThread( dAllocateMaskAll );
	}

	ode_library( const ode_library& ) = delete;

	~ode_library()
	{
		dCloseODE();
	}
};

struct ode_tree
{
	std::vector<float> positions;
	std::vector<dTriIndex> corners;
	dTriMeshDataID data;
	dGeomID geometry;
	double seconds; // of processor time, that the tree took

	explicit ode_tree( const fcl_tree& like )
	{
		for ( int i = 0; i < like.num_vertices; ++i )
		{
			const fcl::Vector3d& p = like.vertices[i];
			positions.insert( positions.end(), { (float)p[0], (float)p[1], (float)p[2] } );
		}
		for ( int i = 0; i < like.num_tris; ++i )
		{
			const fcl::Triangle& t = like.tri_indices[i];
			corners.insert( corners.end(), { (dTriIndex)t[0], (dTriIndex)t[1], (dTriIndex)t[2] } );
		}
		double start = core_now();
		data = dGeomTriMeshDataCreate();
		dGeomTriMeshDataBuildSingle( data, positions.data(), 3 * sizeof( float ), like.num_vertices,
		                             corners.data(), 3 * like.num_tris, 3 * sizeof( dTriIndex ) );
		geometry = dCreateTriMesh( nullptr, data, nullptr, nullptr, nullptr );
		seconds = core_now() - start;
	}

	ode_tree( const ode_tree& ) = delete;

	~ode_tree()
	{
		dGeomDestroy( geometry );
		dGeomTriMeshDataDestroy( data );
	}
};

// @return the number of contacts
static inline uint64_t ode_contacts( const ode_tree& a, const ode_tree& b, const bv_pose& pose, bool first )
{
	static std::vector<dContactGeom> contacts( ode_most_contacts );
	dMatrix3 rotation = {};
	for ( int i = 0; i < 9; ++i )
	{
		rotation[4 * ( i / 3 ) + i % 3] = (dReal)pose.rotation[i / 3][i % 3];
	}
	const bv_vec3& t = pose.translation;
	dGeomSetRotation( b.geometry, rotation );
	dGeomSetPosition( b.geometry, (dReal)t.x, (dReal)t.y, (dReal)t.z );
	int flags = first ? (int)( 1u | CONTACTS_UNIMPORTANT ) : ode_most_contacts;
	return (uint64_t)dCollide( a.geometry, b.geometry, flags, contacts.data(), sizeof contacts[0] );
}
