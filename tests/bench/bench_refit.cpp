// Refits of hierarchies to vertices that moved (bvworld/deform.h), against Embree and Bullet.
//
//   bench_refit [--quick] [-o CSV] FOLDER NAME...      reads FOLDER/VOLUME/NAME.bvh
//
// Tables: times by mesh and entrant; ratios and bars; whether rays find the same.
//
// All vertices move along a wave, or 1 % of them: those nearest to one, or any. Positions are new in each round, and are computed before
// the clock runs. Each round lets all entrants refit once, one after the other. Times of one thread are processor time of the process;
// those of two threads are time on a clock. All are medians. Ratios are geometric means over the meshes.
//
// Embree has a geometry with RTC_BUILD_QUALITY_REFIT in a dynamic scene of a device with one thread. Bullet has a btBvhTriangleMeshShape;
// only btOptimizedBvh::refit takes time, not the new box of the shape, which Bullet finds by visiting all triangles six times.
// Peers get vertices and triangles in the order of the file of axis-aligned boxes.

#include "bvworld/bvworld.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"
#include "tests/bench/peer_embree.h"
#include "tests/bench/pool.h"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include <cstring>
#include <memory>
#include <numeric>

namespace {

const int warm = 2;
const char* const volumes[] = { "aabb", "obb", "sphere", "rss", "kdop14", "kdop26" };
const int judged = 2; // volumes with bars

[[noreturn]] void give_up( const char* what )
{
	fprintf( stderr, "bench_refit: %s\n", what );
	exit( 1 );
}

void check( bv_status status, const char* what )
{
	if ( status != bv_ok )
	{
		give_up( what );
	}
}

double process_now()
{
	struct timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// S. Vigna's splitmix64.
uint64_t draw( uint64_t& state )
{
	uint64_t z = state += UINT64_C( 0x9e3779b97f4a7c15 );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return z ^ z >> 31;
}

struct moved_mesh
{
	std::vector<float> rest;
	std::vector<float> positions;
	float size; // of the longest edge of the box
	float middle[3];

	void set( const std::vector<float>& at )
	{
		rest = at;
		positions = at;
		float lower[3] = { INFINITY, INFINITY, INFINITY };
		float upper[3] = { -INFINITY, -INFINITY, -INFINITY };
		for ( size_t i = 0; i < rest.size(); ++i )
		{
			lower[i % 3] = std::min( lower[i % 3], rest[i] );
			upper[i % 3] = std::max( upper[i % 3], rest[i] );
		}
		size = 0;
		for ( int k = 0; k < 3; ++k )
		{
			size = std::max( size, upper[k] - lower[k] );
			middle[k] = ( lower[k] + upper[k] ) / 2;
		}
		positions.push_back( 0 ); // Embree reads 16 bytes of the last vertex.
	}

	uint32_t count() const
	{
		return (uint32_t)( rest.size() / 3 );
	}

	void move( uint32_t vertex, double time )
	{
		const float* p = rest.data() + 3 * (size_t)vertex;
		float* to = positions.data() + 3 * (size_t)vertex;
		float scale = 6 / size;
		float phase = (float)time;
		to[0] = p[0] + 0.05f * size * sinf( scale * p[1] + phase );
		to[1] = p[1] + 0.05f * size * sinf( scale * p[2] + 2 * phase );
		to[2] = p[2] + 0.05f * size * sinf( scale * p[0] + 3 * phase );
	}

	void move_all( double time )
	{
		for ( uint32_t i = 0; i < count(); ++i )
		{
			move( i, time );
		}
	}
};

// The part of vertices nearest to one of them.
std::vector<uint32_t> patch_of( const moved_mesh& mesh )
{
	std::vector<uint32_t> all( mesh.count() );
	std::iota( all.begin(), all.end(), 0u );
	const float* seed = mesh.rest.data() + 3 * (size_t)( mesh.count() / 3 );
	auto square = [&]( uint32_t vertex ) {
		float sum = 0;
		for ( int k = 0; k < 3; ++k )
		{
			float d = mesh.rest[3 * (size_t)vertex + (size_t)k] - seed[k];
			sum += d * d;
		}
		return sum;
	};
	size_t part = all.size() / 100 + 1;
	std::nth_element( all.begin(), all.begin() + (ptrdiff_t)part, all.end(),
	                  [&]( uint32_t a, uint32_t b ) { return square( a ) < square( b ); } );
	all.resize( part );
	return all;
}

std::vector<uint32_t> scattered_of( const moved_mesh& mesh )
{
	uint64_t random = 1;
	std::vector<uint32_t> out( mesh.count() / 100 + 1 );
	for ( uint32_t& vertex : out )
	{
		vertex = (uint32_t)( draw( random ) % mesh.count() );
	}
	return out;
}

// What can be measured.
enum question
{
	full,
	patch, // of both on a clock: to ask for the time of the process takes more than a microsecond
	scattered,
	one_thread, // on a clock
	two_threads,
	judging,
	questions,
};

struct times
{
	std::vector<double> of[questions];
	int whole = 0; // refits of a part that had to write all nodes

	double middle( question q ) const
	{
		if ( of[q].size() <= (size_t)warm )
		{
			return NAN;
		}
		std::vector<double> kept( of[q].begin() + warm, of[q].end() );
		return median( kept.data(), (int)kept.size() );
	}
};

struct ours
{
	const bv_file* file;
	moved_mesh mesh;
	std::vector<uint32_t> moved[2]; // a patch, scattered
	std::vector<uint64_t> memory;
	bvw_deform* deform = nullptr;
	times t;

	explicit ours( const std::string& path ) : file( open_bvh( path.c_str() ) )
	{
		if ( !file )
		{
			give_up( path.c_str() );
		}
		std::vector<float> at;
		uint32_t count = bv_file_get_mesh( file ).vertices;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = bv_file_get_vertex( file, i );
			at.insert( at.end(), { (float)p.x, (float)p.y, (float)p.z } );
		}
		mesh.set( at );
		moved[0] = patch_of( mesh );
		moved[1] = scattered_of( mesh );
		bvw_deform_options options = bvw_deform_options_default();
		options.workers = 2;
		memory.resize( bvw_deform_bytes( file, &options ) / 8 + 1 );
		check( bvw_deform_begin( file, &options, memory.data(), 8 * memory.size(), &deform ), path.c_str() );
	}

	bvw_vertices vertices() const
	{
		bvw_vertices v = {};
		v.floats = mesh.positions.data();
		v.count = mesh.count();
		return v;
	}

	void refit( double time )
	{
		mesh.move_all( time );
		bvw_vertices v = vertices();
		double begin = process_now();
		check( bvw_deform_refit( deform, &v, nullptr, 0, nullptr ), "a refit" );
		t.of[full].push_back( process_now() - begin );
		bvw_deform_quality_result quality;
		begin = process_now();
		check( bvw_deform_quality( deform, &quality ), "a quality" );
		t.of[judging].push_back( process_now() - begin );
	}

	void refit_part( int part, double time )
	{
		for ( uint32_t vertex : moved[part] )
		{
			mesh.move( vertex, time );
		}
		bvw_vertices v = vertices();
		bvw_deform_report report;
		double begin = now();
		check( bvw_deform_refit( deform, &v, moved[part].data(), (uint32_t)moved[part].size(), &report ),
		       "a refit of a part" );
		t.of[part == 0 ? patch : scattered].push_back( now() - begin );
		t.whole += report.whole;
	}

	void refit_on( bench_pool& pool, question q, double time )
	{
		mesh.move_all( time );
		bvw_vertices v = vertices();
		if ( q == two_threads )
		{
			pool.wake();
		}
		double begin = now();
		check( bvw_deform_refit_on( deform, &v, q == two_threads ? &pool.tasks : nullptr, nullptr ),
		       "a refit by threads" );
		t.of[q].push_back( now() - begin );
		pool.sleep();
	}
};

struct embree_refit
{
	RTCDevice device = rtcNewDevice( "threads=1" );
	RTCScene scene = rtcNewScene( device );
	RTCGeometry geometry = rtcNewGeometry( device, RTC_GEOMETRY_TYPE_TRIANGLE );
	times t;
	double build; // seconds

	embree_refit( const moved_mesh& mesh, const std::vector<uint32_t>& corners )
	{
		rtcSetGeometryBuildQuality( geometry, RTC_BUILD_QUALITY_REFIT );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
		                            mesh.positions.data(), 0, 3 * sizeof( float ), mesh.count() );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, corners.data(), 0,
		                            3 * sizeof( uint32_t ), corners.size() / 3 );
		rtcCommitGeometry( geometry );
		rtcAttachGeometry( scene, geometry );
		// A scene that is not dynamic builds a new tree whatever its geometries ask for.
		rtcSetSceneFlags( scene, RTC_SCENE_FLAG_DYNAMIC );
		rtcSetSceneBuildQuality( scene, RTC_BUILD_QUALITY_LOW );
		double begin = process_now();
		rtcCommitScene( scene );
		build = process_now() - begin;
	}

	embree_refit( const embree_refit& ) = delete;

	~embree_refit()
	{
		rtcReleaseGeometry( geometry );
		rtcReleaseScene( scene );
		rtcReleaseDevice( device );
	}

	void refit( question q )
	{
		double begin = process_now();
		rtcUpdateGeometryBuffer( geometry, RTC_BUFFER_TYPE_VERTEX, 0 );
		rtcCommitGeometry( geometry );
		rtcCommitScene( scene );
		t.of[q].push_back( process_now() - begin );
	}

	// @return infinity without a hit
	double ray( const float from[3], const float way[3] ) const
	{
		RTCRayHit r = {};
		r.ray.org_x = from[0];
		r.ray.org_y = from[1];
		r.ray.org_z = from[2];
		r.ray.dir_x = way[0];
		r.ray.dir_y = way[1];
		r.ray.dir_z = way[2];
		r.ray.tfar = INFINITY;
		r.ray.mask = ~0u;
		r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
		RTCIntersectContext context;
		rtcInitIntersectContext( &context );
		rtcIntersect1( scene, &context, &r );
		return (double)r.ray.tfar;
	}
};

struct bullet_first : btTriangleRaycastCallback
{
	using btTriangleRaycastCallback::btTriangleRaycastCallback;

	btScalar reportHit( const btVector3&, btScalar fraction, int, int ) override
	{
		return fraction;
	}
};

struct bullet_refit
{
	const moved_mesh* mesh;
	const std::vector<uint32_t>* corners;
	btTriangleIndexVertexArray arrays;
	std::unique_ptr<btBvhTriangleMeshShape> shape;
	times t;

	bullet_refit( const moved_mesh& m, const std::vector<uint32_t>& c ) : mesh( &m ), corners( &c )
	{
		btIndexedMesh part;
		part.m_numTriangles = (int)( c.size() / 3 );
		part.m_triangleIndexBase = (const unsigned char*)c.data();
		part.m_triangleIndexStride = 3 * sizeof( int );
		part.m_numVertices = (int)m.count();
		part.m_vertexBase = (const unsigned char*)m.positions.data();
		part.m_vertexStride = 3 * sizeof( float );
		part.m_vertexType = PHY_FLOAT;
		arrays.addIndexedMesh( part, PHY_INTEGER );
		shape = std::make_unique<btBvhTriangleMeshShape>( &arrays, true );
		shape->setMargin( 0 );
	}

	bullet_refit( const bullet_refit& ) = delete;

	void box_of( const std::vector<uint32_t>* vertices, btVector3& lower, btVector3& upper ) const
	{
		lower.setValue( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
		upper = -lower;
		size_t count = vertices ? vertices->size() : mesh->count();
		for ( size_t i = 0; i < count; ++i )
		{
			const float* p = mesh->positions.data() + 3 * ( vertices ? (size_t)( *vertices )[i] : i );
			btVector3 at( p[0], p[1], p[2] );
			lower.setMin( at );
			upper.setMax( at );
		}
	}

	void refit()
	{
		btVector3 lower;
		btVector3 upper;
		box_of( nullptr, lower, upper );
		double begin = process_now();
		shape->getOptimizedBvh()->refit( &arrays, lower, upper );
		t.of[full].push_back( process_now() - begin );
	}

	// The tree keeps the range of its quantized boxes, which must contain the vertices.
	void refit_part( const std::vector<uint32_t>& vertices )
	{
		btVector3 lower;
		btVector3 upper;
		box_of( &vertices, lower, upper );
		double begin = now();
		shape->getOptimizedBvh()->refitPartial( &arrays, lower, upper );
		t.of[patch].push_back( now() - begin );
	}

	// @return infinity without a hit; in parts of `way`
	double ray( const float from[3], const float way[3] ) const
	{
		btVector3 a( from[0], from[1], from[2] );
		btVector3 b = a + btVector3( way[0], way[1], way[2] );
		bullet_first hit( a, b );
		shape->performRaycast( &hit, a, b );
		return hit.m_hitFraction < 1 ? (double)hit.m_hitFraction : INFINITY;
	}
};

// A requirement, and what was measured of it on each mesh.
struct bar
{
	std::string what;
	double limit;
	std::vector<const char*> meshes;
	std::vector<double> ratios;
};

struct bench
{
	bool is_quick = false;
	std::vector<bar> bars;
	FILE* csv = nullptr;
	std::string checks;
	int wrong = 0;

	void print_times( const char* name, const char* entrant, const times& t ) const
	{
		const question shown[] = { full, patch, scattered, two_threads, judging };
		printf( "| %s | %s |", name, entrant );
		for ( question q : shown )
		{
			double value = t.middle( q );
			if ( std::isnan( value ) )
			{
				printf( " |" );
			}
			else
			{
				printf( " %.3f |", 1e3 * value );
			}
			if ( csv && !std::isnan( value ) )
			{
				const char* words[questions] = { "full",        "patch",
					                             "scattered",   "one thread on a clock",
					                             "two threads", "quality" };
				fprintf( csv, "\"%s\",\"%s\",\"%s\",%.9g\n", name, entrant, words[q], value );
			}
		}
		printf( "\n" );
	}

	// Rays from outside through the middle of the moved mesh: each entrant refitted to the same positions.
	void compare_rays( const char* name, ours& first, ours& second, const embree_refit& embree,
	                   const bullet_refit& bullet )
	{
		uint64_t random = 5;
		int differ[3] = { 0, 0, 0 };
		int hits = 0;
		const int rays = 1000;
		const float size = first.mesh.size;
		for ( int i = 0; i < rays; ++i )
		{
			float from[3];
			float way[3];
			for ( int k = 0; k < 3; ++k )
			{
				from[k] = (float)( (double)( draw( random ) >> 11 ) * 0x1p-52 - 1 );
			}
			float length = sqrtf( from[0] * from[0] + from[1] * from[1] + from[2] * from[2] );
			for ( int k = 0; k < 3; ++k )
			{
				float to = first.mesh.middle[k] +
				           0.3f * size * (float)( (double)( draw( random ) >> 11 ) * 0x1p-52 - 1 );
				from[k] = first.mesh.middle[k] + 2 * size * from[k] / length;
				way[k] = 2 * ( to - from[k] );
			}
			bv_ray ray = { { from[0], from[1], from[2] }, { way[0], way[1], way[2] }, 0, 0 };
			double at[4];
			for ( int k = 0; k < 2; ++k )
			{
				bv_ray_result r;
				check( bv_mesh_cast_ray( bvw_deform_file( ( k == 0 ? first : second ).deform ), nullptr, &ray,
				                         nullptr, &r ),
				       "a ray" );
				at[k] = r.found ? r.time : INFINITY;
			}
			at[2] = embree.ray( from, way );
			at[3] = bullet.ray( from, way );
			hits += !std::isinf( at[0] );
			for ( int k = 1; k < 4; ++k )
			{
				differ[k - 1] += std::isinf( at[0] ) != std::isinf( at[k] ) ||
				                 ( !std::isinf( at[0] ) && std::fabs( at[0] - at[k] ) > 1e-4 );
			}
		}
		char text[300];
		snprintf(
			text, sizeof text,
			"- %s: of %d rays, %d hit the moved mesh. Other answers than those with boxes: %d with oriented "
			"boxes, %d of Embree, %d of Bullet. A new tree takes Embree %.2f ms.\n",
			name, rays, hits, differ[0], differ[1], differ[2], 1e3 * embree.build );
		checks += text;
		// Rays along edges are decided by rounding in the peers.
		wrong += hits < rays / 20 || differ[0] > 0 || differ[1] > rays / 100;
	}

	void add_ratio( const char* name, const std::string& what, double ratio, double limit )
	{
		auto is_it = [&]( const bar& one ) { return one.what == what; };
		auto at = std::find_if( bars.begin(), bars.end(), is_it );
		if ( at == bars.end() )
		{
			at = bars.insert( at, bar{ what, limit, {}, {} } );
		}
		at->meshes.push_back( name );
		at->ratios.push_back( ratio );
	}

	void add_bars( const char* name, const std::vector<std::unique_ptr<ours>>& all,
	               const embree_refit& embree, const bullet_refit& bullet )
	{
		for ( int k = 0; k < judged; ++k )
		{
			const times& t = all[(size_t)k]->t;
			std::string volume = std::string( "`" ) + volumes[k] + "`: ";
			double all_moved = t.middle( full );
			add_ratio( name, volume + "all, times the time of Embree", all_moved / embree.t.middle( full ),
			           1 );
			add_ratio( name, volume + "all, times the time of Bullet", all_moved / bullet.t.middle( full ),
			           0.5 );
			add_ratio( name, volume + "a patch of 1 %, times 3 % of all and 10 us",
			           t.middle( patch ) / ( 0.03 * all_moved + 10e-6 ), 1 );
			add_ratio( name, volume + "two threads, times the time of one",
			           t.middle( two_threads ) / t.middle( one_thread ), 1 / 1.7 );
		}
	}

	// @return how many are missed
	int print_bars() const
	{
		int missed = 0;
		printf( "\n| what | ratio | range over meshes | meshes within the target | target | met |\n"
		        "| --- | ---: | --- | ---: | ---: | --- |\n" );
		for ( const bar& one : bars )
		{
			double sum = 0;
			size_t within = 0;
			size_t least = 0;
			size_t most = 0;
			for ( size_t i = 0; i < one.ratios.size(); ++i )
			{
				sum += std::log( one.ratios[i] );
				within += one.ratios[i] <= one.limit;
				least = one.ratios[i] < one.ratios[least] ? i : least;
				most = one.ratios[i] > one.ratios[most] ? i : most;
			}
			double ratio = std::exp( sum / (double)one.ratios.size() );
			bool is_met = ratio <= one.limit;
			missed += !is_met;
			printf( "| %s | %.2f | %.2f (%s) to %.2f (%s) | %zu of %zu | %.2f | %s |\n", one.what.c_str(),
			        ratio, one.ratios[least], one.meshes[least], one.ratios[most], one.meshes[most], within,
			        one.ratios.size(), one.limit, is_met ? "yes" : "no" );
		}
		return missed;
	}

	void measure( const std::string& folder, const char* name )
	{
		std::vector<std::unique_ptr<ours>> all;
		for ( const char* volume : volumes )
		{
			all.push_back( std::make_unique<ours>( folder + "/" + volume + "/" + name + ".bvh" ) );
		}
		uint32_t triangles = bv_file_get_mesh( all[0]->file ).triangles;
		std::vector<uint32_t> corners( 3 * (size_t)triangles );
		for ( uint32_t i = 0; i < triangles; ++i )
		{
			bv_file_get_triangle( all[0]->file, i, corners.data() + 3 * (size_t)i );
		}
		embree_refit embree( all[0]->mesh, corners );
		bullet_refit bullet( all[0]->mesh, corners );
		bench_pool pool( 2 );
		int rounds = warm + ( is_quick ? 5 : 21 );
		for ( int i = 0; i < rounds; ++i )
		{
			double time = 0.1 * i;
			for ( auto& one : all )
			{
				one->refit( time );
			}
			embree.refit( full );
			bullet.refit();
			for ( int part = 0; part < 2; ++part )
			{
				for ( auto& one : all )
				{
					one->refit_part( part, time + 0.05 );
				}
			}
			bullet.refit_part( all[0]->moved[0] );
			for ( auto& one : all )
			{
				one->refit_on( pool, i % 2 == 0 ? one_thread : two_threads, time + 0.02 );
				one->refit_on( pool, i % 2 == 0 ? two_threads : one_thread, time + 0.03 );
			}
		}
		for ( auto& one : all )
		{
			one->refit( 0.1 * rounds );
		}
		embree.refit( full );
		bullet.refit();
		char words[200];
		snprintf( words, sizeof words, "%s, %u", name, triangles );
		for ( size_t i = 0; i < all.size(); ++i )
		{
			print_times( words, volumes[i], all[i]->t );
		}
		print_times( words, "Embree", embree.t );
		print_times( words, "Bullet", bullet.t );
		add_bars( name, all, embree, bullet );
		compare_rays( name, *all[0], *all[1], embree, bullet );
	}
};

} // namespace

int main( int count, char** arguments )
{
	bench b;
	std::vector<const char*> names;
	for ( int i = 1; i < count; ++i )
	{
		std::string word = arguments[i];
		if ( word == "--quick" )
		{
			b.is_quick = true;
		}
		else if ( word == "-o" && i + 1 < count )
		{
			b.csv = fopen( arguments[++i], "w" );
		}
		else
		{
			names.push_back( arguments[i] );
		}
	}
	if ( names.size() < 2 )
	{
		give_up( "no meshes" );
	}
	printf( "| mesh, triangles | entrant | all, ms | a patch of 1 %%, ms | 1 %% scattered, ms | all by two "
	        "threads, ms | quality, ms |\n"
	        "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( size_t i = 1; i < names.size(); ++i )
	{
		b.measure( names[0], names[i] );
		fflush( stdout );
	}
	int missed = b.print_bars();
	printf( "\n%s", b.checks.c_str() );
	if ( b.csv )
	{
		fclose( b.csv );
	}
	if ( b.wrong > 0 )
	{
		fprintf( stderr, "bench_refit: entrants do not have the same triangles\n" );
	}
	return missed + b.wrong > 0;
}
