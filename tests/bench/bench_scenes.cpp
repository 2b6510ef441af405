// Scenes of moving .bvh files (bvworld/scene.h) against Bullet's collision world on the same triangles.
//
//   bench_scenes [--quick] [-o CSV] FILE.bvh...
//
// Tables: time of a step by part; ratios and bars; how far the answers differ.
//
// Bodies of radius 0.5 that take turns with the files are in a cube, with a third of a radius between neighbors on average. All of them
// move and turn in each step, by at most a tenth of a radius and 0.1 radians. Bullet has a btDbvtBroadphase and one
// btBvhTriangleMeshShape per file, in double precision. Each step is done by all entrants one after the other. Times are processor
// time, medians over steps without the first three.
//
// Bullet does not compare two such shapes: the narrow phase has no peer here. bench_queries has FCL and others.

#include "bvworld/bvworld.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <btBulletCollisionCommon.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

const int warm = 3;
const double radius = 0.5;
const double ball_radius = 0.1;

[[noreturn]] void give_up( const char* what )
{
	fprintf( stderr, "bench_scenes: %s\n", what );
	exit( 1 );
}

void check( bv_status status, const char* what )
{
	if ( status != bv_ok )
	{
		give_up( what );
	}
}

// S. Vigna's splitmix64. In [-1, 1).
double draw( uint64_t& state )
{
	uint64_t z = state += UINT64_C( 0x9e3779b97f4a7c15 );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-52 - 1;
}

bv_vec3 draw_vector( uint64_t& state, double length )
{
	double x = length * draw( state );
	double y = length * draw( state );
	return { x, y, length * draw( state ) };
}

struct mesh_file
{
	const bv_file* file = nullptr;
	double scale = 1; // to the radius of bodies, about the center of the box
	bv_vec3 center = { 0, 0, 0 };
	btTriangleMesh triangles;
	std::unique_ptr<btBvhTriangleMeshShape> shape;
};

void load( const char* path, mesh_file& m )
{
	m.file = open_bvh( path );
	if ( !m.file )
	{
		give_up( path );
	}
	bv_aabb box;
	check( bvw_file_box( m.file, nullptr, &box ), path );
	m.center = bv_scale( 0.5, bv_add( box.lower, box.upper ) );
	m.scale = 2 * radius / bv_length( bv_sub( box.upper, box.lower ) );
}

// Bullet gets the triangles in the size of bodies, because it has no scale in its placements.
void make_shape( mesh_file& m )
{
	bv_mesh_info info = bv_file_get_mesh( m.file );
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t at[3];
		btVector3 corner[3];
		bv_file_get_triangle( m.file, i, at );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = bv_scale( m.scale, bv_file_get_vertex( m.file, at[k] ) );
			corner[k] = btVector3( p.x, p.y, p.z );
		}
		m.triangles.addTriangle( corner[0], corner[1], corner[2] );
	}
	m.shape = std::make_unique<btBvhTriangleMeshShape>( &m.triangles, true );
	m.shape->setMargin( 0 );
}

struct body
{
	bv_vec3 position; // of the center of the box of its file
	bv_quaternion orientation;
	bv_vec3 motion; // in a step
	bv_vec3 axis;
	double turn;
};

struct query
{
	bv_vec3 from;
	bv_vec3 way;
};

// Answers that are not those of Bullet.
struct differences
{
	int count = 0;
	int right = 0; // ours
};

struct figures
{
	std::vector<double> tree, rows, bullet, narrow, rays, bullet_rays, casts, bullet_casts;
	double pairs = 0;
	double intersecting = 0;
	int queries = 0;
	differences rays_differ, casts_differ;
};

bvw_broadphase* begin_world( std::vector<uint64_t>& memory, uint32_t count, bvw_method method )
{
	bvw_broadphase_options options = bvw_broadphase_options_default();
	options.objects = count;
	options.pairs = 40 * count;
	options.method = method;
	memory.resize( bvw_broadphase_bytes( &options ) / 8 + 1 );
	bvw_broadphase* world = nullptr;
	check( bvw_broadphase_begin( memory.data(), 8 * memory.size(), &options, &world ), "a broad phase" );
	return world;
}

struct game
{
	std::vector<std::unique_ptr<mesh_file>>& meshes;
	uint32_t count;
	double edge;
	uint64_t random = 7;
	std::vector<body> bodies;
	std::vector<bvw_instance> instances;
	std::vector<const bv_file*> files;
	std::vector<bv_aabb> boxes;
	std::vector<bvw_pair> pairs;
	std::vector<uint64_t> memory[2];
	bvw_broadphase* world[2]; // tree, rows
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btCollisionWorld bullet;
	std::vector<std::unique_ptr<btCollisionObject>> objects;
	figures f;

	game( std::vector<std::unique_ptr<mesh_file>>& all, uint32_t n )
		: meshes( all ), count( n ), edge( 1.17 * cbrt( n ) ), dispatcher( &configuration ),
		  bullet( &dispatcher, &broadphase, &configuration )
	{
		bodies.resize( n );
		instances.resize( n );
		boxes.resize( n );
		pairs.resize( 40 * (size_t)n );
		for ( const auto& m : meshes )
		{
			files.push_back( m->file );
		}
		for ( int k = 0; k < 2; ++k )
		{
			world[k] = begin_world( memory[k], n, k == 0 ? bvw_method_tree : bvw_method_rows );
		}
		for ( uint32_t i = 0; i < n; ++i )
		{
			add( i );
		}
		bvw_changes changes;
		check( bvw_broadphase_update( world[0], &changes ), "an update" );
		check( bvw_broadphase_update( world[1], &changes ), "an update" );
	}

	~game()
	{
		for ( const auto& object : objects )
		{
			bullet.removeCollisionObject( object.get() );
		}
	}

	game( const game& ) = delete;

	void place( uint32_t i )
	{
		const mesh_file& m = *meshes[instances[i].file];
		bv_transform& t = instances[i].placement;
		check( bv_transform_from_quaternion( bodies[i].orientation, { 0, 0, 0 }, &t ), "a placement" );
		t.scale = m.scale;
		t.pose.translation = bv_sub( bodies[i].position, bv_transform_point( &t, m.center ) );
	}

	btTransform bullet_place( uint32_t i ) const
	{
		const bv_pose& p = instances[i].placement.pose;
		const double( *r )[3] = p.rotation;
		return btTransform(
			btMatrix3x3( r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2] ),
			btVector3( p.translation.x, p.translation.y, p.translation.z ) );
	}

	void add( uint32_t i )
	{
		body& b = bodies[i];
		b.position = draw_vector( random, edge / 2 );
		b.motion = draw_vector( random, 0.1 * radius / std::sqrt( 3 ) );
		b.axis = draw_vector( random, 1 );
		b.turn = 0.1 * draw( random );
		check( bv_quaternion_from_axis_angle( draw_vector( random, 1 ), 3 * draw( random ), &b.orientation ),
		       "an orientation" );
		instances[i].file = i % (uint32_t)meshes.size();
		place( i );
		bvw_object object = {};
		check( bvw_file_box( files[instances[i].file], &instances[i].placement, &object.box ), "a box" );
		check( bvw_broadphase_add( world[0], i, &object ), "an object" );
		check( bvw_broadphase_add( world[1], i, &object ), "an object" );
		objects.push_back( std::make_unique<btCollisionObject>() );
		objects[i]->setCollisionShape( meshes[instances[i].file]->shape.get() );
		objects[i]->setWorldTransform( bullet_place( i ) );
		bullet.addCollisionObject( objects[i].get() );
	}

	void move( uint32_t i )
	{
		body& b = bodies[i];
		bv_quaternion turn;
		check( bv_quaternion_from_axis_angle( b.axis, b.turn, &turn ), "a turn" );
		b.orientation = bv_quaternion_multiply( turn, b.orientation );
		b.position = bv_add( b.position, b.motion );
		double* at[3] = { &b.position.x, &b.position.y, &b.position.z };
		double* motion[3] = { &b.motion.x, &b.motion.y, &b.motion.z };
		for ( int k = 0; k < 3; ++k )
		{
			*motion[k] = std::fabs( *at[k] ) > edge / 2 && *at[k] * *motion[k] > 0 ? -*motion[k] : *motion[k];
		}
		place( i );
	}

	// Boxes of placed meshes are part of it, as they are of Bullet's.
	double update( int k )
	{
		double begin = core_now();
		bvw_changes changes;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_aabb box;
			check( bvw_file_box( files[instances[i].file], &instances[i].placement, &box ), "a box" );
			check( bvw_broadphase_move( world[k], i, &box ), "a move" );
		}
		check( bvw_broadphase_update( world[k], &changes ), "an update" );
		return core_now() - begin;
	}

	double update_bullet()
	{
		double begin = core_now();
		for ( uint32_t i = 0; i < count; ++i )
		{
			objects[i]->setWorldTransform( bullet_place( i ) );
			bullet.updateSingleAabb( objects[i].get() );
		}
		broadphase.calculateOverlappingPairs( &dispatcher );
		return core_now() - begin;
	}

	double collide( const bvw_scene& scene )
	{
		uint32_t found = 0;
		check( bvw_broadphase_pairs( world[0], pairs.data(), (uint32_t)pairs.size(), &found ), "pairs" );
		f.pairs = found;
		f.intersecting = 0;
		bv_collide_options options = bv_collide_options_default();
		options.first = true;
		double begin = core_now();
		for ( uint32_t i = 0; i < found; ++i )
		{
			bvw_meshes m;
			bv_collide_result r;
			check( bvw_scene_pair( &scene, pairs[i], &m ), "a pair" );
			check( bv_mesh_collide( m.a, m.b, &m.b_in_a, &options, &r ), "two meshes" );
			f.intersecting += r.pairs > 0;
		}
		return ( core_now() - begin ) / std::fmax( found, 1 );
	}

	template <class entrant>
	double time_queries( const std::vector<query>& queries, double* out, entrant ask )
	{
		double begin = core_now();
		for ( size_t i = 0; i < queries.size(); ++i )
		{
			out[i] = ask( queries[i] );
		}
		return ( core_now() - begin ) / (double)queries.size();
	}

	// Of the center of a ball, at a time, from the nearest of all meshes.
	double distance_at( const query& q, double time ) const
	{
		double least = INFINITY;
		bv_vec3 point = bv_add( q.from, bv_scale( time, q.way ) );
		for ( uint32_t i = 0; i < count && !std::isinf( time ); ++i )
		{
			bv_closest_result r;
			check( bv_mesh_closest_point( files[instances[i].file], &instances[i].placement, point, nullptr,
			                              &r ),
			       "a distance" );
			least = std::fmin( least, r.distance );
		}
		return least;
	}

	// A hit is right if the ball is at a mesh then, and the hit of the other is later or in the air.
	bool is_right( const query& q, double size, double ours, double theirs ) const
	{
		const double near = 1e-9;
		bool is_there = std::isinf( ours ) || std::fabs( distance_at( q, ours ) - size ) <= near;
		return is_there && ( ours < theirs || std::fabs( distance_at( q, theirs ) - size ) > near );
	}

	// Balls that begin at a mesh do not count: Bullet looks for what they meet later.
	void compare( const std::vector<query>& queries, double size, const std::vector<double>& ours,
	              const std::vector<double>& theirs, double most, differences& out ) const
	{
		for ( size_t i = 0; i < queries.size(); ++i )
		{
			if ( ours[i] > 0 && ( std::isinf( ours[i] ) != std::isinf( theirs[i] ) ||
			                      std::fabs( ours[i] - theirs[i] ) > most ) )
			{
				++out.count;
				out.right += is_right( queries[i], size, ours[i], theirs[i] );
			}
		}
	}

	// From anywhere in the cube, as far as its edge is long.
	void ask( const bvw_scene& scene, int each )
	{
		std::vector<query> queries;
		for ( int i = 0; i < each; ++i )
		{
			bv_vec3 from = draw_vector( random, edge / 2 );
			bv_vec3 way = draw_vector( random, 1 );
			queries.push_back( { from, bv_scale( edge / bv_length( way ), way ) } );
		}
		std::vector<double> ours( queries.size() ), theirs( queries.size() );
		f.queries += each;
		f.rays.push_back( time_queries( queries, ours.data(), [&]( const query& q ) {
			bv_ray ray = { q.from, q.way, 0, 1 };
			bvw_hit hit;
			bvw_found found;
			check( bvw_scene_cast_ray( &scene, &ray, nullptr, &hit, nullptr, 1, &found ), "a ray" );
			return found.count ? hit.time.lower : INFINITY;
		} ) );
		f.bullet_rays.push_back( time_queries( queries, theirs.data(), [&]( const query& q ) {
			btVector3 from( q.from.x, q.from.y, q.from.z );
			btVector3 to = from + btVector3( q.way.x, q.way.y, q.way.z );
			btCollisionWorld::ClosestRayResultCallback hit( from, to );
			bullet.rayTest( from, to, hit );
			return hit.hasHit() ? hit.m_closestHitFraction : (double)INFINITY;
		} ) );
		compare( queries, 0, ours, theirs, 1e-6, f.rays_differ );
		f.casts.push_back( time_queries( queries, ours.data(), [&]( const query& q ) {
			bv_convex ball = bv_convex_sphere( q.from, ball_radius );
			bvw_hit hit;
			bvw_found found;
			check( bvw_scene_cast_convex( &scene, &ball, q.way, nullptr, &hit, nullptr, &found ), "a cast" );
			return found.count ? hit.time.lower : INFINITY;
		} ) );
		btSphereShape ball( ball_radius );
		f.bullet_casts.push_back( time_queries( queries, theirs.data(), [&]( const query& q ) {
			btVector3 from( q.from.x, q.from.y, q.from.z );
			btVector3 to = from + btVector3( q.way.x, q.way.y, q.way.z );
			btCollisionWorld::ClosestConvexResultCallback hit( from, to );
			bullet.convexSweepTest( &ball, btTransform( btMatrix3x3::getIdentity(), from ),
			                        btTransform( btMatrix3x3::getIdentity(), to ), hit );
			return hit.hasHit() ? hit.m_closestHitFraction : (double)INFINITY;
		} ) );
		compare( queries, ball_radius, ours, theirs, 1e-2, f.casts_differ );
	}

	void step( int queries )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			move( i );
		}
		f.tree.push_back( update( 0 ) );
		f.rows.push_back( update( 1 ) );
		f.bullet.push_back( update_bullet() );
		bvw_scene scene = { world[0], files.data(), (uint32_t)files.size(), count, instances.data() };
		f.narrow.push_back( collide( scene ) );
		ask( scene, queries );
	}
};

double middle( const std::vector<double>& values )
{
	std::vector<double> kept( values.begin() + warm, values.end() );
	return median( kept.data(), (int)kept.size() );
}

// A line of both tables.
struct line
{
	uint32_t bodies;
	const char* what;
	double ours;
	double theirs;
	double bar;
};

} // namespace

int main( int count, char** arguments )
{
	bool is_quick = false;
	const char* path = nullptr;
	std::vector<std::unique_ptr<mesh_file>> meshes;
	for ( int i = 1; i < count; ++i )
	{
		std::string word = arguments[i];
		if ( word == "--quick" )
		{
			is_quick = true;
		}
		else if ( word == "-o" && i + 1 < count )
		{
			path = arguments[++i];
		}
		else
		{
			meshes.push_back( std::make_unique<mesh_file>() );
			load( arguments[i], *meshes.back() );
			make_shape( *meshes.back() );
		}
	}
	if ( meshes.empty() )
	{
		give_up( "no files" );
	}
	std::vector<line> lines;
	printf( "| bodies | pairs of boxes | intersect | narrow phase, us a pair | all pairs, ms | broad phase, "
	        "tree, ms | "
	        "rows, ms |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	std::string others;
	for ( uint32_t bodies : { 1000u, 10000u } )
	{
		game g( meshes, bodies );
		for ( int i = 0; i < warm + ( is_quick ? 7 : 30 ); ++i )
		{
			g.step( is_quick ? 100 : 300 );
		}
		const figures& f = g.f;
		printf( "| %u | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f |\n", bodies, f.pairs, f.intersecting,
		        1e6 * middle( f.narrow ), 1e3 * middle( f.narrow ) * f.pairs, 1e3 * middle( f.tree ),
		        1e3 * middle( f.rows ) );
		double best = std::fmin( middle( f.tree ), middle( f.rows ) );
		lines.push_back( { bodies, "boxes and broad phase of a step", best, middle( f.bullet ), 0.5 } );
		lines.push_back( { bodies, "first hit of a ray", middle( f.rays ), middle( f.bullet_rays ), 0.5 } );
		lines.push_back(
			{ bodies, "first hit of a ball", middle( f.casts ), middle( f.bullet_casts ), 0.5 } );
		char text[300];
		snprintf( text, sizeof text,
		          "- %u bodies, %d rays: %d have another hit with Bullet, by more than 1e-6 of the way; in "
		          "%d of these, "
		          "ours is right.\n- %u bodies, %d balls: %d, by more than 0.01 of the way; in %d of these, "
		          "ours is right.\n",
		          bodies, f.queries, f.rays_differ.count, f.rays_differ.right, bodies, f.queries,
		          f.casts_differ.count, f.casts_differ.right );
		others += text;
	}
	int missed = 0;
	FILE* csv = path ? fopen( path, "w" ) : nullptr;
	printf( "\n| bodies | what | us | Bullet, us | ratio | bar | met |\n| ---: | --- | ---: | ---: | ---: | "
	        "---: | --- |\n" );
	for ( const line& l : lines )
	{
		bool is_met = l.ours <= l.bar * l.theirs;
		missed += !is_met;
		printf( "| %u | %s | %.2f | %.2f | %.3f | %g | %s |\n", l.bodies, l.what, 1e6 * l.ours,
		        1e6 * l.theirs, l.ours / l.theirs, l.bar, is_met ? "yes" : "no" );
		if ( csv )
		{
			fprintf( csv, "%u,\"%s\",%.9g,%.9g\n", l.bodies, l.what, l.ours, l.theirs );
		}
	}
	if ( csv )
	{
		fclose( csv );
	}
	printf( "\n%s", others.c_str() );
	return missed > 0;
}
