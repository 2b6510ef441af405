// A pile of convex hulls for bench_piles: poses of consecutive steps, while it falls and at rest, and the pairs of a broad phase. Bullet
// makes it, so that its solver and its broad phase decide what is asked. In C++.

#pragma once

#include "tests/bench/convex_scene.h"

#include "bvworld/broadphase.h"

#include <btBulletDynamicsCommon.h>

#include <iterator>

enum
{
	pile_walls = 5, // the first bodies: a floor and four walls
	pile_shapes = 64,
	least_corners = 20,
	most_corners = 40,
};

struct pile_frame
{
	std::vector<bv_pose> at;
	std::vector<bvw_pair> begun; // since the frame before
	std::vector<bvw_pair> ended;
	size_t pairs = 0;
};

struct pile_window
{
	const char* name;
	std::vector<pile_frame> frames;
};

// Bullet surrounds its hulls by a margin, and takes it off again where it clips faces.
struct pile_scene
{
	const char* name = "";
	double radius = 0; // bodies are all points within this distance of hulls
	double side = 0;   // of the square that the walls leave
	std::vector<convex_shape> hulls;
	std::vector<uint32_t> shape_of; // of each body behind the walls
	bv_vec3 wall_half[pile_walls];
	bv_vec3 wall_at[pile_walls];
	pile_window windows[2] = { { "falling", {} }, { "at rest", {} } };

	size_t count() const
	{
		return pile_walls + shape_of.size();
	}

	bv_convex convex( size_t body ) const
	{
		if ( body < pile_walls )
		{
			return bv_convex_box( bv_vec3_make( 0, 0, 0 ), wall_half[body] );
		}
		bv_convex out = hulls[shape_of[body - pile_walls]].ours;
		out.radius = radius;
		return out;
	}
};

static inline btVector3 pile_vector( bv_vec3 v )
{
	return btVector3( btScalar( v.x ), btScalar( v.y ), btScalar( v.z ) );
}

static inline btTransform pile_transform( const bv_pose& p )
{
	btTransform out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.getBasis()[i][k] = btScalar( p.rotation[i][k] );
		}
	}
	out.setOrigin( pile_vector( p.translation ) );
	return out;
}

static inline bv_pose pile_pose( const btTransform& t )
{
	bv_pose out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.rotation[i][k] = double( t.getBasis()[i][k] );
		}
	}
	const btVector3& o = t.getOrigin();
	out.translation = bv_vec3_make( double( o.x() ), double( o.y() ), double( o.z() ) );
	return out;
}

// How Bullet finds contacts.
struct pile_bullet
{
	double margin;
	bool clips; // faces, and so finds up to four points in a step, and not one
};

static inline std::unique_ptr<btConvexShape> pile_bullet_shape( const pile_scene& scene, size_t body,
                                                                const pile_bullet& how )
{
	std::unique_ptr<btPolyhedralConvexShape> out;
	if ( body < pile_walls )
	{
		out = std::make_unique<btBoxShape>( pile_vector( scene.wall_half[body] ) ); // its margin is inside
	}
	else
	{
		auto hull = std::make_unique<btConvexHullShape>();
		for ( const bv_vec3& p : scene.hulls[scene.shape_of[body - pile_walls]].points )
		{
			hull->addPoint( pile_vector( p ), false );
		}
		hull->recalcLocalAabb();
		hull->setMargin( btScalar( how.margin ) );
		out = std::move( hull );
	}
	if ( how.clips )
	{
		out->initializePolyhedralFeatures();
	}
	return out;
}

// Diameters are 0.5 to 1.
static inline pile_scene make_pile( const char* name, size_t bodies, double radius )
{
	pile_scene s;
	uint64_t seed = 20;
	s.name = name;
	s.radius = radius;
	for ( int i = 0; i < pile_shapes; ++i )
	{
		s.hulls.emplace_back();
		int corners = least_corners + i % ( most_corners - least_corners + 1 );
		make_hull( &seed, corners, &s.hulls.back() );
		convex_shape& hull = s.hulls.back();
		for ( bv_vec3& p : hull.points )
		{
			p = bv_scale( 0.5, p );
		}
		hull.ours.points = hull.points.data();
		hull.ours.reach *= 0.5;
	}
	for ( convex_shape& hull : s.hulls )
	{
		hull.ours.points = hull.points.data();
		hull.ours.first_neighbor = hull.first_neighbor.data();
		hull.ours.neighbors = hull.neighbors.data();
	}
	for ( size_t i = 0; i < bodies; ++i )
	{
		s.shape_of.push_back( (uint32_t)( i % pile_shapes ) );
	}
	s.side = 1.1 * std::ceil( std::cbrt( (double)bodies ) );
	double h = s.side / 2;
	const bv_vec3 half[pile_walls] = { { h + 2, h + 2, 1 },
		                               { 1, h + 2, 2 * h },
		                               { 1, h + 2, 2 * h },
		                               { h + 2, 1, 2 * h },
		                               { h + 2, 1, 2 * h } };
	const bv_vec3 at[pile_walls] = {
		{ 0, 0, -1 }, { h + 1, 0, 2 * h }, { -h - 1, 0, 2 * h }, { 0, h + 1, 2 * h }, { 0, -h - 1, 2 * h }
	};
	std::copy( half, half + pile_walls, s.wall_half );
	std::copy( at, at + pile_walls, s.wall_at );
	return s;
}

static inline btTransform pile_start( const pile_scene& s, size_t body, uint64_t* seed )
{
	if ( body < pile_walls )
	{
		return btTransform( btQuaternion::getIdentity(), pile_vector( s.wall_at[body] ) );
	}
	auto columns = (size_t)( s.side / 1.1 );
	size_t i = body - pile_walls;
	bv_vec3 at = { 1.1 * ( (double)( i % columns ) + 0.5 ) - s.side / 2,
		           1.1 * ( (double)( i / columns % columns ) + 0.5 ) - s.side / 2,
		           1.1 * ( (double)( i / columns / columns ) + 0.5 ) };
	btQuaternion turn( pile_vector( random_direction( seed ) ), btScalar( random_between( seed, 0, 3 ) ) );
	return btTransform( turn, pile_vector( at ) );
}

typedef std::vector<std::pair<uint32_t, uint32_t>> pile_pairs; // sorted

// Where bodies are now, and the pairs of the broad phase there.
static inline pile_frame pile_record( btDiscreteDynamicsWorld& world, pile_pairs& pairs )
{
	pile_frame out;
	world.updateAabbs();
	world.computeOverlappingPairs();
	for ( int i = 0; i < world.getNumCollisionObjects(); ++i )
	{
		out.at.push_back( pile_pose( world.getCollisionObjectArray()[i]->getWorldTransform() ) );
	}
	pile_pairs now;
	const btBroadphasePairArray& all = world.getPairCache()->getOverlappingPairArray();
	for ( int i = 0; i < all.size(); ++i )
	{
		const auto* first = (const btCollisionObject*)all[i].m_pProxy0->m_clientObject;
		const auto* second = (const btCollisionObject*)all[i].m_pProxy1->m_clientObject;
		auto a = (uint32_t)first->getUserIndex();
		auto b = (uint32_t)second->getUserIndex();
		now.emplace_back( std::min( a, b ), std::max( a, b ) );
	}
	std::sort( now.begin(), now.end() );
	pile_pairs begun;
	pile_pairs ended;
	std::set_difference( now.begin(), now.end(), pairs.begin(), pairs.end(), std::back_inserter( begun ) );
	std::set_difference( pairs.begin(), pairs.end(), now.begin(), now.end(), std::back_inserter( ended ) );
	for ( const auto& p : begun )
	{
		out.begun.push_back( { p.first, p.second } );
	}
	for ( const auto& p : ended )
	{
		out.ended.push_back( { p.first, p.second } );
	}
	out.pairs = now.size();
	pairs = std::move( now );
	return out;
}

// Lets the pile fall, and records `frames` consecutive steps from the step `falling` on, and behind the step `resting`. Their first
// frames have all pairs as begun.
static inline void settle_pile( pile_scene& s, const pile_bullet& how, int falling, int resting, int frames )
{
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher( &configuration );
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world( &dispatcher, &broadphase, &solver, &configuration );
	world.setGravity( btVector3( 0, 0, btScalar( -9.81 ) ) );
	std::vector<std::unique_ptr<btConvexShape>> shapes;
	std::vector<std::unique_ptr<btRigidBody>> bodies;
	uint64_t seed = 7;
	for ( size_t i = 0; i < s.count(); ++i )
	{
		shapes.push_back( pile_bullet_shape( s, i, how ) );
		btVector3 inertia( 0, 0, 0 );
		btScalar mass = i < pile_walls ? 0 : 1;
		if ( mass > 0 )
		{
			shapes.back()->calculateLocalInertia( mass, inertia );
		}
		btRigidBody::btRigidBodyConstructionInfo info( mass, nullptr, shapes.back().get(), inertia );
		info.m_startWorldTransform = pile_start( s, i, &seed );
		info.m_linearDamping = info.m_angularDamping = btScalar( 0.2 );
		bodies.push_back( std::make_unique<btRigidBody>( info ) );
		bodies.back()->setUserIndex( (int)i );
		bodies.back()->setActivationState( DISABLE_DEACTIVATION );
		world.addRigidBody( bodies.back().get() );
	}
	pile_pairs pairs;
	for ( int i = 0; i < resting + frames; ++i )
	{
		world.stepSimulation( btScalar( 1.0 / 60 ), 0 );
		bool rests = i >= resting;
		if ( i == falling || i == resting )
		{
			pairs.clear();
		}
		if ( rests || ( i >= falling && i < falling + frames ) )
		{
			s.windows[rests].frames.push_back( pile_record( world, pairs ) );
		}
	}
	for ( auto& body : bodies )
	{
		world.removeRigidBody( body.get() );
	}
}

template <typename T> static inline void write_all( FILE* file, const std::vector<T>& values )
{
	uint64_t count = values.size();
	if ( fwrite( &count, sizeof count, 1, file ) != 1 ||
	     fwrite( values.data(), sizeof( T ), values.size(), file ) != values.size() )
	{
		give_up( "a scene cannot be written" );
	}
}

template <typename T> static inline void read_all( FILE* file, std::vector<T>& values )
{
	uint64_t count = 0;
	if ( fread( &count, sizeof count, 1, file ) != 1 || count > 10000000 )
	{
		give_up( "a scene cannot be read" );
	}
	values.resize( count );
	if ( fread( values.data(), sizeof( T ), values.size(), file ) != values.size() )
	{
		give_up( "a scene cannot be read" );
	}
}

// Poses and pairs, for another program with the same shapes.
static inline void write_pile( const pile_scene& s, FILE* file )
{
	for ( const pile_window& window : s.windows )
	{
		write_all( file, std::vector<size_t>{ window.frames.size() } );
		for ( const pile_frame& f : window.frames )
		{
			write_all( file, f.at );
			write_all( file, f.begun );
			write_all( file, f.ended );
			write_all( file, std::vector<size_t>{ f.pairs } );
		}
	}
	fflush( file );
}

// @param frames  the most that are kept of each window
static inline void read_pile( pile_scene& s, FILE* file, size_t frames )
{
	for ( pile_window& window : s.windows )
	{
		std::vector<size_t> written;
		read_all( file, written );
		for ( size_t i = 0; i < written.at( 0 ); ++i )
		{
			pile_frame f;
			std::vector<size_t> pairs;
			read_all( file, f.at );
			read_all( file, f.begun );
			read_all( file, f.ended );
			read_all( file, pairs );
			if ( f.at.size() != s.count() || pairs.size() != 1 )
			{
				give_up( "a scene is of another pile" );
			}
			f.pairs = pairs[0];
			if ( i < frames )
			{
				window.frames.push_back( std::move( f ) );
			}
		}
	}
}
