// Contacts of convex shapes and meshes, compared with Bullet and ODE: time on a terrain, and ghost contacts on flat meshes.
//
//   bench_mesh_contacts [--quick | --times]
//
// Time: a sphere, a capsule, a box and a hull of 32 corners, small (about two triangles wide) and large (about ten), at random places on a
// terrain of 100,352 triangles, 1 % to 5 % of their size deep. Times are medians of 9 rounds of the processor time per query;
// entrants take turns within a round. No entrant keeps anything from one query to the next.
//
// Ghosts: the same shapes slide over flat meshes. A contact of depth 0 or more is a ghost if its normal is more than 0.1 degree off that of
// the plane. Bullet: btBvhTriangleMeshShape in double precision, plain and with btAdjustInternalEdgeContacts; hulls have a margin
// of 0.001. ODE: dTriMesh; it has no contacts of convex hulls and meshes.
//
// --times is only the first part, --quick less of both.
//
// Exit codes: 1 a bar is missed, 2 something can't be built, 3 usage.

#include "bv/contact.h"
#include "tests/bench/measure.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>
#include <ode/ode.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

const double bar = 1.0 / 3;          // of the time of others
const double least_sine = 0.0017453; // of a ghost: 0.1 degree

[[noreturn]] void give_up( const char* why )
{
	fprintf( stderr, "bench_mesh_contacts: %s\n", why );
	exit( 2 );
}

uint64_t random_state = 88172645463325252u;

double random_unit()
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)( random_state >> 11 ) * 0x1p-53;
}

struct triangles
{
	std::vector<bv_vec3> positions;
	std::vector<bvb_triangle> corners;

	void add( bv_vec3 a, bv_vec3 b, bv_vec3 c )
	{
		auto first = (uint32_t)positions.size();
		positions.insert( positions.end(), { a, b, c } );
		corners.push_back( { { first, first + 1, first + 2 } } );
	}

	void add_grid( double x, double y, double width, double depth, int columns, int rows )
	{
		for ( int i = 0; i < columns * rows; ++i )
		{
			double x0 = x + width * ( i % columns ) / columns;
			double x1 = x + width * ( i % columns + 1 ) / columns;
			double y0 = y + depth * ( i / columns ) / rows;
			double y1 = y + depth * ( i / columns + 1 ) / rows;
			bv_vec3 c[4] = { { x0, y0, 0 }, { x1, y0, 0 }, { x1, y1, 0 }, { x0, y1, 0 } };
			int turn = i % 2;
			add( c[0], c[1], c[2 + turn] );
			add( c[turn], c[2], c[3] );
		}
	}

	void add_block( double x, double y, double width, double depth, int columns, int rows )
	{
		add_grid( x, y, width, depth, columns, rows );
		bv_vec3 top[4] = {
			{ x, y, 0 }, { x + width, y, 0 }, { x + width, y + depth, 0 }, { x, y + depth, 0 }
		};
		bv_vec3 low[4];
		for ( int k = 0; k < 4; ++k )
		{
			low[k] = { top[k].x, top[k].y, -1 };
		}
		for ( int k = 0; k < 4; ++k )
		{
			int next = ( k + 1 ) % 4;
			add( top[k], low[k], low[next] );
			add( top[k], low[next], top[next] );
		}
		add( low[0], low[2], low[1] );
		add( low[0], low[3], low[2] );
	}
};

// A file, and the mesh of record for the others: all have the same vertices.
struct built_mesh
{
	bvb_arena* arena = bvb_arena_create();
	const bv_file* file = nullptr;
	std::vector<double> positions;
	std::vector<int> corners;
	std::unique_ptr<btTriangleIndexVertexArray> array;
	std::unique_ptr<btBvhTriangleMeshShape> bullet;
	btTriangleInfoMap edges;
	dTriMeshDataID data = nullptr;
	dGeomID ode = nullptr;

	explicit built_mesh( triangles& t )
	{
		bvb_error error = { "" };
		bvb_asset asset;
		bvb_bytes bytes = {};
		bvb_source source = {};
		source.name = "flat.obj";
		source.format = "obj";
		bvb_scene scene = {};
		scene.mesh.positions = t.positions.data();
		scene.mesh.triangles = t.corners.data();
		scene.mesh.vertex_count = (uint32_t)t.positions.size();
		scene.mesh.triangle_count = (uint32_t)t.corners.size();
		bvb_asset_options options = bvb_asset_options_default();
		options.errors.relative = 0;
		options.recognize.value = 0;
		const char* reason = nullptr;
		if ( bvb_asset_build( &scene, &source, &options, arena, &asset, &error ) != bv_ok ||
		     bvb_asset_encode( &asset, arena, &bytes, &error ) != bv_ok ||
		     bv_file_open_explained( bytes.data, bytes.size, &file, &reason ) != bv_ok )
		{
			give_up( error.message );
		}
		bv_mesh_info info = bv_file_get_mesh( file );
		for ( uint32_t i = 0; i < info.vertices; ++i )
		{
			bv_vec3 p = bv_file_get_vertex( file, i );
			positions.insert( positions.end(), { p.x, p.y, p.z } );
		}
		for ( uint32_t i = 0; i < info.triangles; ++i )
		{
			uint32_t c[3];
			bv_file_get_triangle( file, i, c );
			corners.insert( corners.end(), { (int)c[0], (int)c[1], (int)c[2] } );
		}
		array = std::make_unique<btTriangleIndexVertexArray>(
			(int)info.triangles, corners.data(), (int)( 3 * sizeof( int ) ), (int)info.vertices,
			positions.data(), (int)( 3 * sizeof( double ) ) );
		bullet = std::make_unique<btBvhTriangleMeshShape>( array.get(), true );
		bullet->setMargin( 0 );
		btGenerateInternalEdgeInfo( bullet.get(), &edges );
		data = dGeomTriMeshDataCreate();
		dGeomTriMeshDataBuildDouble( data, positions.data(), 3 * sizeof( double ), (int)info.vertices,
		                             corners.data(), (int)corners.size(), 3 * sizeof( int ) );
		dGeomTriMeshDataPreprocess2( data,
		                             ( 1u << dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES ) |
		                                 ( 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES ),
		                             nullptr );
		ode = dCreateTriMesh( nullptr, data, nullptr, nullptr, nullptr );
	}

	built_mesh( const built_mesh& ) = delete;

	~built_mesh()
	{
		dGeomDestroy( ode );
		dGeomTriMeshDataDestroy( data );
		bvb_arena_destroy( arena );
	}
};

enum shape_kind
{
	kind_sphere,
	kind_capsule,
	kind_box,
	kind_hull,
	shape_kinds,
};

const char* const shape_names[shape_kinds] = { "sphere", "capsule", "box", "hull" };

struct solid
{
	shape_kind kind;
	std::vector<bv_vec3> points;
	bv_convex ours;
	std::unique_ptr<btConvexShape> bullet;
	dGeomID ode = nullptr;

	solid( shape_kind of, double size ) : kind( of ), ours()
	{
		bv_vec3 zero = { 0, 0, 0 };
		switch ( kind )
		{
		case kind_sphere:
			ours = bv_convex_sphere( zero, size );
			bullet = std::make_unique<btSphereShape>( size );
			ode = dCreateSphere( nullptr, size );
			break;
		case kind_capsule:
			ours = bv_convex_capsule( { 0, 0, -0.8 * size }, { 0, 0, 0.8 * size }, 0.6 * size );
			bullet = std::make_unique<btCapsuleShapeZ>( 0.6 * size, 1.6 * size );
			ode = dCreateCapsule( nullptr, 0.6 * size, 1.6 * size );
			break;
		case kind_box:
			ours = bv_convex_box( zero, { size, 0.8 * size, 0.6 * size } );
			bullet = std::make_unique<btBoxShape>( btVector3( size, 0.8 * size, 0.6 * size ) );
			ode = dCreateBox( nullptr, 2 * size, 1.6 * size, 1.2 * size );
			break;
		default:
			while ( points.size() < 32 )
			{
				bv_vec3 p = { 2 * random_unit() - 1, 2 * random_unit() - 1, 2 * random_unit() - 1 };
				double length = bv_length( p );
				if ( length > 0.1 && length < 1 )
				{
					points.push_back( bv_scale( size / length, p ) );
				}
			}
			ours = bv_convex_points( points.data(), (uint32_t)points.size(), 0 );
			auto hull = std::make_unique<btConvexHullShape>();
			for ( const bv_vec3& p : points )
			{
				hull->addPoint( btVector3( p.x, p.y, p.z ), false );
			}
			hull->recalcLocalAabb();
			hull->setMargin( 0.001 );
			bullet = std::move( hull );
		}
	}

	solid( const solid& ) = delete;

	~solid()
	{
		if ( ode )
		{
			dGeomDestroy( ode );
		}
	}

	// @return its least product with a vector
	double lowest( bv_vec3 up ) const
	{
		bv_vec3 down = bv_negate( up );
		btVector3 far = bullet->localGetSupportingVertex( btVector3( down.x, down.y, down.z ) );
		if ( kind != kind_hull )
		{
			return far.x() * up.x + far.y() * up.y + far.z() * up.z;
		}
		double least = INFINITY;
		for ( const bv_vec3& p : points )
		{
			least = std::min( least, bv_dot( p, up ) );
		}
		return least;
	}
};

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

bv_transform random_turn()
{
	double q[4];
	double square = 0;
	for ( double& x : q )
	{
		x = random_unit() - 0.5;
		square += x * x;
	}
	for ( double& x : q )
	{
		x /= std::sqrt( square );
	}
	bv_transform out;
	if ( bv_transform_from_quaternion( { q[0], q[1], q[2], q[3] }, bv_vec3_make( 0, 0, 0 ), &out ) != bv_ok )
	{
		give_up( "no rotation" );
	}
	return out;
}

// The direction up in coordinates of the shape.
bv_vec3 up_in( const bv_transform& t )
{
	return { t.pose.rotation[2][0], t.pose.rotation[2][1], t.pose.rotation[2][2] };
}

double height_at( double x, double y )
{
	return 3 * std::sin( 0.11 * x ) * std::cos( 0.13 * y ) + 0.3 * std::sin( 1.1 * x + 0.3 * y );
}

const int terrain_side = 224;

triangles terrain()
{
	triangles out;
	out.add_grid( 0, 0, terrain_side, terrain_side, terrain_side, terrain_side );
	for ( bv_vec3& p : out.positions )
	{
		p.z = height_at( p.x, p.y );
	}
	return out;
}

// Of one kind of shape and size.
bool time_shape( const std::vector<std::unique_ptr<built_mesh>>& mesh,
                 std::vector<std::unique_ptr<entrant>>& entrants, int kind, double size, int poses,
                 int rounds )
{
	solid shape( (shape_kind)kind, size );
	std::vector<bv_transform> at;
	for ( int i = 0; i < poses; ++i )
	{
		bv_transform t = random_turn();
		double x = 10 + ( terrain_side - 20 ) * random_unit();
		double y = 10 + ( terrain_side - 20 ) * random_unit();
		double z = height_at( x, y ) - shape.lowest( up_in( t ) ) - size * ( 0.01 + 0.04 * random_unit() );
		t.pose.translation = { x, y, z };
		at.push_back( t );
	}
	std::vector<std::vector<double>> seconds( entrants.size() );
	std::vector<double> contacts( entrants.size() );
	for ( int round = -1; round < rounds; ++round )
	{
		for ( size_t e = 0; e < entrants.size(); ++e )
		{
			if ( !entrants[e]->takes( shape ) )
			{
				continue;
			}
			answer a;
			entrants[e]->load( mesh, shape );
			double start = core_now();
			for ( const bv_transform& t : at )
			{
				entrants[e]->ask( t, a );
			}
			double s = ( core_now() - start ) / poses;
			contacts[e] = (double)a.contacts / poses;
			if ( round >= 0 )
			{
				seconds[e].push_back( s );
			}
		}
	}
	printf( "| %s | %g |", shape_names[kind], size );
	double ours = median( seconds[0].data(), rounds );
	double others = INFINITY;
	for ( size_t e = 0; e < entrants.size(); ++e )
	{
		if ( seconds[e].empty() )
		{
			printf( " | |" );
			continue;
		}
		double time = median( seconds[e].data(), rounds );
		others = e > 0 ? std::min( others, time ) : others;
		printf( " %.2f | %.1f |", 1e6 * time, contacts[e] );
	}
	bool met = ours <= bar * others;
	printf( " %.2f | %s |\n", ours / others, met ? "met" : "missed" );
	return met;
}

std::vector<std::unique_ptr<built_mesh>> flat_meshes( int kind )
{
	std::vector<std::unique_ptr<built_mesh>> out;
	triangles t;
	if ( kind == 0 )
	{
		t.add_grid( -8, -8, 16, 16, 48, 48 );
	}
	else if ( kind == 1 )
	{
		t.add_grid( -8, -8, 16, 16, 1, 1024 );
	}
	else if ( kind == 2 )
	{
		for ( int row = 0; row < 16; ++row )
		{
			t.add_grid( -8, row - 8, 16, 1, 3 + 7 * row % 17, 1 + row % 3 );
		}
	}
	else if ( kind == 3 )
	{
		triangles other;
		other.add_block( -8, -8, 8, 16, 10, 20 );
		out.push_back( std::make_unique<built_mesh>( other ) );
		t.add_block( 0, -8, 8, 16, 7, 13 );
	}
	else
	{
		for ( int i = 0; i < 16; ++i )
		{
			t.add_block( 4 * ( i % 4 ) - 8, 4 * ( i / 4 ) - 8, 4, 4, 1 + i % 3, 1 + i % 2 );
		}
	}
	out.push_back( std::make_unique<built_mesh>( t ) );
	return out;
}

const char* const flat_names[] = { "regular", "needles", "T-junctions", "two bodies", "parts of one asset" };

uint64_t slide( const std::vector<std::unique_ptr<built_mesh>>& mesh,
                std::vector<std::unique_ptr<entrant>>& entrants, const char* name, int kind, int steps )
{
	solid shape( (shape_kind)kind, 0.5 );
	std::vector<answer> all( entrants.size() );
	for ( auto& e : entrants )
	{
		if ( e->takes( shape ) )
		{
			e->load( mesh, shape );
		}
	}
	bv_transform t = bv_transform_identity();
	double x = 0, y = 0, dx = 0, dy = 0, depth = 0;
	for ( int i = 0; i < steps; ++i )
	{
		if ( i % 100 == 0 )
		{
			t = i % 200 == 0 ? bv_transform_identity() : random_turn();
			x = 12 * random_unit() - 6;
			y = 12 * random_unit() - 6;
			dx = 0.03 * ( random_unit() - 0.5 );
			dy = 0.03 * ( random_unit() - 0.5 );
			depth = std::pow( 10, -1.5 - 3 * random_unit() );
		}
		x += dx;
		y += dy;
		t.pose.translation = { x, y, -shape.lowest( up_in( t ) ) - depth };
		for ( size_t e = 0; e < entrants.size(); ++e )
		{
			if ( entrants[e]->takes( shape ) )
			{
				answer a;
				entrants[e]->ask( t, a );
				all[e].contacts += a.contacts;
				all[e].ghosts += a.ghosts;
				all[e].queries_with_ghosts += a.ghosts > 0;
				all[e].missed += a.contacts == 0;
			}
		}
	}
	printf( "| %s | %s | %d |", name, shape_names[kind], steps );
	for ( size_t e = 0; e < entrants.size(); ++e )
	{
		if ( entrants[e]->takes( shape ) )
		{
			printf( " %lu | %lu | %lu |", (unsigned long)all[e].ghosts,
			        (unsigned long)all[e].queries_with_ghosts, (unsigned long)all[e].missed );
		}
		else
		{
			printf( " | | |" );
		}
	}
	printf( "\n" );
	return all[0].ghosts + all[0].missed;
}

} // namespace

int main( int argc, char** argv )
{
	bool quick = argc == 2 && std::string( argv[1] ) == "--quick";
	bool only_times = argc == 2 && std::string( argv[1] ) == "--times";
	if ( argc > 2 || ( argc == 2 && !quick && !only_times ) )
	{
		fprintf( stderr, "bench_mesh_contacts: invalid option %s\n", argv[1] );
		return 3;
	}
	dSetMessageHandler( []( int, const char*, va_list ) {} );
	dInitODE2( 0 );
	dAllocateODEDataForThread( dAllocateMaskAll );
	std::vector<std::unique_ptr<entrant>> entrants;
	entrants.push_back( std::make_unique<our_entrant>() );
	entrants.push_back( std::make_unique<bullet_entrant>( "Bullet", false ) );
	entrants.push_back( std::make_unique<bullet_entrant>( "Bullet, internal edges", true ) );
	entrants.push_back( std::make_unique<ode_entrant>() );
	bool met = true;
	{
		triangles t = terrain();
		std::vector<std::unique_ptr<built_mesh>> mesh;
		mesh.push_back( std::make_unique<built_mesh>( t ) );
		printf( "| shape | size |" );
		for ( const auto& e : entrants )
		{
			printf( " %s, us | contacts |", e->name );
		}
		printf( " of the fastest peer | bar of 1/3 |\n| --- | ---: |" );
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			printf( " ---: | ---: |" );
		}
		printf( " ---: | --- |\n" );
		for ( double size : { 1.0, 5.0 } )
		{
			for ( int kind = 0; kind < shape_kinds; ++kind )
			{
				met &= time_shape( mesh, entrants, kind, size, quick ? 200 : 1000, quick ? 3 : 9 );
				fflush( stdout );
			}
		}
	}
	if ( only_times )
	{
		return met ? 0 : 1;
	}
	printf( "\n| flat mesh | shape | steps |" );
	for ( const auto& e : entrants )
	{
		printf( " %s: ghosts | steps with ghosts | steps without contacts |", e->name );
	}
	printf( "\n| --- | --- | ---: |" );
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		printf( " ---: | ---: | ---: |" );
	}
	printf( "\n" );
	uint64_t wrong = 0;
	for ( int flat = 0; flat < 5; ++flat )
	{
		std::vector<std::unique_ptr<built_mesh>> mesh = flat_meshes( flat );
		for ( int kind = 0; kind < shape_kinds; ++kind )
		{
			wrong += slide( mesh, entrants, flat_names[flat], kind, quick ? 500 : 50000 );
			fflush( stdout );
		}
	}
	printf( "\n| what | bar | |\n| --- | --- | --- |\n" );
	printf( "| time | at most 1/3 of the fastest peer | %s |\n", met ? "met" : "missed" );
	printf( "| ghosts, and steps without contacts | 0 | %s |\n", wrong == 0 ? "met" : "missed" );
	dCloseODE();
	return met && wrong == 0 ? 0 : 1;
}
