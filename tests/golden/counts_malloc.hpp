#pragma once

#include <cstdlib>  // __GLIBC__

/// FEATHERLINE_COUNTS_MALLOC: whether a test may replace malloc and its like. Sanitizers replace them, too.
#if defined(__SANITIZE_ADDRESS__)
#define FEATHERLINE_COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FEATHERLINE_COUNTS_MALLOC 0
#endif
#endif
#if !defined(FEATHERLINE_COUNTS_MALLOC) && defined(__GLIBC__)
#define FEATHERLINE_COUNTS_MALLOC 1
#endif
