// Presets against FCL's OBBRSS tree and a binary tree by Gottschalk's rule, by queries near contact.
//
//   bench_queries [--repeats N] [--only] [--with LEVELS]... MESHES POSES.csv...
//
// MESHES is a folder. All poses of each pose file (A__B.csv) are queried, for all pairs and for the first one, by FCL and
// by each tree in turn, in files with positions as floats and quantised; times are the processor's, the least of N rounds (5) over
// the poses of one offset, and how many times faster than FCL is the geometric mean over offsets and files. Pairs that are not as
// many as the pose file says are a failure where positions are floats; quantised ones are not quite the same meshes.
// The weighted cost is steps of each kind x what one costs (bvb_costs_default). Gottschalk's tree has boxes of the corners'
// covariance, divided at the mean along the longest axis (Gottschalk, Lin, Manocha 1996). Builds are on one thread.
// --only leaves out the presets and what was given before, for what follows by --with.
//
// Exit codes: 1 usage, 2 something can't be read or built, 3 a count of pairs is wrong.

#include "tests/bench/experiment/experiment.h"
#include "tests/bench/peer_fcl.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>

namespace {

const char* const form_names[] = { "float", "quantised" };

enum
{
	forms = 2,
	finds = 2, // all pairs, the first one
};

struct contestant
{
	std::string name;
	bvb_hierarchy_options options;
	double log_ratio[forms][finds]; // sum over files and offsets of the logarithm of FCL's time by ours
	std::map<double, double> log_ratio_at[forms][finds]; // of one offset
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
	std::vector<contestant> all = { { "Gottschalk-binary", gottschalk, {}, {} } };
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		bvb_asset_options options;
		bvb_preset_options( bvb_preset_name( i, NULL ), &options );
		all.push_back( { bvb_preset_name( i, NULL ), options.hierarchy, {}, {} } );
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
	return { levels, options, {}, {} };
}

judge_mesh load( const char* folder, const char* name, int form )
{
	char path[4096];
	judge_mesh mesh;
	bvb_error error;
	if ( !judge_find_mesh( folder, name, path, sizeof path ) )
	{
		fail( ( std::string( name ) + ": no such mesh" ).c_str() );
	}
	if ( judge_load( path, (bvb_position_form)form, &mesh, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return mesh;
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

// One pose file with its meshes in each form; of one mesh against itself both are the same.
struct subject
{
	judge_poses poses;
	bvb_arena* arena;
	judge_mesh a[forms];
	judge_mesh b[forms];
	bool same;
	std::vector<double> offsets;

	subject( const char* folder, const char* path ) : arena( bvb_arena_create() )
	{
		bvb_error error = { "out of memory" };
		if ( !arena || judge_read_poses( path, arena, &poses, &error ) != bv_ok )
		{
			fail( error.message );
		}
		same = strcmp( poses.a, poses.b ) == 0;
		for ( int form = 0; form < forms; ++form )
		{
			a[form] = load( folder, poses.a, form );
			b[form] = same ? a[form] : load( folder, poses.b, form );
		}
		for ( uint32_t i = 0; i < poses.count; ++i )
		{
			double offset = poses.poses[i].offset;
			if ( std::find( offsets.begin(), offsets.end(), offset ) == offsets.end() )
			{
				offsets.push_back( offset );
			}
		}
	}

	~subject()
	{
		for ( int form = 0; form < forms; ++form )
		{
			judge_unload( a + form );
			if ( !same )
			{
				judge_unload( b + form );
			}
		}
		bvb_arena_destroy( arena );
	}

	double triangles( int form ) const
	{
		return a[form].asset.record.mesh.triangle_count +
		       ( same ? 0.0 : b[form].asset.record.mesh.triangle_count );
	}

	double poses_at( double offset ) const
	{
		return (double)std::count_if( poses.poses, poses.poses + poses.count,
		                              [offset]( const judge_pose& p ) { return p.offset == offset; } );
	}
};

// The trees of one contestant in one form, and what their queries took.
struct entry
{
	contestant* of;
	int form;
	bool same;
	judge_tree a;
	judge_tree b;
	judge_counts counts;
	std::map<double, double> seconds[finds]; // by offset, the least of all rounds

	entry( contestant* c, const subject& s, int of_form ) : of( c ), form( of_form ), same( s.same )
	{
		a = build( s.a[form], c->options );
		b = same ? a : build( s.b[form], c->options );
		counts = judge_collide( &a, &b, &s.poses, 0 );
	}

	entry( const entry& ) = delete;

	~entry()
	{
		judge_fell( &a );
		if ( !same )
		{
			judge_fell( &b );
		}
	}
};

struct fcl_entry
{
	std::shared_ptr<fcl_tree> a;
	std::shared_ptr<fcl_tree> b;
	uint64_t wrong;
	std::map<double, double> seconds[finds];

	explicit fcl_entry( const subject& s ) : wrong( 0 )
	{
		a = make_fcl_tree( s.a[0], NULL );
		b = s.same ? a : make_fcl_tree( s.b[0], NULL );
	}

	double time( const judge_poses& poses, double offset, bool first )
	{
		double start = core_now();
		for ( uint32_t i = 0; i < poses.count; ++i )
		{
			const judge_pose& p = poses.poses[i];
			if ( p.offset == offset )
			{
				uint64_t pairs = fcl_pairs( *a, *b, p.pose, first );
				wrong += first ? ( pairs > 0 ) != ( p.pairs > 0 ) : pairs != p.pairs;
			}
		}
		return core_now() - start;
	}
};

void keep_least( std::map<double, double>* times, double offset, double seconds )
{
	auto at = times->emplace( offset, seconds ).first;
	at->second = std::min( at->second, seconds );
}

void print_counts( const subject& s, const entry& e, const bv_costs& costs )
{
	double n = s.poses.count;
	double bytes = (double)e.a.bytes + ( s.same ? 0 : (double)e.b.bytes );
	double tree = (double)e.a.tree_bytes + ( s.same ? 0 : (double)e.b.tree_bytes );
	double seconds = e.a.seconds + ( s.same ? 0 : e.b.seconds );
	printf( "| %s %s | %s | %s | %.0f | %.0f | %.0f | %.0f | %.1f | %.2f | %.2f | %.2f | %u |\n", s.poses.a,
	        s.poses.b, e.of->name.c_str(), form_names[e.form], (double)e.counts.tests.openings / n,
	        (double)e.counts.volume_tests / n, (double)e.counts.tests.leaves / n,
	        (double)e.counts.triangle_tests / n, 1e-3 * judge_cost( &e.counts, &costs ) / n,
	        1e6 * seconds / s.triangles( e.form ), bytes / s.triangles( e.form ),
	        tree / s.triangles( e.form ), e.counts.wrong );
}

// Adds what it prints to the contestants' sums.
void print_times( const subject& s, const entry& e, const fcl_entry& fcl )
{
	for ( int find = 0; find < finds; ++find )
	{
		printf( "| %s %s | %s | %s | %s |", s.poses.a, s.poses.b, e.of->name.c_str(), form_names[e.form],
		        find ? "first" : "all" );
		for ( double offset : s.offsets )
		{
			double us = 1e6 / s.poses_at( offset );
			double theirs = fcl.seconds[find].at( offset );
			double ours = e.seconds[find].at( offset );
			double log_ratio = std::log( theirs / ours );
			e.of->log_ratio[e.form][find] += log_ratio / (double)s.offsets.size();
			e.of->log_ratio_at[e.form][find][offset] += log_ratio;
			printf( " %.1f | %.1f | %.2f |", us * theirs, us * ours, theirs / ours );
		}
		printf( "\n" );
	}
	fflush( stdout );
}

void print_head( const std::string& columns, int texts )
{
	printf( "\n%s\n|", columns.c_str() );
	int count = (int)std::count( columns.begin(), columns.end(), '|' ) - 1;
	for ( int i = 0; i < count; ++i )
	{
		printf( i < texts ? " --- |" : " ---: |" );
	}
	printf( "\n" );
}

// All take turns in a round, so that whatever slows the machine down for a while does so to all.
void time_all( const subject& s, int repeats, fcl_entry* fcl, std::vector<std::unique_ptr<entry>>* entries )
{
	for ( int i = 0; i < repeats * finds * (int)s.offsets.size(); ++i )
	{
		int find = i % finds;
		double offset = s.offsets[(size_t)( i / finds ) % s.offsets.size()];
		keep_least( &fcl->seconds[find], offset, fcl->time( s.poses, offset, find ) );
		for ( auto& e : *entries )
		{
			keep_least( &e->seconds[find], offset, judge_time( &e->a, &e->b, &s.poses, offset, find ) );
		}
	}
}

// @return how many counts of pairs were wrong
uint64_t bench( const char* folder, const char* path, int repeats, const bv_costs& costs,
                std::vector<contestant>& all )
{
	subject s( folder, path );
	fcl_entry fcl( s );
	std::vector<std::unique_ptr<entry>> entries;
	uint64_t wrong = 0;
	print_head(
		"| poses | tree | positions | openings a query | volume tests | pairs of leaves | triangle tests | "
		"weighted cost, us | build, us a triangle | bytes a triangle, all in | of tree and errors | differ |",
		3 );
	for ( int i = 0; i < (int)all.size() * forms; ++i )
	{
		entries.push_back( std::make_unique<entry>( &all[(size_t)( i / forms )], s, i % forms ) );
		print_counts( s, *entries.back(), costs );
		wrong += entries.back()->form == bvb_positions_float ? entries.back()->counts.wrong : 0;
	}
	time_all( s, repeats, &fcl, &entries );
	std::string columns = "| poses | tree | positions | pairs |";
	for ( double offset : s.offsets )
	{
		char column[64];
		snprintf( column, sizeof column, " %+g: FCL, us | ours | ratio |", offset );
		columns += column;
	}
	print_head( columns, 4 );
	for ( auto& e : entries )
	{
		print_times( s, *e, fcl );
	}
	return wrong + fcl.wrong;
}

// Geometric means over files, by offset and over all.
void print_means( const std::vector<contestant>& all, int files )
{
	std::string columns = "| times faster than FCL | positions | pairs | all offsets |";
	for ( const auto& at : all[0].log_ratio_at[0][0] )
	{
		char column[32];
		snprintf( column, sizeof column, " %+g |", at.first );
		columns += column;
	}
	print_head( columns, 3 );
	for ( const contestant& c : all )
	{
		for ( int i = 0; i < forms * finds; ++i )
		{
			int form = i / finds;
			int find = i % finds;
			printf( "| %s | %s | %s | %.2f |", c.name.c_str(), form_names[form], find ? "first" : "all",
			        std::exp( c.log_ratio[form][find] / files ) );
			for ( const auto& at : c.log_ratio_at[form][find] )
			{
				printf( " %.2f |", std::exp( at.second / files ) );
			}
			printf( "\n" );
		}
	}
}

} // namespace

int main( int count, char** arguments )
{
	int repeats = 5;
	int first = 1;
	std::vector<contestant> all = make_contestants();
	for ( ; first < count && strncmp( arguments[first], "--", 2 ) == 0; ++first )
	{
		bool last = first + 1 == count;
		if ( strcmp( arguments[first], "--only" ) == 0 )
		{
			all.clear();
		}
		else if ( !last && strcmp( arguments[first], "--repeats" ) == 0 )
		{
			repeats = atoi( arguments[++first] );
		}
		else if ( !last && strcmp( arguments[first], "--with" ) == 0 )
		{
			all.push_back( make_contestant( arguments[++first] ) );
		}
		else
		{
			break;
		}
	}
	if ( count < first + 2 || repeats < 1 || all.empty() )
	{
		fprintf( stderr,
		         "usage: bench_queries [--repeats N] [--only] [--with LEVELS]... MESHES POSES.csv...\n" );
		return 1;
	}
	bv_costs costs = bvb_costs_default();
	printf( "Costs: %g ns two oriented boxes, %g ns two axis-aligned ones, %g ns two triangles, %g ns to "
	        "open a node,\n"
	        "%g ns for a pair of leaves.\n",
	        costs.volumes[bv_volume_obb][bv_volume_obb], costs.volumes[bv_volume_aabb][bv_volume_aabb],
	        costs.triangles, costs.opening, costs.leaf );
	uint64_t wrong = 0;
	for ( int i = first + 1; i < count; ++i )
	{
		wrong += bench( arguments[first], arguments[i], repeats, costs, all );
	}
	print_means( all, count - first - 1 );
	return wrong ? 3 : 0;
}
