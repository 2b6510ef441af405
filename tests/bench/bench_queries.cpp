// Presets compared with FCL's OBBRSS tree, a binary tree by Gottschalk's rule, Bullet and ODE, by queries
// near contact.
//
//   bench_queries [--repeats N] [--only] [--preset NAME]... [--with LEVELS]... [--float] [-o SAMPLES.csv] MESHES POSES.csv...
//
// MESHES is a folder. FCL and each tree query all poses of each pose file (A__B.csv) in turn, for all pairs
// and for the first one, in files with float and with quantized positions. Times are CPU times, the minimum
// of N rounds (5) over the poses of one offset. Ratios to FCL are geometric means over offsets and files.
// With float positions, a number of pairs other than the pose file's is a failure. Quantized positions make
// slightly different meshes. The weighted cost is steps of each kind x the cost of one (bvb_costs_default).
// Gottschalk's tree has boxes of the covariance of the vertices, divided at the mean along the longest axis
// (Gottschalk, Lin, Manocha 1996). Builds use one thread. --only omits the presets and everything given
// before, in favor of the --preset and --with after it; --float omits quantized positions. -o appends the
// times of all rounds to a file of samples (measure.h), for float positions. Bullet's GImpact
// (peer_bullet.h) and ODE (peer_ode.h) then take part too, and the poses are counted in which their answers
// differ from the pose file.
//
// Exit codes: 1 usage, 2 something can't be read or built, 3 a count of pairs of this project or FCL is
// wrong.

#include "tests/bench/experiment/experiment.h"
#include "tests/bench/peer_bullet.h"
#include "tests/bench/peer_fcl.h"
#include "tests/bench/peer_ode.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace {

const char* const form_names[] = { "float", "quantized" };

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

contestant make_preset( const char* name )
{
	bvb_asset_options options;
	if ( !bvb_preset_options( name, &options ) )
	{
		fail( ( std::string( name ) + ": no such preset" ).c_str() );
	}
	return { name, options.hierarchy, {}, {} };
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
		all.push_back( make_preset( bvb_preset_name( i, NULL ) ) );
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

// Another library with its trees, or what stands for them.
struct peer
{
	std::string name;
	bool counts_pairs; // or only whether there are any
	std::function<uint64_t( const bv_pose& pose, bool first )> pairs;
	double bytes;         // of both trees and what they refer to; 0 where it is not known
	uint64_t wrong_hits;  // poses in which it finds something where nothing is, or nothing where something is
	uint64_t wrong_pairs; // poses of another number of pairs
	uint64_t found_pairs; // in all queries for all of them
	std::map<double, double> seconds[finds];

	double time( const judge_poses& poses, double offset, bool first )
	{
		double start = core_now();
		for ( uint32_t i = 0; i < poses.count; ++i )
		{
			const judge_pose& p = poses.poses[i];
			if ( p.offset == offset )
			{
				uint64_t found = pairs( p.pose, first );
				wrong_hits += ( found > 0 ) != ( p.pairs > 0 );
				wrong_pairs += counts_pairs && !first && found != p.pairs;
				found_pairs += first ? 0 : found;
			}
		}
		return core_now() - start;
	}
};

double fcl_bytes( const fcl_tree& tree )
{
	return (double)tree.getNumBVs() * sizeof( fcl::BVNode<fcl::OBBRSSd> ) +
	       (double)tree.num_tris * ( sizeof( fcl::Triangle ) + sizeof( unsigned ) ) +
	       (double)tree.num_vertices * sizeof( fcl::Vector3d );
}

// FCL comes first.
std::vector<peer> make_peers( const subject& s, bool all )
{
	std::shared_ptr<fcl_tree> a = make_fcl_tree( s.a[0], NULL );
	std::shared_ptr<fcl_tree> b = s.same ? a : make_fcl_tree( s.b[0], NULL );
	double bytes = fcl_bytes( *a ) + ( s.same ? 0 : fcl_bytes( *b ) );
	auto pairs = [a, b]( const bv_pose& pose, bool first ) { return fcl_pairs( *a, *b, pose, first ); };
	std::vector<peer> peers = { { "fcl-obbrss", true, pairs, bytes, 0, 0, 0, {} } };
	if ( all )
	{
		auto bullet_a = std::make_shared<bullet_tree>( *a );
		auto bullet_b = s.same ? bullet_a : std::make_shared<bullet_tree>( *b );
		auto bullet = [bullet_a, bullet_b]( const bv_pose& pose, bool first ) {
			return bullet_pairs( *bullet_a, *bullet_b, pose, first );
		};
		bytes = bullet_a->bytes() + ( s.same ? 0 : bullet_b->bytes() );
		peers.push_back( { "bullet-gimpact", true, bullet, bytes, 0, 0, 0, {} } );
		// ODE moves one of both, so they are never the same.
		auto ode_a = std::make_shared<ode_tree>( *a );
		auto ode_b = std::make_shared<ode_tree>( *b );
		auto ode = [ode_a, ode_b]( const bv_pose& pose, bool first ) {
			return ode_contacts( *ode_a, *ode_b, pose, first );
		};
		peers.push_back( { "ode-opcode", false, ode, 0, 0, 0, 0, {} } );
	}
	return peers;
}

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
void print_times( const subject& s, const entry& e, const peer& fcl )
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

// What is written of one pose file.
struct record
{
	FILE* file;
	const subject* s;

	void write( const std::string& name, double offset, int round, const char* what, const char* unit,
	            double value ) const
	{
		std::string mesh = std::string( s->poses.a ) + " " + s->poses.b;
		if ( offset != judge_all_offsets )
		{
			char text[32];
			snprintf( text, sizeof text, " %+g", offset );
			mesh += text;
		}
		sample of = { mesh.c_str(), (size_t)s->triangles( 0 ), name.c_str(), 1, round };
		write_sample( file, &of, what, unit, value );
	}
};

// All take turns in a round, so that whatever slows the machine down for a while does so to all.
void time_all( const subject& s, int repeats, std::vector<peer>* peers,
               std::vector<std::unique_ptr<entry>>* entries, const record& out )
{
	for ( int i = 0; i < repeats * finds * (int)s.offsets.size(); ++i )
	{
		int find = i % finds;
		double offset = s.offsets[(size_t)( i / finds ) % s.offsets.size()];
		int round = i / finds / (int)s.offsets.size();
		const char* what = find ? "first" : "all";
		double poses = s.poses_at( offset );
		for ( peer& p : *peers )
		{
			double seconds = p.time( s.poses, offset, find );
			keep_least( &p.seconds[find], offset, seconds );
			out.write( p.name, offset, round, what, "s", seconds / poses );
		}
		for ( auto& e : *entries )
		{
			double seconds = judge_time( &e->a, &e->b, &s.poses, offset, find );
			keep_least( &e->seconds[find], offset, seconds );
			if ( e->form == bvb_positions_float )
			{
				out.write( e->of->name, offset, round, what, "s", seconds / poses );
			}
		}
	}
}

// What does not depend on time. What is answered wrongly is so in each round.
void record_rest( const std::vector<peer>& peers, const std::vector<std::unique_ptr<entry>>& entries,
                  int repeats, const record& out )
{
	for ( const peer& p : peers )
	{
		out.write( p.name, judge_all_offsets, 0, "hits-differ", "poses",
		           (double)p.wrong_hits / ( finds * repeats ) );
		if ( p.counts_pairs )
		{
			out.write( p.name, judge_all_offsets, 0, "pairs-differ", "poses",
			           (double)p.wrong_pairs / repeats );
			out.write( p.name, judge_all_offsets, 0, "pairs", "pairs", (double)p.found_pairs / repeats );
		}
		if ( p.bytes > 0 )
		{
			out.write( p.name, judge_all_offsets, 0, "memory", "bytes", p.bytes );
		}
	}
	for ( const auto& e : entries )
	{
		if ( e->form == bvb_positions_float )
		{
			out.write( e->of->name, judge_all_offsets, 0, "pairs-differ", "poses", e->counts.wrong );
			out.write( e->of->name, judge_all_offsets, 0, "memory", "bytes",
			           (double)e->a.bytes + ( e->same ? 0 : (double)e->b.bytes ) );
		}
	}
}

struct settings
{
	int repeats = 5;
	int forms_used = forms;
	FILE* samples = nullptr;
	bv_costs costs = bvb_costs_default();
};

// @return how many counts of pairs were wrong
uint64_t bench( const char* folder, const char* path, const settings& with, std::vector<contestant>& all )
{
	subject s( folder, path );
	std::vector<peer> peers = make_peers( s, with.samples );
	std::vector<std::unique_ptr<entry>> entries;
	uint64_t wrong = 0;
	print_head(
		"| poses | tree | positions | openings per query | volume tests | pairs of leaves | triangle tests | "
		"weighted cost, us | build, us per triangle | bytes per triangle, all in | of tree and errors | "
		"differ |",
		3 );
	for ( contestant& c : all )
	{
		for ( int form = 0; form < with.forms_used; ++form )
		{
			entries.push_back( std::make_unique<entry>( &c, s, form ) );
			print_counts( s, *entries.back(), with.costs );
			wrong += form == bvb_positions_float ? entries.back()->counts.wrong : 0;
		}
	}
	record out = { with.samples, &s };
	time_all( s, with.repeats, &peers, &entries, out );
	record_rest( peers, entries, with.repeats, out );
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
		print_times( s, *e, peers[0] );
	}
	return wrong + peers[0].wrong_pairs + peers[0].wrong_hits;
}

// Geometric means over files, by offset and over all.
void print_means( const std::vector<contestant>& all, int files, int forms_used )
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
		for ( int i = 0; i < forms_used * finds; ++i )
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

bool parse( int count, char** arguments, int* first, settings* with, std::vector<contestant>* all )
{
	for ( *first = 1; *first < count && arguments[*first][0] == '-'; ++*first )
	{
		std::string option = arguments[*first];
		if ( option == "--only" )
		{
			all->clear();
			continue;
		}
		if ( option == "--float" )
		{
			with->forms_used = 1;
			continue;
		}
		if ( ++*first == count )
		{
			return false;
		}
		const char* value = arguments[*first];
		if ( option == "--repeats" )
		{
			with->repeats = atoi( value );
		}
		else if ( option == "--preset" )
		{
			all->push_back( make_preset( value ) );
		}
		else if ( option == "--with" )
		{
			all->push_back( make_contestant( value ) );
		}
		else if ( option == "-o" )
		{
			with->samples = open_samples( value );
			if ( !with->samples )
			{
				fail( ( std::string( value ) + ": can't be written" ).c_str() );
			}
		}
		else
		{
			return false;
		}
	}
	return count >= *first + 2 && with->repeats >= 1 && !all->empty();
}

} // namespace

int main( int count, char** arguments )
{
	int first;
	settings with;
	std::vector<contestant> all = make_contestants();
	if ( !parse( count, arguments, &first, &with, &all ) )
	{
		fprintf( stderr, "usage: bench_queries [--repeats N] [--only] [--preset NAME]... [--with LEVELS]... "
		                 "[--float] [-o SAMPLES.csv] MESHES POSES.csv...\n" );
		return 1;
	}
	const bv_costs& costs = with.costs;
	printf( "Costs: %g ns two oriented boxes, %g ns two axis-aligned ones, %g ns two triangles, %g ns to "
	        "open a node,\n"
	        "%g ns for a pair of leaves.\n",
	        costs.volumes[bv_volume_obb][bv_volume_obb], costs.volumes[bv_volume_aabb][bv_volume_aabb],
	        costs.triangles, costs.opening, costs.leaf );
	ode_library ode;
	uint64_t wrong = 0;
	for ( int i = first + 1; i < count; ++i )
	{
		wrong += bench( arguments[first], arguments[i], with, all );
	}
	print_means( all, count - first - 1, with.forms_used );
	if ( with.samples && fclose( with.samples ) != 0 )
	{
		fail( "the samples can't be written" );
	}
	return wrong ? 3 : 0;
}
