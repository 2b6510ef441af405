// The table of bench_sweeps about the modes of bv_sweep_meshes (Eckstein 1998, chapter 10): what each of them finds of the contacts
// of the default mode, and what it costs. In C++.

#pragma once

#include "tests/bench/sweep_meshes.h"

namespace {

// A mode, and how its answers differ from those of the default mode, which the table of meshes checks.
struct mode_row
{
	const char* name;
	bv_sweep_mode mode;
	uint32_t samples;
	uint64_t motions = 0, contacts = 0, missed = 0, late = 0, early = 0, rejected = 0;
	double delay = 0; // sum of those that are late
	std::vector<double> times = {};
};

// When a mode says that objects touch. A sample is where the contact is; what is found at the end counts as one at time 0.
double reported_time( const mode_row& row, const bv_sweep_result& r )
{
	return row.mode == bv_sweep_mode_sampled ? r.upper : r.lower;
}

void count_mode( mode_row& row, const bv_sweep_result& r, const bv_sweep_result& truth, double seconds )
{
	const double error = 1e-3;
	double time = reported_time( row, r );
	row.motions += 1;
	row.contacts += r.found;
	row.missed += truth.found && !r.found;
	bool late = truth.found && r.found && time > truth.upper + error;
	row.late += late;
	row.delay += late ? time - truth.upper : 0;
	// Nothing that crosses at the end has touched before: the contact is known, and its time is not.
	bool rejected = row.mode == bv_sweep_mode_mixed && r.found && !r.at_start && r.lower == 0;
	row.rejected += rejected;
	row.early += truth.found && r.found && !rejected && time < truth.lower - error;
	row.times.push_back( 1e6 * seconds );
}

// The truth comes first, so that all rows can be compared with it.
void ask_modes( const settings& with, std::vector<mode_row>& rows, const thing& a, const thing& b,
                const mesh_motion& m )
{
	bv_sweep_result truth = sweep( a, b, m, bv_sweep_mode_dynamic, 0 );
	for ( mode_row& row : rows )
	{
		double best = INFINITY;
		bv_sweep_result r;
		for ( int round = 0; round < with.rounds; ++round )
		{
			double start = core_now();
			r = sweep( a, b, m, row.mode, row.samples );
			best = std::min( best, core_now() - start );
		}
		count_mode( row, r, truth, best );
	}
}

std::vector<mode_row> all_modes()
{
	return { { "static, mode end", bv_sweep_mode_end, 0 },
		     { "mode mixed", bv_sweep_mode_mixed, 0 },
		     { "pseudo-dynamic, mode sampled, 5 samples", bv_sweep_mode_sampled, 5 },
		     { "pseudo-dynamic, mode sampled, 33 samples", bv_sweep_mode_sampled, 33 },
		     { "mode dynamic", bv_sweep_mode_dynamic, 0 } };
}

void print_modes( settings& with, const char* motions, const std::vector<mode_row>& rows )
{
	uint64_t contacts = rows.back().contacts;
	double base = mean( rows.front().times );
	for ( const mode_row& row : rows )
	{
		double us = mean( row.times );
		printf( "| %s | %s | %llu | %llu | %llu | %llu | %.3f | %llu | %llu | %.1f | %.0f | %.2f |\n",
		        motions, row.name, (unsigned long long)row.motions, (unsigned long long)contacts,
		        (unsigned long long)row.missed, (unsigned long long)row.late,
		        row.late > 0 ? row.delay / (double)row.late : 0, (unsigned long long)row.early,
		        (unsigned long long)row.rejected, us, percentile( row.times, 1 ), us / base );
		std::string name = std::string( row.name ) + ", " + motions;
		write_row( with, "modes", name.c_str(), row.motions, "missed", (double)row.missed );
		write_row( with, "modes", name.c_str(), row.motions, "late", (double)row.late );
		write_row( with, "modes", name.c_str(), row.motions, "early", (double)row.early );
		write_row( with, "modes", name.c_str(), row.motions, "rejected", (double)row.rejected );
		write_row( with, "modes", name.c_str(), row.motions, "mean us", us );
		write_row( with, "modes", name.c_str(), row.motions, "over static", us / base );
		// Contacts of mode mixed are proven: none is before the first one.
		require( with, row.mode != bv_sweep_mode_mixed || row.early == 0, "modes: mixed is never early" );
	}
	fflush( stdout );
}

void run_modes( settings& with )
{
	printf( "\n| motions | mode | motions | contacts | missed | late | by | early | rejected | mean, us | "
	        "greatest | times static |\n"
	        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int is_far = 0; is_far < 2; ++is_far )
	{
		std::vector<mode_row> rows = all_modes();
		for ( const auto& pair : mesh_pairs )
		{
			thing &a = find_thing( with, pair[0] ), &b = find_thing( with, pair[1] );
			sweep_random random = { (uint64_t)( 43 + is_far ) };
			for ( int i = 0; i < with.motions && i < with.compared; ++i )
			{
				ask_modes( with, rows, a, b, make_mesh_motion( random, is_far != 0 ) );
			}
		}
		print_modes( with, is_far ? "whole, far" : "whole, near", rows );
	}
	const double offsets[] = { 0.01, 0.001 };
	for ( double offset : offsets )
	{
		std::vector<mode_row> rows = all_modes();
		for ( const char* path : with.poses )
		{
			recorded_poses recorded( path );
			thing &a = find_thing( with, recorded.poses.a ), &b = find_thing( with, recorded.poses.b );
			sweep_random random = { 7 };
			for ( uint32_t i = 0; i < recorded.poses.count; ++i )
			{
				if ( recorded.poses.poses[i].offset == offset )
				{
					bv_transform start = bv_transform_of_pose( &recorded.poses.poses[i].pose );
					ask_modes( with, rows, a, b, make_step( random, start, b.side ) );
				}
			}
		}
		print_modes( with, offset == 0.01 ? "a triangle, from 0.01" : "a triangle, from 0.001", rows );
	}
}

} // namespace
