// Meshes and shapes of bench_mesh_contacts: a terrain, flat meshes, and shapes that slide over these. In C++.

#pragma once

#include "bv/contact.h"
#include "tests/bench/measure.h"
#include "tests/bench/random.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
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

[[noreturn]] void give_up( const char* why )
{
	fprintf( stderr, "bench_mesh_contacts: %s\n", why );
	exit( 2 );
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

enum
{
	flats = 5,
	slide_steps = 100,
};

// A shape keeps its orientation and its height, and moves by the same way in each step.
struct slide_start
{
	bv_transform at; // before the first step
	bv_vec3 way;
};

// Slides of one shape over one flat mesh.
struct slide_run
{
	int flat;
	std::unique_ptr<solid> shape;
	std::vector<slide_start> slides;
};

slide_run make_slides( int flat, int kind, int steps )
{
	slide_run out = { flat, std::make_unique<solid>( (shape_kind)kind, 0.5 ), {} };
	for ( int i = 0; i < steps; i += slide_steps )
	{
		bv_transform t = i % ( 2 * slide_steps ) == 0 ? bv_transform_identity() : random_turn();
		double x = 12 * random_unit() - 6;
		double y = 12 * random_unit() - 6;
		double dx = 0.03 * ( random_unit() - 0.5 );
		double dy = 0.03 * ( random_unit() - 0.5 );
		double depth = std::pow( 10, -1.5 - 3 * random_unit() );
		t.pose.translation = { x, y, -out.shape->lowest( up_in( t ) ) - depth };
		out.slides.push_back( { t, { dx, dy, 0 } } );
	}
	return out;
}

} // namespace
