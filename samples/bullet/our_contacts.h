// Contacts of libbv for Bullet's solver. Pass our_configuration to Bullet, let each shape's user pointer be a struct shape, and number
// bodies by setUserIndex, those with meshes first.
//
// Bullet asks its configuration for an algorithm for each pair of shapes. `our_configuration` returns `our_contacts`, which fills Bullet's
// manifolds by bv_convex_manifold and bv_mesh_contacts_convex. bvw_contacts_update_pair finds out which points are those of the step
// before, and their impulses go with them: this is what the solver begins with (warm starting).

#pragma once

#include "shared.h"

#include "bvworld/contacts.h"

static const double speculative = 0.02; // as gContactBreakingThreshold: points are kept up to this separation
static const int most_pairs = 1000;
static const int most_normals = 8; // manifolds of a shape and a mesh

// A body's shape for us: a convex shape, or a mesh. Bullet's shape points to it.
struct shape
{
	bv_convex convex;
	const bv_file* mesh; // or null
};

static const shape& shape_of( const btCollisionObjectWrapper* object )
{
	return *static_cast<const shape*>( object->getCollisionShape()->getUserPointer() );
}

static bv_transform from_bullet( const btTransform& t )
{
	bv_transform out = bv_transform_identity();
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.pose.rotation[i][k] = double( t.getBasis()[i][k] );
		}
	}
	out.pose.translation = bv_vec3_make( t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z() );
	return out;
}

// The contacts of all pairs from step to step.
class store {
  public:
	store()
	{
		bvw_contacts_options options = bvw_contacts_options_default();
		options.pairs = most_pairs;
		memory.resize( bvw_contacts_bytes( &options ) / sizeof( std::uint64_t ) );
		bvw_contacts_begin( memory.data(), memory.size() * sizeof( std::uint64_t ), &options, &contacts );
	}
	operator bvw_contacts*() const
	{
		return contacts;
	}

  private:
	std::vector<std::uint64_t> memory;
	bvw_contacts* contacts = nullptr;
};

// The contacts of one pair of bodies, instead of an algorithm of Bullet's. Bullet creates it when their boxes begin to overlap, and destroys
// it when they no longer do.
class our_contacts : public btCollisionAlgorithm {
  public:
	our_contacts( const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* first,
	              const btCollisionObjectWrapper* second, bvw_contacts* all )
		: btCollisionAlgorithm( info ), contacts( all )
	{
		// Pairs have the smaller number first. Meshes have the smallest ones here.
		swapped = first->getCollisionObject()->getUserIndex() > second->getCollisionObject()->getUserIndex();
	}
	~our_contacts() override
	{
		while ( manifolds.size() > 0 )
		{
			set_contacts( manifolds.size() - 1, nullptr );
		}
	}

	void processCollision( const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
	                       const btDispatcherInfo&, btManifoldResult* ) override
	{
		object[0] = swapped ? second : first;
		object[1] = swapped ? first : second;
		for ( int i = 0; i < 2; ++i )
		{
			placement[i] = from_bullet( object[i]->getWorldTransform() );
		}
		b_in_a = bv_transform_between( &placement[0], &placement[1] );
		int count = shape_of( object[0] ).mesh ? collide_mesh() : collide_convex();
		while ( manifolds.size() > count )
		{
			set_contacts( manifolds.size() - 1, nullptr );
		}
	}
	btScalar calculateTimeOfImpact( btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
	                                btManifoldResult* ) override
	{
		return 1;
	}
	void getAllContactManifolds( btManifoldArray& out ) override
	{
		for ( int i = 0; i < manifolds.size(); ++i )
		{
			out.push_back( manifolds[i] );
		}
	}

  private:
	// Returns the number of manifolds, as the next one.
	int collide_convex()
	{
		bv_manifold_options options = bv_manifold_options_default();
		options.speculative = speculative;
		options.distance.cache = &cache;
		bv_manifold m;
		if ( bv_convex_manifold( &shape_of( object[0] ).convex, &shape_of( object[1] ).convex, &b_in_a,
		                         &options, &m ) != bv_ok ||
		     m.count == 0 )
		{
			return 0;
		}
		set_contacts( 0, &m );
		return 1;
	}

	// A shape can touch a mesh with several normals, as in a corner. Each is a manifold. The one with the deepest contact comes first.
	int collide_mesh()
	{
		static std::uint64_t scratch[BV_MESH_CONTACTS_SCRATCH( 1000 ) / sizeof( std::uint64_t )];
		bv_mesh_manifold found[most_normals];
		bv_mesh_contacts_room room = { found, most_normals, scratch, sizeof scratch };
		bv_mesh_contacts_options options = bv_mesh_contacts_options_default();
		options.speculative = speculative;
		bv_mesh_contacts_result result;
		bv_transform a_in_b = bv_transform_between( &placement[1], &placement[0] );
		if ( bv_mesh_contacts_convex( shape_of( object[0] ).mesh, &a_in_b, &shape_of( object[1] ).convex,
		                              &options, &room, &result ) != bv_ok )
		{
			return 0;
		}
		for ( std::uint32_t i = 0; i < result.count; ++i )
		{
			// Contacts with a mesh are in coordinates of the convex shape, and manifolds in those of the first body.
			bv_manifold m = {};
			m.normal = bv_transform_direction( &b_in_a, found[i].normal );
			m.count = found[i].count;
			for ( std::uint32_t k = 0; k < m.count; ++k )
			{
				m.contact[k] = found[i].contact[k].at;
				m.contact[k].position = bv_transform_point( &b_in_a, m.contact[k].position );
				for ( bv_vec3& point : m.contact[k].point )
				{
					point = bv_transform_point( &b_in_a, point );
				}
			}
			set_contacts( int( i ), &m );
		}
		return int( result.count );
	}

	// Replaces the points of a manifold. Those that are still there keep their impulses. Null removes the manifold, which is the last one.
	void set_contacts( int index, const bv_manifold* now )
	{
		if ( index == manifolds.size() )
		{
			manifolds.push_back( m_dispatcher->getNewManifold( object[0]->getCollisionObject(),
			                                                   object[1]->getCollisionObject() ) );
		}
		btPersistentManifold* manifold = manifolds[index];
		bvw_contact_key key = { std::uint32_t( manifold->getBody0()->getUserIndex() ),
			                    std::uint32_t( manifold->getBody1()->getUserIndex() ),
			                    { 0, std::uint32_t( index ) } };
		bvw_contact_pair* pair = bvw_contacts_find( contacts, &key );
		for ( int i = 0; i < manifold->getNumContacts(); ++i )
		{
			const btManifoldPoint& point = manifold->getContactPoint( i );
			pair->data[i][0] = double( point.m_appliedImpulse );
			pair->data[i][1] = double( point.m_appliedImpulseLateral1 );
			pair->data[i][2] = double( point.m_appliedImpulseLateral2 );
		}
		if ( bvw_contacts_update_pair( contacts, &key, &b_in_a, now, nullptr ) != bv_ok )
		{
			give_up( "contacts", "more pairs than there is room for" );
		}
		manifold->clearManifold();
		if ( !now )
		{
			m_dispatcher->releaseManifold( manifold );
			manifolds.pop_back();
			return;
		}
		pair = bvw_contacts_find( contacts, &key );
		for ( std::uint32_t i = 0; i < pair->manifold.count; ++i )
		{
			manifold->addManifoldPoint( point_of( *pair, i ) );
		}
	}

	btManifoldPoint point_of( const bvw_contact_pair& pair, std::uint32_t i ) const
	{
		const bv_contact& contact = pair.manifold.contact[i];
		// Bullet's normals are from the second body to the first one.
		bv_vec3 normal = bv_transform_direction( &placement[0], bv_negate( pair.manifold.normal ) );
		btManifoldPoint out( to_bullet( contact.point[0] ), to_bullet( pair.place[i] ), to_bullet( normal ),
		                     btScalar( contact.separation ) );
		out.m_positionWorldOnA = to_bullet( bv_transform_point( &placement[0], contact.point[0] ) );
		out.m_positionWorldOnB = to_bullet( bv_transform_point( &placement[0], contact.point[1] ) );
		out.m_combinedFriction = btManifoldResult::calculateCombinedFriction(
			object[0]->getCollisionObject(), object[1]->getCollisionObject() );
		out.m_combinedRestitution = 0;
		out.m_appliedImpulse = btScalar( pair.data[i][0] );
		out.m_appliedImpulseLateral1 = btScalar( pair.data[i][1] );
		out.m_appliedImpulseLateral2 = btScalar( pair.data[i][2] );
		return out;
	}

	bvw_contacts* contacts;
	bool swapped;
	const btCollisionObjectWrapper* object[2] = {}; // of this step
	bv_transform placement[2];
	bv_transform b_in_a;
	bv_convex_cache cache = {};
	btManifoldArray manifolds;
};

struct our_create_func : btCollisionAlgorithmCreateFunc
{
	bvw_contacts* contacts = nullptr;

	btCollisionAlgorithm* CreateCollisionAlgorithm( btCollisionAlgorithmConstructionInfo& info,
	                                                const btCollisionObjectWrapper* first,
	                                                const btCollisionObjectWrapper* second ) override
	{
		void* memory = info.m_dispatcher1->allocateCollisionAlgorithm( sizeof( our_contacts ) );
		return new ( memory ) our_contacts( info, first, second, contacts );
	}
};

static btDefaultCollisionConstructionInfo construction()
{
	btDefaultCollisionConstructionInfo info;
	info.m_customCollisionAlgorithmMaxElementSize = sizeof( our_contacts );
	return info;
}

// Chooses our contacts, or Bullet's own to compare with.
class our_configuration : public btDefaultCollisionConfiguration {
  public:
	explicit our_configuration( bool uses_ours )
		: btDefaultCollisionConfiguration( construction() ), ours( uses_ours )
	{
		create.contacts = all;
	}
	btCollisionAlgorithmCreateFunc* getCollisionAlgorithmCreateFunc( int first, int second ) override
	{
		return ours ? &create
		            : btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc( first, second );
	}

  private:
	bool ours;
	store all;
	our_create_func create;
};
