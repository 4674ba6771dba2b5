// The target that precompiled.hpp is compiled for needs a source.
