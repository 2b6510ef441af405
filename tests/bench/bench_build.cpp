// Build speed of hierarchies, compared with Embree (triangle meshes at its three qualities) and FCL (AABB and OBBRSS) in the
// same run, and the cost of the trees.
//
//   bench_build [-c TRIANGLES] [-n REPEATS] [-t THREADS] [-m FILE]... [-o SAMPLES.csv] [-k] [-a] [-s SPLITTER]...
//               [-b BUILDER]... [ENTRANT[:THREADS]...]
//
// The meshes are the FILEs. With -c each triangle is cut into four until there are at least TRIANGLES. Without a FILE the mesh
// is a bumpy ball of about TRIANGLES (1000000). An ENTRANT is one of:
//
//   PRESET                                     its hierarchy, with volumes rounded to what a file holds
//   PRESET+errors                              also the certified distances of all nodes (balanced's if the preset has none)
//   embree-low, embree-medium, embree-high     Embree's qualities
//   fcl-aabb, fcl-obbrss                       FCL's trees, on one thread
//   copy                                       only copies the mesh, a lower bound of the memory traffic
//
// Entrants use the given number of threads or THREADS (all available). Without names all take part. -a adds all splitters and
// builders of the tables, with axis-aligned and with oriented boxes; -s and -b add the named ones.
//
// All take turns in each of REPEATS (5) rounds. Both wall-clock and CPU time are printed; CPU time includes threads that wait
// actively. A build of this project ends with the mesh in the order of the tree, Embree's with a committed scene, FCL's with a
// finished model; both copy the mesh. -o appends a line for each run to a file of samples (measure.h).
//
// -k computes the cost by the surface area heuristic of trees of axis-aligned boxes, as decoded: the sum over inner nodes of
// their area and over leaves of their area x triangles, over the area of the root; and with blocks of four and of eight
// triangles instead of triangles. Embree's tree comes from rtcBuildBVH with the settings of its scenes at medium quality
// (BVH8Triangle4SceneBuilderSAH in its kernels/bvh/bvh_builder_sah.cpp: blocks of 4, leaves of 4 to 28, costs of 1). The cost
// of a scene's own tree by blocks, from its statistics, is printed next to it.
//
// Exit codes: 1 usage, 2 a build failed.

#include "tests/bench/measure.h"
#include "tests/bench/peer_embree.h"

#include <fcl/geometry/bvh/BVH_model.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace {

struct triangle_mesh
{
	std::string name;
	std::vector<bv_vec3> positions; // of binary32 numbers
	std::vector<bvb_triangle> triangles;
};

struct entrant
{
	std::string name;
	int threads;
	std::vector<double> seconds;
	std::vector<double> core_seconds;
	uint32_t nodes; // 0 where it is not known
	double bytes;   // of the tree and what it refers to; 0 where it is not known
};

[[noreturn]] void fail( const std::string& message )
{
	fprintf( stderr, "bench_build: %s\n", message.c_str() );
	exit( 2 );
}

double process_now()
{
	timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Runs what is to be timed.
template <typename Work> void measure( entrant* e, Work work )
{
	double start = now();
	double core_start = process_now();
	work();
	e->core_seconds.push_back( process_now() - core_start );
	e->seconds.push_back( now() - start );
}

bv_vec3 as_floats( double x, double y, double z )
{
	return { (float)x + 0.0, (float)y + 0.0, (float)z + 0.0 };
}

triangle_mesh bumpy_ball( uint32_t count )
{
	triangle_mesh mesh;
	mesh.name = "bumpy ball";
	uint32_t rings = (uint32_t)std::lround( ( 1 + std::sqrt( 1.0 + count ) ) / 2 );
	uint32_t columns = 2 * rings;
	for ( uint32_t i = 0; i <= rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			double a = M_PI * i / rings;
			double b = 2 * M_PI * k / columns;
			double r = 1 + 0.2 * std::sin( 5 * a ) * std::cos( 3 * b );
			mesh.positions.push_back( as_floats( r * std::sin( a ) * std::cos( b ),
			                                     r * std::sin( a ) * std::sin( b ), r * std::cos( a ) ) );
		}
	}
	for ( uint32_t i = 0; i < rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			uint32_t next = ( k + 1 ) % columns;
			uint32_t row = i * columns;
			uint32_t below = row + columns;
			if ( i + 1 < rings )
			{
				mesh.triangles.push_back( { { row + k, below + k, below + next } } );
			}
			if ( i > 0 )
			{
				mesh.triangles.push_back( { { row + k, below + next, row + next } } );
			}
		}
	}
	return mesh;
}

void cut_into_four( triangle_mesh* mesh )
{
	std::vector<bvb_triangle> from;
	from.swap( mesh->triangles );
	for ( const bvb_triangle& t : from )
	{
		uint32_t first = (uint32_t)mesh->positions.size();
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[t.corner[k]];
			bv_vec3 q = mesh->positions[t.corner[( k + 1 ) % 3]];
			mesh->positions.push_back( as_floats( ( p.x + q.x ) / 2, ( p.y + q.y ) / 2, ( p.z + q.z ) / 2 ) );
		}
		mesh->triangles.push_back( { { t.corner[0], first, first + 2 } } );
		mesh->triangles.push_back( { { first, t.corner[1], first + 1 } } );
		mesh->triangles.push_back( { { first + 2, first + 1, t.corner[2] } } );
		mesh->triangles.push_back( { { first, first + 1, first + 2 } } );
	}
}

// Builders are given none without an area.
void drop_degenerate( triangle_mesh* mesh )
{
	auto flat = [mesh]( const bvb_triangle& t ) {
		const bv_vec3& a = mesh->positions[t.corner[0]];
		const bv_vec3& b = mesh->positions[t.corner[1]];
		const bv_vec3& c = mesh->positions[t.corner[2]];
		double u[3] = { b.x - a.x, b.y - a.y, b.z - a.z };
		double v[3] = { c.x - a.x, c.y - a.y, c.z - a.z };
		return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
	};
	auto& all = mesh->triangles;
	all.erase( std::remove_if( all.begin(), all.end(), flat ), all.end() );
}

triangle_mesh mesh_of_file( const char* path, uint32_t count )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_import import;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	if ( bvb_import_file( path, &options, arena, &import, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bvb_mesh& from = import.scene.mesh;
	triangle_mesh mesh;
	mesh.name = name_of( path );
	mesh.name.resize( mesh.name.rfind( '.' ) );
	mesh.triangles.assign( from.triangles, from.triangles + from.triangle_count );
	for ( uint32_t i = 0; i < from.vertex_count; ++i )
	{
		mesh.positions.push_back(
			as_floats( from.positions[i].x, from.positions[i].y, from.positions[i].z ) );
	}
	bvb_arena_destroy( arena );
	drop_degenerate( &mesh );
	while ( mesh.triangles.size() < count )
	{
		cut_into_four( &mesh );
		drop_degenerate( &mesh );
	}
	return mesh;
}

struct our_options
{
	bvb_hierarchy_options hierarchy;
	bool with_errors;
	bvb_tree_errors_options errors;
};

// Our trees live in an arena, in a copy of the mesh that is made before the clocks start.
struct our_tree
{
	triangle_mesh copy;
	bvb_mesh mesh;
	bvb_arena* arena;
	bvb_tree* tree;

	explicit our_tree( const triangle_mesh& from ) : copy( from ), mesh(), arena( nullptr ), tree( nullptr )
	{
		mesh.positions = copy.positions.data();
		mesh.triangles = copy.triangles.data();
		mesh.vertex_count = (uint32_t)copy.positions.size();
		mesh.triangle_count = (uint32_t)copy.triangles.size();
	}

	our_tree( const our_tree& ) = delete;

	~our_tree()
	{
		bvb_arena_destroy( arena );
	}

	void build( const our_options& options )
	{
		bvb_error error;
		bvb_tree_errors errors;
		arena = bvb_arena_create();
		if ( bvb_hierarchy_build( &mesh, &options.hierarchy, arena, &tree, &error ) != bv_ok ||
		     bvb_tree_snap( tree, &mesh, options.hierarchy.threads, arena, &error ) != bv_ok ||
		     ( options.with_errors &&
		       bvb_hausdorff_tree( &mesh, tree, &options.errors, arena, &errors, &error ) != bv_ok ) )
		{
			fail( error.message );
		}
	}
};

void time_ours( const triangle_mesh& from, const our_options& options, entrant* e )
{
	our_tree ours( from );
	measure( e, [&] { ours.build( options ); } );
	e->nodes = bvb_tree_node_count( ours.tree );
}

tree_cost our_cost( const triangle_mesh& from, const our_options& options )
{
	our_tree ours( from );
	ours.build( options );
	tree_cost cost = {};
	bvb_node root = bvb_tree_node( ours.tree, 0 );
	for ( uint32_t i = 0; i < bvb_tree_node_count( ours.tree ); ++i )
	{
		bvb_node node = bvb_tree_node( ours.tree, i );
		double area = bvb_area_of( &node.volume );
		if ( node.children > 0 )
		{
			cost.inner += area;
		}
		else
		{
			cost.add_leaf( area, node.triangles );
		}
	}
	cost.divide( bvb_area_of( &root.volume ) );
	return cost;
}

embree_mesh floats_of( const triangle_mesh& from )
{
	embree_mesh mesh;
	for ( const bv_vec3& p : from.positions )
	{
		mesh.positions.insert( mesh.positions.end(), { (float)p.x, (float)p.y, (float)p.z } );
	}
	mesh.positions.push_back( 0 ); // Embree reads 16 bytes of each
	for ( const bvb_triangle& t : from.triangles )
	{
		mesh.corners.insert( mesh.corners.end(), t.corner, t.corner + 3 );
	}
	return mesh;
}

bool count_bytes( void* sum, ssize_t bytes, bool )
{
	__atomic_fetch_add( (int64_t*)sum, bytes, __ATOMIC_RELAXED );
	return true;
}

// A device's number of threads is that of all devices there are, so each has its own in turn.
void time_embree( const embree_mesh& mesh, RTCBuildQuality quality, entrant* e )
{
	int64_t bytes = 0;
	std::string config = "threads=" + std::to_string( e->threads );
	RTCDevice device = rtcNewDevice( config.c_str() );
	rtcSetDeviceMemoryMonitorFunction( device, count_bytes, &bytes );
	RTCScene scene;
	measure( e, [&] { scene = make_embree_scene( mesh, device, quality ); } );
	e->bytes = (double)bytes;
	if ( rtcGetDeviceError( device ) != RTC_ERROR_NONE )
	{
		fail( "Embree failed" );
	}
	rtcReleaseScene( scene );
	rtcReleaseDevice( device );
}

template <typename BV> void time_fcl( const triangle_mesh& from, entrant* e )
{
	std::vector<fcl::Vector3d> positions;
	std::vector<fcl::Triangle> triangles;
	for ( const bv_vec3& p : from.positions )
	{
		positions.emplace_back( p.x, p.y, p.z );
	}
	for ( const bvb_triangle& t : from.triangles )
	{
		triangles.emplace_back( t.corner[0], t.corner[1], t.corner[2] );
	}
	fcl::BVHModel<BV> model;
	measure( e, [&] {
		model.beginModel( (int)triangles.size(), (int)positions.size() );
		model.addSubModel( positions, triangles );
		if ( model.endModel() != fcl::BVH_OK )
		{
			fail( "FCL failed" );
		}
	} );
	e->nodes = (uint32_t)model.getNumBVs();
	e->bytes = (double)e->nodes * sizeof( fcl::BVNode<BV> ) +
	           (double)triangles.size() * ( sizeof( fcl::Triangle ) + sizeof( unsigned ) ) +
	           (double)positions.size() * sizeof( fcl::Vector3d );
}

// Into memory that has been used before.
void time_copy( const triangle_mesh& from, entrant* e )
{
	size_t sizes[] = { from.positions.size() * sizeof from.positions[0],
		               from.triangles.size() * sizeof from.triangles[0] };
	const char* data[] = { (const char*)from.positions.data(), (const char*)from.triangles.data() };
	std::vector<char> room( sizes[0] + sizes[1], 1 );
	measure( e, [&] {
		const size_t block = 65536;
		for ( int k = 0; k < 2; ++k )
		{
			char* to = room.data() + ( k ? sizes[0] : 0 );
#pragma omp parallel for num_threads( e->threads )
			for ( size_t i = 0; i < sizes[k]; i += block )
			{
				memcpy( to + i, data[k] + i, std::min( block, sizes[k] - i ) );
			}
		}
	} );
}

bvb_hierarchy_options options_of( const char* builder, const char* splitter, bv_volume_type type,
                                  int threads )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.splitter = splitter;
	options.volume_types = 1u << type;
	options.threads = (uint32_t)threads;
	return options;
}

// A mesh, and all that takes part, in the order of the table.
struct field
{
	triangle_mesh mesh;
	embree_mesh floats;
	std::vector<entrant> entrants;
	std::vector<std::function<void( entrant* )>> runs;

	explicit field( triangle_mesh of ) : mesh( std::move( of ) ), floats( floats_of( mesh ) )
	{
	}

	field( const field& ) = delete;

	void add( const std::string& name, int threads, std::function<void( entrant* )> run )
	{
		entrants.push_back( { name, threads, {}, {}, 0, 0 } );
		runs.push_back( std::move( run ) );
	}

	void add_ours( const std::string& name, our_options options, int threads )
	{
		options.hierarchy.threads = options.errors.threads = (uint32_t)threads;
		add( name, threads, [this, options]( entrant* e ) { time_ours( mesh, options, e ); } );
	}

	void add_pair( const char* builder, const char* splitter, int threads )
	{
		std::string name = strcmp( builder, "topdown" ) == 0 ? splitter : builder;
		bvb_tree_errors_options none = bvb_tree_errors_options_default();
		add_ours( name + ", aabb", { options_of( builder, splitter, bv_volume_aabb, 0 ), false, none },
		          threads );
		add_ours( name + ", obb", { options_of( builder, splitter, bv_volume_obb, 0 ), false, none },
		          threads );
	}

	void add_tables( int threads )
	{
		for ( uint32_t i = 0; bvb_splitter_name( i, nullptr ); ++i )
		{
			add_pair( "topdown", bvb_splitter_name( i, nullptr ), threads );
		}
		for ( uint32_t i = 0; bvb_builder_name( i, nullptr ); ++i )
		{
			if ( strcmp( bvb_builder_name( i, nullptr ), "topdown" ) != 0 )
			{
				add_pair( bvb_builder_name( i, nullptr ), "gottschalk", threads );
			}
		}
	}

	bool add_peer( const std::string& name, int threads )
	{
		const struct
		{
			const char* name;
			RTCBuildQuality quality;
		} rows[] = { { "embree-low", RTC_BUILD_QUALITY_LOW },
			         { "embree-medium", RTC_BUILD_QUALITY_MEDIUM },
			         { "embree-high", RTC_BUILD_QUALITY_HIGH } };
		for ( const auto& row : rows )
		{
			if ( name == row.name )
			{
				RTCBuildQuality quality = row.quality;
				add( name, threads, [this, quality]( entrant* e ) { time_embree( floats, quality, e ); } );
				return true;
			}
		}
		if ( name == "copy" )
		{
			add( name, threads, [this]( entrant* e ) { time_copy( mesh, e ); } );
			return true;
		}
		if ( name == "fcl-aabb" )
		{
			add( name, 1, [this]( entrant* e ) { time_fcl<fcl::AABBd>( mesh, e ); } );
			return true;
		}
		if ( name == "fcl-obbrss" )
		{
			add( name, 1, [this]( entrant* e ) { time_fcl<fcl::OBBRSSd>( mesh, e ); } );
			return true;
		}
		return false;
	}

	// NAME[:THREADS]
	void add_named( const std::string& text, int threads )
	{
		size_t colon = text.find( ':' );
		std::string name = text.substr( 0, colon );
		int most = colon == std::string::npos ? threads : atoi( text.c_str() + colon + 1 );
		size_t plus = name.find( '+' );
		bvb_asset_options preset;
		if ( most < 1 )
		{
			fail( text + ": no such number of threads" );
		}
		if ( add_peer( name, most ) )
		{
			return;
		}
		if ( !bvb_preset_options( name.substr( 0, plus ).c_str(), &preset ) ||
		     ( plus != std::string::npos && name.substr( plus ) != "+errors" ) )
		{
			fail( name + ": no such entrant" );
		}
		if ( preset.errors.relative <= 0 )
		{
			preset.errors = bvb_tree_errors_options_default();
		}
		add_ours( name, { preset.hierarchy, plus != std::string::npos, preset.errors }, most );
	}
};

void run( field* all, int repeats, FILE* samples )
{
	for ( int i = 0; i < repeats; ++i )
	{
		for ( size_t k = 0; k < all->entrants.size(); ++k )
		{
			entrant& e = all->entrants[k];
			all->runs[k]( &e );
			sample s = { all->mesh.name.c_str(), all->mesh.triangles.size(), e.name.c_str(), e.threads, i };
			write_sample( samples, &s, "clock", "s", e.seconds.back() );
			write_sample( samples, &s, "processor", "s", e.core_seconds.back() );
			if ( e.bytes > 0 )
			{
				write_sample( samples, &s, "memory", "bytes", e.bytes );
			}
		}
	}
}

void print( field* all, int repeats )
{
	double triangles = (double)all->mesh.triangles.size();
	printf( "%s, %.0f triangles, medians of %d\n", all->mesh.name.c_str(), triangles, repeats );
	printf( "%-28s %7s %10s %9s %9s %9s %9s\n", "", "threads", "nodes", "ms", "Mtri/s", "core ms", "Mtri/s" );
	for ( entrant& e : all->entrants )
	{
		double seconds = median( e.seconds.data(), repeats );
		double core = median( e.core_seconds.data(), repeats );
		printf( "%-28s %7d %10u %9.1f %9.2f %9.1f %9.2f\n", e.name.c_str(), e.threads, e.nodes, 1e3 * seconds,
		        1e-6 * triangles / seconds, 1e3 * core, 1e-6 * triangles / core );
	}
}

void report_cost( const triangle_mesh& mesh, const char* name, const tree_cost& cost, FILE* samples )
{
	sample s = { mesh.name.c_str(), mesh.triangles.size(), name, 1, 0 };
	printf( "%-28s by triangles %7.2f, by blocks of four %7.2f, of eight %7.2f; of it inner nodes %7.2f\n",
	        name, cost.inner + cost.leaves, cost.inner + cost.leaves4, cost.inner + cost.leaves8,
	        cost.inner );
	write_sample( samples, &s, "cost", "1", cost.inner + cost.leaves );
	write_sample( samples, &s, "cost-blocks-of-4", "1", cost.inner + cost.leaves4 );
	write_sample( samples, &s, "cost-blocks-of-8", "1", cost.inner + cost.leaves8 );
}

void report_costs( const field& all, FILE* samples )
{
	bvb_asset_options fast;
	bvb_preset_options( "fast", &fast );
	fast.hierarchy.threads = 1;
	report_cost( all.mesh, "fast", our_cost( all.mesh, { fast.hierarchy, false, fast.errors } ), samples );
	RTCDevice device = rtcNewDevice( "threads=1" );
	report_cost( all.mesh, "embree-medium", embree_cost( all.floats, device ), samples );
	rtcReleaseDevice( device );
	double scene = embree_scene_cost( all.floats );
	sample s = { all.mesh.name.c_str(), all.mesh.triangles.size(), "embree-medium, of the scene", 1, 0 };
	printf( "%-28s                      by blocks of four %7.2f\n", "  its scene", scene );
	write_sample( samples, &s, "cost-blocks-of-4", "1", scene );
}

struct settings
{
	uint32_t triangles = 0;
	int repeats = 5;
	int threads = omp_get_max_threads();
	const char* samples = nullptr;
	bool costs = false;
	bool everything = false;
	std::vector<const char*> meshes;
	std::vector<const char*> splitters;
	std::vector<const char*> builders;
	std::vector<const char*> names;
};

bool parse( int count, char** arguments, settings* s )
{
	for ( int i = 1; i < count; ++i )
	{
		const char* option = arguments[i];
		if ( option[0] != '-' )
		{
			s->names.push_back( option );
			continue;
		}
		bool known = option[1] && !option[2] && ( strchr( "ak", option[1] ) || i + 1 < count );
		switch ( known ? option[1] : 0 )
		{
		case 'a': s->everything = true; break;
		case 'k': s->costs = true; break;
		case 'c': s->triangles = (uint32_t)atol( arguments[++i] ); break;
		case 'n': s->repeats = atoi( arguments[++i] ); break;
		case 't': s->threads = atoi( arguments[++i] ); break;
		case 'm': s->meshes.push_back( arguments[++i] ); break;
		case 'o': s->samples = arguments[++i]; break;
		case 's': s->splitters.push_back( arguments[++i] ); break;
		case 'b': s->builders.push_back( arguments[++i] ); break;
		default: return false;
		}
	}
	return s->repeats >= 1 && s->threads >= 1;
}

void bench( triangle_mesh mesh, const settings& s, FILE* samples )
{
	field all( std::move( mesh ) );
	for ( const char* name : s.names )
	{
		all.add_named( name, s.threads );
	}
	for ( const char* splitter : s.splitters )
	{
		all.add_pair( "topdown", splitter, s.threads );
	}
	for ( const char* builder : s.builders )
	{
		all.add_pair( builder, "gottschalk", s.threads );
	}
	if ( s.everything )
	{
		all.add_tables( s.threads );
	}
	run( &all, s.repeats, samples );
	print( &all, s.repeats );
	if ( s.costs )
	{
		report_costs( all, samples );
	}
	fflush( stdout );
}

} // namespace

int main( int count, char** arguments )
{
	settings s;
	if ( !parse( count, arguments, &s ) )
	{
		fprintf( stderr,
		         "usage: bench_build [-c TRIANGLES] [-n REPEATS] [-t THREADS] [-m FILE]... [-o SAMPLES.csv] "
		         "[-k] [-a] [-s SPLITTER]... [-b BUILDER]... [ENTRANT[:THREADS]...]\n" );
		return 1;
	}
	if ( s.names.empty() && s.splitters.empty() && s.builders.empty() && !s.everything )
	{
		s.names = { "fast",          "balanced",    "balanced+errors", "embree-low",
			        "embree-medium", "embree-high", "fcl-aabb",        "fcl-obbrss" };
	}
	FILE* samples = open_samples( s.samples );
	if ( s.samples && !samples )
	{
		fail( std::string( s.samples ) + ": can't be written" );
	}
	if ( s.meshes.empty() )
	{
		bench( bumpy_ball( s.triangles ? s.triangles : 1000000 ), s, samples );
	}
	for ( const char* path : s.meshes )
	{
		bench( mesh_of_file( path, s.triangles ), s, samples );
	}
	return samples && fclose( samples ) != 0 ? 2 : 0;
}
