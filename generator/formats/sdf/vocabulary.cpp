#include "formats/sdf/sdf.hpp"

namespace featherline::sdf {
namespace {

#define AXIS "xyz dynamics limit mimic use_parent_model_frame"
/// Source: sdf/1.4 to sdf/1.12 of libsdformat.
constexpr WordRow table[] = {
    {"sdf", "version", "world model", "actor light"},
    {"world", "name", "gravity include model joint frame",
     "audio wind magnetic_field atmosphere gui physics scene light road spherical_coordinates state "
     "population plugin actor"},
    {"model", "name canonical_link placement_frame", "pose static include model frame link joint",
     "self_collide allow_auto_disable enable_wind plugin gripper"},
    {"include", "merge", "uri name pose static placement_frame", "plugin"},
    {"link", "name", "pose inertial gravity kinematic",
     "visual collision sensor projector audio_sink audio_source battery light particle_emitter "
     "velocity_decay enable_wind self_collide must_be_base_link plugin"},
    {"inertial", "auto", "mass pose inertia", "density auto_inertia_params"},
    {"inertia", "", "ixx ixy ixz iyy iyz izz"},
    {"pose", "relative_to rotation_format degrees frame", ""},
    {"frame", "name attached_to", "pose"},
    {"joint", "name type",
     "parent child pose axis axis2 thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body",
     "physics sensor plugin"},
    {"axis", "", AXIS, "initial_position"},
    {"axis2", "", AXIS, "initial_position"},
    {"xyz", "expressed_in", ""},
    {"dynamics", "", "damping friction spring_reference spring_stiffness"},
    {"limit", "", "lower upper effort velocity", "stiffness dissipation"},
    {"mimic", "joint axis", "multiplier offset reference"},
};

/// What dynamics depends on and we do not read.
constexpr std::string_view refused[] = {"fluid_added_mass"};

constexpr Words words{
    .format = "SDF",
    .rows = table,
    .refused = refused,
    .noted = "actor light population plugin gripper sensor velocity_decay enable_wind wind initial_position"};

}  // namespace

void check_vocabulary(const Element& root, UnknownWords unknown) { check_words(root, words, unknown); }

}  // namespace featherline::sdf
