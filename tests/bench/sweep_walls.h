// The table of bench_sweeps about things that fly through thin walls, by this library, FCL, Bullet, and programs that read
// passages from a file. In C++.

#pragma once

#include "tests/bench/peer_bullet_sweep.h"
#include "tests/bench/peer_fcl_sweep.h"
#include "tests/bench/sweep_tables.h"

#include <functional>

namespace {

// When a thing touches a wall, by bv_sweep_convexes. A certain overlap at `upper` proves that later times are late.
struct reference
{
	double lower;
	double upper;
	bool is_proven;
	double passes; // of the center
};

const double time_error = 1e-3; // larger differences count as late or early
const int chunk = 1000;

struct wall_row
{
	std::string name;
	std::function<sweep_answer( size_t )> ask; // about one of the prepared passages
	uint64_t queries = 0, missed = 0, after = 0, late = 0, early = 0;
	double seconds = 0;

	void count( const sweep_answer& answer, const reference& truth )
	{
		queries += 1;
		missed += !answer.found;
		after += answer.found && !( answer.time <= truth.passes + 1e-9 );
		late += answer.found && truth.is_proven && !( answer.time <= truth.upper + time_error );
		early += answer.found && answer.time < truth.lower - time_error;
	}
};

sweep_answer sweep_passage( const passage& p, bv_sweep_mode mode, uint32_t samples, reference* truth )
{
	static const bv_motion rest = still();
	bv_convex wall = p.wall_shape(), thing = p.thing_shape();
	bv_sweep_options options = {};
	options.mode = mode;
	options.samples = samples;
	bv_sweep_result r;
	if ( bv_sweep_convexes( &wall, &rest, &thing, &p.spin, &options, &r ) != bv_ok )
	{
		sweep_fail( "bv_sweep_convexes failed" );
	}
	if ( truth )
	{
		*truth = { r.lower, r.upper, false, p.passes };
		if ( r.found && r.upper <= 1 )
		{
			bv_transform at = relative_at( rest, p.spin, r.upper );
			bv_convex_overlap_result o;
			truth->is_proven =
				bv_convex_overlap( &wall, &thing, &at, nullptr, &o ) == bv_ok && o.overlaps && o.certain;
		}
	}
	// A sample is where the contact is.
	return { r.found, mode == bv_sweep_mode_sampled ? r.upper : r.lower };
}

void print_wall_row( settings& with, const wall_row& row )
{
	double n = (double)row.queries, us = 1e6 * row.seconds / n;
	printf( "| %s | %llu | %llu | %llu | %llu | %llu | %.2f |\n", row.name.c_str(),
	        (unsigned long long)row.queries, (unsigned long long)row.missed, (unsigned long long)row.after,
	        (unsigned long long)row.late, (unsigned long long)row.early, us );
	fflush( stdout );
	write_row( with, "walls", row.name.c_str(), row.queries, "missed", (double)row.missed );
	write_row( with, "walls", row.name.c_str(), row.queries, "after", (double)row.after );
	write_row( with, "walls", row.name.c_str(), row.queries, "late", (double)row.late );
	write_row( with, "walls", row.name.c_str(), row.queries, "early", (double)row.early );
	write_row( with, "walls", row.name.c_str(), row.queries, "mean us", us );
}

void export_passages( const char* path, uint64_t count )
{
	FILE* out = fopen( path, "w" );
	if ( !out )
	{
		sweep_fail( "the passages cannot be written" );
	}
	for ( uint64_t i = 0; i < count; ++i )
	{
		passage p = make_passage( i );
		const bv_pose& at = p.spin.start;
		fprintf( out, "%.17g %.17g %.17g %d %.17g %.17g %.17g %.17g", p.wall.x, p.wall.y, p.wall.z,
		         p.is_round, p.half.x, p.half.y, p.half.z, p.radius );
		for ( int k = 0; k < 9; ++k )
		{
			fprintf( out, " %.17g", at.rotation[k / 3][k % 3] );
		}
		bv_vec3 spin = bv_scale( p.spin.angle, p.spin.axis );
		fprintf( out, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", at.translation.x, at.translation.y,
		         at.translation.z, p.spin.shift.z, spin.x, spin.y, spin.z );
	}
	if ( fclose( out ) != 0 )
	{
		sweep_fail( "the passages cannot be written" );
	}
}

void run_program( settings& with, const std::string& name, const std::string& command,
                  const std::vector<reference>& truths )
{
	FILE* in = popen( ( command + " " + with.exported ).c_str(), "r" );
	wall_row row;
	row.name = name;
	int found;
	double time, us;
	while ( in && row.queries < truths.size() && fscanf( in, "%d %lf %lf", &found, &time, &us ) == 3 )
	{
		row.seconds += 1e-6 * us;
		row.count( { found != 0, time }, truths[row.queries] );
	}
	if ( !in || pclose( in ) != 0 || row.queries != truths.size() )
	{
		fprintf( stderr, "bench_sweeps: %s: only %llu of %zu answers\n", name.c_str(),
		         (unsigned long long)row.queries, truths.size() );
		exit( 2 );
	}
	print_wall_row( with, row );
}

void run_walls( settings& with )
{
	std::vector<passage> passages;
	std::vector<std::unique_ptr<fcl_passage>> fcl;
	std::vector<std::unique_ptr<bullet_passage>> bullet;
	std::vector<wall_row> rows;
	auto add = [&rows]( const char* name, std::function<sweep_answer( size_t )> ask ) {
		rows.emplace_back();
		rows.back().name = name;
		rows.back().ask = std::move( ask );
	};
	add( "**bv_sweep_convexes**",
	     [&]( size_t i ) { return sweep_passage( passages[i], bv_sweep_mode_dynamic, 0, nullptr ); } );
	add( "the same, mode sampled, 33 samples",
	     [&]( size_t i ) { return sweep_passage( passages[i], bv_sweep_mode_sampled, 33, nullptr ); } );
	add( "the same, mode end",
	     [&]( size_t i ) { return sweep_passage( passages[i], bv_sweep_mode_end, 0, nullptr ); } );
	const size_t own = rows.size();
	add( "FCL continuousCollide, naive, 33 samples", [&]( size_t i ) { return fcl[i]->sample( 33 ); } );
	add( "FCL continuousCollide, naive, 1001 samples", [&]( size_t i ) { return fcl[i]->sample( 1001 ); } );
	add( "FCL continuousCollide, conservative advancement, in turns of 3",
	     [&]( size_t i ) { return fcl[i]->advance(); } );
	add( "Bullet btContinuousConvexCollision, one call (turns by up to pi/4)",
	     [&]( size_t i ) { return bullet[i]->whole(); } );
	add( "Bullet btContinuousConvexCollision, in turns of pi/4",
	     [&]( size_t i ) { return bullet[i]->in_pieces(); } );
	add( "Bullet btGjkConvexCast, no turn", [&]( size_t i ) { return bullet[i]->gjk_cast(); } );
	add( "Bullet btSubsimplexConvexCast, no turn", [&]( size_t i ) { return bullet[i]->subsimplex_cast(); } );

	printf( "\n| by | passages | missed | after the center | late by 0.001 | early by 0.001 | mean, us |\n"
	        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	std::vector<reference> truths;
	double widest = 0;
	uint64_t unproven = 0;
	uint64_t peers = std::min( with.passages, with.peer_passages );
	for ( uint64_t first = 0; first < with.passages; first += chunk )
	{
		size_t count = (size_t)std::min<uint64_t>( chunk, with.passages - first );
		bool all = first < peers;
		passages.clear();
		fcl.clear();
		bullet.clear();
		std::vector<reference> here( count );
		for ( size_t i = 0; i < count; ++i )
		{
			passages.push_back( make_passage( first + i ) );
			sweep_passage( passages[i], bv_sweep_mode_dynamic, 0, &here[i] );
			widest = std::max( widest, here[i].upper - here[i].lower );
			unproven += !here[i].is_proven;
			if ( all )
			{
				fcl.push_back( std::make_unique<fcl_passage>( passages[i] ) );
				bullet.push_back( std::make_unique<bullet_passage>( passages[i] ) );
			}
		}
		for ( size_t k = 0; k < ( all ? rows.size() : own ); ++k )
		{
			std::vector<sweep_answer> answers( count );
			double start = core_now();
			for ( size_t i = 0; i < count; ++i )
			{
				answers[i] = rows[k].ask( i );
			}
			rows[k].seconds += core_now() - start;
			for ( size_t i = 0; i < count; ++i )
			{
				rows[k].count( answers[i], here[i] );
			}
		}
		if ( all )
		{
			truths.insert( truths.end(), here.begin(), here.end() );
		}
	}
	for ( const wall_row& row : rows )
	{
		print_wall_row( with, row );
	}
	if ( with.exported )
	{
		export_passages( with.exported, truths.size() );
		for ( const auto& peer : with.peers )
		{
			run_program( with, peer.first, peer.second, truths );
		}
	}
	printf( "\nThe widest bracket of bv_sweep_convexes is %.2g; at %llu of its upper ends no overlap is "
	        "proven.\n",
	        widest, (unsigned long long)unproven );
	fflush( stdout );
	require( with, rows[0].missed + rows[0].after + rows[0].late == 0, "no contact missed or late" );
}

} // namespace
