// What the tables of bench_sweeps have in common: its settings, bars, and statistics. In C++.

#pragma once

#include "tests/bench/judge.h"
#include "tests/bench/sweep_scene.h"

#include <algorithm>
#include <string>

namespace {

struct settings
{
	std::string tables = "walls meshes modes steps convex finders";
	uint64_t passages = 1000000;
	uint64_t peer_passages = 20000;
	int motions = 500;
	int compared = 12; // of these by other ways, too
	int pairs = 100000;
	int rounds = 5;
	std::vector<std::pair<std::string, std::string>> peers; // name and command
	const char* exported = nullptr;
	const char* folder = nullptr;
	std::vector<const char*> poses;
	int missed = 0; // bars
	FILE* csv = nullptr;
};

void write_row( settings& with, const char* table, const char* entrant, size_t queries, const char* what,
                double value )
{
	const sample of = { table, queries, entrant, 1, 0 };
	write_sample( with.csv, &of, what, strstr( what, "us" ) ? "us" : "1", value );
}

void require( settings& with, bool met, const char* what )
{
	if ( !met )
	{
		fprintf( stderr, "missed: %s\n", what );
		with.missed += 1;
	}
}

double percentile( std::vector<double> values, double share )
{
	if ( values.empty() )
	{
		return NAN;
	}
	std::sort( values.begin(), values.end() );
	return values[(size_t)( share * (double)( values.size() - 1 ) )];
}

double mean( const std::vector<double>& values )
{
	double sum = 0;
	for ( double v : values )
	{
		sum += v;
	}
	return sum / (double)values.size();
}

} // namespace
