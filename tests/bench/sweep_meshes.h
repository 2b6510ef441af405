// The tables of bench_sweeps about meshes: whole motions, by this library and by FCL, and short ones. In C++.

#pragma once

#include "tests/bench/peer_fcl_sweep.h"
#include "tests/bench/sweep_tables.h"

namespace {

struct thing
{
	std::string name;
	judge_mesh mesh;
	judge_tree tree;
	std::shared_ptr<fcl_tree> obbrss;
	std::shared_ptr<fcl::BVHModel<fcl::RSSd>> rss;
	double side; // mean of all triangles' sides
};

// Meshes by name. They live as long as the program.
thing& find_thing( const settings& with, const std::string& name )
{
	static std::vector<std::unique_ptr<thing>> all;
	for ( const auto& t : all )
	{
		if ( t->name == name )
		{
			return *t;
		}
	}
	all.push_back( std::make_unique<thing>() );
	thing& t = *all.back();
	t.name = name;
	char path[4096];
	bvb_error error;
	bvb_asset_options options;
	if ( !judge_find_mesh( with.folder, name.c_str(), path, sizeof path ) )
	{
		sweep_fail( ( name + ": no such mesh" ).c_str() );
	}
	if ( judge_load( path, bvb_positions_float, &t.mesh, &error ) != bv_ok ||
	     !bvb_preset_options( "balanced", &options ) ||
	     judge_build( &t.mesh, &options.hierarchy, &t.tree, &error ) != bv_ok )
	{
		sweep_fail( error.message );
	}
	t.obbrss = fcl_model_of<fcl::OBBRSSd>( t.tree.file );
	t.rss = fcl_model_of<fcl::RSSd>( t.tree.file );
	uint32_t count = bv_file_get_mesh( t.tree.file ).triangles;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( t.tree.file, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			t.side += bv_length( bv_sub( bv_file_get_vertex( t.tree.file, corner[( k + 1 ) % 3] ),
			                             bv_file_get_vertex( t.tree.file, corner[k] ) ) );
		}
	}
	t.side /= 3.0 * count;
	return t;
}

bool meet( const thing& a, const thing& b, const mesh_motion& m, double time )
{
	bv_transform at = relative_at( m.of[0], m.of[1], time );
	bv_collide_options first = {};
	first.first = true;
	bv_collide_result r;
	if ( bv_mesh_collide( a.tree.file, b.tree.file, &at, &first, &r ) != bv_ok )
	{
		sweep_fail( "bv_mesh_collide failed" );
	}
	return r.pairs > 0;
}

bv_sweep_result sweep( const thing& a, const thing& b, const mesh_motion& m, bv_sweep_mode mode,
                       uint32_t samples )
{
	bv_sweep_options options = {};
	options.mode = mode;
	options.samples = samples;
	static uint64_t memory[BV_SWEEP_SCRATCH_AMPLE / 8];
	if ( mode == bv_sweep_mode_mixed )
	{
		options.scratch = memory;
		options.scratch_bytes = sizeof memory;
	}
	bv_sweep_result r;
	if ( bv_sweep_meshes( a.tree.file, m.of, b.tree.file, m.of + 1, &options, &r ) != bv_ok )
	{
		sweep_fail( "bv_sweep_meshes failed" );
	}
	return r;
}

enum entrant_kind
{
	entrant_ours,
	entrant_fcl,
	entrant_fcl_rss,
};

// Another way to find contacts of meshes, and how its answers differ from those of bv_sweep_meshes.
struct mesh_entrant
{
	const char* name;
	entrant_kind kind;
	bv_sweep_mode mode;
	int samples;  // 0 for advancement
	double error; // of time: a step
	int share;    // takes part in one of so many motions
	uint64_t motions = 0, equal = 0, missed = 0, late = 0, early = 0, false_hits = 0;
	double seconds = 0, ours = 0; // on the same motions
	double equal_seconds = 0, equal_ours = 0;
};

sweep_answer ask_entrant( const mesh_entrant& e, const thing& a, const thing& b, const mesh_motion& m,
                          double* seconds )
{
	double start;
	sweep_answer answer;
	if ( e.kind != entrant_ours )
	{
		fcl::InterpMotion<double> of_a = fcl_motion( m.of[0], 0, 1 ), of_b = fcl_motion( m.of[1], 0, 1 );
		start = core_now();
		answer = e.kind == entrant_fcl_rss
		             ? fcl_sweep( a.rss.get(), &of_a, b.rss.get(), &of_b, e.samples )
		             : fcl_sweep( a.obbrss.get(), &of_a, b.obbrss.get(), &of_b, e.samples );
	}
	else
	{
		start = core_now();
		bv_sweep_result r = sweep( a, b, m, e.mode, (uint32_t)e.samples );
		answer = { r.found, r.upper };
	}
	*seconds = core_now() - start;
	return answer;
}

void count_entrant( mesh_entrant& e, const sweep_answer& answer, const bv_sweep_result& ours, double seconds,
                    double our_seconds )
{
	e.motions += 1;
	e.seconds += seconds;
	e.ours += our_seconds;
	e.missed += ours.found && !answer.found;
	e.false_hits += !ours.found && answer.found;
	bool both = ours.found && answer.found;
	bool late = both && !( answer.time <= ours.upper + e.error + 1e-6 );
	bool early = both && answer.time < ours.lower - e.error - 1e-6;
	e.late += late;
	e.early += early;
	if ( ours.found == answer.found && !late && !early )
	{
		e.equal += 1;
		e.equal_seconds += seconds;
		e.equal_ours += our_seconds;
	}
}

struct mesh_row
{
	uint64_t motions = 0, hits = 0, starts = 0, uncertain = 0, before = 0, unmet = 0, wrong_start = 0;
	double widest = 0;
	std::vector<double> times;
};

void check_motion( const thing& a, const thing& b, const mesh_motion& m, const bv_sweep_result& r,
                   mesh_row& row )
{
	const int times_before = 200;
	bool begins = meet( a, b, m, 0 );
	row.wrong_start += begins != r.at_start || ( begins && r.lower != 0 );
	for ( int k = 1; k <= times_before && r.lower > 0; ++k )
	{
		row.before += meet( a, b, m, r.lower * ( 1 - 1e-9 ) * k / times_before );
	}
	row.unmet += r.found && !( r.upper <= 1 && meet( a, b, m, r.upper ) );
	row.motions += 1;
	row.hits += r.found;
	row.starts += r.at_start;
	row.uncertain += !r.certain;
	row.widest = r.found ? std::max( row.widest, r.upper - r.lower ) : row.widest;
}

const char* const mesh_pairs[][2] = {
	{ "stanford-bunny", "stanford-bunny" },
	{ "crank", "drum" },
	{ "DRAGON_F", "dilo" },
	{ "fandisk", "rocker-arm" },
	{ "helix", "alligator" },
	{ "genus3", "KitchenPot" },
	{ "cow", "casting" },
	{ "elk", "teapot" },
};

void print_entrants( settings& with, mesh_entrant* entrants, size_t count )
{
	const double bar = 10;
	printf( "\n| by | motions | equal | missed | late | early | only there | mean, us | times "
	        "bv_sweep_meshes | of equal "
	        "answers | bar |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n" );
	for ( size_t i = 0; i < count; ++i )
	{
		const mesh_entrant& e = entrants[i];
		// Where answers differ, there is nothing to compare.
		bool judged = e.kind != entrant_ours && e.equal == e.motions;
		double ratio = e.equal_seconds / e.equal_ours;
		printf( "| %s | %llu | %llu | %llu | %llu | %llu | %llu | %.1f | %.2f | %.2f | %s |\n", e.name,
		        (unsigned long long)e.motions, (unsigned long long)e.equal, (unsigned long long)e.missed,
		        (unsigned long long)e.late, (unsigned long long)e.early, (unsigned long long)e.false_hits,
		        1e6 * e.seconds / (double)e.motions, e.seconds / e.ours, ratio,
		        !judged        ? ""
		        : ratio >= bar ? "met"
		                       : "**not met**" );
		write_row( with, "meshes", e.name, e.motions, "equal", (double)e.equal );
		write_row( with, "meshes", e.name, e.motions, "missed", (double)e.missed );
		write_row( with, "meshes", e.name, e.motions, "late", (double)e.late );
		write_row( with, "meshes", e.name, e.motions, "early", (double)e.early );
		write_row( with, "meshes", e.name, e.motions, "ratio", ratio );
		require( with, !judged || ratio >= bar, "meshes: 10 times as fast as FCL at equal answers" );
	}
	fflush( stdout );
}

void run_meshes( settings& with )
{
	mesh_entrant entrants[] = {
		{ "mode end", entrant_ours, bv_sweep_mode_end, 0, 2, 1 },
		{ "mode mixed", entrant_ours, bv_sweep_mode_mixed, 0, 0, 1 },
		{ "mode sampled, 5 samples", entrant_ours, bv_sweep_mode_sampled, 5, 1.0 / 4, 1 },
		{ "mode sampled, 33 samples", entrant_ours, bv_sweep_mode_sampled, 33, 1.0 / 32, 1 },
		{ "mode sampled, 1001 samples", entrant_ours, bv_sweep_mode_sampled, 1001, 1.0 / 1000, 10 },
		{ "FCL naive, 33 samples", entrant_fcl, bv_sweep_mode_dynamic, 33, 1.0 / 32, 1 },
		{ "FCL naive, 1001 samples", entrant_fcl, bv_sweep_mode_dynamic, 1001, 1.0 / 1000, 10 },
		{ "FCL naive, 10001 samples", entrant_fcl, bv_sweep_mode_dynamic, 10001, 1.0 / 10000, 10 },
		{ "FCL naive, 100001 samples", entrant_fcl, bv_sweep_mode_dynamic, 100001, 1.0 / 100000, 10 },
		{ "FCL conservative advancement, OBBRSS", entrant_fcl, bv_sweep_mode_dynamic, 0, 1e-3, 25 },
		{ "FCL conservative advancement, RSS", entrant_fcl_rss, bv_sweep_mode_dynamic, 0, 1e-3, 25 },
	};
	const size_t count = sizeof entrants / sizeof *entrants;
	printf( "\n| meshes | from | motions | contacts | at the start | uncertain | widest | met before | not "
	        "met at upper | start "
	        "wrong | mean, us | median | 99 %% | greatest |\n"
	        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "|\n" );
	for ( const auto& pair : mesh_pairs )
	{
		thing &a = find_thing( with, pair[0] ), &b = find_thing( with, pair[1] );
		for ( int is_far = 0; is_far < 2; ++is_far )
		{
			mesh_row row;
			sweep_random random = { (uint64_t)( 43 + is_far ) };
			for ( int i = 0; i < with.motions; ++i )
			{
				mesh_motion m = make_mesh_motion( random, is_far != 0 );
				double best = INFINITY;
				bv_sweep_result r;
				for ( int round = 0; round < 2; ++round )
				{
					double start = core_now();
					r = sweep( a, b, m, bv_sweep_mode_dynamic, 0 );
					best = std::min( best, core_now() - start );
				}
				row.times.push_back( 1e6 * best );
				check_motion( a, b, m, r, row );
				for ( mesh_entrant& e : entrants )
				{
					if ( i < with.compared && i % e.share == 0 )
					{
						double seconds;
						sweep_answer answer = ask_entrant( e, a, b, m, &seconds );
						count_entrant( e, answer, r, seconds, best );
					}
				}
			}
			std::string name = a.name + " " + b.name;
			printf( "| %s | %s | %llu | %llu | %llu | %llu | %.2g | %llu | %llu | %llu | %.1f | %.1f | %.1f "
			        "| %.0f |\n",
			        name.c_str(), is_far ? "far" : "near", (unsigned long long)row.motions,
			        (unsigned long long)row.hits, (unsigned long long)row.starts,
			        (unsigned long long)row.uncertain, row.widest, (unsigned long long)row.before,
			        (unsigned long long)row.unmet, (unsigned long long)row.wrong_start, mean( row.times ),
			        percentile( row.times, 0.5 ), percentile( row.times, 0.99 ), percentile( row.times, 1 ) );
			fflush( stdout );
			write_row( with, ( name + ( is_far ? " far" : " near" ) ).c_str(), "bv_sweep_meshes", row.motions,
			           "mean us", mean( row.times ) );
			write_row( with, ( name + ( is_far ? " far" : " near" ) ).c_str(), "bv_sweep_meshes", row.motions,
			           "p99 us", percentile( row.times, 0.99 ) );
			require( with, row.before + row.unmet + row.wrong_start == 0, "meshes: brackets hold" );
			require( with, row.widest <= 1e-6, "meshes: brackets of 1e-6" );
		}
	}
	print_entrants( with, entrants, count );
}

// The poses of a file, which live as long as this.
struct recorded_poses
{
	bvb_arena* arena = bvb_arena_create();
	judge_poses poses;

	explicit recorded_poses( const char* path )
	{
		bvb_error error;
		if ( !arena || judge_read_poses( path, arena, &poses, &error ) != bv_ok )
		{
			sweep_fail( path );
		}
	}
	recorded_poses( const recorded_poses& ) = delete;
	recorded_poses& operator=( const recorded_poses& ) = delete;
	~recorded_poses()
	{
		bvb_arena_destroy( arena );
	}
};

// A motion by a length, half of it by turning about the center: points are at most 1 from it.
mesh_motion make_step( sweep_random& random, const bv_transform& start, double length )
{
	bv_quaternion by;
	bv_quaternion_from_axis_angle( random.direction(), length / 2, &by );
	bv_vec3 shift = bv_scale( length / 2, random.direction() );
	bv_transform end = place( bv_quaternion_multiply( by, bv_transform_to_quaternion( &start ) ),
	                          bv_add( start.pose.translation, shift ) );
	mesh_motion m;
	m.of[0] = still();
	if ( bv_motion_slerp( &start, &end, { 0, 0, 0 }, m.of + 1 ) != bv_ok )
	{
		sweep_fail( "a pose is invalid" );
	}
	return m;
}

// Motions from recorded poses by the mean side of a triangle, against static queries at the start.
void run_steps( settings& with )
{
	const double bar = 5, offsets[] = { 0.01, 0.001, -0.01 };
	double log_ratio[3] = {};
	printf( "\n| meshes | offset | step | contacts | tests | tests, static | all pairs, us | first pair, us "
	        "| step, us | 99 %% | "
	        "greatest | step / all pairs | step / first pair |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( const char* path : with.poses )
	{
		recorded_poses recorded( path );
		const judge_poses& poses = recorded.poses;
		thing &a = find_thing( with, poses.a ), &b = find_thing( with, poses.b );
		for ( int o = 0; o < 3; ++o )
		{
			const double offset = offsets[o];
			sweep_random random = { 7 };
			std::vector<double> times, all, first;
			double tests = 0, static_tests = 0;
			int hits = 0;
			for ( uint32_t i = 0; i < poses.count; ++i )
			{
				if ( poses.poses[i].offset != offset )
				{
					continue;
				}
				bv_transform start = bv_transform_of_pose( &poses.poses[i].pose );
				mesh_motion m = make_step( random, start, b.side );
				double best[3] = { INFINITY, INFINITY, INFINITY };
				bv_sweep_result r;
				bv_collide_result c;
				for ( int round = 0; round < with.rounds; ++round )
				{
					double begin = core_now();
					r = sweep( a, b, m, bv_sweep_mode_dynamic, 0 );
					best[0] = std::min( best[0], core_now() - begin );
					for ( int k = 1; k < 3; ++k )
					{
						bv_collide_options options = {};
						options.first = k == 2;
						bv_collide_result one;
						begin = core_now();
						bv_mesh_collide( a.tree.file, b.tree.file, &start, &options, &one );
						best[k] = std::min( best[k], core_now() - begin );
						c = k == 1 ? one : c;
					}
				}
				times.push_back( 1e6 * best[0] );
				all.push_back( 1e6 * best[1] );
				first.push_back( 1e6 * best[2] );
				tests += (double)( r.volume_tests + r.triangle_tests );
				static_tests += (double)( c.volume_tests + c.triangle_tests );
				hits += r.found;
			}
			double n = (double)times.size(), ratio = mean( times ) / mean( all );
			printf(
				"| %s %s | %g | %.3f | %d | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f | %.0f | %.2f | %.2f |\n",
				a.name.c_str(), b.name.c_str(), offset, b.side, hits, tests / n, static_tests / n,
				mean( all ), mean( first ), mean( times ), percentile( times, 0.99 ), percentile( times, 1 ),
				ratio, mean( times ) / mean( first ) );
			fflush( stdout );
			log_ratio[o] += std::log( ratio ) / (double)with.poses.size();
			std::string name = a.name + " " + b.name +
			                   ( offset == 0.01 ? " 0.01"
			                     : offset > 0   ? " 0.001"
			                                    : " -0.01" );
			write_row( with, name.c_str(), "bv_sweep_meshes", times.size(), "step us", mean( times ) );
			write_row( with, name.c_str(), "bv_mesh_collide", times.size(), "all us", mean( all ) );
			write_row( with, name.c_str(), "bv_mesh_collide", times.size(), "first us", mean( first ) );
		}
	}
	for ( int o = 0; o < 3; ++o )
	{
		double ratio = std::exp( log_ratio[o] );
		printf( "%sStep / all pairs at %g, geometric mean: %.2f (bar %g: %s).\n", o ? "" : "\n", offsets[o],
		        ratio, bar, ratio <= bar ? "met" : "**not met**" );
		require( with, ratio <= bar, "steps: at most 5 times a static query" );
	}
	fflush( stdout );
}

} // namespace
