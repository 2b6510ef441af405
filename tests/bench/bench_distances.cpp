// Distances of meshes near contact, and of points, compared with FCL's.
//
//   bench_distances [--repeats N] [--points N] [--preset NAME] [-o SAMPLES.csv] MESHES POSES.csv...
//
// MESHES is a folder. All poses of each pose file (A__B.csv) are queried, each offset separately; then N
// points (1000) of a cube with side 3 around A, for the nearest point of A. FCL's trees are OBBRSS and RSS,
// its points spheres of radius 1e-9. This project uses the preset's hierarchy (balanced) with float
// positions. Times are CPU times, the minimum of N rounds (3), in which all take turns; -o appends those of
// all rounds to a file of samples (measure.h). Distances that differ from FCL's by more than 1e-6 are a
// failure. FCL has the positions before rounding to floats.
//
// Exit codes: 1 usage, 2 something can't be read or built, 3 a distance differs.

#include "tests/bench/peer_fcl.h"

#include <cmath>
#include <string>

namespace {

struct settings
{
	int repeats = 3;
	int points = 1000;
	const char* preset = "balanced";
	FILE* samples = nullptr;
};

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_distances: %s\n", message );
	exit( 2 );
}

judge_mesh load( const char* folder, const char* name )
{
	char path[4096];
	judge_mesh mesh;
	bvb_error error;
	if ( !judge_find_mesh( folder, name, path, sizeof path ) )
	{
		fail( ( std::string( name ) + ": no such mesh" ).c_str() );
	}
	if ( judge_load( path, bvb_positions_float, &mesh, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return mesh;
}

judge_tree build( const judge_mesh& mesh, const char* preset )
{
	judge_tree tree;
	bvb_error error;
	bvb_asset_options options;
	if ( !bvb_preset_options( preset, &options ) )
	{
		fail( "no such preset" );
	}
	if ( judge_build( &mesh, &options.hierarchy, &tree, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return tree;
}

template <typename BV> std::shared_ptr<fcl::BVHModel<BV>> make_model( const fcl_tree& like )
{
	std::vector<fcl::Vector3d> points( like.vertices, like.vertices + like.num_vertices );
	std::vector<fcl::Triangle> triangles( like.tri_indices, like.tri_indices + like.num_tris );
	auto model = std::make_shared<fcl::BVHModel<BV>>();
	model->beginModel();
	model->addSubModel( points, triangles );
	model->endModel();
	return model;
}

// Distances of some queries and the time they took together.
struct answers
{
	std::vector<double> distances;
	double seconds = 0;
	double volume_tests = 0;
	double triangle_tests = 0;
};

template <typename Query> answers ask( size_t count, Query query )
{
	answers out;
	double start = core_now();
	for ( size_t i = 0; i < count; ++i )
	{
		out.distances.push_back( query( i, out ) );
	}
	out.seconds = core_now() - start;
	return out;
}

template <typename Model> answers ask_fcl( const Model& a, const Model& b, const std::vector<bv_pose>& poses )
{
	return ask( poses.size(), [&]( size_t i, answers& ) {
		fcl::DistanceRequestd request( false );
		fcl::DistanceResultd result;
		double d =
			fcl::distance( &a, fcl::Transform3d::Identity(), &b, fcl_pose( poses[i] ), request, result );
		return std::max( 0.0, d );
	} );
}

answers ask_us( const judge_tree& a, const judge_tree& b, const std::vector<bv_pose>& poses )
{
	return ask( poses.size(), [&]( size_t i, answers& out ) {
		bv_distance_result result;
		bv_transform b_in_a = bv_transform_of_pose( &poses[i] );
		if ( bv_mesh_distance( a.file, b.file, &b_in_a, nullptr, &result ) != bv_ok )
		{
			fail( "bv_mesh_distance failed" );
		}
		out.volume_tests += (double)result.volume_tests;
		out.triangle_tests += (double)result.triangle_tests;
		return result.distance;
	} );
}

// How far two of them differ at most.
double difference( const answers& x, const answers& y )
{
	double most = 0;
	for ( size_t i = 0; i < x.distances.size(); ++i )
	{
		most = std::max( most, std::fabs( x.distances[i] - y.distances[i] ) );
	}
	return most;
}

struct total
{
	double log_ratio = 0;
	int rows = 0;
	double worst = 0;
};

enum
{
	entrants = 3, // ours, FCL's OBBRSS and RSS
};

// All take turns, and each keeps the least of its times.
template <typename Ours, typename Obbrss, typename Rss>
void take_turns( const settings& with, const char* mesh, size_t triangles, Ours ours, Obbrss obbrss, Rss rss,
                 answers best[entrants] )
{
	const char* const names[entrants] = { with.preset, "fcl-obbrss", "fcl-rss" };
	for ( int n = 0; n < with.repeats; ++n )
	{
		answers all[entrants] = { ours(), obbrss(), rss() };
		for ( int i = 0; i < entrants; ++i )
		{
			sample of = { mesh, triangles, names[i], 1, n };
			write_sample( with.samples, &of, "distance", "s",
			              all[i].seconds / (double)all[i].distances.size() );
			if ( n == 0 || all[i].seconds < best[i].seconds )
			{
				best[i] = all[i];
			}
		}
	}
}

void print_row( const std::string& what, const answers all[entrants], total& sum )
{
	const answers& ours = all[0];
	double n = (double)ours.distances.size();
	double worst = std::max( difference( ours, all[1] ), difference( ours, all[2] ) );
	double best = std::min( all[1].seconds, all[2].seconds );
	printf( "| %s | %.0f | %.0f | %.1f | %.1f | %.1f | %.2f | %.1e |\n", what.c_str(), ours.volume_tests / n,
	        ours.triangle_tests / n, 1e6 * ours.seconds / n, 1e6 * all[1].seconds / n,
	        1e6 * all[2].seconds / n, best / ours.seconds, worst );
	fflush( stdout );
	sum.log_ratio += std::log( best / ours.seconds );
	sum.rows += 1;
	sum.worst = std::max( sum.worst, worst );
}

// SplitMix64 (Steele, Lea, Flood 2014), in [0, 1).
double next_random( uint64_t& state )
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;
	z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
	z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
	return (double)( ( z ^ ( z >> 31 ) ) >> 11 ) * 0x1p-53;
}

template <typename Model> answers points_fcl( const Model& model, const std::vector<bv_vec3>& points )
{
	const double radius = 1e-9;
	fcl::Sphered ball( radius );
	return ask( points.size(), [&]( size_t i, answers& ) {
		fcl::Transform3d at = fcl::Transform3d::Identity();
		at.translation() = fcl::Vector3d( points[i].x, points[i].y, points[i].z );
		fcl::DistanceRequestd request( false );
		fcl::DistanceResultd result;
		return radius + fcl::distance( &model, fcl::Transform3d::Identity(), &ball, at, request, result );
	} );
}

answers points_us( const judge_tree& tree, const std::vector<bv_vec3>& points )
{
	return ask( points.size(), [&]( size_t i, answers& out ) {
		bv_closest_result result;
		if ( bv_mesh_closest_point( tree.file, nullptr, points[i], nullptr, &result ) != bv_ok )
		{
			fail( "bv_mesh_closest_point failed" );
		}
		out.volume_tests += (double)result.volume_tests;
		out.triangle_tests += (double)result.triangle_tests;
		return result.distance;
	} );
}

void bench( const char* folder, const char* path, const settings& s, total& pairs, total& points )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_error error;
	judge_poses poses;
	if ( !arena || judge_read_poses( path, arena, &poses, &error ) != bv_ok )
	{
		fail( arena ? error.message : "out of memory" );
	}
	judge_mesh a = load( folder, poses.a );
	judge_mesh b = load( folder, poses.b );
	judge_tree tree_a = build( a, s.preset );
	judge_tree tree_b = build( b, s.preset );
	auto obbrss_a = make_fcl_tree( a, nullptr );
	auto obbrss_b = make_fcl_tree( b, nullptr );
	auto rss_a = make_model<fcl::RSSd>( *obbrss_a );
	auto rss_b = make_model<fcl::RSSd>( *obbrss_b );
	std::string name = std::string( poses.a ) + " " + poses.b;
	bool same = strcmp( poses.a, poses.b ) == 0;
	size_t triangles = a.asset.record.mesh.triangle_count + ( same ? 0 : b.asset.record.mesh.triangle_count );
	for ( double offset : { 0.01, 0.001, -0.01 } )
	{
		std::vector<bv_pose> some;
		for ( uint32_t i = 0; i < poses.count; ++i )
		{
			if ( poses.poses[i].offset == offset )
			{
				some.push_back( poses.poses[i].pose );
			}
		}
		if ( !some.empty() )
		{
			char text[32];
			snprintf( text, sizeof text, " %+g", offset );
			answers all[entrants];
			take_turns(
				s, ( name + text ).c_str(), triangles, [&] { return ask_us( tree_a, tree_b, some ); },
				[&] { return ask_fcl( *obbrss_a, *obbrss_b, some ); },
				[&] { return ask_fcl( *rss_a, *rss_b, some ); }, all );
			print_row( name + " |" + text, all, pairs );
		}
	}
	std::vector<bv_vec3> some;
	uint64_t random = 1;
	for ( int i = 0; i < s.points; ++i )
	{
		bv_vec3 p;
		p.x = 3 * next_random( random ) - 1.5;
		p.y = 3 * next_random( random ) - 1.5;
		p.z = 3 * next_random( random ) - 1.5;
		some.push_back( p );
	}
	answers all[entrants];
	take_turns(
		s, ( std::string( poses.a ) + " points" ).c_str(), triangles,
		[&] { return points_us( tree_a, some ); }, [&] { return points_fcl( *obbrss_a, some ); },
		[&] { return points_fcl( *rss_a, some ); }, all );
	print_row( std::string( poses.a ) + " | points", all, points );
	judge_fell( &tree_a );
	judge_fell( &tree_b );
	judge_unload( &a );
	judge_unload( &b );
	bvb_arena_destroy( arena );
}

} // namespace

int main( int count, char** arguments )
{
	settings s;
	int first = 1;
	for ( ; first + 1 < count && arguments[first][0] == '-'; first += 2 )
	{
		const char* value = arguments[first + 1];
		if ( strcmp( arguments[first], "--repeats" ) == 0 )
		{
			s.repeats = atoi( value );
		}
		else if ( strcmp( arguments[first], "--points" ) == 0 )
		{
			s.points = atoi( value );
		}
		else if ( strcmp( arguments[first], "--preset" ) == 0 )
		{
			s.preset = value;
		}
		else if ( strcmp( arguments[first], "-o" ) == 0 )
		{
			s.samples = open_samples( value );
			if ( !s.samples )
			{
				fail( "the samples can't be written" );
			}
		}
		else
		{
			break;
		}
	}
	if ( count < first + 2 || s.repeats < 1 || s.points < 1 )
	{
		fprintf( stderr, "usage: bench_distances [--repeats N] [--points N] [--preset NAME] [-o SAMPLES.csv] "
		                 "MESHES POSES.csv...\n" );
		return 1;
	}
	printf(
		"| meshes | offset | volume tests per query | triangle tests | us | FCL OBBRSS, us | FCL RSS, us | "
		"times as fast as "
		"the better | greatest difference |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | "
		"---: |\n" );
	total pairs;
	total points;
	for ( int i = first + 1; i < count; ++i )
	{
		bench( arguments[first], arguments[i], s, pairs, points );
	}
	printf( "\nTimes as fast as the better of FCL's, geometric means: meshes %.2f, points %.2f.\n",
	        std::exp( pairs.log_ratio / pairs.rows ), std::exp( points.log_ratio / points.rows ) );
	if ( s.samples && fclose( s.samples ) != 0 )
	{
		fail( "the samples can't be written" );
	}
	return std::max( pairs.worst, points.worst ) > 1e-6 ? 3 : 0;
}
