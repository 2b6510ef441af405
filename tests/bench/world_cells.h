// The cells of bench_world: a scene, a number of boxes, a share that moves. Each entrant has a process of its own with a limit on its
// time. It makes the world once; then the entrants move on by some steps in turns, while the others wait. In C++.

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
	std::string parts = "cells,others,rays";
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
	int steps = cell.count <= 1000 ? 60 : cell.count <= 10000 ? 30 : cell.count <= 100000 ? 15 : 9;
	return cell.percent <= 1 ? 4 * steps : cell.percent <= 10 ? 2 * steps : steps;
}

// What a process returns.
struct world_result
{
	bool is_slow = false;
	double build = 0;  // seconds
	double step = 0;   // mean of this turn
	world_pairs pairs; // at the end
};

// What it gets.
struct world_task
{
	const world_row* row; // null: the pairs by brute force
	world_cell cell;
	const world_settings* with;
};

// An entrant in its process.
struct world_runner
{
	const world_task& task;
	world_scene scene;
	world_entrant* entrant;
	int at = 0; // step
	world_result result;

	explicit world_runner( const world_task& of )
		: task( of ), scene( of.cell.kind, of.cell.count, of.cell.percent, of.with->seed ),
		  entrant( of.row->make() )
	{
	}

	void begin()
	{
		double from = core_now();
		entrant->begin( scene );
		result.build = core_now() - from;
		// Objects that have not moved before can take longer. Where steps take long, one of these is enough.
		double warm = 0;
		for ( int i = 0; i < 3 && warm < task.with->limit / 4 && !result.is_slow; ++i )
		{
			warm += step();
		}
	}

	// Methods of this library always have the limit of the long form.
	double limit() const
	{
		return task.row->library == world_ours ? std::max( 2.0, task.with->limit ) : task.with->limit;
	}

	// @return seconds
	double step()
	{
		scene.advance();
		++at;
		double from = core_now();
		for ( uint32_t i : scene.movers )
		{
			entrant->move( i, scene.boxes[i] );
		}
		entrant->update();
		double seconds = core_now() - from;
		result.is_slow = result.is_slow || seconds > limit();
		return seconds;
	}

	// One step at least, however long it takes.
	void turn()
	{
		// Three were before, and one is at the end.
		const int most = std::max( 1, ( steps_of( task.cell ) - 4 ) / task.with->rounds );
		double spent = 0;
		int count = 0;
		while ( count == 0 ||
		        ( count < most && spent < task.with->budget / task.with->rounds && !result.is_slow ) )
		{
			spent += step();
			++count;
		}
		result.step = spent / count;
	}

	// All end after the same step.
	void end()
	{
		if ( at >= steps_of( task.cell ) )
		{
			world_fail( "too few steps for the rounds" );
		}
		while ( at + 1 < steps_of( task.cell ) )
		{
			scene.advance();
			++at;
		}
		step();
		entrant->list( scene, result.pairs );
	}
};

// Runs brute force.
inline void run_brute_force( const void* input, void* output )
{
	const world_task& task = *(const world_task*)input;
	world_result& result = *(world_result*)output;
	result = world_result();
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

// A process that makes a world, and then answers to letters: t a turn, e the end.
struct world_process
{
	pid_t id = 0;
	int to = -1, from = -1;

	static bool answer( int end, const world_result& result )
	{
		return write( end, &result, sizeof result ) == (ssize_t)sizeof result;
	}

	[[noreturn]] static void serve( const world_task& task, int letters, int answers )
	{
		struct rlimit time = { task.with->together, task.with->together + 1 };
		struct rlimit core = { 0, 0 };
		setrlimit( RLIMIT_CPU, &time );
		setrlimit( RLIMIT_CORE, &core );
		world_runner runner( task );
		runner.begin();
		char letter = 0;
		while ( answer( answers, runner.result ) && letter != 'e' && read( letters, &letter, 1 ) == 1 )
		{
			if ( letter == 't' )
			{
				runner.turn();
			}
			else
			{
				runner.end();
			}
		}
		_exit( 0 ); // worlds are not destroyed
	}

	// @return false if it ended
	bool listen( world_result& result )
	{
		return id > 0 && read( from, &result, sizeof result ) == (ssize_t)sizeof result;
	}

	bool start( const world_task& task, world_result& result )
	{
		int letters[2], answers[2];
		fflush( nullptr );
		if ( pipe( letters ) != 0 || pipe( answers ) != 0 )
		{
			return false;
		}
		id = fork();
		if ( id == 0 )
		{
			serve( task, letters[0], answers[1] );
		}
		close( letters[0] );
		close( answers[1] );
		to = letters[1];
		from = answers[0];
		return listen( result );
	}

	bool ask( char letter, world_result& result )
	{
		return id > 0 && write( to, &letter, 1 ) == 1 && listen( result );
	}

	// Ends it.
	// @return whether it had come to the end of its time
	bool stop()
	{
		if ( id <= 0 )
		{
			return false;
		}
		int status = 0;
		bool ended = waitpid( id, &status, WNOHANG ) == id;
		if ( !ended )
		{
			kill( id, SIGKILL );
			waitpid( id, &status, 0 );
		}
		close( to );
		close( from );
		id = 0;
		return ended && WIFSIGNALED( status ) &&
		       ( WTERMSIG( status ) == SIGXCPU || WTERMSIG( status ) == SIGKILL );
	}
};

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
	}

	// Goes on with an entrant. Ends it if it is too slow or crashed.
	void note( world_process& process, const world_cell& cell, size_t i, bool answered,
	           const world_result& r )
	{
		world_figure& f = figures[cell][i];
		if ( answered && !r.is_slow )
		{
			f.state = world_figure::done;
			return;
		}
		// A process that has just ended may not be known to have.
		usleep( answered ? 0 : 20000 );
		bool out_of_time = process.stop();
		f.state = answered || out_of_time ? world_figure::skipped : world_figure::failed;
		if ( f.state == world_figure::skipped )
		{
			slow.insert( key_of( rows[i], cell ) );
		}
	}

	// Up to 10,000 boxes by brute force, beyond that by CGAL, or else by the first one that took part.
	world_pairs truth_of( const world_cell& cell, const std::vector<world_result>& results )
	{
		world_task task = { nullptr, cell, &with };
		world_result r;
		if ( cell.count <= 10000 &&
		     run_in_child( with.together + 10, run_brute_force, &task, &r, sizeof r ) == outcome_done )
		{
			return r.pairs;
		}
		const world_result* judge = nullptr;
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			bool is_done = figures[cell][i].state == world_figure::done;
			judge = is_done && ( !judge || rows[i].library == world_cgal ) ? &results[i] : judge;
		}
		return judge ? judge->pairs : world_pairs();
	}

	void run( const world_cell& cell )
	{
		std::vector<world_figure>& of = figures[cell];
		of.assign( rows.size(), world_figure() );
		std::vector<world_process> processes( rows.size() );
		std::vector<world_result> results( rows.size() );
		std::vector<std::vector<double>> steps( rows.size() );
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			bool is_slow = slow.count( key_of( rows[i], cell ) ) > 0;
			if ( cell.count <= rows[i].most && is_slow )
			{
				of[i].state = world_figure::skipped;
			}
			else if ( cell.count <= rows[i].most )
			{
				world_task task = { &rows[i], cell, &with };
				bool answered = processes[i].start( task, results[i] );
				note( processes[i], cell, i, answered, results[i] );
			}
		}
		for ( int round = 0; round < with.rounds; ++round )
		{
			for ( size_t i = 0; i < rows.size(); ++i )
			{
				if ( of[i].state == world_figure::done )
				{
					bool answered = processes[i].ask( 't', results[i] );
					note( processes[i], cell, i, answered, results[i] );
					steps[i].push_back( results[i].step );
					write( cell, rows[i], round, results[i] );
				}
			}
		}
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			if ( of[i].state == world_figure::done )
			{
				bool answered = processes[i].ask( 'e', results[i] );
				note( processes[i], cell, i, answered, results[i] );
				of[i].step = middle( steps[i] );
				of[i].build = results[i].build;
				of[i].pairs = results[i].pairs.count;
			}
			processes[i].stop();
		}
		judge( cell, results );
	}

	void judge( const world_cell& cell, const std::vector<world_result>& results )
	{
		std::vector<world_figure>& of = figures[cell];
		world_pairs truth = truth_of( cell, results );
		pairs[cell] = truth.count;
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			if ( of[i].state == world_figure::done && !( results[i].pairs == truth ) )
			{
				of[i].state = world_figure::wrong;
			}
			bool is_bad = of[i].state == world_figure::wrong || of[i].state == world_figure::failed;
			if ( rows[i].library == world_ours && is_bad )
			{
				fprintf( stderr, "wrong: %s, %s, %u boxes, %u %% move: %llu pairs instead of %llu\n",
				         rows[i].name, world_names[cell.kind], cell.count, cell.percent,
				         (unsigned long long)of[i].pairs, (unsigned long long)truth.count );
				++with.wrong;
			}
		}
	}
};

} // namespace
