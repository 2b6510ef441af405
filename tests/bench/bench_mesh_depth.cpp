// How deep meshes overlap: time and width of proven intervals, beside the local depths of FCL and Bullet.
//
//   bench_mesh_depth [--quick] FILE.bvh...
//
// Each file, normalized, is placed at random against itself and the next one so that they overlap. Of this library: processor time per
// query, the share of queries that reach the factor, and the medians of upper / lower.
//
// FCL (fcl::collide of two BVHModels, with contacts) and Bullet (btGImpactMeshShape in double precision) have depths of pairs
// of triangles. The deepest one of all contacts is taken, b is moved by this depth along its normal, and 1 % farther. Whether that
// separates is decided by bv_mesh_depth, which proves it. Their answers are not wrong: they are not meant to be global.
//
// Exit codes: 1 an interval is wrong or the bar is missed, 2 something cannot be read, 3 usage.

#include "bv/depth.h"
#include "bv/mesh.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"
#include "tests/bench/random.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

const double factors[] = { 1.1, 1.5, 2 };
const double bar = 0.9; // of queries of closed meshes that reach the factor 2

[[noreturn]] void give_up( const std::string& why )
{
	fprintf( stderr, "bench_mesh_depth: %s\n", why.c_str() );
	exit( 2 );
}

// A file, and the same mesh in the libraries of others.
struct thing
{
	std::string name;
	const bv_file* file = nullptr;
	std::vector<btScalar> points;
	std::vector<int> corners;
	std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> fcl_model;
	std::unique_ptr<btTriangleIndexVertexArray> arrays;
	std::unique_ptr<btGImpactMeshShape> gimpact;
};

std::unique_ptr<thing> load( const char* path )
{
	auto t = std::make_unique<thing>();
	t->name = name_of( path );
	t->name = t->name.substr( 0, t->name.rfind( '.' ) );
	t->file = open_bvh( path );
	if ( !t->file )
	{
		give_up( std::string( path ) + ": cannot be read, or is no .bvh file" );
	}
	bv_mesh_info info = bv_file_get_mesh( t->file );
	std::vector<fcl::Vector3d> points;
	std::vector<fcl::Triangle> triangles;
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( t->file, i );
		points.emplace_back( p.x, p.y, p.z );
		t->points.insert( t->points.end(), { p.x, p.y, p.z } );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t c[3];
		bv_file_get_triangle( t->file, i, c );
		triangles.emplace_back( c[0], c[1], c[2] );
		t->corners.insert( t->corners.end(), { (int)c[0], (int)c[1], (int)c[2] } );
	}
	t->fcl_model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
	t->fcl_model->beginModel();
	t->fcl_model->addSubModel( points, triangles );
	t->fcl_model->endModel();
	t->arrays = std::make_unique<btTriangleIndexVertexArray>( (int)info.triangles, t->corners.data(),
	                                                          3 * sizeof( int ), (int)info.vertices,
	                                                          t->points.data(), 3 * sizeof( btScalar ) );
	t->gimpact = std::make_unique<btGImpactMeshShape>( t->arrays.get() );
	t->gimpact->setMargin( 0 );
	t->gimpact->updateBound();
	return t;
}

// A translation that another library suggests.
struct answer
{
	bool found = false;
	double depth = 0;
	bv_vec3 way = { 0, 0, 0 };
};

answer ask_fcl( const thing& a, const thing& b, const bv_transform& t )
{
	fcl::Transform3d at = fcl::Transform3d::Identity();
	for ( int i = 0; i < 9; ++i )
	{
		at.linear()( i / 3, i % 3 ) = t.pose.rotation[i / 3][i % 3];
	}
	at.translation() = fcl::Vector3d( t.pose.translation.x, t.pose.translation.y, t.pose.translation.z );
	fcl::CollisionRequestd request( 1 << 20, true );
	fcl::CollisionResultd result;
	fcl::collide( a.fcl_model.get(), fcl::Transform3d::Identity(), b.fcl_model.get(), at, request, result );
	answer out;
	for ( size_t i = 0; i < result.numContacts(); ++i )
	{
		const auto& c = result.getContact( i );
		if ( c.penetration_depth > out.depth )
		{
			out.found = true;
			out.depth = c.penetration_depth;
			out.way = { c.normal[0], c.normal[1], c.normal[2] };
		}
	}
	out.way = bv_scale( out.depth, out.way );
	return out;
}

// Takes the deepest of all contacts. Normals point to the first object.
struct deepest : btManifoldResult
{
	answer out;

	using btManifoldResult::btManifoldResult;

	void addContactPoint( const btVector3& normal, const btVector3&, btScalar distance ) override
	{
		double sign = m_manifoldPtr->getBody0() == m_body0Wrap->getCollisionObject() ? -1 : 1;
		if ( -distance > out.depth )
		{
			out.found = true;
			out.depth = -distance;
			out.way = { -sign * distance * normal.x(), -sign * distance * normal.y(),
				        -sign * distance * normal.z() };
		}
	}
};

struct bullet
{
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher{ &configuration };

	bullet()
	{
		btGImpactCollisionAlgorithm::registerAlgorithm( &dispatcher );
	}

	answer ask( const thing& a, const thing& b, const bv_transform& t )
	{
		btCollisionObject of[2];
		of[0].setCollisionShape( a.gimpact.get() );
		of[1].setCollisionShape( b.gimpact.get() );
		const double( *r )[3] = t.pose.rotation;
		of[1].setWorldTransform( btTransform(
			btMatrix3x3( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2] ),
			btVector3( t.pose.translation.x, t.pose.translation.y, t.pose.translation.z ) ) );
		btCollisionObjectWrapper placed[2] = {
			{ nullptr, of[0].getCollisionShape(), of, of[0].getWorldTransform(), -1, -1 },
			{ nullptr, of[1].getCollisionShape(), of + 1, of[1].getWorldTransform(), -1, -1 },
		};
		btDispatcherInfo info;
		deepest result( placed, placed + 1 );
		btCollisionAlgorithm* algorithm =
			dispatcher.findAlgorithm( placed, placed + 1, nullptr, BT_CONTACT_POINT_ALGORITHMS );
		algorithm->processCollision( placed, placed + 1, info, &result );
		algorithm->~btCollisionAlgorithm();
		dispatcher.freeCollisionAlgorithm( algorithm );
		return result.out;
	}
};

std::vector<uint64_t> scratch( BV_MESH_DEPTH_SCRATCH_AMPLE / 8 );

bv_mesh_depth_result depth_of( const thing& a, const thing& b, const bv_transform& t,
                               const bv_mesh_depth_options& options )
{
	bv_mesh_depth_result r;
	if ( bv_mesh_depth( a.file, b.file, &t, &options, scratch.data(), 8 * scratch.size(), &r ) != bv_ok )
	{
		give_up( "bv_mesh_depth failed" );
	}
	return r;
}

bv_transform moved( bv_transform t, bv_vec3 by )
{
	t.pose.translation = bv_add( t.pose.translation, by );
	return t;
}

double share_of( std::vector<double> values, double share )
{
	std::sort( values.begin(), values.end() );
	return values.empty() ? NAN
	                      : values[std::min( values.size() - 1, (size_t)( share * (double)values.size() ) )];
}

// Placements that overlap, not all of them deeply.
bv_transform draw_placement( const thing& a, const thing& b )
{
	for ( int i = 0; i < 1000; ++i )
	{
		bv_quaternion q;
		bv_transform t;
		bv_quaternion_from_axis_angle( random_direction(), 6.28 * random_unit(), &q );
		bv_transform_from_quaternion( q, bv_scale( 0.1 + 1.4 * random_unit(), random_direction() ), &t );
		bv_collide_options first = {};
		first.first = true;
		bv_collide_result r;
		if ( bv_mesh_collide( a.file, b.file, &t, &first, &r ) == bv_ok && r.pairs > 0 )
		{
			return t;
		}
	}
	give_up( a.name + " and " + b.name + ": no placement overlaps" );
}

struct peer_counts
{
	std::vector<double> times;
	int found = 0;
	int separates = 0;
	int asked = 0;

	void add( const thing& a, const thing& b, const bv_transform& t, const answer& told )
	{
		asked += 1;
		if ( told.found )
		{
			found += 1;
			bv_mesh_depth_options none = {};
			none.most_tests = 100000;
			bv_transform at = moved( t, bv_scale( 1.01, told.way ) );
			separates += depth_of( a, b, at, none ).upper == 0;
		}
	}
};

bool is_wrong( const thing& a, const thing& b, const bv_transform& t, const bv_mesh_depth_result& r )
{
	bv_transform inside = moved( t, bv_scale( 0.999999 * r.lower, random_direction() ) );
	bv_collide_options first = {};
	first.first = true;
	bv_collide_result c;
	bv_distance_result d;
	bv_mesh_collide( a.file, b.file, &inside, &first, &c );
	bv_mesh_distance( a.file, b.file, &r.apart, nullptr, &d );
	bv_mesh_depth_options none = {};
	return !( d.distance > 0 ) || ( c.pairs == 0 && depth_of( a, b, inside, none ).upper == 0 );
}

} // namespace

int main( int argc, char** argv )
{
	bool quick = argc > 1 && std::string( argv[1] ) == "--quick";
	std::vector<std::unique_ptr<thing>> things;
	for ( int i = quick ? 2 : 1; i < argc; ++i )
	{
		things.push_back( load( argv[i] ) );
	}
	if ( things.empty() )
	{
		fprintf( stderr, "usage: bench_mesh_depth [--quick] FILE.bvh...\n" );
		return 3;
	}
	const int count = quick ? 5 : 40;
	bullet others;
	peer_counts fcl_counts, bullet_counts;
	std::vector<double> all_times[3];
	int reached[3] = { 0 }, closed = 0, wrong = 0;
	printf( "| a | b | triangles | closed | ms at 1.1 | at 1.5 | at 2 | reached 1.1 | 1.5 | 2 | upper / "
	        "lower at 1.1 | FCL ms | GImpact ms |\n" );
	printf( "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( size_t k = 0; k < 2 * things.size(); ++k )
	{
		const thing& a = *things[k / 2];
		const thing& b = *things[( k / 2 + k % 2 ) % things.size()];
		bv_mesh_info info[2] = { bv_file_get_mesh( a.file ), bv_file_get_mesh( b.file ) };
		bool solids = info[0].closed && info[1].closed;
		std::vector<double> times[3], ratios, fcl_times, bullet_times;
		int good[3] = { 0 };
		for ( int i = 0; i < count; ++i )
		{
			bv_transform t = draw_placement( a, b );
			for ( int j = 0; j < 3; ++j )
			{
				bv_mesh_depth_options options = {};
				options.factor = factors[j];
				double from = core_now();
				bv_mesh_depth_result r = depth_of( a, b, t, options );
				times[j].push_back( 1e3 * ( core_now() - from ) );
				good[j] += r.reached;
				wrong += is_wrong( a, b, t, r );
				if ( j == 0 )
				{
					ratios.push_back( r.upper / r.lower );
				}
			}
			double from = core_now();
			answer told = ask_fcl( a, b, t );
			fcl_times.push_back( 1e3 * ( core_now() - from ) );
			fcl_counts.add( a, b, t, told );
			from = core_now();
			told = others.ask( a, b, t );
			bullet_times.push_back( 1e3 * ( core_now() - from ) );
			bullet_counts.add( a, b, t, told );
		}
		for ( int j = 0; j < 3 && solids; ++j )
		{
			reached[j] += good[j];
			all_times[j].insert( all_times[j].end(), times[j].begin(), times[j].end() );
		}
		closed += solids ? count : 0;
		printf(
			"| %s | %s | %u, %u | %s | %.2f | %.2f | %.2f | %d %% | %d %% | %d %% | %.2f | %.2f | %.2f |\n",
			a.name.c_str(), b.name.c_str(), info[0].triangles, info[1].triangles, solids ? "yes" : "no",
			share_of( times[0], 0.5 ), share_of( times[1], 0.5 ), share_of( times[2], 0.5 ),
			100 * good[0] / count, 100 * good[1] / count, 100 * good[2] / count, share_of( ratios, 0.5 ),
			share_of( fcl_times, 0.5 ), share_of( bullet_times, 0.5 ) );
		fflush( stdout );
	}
	printf( "\n| of closed meshes, factor | reached | median ms | 95 %% of queries, ms | slowest, ms |\n| "
	        "--- | ---: | ---: | ---: | ---: |\n" );
	for ( int j = 0; j < 3 && closed > 0; ++j )
	{
		printf( "| %g | %d of %d | %.2f | %.2f | %.2f |\n", factors[j], reached[j], closed,
		        share_of( all_times[j], 0.5 ), share_of( all_times[j], 0.95 ), share_of( all_times[j], 1 ) );
	}
	printf( "\n| the deepest contact of | has a depth | separates |\n| --- | ---: | ---: |\n" );
	printf( "| FCL | %d of %d | %d |\n", fcl_counts.found, fcl_counts.asked, fcl_counts.separates );
	printf( "| Bullet, GImpact | %d of %d | %d |\n", bullet_counts.found, bullet_counts.asked,
	        bullet_counts.separates );
	bool met = reached[2] >= bar * closed;
	printf( "\nWrong intervals: %d. The bar, %g %% of queries of closed meshes within the factor 2, is %s.\n",
	        wrong, 100 * bar, met ? "met" : "missed" );
	return wrong > 0 || !met;
}
