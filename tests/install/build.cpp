// A C++11 program that uses only files installed by `make install`: builds a mesh, writes the file, and casts
// a ray at it.
//
//   build MESH FILE.bvh
//
// The ray is that of cast.c. Exit codes: 1 invalid command line, 2 the mesh cannot be built, 3 the ray
// misses.

#include <bv/bv.h>
#include <bvbuild/bvbuild.h>

#include <algorithm>
#include <cstdio>
#include <memory>

struct destroy_arena
{
	void operator()( bvb_arena* arena ) const
	{
		bvb_arena_destroy( arena );
	}
};

static bv_status build( const char* path, bvb_arena* arena, bvb_bytes* bytes, bvb_error* error )
{
	bvb_import import = bvb_import();
	bvb_asset asset = bvb_asset();
	const bvb_import_options import_options = bvb_import_options_default();
	bv_status status = bvb_import_file( path, &import_options, arena, &import, error );
	if ( status == bv_ok )
	{
		bvb_source source = bvb_source();
		source.name = path;
		source.format = import.format;
		std::copy( import.hash, import.hash + sizeof import.hash, source.hash );
		const bvb_asset_options options = bvb_asset_options_default();
		status = bvb_asset_build( &import.scene, &source, &options, arena, &asset, error );
	}
	return status == bv_ok ? bvb_asset_encode( &asset, arena, bytes, error ) : status;
}

int main( int count, char** arguments )
{
	if ( count != 3 )
	{
		return 1;
	}
	bvb_error error = bvb_error();
	bvb_bytes bytes = bvb_bytes();
	const std::unique_ptr<bvb_arena, destroy_arena> arena( bvb_arena_create() );
	const bv_file* file = nullptr;
	if ( build( arguments[1], arena.get(), &bytes, &error ) != bv_ok ||
	     bvb_write_file( arguments[2], bytes.data, bytes.size, &error ) != bv_ok ||
	     bv_file_open( bytes.data, bytes.size, &file ) != bv_ok )
	{
		std::fprintf( stderr, "%s\n", error.message );
		return 2;
	}
	bv_ray ray = bv_ray();
	ray.origin = bv_vec3{ 5, 0.1, 0.2 };
	ray.direction = bv_vec3{ -1, 0, 0 };
	bv_ray_result hit = bv_ray_result();
	if ( bv_mesh_cast_ray( file, nullptr, &ray, nullptr, &hit ) != bv_ok || !hit.found )
	{
		return 3;
	}
	std::printf( "hit at %g\n", hit.time );
	return 0;
}
