// The conclusions of Eckstein 1998, chapter 10, on hierarchies and expansion rules, as bench_paths compares them. His figures D.3 to D.59
// are curves without numbers, so that only conclusions can be compared.

#pragma once

#include "tests/bench/paths_static.h"

enum
{
	most_levels = 6,

	// Percent of the cost of a good level that others must have.
	as_good = 97, // equal, as far as times can tell
	far_behind = 125,
};

// What is compared with other ones.
typedef struct claim_level
{
	const char* label;
	const char* splitter;
	const char* volume;
	const char* children;
	bv_expansion expansion;
} claim_level;

// A claim on static queries: each of the first levels costs less than each of the others.
typedef struct static_claim
{
	const char* figures;
	const char* claim;
	int good; // number of levels
	int percent;
	claim_level level[most_levels];
} static_claim;

#define DEGREE_LEVEL( splitter, degree )                              \
	{                                                                 \
		degree, splitter, "obb", "--degree " degree, bv_expand_larger \
	}
#define RATE_LEVEL( splitter, rate )                                   \
	{                                                                  \
		rate, splitter, "obb", "--improvement " rate, bv_expand_larger \
	}
#define VOLUME_LEVEL( label, splitter, volume, degree )               \
	{                                                                 \
		label, splitter, volume, "--degree " degree, bv_expand_larger \
	}
#define RULE_LEVEL( label, splitter, children, rule ) \
	{                                                 \
		label, splitter, "obb", children, rule        \
	}

static const static_claim static_claims[] = {
	{ "D.8-9",
	  "`zachmann`: degrees 3 and 6 are better than 2",
	  2,
	  as_good,
	  { DEGREE_LEVEL( "zachmann", "3" ), DEGREE_LEVEL( "zachmann", "6" ), DEGREE_LEVEL( "zachmann", "2" ) } },
	{ "D.8-9",
	  "`zachmann`: degrees 3 and 6 are the best ones",
	  2,
	  as_good,
	  { DEGREE_LEVEL( "zachmann", "3" ), DEGREE_LEVEL( "zachmann", "6" ), DEGREE_LEVEL( "zachmann", "4" ),
	    DEGREE_LEVEL( "zachmann", "5" ) } },
	{ "D.10-11",
	  "`zachmann`: the improvement rate 0.5 is the best one",
	  1,
	  as_good,
	  { RATE_LEVEL( "zachmann", "0.5" ), RATE_LEVEL( "zachmann", "0.6" ), RATE_LEVEL( "zachmann", "0.75" ),
	    RATE_LEVEL( "zachmann", "0.9" ) } },
	{ "D.12-13",
	  "`zachmann`: degree 3 is better than the rate 0.5",
	  1,
	  as_good,
	  { DEGREE_LEVEL( "zachmann", "3" ), RATE_LEVEL( "zachmann", "0.5" ) } },
	{ "D.14-15",
	  "`gottschalk-points`: degree 6 is the best one",
	  1,
	  as_good,
	  { DEGREE_LEVEL( "gottschalk-points", "6" ), DEGREE_LEVEL( "gottschalk-points", "2" ),
	    DEGREE_LEVEL( "gottschalk-points", "3" ), DEGREE_LEVEL( "gottschalk-points", "4" ),
	    DEGREE_LEVEL( "gottschalk-points", "5" ) } },
	{ "D.16-17",
	  "`gottschalk-points`: the rate 0.75 is the best one",
	  1,
	  as_good,
	  { RATE_LEVEL( "gottschalk-points", "0.75" ), RATE_LEVEL( "gottschalk-points", "0.5" ),
	    RATE_LEVEL( "gottschalk-points", "0.6" ), RATE_LEVEL( "gottschalk-points", "0.9" ) } },
	{ "D.18-19",
	  "`gottschalk-points`: the rate 0.75 is better than degrees 6 and 2",
	  1,
	  as_good,
	  { RATE_LEVEL( "gottschalk-points", "0.75" ), DEGREE_LEVEL( "gottschalk-points", "6" ),
	    DEGREE_LEVEL( "gottschalk-points", "2" ) } },
	{ "D.20-21",
	  "`kmeans`, degree 5: boxes are better than a choice of types",
	  1,
	  as_good,
	  { VOLUME_LEVEL( "boxes", "kmeans", "obb", "5" ),
	    VOLUME_LEVEL( "choice", "kmeans", "obb,aabb,sphere", "5" ) } },
	{ "D.20-21",
	  "`kmeans`, degree 6: boxes are better than a choice of types",
	  1,
	  as_good,
	  { VOLUME_LEVEL( "boxes", "kmeans", "obb", "6" ),
	    VOLUME_LEVEL( "choice", "kmeans", "obb,aabb,sphere", "6" ) } },
	{ "D.20-21",
	  "`kmeans`, degree 5: aligned boxes alone and balls alone are bad",
	  1,
	  far_behind,
	  { VOLUME_LEVEL( "boxes", "kmeans", "obb", "5" ), VOLUME_LEVEL( "aligned", "kmeans", "aabb", "5" ),
	    VOLUME_LEVEL( "balls", "kmeans", "sphere", "5" ) } },
	{ "D.22",
	  "`kmeans`: degrees 3, 4 and 5 are the best ones",
	  3,
	  as_good,
	  { DEGREE_LEVEL( "kmeans", "3" ), DEGREE_LEVEL( "kmeans", "4" ), DEGREE_LEVEL( "kmeans", "5" ),
	    DEGREE_LEVEL( "kmeans", "2" ), DEGREE_LEVEL( "kmeans", "6" ) } },
	{ "D.23",
	  "`kmeans`: the rate 0.75 is the best one",
	  1,
	  as_good,
	  { RATE_LEVEL( "kmeans", "0.75" ), RATE_LEVEL( "kmeans", "0.5" ), RATE_LEVEL( "kmeans", "0.6" ),
	    RATE_LEVEL( "kmeans", "0.9" ) } },
	{ "D.24",
	  "`kmeans`: the rate 0.75 is better than degrees 3, 4 and 5, and has the lowest peaks",
	  1,
	  as_good,
	  { RATE_LEVEL( "kmeans", "0.75" ), DEGREE_LEVEL( "kmeans", "3" ), DEGREE_LEVEL( "kmeans", "4" ),
	    DEGREE_LEVEL( "kmeans", "5" ) } },
	{ "D.25-26",
	  "`insertion`, degree 5: boxes are better than a choice of types",
	  1,
	  as_good,
	  { VOLUME_LEVEL( "boxes", "insertion", "obb", "5" ),
	    VOLUME_LEVEL( "choice", "insertion", "obb,aabb,sphere", "5" ) } },
	{ "D.27-28",
	  "`insertion`: degrees 3 and 5 are the best ones",
	  2,
	  as_good,
	  { DEGREE_LEVEL( "insertion", "3" ), DEGREE_LEVEL( "insertion", "5" ), DEGREE_LEVEL( "insertion", "2" ),
	    DEGREE_LEVEL( "insertion", "4" ), DEGREE_LEVEL( "insertion", "6" ) } },
	{ "D.29-30",
	  "`insertion`: the rate 0.75 is the best one",
	  1,
	  as_good,
	  { RATE_LEVEL( "insertion", "0.75" ), RATE_LEVEL( "insertion", "0.5" ), RATE_LEVEL( "insertion", "0.6" ),
	    RATE_LEVEL( "insertion", "0.9" ) } },
	{ "D.31-32",
	  "`insertion`: the rate 0.75 is better than degrees 3 and 5",
	  1,
	  as_good,
	  { RATE_LEVEL( "insertion", "0.75" ), DEGREE_LEVEL( "insertion", "3" ),
	    DEGREE_LEVEL( "insertion", "5" ) } },
	{ "D.33-36",
	  "`zachmann` is far behind",
	  3,
	  far_behind,
	  { RULE_LEVEL( "insertion", "insertion", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "kmeans", "kmeans", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "gottschalk-points", "gottschalk-points", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "zachmann", "zachmann", "--degree 3", bv_expand_larger ) } },
	{ "D.35-40",
	  "`insertion` and `kmeans` are better than `gottschalk-points`",
	  2,
	  as_good,
	  { RULE_LEVEL( "insertion", "insertion", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "kmeans", "kmeans", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "gottschalk-points", "gottschalk-points", "--improvement 0.75", bv_expand_larger ) } },
	{ "D.41-48",
	  "`insertion`: one-sided expansion is the best one",
	  1,
	  as_good,
	  { RULE_LEVEL( "larger", "insertion", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "both", "insertion", "--improvement 0.75", bv_expand_both ),
	    RULE_LEVEL( "hybrid", "insertion", "--improvement 0.75", bv_expand_hybrid ),
	    RULE_LEVEL( "hybrid by quality", "insertion", "--improvement 0.75, node-quality",
	                bv_expand_hybrid ) } },
	{ "D.41-48",
	  "`kmeans`: one-sided expansion is the best one",
	  1,
	  as_good,
	  { RULE_LEVEL( "larger", "kmeans", "--improvement 0.75", bv_expand_larger ),
	    RULE_LEVEL( "both", "kmeans", "--improvement 0.75", bv_expand_both ),
	    RULE_LEVEL( "hybrid", "kmeans", "--improvement 0.75", bv_expand_hybrid ),
	    RULE_LEVEL( "hybrid by quality", "kmeans", "--improvement 0.75, node-quality", bv_expand_hybrid ) } },
	{ "D.41-48",
	  "the same of the preset `balanced`",
	  1,
	  as_good,
	  { RULE_LEVEL( "larger", "preset balanced", "-", bv_expand_larger ),
	    RULE_LEVEL( "both", "preset balanced", "-", bv_expand_both ),
	    RULE_LEVEL( "hybrid", "preset balanced", "-", bv_expand_hybrid ) } },
};
