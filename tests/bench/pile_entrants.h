// Who takes part in bench_piles: we, as a step and as single queries, and Bullet's narrow phase. In C++.

#pragma once

#include "tests/bench/pile_scene.h"

#include "bvworld/contacts.h"

namespace {

const double speculative = 0.02; // gContactBreakingThreshold, up to which Bullet keeps points

typedef std::map<std::pair<uint32_t, uint32_t>, double> separations;

// What contacts of a step are like.
struct answer
{
	size_t touching = 0; // pairs that overlap
	size_t points = 0;
	size_t overlapping = 0; // of them
	double depth = 0;       // mean, of touching pairs
	double deepest = 0;
	separations least; // of pairs with points

	void add( uint32_t a, uint32_t b, double separation )
	{
		points += 1;
		overlapping += separation <= 0;
		auto key = std::make_pair( std::min( a, b ), std::max( a, b ) );
		auto at = least.emplace( key, separation ).first;
		at->second = std::min( at->second, separation );
	}

	void finish()
	{
		for ( const auto& pair : least )
		{
			touching += pair.second <= 0;
			depth -= std::min( pair.second, 0.0 );
			deepest = std::max( deepest, -pair.second );
		}
		depth /= (double)std::max<size_t>( touching, 1 );
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
	virtual void load( const pile_scene& scene, size_t most_pairs ) = 0;
	virtual void prepare( const pile_frame& frame ) = 0; // not timed
	virtual void ask() = 0;
	virtual void tell( answer& out ) = 0;
};

struct our_step : entrant
{
	std::vector<bv_convex> shapes;
	std::vector<bvw_body> bodies;
	std::vector<uint64_t> memory;
	bvw_contacts* contacts = nullptr;
	bvw_changes changes = {};
	bvw_contacts_report report = {};

	our_step() : entrant( "bvw_contacts_step" )
	{
	}

	void load( const pile_scene& scene, size_t most_pairs ) override
	{
		shapes.clear();
		for ( size_t i = 0; i < scene.count(); ++i )
		{
			shapes.push_back( scene.convex( i ) );
		}
		bodies.assign( scene.count(), {} );
		bvw_contacts_options options = bvw_contacts_options_default();
		options.pairs = (uint32_t)most_pairs;
		memory.assign( bvw_contacts_bytes( &options ) / sizeof( uint64_t ), 0 );
		if ( bvw_contacts_begin( memory.data(), memory.size() * sizeof( uint64_t ), &options, &contacts ) !=
		     bv_ok )
		{
			give_up( "bvw_contacts_begin failed" );
		}
	}

	void prepare( const pile_frame& frame ) override
	{
		for ( size_t i = 0; i < bodies.size(); ++i )
		{
			bodies[i] = { &shapes[i], bv_transform_of_pose( &frame.at[i] ) };
		}
		changes.begun = frame.begun.data();
		changes.begun_count = (uint32_t)frame.begun.size();
		changes.ended = frame.ended.data();
		changes.ended_count = (uint32_t)frame.ended.size();
	}

	void ask() override
	{
		bvw_contacts_step_input input = {};
		input.changes = &changes;
		input.bodies = bodies.data();
		input.body_count = (uint32_t)bodies.size();
		input.speculative = speculative;
		if ( bvw_contacts_step( contacts, &input, &report ) != bv_ok || report.refused_count > 0 )
		{
			give_up( "bvw_contacts_step failed" );
		}
	}

	void tell( answer& out ) override
	{
		for ( uint32_t i = 0; i < report.touching_count; ++i )
		{
			const bvw_contact_pair* pair = bvw_contacts_at( contacts, report.touching[i] );
			for ( uint32_t k = 0; k < pair->manifold.count; ++k )
			{
				out.add( pair->key.a, pair->key.b, pair->manifold.contact[k].separation );
			}
		}
	}
};

// Nothing is matched or stored. Pairs that had contacts in the step before come first, and the others behind them.
struct our_manifolds : entrant
{
	struct group
	{
		double seconds = 0; // of all steps but the first one
		size_t pairs = 0;
	};

	bool cached;
	std::vector<bv_convex> shapes;
	std::vector<bv_transform> at;
	std::map<std::pair<uint32_t, uint32_t>, bv_convex_cache> caches;
	std::vector<std::pair<bvw_pair, bv_convex_cache*>> pairs;
	std::vector<bv_manifold> manifolds;
	std::map<std::pair<uint32_t, uint32_t>, bool> touched; // in the step before
	std::vector<bool> is_touching;
	group groups[2]; // apart, touching
	int steps = 0;

	our_manifolds( const char* by, bool keeps ) : entrant( by ), cached( keeps )
	{
	}

	void load( const pile_scene& scene, size_t most_pairs ) override
	{
		shapes.clear();
		for ( size_t i = 0; i < scene.count(); ++i )
		{
			shapes.push_back( scene.convex( i ) );
		}
		at.resize( scene.count() );
		manifolds.resize( most_pairs );
		caches.clear();
		touched.clear();
		groups[0] = groups[1] = {};
		steps = 0;
	}

	void prepare( const pile_frame& frame ) override
	{
		for ( size_t i = 0; i < at.size(); ++i )
		{
			at[i] = bv_transform_of_pose( &frame.at[i] );
		}
		for ( const bvw_pair& p : frame.ended )
		{
			caches.erase( { p.a, p.b } );
		}
		for ( const bvw_pair& p : frame.begun )
		{
			caches[{ p.a, p.b }] = {};
		}
		for ( size_t i = 0; i < pairs.size(); ++i )
		{
			touched[{ pairs[i].first.a, pairs[i].first.b }] = manifolds[i].count > 0;
		}
		pairs.clear();
		is_touching.clear();
		for ( auto& entry : caches )
		{
			auto before = touched.find( entry.first );
			pairs.push_back( { { entry.first.first, entry.first.second }, &entry.second } );
			is_touching.push_back( before != touched.end() && before->second );
		}
		++steps;
	}

	void ask() override
	{
		ask_group( true );
		ask_group( false );
	}

	void ask_group( bool touching )
	{
		double start = core_now();
		size_t asked = 0;
		bv_manifold_options options = bv_manifold_options_default();
		options.speculative = speculative;
		for ( size_t i = 0; i < pairs.size(); ++i )
		{
			if ( is_touching[i] != touching )
			{
				continue;
			}
			bvw_pair p = pairs[i].first;
			bv_transform b_in_a = bv_transform_between( &at[p.a], &at[p.b] );
			options.distance.cache = cached ? pairs[i].second : nullptr;
			if ( bv_convex_manifold( &shapes[p.a], &shapes[p.b], &b_in_a, &options, &manifolds[i] ) != bv_ok )
			{
				give_up( "bv_convex_manifold failed" );
			}
			++asked;
		}
		if ( steps > 1 )
		{
			groups[touching].seconds += core_now() - start;
			groups[touching].pairs += asked;
		}
	}

	void tell( answer& out ) override
	{
		for ( size_t i = 0; i < pairs.size(); ++i )
		{
			for ( uint32_t k = 0; k < manifolds[i].count; ++k )
			{
				out.add( pairs[i].first.a, pairs[i].first.b, manifolds[i].contact[k].separation );
			}
		}
	}
};

btDefaultCollisionConstructionInfo large_pools()
{
	btDefaultCollisionConstructionInfo info;
	info.m_defaultMaxPersistentManifoldPoolSize = info.m_defaultMaxCollisionAlgorithmPoolSize = 1 << 17;
	return info;
}

struct bullet_narrow_phase : entrant
{
	pile_bullet how;
	bool keeps; // points of former steps
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDispatcherInfo info;
	std::vector<std::unique_ptr<btConvexShape>> shapes;
	std::vector<std::unique_ptr<btCollisionObject>> objects;
	std::vector<std::unique_ptr<btBroadphaseProxy>> proxies;
	std::unique_ptr<btHashedOverlappingPairCache> pairs;

	bullet_narrow_phase( const char* by, pile_bullet h, bool is_persistent )
		: entrant( by ), how( h ), keeps( is_persistent ), configuration( large_pools() ),
		  dispatcher( &configuration )
	{
	}

	~bullet_narrow_phase() override
	{
		clear();
	}

	void clear()
	{
		while ( pairs && pairs->getNumOverlappingPairs() > 0 )
		{
			btBroadphasePair& p = pairs->getOverlappingPairArray()[0];
			pairs->removeOverlappingPair( p.m_pProxy0, p.m_pProxy1, &dispatcher );
		}
	}

	void load( const pile_scene& scene, size_t ) override
	{
		clear();
		pairs = std::make_unique<btHashedOverlappingPairCache>();
		objects.clear();
		proxies.clear();
		shapes.clear();
		for ( size_t i = 0; i < scene.count(); ++i )
		{
			shapes.push_back( pile_bullet_shape( scene, i, how ) );
			objects.push_back( std::make_unique<btCollisionObject>() );
			objects.back()->setCollisionShape( shapes.back().get() );
			objects.back()->setUserIndex( (int)i );
			if ( i >= pile_walls )
			{
				objects.back()->setCollisionFlags( 0 ); // not static
			}
			btVector3 zero( 0, 0, 0 );
			proxies.push_back(
				std::make_unique<btBroadphaseProxy>( zero, zero, objects.back().get(), 1, -1 ) );
			proxies.back()->m_uniqueId = (int)i + 1;
			objects.back()->setBroadphaseHandle( proxies.back().get() );
		}
	}

	void prepare( const pile_frame& frame ) override
	{
		for ( size_t i = 0; i < objects.size(); ++i )
		{
			objects[i]->setWorldTransform( pile_transform( frame.at[i] ) );
		}
		for ( const bvw_pair& p : frame.ended )
		{
			pairs->removeOverlappingPair( proxies[p.a].get(), proxies[p.b].get(), &dispatcher );
		}
		for ( const bvw_pair& p : frame.begun )
		{
			pairs->addOverlappingPair( proxies[p.a].get(), proxies[p.b].get() );
		}
		for ( int i = 0; i < dispatcher.getNumManifolds() && !keeps; ++i )
		{
			dispatcher.getManifoldByIndexInternal( i )->clearManifold();
		}
	}

	void ask() override
	{
		dispatcher.dispatchAllCollisionPairs( pairs.get(), info, &dispatcher );
	}

	void tell( answer& out ) override
	{
		for ( int i = 0; i < dispatcher.getNumManifolds(); ++i )
		{
			const btPersistentManifold* m = dispatcher.getManifoldByIndexInternal( i );
			for ( int k = 0; k < m->getNumContacts(); ++k )
			{
				out.add( (uint32_t)m->getBody0()->getUserIndex(), (uint32_t)m->getBody1()->getUserIndex(),
				         double( m->getContactPoint( k ).getDistance() ) );
			}
		}
	}
};

} // namespace
