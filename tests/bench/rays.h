// What bench_rays and the peers it measures share: a mesh, a query, and the questions that may be asked. A peer
// is one header peer_NAME_rays.h with one function that makes an entrant over a mesh, and one row of the
// table in bench_rays.cpp. In C++.

#pragma once

#include "bv/base.h"
#include "bv/shape.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

// The mesh of record of a file, whose positions are of 32 bits.
struct rays_mesh
{
	std::vector<float> positions;
	std::vector<uint32_t> corners;
	std::vector<bv_vec3> corner; // the same in binary64, three per triangle

	size_t triangles() const
	{
		return corner.size() / 3;
	}
};

// A question takes of it what it needs. Coordinates of `from`, `way` and `size` are numbers of 32 bits, so that
// every entrant gets the same query.
struct rays_query
{
	bv_vec3 from; // origin of a ray or a cast, query point, center of a ball or a box
	bv_vec3 way;  // of length 1
	double size;  // radius or half extents
	bv_obb box;   // turned somehow
};

// Rays and casts of entrants that take a segment end here. Nothing is farther away: meshes have radius 1, and
// queries begin at most 2.5 from their center.
static const float rays_reach = 4;

enum class question
{
	first_hit,
	any_hit,
	closest_point,
	ball_all,
	ball_first,
	box_all,
	box_first,
	aligned_all,
	aligned_first,
	ball_cast,
	box_cast,
};

// A time, a distance, a number of triangles, or 0 and 1; infinity for nothing found.
typedef std::function<double( const rays_query& )> rays_answer;

// The answers keep alive what they need.
struct rays_entrant
{
	std::string name;
	std::map<question, rays_answer> answers;
};
