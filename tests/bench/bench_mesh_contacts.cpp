// Contacts of convex shapes and meshes, compared with Bullet and ODE: time on a terrain, and ghost contacts on flat meshes.
//
//   bench_mesh_contacts [--quick] [--times | --ghosts] [--export FILE] [--peer NAME COMMAND]...
//
// Time: a sphere, a capsule, a box and a hull of 32 corners, small (about two triangles wide) and large (about ten), at random places on a
// terrain of 100,352 triangles, 1 % to 5 % of their size deep. Times are medians of 9 rounds of the processor time per query;
// entrants take turns within a round. No entrant keeps anything from one query to the next.
//
// Ghosts: the same shapes slide over flat meshes. A contact of depth 0 or more is a ghost if its normal is more than 0.1 degree off that of
// the plane. Bullet: btBvhTriangleMeshShape in double precision, plain and with btAdjustInternalEdgeContacts; hulls have a margin
// of 0.001. ODE: dTriMesh; it has no contacts of convex hulls and meshes. Programs of --peer read the file of --export: ghosts.mjs for
// Jolt and Rapier.
//
// --times and --ghosts are one of the parts, --quick less of both.
//
// Exit codes: 1 a bar is missed, 2 something can't be built, 3 usage.

#include "tests/bench/mesh_contacts_entrants.h"

namespace {

const double bar = 1.0 / 3; // of the time of others

// Of one kind of shape and size.
bool time_shape( const std::vector<std::unique_ptr<built_mesh>>& mesh,
                 std::vector<std::unique_ptr<entrant>>& entrants, int kind, double size, int poses,
                 int rounds )
{
	solid shape( (shape_kind)kind, size );
	std::vector<bv_transform> at;
	for ( int i = 0; i < poses; ++i )
	{
		bv_transform t = random_turn();
		double x = 10 + ( terrain_side - 20 ) * random_unit();
		double y = 10 + ( terrain_side - 20 ) * random_unit();
		double z = height_at( x, y ) - shape.lowest( up_in( t ) ) - size * ( 0.01 + 0.04 * random_unit() );
		t.pose.translation = { x, y, z };
		at.push_back( t );
	}
	std::vector<std::vector<double>> seconds( entrants.size() );
	std::vector<double> contacts( entrants.size() );
	for ( int round = -1; round < rounds; ++round )
	{
		for ( size_t e = 0; e < entrants.size(); ++e )
		{
			if ( !entrants[e]->takes( shape ) )
			{
				continue;
			}
			answer a;
			entrants[e]->load( mesh, shape );
			double start = core_now();
			for ( const bv_transform& t : at )
			{
				entrants[e]->ask( t, a );
			}
			double s = ( core_now() - start ) / poses;
			contacts[e] = (double)a.contacts / poses;
			if ( round >= 0 )
			{
				seconds[e].push_back( s );
			}
		}
	}
	printf( "| %s | %g |", shape_names[kind], size );
	double ours = median( seconds[0].data(), rounds );
	double others = INFINITY;
	for ( size_t e = 0; e < entrants.size(); ++e )
	{
		if ( seconds[e].empty() )
		{
			printf( " | |" );
			continue;
		}
		double time = median( seconds[e].data(), rounds );
		others = e > 0 ? std::min( others, time ) : others;
		printf( " %.2f | %.1f |", 1e6 * time, contacts[e] );
	}
	bool met = ours <= bar * others;
	printf( " %.2f | %s |\n", ours / others, met ? "met" : "missed" );
	return met;
}

// What a program of --peer found in each run.
struct peer
{
	const char* name;
	std::vector<answer> runs;
};

void write_numbers( FILE* file, const std::vector<double>& numbers )
{
	for ( size_t i = 0; i < numbers.size(); ++i )
	{
		fprintf( file, "%s%.17g", i > 0 ? "," : "", numbers[i] );
	}
}

// JSON, for programs of --peer: {"steps", "flats": [[{"positions", "corners"}]], "runs": [{"flat", "shape", "size", "points", "slides"}]}.
// A slide is nine numbers of a rotation, the position before the first step, and the way of a step along x and y.
void export_runs( const char* path, const std::vector<slide_run>& runs )
{
	FILE* file = fopen( path, "w" );
	if ( !file )
	{
		give_up( "the runs cannot be written" );
	}
	fprintf( file, "{\"steps\":%d,\"flats\":[", (int)slide_steps );
	for ( int flat = 0; flat < flats; ++flat )
	{
		const char* before = flat > 0 ? ",[" : "[";
		for ( const auto& mesh : flat_meshes( flat ) )
		{
			fprintf( file, "%s{\"positions\":[", before );
			write_numbers( file, mesh->positions );
			fprintf( file, "],\"corners\":[" );
			write_numbers( file, { mesh->corners.begin(), mesh->corners.end() } );
			fprintf( file, "]}" );
			before = ",";
		}
		fprintf( file, "]" );
	}
	fprintf( file, "],\"runs\":[" );
	for ( const slide_run& run : runs )
	{
		fprintf( file, "%s{\"flat\":%d,\"shape\":\"%s\",\"size\":0.5,\"points\":[",
		         &run != runs.data() ? "," : "", run.flat, shape_names[run.shape->kind] );
		std::vector<double> numbers;
		for ( const bv_vec3& p : run.shape->points )
		{
			numbers.insert( numbers.end(), { p.x, p.y, p.z } );
		}
		write_numbers( file, numbers );
		fprintf( file, "],\"slides\":[" );
		numbers.clear();
		for ( const slide_start& s : run.slides )
		{
			const auto& r = s.at.pose.rotation;
			numbers.insert( numbers.end(), &r[0][0], &r[0][0] + 9 );
			const bv_vec3& t = s.at.pose.translation;
			numbers.insert( numbers.end(), { t.x, t.y, t.z, s.way.x, s.way.y } );
		}
		write_numbers( file, numbers );
		fprintf( file, "]}" );
	}
	fprintf( file, "]}\n" );
	fclose( file );
}

// The command gets the file as its last argument, and prints for each run: ghosts, steps with ghosts, steps without contacts.
peer ask_peer( const char* name, const std::string& command, const char* exported, size_t runs )
{
	peer out = { name, {} };
	FILE* in = popen( ( command + " " + exported ).c_str(), "r" );
	unsigned long n[3];
	while ( in && out.runs.size() < runs && fscanf( in, "%lu %lu %lu", n, n + 1, n + 2 ) == 3 )
	{
		answer a;
		a.ghosts = n[0];
		a.queries_with_ghosts = n[1];
		a.missed = n[2];
		out.runs.push_back( a );
	}
	if ( !in || pclose( in ) != 0 || out.runs.size() != runs )
	{
		give_up( "a program of --peer failed" );
	}
	return out;
}

answer slide( const std::vector<std::unique_ptr<built_mesh>>& mesh, entrant& e, const slide_run& run )
{
	answer all;
	e.load( mesh, *run.shape );
	for ( const slide_start& s : run.slides )
	{
		bv_transform t = s.at;
		for ( int i = 0; i < slide_steps; ++i )
		{
			t.pose.translation.x += s.way.x;
			t.pose.translation.y += s.way.y;
			answer a;
			e.ask( t, a );
			all.contacts += a.contacts;
			all.ghosts += a.ghosts;
			all.queries_with_ghosts += a.ghosts > 0;
			all.missed += a.contacts == 0;
		}
	}
	return all;
}

void print_answer( const answer* a )
{
	if ( !a )
	{
		printf( " | | |" );
		return;
	}
	printf( " %lu | %lu | %lu |", (unsigned long)a->ghosts, (unsigned long)a->queries_with_ghosts,
	        (unsigned long)a->missed );
}

// Of all shapes, by flat mesh: steps with ghosts of all steps, and last steps without contacts.
void print_sums( const std::vector<const char*>& names, const std::vector<slide_run>& runs,
                 const std::vector<std::vector<std::unique_ptr<answer>>>& answers )
{
	printf( "\n| steps with ghosts |" );
	std::string rule = "| --- |";
	for ( const char* name : names )
	{
		printf( " %s |", name );
		rule += " ---: |";
	}
	printf( "\n%s\n", rule.c_str() );
	for ( int row = 0; row <= flats; ++row ) // the last one: steps without contacts
	{
		printf( "| %s |", row < flats ? flat_names[row] : "steps without contacts, all meshes" );
		for ( size_t k = 0; k < names.size(); ++k )
		{
			uint64_t sum = 0;
			size_t steps = 0;
			for ( size_t i = 0; i < runs.size(); ++i )
			{
				const answer* a = answers[i][k].get();
				if ( a && ( row == flats || runs[i].flat == row ) )
				{
					sum += row < flats ? a->queries_with_ghosts : a->missed;
					steps += slide_steps * runs[i].slides.size();
				}
			}
			printf( " %lu of %zu |", (unsigned long)sum, steps );
		}
		printf( "\n" );
	}
}

// @return ghosts, and steps without contacts, of ours
uint64_t print_ghosts( const std::vector<std::unique_ptr<entrant>>& entrants,
                       const std::vector<slide_run>& runs, const std::vector<peer>& peers )
{
	std::vector<const char*> names;
	for ( const auto& e : entrants )
	{
		names.push_back( e->name );
	}
	for ( const peer& p : peers )
	{
		names.push_back( p.name );
	}
	printf( "\n| flat mesh | shape | steps |" );
	std::string rule = "| --- | --- | ---: |";
	for ( const char* name : names )
	{
		printf( " %s: ghosts | steps with ghosts | steps without contacts |", name );
		rule += " ---: | ---: | ---: |";
	}
	printf( "\n%s\n", rule.c_str() );
	uint64_t wrong = 0;
	std::vector<std::vector<std::unique_ptr<answer>>> answers( runs.size() ); // null: not asked
	for ( size_t i = 0; i < runs.size(); ++i )
	{
		std::vector<std::unique_ptr<built_mesh>> mesh = flat_meshes( runs[i].flat );
		printf( "| %s | %s | %zu |", flat_names[runs[i].flat], shape_names[runs[i].shape->kind],
		        slide_steps * runs[i].slides.size() );
		for ( const auto& e : entrants )
		{
			bool takes = e->takes( *runs[i].shape );
			answers[i].push_back( takes ? std::make_unique<answer>( slide( mesh, *e, runs[i] ) ) : nullptr );
		}
		for ( const peer& p : peers )
		{
			answers[i].push_back( std::make_unique<answer>( p.runs[i] ) );
		}
		for ( const auto& a : answers[i] )
		{
			print_answer( a.get() );
		}
		wrong += answers[i][0]->ghosts + answers[i][0]->missed;
		printf( "\n" );
		fflush( stdout );
	}
	print_sums( names, runs, answers );
	return wrong;
}

// @return whether the bar is met
bool print_times( std::vector<std::unique_ptr<entrant>>& entrants, bool quick )
{
	bool met = true;
	triangles t = terrain();
	std::vector<std::unique_ptr<built_mesh>> mesh;
	mesh.push_back( std::make_unique<built_mesh>( t ) );
	printf( "| shape | size |" );
	for ( const auto& e : entrants )
	{
		printf( " %s, us | contacts |", e->name );
	}
	printf( " of the fastest peer | bar of 1/3 |\n| --- | ---: |" );
	for ( size_t i = 0; i < entrants.size(); ++i )
	{
		printf( " ---: | ---: |" );
	}
	printf( " ---: | --- |\n" );
	for ( double size : { 1.0, 5.0 } )
	{
		for ( int kind = 0; kind < shape_kinds; ++kind )
		{
			met &= time_shape( mesh, entrants, kind, size, quick ? 200 : 1000, quick ? 3 : 9 );
			fflush( stdout );
		}
	}
	return met;
}

} // namespace

int main( int argc, char** argv )
{
	bool quick = false;
	bool times = true;
	bool ghosts = true;
	const char* exported = nullptr;
	std::vector<std::pair<const char*, const char*>> commands;
	for ( int i = 1; i < argc; ++i )
	{
		std::string option = argv[i];
		if ( option == "--export" && i + 1 < argc )
		{
			exported = argv[++i];
		}
		else if ( option == "--peer" && i + 2 < argc )
		{
			commands.emplace_back( argv[i + 1], argv[i + 2] );
			i += 2;
		}
		else if ( option == "--quick" )
		{
			quick = true;
		}
		else if ( option == "--times" || option == "--ghosts" )
		{
			times = option == "--times";
			ghosts = !times;
		}
		else
		{
			fprintf( stderr, "bench_mesh_contacts: invalid option %s\n", argv[i] );
			return 3;
		}
	}
	if ( !commands.empty() && !exported )
	{
		fprintf( stderr, "bench_mesh_contacts: --peer needs --export\n" );
		return 3;
	}
	dSetMessageHandler( []( int, const char*, va_list ) {} );
	dInitODE2( 0 );
	dAllocateODEDataForThread( dAllocateMaskAll );
	std::vector<std::unique_ptr<entrant>> entrants;
	entrants.push_back( std::make_unique<our_entrant>() );
	entrants.push_back( std::make_unique<bullet_entrant>( "Bullet", false ) );
	entrants.push_back( std::make_unique<bullet_entrant>( "Bullet, internal edges", true ) );
	entrants.push_back( std::make_unique<ode_entrant>() );
	bool met = !times || print_times( entrants, quick );
	uint64_t wrong = 0;
	if ( ghosts )
	{
		random_state = 1; // the same slides with and without times
		std::vector<slide_run> runs;
		for ( int i = 0; i < flats * shape_kinds; ++i )
		{
			runs.push_back( make_slides( i / shape_kinds, i % shape_kinds, quick ? 500 : 50000 ) );
		}
		if ( exported )
		{
			export_runs( exported, runs );
		}
		std::vector<peer> peers;
		for ( const auto& c : commands )
		{
			peers.push_back( ask_peer( c.first, c.second, exported, runs.size() ) );
		}
		wrong = print_ghosts( entrants, runs, peers );
	}
	printf( "\n| what | bar | |\n| --- | --- | --- |\n" );
	if ( times )
	{
		printf( "| time | at most 1/3 of the fastest peer | %s |\n", met ? "met" : "missed" );
	}
	if ( ghosts )
	{
		printf( "| ghosts, and steps without contacts | 0 | %s |\n", wrong == 0 ? "met" : "missed" );
	}
	entrants.clear();
	dCloseODE();
	return met && wrong == 0 ? 0 : 1;
}
