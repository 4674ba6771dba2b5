#pragma once

inline int user_calls = 0;

/// Nothing like a sine, so that a test can tell.
template <class S>
void user_sincos(int n, const S* angle, S* s, S* c) {
  ++user_calls;
  for (int i = 0; i < n; ++i) {
    s[i] = static_cast<S>(1000 + n);
    c[i] = angle[i];
  }
}

#define FEATHERLINE_SINCOS user_sincos
