// Shared by the programs that measure Embree: its scenes over a mesh, and the tree of its builder, which is
// accessible only through callbacks. In C++.

#pragma once

#include <embree3/rtcore.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct embree_mesh
{
	std::vector<float> positions;
	std::vector<uint32_t> corners;
};

// Builds one, which is to be released.
static inline RTCScene make_embree_scene( const embree_mesh& mesh, RTCDevice device, RTCBuildQuality quality )
{
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
	return scene;
}

// Costs by the surface area heuristic, over the root's area: an inner node costs 1, a leaf its triangles, or its blocks of
// four or of eight of them.
struct tree_cost
{
	double inner;
	double leaves;
	double leaves4;
	double leaves8;

	void add_leaf( double area, size_t triangles )
	{
		leaves += area * (double)triangles;
		leaves4 += area * (double)( ( triangles + 3 ) / 4 );
		leaves8 += area * (double)( ( triangles + 7 ) / 8 );
	}

	void divide( double by )
	{
		inner /= by;
		leaves /= by;
		leaves4 /= by;
		leaves8 /= by;
	}
};

// A node as the callbacks make it; of its children it is told the boxes.
struct embree_node
{
	size_t triangles; // 0 for an inner node
	unsigned count;
	embree_node* child[8];
	double area[8];
};

static inline double area_of( const RTCBounds& b )
{
	double x = (double)b.upper_x - (double)b.lower_x;
	double y = (double)b.upper_y - (double)b.lower_y;
	double z = (double)b.upper_z - (double)b.lower_z;
	return 2 * ( x * y + y * z + z * x );
}

static inline void* embree_create_node( RTCThreadLocalAllocator allocator, unsigned count, void* )
{
	auto* node = (embree_node*)rtcThreadLocalAlloc( allocator, sizeof( embree_node ), 16 );
	*node = {};
	node->count = count;
	return node;
}

static inline void* embree_create_leaf( RTCThreadLocalAllocator allocator, const RTCBuildPrimitive*,
                                        size_t count, void* )
{
	auto* node = (embree_node*)rtcThreadLocalAlloc( allocator, sizeof( embree_node ), 16 );
	*node = {};
	node->triangles = count;
	return node;
}

static inline void embree_set_children( void* node, void** children, unsigned count, void* )
{
	for ( unsigned i = 0; i < count; ++i )
	{
		( (embree_node*)node )->child[i] = (embree_node*)children[i];
	}
}

static inline void embree_set_bounds( void* node, const RTCBounds** bounds, unsigned count, void* )
{
	for ( unsigned i = 0; i < count; ++i )
	{
		( (embree_node*)node )->area[i] = area_of( *bounds[i] );
	}
}

static inline void add_embree_cost( const embree_node* node, double area, tree_cost* sum )
{
	if ( node->triangles > 0 )
	{
		sum->add_leaf( area, node->triangles );
		return;
	}
	sum->inner += area;
	for ( unsigned i = 0; i < node->count; ++i )
	{
		add_embree_cost( node->child[i], node->area[i], sum );
	}
}

// @param all  receives the box of all triangles
static inline std::vector<RTCBuildPrimitive> embree_primitives( const embree_mesh& mesh, RTCBounds* all )
{
	std::vector<RTCBuildPrimitive> out;
	float least[3] = { INFINITY, INFINITY, INFINITY };
	float most[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( size_t i = 0; i < mesh.corners.size(); i += 3 )
	{
		float lower[3] = { INFINITY, INFINITY, INFINITY };
		float upper[3] = { -INFINITY, -INFINITY, -INFINITY };
		for ( int k = 0; k < 9; ++k )
		{
			float x = mesh.positions[3 * mesh.corners[i + (size_t)k / 3] + (size_t)k % 3];
			lower[k % 3] = std::min( lower[k % 3], x );
			upper[k % 3] = std::max( upper[k % 3], x );
		}
		for ( int k = 0; k < 3; ++k )
		{
			least[k] = std::min( least[k], lower[k] );
			most[k] = std::max( most[k], upper[k] );
		}
		out.push_back(
			{ lower[0], lower[1], lower[2], 0, upper[0], upper[1], upper[2], (unsigned)( i / 3 ) } );
	}
	*all = { least[0], least[1], least[2], 0, most[0], most[1], most[2], 0 };
	return out;
}

// The cost of the tree that Embree's builder makes with the settings of its scenes: nodes of eight children with AVX, of
// four without.
static inline tree_cost embree_cost( const embree_mesh& mesh, RTCDevice device )
{
	RTCBounds all;
	std::vector<RTCBuildPrimitive> primitives = embree_primitives( mesh, &all );
	RTCBuildArguments arguments = rtcDefaultBuildArguments();
	arguments.buildQuality = RTC_BUILD_QUALITY_MEDIUM;
	arguments.maxBranchingFactor = __builtin_cpu_supports( "avx" ) ? 8 : 4;
	arguments.sahBlockSize = 4;
	arguments.minLeafSize = 4;
	arguments.maxLeafSize = 28;
	arguments.bvh = rtcNewBVH( device );
	arguments.primitives = primitives.data();
	arguments.primitiveCount = arguments.primitiveArrayCapacity = primitives.size();
	arguments.createNode = embree_create_node;
	arguments.createLeaf = embree_create_leaf;
	arguments.setNodeChildren = embree_set_children;
	arguments.setNodeBounds = embree_set_bounds;
	tree_cost cost = {};
	const auto* root = (const embree_node*)rtcBuildBVH( &arguments );
	if ( root )
	{
		add_embree_cost( root, area_of( all ), &cost );
		cost.divide( area_of( all ) );
	}
	rtcReleaseBVH( arguments.bvh );
	return cost;
}

// What a scene's own tree costs by blocks of four, which it prints when it is talkative.
// @return 0 when it does not say
static inline double embree_scene_cost( const embree_mesh& mesh )
{
	char path[] = "/tmp/bench_embree.XXXXXX";
	int file = mkstemp( path );
	fflush( stdout );
	int out = dup( STDOUT_FILENO );
	if ( file < 0 || out < 0 || dup2( file, STDOUT_FILENO ) < 0 )
	{
		return 0;
	}
	RTCDevice device = rtcNewDevice( "threads=1,verbose=2" );
	rtcReleaseScene( make_embree_scene( mesh, device, RTC_BUILD_QUALITY_MEDIUM ) );
	rtcReleaseDevice( device );
	fflush( stdout );
	dup2( out, STDOUT_FILENO );
	close( out );
	close( file );
	double cost = 0;
	char line[4096];
	FILE* said = fopen( path, "r" );
	while ( said && fgets( line, sizeof line, said ) )
	{
		std::string text = line;
		size_t at = text.find( "sah = " );
		if ( at != std::string::npos && text.find( "total" ) < at )
		{
			cost = atof( text.c_str() + at + 6 );
		}
	}
	if ( said )
	{
		fclose( said );
	}
	unlink( path );
	return cost;
}
