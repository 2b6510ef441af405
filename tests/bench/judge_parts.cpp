// judge_parts MESH.obj PARTS.obj [SAMPLES [WITHIN]]: how well convex parts approximate a mesh, one group `o`
// per part. The samples and the results are those of ../shared/tools/acd_eval.cpp, which takes minutes for
// large meshes. Here winding numbers come from a tree, and more digits are shown. Prints one line: parts,
// their triangles, uncovered p99 and max, stand-off mean, p95 and max (all except the first two as fractions
// of the diagonal), sum of volumes over the mesh's, and the largest number of vertices of a part. Samples
// farther than WITHIN from all triangles count with that distance if nothing inside is farther, as above the
// opening of a box without a lid.

#include "bvbuild/bvbuild.h"
#include "tests/reference/vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <vector>

// Triangles of an OBJ file, and of each the group it is in.
struct soup
{
	std::vector<bv_vec3> points;
	std::vector<bvb_triangle> triangles;
	std::vector<int> group;
	int groups = 0;
};

static soup read_obj( const char* path )
{
	soup s;
	FILE* file = fopen( path, "r" );
	if ( !file )
	{
		perror( path );
		exit( 2 );
	}
	char line[4096];
	while ( fgets( line, sizeof line, file ) )
	{
		bv_vec3 p;
		if ( sscanf( line, "v %lf %lf %lf", &p.x, &p.y, &p.z ) == 3 )
		{
			s.points.push_back( p );
		}
		else if ( strncmp( line, "o ", 2 ) == 0 )
		{
			s.groups += 1;
		}
		else if ( strncmp( line, "f ", 2 ) == 0 )
		{
			std::vector<uint32_t> corner;
			for ( char* word = strtok( line + 2, " \t\r\n" ); word; word = strtok( nullptr, " \t\r\n" ) )
			{
				int i = atoi( word );
				corner.push_back( (uint32_t)( i < 0 ? (int)s.points.size() + i : i - 1 ) );
			}
			for ( size_t i = 2; i < corner.size(); ++i )
			{
				s.triangles.push_back( { { corner[0], corner[i - 1], corner[i] } } );
				s.group.push_back( std::max( s.groups - 1, 0 ) );
			}
		}
	}
	fclose( file );
	s.groups = s.group.empty() ? 0 : s.group.back() + 1;
	return s;
}

static bv_vec3 corner_of( const soup& s, size_t triangle, int k )
{
	return s.points[s.triangles[triangle].corner[k]];
}

static bv_vec3 scaled_normal( const soup& s, size_t i )
{
	return cross( sub( corner_of( s, i, 1 ), corner_of( s, i, 0 ) ),
	              sub( corner_of( s, i, 2 ), corner_of( s, i, 0 ) ) );
}

// Evenly over the area.
static std::vector<bv_vec3> sample( const soup& s, int count, std::vector<int>* group )
{
	std::vector<double> area;
	double sum = 0;
	for ( size_t i = 0; i < s.triangles.size(); ++i )
	{
		sum += length_of( scaled_normal( s, i ) );
		area.push_back( sum );
	}
	std::mt19937 generator( 1 );
	std::uniform_real_distribution<double> unit( 0, 1 );
	std::vector<bv_vec3> points;
	for ( int i = 0; i < count; ++i )
	{
		double at = unit( generator ) * sum;
		size_t k = (size_t)( std::lower_bound( area.begin(), area.end(), at ) - area.begin() );
		k = std::min( k, s.triangles.size() - 1 );
		double a = sqrt( unit( generator ) );
		double b = unit( generator );
		bv_vec3 p = along( { 0, 0, 0 }, 1 - a, corner_of( s, k, 0 ) );
		p = along( p, a * ( 1 - b ), corner_of( s, k, 1 ) );
		points.push_back( along( p, a * b, corner_of( s, k, 2 ) ) );
		if ( group )
		{
			group->push_back( s.group[k] );
		}
	}
	return points;
}

struct plane
{
	bv_vec3 normal;
	double offset;
};

// The planes of each part's faces, facing away from its middle.
struct parts
{
	std::vector<std::vector<plane>> planes;
	double volume = 0;
};

static parts parts_of( const soup& s, double diagonal )
{
	parts p;
	std::vector<bv_vec3> middle( (size_t)s.groups, bv_vec3{ 0, 0, 0 } );
	std::vector<int> count( (size_t)s.groups, 0 );
	p.planes.resize( (size_t)s.groups );
	for ( size_t i = 0; i < s.triangles.size(); ++i )
	{
		size_t g = (size_t)s.group[i];
		for ( int k = 0; k < 3; ++k )
		{
			middle[g] = along( middle[g], 1, corner_of( s, i, k ) );
		}
		count[g] += 3;
	}
	for ( size_t g = 0; g < middle.size(); ++g )
	{
		middle[g] = along( { 0, 0, 0 }, count[g] ? 1.0 / count[g] : 0, middle[g] );
	}
	for ( size_t i = 0; i < s.triangles.size(); ++i )
	{
		size_t g = (size_t)s.group[i];
		bv_vec3 n = scaled_normal( s, i );
		double size = length_of( n );
		p.volume += fabs( dot( sub( corner_of( s, i, 0 ), middle[g] ), n ) ) / 6;
		if ( size < 1e-14 * diagonal * diagonal )
		{
			continue;
		}
		n = along( { 0, 0, 0 }, 1 / size, n );
		double offset = dot( n, corner_of( s, i, 0 ) );
		bool inwards = dot( n, middle[g] ) > offset;
		p.planes[g].push_back( inwards ? plane{ along( { 0, 0, 0 }, -1, n ), -offset } : plane{ n, offset } );
	}
	return p;
}

// How far beyond the planes of the nearest part other than `skip`.
static double beyond( const parts& p, bv_vec3 x, int skip, double diagonal )
{
	double best = 1e300;
	for ( size_t g = 0; g < p.planes.size(); ++g )
	{
		if ( (int)g == skip )
		{
			continue;
		}
		double most = -1e300;
		for ( const plane& q : p.planes[g] )
		{
			most = std::max( most, dot( q.normal, x ) - q.offset );
			if ( most >= best )
			{
				break;
			}
		}
		best = std::min( best, most );
		if ( best < -1e-6 * diagonal )
		{
			break;
		}
	}
	return best;
}

// A tree of boxes over triangles, cut at the median of the longest side.
struct tree_node
{
	bv_vec3 lower;
	bv_vec3 upper;
	size_t first;
	size_t count;
	size_t right; // 0: a leaf; the left child is the next node
};

struct tree
{
	const soup* mesh;
	std::vector<size_t> order;
	std::vector<tree_node> nodes;
};

static double component( bv_vec3 p, int axis )
{
	return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void build( tree& t, size_t first, size_t count )
{
	tree_node node = { { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 }, first, count, 0 };
	for ( size_t i = first; i < first + count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = corner_of( *t.mesh, t.order[i], k );
			node.lower = { std::min( node.lower.x, p.x ), std::min( node.lower.y, p.y ),
				           std::min( node.lower.z, p.z ) };
			node.upper = { std::max( node.upper.x, p.x ), std::max( node.upper.y, p.y ),
				           std::max( node.upper.z, p.z ) };
		}
	}
	size_t at = t.nodes.size();
	t.nodes.push_back( node );
	if ( count <= 4 )
	{
		return;
	}
	bv_vec3 extent = sub( node.upper, node.lower );
	int axis = extent.x > extent.y ? ( extent.x > extent.z ? 0 : 2 ) : ( extent.y > extent.z ? 1 : 2 );
	auto key = [&]( size_t i ) {
		return component( corner_of( *t.mesh, i, 0 ), axis ) + component( corner_of( *t.mesh, i, 1 ), axis ) +
		       component( corner_of( *t.mesh, i, 2 ), axis );
	};
	auto begin = t.order.begin() + (ptrdiff_t)first;
	std::nth_element( begin, begin + (ptrdiff_t)( count / 2 ), begin + (ptrdiff_t)count,
	                  [&]( size_t a, size_t b ) { return key( a ) < key( b ); } );
	build( t, first, count / 2 );
	t.nodes[at].right = t.nodes.size();
	build( t, first + count / 2, count - count / 2 );
}

static double squared_to_box( const tree_node& n, bv_vec3 p )
{
	double x = std::max( { n.lower.x - p.x, 0.0, p.x - n.upper.x } );
	double y = std::max( { n.lower.y - p.y, 0.0, p.y - n.upper.y } );
	double z = std::max( { n.lower.z - p.z, 0.0, p.z - n.upper.z } );
	return x * x + y * y + z * z;
}

static double squared_to_side( bv_vec3 p, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 ab = sub( b, a );
	double squared = dot( ab, ab );
	double t = squared > 0 ? std::min( std::max( dot( ab, sub( p, a ) ) / squared, 0.0 ), 1.0 ) : 0;
	bv_vec3 d = sub( p, along( a, t, ab ) );
	return dot( d, d );
}

static double squared_to_triangle( bv_vec3 p, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 n = cross( sub( b, a ), sub( c, a ) );
	double nn = dot( n, n );
	bool over = nn > 0 && dot( cross( n, sub( b, a ) ), sub( p, a ) ) >= 0 &&
	            dot( cross( n, sub( c, b ) ), sub( p, b ) ) >= 0 &&
	            dot( cross( n, sub( a, c ) ), sub( p, c ) ) >= 0;
	double height = dot( n, sub( p, a ) );
	return over ? height * height / nn
	            : std::min( { squared_to_side( p, a, b ), squared_to_side( p, b, c ),
	                          squared_to_side( p, c, a ) } );
}

static void search( const tree& t, size_t at, bv_vec3 p, double& best )
{
	const tree_node& n = t.nodes[at];
	if ( n.right == 0 )
	{
		for ( size_t i = n.first; i < n.first + n.count; ++i )
		{
			best = std::min( best, squared_to_triangle( p, corner_of( *t.mesh, t.order[i], 0 ),
			                                            corner_of( *t.mesh, t.order[i], 1 ),
			                                            corner_of( *t.mesh, t.order[i], 2 ) ) );
		}
		return;
	}
	size_t child[2] = { at + 1, n.right };
	double near[2] = { squared_to_box( t.nodes[child[0]], p ), squared_to_box( t.nodes[child[1]], p ) };
	int first = near[1] < near[0];
	for ( int k : { first, 1 - first } )
	{
		if ( near[k] < best )
		{
			search( t, child[k], p, best );
		}
	}
}

static double quantile( std::vector<double> values, double part )
{
	if ( values.empty() )
	{
		return 0;
	}
	std::sort( values.begin(), values.end() );
	return values[std::min( values.size() - 1, (size_t)( part * (double)values.size() ) )];
}

static double volume_of( const soup& s )
{
	double sum = 0;
	for ( size_t i = 0; i < s.triangles.size(); ++i )
	{
		sum += dot( corner_of( s, i, 0 ), cross( corner_of( s, i, 1 ), corner_of( s, i, 2 ) ) ) / 6;
	}
	return sum;
}

static size_t most_corners( const soup& s )
{
	std::vector<std::set<uint32_t>> corners( (size_t)s.groups );
	size_t most = 0;
	for ( size_t i = 0; i < s.triangles.size(); ++i )
	{
		std::set<uint32_t>& of = corners[(size_t)s.group[i]];
		of.insert( s.triangles[i].corner, s.triangles[i].corner + 3 );
		most = std::max( most, of.size() );
	}
	return most;
}

// Whether something is inside of the mesh no farther from a point than `within`: random places, and steps uphill from the best of these.
static bool is_near_inside( const bvb_winding* winding, bv_vec3 point, double within )
{
	std::mt19937 generator( 1 );
	std::uniform_real_distribution<double> coordinate( -1, 1 );
	double most = 0;
	bv_vec3 best = { 0, 0, 0 };
	for ( int i = 0; i < 3000 && most < 0.5; ++i )
	{
		double size = within * ( i < 1000 ? 1 : ldexp( 1, -( i % 12 ) ) );
		bv_vec3 d = { best.x + size * coordinate( generator ), best.y + size * coordinate( generator ),
			          best.z + size * coordinate( generator ) };
		double back = std::min( 1.0, within / length_of( d ) );
		d = { back * d.x, back * d.y, back * d.z };
		double w = fabs( bvb_winding_number( winding, { point.x + d.x, point.y + d.y, point.z + d.z } ) );
		best = w > most ? d : best;
		most = std::max( most, w );
	}
	return most >= 0.5;
}

int main( int count, char** arguments )
{
	if ( count < 3 )
	{
		fprintf( stderr, "usage: judge_parts MESH.obj PARTS.obj [SAMPLES [WITHIN]]\n" );
		return 1;
	}
	soup mesh = read_obj( arguments[1] );
	soup hulls = read_obj( arguments[2] );
	int samples = count > 3 ? atoi( arguments[3] ) : 30000;
	double within = count > 4 ? atof( arguments[4] ) : INFINITY;
	if ( mesh.triangles.empty() || hulls.triangles.empty() )
	{
		fprintf( stderr, "judge_parts: no triangles\n" );
		return 2;
	}
	bv_vec3 lower = mesh.points[0];
	bv_vec3 upper = lower;
	for ( bv_vec3 p : mesh.points )
	{
		lower = { std::min( lower.x, p.x ), std::min( lower.y, p.y ), std::min( lower.z, p.z ) };
		upper = { std::max( upper.x, p.x ), std::max( upper.y, p.y ), std::max( upper.z, p.z ) };
	}
	double diagonal = length_of( sub( upper, lower ) );
	parts of = parts_of( hulls, diagonal );

	std::vector<double> uncovered;
	for ( bv_vec3 p : sample( mesh, samples, nullptr ) )
	{
		uncovered.push_back( std::max( 0.0, beyond( of, p, -1, diagonal ) ) / diagonal );
	}

	bvb_arena* arena = bvb_arena_create();
	bvb_mesh faces = {};
	faces.positions = mesh.points.data();
	faces.triangles = mesh.triangles.data();
	faces.vertex_count = (uint32_t)mesh.points.size();
	faces.triangle_count = (uint32_t)mesh.triangles.size();
	bvb_winding* winding;
	bvb_error error;
	bvb_mesh welded;
	if ( !arena || bvb_mesh_weld( &faces, 0, arena, &welded, &error ) != bv_ok ||
	     bvb_winding_create( &welded, arena, &winding, &error ) != bv_ok )
	{
		fprintf( stderr, "judge_parts: out of memory\n" );
		return 5;
	}
	tree t = { &mesh, {}, {} };
	for ( size_t i = 0; i < mesh.triangles.size(); ++i )
	{
		t.order.push_back( i );
	}
	build( t, 0, t.order.size() );

	// Only the outer surface of all parts together counts.
	std::vector<int> group;
	std::vector<bv_vec3> points = sample( hulls, samples, &group );
	std::vector<double> off;
	double sum = 0;
	for ( size_t i = 0; i < points.size(); ++i )
	{
		if ( hulls.groups > 1 && beyond( of, points[i], group[i], diagonal ) < -1e-6 * diagonal )
		{
			continue;
		}
		double squared = 0;
		if ( fabs( bvb_winding_number( winding, points[i] ) ) <= 0.5 )
		{
			squared = 1e300;
			search( t, 0, points[i], squared );
		}
		double distance = sqrt( squared );
		bool is_near = distance > within && is_near_inside( winding, points[i], within );
		off.push_back( ( is_near ? within : distance ) / diagonal );
		sum += off.back();
	}
	bvb_arena_destroy( arena );
	printf( "%d,%zu,%.8f,%.8f,%.8f,%.8f,%.8f,%.6f,%zu\n", hulls.groups, hulls.triangles.size(),
	        quantile( uncovered, 0.99 ), quantile( uncovered, 1 ), off.empty() ? 0 : sum / (double)off.size(),
	        quantile( off, 0.95 ), quantile( off, 1 ), of.volume / fabs( volume_of( mesh ) ),
	        most_corners( hulls ) );
	return 0;
}
