// Runs the program with enough stack, whatever `ulimit -s` is.

#pragma once

/// The function to run.
typedef int stack_run( void* context );

/// Runs a function on a stack of 8 MiB: where `ulimit -s` allows less, in a thread of its own. Where `ulimit -v`
/// limits address space that thread has 2 MiB. Threads that are started from then on have as much, unless
/// OMP_STACKSIZE says otherwise.
/// @return what it returns; exit_memory, after a message, if there is no memory for the stack
int run_on_large_stack( const char* name, stack_run* run, void* context );
