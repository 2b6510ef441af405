// Who takes part in bench_mesh_contacts: we, Bullet with and without its internal edges, and ODE. In C++.

#pragma once

#include "tests/bench/mesh_contacts_scene.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

namespace {

const double least_sine = 0.0017453; // of a ghost: 0.1 degree

// What contacts of a query are like.
struct answer
{
	uint64_t contacts = 0; // of depth 0 or more
	uint64_t ghosts = 0;
	uint64_t queries_with_ghosts = 0;
	uint64_t missed = 0;

	void count( bv_vec3 normal )
	{
		contacts += 1;
		ghosts += !( normal.z > 0 && std::sqrt( normal.x * normal.x + normal.y * normal.y ) <= least_sine );
	}
};

struct entrant
{
	const char* name;
	explicit entrant( const char* by ) : name( by )
	{
	}
	entrant( const entrant& ) = delete;
	virtual ~entrant() = default;
	virtual void load( const std::vector<std::unique_ptr<built_mesh>>& meshes, solid& shape ) = 0;
	virtual bool takes( const solid& ) const
	{
		return true;
	}
	virtual void ask( const bv_transform& shape_in_world, answer& out ) = 0;
};

struct our_entrant : entrant
{
	std::vector<bv_placed_mesh> placed;
	const solid* shape = nullptr;
	std::vector<double> scratch = std::vector<double>( BV_MESH_CONTACTS_SCRATCH( 8000 ) / sizeof( double ) );
	std::vector<bv_mesh_manifold> manifolds = std::vector<bv_mesh_manifold>( 32 );

	our_entrant() : entrant( "bv" )
	{
	}

	void load( const std::vector<std::unique_ptr<built_mesh>>& meshes, solid& s ) override
	{
		placed.clear();
		shape = &s;
		for ( const auto& m : meshes )
		{
			placed.push_back( { m->file, nullptr } );
		}
	}

	void ask( const bv_transform& at, answer& out ) override
	{
		bv_transform back = bv_transform_inverse( &at );
		for ( bv_placed_mesh& p : placed )
		{
			p.placement = &back;
		}
		bv_mesh_contacts_room room = { manifolds.data(), (uint32_t)manifolds.size(), scratch.data(),
			                           scratch.size() * sizeof( double ) };
		bv_mesh_contacts_result r;
		bv_mesh_contacts_options o = bv_mesh_contacts_options_default();
		if ( bv_meshes_contacts_convex( placed.data(), (uint32_t)placed.size(), &shape->ours, &o, &room,
		                                &r ) != bv_ok )
		{
			give_up( "bv_meshes_contacts_convex failed" );
		}
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			for ( uint32_t k = 0; k < manifolds[i].count; ++k )
			{
				out.count( bv_transform_direction( &at, manifolds[i].contact[k].normal ) );
			}
		}
	}
};

bool adjust_contact( btManifoldPoint& point, const btCollisionObjectWrapper* a, int part_a, int index_a,
                     const btCollisionObjectWrapper* b, int part_b, int index_b )
{
	bool is_first = a->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE;
	if ( is_first )
	{
		btAdjustInternalEdgeContacts( point, a, b, part_a, index_a );
	}
	else
	{
		btAdjustInternalEdgeContacts( point, b, a, part_b, index_b );
	}
	return true;
}

struct bullet_entrant : entrant
{
	bool adjusts;
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDispatcherInfo info;
	btCollisionObject object;
	std::vector<std::unique_ptr<btCollisionObject>> meshes;
	std::vector<btCollisionAlgorithm*> algorithms;

	bullet_entrant( const char* by, bool is_adjusted )
		: entrant( by ), adjusts( is_adjusted ), dispatcher( &configuration )
	{
	}

	~bullet_entrant() override
	{
		clear();
	}

	void clear()
	{
		for ( btCollisionAlgorithm* a : algorithms )
		{
			a->~btCollisionAlgorithm();
			dispatcher.freeCollisionAlgorithm( a );
		}
		algorithms.clear();
		meshes.clear();
	}

	void load( const std::vector<std::unique_ptr<built_mesh>>& built, solid& s ) override
	{
		clear();
		object.setCollisionShape( s.bullet.get() );
		for ( const auto& m : built )
		{
			auto mesh = std::make_unique<btCollisionObject>();
			mesh->setCollisionShape( m->bullet.get() );
			mesh->setWorldTransform( btTransform::getIdentity() );
			if ( adjusts )
			{
				mesh->setCollisionFlags( mesh->getCollisionFlags() |
				                         btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
			}
			meshes.push_back( std::move( mesh ) );
			btCollisionObjectWrapper a( nullptr, s.bullet.get(), &object, object.getWorldTransform(), -1,
			                            -1 );
			btCollisionObjectWrapper b( nullptr, m->bullet.get(), meshes.back().get(),
			                            meshes.back()->getWorldTransform(), -1, -1 );
			algorithms.push_back( dispatcher.findAlgorithm( &a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS ) );
		}
	}

	void ask( const bv_transform& at, answer& out ) override
	{
		const auto& r = at.pose.rotation;
		const bv_vec3& t = at.pose.translation;
		object.setWorldTransform( btTransform(
			btMatrix3x3( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2] ),
			btVector3( t.x, t.y, t.z ) ) );
		gContactAddedCallback = adjusts ? adjust_contact : nullptr;
		for ( size_t i = 0; i < meshes.size(); ++i )
		{
			btCollisionObjectWrapper a( nullptr, object.getCollisionShape(), &object,
			                            object.getWorldTransform(), -1, -1 );
			btCollisionObjectWrapper b( nullptr, meshes[i]->getCollisionShape(), meshes[i].get(),
			                            meshes[i]->getWorldTransform(), -1, -1 );
			btManifoldArray manifolds;
			algorithms[i]->getAllContactManifolds( manifolds );
			for ( int k = 0; k < manifolds.size(); ++k )
			{
				manifolds[k]->clearManifold();
			}
			btManifoldResult result( &a, &b );
			algorithms[i]->processCollision( &a, &b, info, &result );
			manifolds.resize( 0 );
			algorithms[i]->getAllContactManifolds( manifolds );
			for ( int k = 0; k < manifolds.size(); ++k )
			{
				for ( int p = 0; p < manifolds[k]->getNumContacts(); ++p )
				{
					const btManifoldPoint& point = manifolds[k]->getContactPoint( p );
					btVector3 n = point.m_normalWorldOnB;
					n = manifolds[k]->getBody0() == &object ? n : -n;
					if ( point.getDistance() <= 0 )
					{
						out.count( { n.x(), n.y(), n.z() } );
					}
				}
			}
		}
	}
};

struct ode_entrant : entrant
{
	std::vector<dGeomID> meshes;
	dGeomID shape = nullptr;
	std::vector<dContactGeom> contacts = std::vector<dContactGeom>( 256 );

	ode_entrant() : entrant( "ODE" )
	{
	}

	bool takes( const solid& s ) const override
	{
		return s.ode;
	}

	void load( const std::vector<std::unique_ptr<built_mesh>>& built, solid& s ) override
	{
		meshes.clear();
		shape = s.ode;
		for ( const auto& m : built )
		{
			meshes.push_back( m->ode );
		}
	}

	void ask( const bv_transform& at, answer& out ) override
	{
		dMatrix3 rotation = {};
		for ( int i = 0; i < 9; ++i )
		{
			rotation[4 * ( i / 3 ) + i % 3] = at.pose.rotation[i / 3][i % 3];
		}
		dGeomSetRotation( shape, rotation );
		dGeomSetPosition( shape, at.pose.translation.x, at.pose.translation.y, at.pose.translation.z );
		for ( dGeomID mesh : meshes )
		{
			int count = dCollide( shape, mesh, (int)contacts.size(), contacts.data(), sizeof contacts[0] );
			for ( int i = 0; i < count; ++i )
			{
				const dReal* n = contacts[(size_t)i].normal;
				out.count( { n[0], n[1], n[2] } );
			}
		}
	}
};

} // namespace
