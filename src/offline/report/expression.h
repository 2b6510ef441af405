// Expressions over a report, as in `hierarchy.hausdorff.solid.max.upper < 0.02`: what they are made of. The
// language is specified in formats/report/README.md.

#pragma once

#include "bvbuild/base.h"

#include <cjson/cJSON.h>

enum
{
	/// No expression has more bytes, which bounds the depth of its tree, too: what walks it may recurse.
	bvreport_expression_longest = 1024,

	/// No more parentheses, signs and negations stand within one another.
	bvreport_expression_deepest = 64,
};

/// What a node of an expression is.
typedef enum bvreport_expression_kind
{
	bvreport_expression_number,
	bvreport_expression_string,
	bvreport_expression_truth,
	bvreport_expression_null,
	bvreport_expression_path,   ///< a place in the report
	bvreport_expression_call,   ///< of a function
	bvreport_expression_negate, ///< a sign
	bvreport_expression_not,
	bvreport_expression_and,
	bvreport_expression_or,
	bvreport_expression_compare,
	bvreport_expression_calculate, ///< one of + - * /
} bvreport_expression_kind;

/// One step of a path.
typedef struct bvreport_expression_step
{
	const char* key;                       ///< of an object; null for an array's index, or all of its items
	bool all;                              ///< all items, []
	int index;                             ///< of one item; below 0 counted from the end
	uint32_t begin;                        ///< where it stands in the text: of a key that, else its bracket
	uint32_t end;                          ///< behind its last byte
	struct bvreport_expression_step* next; ///< null for the last
} bvreport_expression_step;

/// A node of the tree. Nodes live in the arena they were parsed in.
typedef struct bvreport_expression_node
{
	bvreport_expression_kind kind;          ///< which of the fields below count
	char operation[3];                      ///< of a comparison or a calculation
	uint32_t begin;                         ///< where it stands in the text
	uint32_t end;                           ///< behind its last byte
	double number;                          ///< of a number; of a truth 0 or 1
	const char* text;                       ///< of a string, or the name of a function
	bvreport_expression_step* steps;        ///< of a path, the first one is a key
	struct bvreport_expression_node* first; ///< operand or argument; null for none
	struct bvreport_expression_node* next;  ///< the next operand or argument
} bvreport_expression_node;

/// Reads an expression.
/// @param text   terminated
/// @param arena  the tree lives here
/// @return bv_ok; bv_error_argument with what is wrong and where; bv_error_memory
bv_status bvreport_expression_parse( const char* text, bvb_arena* arena, const bvreport_expression_node** out,
                                     bvb_error* error );

/// Kinds of values.
typedef enum bvreport_value_kind
{
	bvreport_value_null,
	bvreport_value_truth,
	bvreport_value_number,
	bvreport_value_string,
	bvreport_value_list,
	bvreport_value_object,
} bvreport_value_kind;

/// What an expression comes to.
typedef struct bvreport_value
{
	bvreport_value_kind kind; ///< which of the fields below count
	double number;            ///< of a number; of a truth 0 or 1
	const char* text;         ///< of a string
	const cJSON** items;      ///< of a list
	uint32_t count;           ///< length of items
	const char* why;          ///< of a null: which it is, as in "hull.volume is null"
} bvreport_value;

/// A walk over an expression's tree.
typedef struct bvreport_evaluation
{
	const char* text;    ///< of the expression
	const cJSON* report; ///< an object
	bvb_arena* arena;    ///< for lists and texts
	bvb_error* error;    ///< receives what is wrong
} bvreport_evaluation;

/// Finds the value of a node.
/// @return bv_ok; bv_error_argument for a key that the report does not have, or a value of a kind that does
///         not go there, with the place in the text; bv_error_memory
bv_status bvreport_expression_evaluate( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                        bvreport_value* out );

/// @return whether there is a function of that name
bool bvreport_expression_has_function( const char* name );

/// Writes a message that begins with the place in the text, counted from 1.
/// @return bv_error_argument
#if defined( __GNUC__ )
__attribute__( ( format( printf, 3, 4 ) ) )
#endif
bv_status
bvreport_expression_fail( bvb_error* error, uint32_t at, const char* format, ... );
