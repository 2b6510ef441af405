// The cells of bench_world: a scene, a number of boxes, a share that moves. Each entrant runs in a process of its own, which has a
// limit on its time, in turns: once each, then all again. In C++.

#pragma once

#include "tests/bench/child.h"
#include "tests/bench/measure.h"
#include "tests/bench/world_scenes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace {

enum world_library
{
	world_ours,
	world_bullet,
	world_cgal,
	world_fcl,
	world_ode,
};

struct world_row
{
	const char* name;
	world_library library;
	world_entrant* ( *make )();
	uint32_t most; // boxes
};

struct world_settings
{
	bool quick = false;
	int rounds = 3;
	double budget = 0.4;     // seconds of steps that are timed
	double limit = 2;        // seconds of a step
	unsigned together = 120; // seconds of everything in one process
	uint64_t seed = 44;
	std::vector<uint32_t> counts = { 100, 1000, 10000, 100000, 1000000 };
	std::vector<unsigned> percents = { 1, 10, 100 };
	std::string scenes = "Brownian,free fall,gravity,sizes,line,spot";
	std::string parts = "cells,others";
	FILE* csv = nullptr;
	int missed = 0; // bars
	int wrong = 0;  // cells in which our pairs are not the right ones
};

struct world_cell
{
	world_kind kind;
	uint32_t count;
	unsigned percent;

	bool operator<( const world_cell& o ) const
	{
		return std::tie( kind, percent, count ) < std::tie( o.kind, o.percent, o.count );
	}
};

// The number of steps does not depend on the entrant: all are compared after the same one.
inline int steps_of( const world_cell& cell )
{
	int steps = cell.count <= 1000 ? 60 : cell.count <= 10000 ? 30 : cell.count <= 100000 ? 12 : 6;
	return cell.percent <= 1 ? 4 * steps : cell.percent <= 10 ? 2 * steps : steps;
}

// What a process returns.
struct world_result
{
	bool is_slow = false;
	double build = 0; // seconds
	double step = 0;
	int timed = 0; // steps
	world_pairs pairs;
};

// What it gets.
struct world_task
{
	const world_row* row; // null: the pairs by brute force
	world_cell cell;
	const world_settings* with;
};

// @return seconds
inline double timed_step( world_entrant& entrant, const world_scene& scene )
{
	double from = core_now();
	for ( uint32_t i : scene.movers )
	{
		entrant.move( i, scene.boxes[i] );
	}
	entrant.update();
	return core_now() - from;
}

inline void run_entrant( const world_task& task, world_result& result )
{
	enum
	{
		warm_up = 3
	};
	const world_settings& with = *task.with;
	world_scene scene( task.cell.kind, task.cell.count, task.cell.percent, with.seed );
	world_entrant* entrant = task.row->make(); // the process ends before it is destroyed
	double from = core_now();
	entrant->begin( scene );
	result.build = core_now() - from;
	const int steps = steps_of( task.cell );
	double warm = 0;
	double spent = 0;
	bool is_behind = false;
	for ( int i = 0; i < steps; ++i )
	{
		scene.advance();
		// One step at least is timed, however long it takes.
		if ( result.timed > 0 && spent > with.budget )
		{
			is_behind = true;
			continue;
		}
		double seconds = timed_step( *entrant, scene );
		if ( seconds > with.limit )
		{
			result.is_slow = true;
			return;
		}
		// Objects that have not moved before can take longer. Where steps take long, one of these is enough.
		if ( i < warm_up && warm < with.limit / 4 )
		{
			warm += seconds;
			continue;
		}
		spent += seconds;
		++result.timed;
	}
	result.step = spent / result.timed;
	if ( is_behind )
	{
		timed_step( *entrant, scene );
	}
	entrant->list( scene, result.pairs );
}

inline void run_brute_force( const world_task& task, world_result& result )
{
	world_scene scene( task.cell.kind, task.cell.count, task.cell.percent, task.with->seed );
	for ( int i = 0; i < steps_of( task.cell ); ++i )
	{
		scene.advance();
	}
	for ( uint32_t a = 0; a < scene.count; ++a )
	{
		for ( uint32_t b = a + 1; b < scene.count; ++b )
		{
			if ( world_touch( scene.boxes[a], scene.boxes[b] ) )
			{
				result.pairs.add( a, b );
			}
		}
	}
}

inline void run_task( const void* input, void* output )
{
	const world_task& task = *(const world_task*)input;
	world_result& result = *(world_result*)output;
	result = world_result();
	if ( task.row )
	{
		run_entrant( task, result );
	}
	else
	{
		run_brute_force( task, result );
	}
}

// What is known of an entrant in a cell.
struct world_figure
{
	enum
	{
		absent, // not for so many boxes
		done,
		skipped, // too slow here, or with fewer boxes
		failed,  // it crashed
		wrong,   // other pairs
	} state = absent;
	double step = 0; // seconds, median of the rounds
	double build = 0;
	uint64_t pairs = 0;
};

struct world_cells
{
	world_settings& with;
	const std::vector<world_row>& rows;
	std::map<world_cell, std::vector<world_figure>> figures;
	std::map<world_cell, uint64_t> pairs;
	std::set<std::string> slow; // entrant, scene and share, of cells with fewer boxes

	world_cells( world_settings& settings, const std::vector<world_row>& entrants )
		: with( settings ), rows( entrants )
	{
	}

	static std::string key_of( const world_row& row, const world_cell& cell )
	{
		return std::string( row.name ) + "/" + world_names[cell.kind] + "/" + std::to_string( cell.percent );
	}

	static double middle( std::vector<double> values )
	{
		return median( values.data(), (int)values.size() );
	}

	void write( const world_cell& cell, const world_row& row, int round, const world_result& r )
	{
		std::string where =
			std::string( world_names[cell.kind] ) + ", " + std::to_string( cell.percent ) + " % move";
		const sample of = { where.c_str(), cell.count, row.name, 1, round };
		write_sample( with.csv, &of, "step", "us", 1e6 * r.step );
		write_sample( with.csv, &of, "begin", "us", 1e6 * r.build );
		write_sample( with.csv, &of, "pairs", "1", (double)r.pairs.count );
	}

	// What the pairs are: by brute force up to 10,000 boxes, beyond that by CGAL.
	bool know( const world_cell& cell, world_pairs& truth )
	{
		const world_row* judge = nullptr;
		for ( const world_row& row : rows )
		{
			judge = cell.count > 10000 && row.library == world_cgal ? &row : judge;
		}
		world_task task = { judge, cell, &with };
		world_result r;
		bool known =
			run_in_child( with.together, run_task, &task, &r, sizeof r ) == outcome_done && !r.is_slow;
		truth = r.pairs;
		return known;
	}

	void run( const world_cell& cell )
	{
		std::vector<world_figure>& of = figures[cell];
		of.assign( rows.size(), world_figure() );
		std::vector<std::vector<double>> steps( rows.size() ), builds( rows.size() );
		world_pairs truth;
		bool is_known = know( cell, truth );
		for ( int round = 0; round < with.rounds; ++round )
		{
			for ( size_t i = 0; i < rows.size(); ++i )
			{
				world_figure& f = of[i];
				if ( cell.count > rows[i].most || ( round > 0 && f.state != world_figure::done ) )
				{
					continue;
				}
				if ( slow.count( key_of( rows[i], cell ) ) )
				{
					f.state = world_figure::skipped;
					continue;
				}
				world_task task = { &rows[i], cell, &with };
				world_result r;
				outcome end = run_in_child( with.together, run_task, &task, &r, sizeof r );
				if ( end == outcome_out_of_time || ( end == outcome_done && r.is_slow ) )
				{
					f.state = world_figure::skipped;
					slow.insert( key_of( rows[i], cell ) );
					continue;
				}
				if ( !is_known && end == outcome_done )
				{
					truth = r.pairs; // of the first one, which others are compared with
					is_known = true;
				}
				f.state = end != outcome_done ? world_figure::failed
				          : r.pairs == truth  ? world_figure::done
				                              : world_figure::wrong;
				f.pairs = r.pairs.count;
				steps[i].push_back( r.step );
				builds[i].push_back( r.build );
				write( cell, rows[i], round, r );
			}
		}
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			if ( !steps[i].empty() )
			{
				of[i].step = middle( steps[i] );
				of[i].build = middle( builds[i] );
			}
			if ( rows[i].library == world_ours &&
			     ( of[i].state == world_figure::wrong || of[i].state == world_figure::failed ) )
			{
				fprintf( stderr, "wrong: %s, %s, %u boxes, %u %% move: %llu pairs instead of %llu\n",
				         rows[i].name, world_names[cell.kind], cell.count, cell.percent,
				         (unsigned long long)of[i].pairs, (unsigned long long)truth.count );
				++with.wrong;
			}
		}
		pairs[cell] = truth.count;
	}
};

} // namespace
