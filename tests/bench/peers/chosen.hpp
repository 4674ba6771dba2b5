#pragma once

#include <vector>

namespace featherline::bench {

/// What functions of frames and constraints are about.
struct Chosen {
  struct Contact {
    int link;
    int num_rows;  ///< 3: a point, 6: a weld
  };
  int link = 0;             ///< of forward_kinematics and frame_jacobian; indices in Tree::links
  std::vector<int> frames;  ///< each is the frame of a link
  std::vector<Contact> contacts;
};

}  // namespace featherline::bench
