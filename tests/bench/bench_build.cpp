// Hierarchies a second: how fast trees of a million triangles are made, against Embree (triangle meshes at its three
// qualities) and FCL (AABB and OBBRSS) in the same run.
//
//   bench_build [-c TRIANGLES] [-n REPEATS] [-t THREADS] [-m FILE] [-a] [-s SPLITTER]... [-b BUILDER]...
//
// The mesh is a bumpy ball of about TRIANGLES (1000000), or that of FILE, each triangle cut into four until there are as many.
// Each takes one thread, and THREADS (all there are) if it can use them; FCL can't. Medians of REPEATS (5), taken in
// turn, ours with the rounding of volumes to what a file holds: by the clock, and of processor time, in which threads that wait actively count as well. Ours ends with the mesh
// in the tree's order; Embree's with a scene committed, FCL's with its model ended, both of which copy the mesh. -a adds all
// splitters and builders of the tables, with axis-aligned and with oriented boxes; -s and -b those that are named.
// Leaves hold one triangle or four as the table says; FCL's one, Embree's up to a block of four.
//
// Exit codes: 1 usage, 2 a build failed.

#include "tests/bench/measure.h"

#include <embree3/rtcore.h>
#include <fcl/geometry/bvh/BVH_model.h>

#include <omp.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace {

struct triangle_mesh
{
	std::vector<bv_vec3> positions; // of binary32 numbers
	std::vector<bvb_triangle> triangles;
};

struct entrant
{
	std::string name;
	std::string leaves;
	int threads;
	std::vector<double> seconds;
	std::vector<double> core_seconds;
	uint32_t nodes; // 0 where it is not known
};

[[noreturn]] void fail( const std::string& message )
{
	fprintf( stderr, "bench_build: %s\n", message.c_str() );
	exit( 2 );
}

double process_now()
{
	timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bv_vec3 as_floats( double x, double y, double z )
{
	return { (float)x + 0.0, (float)y + 0.0, (float)z + 0.0 };
}

triangle_mesh bumpy_ball( uint32_t count )
{
	triangle_mesh mesh;
	uint32_t rings = (uint32_t)std::lround( ( 1 + std::sqrt( 1.0 + count ) ) / 2 );
	uint32_t columns = 2 * rings;
	for ( uint32_t i = 0; i <= rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			double a = M_PI * i / rings;
			double b = 2 * M_PI * k / columns;
			double r = 1 + 0.2 * std::sin( 5 * a ) * std::cos( 3 * b );
			mesh.positions.push_back( as_floats( r * std::sin( a ) * std::cos( b ),
			                                     r * std::sin( a ) * std::sin( b ), r * std::cos( a ) ) );
		}
	}
	for ( uint32_t i = 0; i < rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			uint32_t next = ( k + 1 ) % columns;
			uint32_t row = i * columns;
			uint32_t below = row + columns;
			if ( i + 1 < rings )
			{
				mesh.triangles.push_back( { { row + k, below + k, below + next } } );
			}
			if ( i > 0 )
			{
				mesh.triangles.push_back( { { row + k, below + next, row + next } } );
			}
		}
	}
	return mesh;
}

void cut_into_four( triangle_mesh* mesh )
{
	std::vector<bvb_triangle> from;
	from.swap( mesh->triangles );
	for ( const bvb_triangle& t : from )
	{
		uint32_t first = (uint32_t)mesh->positions.size();
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[t.corner[k]];
			bv_vec3 q = mesh->positions[t.corner[( k + 1 ) % 3]];
			mesh->positions.push_back( as_floats( ( p.x + q.x ) / 2, ( p.y + q.y ) / 2, ( p.z + q.z ) / 2 ) );
		}
		mesh->triangles.push_back( { { t.corner[0], first, first + 2 } } );
		mesh->triangles.push_back( { { first, t.corner[1], first + 1 } } );
		mesh->triangles.push_back( { { first + 2, first + 1, t.corner[2] } } );
		mesh->triangles.push_back( { { first, first + 1, first + 2 } } );
	}
}

triangle_mesh mesh_of_file( const char* path, uint32_t count )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	if ( bvb_import_file( path, &options, arena, &import, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bvb_mesh& from = import.scene.mesh;
	triangle_mesh mesh;
	mesh.triangles.assign( from.triangles, from.triangles + from.triangle_count );
	for ( uint32_t i = 0; i < from.vertex_count; ++i )
	{
		mesh.positions.push_back(
			as_floats( from.positions[i].x, from.positions[i].y, from.positions[i].z ) );
	}
	bvb_arena_destroy( arena );
	while ( mesh.triangles.size() < count )
	{
		cut_into_four( &mesh );
	}
	return mesh;
}

// The mesh is copied before the clocks start.
void time_ours( const triangle_mesh& from, const bvb_hierarchy_options& options, entrant* e )
{
	triangle_mesh copy = from;
	bvb_mesh mesh = {};
	mesh.positions = copy.positions.data();
	mesh.triangles = copy.triangles.data();
	mesh.vertex_count = (uint32_t)copy.positions.size();
	mesh.triangle_count = (uint32_t)copy.triangles.size();
	bvb_error error;
	bvb_tree* tree;
	double start = now();
	double core_start = process_now();
	bvb_arena* arena = bvb_arena_create();
	if ( bvb_hierarchy_build( &mesh, &options, arena, &tree, &error ) != bv_ok ||
	     bvb_tree_snap( tree, &mesh, options.threads, arena, &error ) != bv_ok )
	{
		fail( error.message );
	}
	e->core_seconds.push_back( process_now() - core_start );
	e->seconds.push_back( now() - start );
	e->nodes = bvb_tree_node_count( tree );
	bvb_arena_destroy( arena );
}

struct embree_mesh
{
	std::vector<float> positions;
	std::vector<uint32_t> corners;
};

embree_mesh floats_of( const triangle_mesh& from )
{
	embree_mesh mesh;
	for ( const bv_vec3& p : from.positions )
	{
		mesh.positions.insert( mesh.positions.end(), { (float)p.x, (float)p.y, (float)p.z } );
	}
	mesh.positions.push_back( 0 ); // Embree reads 16 bytes of each
	for ( const bvb_triangle& t : from.triangles )
	{
		mesh.corners.insert( mesh.corners.end(), t.corner, t.corner + 3 );
	}
	return mesh;
}

void time_embree( const embree_mesh& mesh, RTCDevice device, RTCBuildQuality quality, entrant* e )
{
	double start = now();
	double core_start = process_now();
	RTCScene scene = rtcNewScene( device );
	RTCGeometry geometry = rtcNewGeometry( device, RTC_GEOMETRY_TYPE_TRIANGLE );
	rtcSetGeometryBuildQuality( geometry, quality );
	rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.positions.data(),
	                            0, 3 * sizeof( float ), mesh.positions.size() / 3 );
	rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.corners.data(), 0,
	                            3 * sizeof( uint32_t ), mesh.corners.size() / 3 );
	rtcCommitGeometry( geometry );
	rtcAttachGeometry( scene, geometry );
	rtcReleaseGeometry( geometry );
	rtcSetSceneBuildQuality( scene, quality );
	rtcCommitScene( scene );
	e->core_seconds.push_back( process_now() - core_start );
	e->seconds.push_back( now() - start );
	if ( rtcGetDeviceError( device ) != RTC_ERROR_NONE )
	{
		fail( "Embree failed" );
	}
	rtcReleaseScene( scene );
}

template <typename BV> void time_fcl( const triangle_mesh& from, entrant* e )
{
	std::vector<fcl::Vector3d> positions;
	std::vector<fcl::Triangle> triangles;
	for ( const bv_vec3& p : from.positions )
	{
		positions.emplace_back( p.x, p.y, p.z );
	}
	for ( const bvb_triangle& t : from.triangles )
	{
		triangles.emplace_back( t.corner[0], t.corner[1], t.corner[2] );
	}
	double start = now();
	double core_start = process_now();
	fcl::BVHModel<BV> model;
	model.beginModel( (int)triangles.size(), (int)positions.size() );
	model.addSubModel( positions, triangles );
	if ( model.endModel() != fcl::BVH_OK )
	{
		fail( "FCL failed" );
	}
	e->core_seconds.push_back( process_now() - core_start );
	e->seconds.push_back( now() - start );
	e->nodes = (uint32_t)model.getNumBVs();
}

bvb_hierarchy_options options_of( const char* builder, const char* splitter, bv_volume_type type,
                                  int threads )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.splitter = splitter;
	options.volume_types = 1u << type;
	options.threads = (uint32_t)threads;
	return options;
}

// All that takes part, in the order of the table.
struct field
{
	std::vector<entrant> entrants;
	std::vector<std::function<void( entrant* )>> runs;

	void add( const std::string& name, const std::string& leaves, int threads,
	          std::function<void( entrant* )> run )
	{
		entrants.push_back( { name, leaves, threads, {}, {}, 0 } );
		runs.push_back( std::move( run ) );
	}
};

void add_ours( field* all, const triangle_mesh& mesh, const std::string& name, bvb_hierarchy_options options,
               int most_threads )
{
	for ( int threads = 1; threads <= most_threads;
	      threads = threads < most_threads ? most_threads : most_threads + 1 )
	{
		options.threads = (uint32_t)threads;
		all->add( name, std::to_string( options.leaf_triangles ), threads,
		          [&mesh, options]( entrant* e ) { time_ours( mesh, options, e ); } );
	}
}

void add_pair( field* all, const triangle_mesh& mesh, const char* builder, const char* splitter, int threads )
{
	std::string name = strcmp( builder, "topdown" ) == 0 ? splitter : builder;
	add_ours( all, mesh, name + ", aabb", options_of( builder, splitter, bv_volume_aabb, 0 ), threads );
	add_ours( all, mesh, name + ", obb", options_of( builder, splitter, bv_volume_obb, 0 ), threads );
}

void add_tables( field* all, const triangle_mesh& mesh, int threads )
{
	for ( uint32_t i = 0; bvb_splitter_name( i, nullptr ); ++i )
	{
		add_pair( all, mesh, "topdown", bvb_splitter_name( i, nullptr ), threads );
	}
	for ( uint32_t i = 0; bvb_builder_name( i, nullptr ); ++i )
	{
		if ( strcmp( bvb_builder_name( i, nullptr ), "topdown" ) != 0 )
		{
			add_pair( all, mesh, bvb_builder_name( i, nullptr ), "gottschalk", threads );
		}
	}
}

void add_presets( field* all, const triangle_mesh& mesh, int threads )
{
	bvb_hierarchy_options fast = options_of( "sah", "sah", bv_volume_aabb, 0 );
	add_ours( all, mesh, "sah, aabb, binary", fast, threads );
	fast.leaf_triangles = 4;
	add_ours( all, mesh, "sah, aabb, binary", fast, threads );
	add_ours( all, mesh, "sah, obb, binary", bvb_hierarchy_options_default(), threads );
	for ( const char* name : { "fast", "balanced" } )
	{
		bvb_asset_options preset;
		bvb_preset_options( name, &preset );
		add_ours( all, mesh, name, preset.hierarchy, threads );
	}
}

void add_peers( field* all, const triangle_mesh& mesh, const embree_mesh& floats, int most_threads )
{
	const struct
	{
		const char* name;
		RTCBuildQuality quality;
	} rows[] = { { "Embree, low", RTC_BUILD_QUALITY_LOW },
		         { "Embree, medium", RTC_BUILD_QUALITY_MEDIUM },
		         { "Embree, high", RTC_BUILD_QUALITY_HIGH } };
	for ( const auto& row : rows )
	{
		for ( int threads = 1; threads <= most_threads;
		      threads = threads < most_threads ? most_threads : most_threads + 1 )
		{
			RTCBuildQuality quality = row.quality;
			all->add( row.name, "<= 4", threads, [&floats, quality, threads]( entrant* e ) {
				std::string config = "threads=" + std::to_string( threads );
				RTCDevice device = rtcNewDevice( config.c_str() );
				time_embree( floats, device, quality, e );
				rtcReleaseDevice( device );
			} );
		}
	}
	all->add( "FCL, AABB", "1", 1, [&mesh]( entrant* e ) { time_fcl<fcl::AABBd>( mesh, e ); } );
	all->add( "FCL, OBBRSS", "1", 1, [&mesh]( entrant* e ) { time_fcl<fcl::OBBRSSd>( mesh, e ); } );
}

void run( field* all, size_t triangles, int repeats )
{
	for ( int i = 0; i < repeats; ++i )
	{
		for ( size_t k = 0; k < all->entrants.size(); ++k )
		{
			all->runs[k]( &all->entrants[k] );
		}
	}
	printf( "%-28s %6s %7s %10s %9s %9s %9s %9s\n", "", "leaves", "threads", "nodes", "ms", "Mtri/s",
	        "core ms", "Mtri/s" );
	for ( entrant& e : all->entrants )
	{
		double seconds = median( e.seconds.data(), repeats );
		double core = median( e.core_seconds.data(), repeats );
		printf( "%-28s %6s %7d %10u %9.1f %9.2f %9.1f %9.2f\n", e.name.c_str(), e.leaves.c_str(), e.threads,
		        e.nodes, 1e3 * seconds, 1e-6 * (double)triangles / seconds, 1e3 * core,
		        1e-6 * (double)triangles / core );
	}
}

} // namespace

int main( int count, char** arguments )
{
	uint32_t triangles = 1000000;
	int repeats = 5;
	int threads = omp_get_max_threads();
	const char* path = nullptr;
	bool everything = false;
	std::vector<const char*> splitters;
	std::vector<const char*> builders;
	for ( int i = 1; i < count; ++i )
	{
		const char* option = arguments[i];
		bool known = option[0] == '-' && option[1] && !option[2] && ( option[1] == 'a' || i + 1 < count );
		switch ( known ? option[1] : 0 )
		{
		case 'a': everything = true; break;
		case 'c': triangles = (uint32_t)atol( arguments[++i] ); break;
		case 'n': repeats = atoi( arguments[++i] ); break;
		case 't': threads = atoi( arguments[++i] ); break;
		case 'm': path = arguments[++i]; break;
		case 's': splitters.push_back( arguments[++i] ); break;
		case 'b': builders.push_back( arguments[++i] ); break;
		default: known = false; break;
		}
		if ( !known || repeats < 1 || threads < 1 || triangles < 8 )
		{
			fprintf( stderr, "usage: bench_build [-c TRIANGLES] [-n REPEATS] [-t THREADS] [-m FILE] [-a] "
			                 "[-s SPLITTER]... [-b BUILDER]...\n" );
			return 1;
		}
	}
	triangle_mesh mesh = path ? mesh_of_file( path, triangles ) : bumpy_ball( triangles );
	embree_mesh floats = floats_of( mesh );
	field all;
	add_presets( &all, mesh, threads );
	for ( const char* splitter : splitters )
	{
		add_pair( &all, mesh, "topdown", splitter, threads );
	}
	for ( const char* builder : builders )
	{
		add_pair( &all, mesh, builder, "gottschalk", threads );
	}
	if ( everything )
	{
		add_tables( &all, mesh, threads );
	}
	add_peers( &all, mesh, floats, threads );
	printf( "%s, %zu triangles, medians of %d\n", path ? name_of( path ) : "bumpy ball",
	        mesh.triangles.size(), repeats );
	run( &all, mesh.triangles.size(), repeats );
	return 0;
}
