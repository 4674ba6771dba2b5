#include "formats/mjcf/document.hpp"

#include "formats/mjcf/item.hpp"

namespace featherline::mjcf {
namespace {

#define ORIENTATION " pos quat axisangle xyaxes zaxis euler "
#define ACTUATORS \
  "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor "
#define IN_BODIES "body frame replicate attach inertial joint freejoint geom site "
#define EQUALITY "name class active solref solimp "
/// Source: src/xml/mjcf.schema of MuJoCo 3.14.
constexpr WordRow table[] = {
    {"mujoco", "model",
     "compiler option default asset worldbody tendon equality actuator keyframe deformable",
     "size statistic visual contact sensor custom extension"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
     "eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange "
     "saveinertial assetdir alignfree conflict convexhull exactmeshinertia",
     "", "lengthrange"},
    {"option",
     "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind "
     "magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver "
     "iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints "
     "actuatorgroupdisable apirate collision mpr_iterations mpr_tolerance",
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
     "inertia builtin params material octree_maxdepth",
     ""},
    {"worldbody", "name" ORIENTATION "childclass", IN_BODIES, "camera light"},
    {"body", "name childclass mocap gravcomp sleep simple user" ORIENTATION, IN_BODIES, "camera light"},
    {"frame", "name childclass" ORIENTATION, IN_BODIES, "camera light"},
    {"replicate", "count offset euler sep childclass", IN_BODIES, "camera light"},
    {"attach", "model body frame prefix", ""},
    {"inertial", "mass diaginertia fullinertia" ORIENTATION, ""},
    {"joint",
     "name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit "
     "solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref "
     "armature damping frictionloss user",
     ""},
    {"freejoint", "name group align", ""},
    {"geom",
     "name class type contype conaffinity condim group priority size material friction mass density "
     "shellinertia solmix solref solimp margin gap surfacevel adhesion fromto hfield mesh fitscale rgba "
     "fluidshape fluidcoef user" ORIENTATION,
     ""},
    {"site", "name class type group material size fromto rgba user" ORIENTATION, ""},
    {"tendon", "", "fixed spatial"},
    {"fixed",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
     "solreffriction solimpfriction frictionloss springlength margin stiffness damping armature user",
     "fixed/joint"},
    {"spatial",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
     "solreffriction solimpfriction frictionloss springlength width material margin stiffness damping "
     "armature rgba user",
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
     "joint jointinparent tendon slidersite cranksite site refsite body ctrllimited forcelimited actlimited "
     "forcerange actrange inheritrange kp kv dampratio timeconst actdim dyntype gaintype biastype dynprm "
     "gainprm biasprm actearly input velrange ffrange area diameter bias ki imax slewmax posrange gain "
     "motorconst resistance nominal saturation inductance cogging controller thermal lugre",
     ""},
    {"keyframe", "", "key"},
    {"key", "name time qpos qvel act mpos mquat ctrl", ""},
    {"deformable", "", "", "skin"},
};

/// What dynamics depends on and we do not read.
constexpr std::string_view refused[] = {"flex",   "flexcomp", "composite",  "muscle",
                                        "plugin", "flexvert", "flexstrain", "equality/tendon"};

constexpr Words words{
    .format = "MJCF",
    .rows = table,
    .refused = refused,
    .noted = "contact sensor custom extension",
    .row_of = [](std::string_view tag) { return is_actuator(tag) ? std::string_view("any actuator") : tag; }};

}  // namespace

void check_vocabulary(const Element& root, UnknownWords unknown) { check_words(root, words, unknown); }

}  // namespace featherline::mjcf
