// Bullet's solver with contacts of libbv, beside Bullet's own contacts.
//
//   contacts STONE.bvh TRACK.bvh
//
// Two scenes. A pyramid of stones, the convex hull of a file, stands on a flat track, the mesh of a file. A box slides along the track and
// stops. Each runs three times: with Bullet's contacts, with these and its remedy for internal edges, and with ours. Solver, broad
// phase, shapes, masses and steps are the same.
//
// our_contacts.h is what makes Bullet use our contacts.
//
// Meters, kilograms, z up. Exit code 0: with our contacts the box slides without a bump to where it has to stop, and the stones rest; 1: not
// so; 2: usage, or a file that does not have what this needs.

#include "our_contacts.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <algorithm>
#include <cmath>
#include <memory>

const char* const program = "contacts";

static const btScalar margin = 0.002f; // of Bullet's hulls
static const double time_step = 1.0 / 120;
static const int rows = 8;          // of the pyramid
static const double speed = 6;      // of the box at the start
static const double friction = 0.5; // of the box and of the track; Bullet multiplies them

enum contacts_by
{
	by_bullet,
	by_bullet_edges, // with btAdjustInternalEdgeContacts
	by_us,
	ways,
};

static bool adjust_edges( btManifoldPoint& point, const btCollisionObjectWrapper* a, int part_a, int index_a,
                          const btCollisionObjectWrapper* b, int part_b, int index_b )
{
	if ( a->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE )
	{
		btAdjustInternalEdgeContacts( point, a, b, part_a, index_a );
	}
	else if ( b->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE )
	{
		btAdjustInternalEdgeContacts( point, b, a, part_b, index_b );
	}
	return true;
}

// A ground that stays where it is, which is the mesh of a file, and bodies of one convex shape.
class world {
  public:
	world( contacts_by by, const bv_file* mesh, const shape& convex, btConvexShape& solid, double rubs )
		: ground_shape{ {}, mesh }, body_shape( convex ), triangles( mesh ),
		  ground( &triangles.arrays, true ), body( solid ), configuration( by == by_us ),
		  dispatcher( &configuration ), dynamics( &dispatcher, &broadphase, &solver, &configuration ),
		  body_friction( rubs )
	{
		dynamics.setGravity( btVector3( 0, 0, btScalar( -9.81 ) ) );
		ground.setMargin( 0 );
		ground.setUserPointer( &ground_shape );
		body.setUserPointer( &body_shape );
		gContactAddedCallback = by == by_bullet_edges ? adjust_edges : nullptr;
		if ( by == by_bullet_edges )
		{
			btGenerateInternalEdgeInfo( &ground, &edges );
		}
		add( 0, ground, btTransform::getIdentity() );
		bodies[0]->setCollisionFlags( bodies[0]->getCollisionFlags() |
		                              btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
	}
	~world()
	{
		for ( auto& b : bodies )
		{
			dynamics.removeRigidBody( b.get() );
		}
	}

	btRigidBody& add_body( const btTransform& start )
	{
		return add( 100, body, start );
	}
	void step()
	{
		dynamics.stepSimulation( btScalar( time_step ), 0 );
	}

	// Of motion and of height.
	double energy() const
	{
		double sum = 0;
		for ( std::size_t i = 1; i < bodies.size(); ++i )
		{
			sum += motion( *bodies[i] ) + 9.81 * double( bodies[i]->getWorldTransform().getOrigin().z() ) /
			                                  double( bodies[i]->getInvMass() );
		}
		return sum;
	}
	static double motion( const btRigidBody& b )
	{
		btVector3 spin = b.getAngularVelocity() * b.getWorldTransform().getBasis();
		btVector3 inertia = b.getLocalInertia();
		return 0.5 *
		       double( b.getLinearVelocity().length2() / b.getInvMass() + ( inertia * spin ).dot( spin ) );
	}

	// Contacts that push, with a normal that is more than a degree off the vertical.
	int count_ghosts() const
	{
		int ghosts = 0;
		for ( int i = 0; i < dispatcher.getNumManifolds(); ++i )
		{
			const btPersistentManifold* m =
				const_cast<btCollisionDispatcher&>( dispatcher ).getManifoldByIndexInternal( i );
			for ( int k = 0; k < m->getNumContacts(); ++k )
			{
				const btManifoldPoint& p = m->getContactPoint( k );
				ghosts += p.m_appliedImpulse > 0 && std::fabs( p.m_normalWorldOnB.z() ) < 0.99985;
			}
		}
		return ghosts;
	}

	std::vector<std::unique_ptr<btRigidBody>> bodies; // the ground is the first one

  private:
	btRigidBody& add( btScalar mass, btCollisionShape& of, const btTransform& start )
	{
		btVector3 inertia( 0, 0, 0 );
		if ( mass > 0 )
		{
			of.calculateLocalInertia( mass, inertia );
		}
		btRigidBody::btRigidBodyConstructionInfo info( mass, nullptr, &of, inertia );
		info.m_startWorldTransform = start;
		info.m_friction = btScalar( body_friction );
		bodies.emplace_back( new btRigidBody( info ) );
		bodies.back()->setUserIndex( int( bodies.size() ) - 1 );
		bodies.back()->setActivationState(
			DISABLE_DEACTIVATION ); // who rests because he sleeps proves nothing
		dynamics.addRigidBody( bodies.back().get() );
		return *bodies.back();
	}

	shape ground_shape;
	shape body_shape;
	bullet_mesh triangles;
	btBvhTriangleMeshShape ground;
	btTriangleInfoMap edges;
	btConvexShape& body;
	our_configuration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld dynamics;
	double body_friction;
};

// What is printed, of each way to find contacts.
struct figures
{
	double overlap; // the greatest one at the end, mm
	double jitter;  // the farthest way of a stone in the last second, mm
	double motion;  // kinetic energy at the end, J
	double gained;  // the greatest energy above an earlier value, J
	double bump;    // how far the box left its height, mm
	double aside;   // and its line, mm
	double end;     // where it came to rest, m
	int ghosts;     // in all steps
};

// The overlap of stones, for whatever contacts: by the certified distance of their hulls.
static double greatest_overlap( const world& w, const bv_convex& stone )
{
	double greatest = 0;
	for ( std::size_t i = 1; i < w.bodies.size(); ++i )
	{
		for ( std::size_t k = i + 1; k < w.bodies.size(); ++k )
		{
			bv_transform at[2] = { from_bullet( w.bodies[i]->getWorldTransform() ),
				                   from_bullet( w.bodies[k]->getWorldTransform() ) };
			bv_transform second_in_first = bv_transform_between( &at[0], &at[1] );
			bv_convex_result r;
			if ( bv_convex_distance( &stone, &stone, &second_in_first, nullptr, &r ) == bv_ok )
			{
				greatest = std::max( greatest, -r.upper );
			}
		}
	}
	return greatest;
}

static void pile_stones( contacts_by by, const bv_file* stone, const bv_file* track, figures& out )
{
	btConvexHullShape solid;
	for ( std::uint32_t i = 0; i < bv_file_get_hull( stone ).vertices; ++i )
	{
		solid.addPoint( to_bullet( bv_file_get_hull_position( stone, i ) ) );
	}
	solid.setMargin( margin );
	solid.initializePolyhedralFeatures(); // without it Bullet finds one point in a step
	shape convex = { bv_convex_hull( stone ), nullptr };
	world w( by, track, convex, solid, 0.9 );
	for ( int row = 0; row < rows; ++row )
	{
		for ( int i = 0; i < rows - row; ++i )
		{
			btScalar x = 4 + btScalar( 0.65 ) * ( btScalar( i ) - btScalar( rows - row - 1 ) / 2 );
			btQuaternion turn( btVector3( 0, 0, 1 ), btScalar( 0.1 ) * btScalar( ( i + 2 * row ) % 5 - 2 ) );
			w.add_body( btTransform( turn, btVector3( x, 0, btScalar( 0.21 + 0.41 * row ) ) ) );
		}
	}
	std::vector<btVector3> before;
	double least = INFINITY;
	for ( int step = 0; step < 1200; ++step )
	{
		w.step();
		if ( step < 240 ) // they settle
		{
			continue;
		}
		out.gained = std::max( out.gained, w.energy() - least );
		least = std::min( least, w.energy() );
		for ( std::size_t i = 0; i < w.bodies.size() && step >= 1080; ++i )
		{
			const btVector3& at = w.bodies[i]->getWorldTransform().getOrigin();
			if ( step == 1080 )
			{
				before.push_back( at );
			}
			out.jitter = std::max( out.jitter, 1000 * double( before[i].distance( at ) ) );
		}
	}
	for ( std::size_t i = 1; i < w.bodies.size(); ++i )
	{
		out.motion += world::motion( *w.bodies[i] );
	}
	out.overlap = 1000 * greatest_overlap( w, convex.convex );
}

static void slide_box( contacts_by by, const bv_file* track, figures& out )
{
	bv_vec3 half = { 0.4, 0.3, 0.2 };
	btBoxShape solid( to_bullet( half ) );
	solid.initializePolyhedralFeatures();
	shape convex = { bv_convex_box( bv_vec3_make( 0, 0, 0 ), half ), nullptr };
	world w( by, track, convex, solid, friction );
	btRigidBody& box =
		w.add_body( btTransform( btQuaternion::getIdentity(), btVector3( 0, 0, btScalar( half.z ) ) ) );
	box.setLinearVelocity( btVector3( btScalar( speed ), 0, 0 ) );
	for ( int step = 0; step < 360; ++step )
	{
		w.step();
		const btVector3& at = box.getWorldTransform().getOrigin();
		out.bump = std::max( out.bump, 1000 * std::fabs( double( at.z() ) - half.z ) );
		out.aside = std::max( out.aside, 1000 * std::fabs( double( at.y() ) ) );
		out.ghosts += w.count_ghosts();
	}
	out.end = double( box.getWorldTransform().getOrigin().x() );
}

int main( int count, char** arguments )
{
	if ( count != 3 )
	{
		std::fprintf( stderr, "usage: contacts STONE.bvh TRACK.bvh\n" );
		return 2;
	}
	bvh stone( arguments[1] ), track( arguments[2] );
	if ( bv_file_get_hull( stone ).vertices < 4 || !bv_file_get_mesh( track ).has_triangles )
	{
		give_up( arguments[1], "has no hull, or the track has no mesh" );
	}
	static const char* const names[ways] = { "Bullet", "Bullet, internal edges", "libbv" };
	figures found[ways] = {};
	std::printf( "%-22s | overlap | jitter | motion |  gained |   bump |  aside | ghosts | stops at\n",
	             "contacts by" );
	std::printf( "%-22s |      mm |     mm |      J |       J |     mm |     mm |        |        m\n", "" );
	for ( int by = 0; by < ways; ++by )
	{
		figures& f = found[by];
		pile_stones( contacts_by( by ), stone, track, f );
		slide_box( contacts_by( by ), track, f );
		std::printf( "%-22s | %7.2f | %6.2f | %6.3f | %7.1f | %6.2f | %6.2f | %6d | %8.3f\n", names[by],
		             f.overlap, f.jitter, f.motion, f.gained, f.bump, f.aside, f.ghosts, f.end );
	}
	// Coulomb's friction slows the box by a constant, and a step moves it by the speed at its end.
	double slowing = friction * friction * 9.81;
	double stop = speed * speed / ( 2 * slowing ) - speed * time_step / 2;
	const figures& ours = found[by_us];
	bool slides = ours.ghosts == 0 && ours.bump < 1 && ours.aside < 1 && std::fabs( ours.end - stop ) < 0.01;
	bool rests = ours.overlap < 2 && ours.jitter < 5;
	std::printf(
		"with contacts of libbv the stones %s, and the box stops at %.3f m, by Coulomb's law %.3f m: %s\n",
		rests ? "rest" : "do not rest", ours.end, stop, slides && rests ? "good" : "wrong" );
	return slides && rests ? 0 : 1;
}
