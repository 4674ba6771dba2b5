#include "formats/mjcf/vocabulary.hpp"

#include "description/number.hpp"
#include "formats/mjcf/item.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <string>

namespace featherline::mjcf {
namespace {

/// What elements have that dynamics reads. `others` are elements inside that are not looked at.
struct Row {
  std::string_view kind, attributes, children, others = {};
};

#define ORIENTATION " pos quat axisangle xyaxes zaxis euler "
#define ACTUATORS \
  "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor "
#define IN_BODIES "body frame replicate attach inertial joint freejoint geom site "
#define EQUALITY "name class active solref solimp "
/// Source: src/xml/mjcf.schema of MuJoCo 3.14.
constexpr Row table[] = {
    {"mujoco", "model",
     "compiler option default asset worldbody tendon equality actuator keyframe deformable",
     "size statistic visual contact sensor custom extension"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
     "eulerseq "
     "meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange saveinertial "
     "assetdir "
     "alignfree conflict convexhull exactmeshinertia",
     "", "lengthrange"},
    {"option",
     "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind "
     "magnetic "
     "density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations "
     "ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable "
     "apirate "
     "collision mpr_iterations mpr_tolerance",
     "flag"},
    {"flag",
     "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv "
     "invdiscrete sleep diagexact passive",
     ""},
    {"default", "class", "default mesh joint geom site " ACTUATORS,
     "material camera light pair equality tendon"},
    {"asset", "", "mesh model", "texture material hfield skin"},
    {"model", "name file content_type", ""},
    {"mesh",
     "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert "
     "inertia "
     "builtin params material octree_maxdepth",
     ""},
    {"worldbody", "name" ORIENTATION "childclass", IN_BODIES, "camera light"},
    {"body", "name childclass mocap gravcomp sleep simple user" ORIENTATION, IN_BODIES, "camera light"},
    {"frame", "name childclass" ORIENTATION, IN_BODIES, "camera light"},
    {"replicate", "count offset euler sep childclass", IN_BODIES, "camera light"},
    {"attach", "model body frame prefix", ""},
    {"inertial", "mass diaginertia fullinertia" ORIENTATION, ""},
    {"joint",
     "name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit "
     "solreffriction "
     "solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping "
     "frictionloss user",
     ""},
    {"freejoint", "name group align", ""},
    {"geom",
     "name class type contype conaffinity condim group priority size material friction mass density "
     "shellinertia "
     "solmix solref solimp margin gap surfacevel adhesion fromto hfield mesh fitscale rgba fluidshape "
     "fluidcoef "
     "user" ORIENTATION,
     ""},
    {"site", "name class type group material size fromto rgba user" ORIENTATION, ""},
    {"tendon", "", "fixed spatial"},
    {"fixed",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
     "solreffriction "
     "solimpfriction frictionloss springlength margin stiffness damping armature user",
     "fixed/joint"},
    {"spatial",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
     "solreffriction "
     "solimpfriction frictionloss springlength width material margin stiffness damping armature rgba user",
     "", "site geom pulley"},
    {"fixed/joint", "joint coef", ""},
    {"equality", "", "connect weld equality/joint equality/tendon"},
    {"connect", EQUALITY "body1 body2 anchor site1 site2", ""},
    {"weld", EQUALITY "body1 body2 relpose anchor site1 site2 torquescale", ""},
    {"equality/joint", EQUALITY "joint1 joint2 polycoef", ""},
    {"equality/tendon", EQUALITY "tendon1 tendon2 polycoef", ""},
    {"actuator", "", ACTUATORS},
    {"any actuator",
     "name class group nsample interp delay ctrlrange user lengthrange gear damping armature cranklength "
     "joint "
     "jointinparent tendon slidersite cranksite site refsite body ctrllimited forcelimited actlimited "
     "forcerange "
     "actrange inheritrange kp kv dampratio timeconst actdim dyntype gaintype biastype dynprm gainprm "
     "biasprm "
     "actearly input velrange ffrange area diameter bias ki imax slewmax posrange gain motorconst resistance "
     "nominal "
     "saturation inductance cogging controller thermal lugre",
     ""},
    {"keyframe", "", "key"},
    {"key", "name time qpos qvel act mpos mquat ctrl", ""},
    {"deformable", "", "", "skin"},
};

/// What dynamics depends on and we do not read.
constexpr std::string_view refused[] = {"flex",   "flexcomp", "composite",  "muscle",
                                        "plugin", "flexvert", "flexstrain", "equality/tendon"};

bool contains(std::string_view words, std::string_view word) {
  const auto list = split_words(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

const Row* find(std::string_view kind) {
  if (is_actuator(kind)) kind = "any actuator";
  const auto* row =
      std::find_if(std::begin(table), std::end(table), [&](const Row& r) { return r.kind == kind; });
  return row == std::end(table) ? nullptr : row;
}

class Vocabulary {
 public:
  explicit Vocabulary(UnknownWords unknown) : unknown_(unknown) {}

  void visit(const Element& element, const Row& row) const {
    for (const auto* attribute = element.xml->FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next()) {
      const std::string_view name = attribute->Name();
      const bool is_for_xml = name.find(':') != name.npos || name.starts_with("xmlns");
      if (!is_for_xml && !contains(row.attributes, name))
        report(element, "attribute " + in_quotes(name) + " in " + describe(*element.xml), name,
               row.attributes);
    }
    for (const Element& child : element.children) visit_child(child, row);
  }

 private:
  void visit_child(const Element& child, const Row& row) const {
    const std::string below = std::string(row.kind) + '/' + std::string(child.tag());
    const bool has_own_kind = contains(row.children, below);
    const std::string kind = has_own_kind ? below : std::string(child.tag());
    if (std::find(std::begin(refused), std::end(refused), kind) != std::end(refused))
      return child.error(describe(*child.xml) + " is not read, and the dynamics depend on it",
                         "remove it, or use a model without it");
    if (has_own_kind || contains(row.children, kind)) return visit(child, *find(kind));
    if (!contains(row.others, kind))
      report(child, describe(*child.xml) + " in <" + printable(row.kind) + ">", child.tag(), row.children);
    else if (row.kind == "mujoco" && !contains("size statistic visual", kind))
      child.note(describe(*child.xml) + " is left out: it is for simulators");
  }

  void report(const Element& place, const std::string& what, std::string_view name,
              std::string_view known) const {
    std::vector<std::string> names;
    for (const std::string_view word : split_words(known)) names.emplace_back(word);
    const std::string nearest = nearest_name(std::string(name), names);
    const std::string correct =
        nearest.empty() ? "" : "did you mean " + in_quotes(nearest) + "? Correct it, or ";
    if (unknown_ == UnknownWords::ignored)
      place.reader->warning("unknown-attribute", *place.xml,
                            "ignored: " + what + ", which MJCF does not have",
                            correct.empty() ? "remove it" : correct + "remove it");
    else
      place.error(what + " is unknown",
                  correct + "remove it, or pass --allow unknown-attribute to have it ignored");
  }

  UnknownWords unknown_;
};

}  // namespace

void check_vocabulary(const Element& root, UnknownWords unknown) {
  Vocabulary(unknown).visit(root, *find("mujoco"));
}

}  // namespace featherline::mjcf
