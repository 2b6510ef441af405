// Queries of one mesh with a ray, a point, a ball or a box, compared with Embree, Bullet and CGAL.
//
//   bench_rays [--repeats N] [--queries N] [--preset NAME] [--quantized] [--only NAME] [--summary FILE]
//              [-o SAMPLES.csv] MESH...
//
// Meshes are centered and scaled so that half the diagonal of their bounds is 1. All entrants answer the same
// queries one by one, on one thread, in turns; times are CPU times, the median of N rounds (5) over N queries
// (20000; of casts, where Bullet is slow, a tenth). The placement is the identity. Coordinates of queries are
// numbers of 32 bits. How a peer is asked stands at the head of its peer_NAME_rays.h.
//
// Answers are compared: whether there is a hit, distances up to 1e-4, which 32 bits explain, times of casts up to
// 1e-3, and numbers of triangles. Where any entrant differs from libbv, exact_rays.h decides which of them are
// wrong.
//
// Tables: times by mesh; geometric means over meshes of the time of libbv and of the ratios, a peer's time over
// that of libbv; and the answers that differ. --summary writes the last two to a file as well.
//
// Exit codes: 1 usage, 2 something can't be read or built.

#include "runtime/math/vec.h"
#include "tests/bench/exact_rays.h"
#include "tests/bench/judge.h"
#include "tests/bench/peer_bullet_rays.h"
#include "tests/bench/peer_cgal_rays.h"
#include "tests/bench/peer_embree_rays.h"

#include <cstdarg>

namespace {

// A peer is one row. Tables have its entrants in this order.
rays_entrant ( *const peers[] )( const rays_mesh& ) = {
	make_embree_robust,
	make_embree,
	make_bullet,
	make_cgal,
};

struct settings
{
	int repeats = 5;
	int queries = 20000;
	const char* preset = "balanced";
	const char* only = nullptr;
	bvb_position_form form = bvb_positions_float;
	FILE* samples = nullptr;
	FILE* summary = nullptr;
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

// A file with its mesh, and all who answer.
struct subject
{
	std::string name;
	judge_mesh loaded;
	judge_tree tree;
	const bv_file* file;
	rays_mesh mesh;
	std::vector<rays_entrant> others;

	subject( const char* path, const settings& s ) : name( name_of( path ) )
	{
		bvb_error error;
		bvb_asset_options options;
		if ( !bvb_preset_options( s.preset, &options ) )
		{
			fail( "no such preset" );
		}
		if ( judge_load( path, s.form, &loaded, &error ) != bv_ok ||
		     judge_build( &loaded, &options.hierarchy, &tree, &error ) != bv_ok )
		{
			fail( error.message );
		}
		file = tree.file;
		bv_mesh_info info = bv_file_get_mesh( file );
		for ( uint32_t i = 0; i < info.vertices; ++i )
		{
			bv_vec3 p = bv_file_get_vertex( file, i );
			mesh.positions.insert( mesh.positions.end(), { (float)p.x, (float)p.y, (float)p.z } );
		}
		for ( uint32_t i = 0; i < info.triangles; ++i )
		{
			uint32_t at[3];
			bv_file_get_triangle( file, i, at );
			for ( uint32_t vertex : at )
			{
				mesh.corners.push_back( vertex );
				mesh.corner.push_back( bv_file_get_vertex( file, vertex ) );
			}
		}
		for ( auto* make : peers )
		{
			others.push_back( make( mesh ) );
		}
	}

	subject( const subject& ) = delete;

	~subject()
	{
		judge_fell( &tree );
		judge_unload( &loaded );
	}

	bv_vec3 surface( random_numbers& r, bv_vec3* normal ) const
	{
		size_t at = 3 * (size_t)( r.unit() * (double)mesh.triangles() );
		double a = r.unit();
		double b = r.unit() * ( 1 - a );
		bv_vec3 u = bv_sub( mesh.corner[at + 1], mesh.corner[at] );
		bv_vec3 v = bv_sub( mesh.corner[at + 2], mesh.corner[at] );
		bv_vec3 n = bv_cross( u, v );
		double length = std::sqrt( bv_dot( n, n ) );
		*normal = length > 0 ? bv_scale( 1 / length, n ) : r.direction();
		return bv_add( mesh.corner[at], bv_add( bv_scale( a, u ), bv_scale( b, v ) ) );
	}
};

typedef double ask( const bv_file* file, const rays_query& q );

typedef bv_status cast_ray( const bv_file*, const bv_transform*, const bv_ray*, const bv_ray_options*,
                            bv_ray_result* );
typedef bv_status closest_point( const bv_file*, const bv_transform*, bv_vec3, const bv_closest_options*,
                                 bv_closest_result* );
typedef bv_status overlap_ball( const bv_file*, const bv_transform*, const bv_sphere*,
                                const bv_overlap_options*, bv_overlap_result* );
typedef bv_status overlap_box( const bv_file*, const bv_transform*, const bv_obb*, const bv_overlap_options*,
                               bv_overlap_result* );
typedef bv_status overlap_aligned( const bv_file*, const bv_transform*, const bv_aabb*,
                                   const bv_overlap_options*, bv_overlap_result* );
typedef bv_status cast_shape( const bv_file*, const bv_transform*, const bv_convex*, bv_vec3,
                              const bv_cast_options*, bv_cast_result* );

template <bool any, cast_ray* cast> double ray_of( const bv_file* file, const rays_query& q )
{
	bv_ray ray = { q.from, q.way, 0, INFINITY };
	bv_ray_options options = bv_ray_options_default();
	options.any = any;
	bv_ray_result result;
	cast( file, NULL, &ray, &options, &result );
	return any ? result.found : result.time;
}

template <closest_point* closest> double closest_of( const bv_file* file, const rays_query& q )
{
	bv_closest_result result;
	closest( file, NULL, q.from, NULL, &result );
	return result.distance;
}

template <bool first, overlap_ball* overlap> double ball_of( const bv_file* file, const rays_query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_sphere ball = { q.from, q.size };
	bv_overlap_result result;
	overlap( file, NULL, &ball, &options, &result );
	return (double)result.triangles;
}

template <bool first, overlap_box* overlap> double box_of( const bv_file* file, const rays_query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_overlap_result result;
	overlap( file, NULL, &q.box, &options, &result );
	return (double)result.triangles;
}

template <bool first, overlap_aligned* overlap> double aligned_of( const bv_file* file, const rays_query& q )
{
	bv_overlap_options options = bv_overlap_options_default();
	options.first = first;
	bv_vec3 half = { q.size, q.size, q.size };
	bv_aabb box = { bv_sub( q.from, half ), bv_add( q.from, half ) };
	bv_overlap_result result;
	overlap( file, NULL, &box, &options, &result );
	return (double)result.triangles;
}

template <bool box, cast_shape* cast> double cast_of( const bv_file* file, const rays_query& q )
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
	bv_convex shape = bv_convex_points( points, box ? 8u : 1u, box ? 0 : q.size );
	bv_cast_options options = bv_cast_options_default();
	options.limit = INFINITY;
	bv_cast_result result;
	cast( file, NULL, &shape, q.way, &options, &result );
	return result.time;
}

bv_vec3 rounded( bv_vec3 v )
{
	return { (float)v.x, (float)v.y, (float)v.z };
}

std::vector<rays_query> make_queries( const subject& s, int count, const char* kind )
{
	std::vector<rays_query> out;
	random_numbers r;
	int side = (int)std::ceil( std::sqrt( (double)count ) );
	std::string k = kind;
	for ( int i = 0; i < count; ++i )
	{
		rays_query q = {};
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
		q.from = rounded( q.from );
		q.way = rounded( q.way );
		q.size = (float)0.02;
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

struct workload
{
	const char* name;
	question asked;
	const char* places; // of the queries
	ask* ours;
	int share; // of the queries, one in so many
};

const workload workloads[] = {
	{ "first hit, incoherent", question::first_hit, "incoherent", ray_of<false, bv_mesh_cast_ray>, 1 },
	{ "first hit, surface", question::first_hit, "surface", ray_of<false, bv_mesh_cast_ray>, 1 },
	{ "first hit, camera", question::first_hit, "camera", ray_of<false, bv_mesh_cast_ray>, 1 },
	{ "any hit, incoherent", question::any_hit, "incoherent", ray_of<true, bv_mesh_cast_ray>, 1 },
	{ "any hit, surface", question::any_hit, "surface", ray_of<true, bv_mesh_cast_ray>, 1 },
	{ "any hit, camera", question::any_hit, "camera", ray_of<true, bv_mesh_cast_ray>, 1 },
	{ "closest point, near", question::closest_point, "near", closest_of<bv_mesh_closest_point>, 1 },
	{ "closest point, far", question::closest_point, "far", closest_of<bv_mesh_closest_point>, 1 },
	{ "ball, all", question::ball_all, "near", ball_of<false, bv_mesh_overlap_sphere>, 1 },
	{ "box, all", question::box_all, "near", box_of<false, bv_mesh_overlap_obb>, 1 },
	{ "aligned box, all", question::aligned_all, "near", aligned_of<false, bv_mesh_overlap_aabb>, 1 },
	{ "ball, first", question::ball_first, "near", ball_of<true, bv_mesh_overlap_sphere>, 1 },
	{ "box, first", question::box_first, "near", box_of<true, bv_mesh_overlap_obb>, 1 },
	{ "aligned box, first", question::aligned_first, "near", aligned_of<true, bv_mesh_overlap_aabb>, 1 },
	{ "cast of a ball, far", question::ball_cast, "far", cast_of<false, bv_mesh_cast_convex>, 10 },
	{ "cast of a ball, near", question::ball_cast, "near", cast_of<false, bv_mesh_cast_convex>, 10 },
	{ "cast of a box, far", question::box_cast, "far", cast_of<true, bv_mesh_cast_convex>, 10 },
	{ "cast of a box, near", question::box_cast, "near", cast_of<true, bv_mesh_cast_convex>, 10 },
};

bool is_same( question asked, double a, double b )
{
	switch ( asked )
	{
	case question::first_hit:
	case question::closest_point: return a == b || std::fabs( a - b ) <= 1e-4 * ( 1 + b );
	case question::ball_cast:
	case question::box_cast: return a == b || std::fabs( a - b ) <= 1e-3 * ( 1 + b );
	default: return a == b;
	}
}

double truth_of( question asked, const rays_mesh& mesh, const rays_query& q )
{
	const bv_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	switch ( asked )
	{
	case question::first_hit: return exact_first_hit( mesh, q );
	case question::any_hit: return exact_first_hit( mesh, q ) < INFINITY ? 1 : 0;
	case question::closest_point: return reference_closest_point( mesh, q );
	case question::ball_all: return reference_ball( mesh, q );
	case question::ball_first: return reference_ball( mesh, q ) > 0 ? 1 : 0;
	case question::box_all: return reference_box( mesh, q, q.box.axis );
	case question::box_first: return reference_box( mesh, q, q.box.axis ) > 0 ? 1 : 0;
	case question::aligned_all: return reference_box( mesh, q, axes );
	case question::aligned_first: return reference_box( mesh, q, axes ) > 0 ? 1 : 0;
	case question::ball_cast: return reference_cast( mesh, q, false );
	case question::box_cast: return reference_cast( mesh, q, true );
	}
	return NAN;
}

// One entrant and workload, over the meshes.
struct tally
{
	double log_time = 0;  // sum over meshes of the logarithm of the time
	double log_ratio = 0; // of the ratio to libbv's
	double least = INFINITY;
	double most = 0;
	int meshes = 0;
	uint64_t answers = 0;
	uint64_t differ = 0;
	uint64_t wrong = 0;

	void add( double seconds, double ratio )
	{
		log_time += std::log( seconds );
		log_ratio += std::log( ratio );
		least = std::min( least, ratio );
		most = std::max( most, ratio );
		meshes += 1;
	}
};

struct row
{
	std::string name;
	std::vector<tally> of; // libbv, then its peers
};

// Counts the answers that differ from libbv's, and the wrong ones.
// @return how many queries found something
size_t compare( const subject& s, const workload& w, const std::vector<rays_query>& queries,
                const std::vector<rays_answer>& entrants, row* out )
{
	size_t found = 0;
	std::vector<double> answers( entrants.size() );
	for ( const rays_query& q : queries )
	{
		bool same = true;
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			if ( entrants[i] )
			{
				answers[i] = entrants[i]( q );
				bool differs = !is_same( w.asked, answers[i], answers[0] );
				out->of[i].answers += 1;
				out->of[i].differ += differs;
				same = same && !differs;
			}
		}
		found += answers[0] < INFINITY && answers[0] > 0;
		if ( same )
		{
			continue;
		}
		double truth = truth_of( w.asked, s.mesh, q );
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			out->of[i].wrong += entrants[i] && !is_same( w.asked, answers[i], truth );
		}
	}
	return found;
}

// @return of each entrant the median, infinity without one
std::vector<double> measure( const subject& s, const workload& w, const std::vector<rays_query>& queries,
                             const std::vector<rays_answer>& entrants, const settings& set )
{
	std::vector<std::vector<double>> times( entrants.size() );
	volatile double sink = 0;
	for ( int round = 0; round < set.repeats; ++round )
	{
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			const rays_answer& find = entrants[i];
			if ( !find )
			{
				continue;
			}
			double start = core_now();
			double sum = 0;
			for ( const rays_query& q : queries )
			{
				sum += find( q );
			}
			sink = sink + sum;
			double each = ( core_now() - start ) / (double)queries.size();
			times[i].push_back( each );
			const char* name = i > 0 ? s.others[i - 1].name.c_str() : "libbv";
			sample of = { s.name.c_str(), s.mesh.triangles(), name, 1, round };
			write_sample( set.samples, &of, w.name, "s", each );
		}
	}
	std::vector<double> out;
	for ( std::vector<double>& t : times )
	{
		out.push_back( t.empty() ? INFINITY : median( t.data(), (int)t.size() ) );
	}
	return out;
}

void run( const subject& s, const workload& w, const settings& set, row* out )
{
	const bv_file* file = s.file;
	std::vector<rays_answer> entrants = { [&]( const rays_query& q ) { return w.ours( file, q ); } };
	for ( const rays_entrant& other : s.others )
	{
		auto answer = other.answers.find( w.asked );
		entrants.push_back( answer == other.answers.end() ? rays_answer() : answer->second );
	}
	std::vector<rays_query> queries = make_queries( s, std::max( set.queries / w.share, 1 ), w.places );
	size_t found = compare( s, w, queries, entrants, out );
	std::vector<double> times = measure( s, w, queries, entrants, set );
	printf( "| %s | %s | %.0f %% |", s.name.c_str(), w.name, 100 * (double)found / (double)queries.size() );
	for ( size_t i = 0; i < times.size(); ++i )
	{
		if ( times[i] < INFINITY )
		{
			printf( " %.0f |", 1e9 * times[i] );
			out->of[i].add( times[i], times[i] / times[0] );
		}
		else
		{
			printf( " |" );
		}
	}
	printf( "\n" );
	fflush( stdout );
}

// To the output and to the file of the summary.
__attribute__( ( format( printf, 2, 3 ) ) ) void print( FILE* also, const char* format, ... )
{
	char text[512];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	fputs( text, stdout );
	if ( also )
	{
		fputs( text, also );
	}
}

void print_head( FILE* also, const char* first, const std::vector<std::string>& names )
{
	std::string line = std::string( "| query | " ) + first + " |";
	std::string under = "| --- | ---: |";
	for ( const std::string& name : names )
	{
		line += " " + name + " |";
		under += " ---: |";
	}
	print( also, "\n%s\n%s\n", line.c_str(), under.c_str() );
}

void print_ratios( FILE* also, const std::vector<std::string>& names, const std::vector<row>& rows )
{
	print_head( also, "libbv, ns", names );
	for ( const row& r : rows )
	{
		print( also, "| %s | %.0f |", r.name.c_str(), 1e9 * std::exp( r.of[0].log_time / r.of[0].meshes ) );
		for ( size_t i = 1; i < r.of.size(); ++i )
		{
			const tally& t = r.of[i];
			if ( t.meshes > 0 )
			{
				print( also, " %.2f (%.2f to %.2f) |", std::exp( t.log_ratio / t.meshes ), t.least, t.most );
			}
			else
			{
				print( also, " |" );
			}
		}
		print( also, "\n" );
	}
}

void print_answers( FILE* also, const std::vector<std::string>& names, const std::vector<row>& rows )
{
	print_head( also, "libbv: answers, wrong", names );
	for ( const row& r : rows )
	{
		for ( size_t i = 0; i < r.of.size(); ++i )
		{
			const tally& t = r.of[i];
			auto wrong = (unsigned long long)t.wrong;
			if ( i == 0 )
			{
				print( also, "| %s | %llu, %llu |", r.name.c_str(), (unsigned long long)t.answers, wrong );
			}
			else if ( t.meshes == 0 )
			{
				print( also, " |" );
			}
			else
			{
				print( also, " %llu, %llu |", (unsigned long long)t.differ, wrong );
			}
		}
		print( also, "\n" );
	}
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
		else if ( option == "--summary" )
		{
			set.summary = fopen( argv[++i], "w" );
			if ( !set.summary )
			{
				fail( "the summary can't be written" );
			}
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
	std::vector<std::string> names;
	std::vector<row> rows;
	for ( const char* path : paths )
	{
		subject s( path, set );
		if ( names.empty() )
		{
			printf( "| mesh | query | found | libbv, ns |" );
			for ( const rays_entrant& other : s.others )
			{
				names.push_back( other.name );
				printf( " %s |", other.name.c_str() );
			}
			printf( "\n| --- | --- | ---: | ---: |" );
			for ( size_t i = 0; i < names.size(); ++i )
			{
				printf( " ---: |" );
			}
			printf( "\n" );
		}
		size_t at = 0;
		for ( const workload& w : workloads )
		{
			if ( set.only && !strstr( w.name, set.only ) )
			{
				continue;
			}
			if ( at == rows.size() )
			{
				rows.push_back( { w.name, std::vector<tally>( 1 + names.size() ) } );
			}
			run( s, w, set, &rows[at++] );
		}
	}
	print_ratios( set.summary, names, rows );
	print_answers( set.summary, names, rows );
	return set.summary && fclose( set.summary ) != 0 ? 2 : 0;
}
