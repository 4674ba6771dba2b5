#include <arm6.hpp>
#include <cstdio>
int main(){ double q[6]={},v[6]={},a[6]={},t[6]={7,7,7,7,7,7}; arm6::prepare::rnea(q,v,a,t); std::printf("%g\n",t[0]); arm6::rnea(q,v,a,t); std::printf("%g\n",t[1]); }
