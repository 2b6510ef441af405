// Certified distances between meshes, compared with CGAL's bounded_error_Hausdorff_distance (after Tang,
// Lee, Kim 2009) at equal bounds: one-sided, one thread, in the same run.
//
//   bench_hausdorff_cgal [-l SECONDS] [-k] MESH...
//
// Each mesh is measured to five others: itself rotated by one degree; with noise of 0.1 % of its diagonal at
// its vertices; with every triangle cut in four and the vertices moved by 0.05 %; with its vertices
// clustered in a grid of 48 cells along the longest side; and the next mesh, both normalized. Bounds are
// 1e-2, 1e-3 and 1e-4 of the measured mesh's diagonal.
//
// Both start from meshes in memory, CGAL from a Surface_mesh of the same triangles. CGAL's time includes its
// trees, this project's the target. CPU time, medians of three if a run takes less than a second, in
// processes that may take SECONDS (30). CGAL calculates in Simple_cartesian<double>, the faster of its
// kernels, or with -k in the one with exact predicates. Its result may differ from the true value by the
// bound; values farther from this project's interval are marked. In that case the distance of the witness,
// found by CGAL's AABB tree, shows if CGAL's value is too small.
//
// Exit codes: 1 usage, 2 a mesh can't be read.

#include "tests/bench/child.h"
#include "tests/bench/measure.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/distance.h>
#include <CGAL/Polygon_mesh_processing/orient_polygon_soup.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

namespace pmp = CGAL::Polygon_mesh_processing;

using fast = CGAL::Simple_cartesian<double>;
using exact = CGAL::Exact_predicates_inexact_constructions_kernel;

const double shares[] = { 1e-2, 1e-3, 1e-4 };

[[noreturn]] void fail( const char* message )
{
	fprintf( stderr, "bench_hausdorff_cgal: %s\n", message );
	exit( 2 );
}

struct mesh
{
	std::vector<bv_vec3> positions;
	std::vector<bvb_triangle> triangles;
};

bvb_mesh view( const mesh& m )
{
	return { const_cast<bv_vec3*>( m.positions.data() ), const_cast<bvb_triangle*>( m.triangles.data() ),
		     (uint32_t)m.positions.size(), (uint32_t)m.triangles.size(), nullptr };
}

// Without degenerate triangles, as both want them.
mesh clean( const bvb_mesh& source, bool normalize )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_record_options options = bvb_record_options_default();
	options.normalize = normalize;
	bvb_record record;
	bvb_error error = { "out of memory" };
	if ( !arena || bvb_mesh_record( &source, &options, arena, &record, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bvb_mesh& m = record.mesh;
	mesh out{ { m.positions, m.positions + m.vertex_count },
		      { m.triangles, m.triangles + m.triangle_count } };
	bvb_arena_destroy( arena );
	return out;
}

mesh read( const char* path, bool normalize )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_error error = { "out of memory" };
	if ( !arena || bvb_import_file( path, &options, arena, &import, &error ) != bv_ok )
	{
		fail( error.message );
	}
	mesh out = clean( import.scene.mesh, normalize );
	bvb_arena_destroy( arena );
	return out;
}

double diagonal( const mesh& m )
{
	bv_aabb box = bvb_fit_aabb( m.positions.data(), (uint32_t)m.positions.size() );
	return std::hypot( box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z );
}

uint64_t random_state = 88172645463325252u;

// Marsaglia's xorshift64, in [-1, 1).
double random_sign()
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)( random_state >> 10 ) * 0x1p-53 - 1;
}

void shake( mesh& m, double share )
{
	double length = share * diagonal( m );
	for ( bv_vec3& p : m.positions )
	{
		p.x += length * random_sign();
		p.y += length * random_sign();
		p.z += length * random_sign();
	}
}

mesh noisy( const mesh& m )
{
	mesh out = m;
	shake( out, 1e-3 );
	return clean( view( out ), false );
}

// By a degree about the box's middle, about ( 1, 2, 2 ) / 3 (Rodrigues).
mesh turned( const mesh& m )
{
	mesh out = m;
	bv_aabb box = bvb_fit_aabb( m.positions.data(), (uint32_t)m.positions.size() );
	const double c[3] = { 0.5 * ( box.lower.x + box.upper.x ), 0.5 * ( box.lower.y + box.upper.y ),
		                  0.5 * ( box.lower.z + box.upper.z ) };
	const double k[3] = { 1.0 / 3, 2.0 / 3, 2.0 / 3 };
	double angle = std::acos( -1.0 ) / 180;
	for ( bv_vec3& p : out.positions )
	{
		double v[3] = { p.x - c[0], p.y - c[1], p.z - c[2] };
		double along = ( 1 - std::cos( angle ) ) * ( k[0] * v[0] + k[1] * v[1] + k[2] * v[2] );
		double r[3];
		for ( int i = 0; i < 3; ++i )
		{
			int j = ( i + 1 ) % 3;
			int l = ( i + 2 ) % 3;
			r[i] = c[i] + std::cos( angle ) * v[i] + std::sin( angle ) * ( k[j] * v[l] - k[l] * v[j] ) +
			       along * k[i];
		}
		p = { r[0], r[1], r[2] };
	}
	return clean( view( out ), false );
}

// Every triangle in four, with common midpoints.
mesh finer( const mesh& m )
{
	mesh out{ m.positions, {} };
	std::map<std::pair<uint32_t, uint32_t>, uint32_t> middle;
	for ( const bvb_triangle& t : m.triangles )
	{
		uint32_t between[3];
		for ( int k = 0; k < 3; ++k )
		{
			auto edge = std::minmax( t.corner[k], t.corner[( k + 1 ) % 3] );
			auto found = middle.emplace( edge, (uint32_t)out.positions.size() );
			between[k] = found.first->second;
			if ( found.second )
			{
				const bv_vec3& a = m.positions[edge.first];
				const bv_vec3& b = m.positions[edge.second];
				out.positions.push_back( { 0.5 * ( a.x + b.x ), 0.5 * ( a.y + b.y ), 0.5 * ( a.z + b.z ) } );
			}
		}
		for ( int k = 0; k < 3; ++k )
		{
			out.triangles.push_back( { { t.corner[k], between[k], between[( k + 2 ) % 3] } } );
		}
		out.triangles.push_back( { { between[0], between[1], between[2] } } );
	}
	shake( out, 5e-4 );
	return clean( view( out ), false );
}

// The vertices of a cell become the first of them (Rossignac and Borrel 1993).
mesh clustered( const mesh& m )
{
	bv_aabb box = bvb_fit_aabb( m.positions.data(), (uint32_t)m.positions.size() );
	double step =
		std::max( { box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z } ) / 48;
	std::map<std::array<long, 3>, bv_vec3> first;
	mesh out = m;
	for ( bv_vec3& p : out.positions )
	{
		std::array<long, 3> cell = { std::lround( ( p.x - box.lower.x ) / step ),
			                         std::lround( ( p.y - box.lower.y ) / step ),
			                         std::lround( ( p.z - box.lower.z ) / step ) };
		p = first.emplace( cell, p ).first->second;
	}
	return clean( view( out ), false );
}

template <class Kernel> using surface = CGAL::Surface_mesh<typename Kernel::Point_3>;

template <class Kernel> surface<Kernel> surface_of( const mesh& m )
{
	std::vector<typename Kernel::Point_3> points;
	std::vector<std::vector<std::size_t>> polygons;
	for ( const bv_vec3& p : m.positions )
	{
		points.emplace_back( p.x, p.y, p.z );
	}
	for ( const bvb_triangle& t : m.triangles )
	{
		polygons.push_back( { t.corner[0], t.corner[1], t.corner[2] } );
	}
	// Where triangles do not make a manifold their corners are given twice.
	if ( !pmp::is_polygon_soup_a_polygon_mesh( polygons ) )
	{
		pmp::orient_polygon_soup( points, polygons );
	}
	surface<Kernel> out;
	pmp::polygon_soup_to_polygon_mesh( points, polygons, out );
	return out;
}

struct task
{
	const mesh* from;
	const mesh* to;
	double bound; // mesh units
};

struct measured
{
	double seconds;
	bvb_hausdorff ours;
	double cgal;
};

// The median of three, or a single one that takes long.
template <class Run> double time_of( Run run )
{
	double seconds[3];
	int runs = 0;
	do
	{
		double start = core_now();
		run();
		seconds[runs++] = core_now() - start;
	} while ( runs < 3 && seconds[0] < 1 );
	return median( seconds, runs );
}

void run_ours( const void* input, void* result )
{
	const task& t = *static_cast<const task*>( input );
	measured* out = static_cast<measured*>( result );
	bvb_mesh from = view( *t.from );
	bvb_mesh to = view( *t.to );
	out->seconds = time_of( [&] {
		bvb_arena* arena = bvb_arena_create();
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.relative = 0;
		options.absolute = t.bound;
		bvb_hausdorff_target* target;
		bvb_error error;
		if ( !arena || bvb_hausdorff_target_create( &to, nullptr, 0, arena, &target, &error ) != bv_ok ||
		     bvb_hausdorff_mesh( target, &from, &options, &out->ours ) != bv_ok )
		{
			fail( "a distance could not be measured" );
		}
		bvb_arena_destroy( arena );
	} );
}

template <class Kernel> void run_cgal( const void* input, void* result )
{
	const task& t = *static_cast<const task*>( input );
	measured* out = static_cast<measured*>( result );
	surface<Kernel> from = surface_of<Kernel>( *t.from );
	surface<Kernel> to = surface_of<Kernel>( *t.to );
	out->seconds = time_of( [&] {
		out->cgal = pmp::bounded_error_Hausdorff_distance<CGAL::Sequential_tag>( from, to, t.bound );
	} );
}

// How far a point is from a mesh, by CGAL's AABB tree.
double distance_of( const bv_vec3& p, const mesh& to )
{
	surface<exact> s = surface_of<exact>( to );
	using primitive = CGAL::AABB_face_graph_triangle_primitive<surface<exact>>;
	CGAL::AABB_tree<CGAL::AABB_traits<exact, primitive>> tree( faces( s ).begin(), faces( s ).end(), s );
	return std::sqrt( tree.squared_distance( { p.x, p.y, p.z } ) );
}

struct totals
{
	std::vector<double> ratios;    // where both ended
	int out_of_time[2] = { 0, 0 }; // CGAL, ours
	int failed[2] = { 0, 0 };
	int slower = 0;
	int apart = 0;
};

void print_time( outcome o, double seconds, int limit )
{
	o == outcome_done          ? printf( " %9.3f", seconds )
	: o == outcome_out_of_time ? printf( "    > %4d", limit )
							   : printf( " %9s", "failed" );
}

void compare( const std::string& name, const mesh& from, const mesh& to, bool exact_predicates, int limit,
              totals* all )
{
	double size = diagonal( from );
	for ( double share : shares )
	{
		task t = { &from, &to, share * size };
		measured ours;
		measured cgal;
		outcome o = run_in_child( limit, run_ours, &t, &ours, sizeof ours );
		outcome c = run_in_child( limit, exact_predicates ? run_cgal<exact> : run_cgal<fast>, &t, &cgal,
		                          sizeof cgal );
		printf( "%-32s %7zu %7zu %6.0e", share == shares[0] ? name.c_str() : "", from.triangles.size(),
		        to.triangles.size(), share );
		print_time( c, cgal.seconds, limit );
		print_time( o, ours.seconds, limit );
		all->out_of_time[0] += c == outcome_out_of_time;
		all->out_of_time[1] += o == outcome_out_of_time;
		all->failed[0] += c == outcome_failed;
		all->failed[1] += o == outcome_failed;
		if ( o == outcome_done )
		{
			double least = ( c == outcome_done ? cgal.seconds : limit ) / ours.seconds;
			printf( " %s%7.2f  %9.6f %9.6f %8llu", c == outcome_done ? " " : ">", least,
			        ours.ours.lower / size, ours.ours.upper / size, (unsigned long long)ours.ours.regions );
		}
		if ( o == outcome_done && c == outcome_done )
		{
			all->ratios.push_back( cgal.seconds / ours.seconds );
			all->slower += ours.seconds > cgal.seconds;
			printf( " %9.6f", cgal.cgal / size );
			double rounding = 1e-9 * size;
			if ( cgal.cgal < ours.ours.lower - t.bound - rounding ||
			     cgal.cgal > ours.ours.upper + t.bound + rounding )
			{
				all->apart += 1;
				printf( " apart; witness %9.6f", distance_of( ours.ours.witness, to ) / size );
			}
		}
		printf( "\n" );
		fflush( stdout );
	}
}

void summarize( totals* all )
{
	if ( all->ratios.empty() )
	{
		return;
	}
	std::sort( all->ratios.begin(), all->ratios.end() );
	double sum = 0;
	for ( double r : all->ratios )
	{
		sum += std::log( r );
	}
	printf( "CGAL's time to ours where both ended (%zu): geometric mean %.2f, median %.2f, least %.2f, "
	        "slower than CGAL on %d\n",
	        all->ratios.size(), std::exp( sum / (double)all->ratios.size() ),
	        all->ratios[all->ratios.size() / 2], all->ratios.front(), all->slower );
	printf( "out of time: CGAL %d, ours %d; failed: CGAL %d, ours %d; apart by more than the bounds: %d\n",
	        all->out_of_time[0], all->out_of_time[1], all->failed[0], all->failed[1], all->apart );
}

} // namespace

int main( int count, char** arguments )
{
	int limit = 30;
	bool exact_predicates = false;
	int first = 1;
	for ( ; first < count && arguments[first][0] == '-'; ++first )
	{
		if ( std::string( arguments[first] ) == "-k" )
		{
			exact_predicates = true;
		}
		else
		{
			limit = first + 1 < count ? atoi( arguments[++first] ) : 0;
		}
	}
	if ( first >= count || limit < 1 )
	{
		fprintf( stderr, "usage: bench_hausdorff_cgal [-l SECONDS] [-k] MESH...\n" );
		return 1;
	}
	const struct
	{
		const char* name;
		mesh ( *make )( const mesh& );
	} versions[] = {
		{ "turned", turned }, { "noisy", noisy }, { "finer", finer }, { "clustered", clustered }
	};
	printf( "%-32s %15s %6s %9s %9s %8s  %19s %8s %9s\n", "", "triangles", "bound", "CGAL s", "ours s",
	        "ratio", "our interval", "regions", "CGAL's" );
	totals all;
	for ( int i = first; i < count; ++i )
	{
		std::string name = name_of( arguments[i] );
		mesh whole = read( arguments[i], false );
		for ( const auto& version : versions )
		{
			compare( name + " " + version.name, whole, version.make( whole ), exact_predicates, limit, &all );
		}
		if ( count - first > 1 )
		{
			const char* next = arguments[i + 1 < count ? i + 1 : first];
			compare( name + " " + name_of( next ), read( arguments[i], true ), read( next, true ),
			         exact_predicates, limit, &all );
		}
	}
	summarize( &all );
	return 0;
}
