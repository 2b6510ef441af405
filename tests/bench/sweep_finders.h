// The table of bench_sweeps about the finders of 1998: moving vertices, faces and edges at random, by all of them. In C++.

#pragma once

#include "tests/bench/sweep_tables.h"

namespace {

const struct
{
	const char* name;
	bv_finder finder;
} finder_rows[] = {
	{ "**certified**", bv_finder_certified },   { "linear", bv_finder_linear },
	{ "regula falsi", bv_finder_regula_falsi }, { "quadratic", bv_finder_quadratic },
	{ "sampling, 5", bv_finder_sampling },      { "sampled regula falsi, 5", bv_finder_sampled_regula_falsi },
};

struct moving_points
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	bool is_edges;
};

// Points in a ball of radius 1. They move to any others in it, or by up to `step`.
moving_points make_moving_points( sweep_random& random, double step, bool is_edges )
{
	moving_points out;
	out.is_edges = is_edges;
	for ( int i = 0; i < 4; ++i )
	{
		out.start[i] = random.in_ball();
		bv_vec3 other = random.in_ball();
		out.end[i] = step > 0 ? bv_add( out.start[i], bv_scale( step, other ) ) : other;
	}
	return out;
}

bv_feature_time find_contact( const moving_points& q, size_t row, bv_inside_test inside )
{
	bv_feature_options options = {};
	options.finder = finder_rows[row].finder;
	options.inside = inside;
	bv_feature_time r;
	bv_status status = q.is_edges ? bv_moving_edge_edge( q.start, q.end, &options, &r )
	                              : bv_moving_vertex_face( q.start, q.end, &options, &r );
	if ( status != bv_ok )
	{
		sweep_fail( "features are invalid" );
	}
	return r;
}

struct finder_tally
{
	uint64_t missed, late, early, wrong;
	double us;

	void count( const std::vector<bv_feature_time>& truth, const std::vector<bv_feature_time>& answers )
	{
		const double error = 1e-3;
		for ( size_t i = 0; i < truth.size(); ++i )
		{
			bool both = truth[i].found && answers[i].found;
			missed += truth[i].found && !answers[i].found;
			wrong += !truth[i].found && answers[i].found;
			late += both && answers[i].lower > truth[i].upper + error;
			early += both && answers[i].lower < truth[i].lower - error;
		}
	}
};

void run_finders( settings& with )
{
	const size_t rows = sizeof finder_rows / sizeof *finder_rows;
	printf( "\n| features | motion | finder | queries | contacts | missed | late by 0.001 | early by 0.001 | "
	        "false | mean, us | "
	        "times linear | missed, interpolated | false, interpolated | mean, us |\n"
	        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "|\n" );
	for ( int set = 0; set < 4; ++set )
	{
		bool is_edges = set / 2 == 1;
		double step = set % 2 ? 0.2 : 0;
		sweep_random random = { (uint64_t)( 98 + set ) };
		std::vector<moving_points> queries;
		for ( int i = 0; i < with.pairs; ++i )
		{
			queries.push_back( make_moving_points( random, step, is_edges ) );
		}
		std::vector<bv_feature_time> truth( queries.size() ), answers( queries.size() );
		uint64_t found = 0;
		double linear_us = 1;
		finder_tally tallies[rows][bv_inside_tests] = {};
		for ( size_t row = 0; row < rows; ++row )
		{
			for ( int inside = 0; inside < bv_inside_tests; ++inside )
			{
				double start = core_now();
				for ( size_t i = 0; i < queries.size(); ++i )
				{
					answers[i] = find_contact( queries[i], row, (bv_inside_test)inside );
				}
				tallies[row][inside].us = 1e6 * ( core_now() - start ) / (double)queries.size();
				truth = row == 0 ? answers : truth;
				tallies[row][inside].count( truth, answers );
			}
		}
		for ( const bv_feature_time& t : truth )
		{
			found += t.found;
		}
		linear_us = tallies[1][0].us;
		for ( size_t row = 0; row < rows; ++row )
		{
			const finder_tally &t = tallies[row][bv_inside_exact], &u = tallies[row][bv_inside_interpolated];
			const char* what = is_edges ? "edge-edge" : "vertex-face";
			const char* motion = step > 0 ? "by up to 0.2" : "anywhere";
			printf( "| %s | %s | %s | %zu | %llu | %llu | %llu | %llu | %llu | %.2f | %.2f | %llu | %llu | "
			        "%.2f |\n",
			        what, motion, finder_rows[row].name, queries.size(), (unsigned long long)found,
			        (unsigned long long)t.missed, (unsigned long long)t.late, (unsigned long long)t.early,
			        (unsigned long long)t.wrong, t.us, t.us / linear_us, (unsigned long long)u.missed,
			        (unsigned long long)u.wrong, u.us );
			write_row( with, what, finder_rows[row].name, queries.size(), "missed", (double)t.missed );
			write_row( with, what, finder_rows[row].name, queries.size(), "late", (double)t.late );
			write_row( with, what, finder_rows[row].name, queries.size(), "early", (double)t.early );
			write_row( with, what, finder_rows[row].name, queries.size(), "false", (double)t.wrong );
			write_row( with, what, finder_rows[row].name, queries.size(), "mean us", t.us );
		}
		fflush( stdout );
	}
}

} // namespace
