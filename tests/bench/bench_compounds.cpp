// Contacts of two bodies of many convex leaves: by trees, by all pairs, and by Bullet's btCompoundShape.
//
//   bench_compounds [--rounds N] [--frames N]
//
// Both bodies are layers of N hulls of 32 random points, side by side in a jittered grid, one on the other by 15 % of the size of a
// hull; the upper one slides and turns a little in each of N frames (16). Bullet keeps up to four points of each pair of hulls from
// frame to frame. Times are medians of N rounds (9) of the processor time per frame; entrants take turns within a round.
//
// Exit codes: 1 something can't be built, 3 usage.

#include "tests/bench/measure.h"

#include "bv/compound.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

const double speculative = 0.02;

struct layer
{
	std::vector<std::vector<bv_vec3>> points;
	std::vector<bv_convex> hulls;
	std::vector<bv_transform> places;
	std::vector<bv_compound> members;
	std::vector<uint64_t> memory;
	bv_compound compound;
};

[[noreturn]] void give_up( const char* what )
{
	fprintf( stderr, "bench_compounds: %s\n", what );
	exit( 1 );
}

double draw( uint64_t& state )
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)( state >> 11 ) * 0x1p-53;
}

void make_layer( uint32_t side, uint64_t seed, layer& out )
{
	uint64_t state = seed * 0x9e3779b97f4a7c15u;
	uint32_t count = side * side;
	out.points.resize( count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 32; ++k )
		{
			bv_vec3 p = { draw( state ) - 0.5, draw( state ) - 0.5, draw( state ) - 0.5 };
			out.points[i].push_back( bv_scale( 0.55 / bv_length( p ), p ) );
		}
		bv_transform at = bv_transform_translation( i % side + 0.1 * draw( state ),
		                                            i / side + 0.1 * draw( state ), 0.1 * draw( state ) );
		out.places.push_back( at );
		out.hulls.push_back( bv_convex_points( out.points[i].data(), 32, 0 ) );
	}
	for ( const bv_convex& hull : out.hulls )
	{
		out.members.push_back( bv_compound_of_shape( &hull ) );
	}
	size_t bytes = bv_compound_bytes( out.members.data(), count );
	out.memory.resize( bytes / 8 + 1 );
	if ( bv_compound_join( out.members.data(), out.places.data(), count, out.memory.data(),
	                       8 * out.memory.size(), &out.compound ) != bv_ok )
	{
		give_up( "no union" );
	}
}

struct entrant
{
	const char* name;
	size_t points = 0;

	explicit entrant( const char* by ) : name( by )
	{
	}
	virtual ~entrant() = default;
	virtual void ask( const bv_transform& at ) = 0;
};

struct by_trees : entrant
{
	const layer& a;
	const layer& b;
	bv_compound_contacts_options options = bv_compound_contacts_options_default();
	std::vector<bv_compound_contact> contacts;
	std::vector<uint64_t> scratch;
	std::vector<bv_convex_cache> caches;

	by_trees( const char* by, const layer& first, const layer& second, bool tests_ghosts, bool keeps )
		: entrant( by ), a( first ), b( second ), contacts( 16 * first.hulls.size() )
	{
		options.speculative = speculative;
		options.no_ghost_test = !tests_ghosts;
		scratch.resize(
			bv_compound_contacts_bytes( &a.compound, &b.compound, (uint32_t)contacts.size() ) / 8 + 1 );
		if ( keeps )
		{
			caches.resize( a.hulls.size() * b.hulls.size() );
			options.cache = give;
			options.context = this;
		}
	}

	static bv_convex_cache* give( void* context, uint32_t leaf_a, uint32_t leaf_b )
	{
		auto* self = static_cast<by_trees*>( context );
		return &self->caches[leaf_a * self->b.hulls.size() + leaf_b];
	}

	void ask( const bv_transform& at ) override
	{
		bv_compound_room room = { contacts.data(), (uint32_t)contacts.size(), scratch.data(),
			                      8 * scratch.size() };
		bv_compound_contacts_result r;
		if ( bv_compound_contacts( &a.compound, &b.compound, &at, &options, &room, &r ) != bv_ok )
		{
			give_up( "bv_compound_contacts failed" );
		}
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			points += contacts[i].manifold.count;
		}
	}
};

struct by_all_pairs : entrant
{
	const layer& a;
	const layer& b;

	by_all_pairs( const char* by, const layer& first, const layer& second )
		: entrant( by ), a( first ), b( second )
	{
	}

	void ask( const bv_transform& at ) override
	{
		bv_manifold_options options = bv_manifold_options_default();
		options.speculative = speculative;
		for ( size_t k = 0; k < b.hulls.size(); ++k )
		{
			bv_transform of_b = bv_transform_compose( &at, &b.places[k] );
			for ( size_t i = 0; i < a.hulls.size(); ++i )
			{
				bv_transform between = bv_transform_between( &a.places[i], &of_b );
				bv_manifold m;
				if ( bv_convex_manifold( &a.hulls[i], &b.hulls[k], &between, &options, &m ) != bv_ok )
				{
					give_up( "bv_convex_manifold failed" );
				}
				points += m.count;
			}
		}
	}
};

btTransform bullet_transform( const bv_transform& t )
{
	const auto& r = t.pose.rotation;
	const bv_vec3& x = t.pose.translation;
	return btTransform(
		btMatrix3x3( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2] ),
		btVector3( x.x, x.y, x.z ) );
}

struct bullet_body
{
	std::vector<std::unique_ptr<btConvexHullShape>> hulls;
	btCompoundShape compound;
	btCollisionObject object;

	explicit bullet_body( const layer& of )
	{
		for ( size_t i = 0; i < of.hulls.size(); ++i )
		{
			hulls.push_back( std::make_unique<btConvexHullShape>() );
			for ( const bv_vec3& p : of.points[i] )
			{
				hulls.back()->addPoint( btVector3( p.x, p.y, p.z ), false );
			}
			hulls.back()->recalcLocalAabb();
			hulls.back()->setMargin( 0 );
			compound.addChildShape( bullet_transform( of.places[i] ), hulls.back().get() );
		}
		object.setCollisionShape( &compound );
		object.setWorldTransform( btTransform::getIdentity() );
	}
};

struct bullet_compounds : entrant
{
	bullet_body a;
	bullet_body b;
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDispatcherInfo info;
	btCollisionAlgorithm* algorithm;

	bullet_compounds( const char* by, const layer& first, const layer& second )
		: entrant( by ), a( first ), b( second ), dispatcher( &configuration )
	{
		btCollisionObjectWrapper of_a = wrapped( a );
		btCollisionObjectWrapper of_b = wrapped( b );
		algorithm = dispatcher.findAlgorithm( &of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS );
	}

	~bullet_compounds() override
	{
		algorithm->~btCollisionAlgorithm();
		dispatcher.freeCollisionAlgorithm( algorithm );
	}

	static btCollisionObjectWrapper wrapped( const bullet_body& body )
	{
		return { nullptr, &body.compound, &body.object, body.object.getWorldTransform(), -1, -1 };
	}

	void ask( const bv_transform& at ) override
	{
		b.object.setWorldTransform( bullet_transform( at ) );
		btCollisionObjectWrapper of_a = wrapped( a );
		btCollisionObjectWrapper of_b = wrapped( b );
		btManifoldResult result( &of_a, &of_b );
		algorithm->processCollision( &of_a, &of_b, info, &result );
		btManifoldArray manifolds;
		algorithm->getAllContactManifolds( manifolds );
		for ( int i = 0; i < manifolds.size(); ++i )
		{
			points += (size_t)manifolds[i]->getNumContacts();
		}
	}
};

void measure( uint32_t side, int rounds, int frames )
{
	layer a;
	layer b;
	make_layer( side, 1, a );
	make_layer( side, 2, b );
	std::vector<bv_transform> path;
	for ( int i = 0; i < frames; ++i )
	{
		bv_transform at;
		bv_vec3 way = { 0.02 * i, 0.013 * i, 0.95 };
		if ( bv_transform_from_axis_angle( bv_vec3_make( 0, 0, 1 ), 0.001 * i, way, &at ) != bv_ok )
		{
			give_up( "no rotation" );
		}
		path.push_back( at );
	}
	std::vector<std::unique_ptr<entrant>> entrants;
	entrants.push_back( std::make_unique<by_trees>( "bv, cached", a, b, true, true ) );
	entrants.push_back( std::make_unique<by_trees>( "bv", a, b, true, false ) );
	entrants.push_back( std::make_unique<by_trees>( "bv, no ghost test", a, b, false, false ) );
	entrants.push_back( std::make_unique<by_all_pairs>( "bv, all pairs", a, b ) );
	entrants.push_back( std::make_unique<bullet_compounds>( "Bullet", a, b ) );
	if ( side == 4 )
	{
		printf( "| leaves of each |" );
		for ( const auto& e : entrants )
		{
			printf( " %s, us | points |", e->name );
		}
		printf( "\n| ---: |" );
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			printf( " ---: | ---: |" );
		}
		printf( "\n" );
	}
	std::vector<std::vector<double>> seconds( entrants.size() );
	for ( int round = -1; round < rounds; ++round ) // the first one warms up
	{
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			entrants[i]->points = 0;
			double start = core_now();
			for ( const bv_transform& at : path )
			{
				entrants[i]->ask( at );
			}
			double s = ( core_now() - start ) / frames;
			if ( round >= 0 )
			{
				seconds[i].push_back( s );
			}
		}
	}
	printf( "| %u |", (unsigned)( side * side ) );
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		printf( " %.1f | %.0f |", 1e6 * median( seconds[i].data(), rounds ),
		        (double)entrants[i]->points / frames );
	}
	printf( "\n" );
}

} // namespace

int main( int argc, char** argv )
{
	int rounds = 9;
	int frames = 16;
	for ( int i = 1; i < argc; i += 2 )
	{
		std::string option = argv[i];
		int value = i + 1 < argc ? atoi( argv[i + 1] ) : 0;
		if ( value < 1 || ( option != "--rounds" && option != "--frames" ) )
		{
			fprintf( stderr, "bench_compounds: invalid option %s\n", argv[i] );
			return 3;
		}
		rounds = option == "--rounds" ? value : rounds;
		frames = option == "--frames" ? value : frames;
	}
	for ( uint32_t side : { 4u, 8u, 16u } )
	{
		measure( side, rounds, frames );
	}
	return 0;
}
