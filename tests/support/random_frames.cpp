#include "support/random_frames.hpp"

#include "model/limbs.hpp"
#include "support/random.hpp"

#include <map>

namespace featherline::test {
namespace {

model::FrameRequest random_frame(const std::string& link, const std::string& name, bool point,
                                 Random& random) {
  model::FrameRequest frame{name, link, {}, point ? "point" : "", {}, false};
  const int numbers = 3 * random.below(3);  // none, a place, or a place and a rotation
  for (int k = 0; k < numbers; ++k) frame.placement.push_back(random.uniform(-1.0, 1.0));
  return frame;
}

}  // namespace

model::ChosenFrames random_frames(const model::UserTree& tree, std::uint64_t seed, int count) {
  Random random(seed);
  std::map<int, std::vector<std::string>> links;  // by body
  for (const model::Link& link : tree.links) links[link.body].push_back(link.name);
  const model::Folding folding = model::fold_bodies(tree);
  std::vector<model::FrameRequest> frames;
  for (int k = 0; k < count; ++k) {
    const bool point = random.chance(0.4);
    std::vector<int> bodies{-1};
    if (!folding.bodies.empty() && !(links.count(-1) > 0 && random.chance(0.1)))
      bodies = folding.bodies[static_cast<std::size_t>(random.below(static_cast<int>(folding.bodies.size())))]
                   .members;
    for (const int body : bodies) {
      const std::vector<std::string>& choice = links.at(body);
      const std::string& link =
          choice[static_cast<std::size_t>(random.below(static_cast<int>(choice.size())))];
      frames.push_back(random_frame(link, "frame_" + std::to_string(frames.size()), point, random));
    }
  }
  return model::choose_frames(tree, frames, model::frame_axes_names()[seed % 3].axes);
}

}  // namespace featherline::test
