// Queries of one mesh with a ray, a point, a ball or a box, compared with Embree.
//
//   bench_rays [--repeats N] [--queries N] [--preset NAME] [--quantized] [--only NAME] [-o SAMPLES.csv] MESH...
//
// Meshes are centered and scaled so that half the diagonal of their bounds is 1. All entrants answer the same
// queries one by one, on one thread, in turns; times are CPU times, the median of N rounds (5) over N queries
// (20000). The placement is the identity. Embree's scenes are of high quality, one of them robust; its rays
// are rtcIntersect1 and rtcOccluded1, its closest points rtcPointQuery with the exact distance of each
// triangle. Answers are compared: hits that one entrant has and the other one lacks, and distances that
// differ by more than 1e-4, which binary32 explains, are counted. Overlaps and casts have no entrant but this
// project. The first table has times, the second one the geometric means of their ratios over the meshes.
//
// Exit codes: 1 usage, 2 something can't be read or built.

extern "C" {
#include "base/core/nearest.h"
}
#include "base/core/vec.h"
#include "tests/bench/judge.h"
#include "tests/bench/peer_embree.h"

#include <functional>
#include <memory>

namespace {

struct settings
{
	int repeats = 5;
	int queries = 20000;
	const char* preset = "balanced";
	const char* only = nullptr;
	bvb_position_form form = bvb_positions_float;
	FILE* samples = nullptr;
};

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_rays: %s\n", message );
	exit( 2 );
}

struct random_numbers
{
	uint64_t state = 88172645463325252u;

	double unit()
	{
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		return (double)( state >> 11 ) * 0x1p-53;
	}

	bv_vec3 direction()
	{
		for ( ;; )
		{
			bv_vec3 d = { 2 * unit() - 1, 2 * unit() - 1, 2 * unit() - 1 };
			double square = bv_dot( d, d );
			if ( square > 1e-4 && square <= 1 )
			{
				return bv_scale( 1 / std::sqrt( square ), d );
			}
		}
	}
};

// One query: what its kind takes of it.
struct query
{
	bv_vec3 from;
	bv_vec3 way;
	double size;
	bv_obb box;
};

// What was found, in one number: a time, a distance, a count; infinity for nothing.
typedef std::function<double( const query& )> answer;

struct entrant
{
	std::string name;
	answer find;
};

struct workload
{
	std::string name;
	bool counts; // answers are whole numbers
	std::vector<query> queries;
	std::vector<entrant> entrants;
};

// A file with its mesh, and the same mesh in Embree.
struct subject
{
	std::string name;
	judge_mesh mesh;
	judge_tree tree;
	const bv_file* file;
	embree_mesh floats;
	RTCDevice device;
	RTCScene robust;
	RTCScene fast;
	std::vector<bv_vec3> corner; // three a triangle

	subject( const char* path, const settings& s ) : name( name_of( path ) )
	{
		bvb_error error;
		bvb_asset_options options;
		if ( !bvb_preset_options( s.preset, &options ) )
		{
			fail( "no such preset" );
		}
		if ( judge_load( path, s.form, &mesh, &error ) != bv_ok ||
		     judge_build( &mesh, &options.hierarchy, &tree, &error ) != bv_ok )
		{
			fail( error.message );
		}
		file = tree.file;
		bv_mesh_info info = bv_file_get_mesh( file );
		for ( uint32_t i = 0; i < info.vertices; ++i )
		{
			bv_vec3 p = bv_file_get_vertex( file, i );
			floats.positions.insert( floats.positions.end(), { (float)p.x, (float)p.y, (float)p.z } );
		}
		for ( uint32_t i = 0; i < info.triangles; ++i )
		{
			uint32_t at[3];
			bv_file_get_triangle( file, i, at );
			for ( uint32_t vertex : at )
			{
				floats.corners.push_back( vertex );
				corner.push_back( bv_file_get_vertex( file, vertex ) );
			}
		}
		device = rtcNewDevice( "threads=1" );
		fast = make_embree_scene( floats, device, RTC_BUILD_QUALITY_HIGH );
		robust = make_robust();
	}

	subject( const subject& ) = delete;

	~subject()
	{
		rtcReleaseScene( fast );
		rtcReleaseScene( robust );
		rtcReleaseDevice( device );
		judge_fell( &tree );
		judge_unload( &mesh );
	}

	RTCScene make_robust() const
	{
		RTCScene scene = rtcNewScene( device );
		RTCGeometry geometry = rtcNewGeometry( device, RTC_GEOMETRY_TYPE_TRIANGLE );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
		                            floats.positions.data(), 0, 12, floats.positions.size() / 3 );
		rtcSetSharedGeometryBuffer( geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
		                            floats.corners.data(), 0, 12, floats.corners.size() / 3 );
		rtcCommitGeometry( geometry );
		rtcAttachGeometry( scene, geometry );
		rtcReleaseGeometry( geometry );
		rtcSetSceneFlags( scene, RTC_SCENE_FLAG_ROBUST );
		rtcSetSceneBuildQuality( scene, RTC_BUILD_QUALITY_HIGH );
		rtcCommitScene( scene );
		return scene;
	}

	bv_vec3 surface( random_numbers& r, bv_vec3* normal ) const
	{
		size_t at = 3 * (size_t)( r.unit() * (double)( corner.size() / 3 ) );
		double a = r.unit();
		double b = r.unit() * ( 1 - a );
		bv_vec3 u = bv_sub( corner[at + 1], corner[at] );
		bv_vec3 v = bv_sub( corner[at + 2], corner[at] );
		bv_vec3 n = bv_cross( u, v );
		double length = std::sqrt( bv_dot( n, n ) );
		*normal = length > 0 ? bv_scale( 1 / length, n ) : r.direction();
		return bv_add( corner[at], bv_add( bv_scale( a, u ), bv_scale( b, v ) ) );
	}
};

RTCRay embree_ray( const query& q )
{
	RTCRay ray = {};
	ray.org_x = (float)q.from.x;
	ray.org_y = (float)q.from.y;
	ray.org_z = (float)q.from.z;
	ray.dir_x = (float)q.way.x;
	ray.dir_y = (float)q.way.y;
	ray.dir_z = (float)q.way.z;
	ray.tfar = INFINITY;
	ray.mask = ~0u;
	return ray;
}

double embree_first( RTCScene scene, const query& q )
{
	RTCIntersectContext context;
	rtcInitIntersectContext( &context );
	RTCRayHit hit;
	hit.ray = embree_ray( q );
	hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
	rtcIntersect1( scene, &context, &hit );
	return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : (double)hit.ray.tfar;
}

double embree_any( RTCScene scene, const query& q )
{
	RTCIntersectContext context;
	rtcInitIntersectContext( &context );
	RTCRay ray = embree_ray( q );
	rtcOccluded1( scene, &context, &ray );
	return ray.tfar < 0 ? 1 : 0;
}

struct nearest_so_far
{
	const subject* s;
	bv_vec3 point;
	double square;
};

bool embree_nearer( RTCPointQueryFunctionArguments* a )
{
	auto* best = (nearest_so_far*)a->userPtr;
	bv_nearest near;
	bv_nearest_on_triangle( best->point, &best->s->corner[3 * (size_t)a->primID], &near );
	if ( near.square >= best->square )
	{
		return false;
	}
	best->square = near.square;
	a->query->radius = (float)std::sqrt( near.square );
	return true;
}

double embree_closest( const subject& s, const query& q )
{
	RTCPointQueryContext context;
	rtcInitPointQueryContext( &context );
	RTCPointQuery point = { (float)q.from.x, (float)q.from.y, (float)q.from.z, 0, INFINITY };
	nearest_so_far best = { &s, q.from, INFINITY };
	rtcPointQuery( s.fast, &point, &context, embree_nearer, &best );
	return std::sqrt( best.square );
}

typedef double ask( const bv_file* file, const query& q );

typedef bv_status cast_ray( const bv_file*, const bv_transform*, const bv_ray*, const bv_ray_options*,
                            bv_ray_result* );
typedef bv_status closest_point( const bv_file*, const bv_transform*, bv_vec3, double, bv_closest_result* );
typedef bv_status overlap_ball( const bv_file*, const bv_transform*, const bv_sphere*,
                                const bv_overlap_options*, bv_overlap_result* );
typedef bv_status overlap_box( const bv_file*, const bv_transform*, const bv_obb*, const bv_overlap_options*,
                               bv_overlap_result* );
typedef bv_status overlap_aligned( const bv_file*, const bv_transform*, const bv_aabb*,
                                   const bv_overlap_options*, bv_overlap_result* );
typedef bv_status cast_shape( const bv_file*, const bv_transform*, const bv_shape*, bv_vec3,
                              const bv_cast_options*, bv_cast_result* );

template <bool any, cast_ray* cast> double ray_of( const bv_file* file, const query& q )
{
	bv_ray ray = { q.from, q.way, 0, INFINITY };
	bv_ray_options options = bv_ray_options_default();
	options.any = any;
	bv_ray_result result;
	cast( file, NULL, &ray, &options, &result );
	return any ? result.found : result.time;
}

template <closest_point* closest> double closest_of( const bv_file* file, const query& q )
{
	bv_closest_result result;
	closest( file, NULL, q.from, INFINITY, &result );
	return result.distance;
}

template <bool first, overlap_ball* overlap> double ball_of( const bv_file* file, const query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_sphere ball = { q.from, q.size };
	bv_overlap_result result;
	overlap( file, NULL, &ball, &options, &result );
	return (double)result.triangles;
}

template <bool first, overlap_box* overlap> double box_of( const bv_file* file, const query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_overlap_result result;
	overlap( file, NULL, &q.box, &options, &result );
	return (double)result.triangles;
}

template <bool first, overlap_aligned* overlap> double aligned_of( const bv_file* file, const query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_vec3 half = { q.size, q.size, q.size };
	bv_aabb box = { bv_sub( q.from, half ), bv_add( q.from, half ) };
	bv_overlap_result result;
	overlap( file, NULL, &box, &options, &result );
	return (double)result.triangles;
}

template <bool box, cast_shape* cast> double cast_of( const bv_file* file, const query& q )
{
	bv_vec3 points[8] = { q.from };
	if ( box )
	{
		for ( int i = 0; i < 8; ++i )
		{
			points[i] = q.box.center;
			for ( int k = 0; k < 3; ++k )
			{
				points[i] = bv_add( points[i], bv_scale( i >> k & 1 ? q.size : -q.size, q.box.axis[k] ) );
			}
		}
	}
	bv_shape shape = { points, box ? 8u : 1u, box ? 0 : q.size };
	bv_cast_options options = bv_cast_options_default();
	options.limit = INFINITY;
	bv_cast_result result;
	cast( file, NULL, &shape, q.way, &options, &result );
	return result.time;
}

std::vector<query> make_queries( const subject& s, const settings& set, const char* kind )
{
	std::vector<query> out;
	random_numbers r;
	int side = (int)std::ceil( std::sqrt( (double)set.queries ) );
	std::string k = kind;
	for ( int i = 0; i < set.queries; ++i )
	{
		query q = {};
		bv_vec3 normal;
		if ( k == "incoherent" || k == "far" )
		{
			q.from = bv_scale( 1.5, r.direction() );
			q.way = bv_sub( bv_scale( std::cbrt( r.unit() ), r.direction() ), q.from );
			q.way = bv_scale( 1 / std::sqrt( bv_dot( q.way, q.way ) ), q.way );
		}
		else if ( k == "surface" || k == "near" )
		{
			q.from = s.surface( r, &normal );
			q.way = r.direction();
			q.way = bv_dot( q.way, normal ) < 0 ? bv_negate( q.way ) : q.way;
			q.from = bv_add( q.from, bv_scale( k == "near" ? 0.05 * r.unit() : 1e-3, normal ) );
		}
		else
		{
			q.from = { 0, 0, 2.5 };
			q.way = { 1.6 * ( ( i % side ) / (double)side - 0.5 ),
				      1.6 * ( ( i / side ) / (double)side - 0.5 ), -2 };
			q.way = bv_scale( 1 / std::sqrt( bv_dot( q.way, q.way ) ), q.way );
		}
		q.size = 0.02;
		q.box.center = q.from;
		bv_vec3 x = r.direction();
		bv_vec3 y = bv_cross( x, r.direction() );
		y = bv_scale( 1 / std::sqrt( bv_dot( y, y ) ), y );
		q.box.axis[0] = x;
		q.box.axis[1] = y;
		q.box.axis[2] = bv_cross( x, y );
		q.box.half_extents[0] = q.box.half_extents[1] = q.box.half_extents[2] = q.size;
		out.push_back( q );
	}
	return out;
}

std::vector<workload> make_workloads( const subject& s, const settings& set )
{
	const bv_file* f = s.file;
	std::vector<workload> all;
	auto add = [&]( const char* name, bool counts, const char* kind, ask* ours, std::vector<entrant> peers ) {
		if ( !set.only || strstr( name, set.only ) )
		{
			peers.insert( peers.begin(), { "libbv", [f, ours]( const query& q ) { return ours( f, q ); } } );
			all.push_back( { name, counts, make_queries( s, set, kind ), peers } );
		}
	};
	const subject* t = &s;
	entrant robust = { "embree-robust", [t]( const query& q ) { return embree_first( t->robust, q ); } };
	entrant fast = { "embree", [t]( const query& q ) { return embree_first( t->fast, q ); } };
	entrant any_robust = { "embree-robust", [t]( const query& q ) { return embree_any( t->robust, q ); } };
	entrant any_fast = { "embree", [t]( const query& q ) { return embree_any( t->fast, q ); } };
	entrant point = { "embree", [t]( const query& q ) { return embree_closest( *t, q ); } };
	add( "first hit, incoherent", false, "incoherent", ray_of<false, bv_cast_ray>, { robust, fast } );
	add( "any hit, incoherent", true, "incoherent", ray_of<true, bv_cast_ray>, { any_robust, any_fast } );
	add( "first hit, surface", false, "surface", ray_of<false, bv_cast_ray>, { robust, fast } );
	add( "any hit, surface", true, "surface", ray_of<true, bv_cast_ray>, { any_robust, any_fast } );
	add( "first hit, camera", false, "camera", ray_of<false, bv_cast_ray>, { robust, fast } );
	add( "any hit, camera", true, "camera", ray_of<true, bv_cast_ray>, { any_robust, any_fast } );
	add( "closest point, near", false, "near", closest_of<bv_closest_point>, { point } );
	add( "closest point, far", false, "far", closest_of<bv_closest_point>, { point } );
	add( "ball, all", true, "near", ball_of<false, bv_overlap_sphere>, {} );
	add( "box, all", true, "near", box_of<false, bv_overlap_obb>, {} );
	add( "aligned box, all", true, "near", aligned_of<false, bv_overlap_aabb>, {} );
	add( "ball, first", true, "near", ball_of<true, bv_overlap_sphere>, {} );
	add( "box, first", true, "near", box_of<true, bv_overlap_obb>, {} );
	add( "aligned box, first", true, "near", aligned_of<true, bv_overlap_aabb>, {} );
	add( "cast of a ball, far", false, "far", cast_of<false, bv_cast_shape>, {} );
	add( "cast of a ball, near", false, "near", cast_of<false, bv_cast_shape>, {} );
	add( "cast of a box, far", false, "far", cast_of<true, bv_cast_shape>, {} );
	add( "cast of a box, near", false, "near", cast_of<true, bv_cast_shape>, {} );
	return all;
}

// Of one entrant and kind of query, over the meshes.
struct ratio
{
	std::string query;
	std::string entrant;
	double log_sum = 0;
	int meshes = 0;
	double least = INFINITY;
	double most = 0;
	std::string least_mesh;
	std::string most_mesh;
	uint64_t differ = 0;

	void add( const std::string& mesh, double value, uint64_t answers )
	{
		log_sum += std::log( value );
		meshes += 1;
		least_mesh = value < least ? mesh : least_mesh;
		most_mesh = value > most ? mesh : most_mesh;
		least = std::min( least, value );
		most = std::max( most, value );
		differ += answers;
	}
};

void print_ratios( const std::vector<ratio>& all )
{
	printf( "\n| query | compared with | ratio | range over meshes | answers that differ |\n" );
	printf( "| --- | --- | ---: | --- | ---: |\n" );
	for ( const ratio& r : all )
	{
		printf( "| %s | %s | %.2f | %.2f (%s) to %.2f (%s) | %llu |\n", r.query.c_str(), r.entrant.c_str(),
		        std::exp( r.log_sum / r.meshes ), r.least, r.least_mesh.c_str(), r.most, r.most_mesh.c_str(),
		        (unsigned long long)r.differ );
	}
}

ratio& ratio_of( std::vector<ratio>* all, const std::string& query, const std::string& entrant )
{
	for ( ratio& r : *all )
	{
		if ( r.query == query && r.entrant == entrant )
		{
			return r;
		}
	}
	all->push_back( {} );
	all->back().query = query;
	all->back().entrant = entrant;
	return all->back();
}

void run( const subject& s, const workload& w, const settings& set, std::vector<ratio>* ratios )
{
	size_t n = w.entrants.size();
	std::vector<std::vector<double>> times( n );
	std::vector<uint64_t> differ( n );
	double found = 0;
	volatile double sink = 0;
	for ( const query& q : w.queries )
	{
		double ours = w.entrants[0].find( q );
		found += ours < INFINITY && ours > 0;
		for ( size_t i = 1; i < n; ++i )
		{
			double theirs = w.entrants[i].find( q );
			bool same = w.counts ? ours == theirs
			                     : ours == theirs || std::fabs( ours - theirs ) <= 1e-4 * ( 1 + ours );
			differ[i] += !same;
		}
	}
	for ( int round = 0; round < set.repeats; ++round )
	{
		for ( size_t i = 0; i < n; ++i )
		{
			const answer& find = w.entrants[i].find;
			double start = core_now();
			double sum = 0;
			for ( const query& q : w.queries )
			{
				sum += find( q );
			}
			sink = sink + sum;
			double each = ( core_now() - start ) / (double)w.queries.size();
			times[i].push_back( each );
			sample of = { s.name.c_str(), s.corner.size() / 3, w.entrants[i].name.c_str(), 1, round };
			write_sample( set.samples, &of, w.name.c_str(), "s", each );
		}
	}
	double ours = median( times[0].data(), set.repeats );
	printf( "| %s | %s | %.0f %% | %.0f |", s.name.c_str(), w.name.c_str(),
	        100 * found / (double)w.queries.size(), 1e9 * ours );
	for ( size_t i = 1; i < n; ++i )
	{
		double theirs = median( times[i].data(), set.repeats );
		printf( " %s %.0f |", w.entrants[i].name.c_str(), 1e9 * theirs );
		ratio_of( ratios, w.name, w.entrants[i].name ).add( s.name, theirs / ours, differ[i] );
	}
	printf( "\n" );
	fflush( stdout );
}

} // namespace

int main( int argc, char** argv )
{
	settings set;
	std::vector<const char*> paths;
	for ( int i = 1; i < argc; ++i )
	{
		std::string option = argv[i];
		if ( option == "--quantized" )
		{
			set.form = bvb_positions_quantized;
		}
		else if ( option[0] != '-' )
		{
			paths.push_back( argv[i] );
		}
		else if ( i + 1 == argc )
		{
			return 1;
		}
		else if ( option == "--repeats" )
		{
			set.repeats = atoi( argv[++i] );
		}
		else if ( option == "--queries" )
		{
			set.queries = atoi( argv[++i] );
		}
		else if ( option == "--preset" )
		{
			set.preset = argv[++i];
		}
		else if ( option == "--only" )
		{
			set.only = argv[++i];
		}
		else if ( option == "-o" )
		{
			set.samples = open_samples( argv[++i] );
		}
		else
		{
			return 1;
		}
	}
	printf( "| mesh | query | found | ns | others, ns |\n" );
	printf( "| --- | --- | ---: | ---: | --- |\n" );
	std::vector<ratio> ratios;
	for ( const char* path : paths )
	{
		subject s( path, set );
		for ( const workload& w : make_workloads( s, set ) )
		{
			run( s, w, set, &ratios );
		}
	}
	print_ratios( ratios );
	return 0;
}
