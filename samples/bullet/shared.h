// What both programs need: a .bvh file in memory, and its numbers as Bullet has them.

#pragma once

#include "bv/bv.h"

#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

extern const char* const program; // its name, for messages

[[noreturn]] static inline void give_up( const char* path, const char* reason )
{
	std::fprintf( stderr, "%s: %s: %s\n", program, path, reason );
	std::exit( 2 );
}

// A file and the memory that it is in, which has to be aligned.
class bvh {
  public:
	explicit bvh( const char* path )
	{
		std::ifstream stream( path, std::ios::binary | std::ios::ate );
		std::streamoff size = stream ? std::streamoff( stream.tellg() ) : 0;
		memory.resize( std::size_t( size + 7 ) / 8 );
		const char* reason = "cannot be read";
		if ( !stream.seekg( 0 ).read( reinterpret_cast<char*>( memory.data() ), size ) ||
		     bv_file_open_explained( memory.data(), std::size_t( size ), &file, &reason ) != bv_ok )
		{
			give_up( path, reason );
		}
	}
	operator const bv_file*() const
	{
		return file;
	}

  private:
	std::vector<std::uint64_t> memory;
	const bv_file* file = nullptr;
};

static inline btVector3 to_bullet( bv_vec3 v )
{
	return btVector3( btScalar( v.x ), btScalar( v.y ), btScalar( v.z ) );
}

// The mesh of a file for btBvhTriangleMeshShape, which reads it in place and builds a hierarchy of its own over it.
struct bullet_mesh
{
	std::vector<btVector3> vertices;
	std::vector<int> triangles;
	btTriangleIndexVertexArray arrays;

	explicit bullet_mesh( const bv_file* file )
	{
		bv_mesh_info mesh = bv_file_get_mesh( file );
		for ( std::uint32_t i = 0; i < mesh.vertices; ++i )
		{
			vertices.push_back( to_bullet( bv_file_get_vertex( file, i ) ) );
		}
		for ( std::uint32_t i = 0; i < mesh.triangles; ++i )
		{
			std::uint32_t corner[3];
			bv_file_get_triangle( file, i, corner );
			triangles.insert( triangles.end(), corner, corner + 3 );
		}
		btIndexedMesh part;
		part.m_numTriangles = int( mesh.triangles );
		part.m_triangleIndexBase = reinterpret_cast<unsigned char*>( triangles.data() );
		part.m_triangleIndexStride = 3 * sizeof( int );
		part.m_numVertices = int( mesh.vertices );
		part.m_vertexBase = reinterpret_cast<unsigned char*>( vertices.data() );
		part.m_vertexStride = sizeof( btVector3 );
		arrays.addIndexedMesh( part );
	}
	bullet_mesh( const bullet_mesh& ) = delete;
};
