// Compares bvinspect --distance --of hull and --of parts with CGAL's Polytope_distance_d in exact arithmetic.
//
//   pairs_cgal [-n POSES] [-s SEED] [-a] BVINSPECT FILE.bvh FILE.bvh...
//
// Each file is compared with the next one, and the last with the first, or with -a each with each, itself included. Half of
// the poses (of 1,000) are random rotations with the centers of the boxes of both hulls at most 1.5 times as far apart as both
// half diagonals together. The others are these, moved along the normal by minus the lower bound, so that the shapes touch to
// rounding, and then by 0, +-1e-12, +-1e-9, +-1e-6 or 1e-3 of the size.
//
// The shapes are those of the binary64 numbers that the file and the pose have: corners plus offset, moved by the matrix, all
// without rounding. CGAL finds the square of the distance as a fraction. That must be within the squares of lower and upper where
// lower is above 0, and 0 where upper is below 0. Of parts it is the minimum of all pairs, except those whose boxes are farther
// apart than another pair. Depths are not compared: CGAL has none.
//
// The table counts poses that are apart, of them those nearer than the smaller half diagonal, and those that overlap; of both
// those by less than 1e-8 of the smaller half diagonal; those that touch to rounding, of which CGAL finds some apart. The
// widest interval of shapes that are apart is a part of the distance, less four units in the last place of the coordinates.
//
// Gaertner, Schoenherr 2000: An efficient, exact, and generic quadratic programming solver for geometric optimization.
//
// Exits with 1 if anything is wrong, with 2 for usage and files.

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"

#include <CGAL/Gmpzf.h>
#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <CGAL/Simple_cartesian.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using number = CGAL::Gmpzf;
using kernel = CGAL::Simple_cartesian<number>;
using point = kernel::Point_3;
using traits = CGAL::Polytope_distance_d_traits_3<kernel, number, number>;
using solver = CGAL::Polytope_distance_d<traits>;

[[noreturn]] void fail( const std::string& message )
{
	fprintf( stderr, "pairs_cgal: %s\n", message.c_str() );
	exit( 2 );
}

// A convex polytope: its corners exactly, and the box around them, to rounding.
struct polytope
{
	std::vector<point> corners;
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };

	void add( const point& p )
	{
		corners.push_back( p );
		for ( int k = 0; k < 3; ++k )
		{
			double at = CGAL::to_double( p[k] );
			lower[k] = std::min( lower[k], at );
			upper[k] = std::max( upper[k], at );
		}
	}
};

using polytopes = std::vector<polytope>;

struct content
{
	std::string path;
	polytopes hull; // one
	polytopes parts;
	double center[3];
	double half_diagonal;
};

// The accessors add the offset and round. Files with an offset are not read.
content read_file( const char* path )
{
	content out;
	bvb_mapping mapping;
	bvb_error error = { "" };
	if ( bvb_file_map( path, &mapping, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bv_file* file = mapping.file;
	bv_vec3 offset = bv_file_get_offset( file );
	bv_hull_info hull = bv_file_get_hull( file );
	bv_decomposition_info parts = bv_file_get_decomposition( file );
	if ( hull.vertices == 0 || parts.parts == 0 || offset.x != 0 || offset.y != 0 || offset.z != 0 )
	{
		fail( std::string( path ) + ": needs a hull and convex parts, and no offset" );
	}
	out.path = path;
	out.hull.resize( 1 );
	for ( uint32_t i = 0; i < hull.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_hull_position( file, i );
		out.hull[0].add( point( number( p.x ), number( p.y ), number( p.z ) ) );
	}
	out.parts.resize( parts.parts );
	for ( uint32_t i = 0; i < parts.parts; ++i )
	{
		bv_part part;
		bv_file_get_part( file, i, &part );
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			bv_vec3 p = bv_file_get_part_vertex( file, i, k );
			out.parts[i].add( point( number( p.x ), number( p.y ), number( p.z ) ) );
		}
	}
	double square = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out.center[k] = ( out.hull[0].lower[k] + out.hull[0].upper[k] ) / 2;
		square += std::pow( ( out.hull[0].upper[k] - out.hull[0].lower[k] ) / 2, 2 );
	}
	out.half_diagonal = std::sqrt( square );
	bvb_file_unmap( &mapping );
	return out;
}

struct pose
{
	double turn[3][3];
	double move[3];
};

polytopes place( const polytopes& shapes, const pose& at )
{
	polytopes out( shapes.size() );
	for ( size_t i = 0; i < shapes.size(); ++i )
	{
		for ( const point& p : shapes[i].corners )
		{
			number q[3];
			for ( int k = 0; k < 3; ++k )
			{
				q[k] = number( at.turn[k][0] ) * p[0] + number( at.turn[k][1] ) * p[1] +
				       number( at.turn[k][2] ) * p[2] + number( at.move[k] );
			}
			out[i].add( point( q[0], q[1], q[2] ) );
		}
	}
	return out;
}

// A row of bvinspect's table.
struct row
{
	double lower;
	double upper;
	double normal[3];
	uint32_t part[2];
};

std::vector<std::string> fields_of( const char* line )
{
	std::vector<std::string> out( 1 );
	for ( ; *line && *line != '\n'; ++line )
	{
		if ( *line == ',' )
		{
			out.emplace_back();
		}
		else
		{
			out.back() += *line;
		}
	}
	return out;
}

std::string quoted( const std::string& text )
{
	std::string out = "'";
	for ( char c : text )
	{
		out += c == '\'' ? std::string( "'\\''" ) : std::string( 1, c );
	}
	return out + "'";
}

std::vector<row> inspect( const std::string& bvinspect, const content& a, const content& b, const char* of,
                          const std::vector<pose>& poses )
{
	char path[] = "/tmp/pairs_cgal.XXXXXX";
	int descriptor = mkstemp( path );
	FILE* file = descriptor >= 0 ? fdopen( descriptor, "w" ) : nullptr;
	if ( !file )
	{
		fail( "cannot write poses" );
	}
	fprintf( file, "r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz\n" );
	for ( const pose& p : poses )
	{
		for ( int k = 0; k < 9; ++k )
		{
			fprintf( file, "%.17g,", p.turn[k / 3][k % 3] );
		}
		fprintf( file, "%.17g,%.17g,%.17g\n", p.move[0], p.move[1], p.move[2] );
	}
	fclose( file );
	std::string command = quoted( bvinspect ) + " -q " + quoted( a.path ) + " --distance " +
	                      quoted( b.path ) + " --of " + of + " --poses " + path;
	FILE* table = popen( command.c_str(), "r" );
	char line[4096];
	std::map<std::string, size_t> column;
	std::vector<row> out;
	while ( table && fgets( line, sizeof line, table ) )
	{
		std::vector<std::string> fields = fields_of( line );
		if ( column.empty() )
		{
			for ( size_t i = 0; i < fields.size(); ++i )
			{
				column[fields[i]] = i;
			}
			continue;
		}
		auto value = [&]( const char* name ) {
			return strtod( fields.at( column.at( name ) ).c_str(), nullptr );
		};
		row r = {
			value( "lower" ), value( "upper" ), { value( "nx" ), value( "ny" ), value( "nz" ) }, { 0, 0 }
		};
		if ( column.count( "part_a" ) )
		{
			r.part[0] = (uint32_t)value( "part_a" );
			r.part[1] = (uint32_t)value( "part_b" );
		}
		out.push_back( r );
	}
	bool good = table && pclose( table ) == 0 && out.size() == poses.size();
	remove( path );
	if ( !good )
	{
		fail( "failed: " + command );
	}
	return out;
}

// The square of a distance.
struct fraction
{
	number above;
	number below; // positive

	bool operator<( const fraction& other ) const
	{
		return above * other.below < other.above * below;
	}
};

uint64_t solved; // distances by CGAL

fraction distance_of( const polytope& a, const polytope& b )
{
	++solved;
	solver s( a.corners.begin(), a.corners.end(), b.corners.begin(), b.corners.end() );
	return { s.squared_distance_numerator(), s.squared_distance_denominator() };
}

// The gap of two boxes, less what they are rounded by.
double box_gap( const polytope& a, const polytope& b )
{
	double square = 0;
	double size = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double gap = std::max( { 0.0, a.lower[k] - b.upper[k], b.lower[k] - a.upper[k] } );
		square += gap * gap;
		size += std::fabs( a.lower[k] ) + std::fabs( a.upper[k] ) + std::fabs( b.lower[k] ) +
		        std::fabs( b.upper[k] );
	}
	return std::max( 0.0, std::sqrt( square ) - 1e-12 * size );
}

fraction least_distance( const polytopes& a, const polytopes& b )
{
	std::vector<std::array<double, 3>> order;
	for ( size_t i = 0; i < a.size(); ++i )
	{
		for ( size_t k = 0; k < b.size(); ++k )
		{
			order.push_back( { box_gap( a[i], b[k] ), (double)i, (double)k } );
		}
	}
	std::sort( order.begin(), order.end() );
	fraction best = { number( 1 ), number( 0 ) };
	double bound = INFINITY;
	for ( const auto& next : order )
	{
		if ( next[0] > bound )
		{
			break;
		}
		fraction found = distance_of( a[(size_t)next[1]], b[(size_t)next[2]] );
		if ( bound == INFINITY || found < best )
		{
			best = found;
			bound =
				std::sqrt( CGAL::to_double( found.above ) / CGAL::to_double( found.below ) ) * ( 1 + 1e-9 );
			if ( found.above == number( 0 ) )
			{
				break;
			}
		}
	}
	return best;
}

struct tally
{
	uint64_t poses;
	uint64_t apart;          // lower is above 0
	uint64_t near;           // of them: by less than the half diagonal of the smaller one
	uint64_t overlap;        // upper is below 0
	uint64_t contact;        // of both: by less than 1e-8 of the half diagonal of the smaller one
	uint64_t touching;       // the others
	uint64_t touching_apart; // of them: CGAL has a distance above 0
	uint64_t wrong;
	double widest; // width of intervals in parts of the distance, without four units of the coordinates
	double seconds;

	void add( const tally& t )
	{
		poses += t.poses;
		apart += t.apart;
		near += t.near;
		overlap += t.overlap;
		contact += t.contact;
		touching += t.touching;
		touching_apart += t.touching_apart;
		wrong += t.wrong;
		widest = std::max( widest, t.widest );
		seconds += t.seconds;
	}
};

void print_row( const char* name, const tally& t )
{
	printf( "| %s | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %.1e | %llu | %.0f |\n", name,
	        (unsigned long long)t.poses, (unsigned long long)t.apart, (unsigned long long)t.near,
	        (unsigned long long)t.overlap, (unsigned long long)t.contact, (unsigned long long)t.touching,
	        (unsigned long long)t.touching_apart, t.widest, (unsigned long long)t.wrong, t.seconds );
	fflush( stdout );
}

// @return whether the row contains the true distance and does not report as apart, or as overlapping, what is not
bool is_right( const row& r, const fraction& square )
{
	auto at_most = [&]( double length ) { return number( length ) * number( length ) * square.below; };
	if ( !( r.lower <= r.upper ) )
	{
		return false;
	}
	if ( r.upper < 0 )
	{
		return square.above == number( 0 );
	}
	bool below = !( at_most( r.upper ) < square.above );
	bool above = r.lower <= 0 || !( square.above < at_most( r.lower ) );
	return below && above;
}

void judge( const content& a, const content& b, const char* of, const std::vector<pose>& poses,
            const std::vector<row>& rows, tally* t )
{
	bool hull = strcmp( of, "hull" ) == 0;
	const polytopes& fixed = hull ? a.hull : a.parts;
	double size = std::min( a.half_diagonal, b.half_diagonal );
	for ( size_t i = 0; i < poses.size(); ++i )
	{
		const row& r = rows[i];
		polytopes moved = place( hull ? b.hull : b.parts, poses[i] );
		fraction square =
			r.upper < 0 ? distance_of( fixed[r.part[0]], moved[r.part[1]] ) : least_distance( fixed, moved );
		t->poses += 1;
		t->apart += r.lower > 0;
		t->near += r.lower > 0 && r.lower < size;
		t->overlap += r.upper < 0;
		t->contact += std::min( std::fabs( r.lower ), std::fabs( r.upper ) ) < 1e-8 * size;
		bool touches = r.lower <= 0 && r.upper >= 0;
		t->touching += touches;
		t->touching_apart += touches && square.above != number( 0 );
		if ( r.lower > 0 )
		{
			double reach = 0;
			for ( int k = 0; k < 3; ++k )
			{
				for ( const polytope& p : moved )
				{
					reach = std::max( { reach, std::fabs( p.lower[k] ), std::fabs( p.upper[k] ) } );
				}
			}
			double rounding = 4 * ( std::nextafter( reach, INFINITY ) - reach );
			t->widest = std::max( t->widest, ( r.upper - r.lower - rounding ) / r.upper );
		}
		if ( !is_right( r, square ) )
		{
			t->wrong += 1;
			fprintf( stderr, "%s, %s, --of %s: pose %zu: %.17g to %.17g, CGAL has %.17g\n", a.path.c_str(),
			         b.path.c_str(), of, i, r.lower, r.upper,
			         std::sqrt( CGAL::to_double( square.above ) / CGAL::to_double( square.below ) ) );
		}
	}
}

class maker {
  public:
	explicit maker( uint64_t seed ) : bits( seed )
	{
	}

	double unit()
	{
		return (double)( bits() >> 11 ) * 0x1p-53;
	}

	// Uniform on the sphere of 4 dimensions or of 3: rejection from the cube.
	void direction( double* v, int dimensions )
	{
		double square;
		do
		{
			square = 0;
			for ( int k = 0; k < dimensions; ++k )
			{
				v[k] = 2 * unit() - 1;
				square += v[k] * v[k];
			}
		} while ( square > 1 || square < 0.01 );
		for ( int k = 0; k < dimensions; ++k )
		{
			v[k] /= std::sqrt( square );
		}
	}

	pose next( const content& a, const content& b )
	{
		double q[4];
		double way[3];
		direction( q, 4 );
		direction( way, 3 );
		double x = q[0], y = q[1], z = q[2], w = q[3];
		pose out = { { { 1 - 2 * ( y * y + z * z ), 2 * ( x * y - z * w ), 2 * ( x * z + y * w ) },
			           { 2 * ( x * y + z * w ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - x * w ) },
			           { 2 * ( x * z - y * w ), 2 * ( y * z + x * w ), 1 - 2 * ( x * x + y * y ) } },
			         {} };
		double far = 1.5 * unit() * ( a.half_diagonal + b.half_diagonal );
		for ( int k = 0; k < 3; ++k )
		{
			out.move[k] = a.center[k] + far * way[k];
			for ( int i = 0; i < 3; ++i )
			{
				out.move[k] -= out.turn[k][i] * b.center[i];
			}
		}
		return out;
	}

  private:
	std::mt19937_64 bits;
};

tally compare( const std::string& bvinspect, const content& a, const content& b, const char* of,
               uint32_t count, uint64_t seed )
{
	static const double steps[] = { 0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3 };
	auto start = std::chrono::steady_clock::now();
	tally t = {};
	maker make( seed );
	std::vector<pose> poses;
	for ( uint32_t i = 0; i < ( count + 1 ) / 2; ++i )
	{
		poses.push_back( make.next( a, b ) );
	}
	std::vector<row> rows = inspect( bvinspect, a, b, of, poses );
	judge( a, b, of, poses, rows, &t );
	poses.resize( count / 2 );
	for ( size_t i = 0; i < poses.size(); ++i )
	{
		double way = steps[i % ( sizeof steps / sizeof *steps )] * a.half_diagonal - rows[i].lower;
		for ( int k = 0; k < 3; ++k )
		{
			poses[i].move[k] += way * rows[i].normal[k];
		}
	}
	judge( a, b, of, poses, inspect( bvinspect, a, b, of, poses ), &t );
	t.seconds = std::chrono::duration<double>( std::chrono::steady_clock::now() - start ).count();
	return t;
}

std::string name_of( const std::string& path )
{
	size_t slash = path.rfind( '/' );
	std::string name = slash == std::string::npos ? path : path.substr( slash + 1 );
	return name.substr( 0, name.rfind( '.' ) );
}

} // namespace

int main( int count, char** arguments )
{
	uint32_t poses = 1000;
	uint64_t seed = 1;
	bool all = false;
	for ( int c; ( c = getopt( count, arguments, "n:s:a" ) ) != -1; )
	{
		switch ( c )
		{
		case 'n': poses = (uint32_t)strtoul( optarg, nullptr, 10 ); break;
		case 's': seed = strtoull( optarg, nullptr, 10 ); break;
		case 'a': all = true; break;
		default: fail( "usage: pairs_cgal [-n POSES] [-s SEED] [-a] BVINSPECT FILE.bvh FILE.bvh..." );
		}
	}
	if ( count - optind < 3 || poses == 0 )
	{
		fail( "usage: pairs_cgal [-n POSES] [-s SEED] [-a] BVINSPECT FILE.bvh FILE.bvh..." );
	}
	std::string bvinspect = arguments[optind++];
	std::vector<content> files;
	for ( ; optind < count; ++optind )
	{
		files.push_back( read_file( arguments[optind] ) );
	}
	printf( "| file | corners of the hull | parts | corners of the parts |\n| --- | ---: | ---: | ---: |\n" );
	for ( const content& f : files )
	{
		size_t corners = 0;
		for ( const polytope& p : f.parts )
		{
			corners += p.corners.size();
		}
		printf( "| %s | %zu | %zu | %zu |\n", name_of( f.path ).c_str(), f.hull[0].corners.size(),
		        f.parts.size(), corners );
	}
	printf(
		"\n| pair | poses | apart | of them near | overlap | within 1e-8 | touch | of them apart by CGAL | "
		"widest | wrong | s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
		"|\n" );
	tally total[2] = {};
	for ( size_t i = 0; i < files.size(); ++i )
	{
		size_t next = ( i + 1 ) % files.size();
		for ( size_t k = all ? i : next; k < ( all ? files.size() : next + 1 ); ++k )
		{
			const char* const of[2] = { "hull", "parts" };
			for ( int kind = 0; kind < 2; ++kind )
			{
				tally t = compare( bvinspect, files[i], files[k], of[kind], poses, seed + 1000 * i + k );
				total[kind].add( t );
				print_row(
					( name_of( files[i].path ) + ", " + name_of( files[k].path ) + ", " + of[kind] ).c_str(),
					t );
			}
		}
	}
	print_row( "all hulls", total[0] );
	print_row( "all parts", total[1] );
	printf( "\n%llu distances of two polytopes by CGAL.\n", (unsigned long long)solved );
	return total[0].wrong + total[1].wrong > 0;
}
