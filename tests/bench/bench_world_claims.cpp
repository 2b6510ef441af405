// What Eckstein 1998 says about sweep and prune along one axis and along two, measured again: section 6.2, "one-dimensional sweep and
// prune performs well where most objects stand still; the two-dimensional one has greater strengths where many move".
//
//   bench_world_claims [--quick] [--counts N,...] [--permille P,...] [--scenes WORDS] [--methods WORDS] [--rounds N] [--seed N]
//
// Scenes are those of world_scenes.h. P of 1000 boxes move in each step. All methods get the same steps, in turns; they have to find
// the same pairs. Times are processor time of one thread: means over the steps of a round, without the first three steps, and medians of
// rounds.
//
// Exit codes: 1 pairs differ, 2 usage.

#include "tests/bench/measure.h"
#include "tests/bench/peer_bvw_world.h"
#include "tests/bench/world_scenes.h"

#include <algorithm>
#include <memory>
#include <string>

namespace {

struct claim_settings
{
	int rounds = 3;
	double budget = 2; // million boxes that move, in a round
	uint64_t seed = 44;
	std::vector<uint32_t> counts = { 1000, 10000, 100000 };
	std::vector<unsigned> permille = { 1, 3, 10, 30, 100, 300, 1000 };
	std::string scenes = "Brownian,free fall,gravity";
	std::string methods = "linked,interval,sweep";
};

bool has_word( const std::string& words, const char* word )
{
	return ( "," + words + "," ).find( "," + std::string( word ) + "," ) != std::string::npos;
}

struct claim_entrant
{
	bvw_method method;
	std::unique_ptr<bvw_entrant> world;
	std::vector<double> rounds; // microseconds of a step
	double time = 0;            // of this round

	double middle() const
	{
		std::vector<double> sorted = rounds;
		std::sort( sorted.begin(), sorted.end() );
		return sorted[sorted.size() / 2];
	}
};

int steps_of( const claim_settings& with, uint32_t count )
{
	int steps = (int)( with.budget * 1e5 / count );
	return steps < 4 ? 4 : steps > 60 ? 60 : steps;
}

void step( world_scene& scene, std::vector<claim_entrant>& entrants )
{
	scene.advance();
	for ( claim_entrant& e : entrants )
	{
		double from = core_now();
		for ( uint32_t i : scene.movers )
		{
			e.world->move( i, scene.boxes[i] );
		}
		e.world->update();
		e.time += core_now() - from;
	}
}

// @return false if pairs differ
bool have_same_pairs( const world_scene& scene, std::vector<claim_entrant>& entrants )
{
	std::vector<world_pairs> pairs( entrants.size() );
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		entrants[i].world->list( scene, pairs[i] );
		if ( !( pairs[i] == pairs[0] ) )
		{
			fprintf( stderr, "bench_world_claims: %s and %s have other pairs\n",
			         bvw_method_name( entrants[i].method ), bvw_method_name( entrants[0].method ) );
			return false;
		}
	}
	return true;
}

bool run_cell( const claim_settings& with, world_kind kind, uint32_t count, unsigned permille )
{
	world_scene scene( kind, count, 100, with.seed );
	scene.movers.clear();
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( i % 1000 < permille )
		{
			scene.movers.push_back( i );
		}
	}
	std::vector<claim_entrant> entrants;
	for ( int m = 1; m < bvw_methods; ++m )
	{
		if ( has_word( with.methods, bvw_method_name( (bvw_method)m ) ) )
		{
			entrants.emplace_back();
			entrants.back().method = (bvw_method)m;
			entrants.back().world.reset( new bvw_entrant( (bvw_method)m ) );
			entrants.back().world->begin( scene );
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		step( scene, entrants );
	}
	int steps = steps_of( with, count );
	for ( int round = 0; round < with.rounds; ++round )
	{
		for ( claim_entrant& e : entrants )
		{
			e.time = 0;
		}
		for ( int i = 0; i < steps; ++i )
		{
			step( scene, entrants );
		}
		for ( claim_entrant& e : entrants )
		{
			e.rounds.push_back( 1e6 * e.time / steps );
		}
	}
	printf( "| %s | %u | %g |", world_names[kind], count, permille / 10.0 );
	for ( const claim_entrant& e : entrants )
	{
		printf( e.middle() < 10 ? " %.2f |" : e.middle() < 100 ? " %.1f |" : " %.0f |", e.middle() );
	}
	printf( "\n" );
	fflush( stdout );
	return have_same_pairs( scene, entrants );
}

bool read_arguments( int count, char** arguments, claim_settings& with )
{
	bool is_right = true;
	for ( int i = 1; i < count && is_right; ++i )
	{
		std::string word = arguments[i];
		if ( word == "--quick" )
		{
			with.rounds = 3;
			with.budget = 0.5;
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
		else if ( word == "--permille" )
		{
			is_right = read_list( value, with.permille );
		}
		else if ( word == "--scenes" )
		{
			with.scenes = value;
		}
		else if ( word == "--methods" )
		{
			with.methods = value;
		}
		else if ( word == "--rounds" )
		{
			with.rounds = atoi( value );
		}
		else if ( word == "--seed" )
		{
			with.seed = strtoull( value, nullptr, 10 );
		}
		else
		{
			return false;
		}
	}
	return is_right && with.rounds > 0;
}

} // namespace

int main( int count, char** arguments )
{
	claim_settings with;
	if ( !read_arguments( count, arguments, with ) )
	{
		fprintf( stderr,
		         "usage: bench_world_claims [--quick] [--counts N,...] [--permille P,...] [--scenes WORDS] "
		         "[--methods WORDS] [--rounds N] [--seed N]\n" );
		return 2;
	}
	printf( "| scene | boxes | moving |" );
	std::string rule = "| --- | ---: | ---: |";
	for ( int m = 1; m < bvw_methods; ++m )
	{
		if ( has_word( with.methods, bvw_method_name( (bvw_method)m ) ) )
		{
			printf( " %s |", bvw_method_name( (bvw_method)m ) );
			rule += " ---: |";
		}
	}
	printf( "\n%s\n", rule.c_str() );
	bool is_right = true;
	for ( int kind = 0; kind < world_kinds; ++kind )
	{
		for ( uint32_t boxes : with.counts )
		{
			for ( unsigned permille : with.permille )
			{
				bool is_asked = has_word( with.scenes, world_names[kind] );
				is_right = ( !is_asked || run_cell( with, (world_kind)kind, boxes, permille ) ) && is_right;
			}
		}
	}
	return is_right ? 0 : 1;
}
