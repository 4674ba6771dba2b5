// What the names in emitted code mean.
#include "emit/function_files.hpp"

#include "emit/text.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

namespace featherline::emit {
namespace {

struct Quantity {
  std::vector<std::string> letters;  ///< what names begin with; the body's number follows
  const char* meaning;
};

/// In the order they are computed. All that an algorithm gives as a label stands here.
const std::vector<Quantity>& legend() {
  static const std::vector<Quantity> quantities{
      {{"p"}, "origin of the body's frame in its common frame"},
      {{"R"}, "rotation from the body's axes to those of its common frame"},
      {{"G"},
       "rotation to the world's axes from those that joints about one direction share: those of the first "
       "of these bodies, before it turns"},
      {{"cos", "sin"}, "of the angle by which the body is turned in the axes it shares"},
      {{"pF", "RF"},
       "pF1: origin of frame 1 in the world, and rotation from its axes; frames count from 1 in the order "
       "of the enumeration Frame"},
      {{"dF"}, "dF1_3: frame 1 from the origin of body 3, in the axes that body 3 shares"},
      {{"GF"}, "GF1_3: rotation from the axes that body 3 shares to those of frame 1"},
      {{"JF"}, "JF1_6: velocity that unit speed of v[6] gives the point of frame 1"},
      {{"nF"}, "nF1_3: velocity that the joint of body 3 gives the point of frame 1"},
      {{"EF", "shiftF", "phiF"},
       "EF1: of errors of poses, rotation from the axes of frame 1 to those wanted; the way there in these "
       "axes; and the turn as a vector"},
      {{"QF", "QxF", "QyF"}, "columns of 4 q q^T, where q is the quaternion of EF1"},
      {{"QzF", "qF", "signF"}, "the last column, sums of them along q, and the signs that they have there"},
      {{"bF", "momentF", "bentF"}, "of the logarithm: shift - phi x shift / 2 + b phi x (phi x shift)"},
      {{"backF", "slopeF", "eF", "turnF"},
       "derivatives of phi by turns of the frame, and of the shift by phi; eF1_6, turnF1_6: of the error by "
       "v[6]"},
      {{"vF", "aF"}, "velocity and acceleration of the point of frame 1"},
      {{"wF", "wdF"}, "wF1_3: angular velocity and acceleration of body 3 in the axes of frame 1"},
      {{"pC", "RC", "dC", "JC", "nC", "vC", "aC"},
       "the same of constraint 1, numbered from 1, in place of frame 1: its frame, the second one of a loop; "
       "seen from, and in the axes of, the floating base or the last body that both ends of a loop hang on"},
      {{"pA", "RA", "dA", "JA", "nA", "vA", "aA"}, "the same of the first frame of a loop"},
      {{"Yc_"}, "Yc_2_6: entry 6 of L^-T times row 2 of the constraints, M = L^T D L; numbers count from 0"},
      {{"Dc_"}, "entry of the Delassus matrix J M^-1 J^T; numbers count rows of lambda from 0"},
      {{"Einv_", "Lc_"},
       "of its factor L E L^T: 1 / E(k, k), zero if the row is dropped or not active, and L(r, k)"},
      {{"Ww", "Wwd", "Wp"},
       "angular velocity and acceleration, and origin, of the body in the axes of the world"},
      {{"w"}, "angular velocity"},
      {{"wd"}, "angular acceleration"},
      {{"v"},
       "spatial velocity: v3w angular, v3u linear, of the body's point at the frame's origin; v1_3 is that "
       "of body 1 in the frame of body 3, and so is a1_3"},
      {{"a"},
       "acceleration of the frame's origin minus gravity; a3w, a3u are halves of the spatial acceleration"},
      {{"o"},
       "acceleration, minus gravity, of the parent's point at the frame's origin, in the parent's axes"},
      {{"ww"}, "products of components of w"},
      {{"U"}, "[wd]x + [w]x[w]x: the point of the body at r has the acceleration a + U r"},
      {{"S"}, "column of the motion subspace: the spatial velocity that unit speed of the joint makes"},
      {{"Z"},
       "Z6_3: what unit speed of v[6] gives body 3, in its frame: Z6_3w angular, Z6_3u linear velocity"},
      {{"Pd"}, "Psi-dot = v of the parent x S"},
      {{"Pdd"}, "Psi-double-dot = a of the parent x S + v of the parent x Psi-dot"},
      {{"Sd"}, "S-dot = v x S"},
      {{"h_alone", "J_alone"}, "h and J of the body alone"},
      {{"m_alone"}, "mass of the body alone"},
      {{"Sigma"}, "second moments tr(J)/2 1 - J of the body alone"},
      {{"Iv"}, "momentum I v of the body alone"},
      {{"K_alone"}, "K of the body alone, see B"},
      {{"F_alone"}, "force I a + v x* I v of the body alone"},
      {{"f_alone", "n_alone"}, "force and moment that the body alone needs"},
      {{"W"}, "sum of S times weight from the root to the body"},
      {{"G_alone"}, "I W of the body alone"},
      {{"BW", "BW_alone"}, "B at W in the place of v, with all the body carries; of the body alone"},
      {{"N", "N_alone"}, "2 B^T W, angular half, with all the body carries; of the body alone"},
      {{"h"}, "first moment, mass times centre of mass, of the body and all it carries"},
      {{"hM"}, "the same, divided by the mass of the robot"},
      {{"d"}, "origin of the body's frame from the robot's centre of mass, in the axes of G"},
      {{"k"}, "momentum of the body and all it carries: k3n angular, about the frame's origin, k3f linear"},
      {{"J"},
       "rotational inertia of the body and all it carries; the articulated one where the sweep says so"},
      {{"H", "M"}, "with J the articulated inertia [J, H; H^T, M]"},
      {{"B"},
       "Coriolis matrix of the body and all it carries, 2 B = [K - [n]x, 0; -2 [f]x, 0]: B3K, B3n, B3f"},
      {{"D"},
       "rate of the inertia of the body and all it carries in the system of Saha, 2 D = [K - [n]x, 0; "
       "-2 [f]x, 0]: D3K, D3n, D3f"},
      {{"F"}, "force that the body and all it carries need: F3n moment, F3f force"},
      {{"fext"},
       "external forces on the body alone, in its axes: fext3n moment, fext3f force; fext3_1 is the same in "
       "the axes of body 1"},
      {{"E"},
       "what external forces on the body and all it carries add to F if the body turns, in the form of B: "
       "E3K, E3n, E3f"},
      {{"f"}, "force through the joint, which the body and all it carries need"},
      {{"n"}, "moment through the joint about the frame's origin"},
      {{"IS"}, "I S, momentum of unit speed of the joint; IS3_1: in the frame of body 1"},
      {{"F_q"}, "force that a step of the joint adds: 2 B Psi-dot + I Psi-double-dot + S x* F"},
      {{"F_v"}, "force that speed of the joint adds: 2 B S + I (Psi-dot + S-dot)"},
      {{"F_C"}, "B S + I S-dot, for the Coriolis matrix"},
      {{"F_D"}, "D S + I S-dot, for the Coriolis matrix of Saha"},
      {{"DtS"}, "2 D^T S, its angular half"},
      {{"BtS"}, "2 B^T S, its angular half"},
      {{"EtS"}, "2 E^T S, its angular half"},
      {{"G_q", "N_q", "N_v"}, "what a step, and speed, of the joint add to I W and to N"},
      {{"BS", "A3_"},
       "B at S in the place of v; change of B with a step of the joint (A3 of Singh, Russell, Wensing)"},
      {{"u1_", "u2_", "u3_", "u4_", "u5_", "u6_", "u7_", "u9_", "u10_", "u11_"},
       "vectors of a pair of joints: Singh, Russell, Wensing, second order, Algorithm 1, lines 29 to 36"},
      {{"UD"}, "column of the articulated inertia over the inertia that the joint feels"},
      {{"P"}, "force on the body from the joints it carries"},
      {{"e"}, "force of the joint less its part of P"},
      {{"A"}, "spatial acceleration that the joints' forces make"},
      {{"Mq_"}, "entry of the joint-space inertia M(q); numbers count entries of v from 0"},
      {{"Dinv_", "L_"},
       "of the factor M = L^T D L: 1 / D(k, k), and L(k, i); numbers count entries of v from 0"},
      {{"D_", "DL_"}, "D(k, k), and D(k, k) L(k, i)"},
      {{"y_", "x_"},
       "L^-T b and x for the right side b of M x = b; numbers count entries of v from 0, and right sides "
       "from 1"},
      {{"Minv_"}, "entry of M^-1; numbers count entries of v from 0"},
      {{"turn_squared"}, "square of the angle by which the joint turns in a step; 1e-36 keeps it from zero"},
      {{"sin_ratio"}, "sine of that angle over the angle"},
      {{"A_turn", "B_turn"}, "(1 - cos t) / t^2 and (t - sin t) / t^3 of that angle t"},
      {{"half_turn", "half_angle_ratio"},
       "vector part of the quaternion of a step; half the angle over the length of that part"},
      {{"R_back", "Jr"}, "rotation from the axes at the start of a step to those at its end; right Jacobian"},
      {{"r_back"}, "displacement of the body in a step, in its axes at the end"},
      {{"from_rest", "turn_from_rest"},
       "of a spring: displacement and rotation vector of the body from rest, in its axes"},
      {{"adj_"}, "adj_w3_y: derivative of the weighted sum of the results with respect to w3_y"},
      {{"rate_"}, "rate_J3_xy: rate of J3_xy in time, an entry in axes that move with the body"},
  };
  return quantities;
}

/// What stands before the name of another value.
constexpr std::string_view prefixes[] = {"adj_", "rate_"};

/// The place in the legend of what a label speaks of, its end if of nothing: "A3_2K_xx" is an A3_, not an A.
std::size_t place_in_legend(std::string_view label) {
  for (const std::string_view sign : {"neg_", "twice_", "neg_", "mir_"}) {
    if (label.starts_with(sign)) label.remove_prefix(sign.size());
  }
  std::size_t place = legend().size(), longest = 0;
  for (std::size_t i = 0; i < legend().size(); ++i) {
    for (const std::string& letters : legend()[i].letters) {
      const bool is_number_next = label.find_first_of("0123456789", letters.size()) == letters.size();
      const bool matches =
          label.starts_with(letters) && (is_number_next || std::ranges::count(prefixes, letters) > 0);
      if (!matches || letters.size() <= longest) continue;
      longest = letters.size();
      place = i;
    }
  }
  return place;
}

/// Whether the text may name the value. A constant may have a name in a table of what differs between limbs.
bool may_be_named(const ir::Kernel& kernel, ir::NodeId id) {
  return id >= kernel.inlined.size() || !kernel.inlined[id];
}

/// Places in the legend of what the names in a request's functions speak of.
std::set<std::size_t> named_quantities(const Request& request) {
  std::unordered_set<std::string_view> names;
  for (const LoweredFunction& f : request.functions) {
    const ir::Graph& graph = f.kernel.graph;
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
      names.insert(graph.node_name(id));
      if (graph.node_name(id).empty() && may_be_named(f.kernel, id)) names.insert(graph.hint(id));
    }
  }
  std::set<std::size_t> found;
  for (const std::string_view name : names) {
    found.insert(place_in_legend(name));
    for (const std::string_view prefix : prefixes) {
      if (const std::size_t at = name.find(prefix); at != name.npos)
        found.insert(place_in_legend(name.substr(at + prefix.size())));
    }
  }
  found.erase(legend().size());
  return found;
}

}  // namespace

std::string names_table(const Request& request) {
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t i : named_quantities(request)) {
    const Quantity& quantity = legend()[i];
    const bool many = quantity.letters.size() > 3;
    rows.push_back(
        {many ? quantity.letters.front() + " ... " + quantity.letters.back() : join(quantity.letters, ", "),
         quantity.meaning});
  }
  rows.push_back({"s_JOINT, c_JOINT", "sine and cosine of what the joint turns by, as the first table says"});
  if (!request.functions.empty())
    rows.push_back({request.functions.front().kernel.outputs.front().name + "_0, ...",
                    "an entry that is not only stored has the name of its array and its number"});
  rows.push_back({"..._part", "used in nothing but the value, or the entries of the quantity, before _part"});
  rows.push_back({"t1, t2, ...", "values without a name of their own"});
  rows.push_back({"ws", "values that cross from one part of a long function to the next"});
  return comment_table(rows);
}

}  // namespace featherline::emit
