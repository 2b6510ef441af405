// Gives Bullet what is in a .bvh file, lets it fall, and holds where it comes to rest against the file's own geometry.
//
//   drop BODY.bvh             convex parts, or else the hull, with the file's mass properties, onto the plane z = 0
//   drop --ball R LEVEL.bvh   a ball of radius R onto the file's mesh, which stays where it is
//
// Meters, kilograms, z up. Exit code 0: at rest where it has to be, 1: not so, 2: usage, or a file that has not what this needs.
// README.md says what Bullet expects of shapes.

#include "shared.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

const char* const program = "drop";

static const btScalar margin = btScalar( 0.002 );
// Of heights. Bullet computes in binary32 and lets bodies sink in a little.
static const double tolerance = 0.002;

typedef std::vector<btVector3> corners;

// The corners of each convex part, or those of the hull where the file has no parts.
static std::vector<corners> get_convex( const bv_file* file )
{
	std::vector<corners> convex( bv_file_get_decomposition( file ).parts );
	for ( std::uint32_t i = 0; i < convex.size(); ++i )
	{
		bv_part part;
		bv_file_get_part( file, i, &part );
		for ( std::uint32_t k = 0; k < part.vertices; ++k )
		{
			convex[i].push_back( to_bullet( bv_file_get_part_vertex( file, i, k ) ) );
		}
	}
	if ( convex.empty() )
	{
		convex.emplace_back();
		for ( std::uint32_t k = 0; k < bv_file_get_hull( file ).vertices; ++k )
		{
			convex[0].push_back( to_bullet( bv_file_get_hull_position( file, k ) ) );
		}
	}
	return convex;
}

// A world with one thing in it that does not move, and one that falls.
class world {
  public:
	world( btCollisionShape* ground_shape, btCollisionShape* shape, btScalar mass, const btVector3& inertia,
	       const btTransform& start )
		: dispatcher( &configuration ), dynamics( &dispatcher, &broadphase, &solver, &configuration ),
		  ground( 0, nullptr, ground_shape ), body( mass, nullptr, shape, inertia )
	{
		dynamics.setGravity( btVector3( 0, 0, btScalar( -9.81 ) ) );
		ground.setFriction( btScalar( 0.8 ) );
		body.setFriction( btScalar( 0.8 ) );
		body.setDamping( btScalar( 0.1 ), btScalar( 0.4 ) );
		body.setSleepingThresholds( btScalar( 0.003 ), btScalar( 0.003 ) );
		body.setWorldTransform( start );
		dynamics.addRigidBody( &ground );
		dynamics.addRigidBody( &body );
	}
	~world()
	{
		dynamics.removeRigidBody( &body );
		dynamics.removeRigidBody( &ground );
	}

	// Up to a minute. Returns whether it has come to rest.
	bool fall()
	{
		for ( int step = 0; step < 60 * 240 && body.isActive(); ++step )
		{
			dynamics.stepSimulation( btScalar( 1.0 / 240 ), 0 );
		}
		return !body.isActive();
	}
	const btTransform& place() const
	{
		return body.getWorldTransform();
	}

  private:
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld dynamics;
	btRigidBody ground;
	btRigidBody body;
};

static int tell( bool rests, double height, double expected )
{
	bool good = rests && std::fabs( height - expected ) <= tolerance;
	std::printf( "%s at height %.4f, by its geometry %.4f: %s\n", rests ? "at rest" : "still moving", height,
	             expected, good ? "good" : "wrong" );
	return good ? 0 : 1;
}

static int drop_body( const char* path )
{
	bvh file( path );
	bv_mass mass;
	std::vector<corners> convex = get_convex( file );
	// Of a body that was given no mass the density is 1.
	bool has_mass = bv_file_get_mass( file, bv_mass_of_body, &mass ) ||
	                bv_file_get_mass( file, bv_mass_of_solid, &mass ) ||
	                bv_file_get_mass( file, bv_mass_of_hull, &mass );
	if ( convex[0].size() < 4 || !has_mass )
	{
		give_up( path, "has neither convex parts nor a hull with a mass" );
	}

	// Bullet wants the inertia as three numbers, along the body's axes.
	btMatrix3x3 inertia;
	for ( int row = 0; row < 3; ++row )
	{
		inertia[row].setValue( btScalar( mass.inertia[row][0] ), btScalar( mass.inertia[row][1] ),
		                       btScalar( mass.inertia[row][2] ) );
	}
	btMatrix3x3 axes;
	inertia.diagonalize( axes, btScalar( 1e-6 ), 50 );
	btTransform principal( axes, to_bullet( mass.center_of_mass ) );
	btVector3 moments( inertia[0][0], inertia[1][1], inertia[2][2] );

	btCompoundShape shape;
	std::vector<std::unique_ptr<btConvexHullShape>> hulls;
	double reach = 0;
	for ( const corners& c : convex )
	{
		hulls.emplace_back( new btConvexHullShape( c[0], int( c.size() ), sizeof c[0] ) );
		hulls.back()->setMargin( margin );
		shape.addChildShape( principal.inverse(), hulls.back().get() );
		for ( const btVector3& v : c )
		{
			reach = std::max( reach, double( v.distance( principal.getOrigin() ) ) );
		}
	}

	// A little tilted, so that it has to find its place.
	btStaticPlaneShape plane( btVector3( 0, 0, 1 ), 0 );
	btTransform start( btQuaternion( btVector3( 1, 2, 0 ).normalized(), btScalar( 0.1 ) ),
	                   btVector3( 0, 0, btScalar( 1.2 * reach ) ) );
	start.setBasis( start.getBasis() * axes );
	world w( &plane, &shape, btScalar( mass.mass ), moments, start );
	bool rests = w.fall();

	// It lies on those of its corners that are farthest down, with the margin below them.
	btTransform from_file = w.place() * principal.inverse();
	double down = 0;
	for ( const corners& c : convex )
	{
		for ( const btVector3& v : c )
		{
			down = std::max( down, double( w.place().getOrigin().z() - ( from_file * v ).z() ) );
		}
	}
	std::printf( "%zu convex shape%s, mass %g, ", convex.size(), convex.size() == 1 ? "" : "s", mass.mass );
	return tell( rests, w.place().getOrigin().z(), down + double( margin ) );
}

static int drop_ball( double radius, const char* path )
{
	bvh file( path );
	bv_mesh_info mesh = bv_file_get_mesh( file );
	bv_file_bounds bounds;
	if ( !mesh.has_triangles || !bv_file_get_bounds( file, &bounds ) )
	{
		give_up( path, "has no mesh or no bounds" );
	}

	bullet_mesh triangles( file );
	btBvhTriangleMeshShape ground( &triangles.arrays, true );
	ground.setMargin( margin );

	// Above a place between the middle of the mesh and its edge. Balls know no margin: theirs is the radius, and they ask the
	// mesh's triangles alone.
	const bv_aabb& box = bounds.aabb;
	btSphereShape ball{ btScalar( radius ) };
	btVector3 inertia;
	ball.calculateLocalInertia( 1, inertia );
	btTransform start( btQuaternion::getIdentity(),
	                   btVector3( btScalar( 0.3 * box.lower.x + 0.7 * box.upper.x ),
	                              btScalar( 0.5 * ( box.lower.y + box.upper.y ) ),
	                              btScalar( box.upper.z + 2 * radius ) ) );
	world w( &ground, &ball, 1, inertia, start );
	bool rests = w.fall();

	// The nearest point of the mesh has to be right below it, a radius away.
	const btVector3& center = w.place().getOrigin();
	bv_closest_result closest;
	if ( bv_mesh_closest_point( file, nullptr, bv_vec3{ center.x(), center.y(), center.z() }, nullptr,
	                            &closest ) != bv_ok )
	{
		give_up( path, "has no hierarchy" );
	}
	std::printf( "a ball on %u triangles, ", mesh.triangles );
	return tell( rests, center.z(), closest.at.point.z + radius );
}

int main( int count, char** arguments )
{
	if ( count == 2 )
	{
		return drop_body( arguments[1] );
	}
	if ( count == 4 && std::strcmp( arguments[1], "--ball" ) == 0 && std::atof( arguments[2] ) > 0 )
	{
		return drop_ball( std::atof( arguments[2] ), arguments[3] );
	}
	std::fprintf( stderr, "usage: drop BODY.bvh, or drop --ball RADIUS LEVEL.bvh\n" );
	return 2;
}
