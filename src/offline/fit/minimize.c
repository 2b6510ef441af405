// Minimization without derivatives. See minimize.h.

#include "offline/fit/minimize.h"

#include <string.h>

typedef struct vertex
{
	double at[bvfit_simplex_most];
	double cost;
} vertex;

// The vertices, best first.
typedef struct minimize_simplex
{
	vertex v[bvfit_simplex_most + 1];
	int count; // of parameters
} minimize_simplex;

// Sorts a vertex in whose place is to be among the first `last`, behind those that are as good.
static void insert( minimize_simplex* s, int last, const vertex* new )
{
	int place = last;
	while ( place > 0 && s->v[place - 1].cost > new->cost )
	{
		s->v[place] = s->v[place - 1];
		--place;
	}
	s->v[place] = *new;
}

// The point mean + factor * ( worst - mean ).
static vertex move( const minimize_simplex* s, const double* mean, double factor, bvfit_cost_function* cost,
                    const void* context )
{
	vertex moved = { .cost = 0 };
	for ( int k = 0; k < s->count; ++k )
	{
		moved.at[k] = mean[k] + factor * ( s->v[s->count].at[k] - mean[k] );
	}
	moved.cost = cost( context, moved.at );
	return moved;
}

static void shrink( minimize_simplex* s, bvfit_cost_function* cost, const void* context )
{
	minimize_simplex old = *s;
	for ( int i = 1; i <= s->count; ++i )
	{
		vertex moved = old.v[i];
		for ( int k = 0; k < s->count; ++k )
		{
			moved.at[k] = old.v[0].at[k] + 0.5 * ( moved.at[k] - old.v[0].at[k] );
		}
		moved.cost = cost( context, moved.at );
		insert( s, i, &moved );
	}
}

double bvfit_nelder_mead( bvfit_cost_function* cost, const void* context, int count, double* parameter,
                          const double* step, int calls, double tolerance )
{
	minimize_simplex s = { .count = count };
	for ( int i = 0; i <= count; ++i )
	{
		vertex new = { .cost = 0 };
		memcpy( new.at, parameter, (size_t)count * sizeof *parameter );
		if ( i > 0 )
		{
			new.at[i - 1] += step[i - 1];
		}
		new.cost = cost( context, new.at );
		insert( &s, i, &new );
	}
	const vertex* best = &s.v[0];
	const vertex* worst = &s.v[count];
	const vertex* second = &s.v[count - 1];
	for ( int call = count + 1; call < calls && worst->cost - best->cost > tolerance * best->cost; ++call )
	{
		double mean[bvfit_simplex_most] = { 0 };
		for ( int k = 0; k < count; ++k )
		{
			for ( int i = 0; i < count; ++i )
			{
				mean[k] += s.v[i].at[k];
			}
			mean[k] /= count;
		}
		vertex next = move( &s, mean, -1, cost, context );
		if ( next.cost < best->cost )
		{
			vertex farther = move( &s, mean, -2, cost, context );
			next = farther.cost < next.cost ? farther : next;
			++call;
		}
		else if ( !( next.cost < second->cost ) )
		{
			bool outside = next.cost < worst->cost;
			vertex nearer = move( &s, mean, outside ? -0.5 : 0.5, cost, context );
			++call;
			if ( !( nearer.cost < ( outside ? next.cost : worst->cost ) ) )
			{
				shrink( &s, cost, context );
				call += count;
				continue;
			}
			next = nearer;
		}
		insert( &s, count, &next );
	}
	memcpy( parameter, best->at, (size_t)count * sizeof *parameter );
	return best->cost;
}

double bvfit_search_upwards( bvfit_cost_function* cost, const void* context, double start, double step,
                             int calls )
{
	double best = start;
	double least = cost( context, &start );
	bool doubling = true;
	for ( int call = 1; call < calls; ++call )
	{
		double ahead = best + step;
		double ahead_cost = cost( context, &ahead );
		if ( ahead_cost < least )
		{
			best = ahead;
			least = ahead_cost;
			step *= doubling ? 2 : 0.5;
			continue;
		}
		doubling = false;
		double behind = best - step > start ? best - step : start;
		double behind_cost = behind < best ? cost( context, &behind ) : least;
		++call;
		if ( behind_cost < least )
		{
			best = behind;
			least = behind_cost;
		}
		step /= 2;
	}
	return best;
}
