// nanoflann's neighbors of points within a distance, as lists. In C++. Without its header there is no such peer.

#pragma once

#include "bvworld/particles.h"

#include <cstdint>
#include <utility>
#include <vector>

#if __has_include( <nanoflann.hpp>)
#define HAS_NANOFLANN 1
#include <nanoflann.hpp>
#else
#define HAS_NANOFLANN 0
#endif

namespace {

// Lists that grow, as nanoflann gives them: not sorted, with the point itself left out.
struct peer_lists
{
	std::vector<uint64_t> begin;
	std::vector<uint32_t> neighbors;
};

#if HAS_NANOFLANN

struct peer_cloud
{
	const double* at;
	size_t count;

	size_t kdtree_get_point_count() const
	{
		return count;
	}

	double kdtree_get_pt( size_t index, size_t axis ) const
	{
		return at[3 * index + axis];
	}

	template <class box> bool kdtree_get_bbox( box& ) const
	{
		return false;
	}
};

// Builds a tree with leaves of 32 points, with which it is faster than with its default of 10, and asks it about each point.
inline void nanoflann_lists( const double* at, uint32_t count, double distance, peer_lists& out )
{
	using tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, peer_cloud>,
	                                                 peer_cloud, 3, uint32_t>;
	peer_cloud cloud = { at, count };
	tree index( 3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams( 32 ) );
	index.buildIndex();
	nanoflann::SearchParams options;
	options.sorted = false;
	std::vector<std::pair<uint32_t, double>> found;
	out.begin.clear();
	out.neighbors.clear();
	for ( uint32_t i = 0; i < count; ++i )
	{
		out.begin.push_back( out.neighbors.size() );
		index.radiusSearch( at + 3 * (size_t)i, distance * distance, found, options );
		for ( const auto& one : found )
		{
			if ( one.first != i )
			{
				out.neighbors.push_back( one.first );
			}
		}
	}
	out.begin.push_back( out.neighbors.size() );
}

#endif

} // namespace
