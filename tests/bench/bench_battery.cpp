// What libraries answer to pairs of convex shapes and casts from issues (tests/reference/battery.h), as one table in Markdown.
//
//   bench_battery [--limit SECONDS] [--details FILE] NAME COMMAND...   prints the tables
//   bench_battery --pairs                          prints all pairs as JSON
//   bench_battery --answers PEER FROM              prints one line per pair, from the pair FROM on (battery_print)
//
// Peers of this program are this library, libccd, FCL, Bullet in double precision and ODE. Each further NAME is a peer whose
// answers COMMAND prints, a shell command to which FROM is appended. Every peer runs in a process of its own: one that needs
// more than --limit seconds (10) for a pair, or that crashes, has no answer to it, and is started again with the next one, up
// to 50 times.
//
// An answer is right if all that a library says is right: whether shapes meet, unless they touch within the tolerance; the
// distance, depth or time; the normal within 2 degrees, or of any best direction where there are several; points on the
// surfaces, opposite to each other; a single contact between the deepest points. The tolerance is 1 % of the value, plus 1e-4 of
// the smaller shape's size, plus 2^-21 of the largest coordinate for libraries in single precision; twenty times that for
// points. A time is judged by how far the shapes' planes are from each other then: up to ten times the tolerance. Whether a
// cast that touches at its start and does not approach is a hit is a matter of convention: both are right. Nothing is wrong
// about what a library does not say. --details writes every wrong answer to a file.

#include "tests/bench/peer_bullet_battery.h"
#include "tests/bench/peer_ccd_battery.h"
#include "tests/bench/peer_fcl_battery.h"
#include "tests/bench/peer_ode_battery.h"

#include <gmp.h> // not within the block, as it has operators of C++

extern "C" {
#include "tests/reference/convex_exact.h"
}

#include "bv/convex.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static_assert( sizeof( btScalar ) == sizeof( double ), "Bullet's double precision build" );

namespace {

struct our_battery : battery_peer
{
	using battery_peer::battery_peer;

	void ask( const battery_pair& pair, battery_answer* answer ) override
	{
		bv_vec3 room[2][battery_most_points];
		bv_convex a = battery_convex( &pair.shape[0], room[0] );
		bv_convex b = battery_convex( &pair.shape[1], room[1] );
		answer->is_given = true;
		bv_status status;
		if ( pair.is_cast )
		{
			bv_convex_cast_options o = bv_convex_cast_options_default();
			o.limit = pair.limit;
			bv_convex_cast_result r;
			status = bv_convex_cast( &a, &b, nullptr, pair.motion[0], pair.motion[1], &o, &r );
			answer->meets = r.found;
			answer->value = r.found ? r.lower : NAN;
			answer->normal = r.normal;
			answer->contact = r.point[1];
		}
		else
		{
			bv_convex_overlap_result o;
			bv_convex_result r;
			status = bv_convex_overlap( &a, &b, nullptr, nullptr, &o );
			status = status == bv_ok ? bv_convex_distance( &a, &b, nullptr, nullptr, &r ) : status;
			answer->meets = o.overlaps;
			answer->value = r.upper;
			answer->normal = r.normal;
			answer->point[0] = r.point[0];
			answer->point[1] = r.point[1];
		}
		answer->failure = status == bv_ok ? "" : "error";
	}
};

const char* const our_peers[] = { "this library", "libccd GJK",  "libccd MPR", "FCL, libccd",
	                              "FCL, indep",   "FCL, signed", "Bullet",     "ODE" };

std::unique_ptr<battery_peer> peer_called( const std::string& name )
{
	size_t i = 0;
	while ( i < std::size( our_peers ) && name != our_peers[i] )
	{
		++i;
	}
	switch ( i )
	{
	case 0: return std::make_unique<our_battery>( our_peers[i] );
	case 1: return std::make_unique<ccd_battery>( our_peers[i], false );
	case 2: return std::make_unique<ccd_battery>( our_peers[i], true );
	case 3: return std::make_unique<fcl_battery>( our_peers[i], fcl::GST_LIBCCD, false );
	case 4: return std::make_unique<fcl_battery>( our_peers[i], fcl::GST_INDEP, false );
	case 5: return std::make_unique<fcl_battery>( our_peers[i], fcl::GST_LIBCCD, true );
	case 6: return std::make_unique<bullet_battery>( our_peers[i] );
	case 7: return std::make_unique<ode_battery>( our_peers[i] );
	default: return nullptr;
	}
}

void print_vec( const char* key, const bv_vec3& v )
{
	printf( ",\"%s\":[%.17g,%.17g,%.17g]", key, v.x, v.y, v.z );
}

void print_shape( const battery_shape& s )
{
	static const char* const kinds[] = { "ball", "box", "capsule", "cylinder", "cone", "hull" };
	printf( "{\"kind\":\"%s\",\"radius\":%.17g", kinds[s.kind], s.radius );
	print_vec( "half", s.half );
	print_vec( "position", s.position );
	printf( ",\"rotation\":[" );
	for ( int i = 0; i < 9; ++i )
	{
		printf( "%s%.17g", i ? "," : "", s.rotation[i / 3][i % 3] );
	}
	printf( "],\"points\":[" );
	for ( uint32_t i = 0; i < s.count; ++i )
	{
		printf( "%s[%.17g,%.17g,%.17g]", i ? "," : "", s.points[i].x, s.points[i].y, s.points[i].z );
	}
	printf( "]}" );
}

void print_pairs()
{
	printf( "[" );
	const char* separator = "";
	for ( uint32_t c = 0; c < battery_case_count; ++c )
	{
		for ( uint32_t i = 0; i < battery_cases[c].count; ++i )
		{
			battery_pair pair;
			battery_make( &battery_cases[c], i, &pair );
			printf( "%s\n{\"cast\":%s,\"limit\":%.17g,\"shapes\":[", separator,
			        pair.is_cast ? "true" : "false", pair.limit );
			print_shape( pair.shape[0] );
			printf( "," );
			print_shape( pair.shape[1] );
			printf( "]" );
			print_vec( "motion_a", pair.motion[0] );
			print_vec( "motion_b", pair.motion[1] );
			printf( "}" );
			separator = ",";
		}
	}
	printf( "\n]\n" );
}

// The answers of a process that may hang or crash.
struct runner
{
	std::string command;
	int limit;
	std::vector<battery_answer> answers;
	size_t next = 0; // pair that is to be answered
	static const int most_starts = 50;

	void read_line( const char* line )
	{
		size_t item;
		char status[64];
		battery_answer a;
		double v[12];
		int fields = sscanf( line, "%zu %63s %d %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &item,
		                     status, &a.meets, &a.value, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
		                     v + 8, v + 9, v + 10, v + 11 );
		if ( fields != 16 || item != next || item >= answers.size() )
		{
			return; // what a library prints by itself
		}
		a.is_given = strcmp( status, "none" ) != 0;
		a.failure = a.is_given && strcmp( status, "ok" ) != 0 ? status : "";
		bv_vec3* vecs[4] = { &a.normal, &a.point[0], &a.point[1], &a.contact };
		for ( int i = 0; i < 4; ++i )
		{
			*vecs[i] = { v[3 * i], v[3 * i + 1], v[3 * i + 2] };
		}
		answers[next++] = a;
	}

	// @return whether it ended by itself; otherwise why not is the answer to the next pair
	void run_once()
	{
		int ends[2];
		if ( pipe( ends ) != 0 )
		{
			exit( 2 );
		}
		std::string whole = "exec " + command + " " + std::to_string( next );
		pid_t child = fork();
		if ( child == 0 )
		{
			dup2( ends[1], 1 );
			dup2( open( "/dev/null", O_WRONLY ), 2 );
			close( ends[0] );
			close( ends[1] );
			execl( "/bin/sh", "sh", "-c", whole.c_str(), (char*)nullptr );
			_exit( 127 );
		}
		close( ends[1] );
		std::string text;
		bool hangs = false;
		for ( ;; )
		{
			pollfd waited = { ends[0], POLLIN, 0 };
			hangs = poll( &waited, 1, 1000 * limit ) == 0;
			char buffer[4096];
			ssize_t size = hangs ? 0 : read( ends[0], buffer, sizeof buffer );
			if ( size <= 0 )
			{
				break;
			}
			text.append( buffer, (size_t)size );
			for ( size_t end; ( end = text.find( '\n' ) ) != std::string::npos; text.erase( 0, end + 1 ) )
			{
				read_line( text.substr( 0, end ).c_str() );
			}
		}
		close( ends[0] );
		if ( hangs )
		{
			kill( child, SIGKILL );
		}
		int status = 0;
		waitpid( child, &status, 0 );
		if ( next < answers.size() )
		{
			answers[next].is_given = true;
			answers[next++].failure = hangs ? "hangs" : "crashes";
		}
	}

	void run()
	{
		size_t count = 0;
		for ( uint32_t c = 0; c < battery_case_count; ++c )
		{
			count += battery_cases[c].count;
		}
		answers.resize( count );
		for ( int starts = 0; next < count && starts < most_starts; ++starts )
		{
			run_once();
		}
		for ( ; next < count && next > 0; ++next )
		{
			answers[next] = answers[next - 1];
		}
	}
};

// What is right about a pair.
struct truth
{
	battery_pair pair;
	bv_vec3 room[2][battery_most_points];
	bv_convex hull[2];
	double value;
	double size; // of the smaller shape
	double tolerance;
	convex_exact* exact;

	double gap( const bv_vec3& n ) const
	{
		return -battery_extent( &pair.shape[1], room[1], bv_negate( n ) ) -
		       battery_extent( &pair.shape[0], room[0], n );
	}

	double outside( int which, const bv_vec3& p ) const
	{
		if ( pair.shape[which].kind != battery_hull )
		{
			return battery_outside( &pair.shape[which], p );
		}
		bv_convex point = bv_convex_point( p );
		convex_exact_result r;
		return convex_exact_compare( exact, &point, nullptr, &hull[which], nullptr, &r ) ? r.upper : NAN;
	}

	truth( const battery_case& of, uint32_t index, convex_exact* memory ) : exact( memory )
	{
		battery_make( &of, index, &pair );
		double sizes[2] = { 0, 0 }, reach = 0;
		for ( int s = 0; s < 2; ++s )
		{
			hull[s] = battery_convex( &pair.shape[s], room[s] );
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 n = { k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0 };
				double above = battery_extent( &pair.shape[s], room[s], n );
				double below = battery_extent( &pair.shape[s], room[s], bv_negate( n ) );
				sizes[s] = std::max( sizes[s], above + below );
				reach = std::max( { reach, std::fabs( above ), std::fabs( below ) } );
			}
		}
		size = sizes[0] > 0 && sizes[1] > 0 ? std::min( sizes[0], sizes[1] ) : std::max( sizes[0], sizes[1] );
		value = pair.value;
		if ( std::isnan( value ) )
		{
			convex_exact_result r;
			convex_exact_compare( exact, &hull[0], nullptr, &hull[1], nullptr, &r );
			value = r.sign == 0 ? 0 : r.lower;
		}
		tolerance = ( pair.is_cast ? 0 : 0.01 * std::fabs( value ) ) + 1e-4 * size + 0x1p-21 * reach;
	}
};

bool is_known( const bv_vec3& v )
{
	return std::isfinite( v.x ) && std::isfinite( v.y ) && std::isfinite( v.z );
}

std::string number( const char* format, double value )
{
	char text[64];
	snprintf( text, sizeof text, format, value );
	return text;
}

const double two_degrees = 0.035;

std::string fault_of_normal( const truth& t, const battery_answer& a )
{
	if ( std::isnan( a.normal.x ) && std::isnan( a.normal.y ) && std::isnan( a.normal.z ) )
	{
		return "";
	}
	double length = bv_length( a.normal );
	if ( !( length > 0.5 ) )
	{
		return "normal 0";
	}
	bv_vec3 n = bv_scale( 1 / length, a.normal );
	if ( bv_length( t.pair.normal ) > 0 )
	{
		double angle = std::atan2( bv_length( bv_cross( n, t.pair.normal ) ), bv_dot( n, t.pair.normal ) );
		return angle < two_degrees ? "" : number( "normal %.3g° off", angle * 180 / 3.14159265358979 );
	}
	double lost = t.value - t.gap( n );
	return lost <= t.tolerance + two_degrees * t.size ? ""
	                                                  : number( "normal: depth along it %.3g", -t.gap( n ) );
}

std::string fault_of_points( const truth& t, const battery_answer& a )
{
	double allowed = 20 * t.tolerance, off = 0;
	if ( is_known( a.point[0] ) && is_known( a.point[1] ) )
	{
		off = std::max( t.outside( 0, a.point[0] ), t.outside( 1, a.point[1] ) );
		double apart = bv_length( bv_sub( a.point[1], a.point[0] ) );
		off = std::max( off, std::fabs( apart - std::fabs( t.value ) ) );
	}
	else if ( is_known( a.contact ) )
	{
		off = std::max( t.outside( 0, a.contact ), t.outside( 1, a.contact ) ) - std::fabs( t.value );
	}
	return off <= allowed ? "" : number( "point %.3g off", off );
}

// Where the shapes are at the time of the answer, and the contact then.
std::string fault_of_cast( const truth& t, const battery_answer& a )
{
	bool hits = std::isfinite( t.value );
	bv_vec3 relative = bv_sub( t.pair.motion[1], t.pair.motion[0] );
	bool approaches = bv_dot( relative, t.pair.normal ) < 0;
	if ( t.value == 0 && !approaches && t.gap( t.pair.normal ) >= -t.tolerance )
	{
		return "";
	}
	if ( a.meets != hits )
	{
		double gap = t.gap( t.pair.normal ) + a.value * bv_dot( relative, t.pair.normal );
		if ( a.meets && std::fabs( gap ) <= t.tolerance )
		{
			return ""; // as close as that
		}
		return a.meets ? number( "hit at %.4g", a.value ) : "missed";
	}
	if ( !hits )
	{
		return "";
	}
	double gap = ( a.value - t.value ) * bv_dot( relative, t.pair.normal );
	bool at_start = t.value == 0;
	if ( at_start ? std::fabs( a.value ) * bv_length( relative ) > 10 * t.tolerance
	              : !( std::fabs( gap ) <= 10 * t.tolerance ) )
	{
		return number( "time %.4g", a.value );
	}
	if ( is_known( a.contact ) )
	{
		double off = -INFINITY;
		for ( int s = 0; s < 2; ++s )
		{
			bv_vec3 back = bv_sub( a.contact, bv_scale( a.value, t.pair.motion[s] ) );
			off = std::max( off, t.outside( s, back ) );
		}
		double deep = at_start ? std::max( 0.0, -t.gap( t.pair.normal ) ) : 0;
		if ( off > deep + 20 * t.tolerance )
		{
			return number( "point %.3g off", off );
		}
	}
	return fault_of_normal( t, a );
}

std::string fault_of( const truth& t, const battery_answer& a )
{
	if ( !a.failure.empty() )
	{
		return a.failure;
	}
	if ( t.pair.is_cast )
	{
		return fault_of_cast( t, a );
	}
	if ( a.meets >= 0 && std::fabs( t.value ) > t.tolerance && a.meets != ( t.value <= 0 ) )
	{
		return a.meets ? "overlap" : "apart";
	}
	// Apart, and that is all it says; or nothing to say about shapes that touch.
	if ( std::isnan( a.value ) )
	{
		return a.meets == 1 ? "NaN" : "";
	}
	if ( !( std::fabs( a.value - t.value ) <= t.tolerance ) )
	{
		bool is_depth = a.value < 0 || a.meets == 1;
		return number( is_depth ? "depth %.4g" : "distance %.4g", std::fabs( a.value ) );
	}
	std::string normal = fault_of_normal( t, a ), points = fault_of_points( t, a );
	return normal.empty() ? points : normal;
}

struct column
{
	std::string name;
	runner answers;
	uint32_t right = 0;
	uint32_t asked = 0;
};

std::string text_of_truth( const battery_case& of, convex_exact* exact )
{
	double least = INFINITY, most = -INFINITY;
	for ( uint32_t i = 0; i < of.count; ++i )
	{
		truth t( of, i, exact );
		least = std::min( least, t.value );
		most = std::max( most, t.value );
	}
	auto one = []( double v ) { return std::isinf( v ) ? std::string( "none" ) : number( "%.4g", v + 0.0 ); };
	return one( least ) == one( most )
	           ? one( least )
	           : one( least ) + ( std::isinf( most ) ? " or " : " to " ) + one( most );
}

// @return the cell of one case and one peer
std::string judge( const battery_case& of, size_t first, column* by, convex_exact* exact, FILE* details )
{
	uint32_t asked = 0, wrong = 0;
	std::string worst;
	for ( uint32_t i = 0; i < of.count; ++i )
	{
		const battery_answer& a = by->answers.answers[first + i];
		if ( !a.is_given )
		{
			continue;
		}
		truth t( of, i, exact );
		std::string fault = fault_of( t, a );
		++asked;
		wrong += !fault.empty();
		worst = worst.empty() ? fault : worst;
		if ( details && !fault.empty() )
		{
			fprintf( details, "%s, pair %u, %s: %s; right %.9g, answer %d %.9g\n", of.issue, i,
			         by->name.c_str(), fault.c_str(), t.value, a.meets, a.value );
		}
	}
	by->asked += asked > 0;
	by->right += asked > 0 && wrong == 0;
	return asked == 0   ? "–"
	       : wrong == 0 ? "right"
	       : of.count == 1
	           ? "**" + worst + "**"
	           : "**" + worst + "** (" + std::to_string( wrong ) + " of " + std::to_string( asked ) + ")";
}

void print_table( bool casts, std::vector<std::unique_ptr<column>>& columns, convex_exact* exact,
                  FILE* details )
{
	printf( "| issue | pairs | %s |", casts ? "time" : "signed distance" );
	std::vector<column*> shown;
	std::string rule = "| --- | ---: | --- |";
	std::vector<std::string> rows;
	std::vector<bool> says( columns.size() );
	std::vector<std::vector<std::string>> cells;
	size_t first = 0;
	for ( uint32_t c = 0; c < battery_case_count; first += battery_cases[c++].count )
	{
		battery_pair pair;
		battery_make( &battery_cases[c], 0, &pair );
		if ( pair.is_cast != casts )
		{
			continue;
		}
		std::string issue = battery_cases[c].issue;
		rows.push_back( "| " + issue + " | " + std::to_string( battery_cases[c].count ) + " | " +
		                text_of_truth( battery_cases[c], exact ) + " |" );
		cells.emplace_back();
		for ( size_t k = 0; k < columns.size(); ++k )
		{
			cells.back().push_back( judge( battery_cases[c], first, columns[k].get(), exact, details ) );
			says[k] = says[k] || cells.back().back() != "–";
		}
	}
	for ( size_t k = 0; k < columns.size(); ++k )
	{
		if ( says[k] )
		{
			printf( " %s |", columns[k]->name.c_str() );
			rule += " --- |";
		}
	}
	printf( "\n%s\n", rule.c_str() );
	for ( size_t r = 0; r < rows.size(); ++r )
	{
		printf( "%s", rows[r].c_str() );
		for ( size_t k = 0; k < columns.size(); ++k )
		{
			if ( says[k] )
			{
				printf( " %s |", cells[r][k].c_str() );
			}
		}
		printf( "\n" );
	}
	printf( "| **all right** | | |" );
	for ( size_t k = 0; k < columns.size(); ++k )
	{
		if ( says[k] )
		{
			printf( " %u of %u |", columns[k]->right, columns[k]->asked );
		}
		columns[k]->right = columns[k]->asked = 0;
	}
	printf( "\n" );
}

} // namespace

int main( int argc, char** argv )
{
	if ( argc == 2 && strcmp( argv[1], "--pairs" ) == 0 )
	{
		print_pairs();
		return 0;
	}
	if ( argc == 4 && strcmp( argv[1], "--answers" ) == 0 )
	{
		std::unique_ptr<battery_peer> peer = peer_called( argv[2] );
		if ( !peer )
		{
			return 3;
		}
		battery_ask_all( peer.get(), strtoul( argv[3], nullptr, 10 ) );
		return 0;
	}
	int limit = 10, at = 1;
	FILE* details = nullptr;
	for ( ; at + 1 < argc && argv[at][0] == '-'; at += 2 )
	{
		if ( strcmp( argv[at], "--limit" ) == 0 )
		{
			limit = atoi( argv[at + 1] );
		}
		else if ( strcmp( argv[at], "--details" ) == 0 )
		{
			details = fopen( argv[at + 1], "w" );
		}
	}
	if ( limit < 1 || ( argc - at ) % 2 != 0 )
	{
		fprintf( stderr, "usage: bench_battery [--limit SECONDS] [--details FILE] NAME COMMAND...\n" );
		return 3;
	}
	std::vector<std::unique_ptr<column>> columns;
	auto add = [&columns, limit]( const std::string& name, const std::string& command ) {
		columns.push_back( std::make_unique<column>() );
		columns.back()->name = name;
		columns.back()->answers.command = command;
		columns.back()->answers.limit = limit;
		columns.back()->answers.run();
	};
	for ( const char* name : our_peers )
	{
		add( name, std::string( "'" ) + argv[0] + "' --answers '" + name + "'" );
	}
	for ( ; at + 1 < argc; at += 2 )
	{
		add( argv[at], argv[at + 1] );
	}
	convex_exact* exact = convex_exact_create();
	print_table( false, columns, exact, details );
	printf( "\n" );
	print_table( true, columns, exact, details );
	convex_exact_destroy( exact );
	if ( details )
	{
		fclose( details );
	}
	return 0;
}
