// Ends the program with exit code 5 if the OpenMP runtime runs out of threads or memory.

#pragma once

/// Disables the message, because the parent process prints one.
void end_without_words( void );
