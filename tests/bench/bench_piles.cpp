// The narrow phase of a pile of convex hulls, compared with Bullet: contacts that last, from step to step.
//
//   bench_piles [--quick] [--bodies N] [--frames N] [--settled] [--only ENTRANT] FILE
//
// 5,000 hulls of 20 to 40 corners fall into a box, by Bullet's solver. Poses of 100 consecutive steps while they fall and of 100 at
// rest are recorded, with the pairs of btDbvtBroadphase. Then every entrant gets the same poses and pairs, one step after the
// other, in turns, on one thread. Bullet: dispatchAllCollisionPairs. We: bvw_contacts_step, and bv_convex_manifold alone. Times are
// medians of the processor time per step.
//
// Bullet surrounds its hulls by a margin, 0.04 by default, and takes it off again where it clips faces (initializePolyhedralFeatures).
// Two piles, so that shapes are the same: one of hulls, in which faces are clipped or the margin is 0.001, and one of hulls with a
// margin of 0.04, which is the radius of ours. Diameters of hulls are 0.5 to 1.
//
// FILE receives the poses. With --settled they are read from it: for bench_piles_float, because one program cannot have both precisions
// of Bullet. --only is for profiles.
//
// Exit codes: 1 a bar is missed, 2 something can't be built, 3 usage.

#include "tests/bench/pile_entrants.h"

namespace {

const double bar = 3;         // times as fast as Bullet
const double differs = 0.002; // separations of a pair

typedef std::vector<std::unique_ptr<entrant>> entrant_list;

// @return pairs whose least separations differ, those that only one has included
size_t count_different( const separations& ours, const separations& others )
{
	size_t count = 0;
	for ( const auto& pair : ours )
	{
		auto other = others.find( pair.first );
		count += other == others.end() ? pair.second < speculative - differs
		                               : std::fabs( pair.second - other->second ) > differs;
	}
	for ( const auto& pair : others )
	{
		count += pair.second < speculative - differs && ours.count( pair.first ) == 0;
	}
	return count;
}

struct measured
{
	std::string scene;
	std::vector<const char*> names;
	std::vector<double> time; // of each entrant, per step
	std::vector<answer> answers;
	double pairs = 0; // per step
	our_manifolds::group groups[2];
};

measured measure( const pile_scene& scene, const pile_window& window, const entrant_list& entrants )
{
	measured out;
	char name[64];
	snprintf( name, sizeof name, "%s, %s", scene.name, window.name );
	out.scene = name;
	size_t most_pairs = 0;
	for ( const pile_frame& f : window.frames )
	{
		most_pairs = std::max( most_pairs, f.pairs + f.begun.size() );
		out.pairs += (double)f.pairs / (double)window.frames.size();
	}
	std::vector<std::vector<double>> seconds( entrants.size() );
	for ( auto& e : entrants )
	{
		e->load( scene, most_pairs );
	}
	for ( size_t i = 0; i < window.frames.size(); ++i )
	{
		for ( size_t k = 0; k < entrants.size(); ++k )
		{
			entrants[k]->prepare( window.frames[i] );
			double start = core_now();
			entrants[k]->ask();
			double s = core_now() - start;
			if ( i > 0 ) // all pairs are new in the first one
			{
				seconds[k].push_back( s );
			}
		}
	}
	for ( size_t k = 0; k < entrants.size(); ++k )
	{
		out.names.push_back( entrants[k]->name );
		out.time.push_back( median( seconds[k].data(), (int)seconds[k].size() ) );
		out.answers.emplace_back();
		entrants[k]->tell( out.answers[k] );
		out.answers[k].finish();
		auto* manifolds = dynamic_cast<our_manifolds*>( entrants[k].get() );
		if ( manifolds && manifolds->cached )
		{
			std::copy( manifolds->groups, manifolds->groups + 2, out.groups );
		}
	}
	return out;
}

void print_head()
{
	printf( "| pile | contacts by | pairs | ms per step | ns per pair | x the first | pairs that overlap | "
	        "points "
	        "| of them overlapping | mean depth | greatest | pairs that differ |\n" );
	printf( "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
}

void print( const measured& m )
{
	for ( size_t k = 0; k < m.names.size(); ++k )
	{
		const answer& a = m.answers[k];
		printf( "| %s | %s | %.0f | %.1f | %.0f | %.2f | %zu | %zu | %zu | %.5f | %.4f | %zu |\n",
		        m.scene.c_str(), m.names[k], m.pairs, 1e3 * m.time[k], 1e9 * m.time[k] / m.pairs,
		        m.time[k] / m.time[0], a.touching, a.points, a.overlapping, a.depth, a.deepest,
		        count_different( m.answers[0].least, a.least ) );
	}
	fflush( stdout );
}

// What bv_convex_manifold, cached, takes.
void print_groups( const std::vector<measured>& rows )
{
	printf(
		"\n| pile | pairs without contacts in the step before, %% | ns each | with contacts, ns each |\n" );
	printf( "| --- | ---: | ---: | ---: |\n" );
	for ( const measured& m : rows )
	{
		double apart = (double)m.groups[0].pairs;
		double touching = (double)m.groups[1].pairs;
		printf( "| %s | %.0f | %.0f | %.0f |\n", m.scene.c_str(), 100 * apart / ( apart + touching ),
		        1e9 * m.groups[0].seconds / apart, 1e9 * m.groups[1].seconds / touching );
	}
}

entrant_list entrants_of( const pile_scene& scene )
{
	entrant_list out;
	out.push_back( std::make_unique<our_step>() );
	out.push_back( std::make_unique<our_manifolds>( "bv_convex_manifold, cached", true ) );
	out.push_back( std::make_unique<our_manifolds>( "bv_convex_manifold", false ) );
	if ( scene.radius > 0 )
	{
		pile_bullet how = { scene.radius, false };
		out.push_back( std::make_unique<bullet_narrow_phase>( "Bullet, margin 0.04", how, true ) );
		return out;
	}
	pile_bullet clipped = { 0.04, true };
	pile_bullet narrow = { 0.001, true };
	pile_bullet single = { 0.001, false };
	out.push_back( std::make_unique<bullet_narrow_phase>( "Bullet, clipped", clipped, true ) );
	out.push_back( std::make_unique<bullet_narrow_phase>( "Bullet, clipped, not kept", clipped, false ) );
	out.push_back( std::make_unique<bullet_narrow_phase>( "Bullet, clipped, margin 0.001", narrow, true ) );
	out.push_back( std::make_unique<bullet_narrow_phase>( "Bullet, margin 0.001", single, true ) );
	return out;
}

FILE* open_scene( const char* path, bool reads )
{
	FILE* file = fopen( path, reads ? "rb" : "wb" );
	if ( !file )
	{
		give_up( "the file of poses cannot be opened" );
	}
	return file;
}

} // namespace

int main( int argc, char** argv )
{
	size_t bodies = 5000;
	size_t frames = 100;
	bool settled = false;
	std::string only;
	const char* path = nullptr;
	for ( int i = 1; i < argc; ++i )
	{
		std::string option = argv[i];
		bool has_value = i + 1 < argc;
		if ( option == "--quick" )
		{
			bodies = 500;
			frames = 20;
		}
		else if ( option == "--settled" )
		{
			settled = true;
		}
		else if ( option == "--only" && has_value )
		{
			only = argv[++i];
		}
		else if ( option == "--bodies" && has_value && atoi( argv[i + 1] ) > 0 )
		{
			bodies = (size_t)atoi( argv[++i] );
		}
		else if ( option == "--frames" && has_value && atoi( argv[i + 1] ) > 1 )
		{
			frames = (size_t)atoi( argv[++i] );
		}
		else if ( option[0] != '-' && !path )
		{
			path = argv[i];
		}
		else
		{
			fprintf( stderr, "bench_piles: invalid option %s\n", argv[i] );
			return 3;
		}
	}
	if ( !path )
	{
		fprintf( stderr, "bench_piles: the file of poses is missing\n" );
		return 3;
	}
	FILE* file = open_scene( path, settled );
	std::vector<measured> rows;
	printf( "Bullet in %s precision, %zu hulls\n\n",
	        sizeof( btScalar ) == sizeof( double ) ? "double" : "single", bodies );
	print_head();
	for ( double margin : { 0.0, 0.04 } )
	{
		pile_scene scene = make_pile( margin > 0 ? "hulls with margin" : "hulls", bodies, margin );
		if ( settled )
		{
			read_pile( scene, file, frames );
		}
		else
		{
			settle_pile( scene, { 0.04, margin <= 0 }, 30, 500, (int)frames );
			write_pile( scene, file );
		}
		entrant_list entrants = entrants_of( scene );
		for ( size_t k = entrants.size(); k > 0 && !only.empty(); --k )
		{
			if ( only != entrants[k - 1]->name )
			{
				entrants.erase( entrants.begin() + (long)k - 1 );
			}
		}
		for ( const pile_window& window : scene.windows )
		{
			rows.push_back( measure( scene, window, entrants ) );
			print( rows.back() );
		}
	}
	fclose( file );
	print_groups( rows );
	if ( !only.empty() ) // a profile
	{
		return 0;
	}
	double least = INFINITY;
	for ( const measured& m : rows )
	{
		for ( size_t k = 3; k < m.time.size(); ++k ) // ours before
		{
			least = std::min( least, m.time[k] / m.time[0] );
		}
	}
	printf( "\n| what | bar | here | |\n| --- | ---: | ---: | --- |\n" );
	printf( "| Bullet's narrow phase, times that of ours | %g | %.2f | %s |\n", bar, least,
	        least >= bar ? "met" : "missed" );
	return least >= bar ? 0 : 1;
}
