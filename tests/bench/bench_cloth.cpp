// Contacts of a cloth with itself between recorded frames, compared with FCL and Bullet.
//
//   bench_cloth [--quick] [--stretch K] [--check N] [-o CSV] (SHEET.bvh FRAMES)...
//
// FRAMES are files that samples/cloth writes. Each step goes from one frame to the next. All entrants get the same positions, and are
// timed from these to the list of contacts: new bounds, the descent, and the tests of features. Times are processor time of one thread.
// Entrants take turns at each step. What they compute differs:
//
// - bv: all vertices and faces, and all pairs of edges, that share no vertex; exact times of contact, each pair of features once
// - FCL 0.7: a tree of axis-aligned boxes, refitted to both positions; selfCollisionRecurse with MeshContinuousCollisionTraversalNode, which tests
//   15 pairs of features for each pair of triangles in binary64. Its result is a time per pair of triangles, neighbors included, which
//   always touch
// - FCL apart: the same, but pairs of triangles that share a vertex are skipped, and with them features of neighbors that bv compares. FCL has
//   no such option. For information
// - Bullet 3.24 in binary64: btSoftBody::geometricCollisionHandler of a body with itself. Vertices and faces only, of triangles that share no vertex, by
//   btSoftColliders::CollideCCD; parts of the surface that are nearly flat are skipped by normal cones of time 0. Edges are not compared
//
// Frames have no contacts: the sample keeps the cloth free of them. With --stretch K, each step goes on in the same direction K times as far,
// into contacts.
//
// With --check N, contacts of N steps are compared with those of brute force over all pairs of features, with the exact features of
// bv/motion.h, and nothing is timed: some 10 s per step of 10,000 triangles.
//
// Exit codes: 1 a bar is missed or contacts differ, 2 usage.

#include "tests/bench/measure.h"

#include "bvworld/deform_contact.h"

#include <BulletSoftBody/btSoftBody.h>
#include <fcl/fcl.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_continuous_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using fcl_model = fcl::BVHModel<fcl::AABBd>;

struct frames_file
{
	uint32_t vertices = 0;
	std::vector<std::vector<float>> frame;
};

frames_file read_frames( const char* path )
{
	frames_file out;
	uint32_t head[2];
	FILE* file = fopen( path, "rb" );
	if ( file && fread( head, sizeof head, 1, file ) == 1 )
	{
		out.vertices = head[0];
		std::vector<float> p( 3 * (size_t)head[0] );
		for ( uint32_t i = 0; i < head[1] && fread( p.data(), 4, p.size(), file ) == p.size(); ++i )
		{
			out.frame.push_back( p );
		}
	}
	if ( file )
	{
		fclose( file );
	}
	return out;
}

std::vector<uint64_t> read_file( const char* path, size_t* bytes )
{
	std::vector<uint64_t> out;
	FILE* file = fopen( path, "rb" );
	if ( file )
	{
		fseek( file, 0, SEEK_END );
		*bytes = (size_t)ftell( file );
		rewind( file );
		out.resize( *bytes / 8 + 1 );
		*bytes = fread( out.data(), 1, *bytes, file );
		fclose( file );
	}
	return out;
}

struct sheet
{
	std::vector<uint64_t> bytes;
	const bv_file* file = nullptr;
	uint32_t vertices = 0;
	std::vector<uint32_t> corner;
};

sheet open_sheet( const char* path )
{
	sheet out;
	size_t bytes = 0;
	out.bytes = read_file( path, &bytes );
	if ( bv_file_open( out.bytes.data(), bytes, &out.file ) != bv_ok )
	{
		fprintf( stderr, "bench_cloth: %s: cannot be read\n", path );
		exit( 2 );
	}
	bv_mesh_info info = bv_file_get_mesh( out.file );
	out.vertices = info.vertices;
	out.corner.resize( 3 * (size_t)info.triangles );
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( out.file, i, &out.corner[3 * (size_t)i] );
	}
	return out;
}

struct entrant
{
	const char* name;
	virtual ~entrant() = default;
	// Returns the number of contacts, of whatever kind.
	virtual uint64_t step( const std::vector<float>& from, const std::vector<float>& to ) = 0;
	std::vector<double> seconds;
	uint64_t contacts = 0;
};

struct bv_entrant : entrant
{
	std::vector<uint64_t> memory;
	std::vector<uint64_t> owner_memory;
	std::vector<uint64_t> scratch = std::vector<uint64_t>( BVW_DEFORM_SCRATCH_AMPLE / 8 );
	bvw_deform* deform = nullptr;
	bvw_owners* owners = nullptr;
	uint32_t vertices;
	double refit = 0;
	bvw_deform_sweep_result latest = {};

	explicit bv_entrant( const sheet& s ) : vertices( s.vertices )
	{
		name = "bv";
		bvw_deform_options options = {};
		options.no_lists = true;
		options.motion = true;
		size_t bytes = bvw_deform_bytes( s.file, &options );
		memory.resize( bytes / 8 + 1 );
		bvw_deform_begin( s.file, &options, memory.data(), bytes, &deform );
		bytes = bvw_owners_bytes( s.file );
		owner_memory.resize( bytes / 8 + 1 );
		std::vector<uint32_t> scratch( bvw_owners_scratch_bytes( s.file ) / 4 );
		bvw_owners_begin( s.file, scratch.data(), 4 * scratch.size(), owner_memory.data(), bytes, &owners );
	}

	uint64_t step( const std::vector<float>& from, const std::vector<float>& to ) override
	{
		bvw_vertices a = {};
		bvw_vertices b = {};
		a.floats = from.data();
		b.floats = to.data();
		a.count = b.count = vertices;
		double begin = core_now();
		bvw_deform_refit_motion( deform, &a, &b, nullptr, nullptr );
		refit += core_now() - begin;
		bvw_deform_sweep_options with_scratch = {};
		with_scratch.scratch = scratch.data();
		with_scratch.scratch_bytes = 8 * scratch.size();
		bvw_deform_self_sweep( deform, owners, &with_scratch, &latest );
		return latest.contacts;
	}
};

struct fcl_self_node : fcl::detail::MeshContinuousCollisionTraversalNode<fcl::AABBd>
{
	bool skips = false; // pairs that share a vertex

	void leafTesting( int a, int b ) const override
	{
		if ( !skips )
		{
			fcl::detail::MeshContinuousCollisionTraversalNode<fcl::AABBd>::leafTesting( a, b );
			return;
		}
		const fcl::Triangle& t = tri_indices1[model1->getBV( a ).primitiveId()];
		const fcl::Triangle& u = tri_indices2[model2->getBV( b ).primitiveId()];
		for ( int i = 0; i < 9; ++i )
		{
			if ( t[i / 3] == u[i % 3] )
			{
				return;
			}
		}
		fcl::detail::MeshContinuousCollisionTraversalNode<fcl::AABBd>::leafTesting( a, b );
	}
};

struct fcl_entrant : entrant
{
	fcl_model model;
	std::vector<fcl::Vector3d> points;

	static void convert( const std::vector<float>& from, std::vector<fcl::Vector3d>& to )
	{
		to.clear();
		for ( size_t i = 0; i < from.size(); i += 3 )
		{
			to.emplace_back( from[i], from[i + 1], from[i + 2] );
		}
	}

	bool skips;

	fcl_entrant( const sheet& s, const std::vector<float>& first, bool skips_neighbors )
		: skips( skips_neighbors )
	{
		name = skips ? "FCL apart" : "FCL";
		std::vector<fcl::Triangle> triangles;
		for ( size_t i = 0; i < s.corner.size(); i += 3 )
		{
			triangles.emplace_back( s.corner[i], s.corner[i + 1], s.corner[i + 2] );
		}
		convert( first, points );
		model.beginModel();
		model.addSubModel( points, triangles );
		model.endModel();
	}

	void update( const std::vector<float>& to )
	{
		convert( to, points );
		model.beginUpdateModel();
		model.updateSubModel( points );
		model.endUpdateModel( true, true );
	}

	uint64_t step( const std::vector<float>&, const std::vector<float>& to ) override
	{
		update( to );
		fcl_self_node node;
		node.skips = skips;
		fcl::CollisionRequestd request( SIZE_MAX, false );
		fcl::detail::initialize( node, model, fcl::Transform3d::Identity(), model,
		                         fcl::Transform3d::Identity(), request );
		fcl::detail::selfCollisionRecurse<double>( &node, 0, nullptr );
		return node.pairs.size();
	}
};

struct bullet_entrant : entrant
{
	btSoftBodyWorldInfo world;
	std::unique_ptr<btSoftBody> body;

	static btDbvntNode* copy( const btDbvtNode* from )
	{
		btDbvntNode* out = new btDbvntNode( from );
		if ( from->isinternal() )
		{
			out->childs[0] = copy( from->childs[0] );
			out->childs[1] = copy( from->childs[1] );
		}
		return out;
	}

	bullet_entrant( const sheet& s, const std::vector<float>& first )
	{
		name = "Bullet";
		std::vector<btVector3> x;
		std::vector<btScalar> mass( s.vertices, 1 );
		for ( size_t i = 0; i < first.size(); i += 3 )
		{
			x.emplace_back( first[i], first[i + 1], first[i + 2] );
		}
		body.reset( new btSoftBody( &world, (int)s.vertices, x.data(), mass.data() ) );
		for ( size_t i = 0; i < s.corner.size(); i += 3 )
		{
			body->appendFace( (int)s.corner[i], (int)s.corner[i + 1], (int)s.corner[i + 2] );
		}
		body->setSelfCollision( true );
		// As btSoftBody::initializeFaceTree, which takes time quadratic in the number of faces. Trees that are built from the top are better.
		for ( int i = 0; i < body->m_faces.size(); ++i )
		{
			btSoftBody::Face& f = body->m_faces[i];
			const btVector3 corner[3] = { f.m_n[0]->m_x, f.m_n[1]->m_x, f.m_n[2]->m_x };
			f.m_leaf = body->m_fdbvt.insert( btDbvtVolume::FromPoints( corner, 3 ), &f );
		}
		body->m_fdbvt.optimizeTopDown();
		body->m_fdbvnt = copy( body->m_fdbvt.m_root );
		body->m_sst.sdt = 1;
		body->m_sst.isdt = 1;
	}

	uint64_t step( const std::vector<float>& from, const std::vector<float>& to ) override
	{
		for ( int i = 0; i < body->m_nodes.size(); ++i )
		{
			const float* p = &from[3 * (size_t)i];
			const float* q = &to[3 * (size_t)i];
			btSoftBody::Node& n = body->m_nodes[i];
			n.m_x = btVector3( p[0], p[1], p[2] );
			n.m_v = btVector3( (double)q[0] - p[0], (double)q[1] - p[1], (double)q[2] - p[2] );
		}
		body->m_faceNodeContactsCCD.resize( 0 );
		body->updateNormals();
		body->updateFaceTree( true, false );
		body->geometricCollisionHandler( body.get() );
		return (uint64_t)body->m_faceNodeContactsCCD.size();
	}
};

using feature_key = std::array<uint32_t, 5>;
using feature_list = std::vector<std::pair<feature_key, double>>;

bool add_feature( void* context, const bvw_deform_contact* c )
{
	feature_key key = { (uint32_t)c->kind, c->vertex[0], c->vertex[1], c->vertex[2], c->vertex[3] };
	static_cast<feature_list*>( context )->emplace_back( key, c->time.lower );
	return true;
}

struct moving_points
{
	const std::vector<float>& from;
	const std::vector<float>& to;

	void test( const feature_key& key, feature_list& out ) const
	{
		bv_vec3 start[4];
		bv_vec3 end[4];
		for ( int i = 0; i < 4; ++i )
		{
			const float* p = &from[3 * (size_t)key[1 + i]];
			const float* q = &to[3 * (size_t)key[1 + i]];
			start[i] = bv_vec3_make( p[0], p[1], p[2] );
			end[i] = bv_vec3_make( q[0], q[1], q[2] );
		}
		bv_feature_time r;
		if ( key[0] == bvw_contact_vertex_face )
		{
			bv_moving_vertex_face( start, end, nullptr, &r );
		}
		else
		{
			bv_moving_edge_edge( start, end, nullptr, &r );
		}
		if ( r.found )
		{
			out.emplace_back( key, r.lower );
		}
	}
};

feature_list brute_force( const sheet& s, const moving_points& points )
{
	feature_list out;
	std::set<std::pair<uint32_t, uint32_t>> edges;
	for ( size_t i = 0; i < s.corner.size(); i += 3 )
	{
		const uint32_t* c = &s.corner[i];
		for ( uint32_t v = 0; v < s.vertices; ++v )
		{
			if ( c[0] != v && c[1] != v && c[2] != v )
			{
				points.test( { bvw_contact_vertex_face, v, c[0], c[1], c[2] }, out );
			}
		}
		for ( int k = 0; k < 3; ++k )
		{
			edges.insert( std::minmax( c[k], c[( k + 1 ) % 3] ) );
		}
	}
	std::vector<std::pair<uint32_t, uint32_t>> list( edges.begin(), edges.end() );
	for ( size_t i = 0; i < list.size(); ++i )
	{
		for ( size_t j = i + 1; j < list.size(); ++j )
		{
			auto a = list[i];
			auto b = list[j];
			if ( a.first != b.first && a.first != b.second && a.second != b.first && a.second != b.second )
			{
				points.test( { bvw_contact_edge_edge, a.first, a.second, b.first, b.second }, out );
			}
		}
	}
	return out;
}

// Returns whether contacts differ.
bool check_frames( const sheet& s, const char* path, int steps, float stretch )
{
	frames_file frames = read_frames( path );
	bv_entrant own( s );
	bool differ = frames.vertices != s.vertices || frames.frame.size() < 2;
	for ( int i = 0; i < steps && !differ; ++i )
	{
		size_t at = ( frames.frame.size() - 2 ) * (size_t)( i + 1 ) / (size_t)steps;
		const std::vector<float>& from = frames.frame[at];
		std::vector<float> to = frames.frame[at + 1];
		for ( size_t k = 0; k < to.size(); ++k )
		{
			to[k] = from[k] + stretch * ( to[k] - from[k] );
		}
		own.step( from, to );
		feature_list found;
		bvw_deform_sweep_options options = {};
		options.callback = add_feature;
		options.context = &found;
		bvw_deform_self_sweep( own.deform, own.owners, &options, &own.latest );
		feature_list expected = brute_force( s, { from, to } );
		std::sort( found.begin(), found.end() );
		std::sort( expected.begin(), expected.end() );
		differ = found != expected;
		printf( "%-12s %8zu step %3zu: %zu contacts, %zu by brute force: %s\n", name_of( path ),
		        s.corner.size() / 3, at, found.size(), expected.size(), differ ? "differ" : "equal" );
	}
	return differ;
}

// Returns whether the bar is missed.
bool measure_frames( const sheet& s, const char* path, size_t stride, float stretch, FILE* csv )
{
	frames_file frames = read_frames( path );
	if ( frames.vertices != s.vertices || frames.frame.size() < 2 )
	{
		fprintf( stderr, "bench_cloth: %s: not frames of this sheet\n", path );
		exit( 2 );
	}
	bv_entrant own( s );
	fcl_entrant fcl_peer( s, frames.frame[0], false );
	fcl_entrant fcl_apart( s, frames.frame[0], true );
	bullet_entrant bullet_peer( s, frames.frame[0] );
	entrant* entrants[] = { &own, &fcl_peer, &fcl_apart, &bullet_peer };
	const int entrant_count = 4;
	size_t steps = 0;
	for ( size_t i = 0; i + 1 < frames.frame.size(); i += stride )
	{
		std::vector<float> to = frames.frame[i + 1];
		for ( size_t k = 0; k < to.size(); ++k )
		{
			to[k] = frames.frame[i][k] + stretch * ( to[k] - frames.frame[i][k] );
		}
		fcl_peer.update( frames.frame[i] ); // which becomes the earlier one of two positions
		fcl_apart.update( frames.frame[i] );
		for ( entrant* e : entrants )
		{
			double begin = core_now();
			e->contacts += e->step( frames.frame[i], to );
			e->seconds.push_back( core_now() - begin );
		}
		++steps;
	}
	bool missed = false;
	double times[4];
	for ( int k = 0; k < entrant_count; ++k )
	{
		std::vector<double> sorted = entrants[k]->seconds;
		times[k] = median( sorted.data(), (int)sorted.size() );
		sample of = { name_of( path ), s.corner.size() / 3, entrants[k]->name, 1, 0 };
		write_sample( csv, &of, "cloth", "ms", 1e3 * times[k] );
	}
	for ( int k = 0; k < entrant_count; ++k )
	{
		bool is_peer = k > 0;
		bool has_bar = entrants[k] == &fcl_peer;
		bool misses = has_bar && times[k] < 5 * times[0];
		missed = missed || misses;
		printf( "%-12s %8zu %-9s %10.2f ms %10llu contacts", name_of( path ), s.corner.size() / 3,
		        entrants[k]->name, 1e3 * times[k], (unsigned long long)entrants[k]->contacts );
		is_peer ? printf( "  %7.1f x  %s\n", times[k] / times[0],
		                  !has_bar ? "for information"
		                  : misses ? "missed"
		                           : "met" )
				: printf( "  (%zu steps, refit %.2f ms, tests of the latest: %llu volumes, %llu features, "
		                  "%llu exact)\n",
		                  steps, 1e3 * own.refit / (double)steps, (unsigned long long)own.latest.volume_tests,
		                  (unsigned long long)own.latest.feature_tests,
		                  (unsigned long long)own.latest.exact_tests );
	}
	return missed;
}

} // namespace

int main( int count, char** arguments )
{
	size_t stride = 1;
	float stretch = 1;
	int check = 0;
	FILE* csv = nullptr;
	int at = 1;
	for ( ; at < count && arguments[at][0] == '-'; ++at )
	{
		std::string option = arguments[at];
		if ( option == "--quick" )
		{
			stride = 10;
		}
		else if ( option == "--stretch" && at + 1 < count )
		{
			stretch = strtof( arguments[++at], nullptr );
		}
		else if ( option == "--check" && at + 1 < count )
		{
			check = atoi( arguments[++at] );
		}
		else if ( option == "-o" && at + 1 < count )
		{
			csv = open_samples( arguments[++at] );
		}
		else
		{
			at = count;
		}
	}
	if ( at >= count || ( count - at ) % 2 != 0 )
	{
		fprintf( stderr,
		         "usage: bench_cloth [--quick] [--stretch K] [--check N] [-o CSV] (SHEET.bvh FRAMES)...\n" );
		return 2;
	}
	bool missed = false;
	for ( ; at + 1 < count; at += 2 )
	{
		sheet s = open_sheet( arguments[at] );
		bool bad = check > 0 ? check_frames( s, arguments[at + 1], check, stretch )
		                     : measure_frames( s, arguments[at + 1], stride, stretch, csv );
		missed = bad || missed;
	}
	if ( csv )
	{
		fclose( csv );
	}
	return missed ? 1 : 0;
}
