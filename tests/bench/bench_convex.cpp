// Signed distances of pairs of convex polytopes, compared with libccd, FCL, Bullet and ODE.
//
//   bench_convex [--rounds N] [--pairs N] [--frames N] [--shape NAME] [--regime NAME] [--query NAME] [--library NAME]
//                [-o SAMPLES.csv]
//
// Boxes, and hulls of 8, 32, 128 and 1,000 random points on ellipsoids; apart, touching (within 1e-9) and deep. N pairs
// (16) are followed along paths of N frames (64), by 1 degree and 1 % of their size a step: once in order, where those
// that can keep something from frame to frame do so ("coherent"), and once in random order, where nothing is kept
// ("cold"). All entrants take turns within a round. A time is the median of N rounds (9) of the processor time per query.
// A ratio is the median of the ratios within a round, or of the least times where sizes or regimes are compared. -o appends
// the times of all rounds to a file (measure.h).
//
// The first table has all times, the second one what peers answer, judged by the interval of bv_convex_distance, the third
// one the throughput of pairs that have a closed form, and the last one the bars.
//
// --shape (box, 8, 32, 128, 1000), --regime, --query and --library leave the others out.
//
// Exit codes: 1 a bar is missed, 2 something can't be built, 3 usage.

#include "tests/bench/peer_bullet_convex.h"
#include "tests/bench/peer_ccd_convex.h"
#include "tests/bench/peer_fcl_convex.h"
#include "tests/bench/peer_ode_convex.h"

#include <algorithm>

namespace {

struct settings
{
	int rounds = 9;
	size_t pairs = 16;
	size_t frames = 64;
	const char* shape = nullptr; // null: all of them
	const char* regime = nullptr;
	const char* query = nullptr;
	const char* library = nullptr;
	FILE* samples = nullptr;
};

const int shapes[] = { kind_box, 8, 32, 128, 1000 };
const size_t shape_count = sizeof shapes / sizeof *shapes;
const int shape_of_1000 = 4;
const int shape_of_32 = 2;

enum mode
{
	mode_cold,
	mode_coherent,
	modes,
};

std::string name_of_shape( size_t shape )
{
	return shapes[shape] == kind_box ? "box" : std::to_string( shapes[shape] );
}

const char* const mode_names[modes] = { "cold", "coherent" };

struct our_entrant : convex_entrant
{
	const convex_scene* scene = nullptr;
	std::vector<bv_convex_cache> caches;

	bv_convex_method method;

	explicit our_entrant( convex_query what, bv_convex_method by = bv_convex_method_default )
		: convex_entrant( "bv", bv_convex_method_name( by ), what, true ), method( by )
	{
	}

	void load( const convex_scene& s ) override
	{
		scene = &s;
		caches.assign( s.pairs.size(), {} );
	}

	double ask( size_t pair, size_t pose, bool coherent ) override
	{
		const convex_pair& p = *scene->pairs[pair];
		bv_convex_options options = bv_convex_options_default();
		bv_convex_cache& cache = caches[pair];
		options.method = method;
		options.cache = coherent ? &cache : nullptr;
		bv_status status;
		double answer;
		if ( query == query_overlap )
		{
			bv_convex_overlap_result result;
			status =
				bv_convex_overlap( &p.shape[0].ours, &p.shape[1].ours, &p.poses[pose], &options, &result );
			answer = result.overlaps;
		}
		else
		{
			bv_convex_result result;
			status =
				bv_convex_distance( &p.shape[0].ours, &p.shape[1].ours, &p.poses[pose], &options, &result );
			answer = query == query_distance ? std::max( result.upper, 0.0 ) : -result.lower;
		}
		return status == bv_ok ? answer : NAN;
	}
};

// What an entrant says of all poses of a scene that is not within the interval.
struct verdict
{
	size_t asked = 0;
	size_t failed = 0;
	size_t off = 0; // by more than a thousandth of the size, or a wrong boolean
	double worst = 0;
};

const size_t most_entrants = 24;

// Of an entrant in a scene: the seconds of each round.
struct cell
{
	std::vector<double> seconds[modes];
	verdict answers;

	double time( mode m ) const
	{
		std::vector<double> copy = seconds[m];
		return copy.empty() ? NAN : median( copy.data(), (int)copy.size() );
	}
};

struct results
{
	std::vector<std::unique_ptr<convex_entrant>> entrants;
	cell at[most_entrants][shape_count][regimes];
};

std::vector<std::unique_ptr<convex_entrant>> all_entrants()
{
	std::vector<std::unique_ptr<convex_entrant>> out;
	out.push_back( std::make_unique<our_entrant>( query_distance ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKIntersect", query_distance, ccd_gjk_intersect ) );
	out.push_back( std::make_unique<fcl_indep_entrant>( "GST_INDEP", query_distance, true ) );
	out.push_back( std::make_unique<fcl_ccd_entrant>( "GST_LIBCCD", query_distance, false ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkPairDetector", query_distance, bullet_pair_detector ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkEpaSolver2", query_distance, bullet_epa2_distance ) );
	out.push_back( std::make_unique<our_entrant>( query_depth ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKPenetration", query_depth, ccd_gjk_penetration ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKPenetration to 1e-7", query_depth,
	                                              ccd_gjk_penetration, 1e-7 ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdMPRPenetration", query_depth, ccd_mpr_penetration ) );
	out.push_back( std::make_unique<fcl_indep_entrant>( "GST_INDEP", query_depth, true ) );
	out.push_back( std::make_unique<fcl_ccd_entrant>( "GST_LIBCCD", query_depth, false ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkPairDetector", query_depth, bullet_pair_detector_epa ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkEpaSolver2", query_depth, bullet_epa2_penetration ) );
	out.push_back( std::make_unique<ode_entrant>( query_depth ) );
	out.push_back( std::make_unique<our_entrant>( query_overlap ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKIntersect", query_overlap, ccd_gjk_intersect ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdMPRIntersect", query_overlap, ccd_mpr_intersect ) );
	out.push_back( std::make_unique<fcl_indep_entrant>( "GST_INDEP", query_overlap, true ) );
	out.push_back( std::make_unique<fcl_ccd_entrant>( "GST_LIBCCD", query_overlap, false ) );
	out.push_back( std::make_unique<ode_entrant>( query_overlap ) );
	return out;
}

// libccd has no distance: its time for the decision stands for it, and its answer is not one.
bool answers_query( const convex_entrant& e )
{
	return !( e.query == query_distance && strcmp( e.library, "libccd" ) == 0 );
}

bool is_wanted( const char* only, const char* name )
{
	return !only || strcmp( only, name ) == 0;
}

bool takes_part( const settings& s, const convex_entrant& e, const convex_scene& scene )
{
	bool wanted = e.query == query_distance ? scene.regime != regime_deep
	              : e.query == query_depth  ? scene.regime != regime_apart
	                                        : true;
	return wanted && e.can( scene ) && is_wanted( s.library, e.library ) &&
	       is_wanted( s.query, query_names[e.query] );
}

struct visit
{
	size_t pair;
	size_t pose;
};

// The first frame is not timed: nothing is kept from before it.
std::vector<visit> in_order( const convex_scene& scene, size_t first, size_t end )
{
	std::vector<visit> out;
	for ( size_t pose = first; pose < end; ++pose )
	{
		for ( size_t pair = 0; pair < scene.pairs.size(); ++pair )
		{
			out.push_back( { pair, pose } );
		}
	}
	return out;
}

std::vector<visit> shuffled( std::vector<visit> all )
{
	uint64_t seed = 1;
	for ( size_t i = all.size(); i > 1; --i )
	{
		std::swap( all[i - 1], all[next_random( &seed ) % i] );
	}
	return all;
}

double seconds_of( convex_entrant& e, const std::vector<visit>& visits, bool coherent )
{
	double sum = 0;
	double start = core_now();
	for ( const visit& v : visits )
	{
		sum += e.ask( v.pair, v.pose, coherent );
	}
	volatile double used = sum;
	(void)used;
	return ( core_now() - start ) / (double)visits.size();
}

// How far a number is from an interval.
double off_by( double x, double lower, double upper )
{
	return std::max( { 0.0, lower - x, x - upper } );
}

verdict judge( convex_entrant& e, const convex_scene& scene )
{
	verdict out;
	for ( size_t i = 0; i < scene.pairs.size(); ++i )
	{
		for ( size_t k = 0; k < scene.frames; ++k )
		{
			const bv_convex_result& truth = scene.pairs[i]->answers[k];
			double answer = e.ask( i, k, false );
			double lower = truth.lower;
			double upper = truth.upper;
			++out.asked;
			if ( std::isnan( answer ) )
			{
				++out.failed;
				continue;
			}
			if ( e.query == query_overlap )
			{
				out.off += answer != 0 ? lower > 0 : upper < 0;
				continue;
			}
			// A negative depth only says that they are apart.
			double off =
				e.query == query_distance
					? off_by( answer, std::max( lower, 0.0 ), std::max( upper, 0.0 ) )
					: off_by( std::max( answer, 0.0 ), std::max( -upper, 0.0 ), std::max( -lower, 0.0 ) );
			out.off += off > 2e-3;
			out.worst = std::max( out.worst, off );
		}
	}
	return out;
}

void bench( const settings& s, size_t shape, convex_regime regime, results& all )
{
	convex_scene scene =
		make_scene( name_of_shape( shape ), shapes[shape], shapes[shape], regime, s.pairs, s.frames );
	std::vector<visit> first = in_order( scene, 0, 1 );
	std::vector<visit> rest = in_order( scene, 1, s.frames );
	std::vector<visit> mixed = shuffled( rest );
	std::vector<size_t> taking;
	for ( size_t i = 0; i < all.entrants.size(); ++i )
	{
		convex_entrant& e = *all.entrants[i];
		if ( takes_part( s, e, scene ) )
		{
			taking.push_back( i );
			e.load( scene );
			all.at[i][shape][regime].answers = judge( e, scene );
		}
	}
	for ( int round = 0; round < s.rounds; ++round )
	{
		for ( size_t i : taking )
		{
			convex_entrant& e = *all.entrants[i];
			cell& c = all.at[i][shape][regime];
			c.seconds[mode_cold].push_back( seconds_of( e, mixed, false ) );
			seconds_of( e, first, false );
			seconds_of( e, first, true );
			c.seconds[mode_coherent].push_back( seconds_of( e, rest, true ) );
			std::string name = std::string( e.library ) + " " + e.name;
			std::string what = std::string( query_names[e.query] ) + " " + regime_names[regime];
			for ( int m = 0; m < modes; ++m )
			{
				sample of = { scene.shape.c_str(), (size_t)shapes[shape], name.c_str(), 1, round };
				write_sample( s.samples, &of, ( what + " " + mode_names[m] ).c_str(), "s",
				              c.seconds[m].back() );
			}
		}
	}
}

void head( const char* before )
{
	printf( "| %s |", before );
	for ( size_t k = 0; k < shape_count; ++k )
	{
		printf( " %s |", name_of_shape( k ).c_str() );
	}
}

void rule( int columns )
{
	putchar( '|' );
	while ( columns-- > 0 )
	{
		printf( " --- |" );
	}
	putchar( '\n' );
}

void print_times( const results& all )
{
	printf( "Microseconds per query, by the number of corners:\n\n" );
	head( "query | regime | mode | entrant" );
	putchar( '\n' );
	rule( 4 + (int)shape_count );
	for ( int q = 0; q < queries; ++q )
	{
		for ( int r = 0; r < regimes; ++r )
		{
			for ( int m = 0; m < modes; ++m )
			{
				for ( size_t i = 0; i < all.entrants.size(); ++i )
				{
					const convex_entrant& e = *all.entrants[i];
					double sum = 0;
					for ( size_t k = 0; k < shape_count; ++k )
					{
						double time = all.at[i][k][r].time( (mode)m );
						sum += std::isnan( time ) ? 0 : time;
					}
					if ( e.query != q || !( sum > 0 ) || ( m == mode_coherent && !e.keeps ) )
					{
						continue;
					}
					printf( "| %s | %s | %s | %s %s |", query_names[q], regime_names[r], mode_names[m],
					        e.library, e.name );
					for ( size_t k = 0; k < shape_count; ++k )
					{
						double time = all.at[i][k][r].time( (mode)m );
						std::isnan( time ) ? printf( " |" ) : printf( " %.3f |", 1e6 * time );
					}
					putchar( '\n' );
				}
			}
		}
	}
}

bool was_asked( const results& all, size_t entrant, int regime )
{
	bool asked = false;
	for ( size_t k = 0; k < shape_count; ++k )
	{
		asked = asked || !all.at[entrant][k][regime].seconds[mode_cold].empty();
	}
	return asked;
}

void print_verdicts( const results& all )
{
	printf( "\nAnswers outside of the certified interval: how many are wrong booleans, or off by more than "
	        "0.001 of the "
	        "size, and the worst, in units of the size; failures in brackets:\n\n" );
	head( "query | regime | entrant" );
	putchar( '\n' );
	rule( 3 + (int)shape_count );
	for ( size_t i = 0; i < all.entrants.size(); ++i )
	{
		const convex_entrant& e = *all.entrants[i];
		for ( int r = 0; r < regimes; ++r )
		{
			if ( !answers_query( e ) || !was_asked( all, i, r ) )
			{
				continue;
			}
			printf( "| %s | %s | %s %s |", query_names[e.query], regime_names[r], e.library, e.name );
			for ( size_t k = 0; k < shape_count; ++k )
			{
				const verdict& v = all.at[i][k][r].answers;
				if ( v.asked == 0 )
				{
					printf( " |" );
					continue;
				}
				printf( " %.2f %%", 100.0 * (double)v.off / (double)v.asked );
				if ( e.query != query_overlap )
				{
					printf( ", %.0e", 0.5 * v.worst );
				}
				v.failed ? printf( " (%zu) |", v.failed ) : printf( " |" );
			}
			putchar( '\n' );
		}
	}
}

// The rows of the table of bars.
struct bars
{
	int rows = 0;
	int missed = 0;
};

void print_bar( bars& out, const std::string& what, const std::string& against,
                const double value[shape_count], double bar, bool at_least, const char* unit )
{
	bool met = true;
	if ( std::all_of( value, value + shape_count, []( double x ) { return std::isnan( x ); } ) )
	{
		return;
	}
	printf( "| %s | %s |", what.c_str(), against.c_str() );
	for ( size_t k = 0; k < shape_count; ++k )
	{
		if ( std::isnan( value[k] ) )
		{
			printf( " |" );
			continue;
		}
		bool good = at_least ? value[k] >= bar : value[k] <= bar;
		met = met && good;
		printf( good ? " %.3g |" : " **%.3g** |", value[k] );
	}
	printf( " %s %.3g%s | %s |\n", at_least ? ">=" : "<=", bar, unit, met ? "met" : "missed" );
	out.rows += 1;
	out.missed += !met;
}

// The median of ratios within a round.
double ratio( const cell& above, mode above_mode, const cell& below, mode below_mode )
{
	std::vector<double> ratios;
	const std::vector<double>& x = above.seconds[above_mode];
	const std::vector<double>& y = below.seconds[below_mode];
	for ( size_t i = 0; i < std::min( x.size(), y.size() ); ++i )
	{
		ratios.push_back( x[i] / y[i] );
	}
	return ratios.empty() ? NAN : median( ratios.data(), (int)ratios.size() );
}

// Of cells of different scenes, which are not measured in turns: of the least times.
double ratio_of_least( const cell& above, mode above_mode, const cell& below, mode below_mode )
{
	const std::vector<double>& x = above.seconds[above_mode];
	const std::vector<double>& y = below.seconds[below_mode];
	return x.empty() || y.empty()
	           ? NAN
	           : *std::min_element( x.begin(), x.end() ) / *std::min_element( y.begin(), y.end() );
}

// By how much a peer's time must exceed ours; 0 for no bar.
double bar_of( const convex_entrant& e )
{
	bool bullet = strcmp( e.library, "Bullet" ) == 0;
	bool epa = strncmp( e.name, "ccdGJKPenetration", 17 ) == 0;
	return e.query == query_distance                     ? ( bullet ? 15 : 4 )
	       : e.query == query_depth && ( bullet || epa ) ? 5
	                                                     : 0;
}

const size_t no_entrant = most_entrants;

size_t find( const results& all, const char* library, const char* name, convex_query query )
{
	for ( size_t i = 0; i < all.entrants.size(); ++i )
	{
		const convex_entrant& e = *all.entrants[i];
		if ( strcmp( e.library, library ) == 0 && ( !name || strcmp( e.name, name ) == 0 ) &&
		     e.query == query )
		{
			return i;
		}
	}
	return no_entrant;
}

std::string described( int query, int regime, const char* mode )
{
	return std::string( query_names[query] ) + ", " + regime_names[regime] + ", " + mode;
}

void print_bars_of_peers( const results& all, bars& out )
{
	for ( int m = 0; m < modes; ++m )
	{
		for ( size_t i = 0; i < all.entrants.size(); ++i )
		{
			const convex_entrant& e = *all.entrants[i];
			size_t ours = find( all, "bv", nullptr, e.query );
			for ( int r = 0; r < regimes && bar_of( e ) > 0 && ours != i; ++r )
			{
				double value[shape_count];
				for ( size_t k = 0; k < shape_count; ++k )
				{
					value[k] = ratio( all.at[i][k][r], (mode)m, all.at[ours][k][r], (mode)m );
				}
				if ( was_asked( all, i, r ) && was_asked( all, ours, r ) )
				{
					print_bar( out, described( e.query, r, mode_names[m] ),
					           std::string( e.library ) + " " + e.name, value, bar_of( e ), true, " x" );
				}
			}
		}
	}
}

void print_own_bars( const results& all, bars& out )
{
	for ( int q = 0; q < queries; ++q )
	{
		size_t ours = find( all, "bv", nullptr, (convex_query)q );
		for ( int r = 0; r < regimes; ++r )
		{
			double value[shape_count];
			for ( size_t k = 0; k < shape_count; ++k )
			{
				value[k] = ratio( all.at[ours][k][r], mode_coherent, all.at[ours][k][r], mode_cold );
			}
			if ( q != query_overlap && was_asked( all, ours, r ) )
			{
				print_bar( out, described( q, r, "coherent" ), "cold", value, 0.1, false, " x" );
			}
		}
		for ( int r = 0; r < regimes; ++r )
		{
			double value[shape_count];
			std::fill_n( value, shape_count, NAN );
			value[shape_of_1000] = ratio_of_least( all.at[ours][shape_of_1000][r], mode_coherent,
			                                       all.at[ours][shape_of_32][r], mode_coherent );
			if ( was_asked( all, ours, r ) )
			{
				print_bar( out, described( q, r, "coherent" ), "that of 32 corners", value, 1.5, false,
				           " x" );
			}
		}
	}
	double value[shape_count];
	size_t ours = find( all, "bv", nullptr, query_overlap );
	for ( size_t k = 0; k < shape_count; ++k )
	{
		value[k] = 1e9 * all.at[ours][k][regime_apart].time( mode_coherent );
	}
	print_bar( out, described( query_overlap, regime_apart, "coherent" ), "a time", value, 100, false,
	           " ns" );
	std::fill_n( value, shape_count, NAN );
	ours = find( all, "bv", nullptr, query_depth );
	size_t peer = find( all, "FCL", "GST_LIBCCD", query_distance );
	value[shape_of_32] = ratio_of_least( all.at[ours][shape_of_32][regime_deep], mode_cold,
	                                     all.at[peer][shape_of_32][regime_apart], mode_cold );
	print_bar( out, described( query_depth, regime_deep, "cold" ), "distance by libccd's GJK (GST_LIBCCD)",
	           value, 0.5, false, " x" );
}

// Leemann 2017, section on throughput: pairs a second by an iteration and by closed forms.
struct form
{
	const char* name;
	int kinds[2];
	double published; // how many times faster the closed form was
};

std::vector<std::unique_ptr<convex_entrant>> entrants_of_forms()
{
	std::vector<std::unique_ptr<convex_entrant>> out;
	out.push_back( std::make_unique<our_entrant>( query_depth ) );
	out.push_back( std::make_unique<our_entrant>( query_depth, bv_convex_method_gjk ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKPenetration", query_depth, ccd_gjk_penetration ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdGJKPenetration to 1e-7", query_depth,
	                                              ccd_gjk_penetration, 1e-7 ) );
	out.push_back( std::make_unique<ccd_entrant>( "ccdMPRPenetration", query_depth, ccd_mpr_penetration ) );
	out.push_back( std::make_unique<fcl_indep_entrant>( "GST_INDEP", query_depth, true ) );
	out.push_back( std::make_unique<fcl_ccd_entrant>( "GST_LIBCCD", query_depth, false ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkPairDetector", query_depth, bullet_pair_detector_epa ) );
	out.push_back(
		std::make_unique<bullet_entrant>( "btGjkEpaSolver2", query_depth, bullet_epa2_penetration ) );
	out.push_back( std::make_unique<ode_entrant>( query_depth ) );
	return out;
}

void bench_form( const settings& s, const form& f )
{
	std::vector<std::unique_ptr<convex_entrant>> entrants = entrants_of_forms();
	convex_scene scene = make_scene( f.name, f.kinds[0], f.kinds[1], regime_deep, s.pairs, s.frames );
	std::vector<visit> mixed = shuffled( in_order( scene, 0, s.frames ) );
	std::vector<cell> cells( entrants.size() );
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		entrants[i]->load( scene );
		cells[i].answers = judge( *entrants[i], scene );
	}
	for ( int round = 0; round < s.rounds; ++round )
	{
		for ( size_t i = 0; i < entrants.size(); ++i )
		{
			std::vector<double>& seconds = cells[i].seconds[mode_cold];
			seconds.push_back( seconds_of( *entrants[i], mixed, false ) );
			std::string name = std::string( entrants[i]->library ) + " " + entrants[i]->name;
			sample of = { f.name, 0, name.c_str(), 1, round };
			write_sample( s.samples, &of, "depth deep cold", "s", seconds.back() );
		}
	}
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		const verdict& v = cells[i].answers;
		double off = 100.0 * (double)( v.off + v.failed ) / (double)v.asked;
		printf( "| %s | %s %s | %.2f | %.1f %%, %.0e |\n", f.name, entrants[i]->library, entrants[i]->name,
		        1e-5 / cells[i].time( mode_cold ), off, 0.5 * v.worst );
	}
	printf( "| %s | default / gjk | %.1f x (published: %.1f x) | |\n", f.name,
	        ratio( cells[1], mode_cold, cells[0], mode_cold ), f.published );
}

void bench_forms( const settings& s )
{
	static const form forms[] = { { "ball, ball", { kind_ball, kind_ball }, 55.6 },
		                          { "ball, box", { kind_ball, kind_box }, 19.5 },
		                          { "box, box", { kind_box, kind_box }, 5.2 } };
	printf(
		"\nDepths of overlapping pairs, cold, and how many are off by more than 0.001 of the size, and the "
		"worst:\n\n| pair | entrant | 100,000 pairs a second | off |\n" );
	rule( 4 );
	for ( const form& f : forms )
	{
		bench_form( s, f );
	}
}

[[noreturn]] void usage()
{
	fprintf( stderr,
	         "usage: bench_convex [--rounds N] [--pairs N] [--frames N] [--shape NAME] [--regime NAME] "
	         "[--query NAME] [--library NAME] [-o SAMPLES.csv]\n" );
	exit( 3 );
}

settings read_options( int argc, char** argv )
{
	settings s;
	for ( int i = 1; i < argc; i += 2 )
	{
		std::string option = argv[i];
		const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
		int number = value ? atoi( value ) : 0;
		if ( option == "--rounds" && number > 0 )
		{
			s.rounds = number;
		}
		else if ( option == "--pairs" && number > 0 )
		{
			s.pairs = (size_t)number;
		}
		else if ( option == "--frames" && number > 1 )
		{
			s.frames = (size_t)number;
		}
		else if ( option == "--shape" && value )
		{
			s.shape = value;
		}
		else if ( option == "--regime" && value )
		{
			s.regime = value;
		}
		else if ( option == "--query" && value )
		{
			s.query = value;
		}
		else if ( option == "--library" && value )
		{
			s.library = value;
		}
		else if ( option == "-o" && value && ( s.samples = open_samples( value ) ) )
		{
		}
		else
		{
			usage();
		}
	}
	return s;
}

} // namespace

int main( int argc, char** argv )
{
	settings s = read_options( argc, argv );
	ode_session ode_is_up;
	auto all = std::make_unique<results>();
	all->entrants = all_entrants();
	for ( size_t shape = 0; shape < shape_count; ++shape )
	{
		for ( int r = 0; r < regimes; ++r )
		{
			if ( is_wanted( s.shape, name_of_shape( shape ).c_str() ) &&
			     is_wanted( s.regime, regime_names[r] ) )
			{
				bench( s, shape, (convex_regime)r, *all );
			}
		}
	}
	print_times( *all );
	print_verdicts( *all );
	if ( !s.shape && !s.regime && !s.query && !s.library )
	{
		bench_forms( s );
	}
	bars out;
	printf( "\nBars. Against others: by how much their time exceeds ours.\n\n" );
	head( "what | against" );
	printf( " bar | |\n" );
	rule( 4 + (int)shape_count );
	print_bars_of_peers( *all, out );
	print_own_bars( *all, out );
	printf( "\n%d of %d bars are met.\n", out.rows - out.missed, out.rows );
	if ( s.samples )
	{
		fclose( s.samples );
	}
	return out.missed > 0;
}
