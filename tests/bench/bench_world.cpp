// Broad phases of many boxes, compared with Bullet, CGAL, FCL and ODE.
//
//   bench_world [--quick] [--counts N,...] [--percents P,...] [--scenes WORDS] [--rounds N] [--parts WORDS] [--seed N] [-o CSV]
//
// Parts, all by default:
//
//   cells   scenes of world_scenes.h, N boxes, P % of which move in each step. A step moves boxes and finds the pairs. All entrants have
//           to find the same pairs, compared with brute force up to 10,000 boxes and with CGAL beyond. Processes of entrants that take
//           longer than 2 s a step, or two minutes, end; the entrant is skipped then, with more boxes as well. --quick: 0.1 s
//           for others than this library, and 10 s
//   others  100,000 moving boxes, by one thread and by two; a million static boxes, queries after changes, queries with masks
//   rays    rays and boxes that are cast through 100,000 boxes (--quick: 10,000), against Bullet and brute force
//
// Bullet, and methods of this library, keep pairs, and report changes (this library: sorted). CGAL, FCL and ODE find all pairs again
// and call back for each, which is counted.
//
// Times are processor time of one thread: means over steps, without the first three, and medians of rounds, in which entrants take turns. Exit
// codes: 1 a bar is missed or pairs are wrong, 2 usage.

#include "tests/bench/peer_bullet_world.h"
#include "tests/bench/peer_bvw_world.h"
#include "tests/bench/peer_cgal_world.h"
#include "tests/bench/peer_fcl_world.h"
#include "tests/bench/peer_ode_world.h"
#include "tests/bench/world_cells.h"
#include "tests/bench/world_others.h"
#include "tests/bench/world_rays.h"
#include "tests/bench/world_threads.h"

namespace {

const std::vector<world_row> rows = {
	{ "tree", world_ours, make_bvw<bvw_method_tree>, UINT32_MAX },
	{ "rows", world_ours, make_bvw<bvw_method_rows>, UINT32_MAX },
	{ "rows, matrix", world_ours, make_bvw<bvw_method_rows, bvw_pair_store_matrix>, 10000 },
	{ "sort", world_ours, make_bvw<bvw_method_sort>, UINT32_MAX },
	{ "sweep", world_ours, make_bvw<bvw_method_sweep>, UINT32_MAX },
	{ "linked", world_ours, make_bvw<bvw_method_linked>, UINT32_MAX },
	{ "interval", world_ours, make_bvw<bvw_method_interval>, UINT32_MAX },
	{ "octree", world_ours, make_bvw<bvw_method_octree>, UINT32_MAX },
	{ "uniform", world_ours, make_bvw<bvw_method_uniform>, UINT32_MAX },
	{ "levels", world_ours, make_bvw<bvw_method_levels>, UINT32_MAX },
	{ "hash-grids", world_ours, make_bvw<bvw_method_hash_grids>, UINT32_MAX },
	{ "spatial-hash", world_ours, make_bvw<bvw_method_spatial_hash>, UINT32_MAX },
	{ "all-pairs", world_ours, make_bvw<bvw_method_all_pairs>, 1000 },
	{ "Bullet btDbvtBroadphase", world_bullet, make_bullet_world<true>, UINT32_MAX },
	{ "Bullet btAxisSweep3", world_bullet, make_bullet_world<false>, UINT32_MAX },
	{ "CGAL box_self_intersection_d", world_cgal, make_cgal_world, UINT32_MAX },
	{ "FCL Naive", world_fcl, make_fcl_world<fcl::NaiveCollisionManagerd, false>, UINT32_MAX },
	{ "FCL SaP", world_fcl, make_fcl_world<fcl::SaPCollisionManagerd, true>, UINT32_MAX },
	{ "FCL SSaP", world_fcl, make_fcl_world<fcl::SSaPCollisionManagerd, false>, UINT32_MAX },
	{ "FCL IntervalTree", world_fcl, make_fcl_world<fcl::IntervalTreeCollisionManagerd, false>, UINT32_MAX },
	{ "FCL SpatialHashing", world_fcl, make_fcl_hash_world, UINT32_MAX },
	{ "FCL DynamicAABBTree", world_fcl, make_fcl_world<fcl::DynamicAABBTreeCollisionManagerd, true>,
	  UINT32_MAX },
	{ "FCL DynamicAABBTree_Array", world_fcl,
	  make_fcl_world<fcl::DynamicAABBTreeCollisionManager_Arrayd, true>, UINT32_MAX },
	{ "ODE simple", world_ode, make_ode_simple, UINT32_MAX },
	{ "ODE hash", world_ode, make_ode_hash, UINT32_MAX },
	{ "ODE sweep and prune", world_ode, make_ode_sweep, UINT32_MAX },
	{ "ODE quadtree", world_ode, make_ode_quadtree, UINT32_MAX },
};

const world_figure* figure_of( const std::vector<world_figure>& figures, const char* name )
{
	for ( size_t i = 0; i < rows.size(); ++i )
	{
		if ( strcmp( rows[i].name, name ) == 0 )
		{
			return figures[i].state == world_figure::done ? &figures[i] : nullptr;
		}
	}
	return nullptr;
}

// The fastest entrant of some libraries that found the right pairs.
// @return its row, or null
const world_row* best_of( const std::vector<world_figure>& figures, world_library one, world_library other,
                          double* step )
{
	const world_row* best = nullptr;
	for ( size_t i = 0; i < rows.size(); ++i )
	{
		bool counts = rows[i].library == one || rows[i].library == other;
		if ( counts && figures[i].state == world_figure::done && ( !best || figures[i].step < *step ) )
		{
			best = &rows[i];
			*step = figures[i].step;
		}
	}
	return best;
}

std::string number( double value )
{
	char text[32];
	snprintf( text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value );
	return text;
}

std::string show( const std::vector<world_figure>& figures, size_t i )
{
	switch ( figures[i].state )
	{
	case world_figure::done: return number( 1e6 * figures[i].step );
	case world_figure::skipped: return "skipped";
	case world_figure::failed: return "failed";
	case world_figure::wrong: return "wrong";
	default: return "";
	}
}

// The entrants that have a column of their own in the table of all libraries.
bool has_column( const world_row& row )
{
	bool is_usual = strcmp( row.name, "tree" ) == 0 || strcmp( row.name, "rows" ) == 0;
	return is_usual || ( row.library > world_ours && row.library <= world_cgal );
}

void print_cell( const world_cells& cells, const world_cell& cell )
{
	printf( "| %s | %u | %u | %llu |", world_names[cell.kind], cell.count, cell.percent,
	        (unsigned long long)cells.pairs.at( cell ) );
}

void print_row( const world_cells& cells, const world_cell& cell )
{
	const std::vector<world_figure>& figures = cells.figures.at( cell );
	print_cell( cells, cell );
	double step = 0;
	const world_row* ours = best_of( figures, world_ours, world_ours, &step );
	printf( ours ? " %s (%s) |" : " skipped |", number( 1e6 * step ).c_str(), ours ? ours->name : "" );
	for ( size_t i = 0; i < rows.size(); ++i )
	{
		if ( has_column( rows[i] ) )
		{
			printf( " %s |", show( figures, i ).c_str() );
		}
	}
	for ( world_library library : { world_fcl, world_ode } )
	{
		const world_row* best = best_of( figures, library, library, &step );
		printf( best ? " %s (%s) |" : " skipped |", number( 1e6 * step ).c_str(),
		        best ? best->name + 4 : "" );
	}
	printf( "\n" );
	fflush( stdout );
}

// All methods of this library.
void print_ours( const world_cells& cells )
{
	printf( "\nMethods of this library, microseconds of a step:\n\n| scene | boxes | moving | pairs |" );
	std::string rule = "| --- | ---: | ---: | ---: |";
	for ( const world_row& row : rows )
	{
		if ( row.library == world_ours )
		{
			printf( " %s |", row.name );
			rule += " ---: |";
		}
	}
	printf( "\n%s\n", rule.c_str() );
	for ( const auto& of_cell : cells.figures )
	{
		print_cell( cells, of_cell.first );
		for ( size_t i = 0; i < rows.size(); ++i )
		{
			if ( rows[i].library == world_ours )
			{
				printf( " %s |", show( of_cell.second, i ).c_str() );
			}
		}
		printf( "\n" );
	}
}

// Which entrants took no part, and where.
void print_absent( const world_cells& cells )
{
	const char* words[] = { "", "", "skipped, too slow", "crashed", "other pairs" };
	for ( size_t i = 0; i < rows.size(); ++i )
	{
		for ( int state = world_figure::skipped; state <= world_figure::wrong; ++state )
		{
			int count = 0;
			std::string where;
			for ( const auto& entry : cells.figures )
			{
				if ( (int)entry.second[i].state == state )
				{
					const world_cell& cell = entry.first;
					++count;
					where += ( where.empty() ? "" : "; " ) + std::string( world_names[cell.kind] ) + " " +
					         std::to_string( cell.count ) + " " + std::to_string( cell.percent ) + " %";
				}
			}
			if ( count > 0 )
			{
				printf( "| %s | %s | %d | %s |\n", rows[i].name, words[state], count, where.c_str() );
			}
		}
	}
}

// One bar, in all cells in which both took part.
struct world_bar
{
	const char* what; // a method, or null for the best of ours
	const char* peer; // null: the best of FCL's and ODE's
	double bar;
	uint32_t least; // boxes
	uint32_t most;
};

void print_bar( world_cells& cells, const world_bar& bar )
{
	std::vector<double> ratios;
	int met = 0;
	double worst = 0;
	std::string where;
	for ( const auto& entry : cells.figures )
	{
		const world_cell& cell = entry.first;
		double ours = 0, theirs = 0;
		const world_figure* one = bar.what ? figure_of( entry.second, bar.what ) : nullptr;
		const world_figure* other = bar.peer ? figure_of( entry.second, bar.peer ) : nullptr;
		bool has_ours =
			bar.what ? one != nullptr : best_of( entry.second, world_ours, world_ours, &ours ) != nullptr;
		bool has_theirs =
			bar.peer ? other != nullptr : best_of( entry.second, world_fcl, world_ode, &theirs ) != nullptr;
		if ( cell.count < bar.least || cell.count > bar.most || !has_ours || !has_theirs )
		{
			continue;
		}
		double ratio = ( one ? one->step : ours ) / ( other ? other->step : theirs );
		ratios.push_back( ratio );
		met += ratio <= bar.bar;
		if ( ratio > worst )
		{
			worst = ratio;
			where = std::string( world_names[cell.kind] ) + ", " + std::to_string( cell.count ) + ", " +
			        std::to_string( cell.percent ) + " %";
		}
	}
	if ( ratios.empty() )
	{
		return;
	}
	bool holds = met == (int)ratios.size();
	const char* what = bar.what ? bar.what : "best of ours";
	const char* peer = bar.peer ? bar.peer : "best of FCL and ODE";
	printf( "| %s | %s | %zu | %d | %.2f | %.2f (%s) | %.2f | %s |\n", what, peer, ratios.size(), met,
	        world_cells::middle( ratios ), worst, where.c_str(), bar.bar, holds ? "met" : "**not met**" );
	if ( !holds )
	{
		fprintf( stderr, "missed: %s against %s\n", what, peer );
		++cells.with.missed;
	}
}

bool has_word( const std::string& words, const char* word )
{
	// Names of scenes may be followed by more: "sizes 1:10^4" is asked for by "sizes".
	std::string rest = words + ",";
	for ( size_t at = 0, end = 0; ( end = rest.find( ',', at ) ) != std::string::npos; at = end + 1 )
	{
		if ( end > at && std::string( word ).find( rest.substr( at, end - at ) ) != std::string::npos )
		{
			return true;
		}
	}
	return false;
}

void run_cells( world_settings& with )
{
	world_cells cells( with, rows );
	printf(
		"\nMicroseconds of a step. *Moving*: percent of the boxes. *Pairs*: after the last step. The "
		"best of FCL's seven managers and of ODE's "
		"four spaces; the others are in the CSV file.\n\n| scene | boxes | moving | pairs | best of ours |" );
	std::string rule = "| --- | ---: | ---: | ---: | ---: |";
	for ( const world_row& row : rows )
	{
		if ( has_column( row ) )
		{
			printf( " %s |", row.name );
			rule += " ---: |";
		}
	}
	printf( " best of FCL | best of ODE |\n%s ---: | ---: |\n", rule.c_str() );
	for ( int kind = 0; kind < world_kinds; ++kind )
	{
		for ( unsigned percent : with.percents )
		{
			for ( uint32_t count : with.counts )
			{
				// All touch all: half a million pairs of 1,000 boxes.
				if ( has_word( with.scenes, world_names[kind] ) && !( kind == world_spot && count > 1000 ) )
				{
					cells.run( { (world_kind)kind, count, percent } );
					print_row( cells, { (world_kind)kind, count, percent } );
				}
			}
		}
	}
	print_ours( cells );
	printf( "\nTook no part, or not with the right pairs:\n\n| entrant | why | cells | which |\n| --- | --- "
	        "| ---: | --- |\n" );
	print_absent( cells );
	printf( "\n| what | against | cells | met in | median ratio | worst ratio | bar | met |\n"
	        "| --- | --- | ---: | ---: | ---: | --- | ---: | --- |\n" );
	const world_bar bars[] = {
		{ "tree", "Bullet btDbvtBroadphase", 0.5, 0, UINT32_MAX },
		{ "rows", "CGAL box_self_intersection_d", 0.5, 0, UINT32_MAX },
		{ "rows", "Bullet btAxisSweep3", 0.25, 0, UINT32_MAX },
		{ nullptr, nullptr, 0.5, 0, UINT32_MAX },
	};
	for ( const world_bar& bar : bars )
	{
		print_bar( cells, bar );
	}
	printf( "\n%s\n", with.wrong ? "**Pairs of this library are wrong.**"
	                             : "All methods of this library found the right pairs in all cells." );
}

void make_quick( world_settings& with )
{
	with.quick = true;
	with.counts = { 1000, 10000 };
	with.percents = { 1, 100 };
	with.rounds = 3;
	with.budget = 0.03;
	with.limit = 0.1;
	with.together = 10;
}

bool read_arguments( int count, char** arguments, world_settings& with )
{
	bool is_right = true;
	for ( int i = 1; i < count && is_right; ++i )
	{
		std::string word = arguments[i];
		if ( word == "--quick" )
		{
			make_quick( with );
			continue;
		}
		if ( i + 1 >= count )
		{
			return false;
		}
		const char* value = arguments[++i];
		if ( word == "--counts" )
		{
			is_right = read_list( value, with.counts );
		}
		else if ( word == "--percents" )
		{
			is_right = read_list( value, with.percents );
		}
		else if ( word == "--scenes" )
		{
			with.scenes = value;
		}
		else if ( word == "--parts" )
		{
			with.parts = value;
		}
		else if ( word == "--rounds" )
		{
			with.rounds = atoi( value );
		}
		else if ( word == "--seed" )
		{
			with.seed = strtoull( value, nullptr, 10 );
		}
		else if ( word == "-o" )
		{
			with.csv = open_samples( value );
			is_right = with.csv != nullptr;
		}
		else
		{
			return false;
		}
	}
	return is_right && with.rounds > 0 && with.rounds <= 5; // a million boxes take nine steps
}

} // namespace

int main( int count, char** arguments )
{
	signal( SIGPIPE, SIG_IGN ); // processes of entrants can end at any time
	world_settings with;
	if ( !read_arguments( count, arguments, with ) )
	{
		fprintf(
			stderr,
			"usage: bench_world [--quick] [--counts N,...] [--percents P,...] [--scenes WORDS] [--rounds N] "
			"[--parts WORDS] [--seed N] [-o CSV]\n" );
		return 2;
	}
	if ( with.parts.find( "cells" ) != std::string::npos )
	{
		run_cells( with );
	}
	if ( with.parts.find( "others" ) != std::string::npos )
	{
		run_others( with, rows );
		run_threads( with );
	}
	if ( with.parts.find( "rays" ) != std::string::npos )
	{
		printf( "\n%s", others_head );
		run_rays( with );
	}
	if ( with.csv )
	{
		fclose( with.csv );
	}
	return with.missed > 0 || with.wrong > 0;
}
