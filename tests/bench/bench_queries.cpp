// Presets against FCL's OBBRSS tree and a binary tree by Gottschalk's rule, and against each other, by queries near contact.
//
//   bench_queries [--repeats N] [--with LEVELS]... MESHES POSES.csv...
//
// MESHES is a folder. Of each pose file (A__B.csv) all poses are queried for all pairs; pairs that are not as many as the
// file says are a failure. A test is one pair of volumes, of triangles, or of a triangle and a box, that is compared: FCL's are
// what its own counters say, ours what bv_collide's say. The weighted cost is tests of each kind x what one costs
// (bvb_costs_default), with the same costs for all: FCL's traversal compares oriented boxes. Gottschalk's tree has boxes of the
// corners' covariance, divided at the mean along the longest axis (Gottschalk, Lin, Manocha 1996). Times are the
// processor's, the least of N runs (3); builds are on one thread.
//
// Exit codes: 1 usage, 2 something can't be read or built, 3 a count of pairs is wrong.

#include "tests/bench/experiment/experiment.h"
#include "tests/bench/peer_fcl.h"

#include <cmath>
#include <string>

namespace {

struct measured
{
	judge_counts counts;
	double cost;  // of all queries, nanoseconds by the matrix
	double build; // seconds for both meshes
};

struct contestant
{
	std::string name;
	bool is_fcl;
	bvb_hierarchy_options options;
	double log_cost; // sum over files of the logarithm of the cost
	uint64_t wrong;
};

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_queries: %s\n", message );
	exit( 2 );
}

std::vector<contestant> make_contestants()
{
	bvb_hierarchy_options gottschalk = bvb_hierarchy_options_default();
	gottschalk.builder = "topdown";
	gottschalk.splitter = "gottschalk";
	gottschalk.volume_types = 1u << bv_volume_obb;
	gottschalk.node_box = "pca";
	std::vector<contestant> all = { { "FCL OBBRSS", true, gottschalk, 0, 0 },
		                            { "Gottschalk-binary", false, gottschalk, 0, 0 } };
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		bvb_asset_options options;
		bvb_preset_options( bvb_preset_name( i, NULL ), &options );
		all.push_back( { bvb_preset_name( i, NULL ), false, options.hierarchy, 0, 0 } );
	}
	return all;
}

contestant make_contestant( const char* levels )
{
	bvb_hierarchy_options options = base_cell().options;
	if ( !set_levels( &options, levels ) )
	{
		fail( ( std::string( levels ) + ": no such factors or levels" ).c_str() );
	}
	return { levels, false, options, 0, 0 };
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
	if ( judge_load( path, &mesh, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return mesh;
}

// One file with its meshes; of one mesh against itself both are the same.
struct subject
{
	judge_poses poses;
	bvb_arena* arena;
	judge_mesh a;
	judge_mesh b;
	bool same;

	subject( const char* folder, const char* path ) : arena( bvb_arena_create() )
	{
		bvb_error error = { "out of memory" };
		if ( !arena || judge_read_poses( path, arena, &poses, &error ) != bv_ok )
		{
			fail( error.message );
		}
		a = load( folder, poses.a );
		same = strcmp( poses.a, poses.b ) == 0;
		b = same ? a : load( folder, poses.b );
	}

	~subject()
	{
		judge_unload( &a );
		if ( !same )
		{
			judge_unload( &b );
		}
		bvb_arena_destroy( arena );
	}

	uint64_t triangles() const
	{
		return a.asset.record.mesh.triangle_count + ( same ? 0 : b.asset.record.mesh.triangle_count );
	}
};

judge_counts fcl_round( const fcl_tree& a, const fcl_tree& b, const judge_poses& poses )
{
	judge_counts counts = {};
	double start = core_now();
	for ( uint32_t i = 0; i < poses.count; ++i )
	{
		bv_collide_result result = fcl_collide( a, b, poses.poses[i].pose );
		counts.tests.volumes[bv_volume_obb][bv_volume_obb] += result.volume_tests;
		counts.volume_tests += result.volume_tests;
		counts.triangle_tests += result.triangle_tests;
		counts.wrong += result.pairs != poses.poses[i].pairs;
	}
	counts.seconds = core_now() - start;
	return counts;
}

measured measure_fcl( const subject& s, int repeats, const bv_costs& costs )
{
	double of_a, of_b = 0;
	auto a = make_fcl_tree( s.a, &of_a );
	auto b = s.same ? a : make_fcl_tree( s.b, &of_b );
	judge_counts counts = fcl_round( *a, *b, s.poses );
	for ( int i = 1; i < repeats; ++i )
	{
		counts.seconds = std::min( counts.seconds, fcl_round( *a, *b, s.poses ).seconds );
	}
	return { counts, judge_cost( &counts, &costs ), of_a + of_b };
}

judge_tree build( const judge_mesh& mesh, const bvb_hierarchy_options& options )
{
	judge_tree tree;
	bvb_error error;
	if ( judge_build( &mesh, &options, &tree, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return tree;
}

measured measure_ours( const subject& s, const bvb_hierarchy_options& options, int repeats,
                       const bv_costs& costs )
{
	judge_tree a = build( s.a, options );
	judge_tree b = s.same ? a : build( s.b, options );
	measured m;
	m.counts = judge_collide( &a, &b, &s.poses, repeats );
	m.cost = judge_cost( &m.counts, &costs );
	m.build = a.seconds + ( s.same ? 0 : b.seconds );
	judge_fell( &a );
	if ( !s.same )
	{
		judge_fell( &b );
	}
	return m;
}

void bench( const char* folder, const char* path, int repeats, const bv_costs& costs,
            std::vector<contestant>& all )
{
	subject s( folder, path );
	double of_fcl = 0;
	for ( contestant& c : all )
	{
		measured m =
			c.is_fcl ? measure_fcl( s, repeats, costs ) : measure_ours( s, c.options, repeats, costs );
		of_fcl = c.is_fcl ? m.cost : of_fcl;
		c.log_cost += std::log( m.cost );
		c.wrong += m.counts.wrong;
		double n = s.poses.count;
		printf( "| %s %s | %s | %.0f | %.0f | %.2f | %.3f | %.1f | %.2f | %u |\n", s.poses.a, s.poses.b,
		        c.name.c_str(), (double)m.counts.volume_tests / n, (double)m.counts.triangle_tests / n,
		        1e-3 * m.cost / n, m.cost / of_fcl, 1e6 * m.counts.seconds / n,
		        1e6 * m.build / (double)s.triangles(), m.counts.wrong );
		fflush( stdout );
	}
}

void print_means( const std::vector<contestant>& all, int files )
{
	printf( "\n| weighted cost, geometric mean of %d | relative to", files );
	for ( const contestant& c : all )
	{
		printf( " | %s", c.name.c_str() );
	}
	printf( " |\n| --- | ---" );
	for ( size_t i = 0; i < all.size(); ++i )
	{
		printf( " | ---:" );
	}
	for ( const contestant& base : all )
	{
		printf( " |\n| | %s", base.name.c_str() );
		for ( const contestant& c : all )
		{
			printf( " | %.3f", std::exp( ( c.log_cost - base.log_cost ) / files ) );
		}
	}
	printf( " |\n" );
}

} // namespace

int main( int count, char** arguments )
{
	int repeats = 3;
	int first = 1;
	std::vector<contestant> all = make_contestants();
	for ( ; first + 1 < count && strncmp( arguments[first], "--", 2 ) == 0; first += 2 )
	{
		const char* value = arguments[first + 1];
		if ( strcmp( arguments[first], "--repeats" ) == 0 )
		{
			repeats = atoi( value );
		}
		else if ( strcmp( arguments[first], "--with" ) == 0 )
		{
			all.push_back( make_contestant( value ) );
		}
		else
		{
			break;
		}
	}
	if ( count < first + 2 || repeats < 1 )
	{
		fprintf( stderr, "usage: bench_queries [--repeats N] [--with LEVELS]... MESHES POSES.csv...\n" );
		return 1;
	}
	bv_costs costs = bvb_costs_default();
	printf( "Costs: %g ns two oriented boxes, %g ns two axis-aligned ones, %g ns two triangles,\n"
	        "%g ns a triangle and an oriented box, %g ns a triangle and an axis-aligned one.\n\n",
	        costs.volumes[bv_volume_obb][bv_volume_obb], costs.volumes[bv_volume_aabb][bv_volume_aabb],
	        costs.triangles, costs.triangle_obb, costs.triangle_aabb );
	printf(
		"| poses | tree | volume tests a query | triangle tests | weighted cost, us | relative to FCL | "
		"query, us | "
		"build, us a triangle | wrong |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = first + 1; i < count; ++i )
	{
		bench( arguments[first], arguments[i], repeats, costs, all );
	}
	print_means( all, count - first - 1 );
	uint64_t wrong = 0;
	for ( const contestant& c : all )
	{
		wrong += c.wrong;
	}
	return wrong ? 3 : 0;
}
