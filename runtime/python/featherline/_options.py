"""The options of `featherline generate` that load() takes as keywords.

Written by scripts/update-options from the table of options, generator/option_table.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Tuple

if TYPE_CHECKING:
    from typing import TypedDict

    from . import options

    class Keywords(TypedDict, total=False):
        """For editors and type checkers."""

        base: options.word
        mimic: options.word
        gravity: options.numbers
        snap_angles: options.number
        allow: options.items
        xacro_args: options.word
        joint_dynamics: options.file
        joint_order: options.lines
        lock: options.pairs
        lock_all_but: options.names
        external_forces: options.names
        parameters: options.names
        frames: options.items
        frame_axes: options.word
        frame_parts: options.items
        regressor_columns: options.items
        contacts: options.items
        eliminate: options.names
        stabilisation: options.numbers
        contact_joints: options.items
        actuated: options.names
        integrator: options.word
        lanes: options.word
        name: options.word
        scalar: options.scalars
        batch: options.nothing
        functions: options.items
        with_derivatives: options.nothing
        formulation: options.pairs
        optimise_for: options.word
        choices: options.file
        max_code: options.number
        max_stack: options.number
        max_image: options.number
        verify: options.nothing
        accept: options.items
        werror: options.nothing

#: By keyword: the flag, what it takes, whether a list has to have items, the argument, what it does.
OPTIONS: Dict[str, Tuple[str, str, bool, str, str]] = {
    "base": ("--base", "word", False, "fixed|floating",
        "fixed: the root link is welded to the world (default); floating: it moves freely"),
    "mimic": ("--mimic", "word", False, "coupled|independent",
        "coupled: a mimic joint shares the coordinate of the joint it follows (default); independent: it has its own"),
    "gravity": ("--gravity", "numbers", False, "X,Y,Z",
        "Gravity in world axes [m/s^2] (default: that of an MJCF or SDF file, else 0,0,-9.81)"),
    "snap_angles": ("--snap-angles", "number", False, "TOL",
        "Entries of rotations this close to 0 or +-1 become exact; 0: none. The default is 5e-11, and it applies only if no result of the robot changes by more than 5e-11"),
    "allow": ("--allow", "items", False, "LIST",
        "Turns errors into warnings: unphysical-inertia (negative masses and principal moments), unknown-attribute (attributes and elements that the format does not have)"),
    "xacro_args": ("--xacro-args", "word", False, "NAME:=VALUE ...",
        "Arguments, with blanks between them, for the tool xacro, which expands files of xacro where it is installed; the environment variable FEATHERLINE_XACRO names another command for it"),
    "joint_dynamics": ("--joint-dynamics", "file", False, "off|armature|model|urdf|FILE",
        "Drives and springs of joints. off: none (default for URDF); armature: rotor inertia as the robot's file has it (default for MJCF); model (or urdf): damping, friction, springs and gravcomp, too; FILE: its lines are JOINT DAMPING FRICTION ARMATURE [STIFFNESS REST]"),
    "joint_order": ("--joint-order", "lines", False, "FILE",
        "File that lists the moving joints in the order of q, one name a line (default: depth first, siblings by name)"),
    "lock": ("--lock", "pairs", False, "JOINT=VALUE,...",
        "Joints that stay at a position, in entries of q: what they carry is merged, as behind a fixed joint. A:B:... for joints with several entries. Write \\ before a comma or = in a name"),
    "lock_all_but": ("--lock-all-but", "names", True, "JOINT,...",
        "Locks all other joints that move: at the position that --lock gives, else at 0. Joints that mimic one of these go on following it"),
    "external_forces": ("--external-forces", "names", False, "LINK,...",
        "Links that forces act on: input fext of the functions that feel them, [force; moment] of each link, at the origin of its frame and in world axes. Write \\, for a comma in a name"),
    "parameters": ("--parameters", "names", False, "gravity,payload:LINK,inertia:LINK,armature,...",
        "gravity; payload:LINK, an inertia added to the link's; inertia:LINK in its place; anchors, points of the world where contacts are held; stabilisation, KP and KD of constraints; armature, damping, friction, stiffness, rest, gear of all joints, or armature:JOINT; placement:JOINT, 6 numbers that move a joint: input p of the functions that depend on them"),
    "frames": ("--frames", "items", False, "FRAME,...",
        "Frames for the functions of the group frames: links, or NAME=LINK@x,y,z[,roll,pitch,yaw] for a frame placed in a link [m, rad]; :point behind it means position only. Write \\ before a comma, = or @ in a link's name (default: the links at the ends of the tree)"),
    "frame_axes": ("--frame-axes", "word", False, "local_world_aligned|local|world",
        "Where rows of frames are measured. local_world_aligned: at the frame's origin, in the axes of the world (default); local: at the frame's origin, in the frame's axes; world: at the world's origin, in its axes; of position-only frames at their own origin"),
    "frame_parts": ("--frame-parts", "items", False, "PART,...",
        "What frame_kinematics gives: poses, positions, velocities, jacobians, bias (default: all of them)"),
    "regressor_columns": ("--regressor-columns", "items", False, "WORD,...",
        "Columns of the regressor behind those of bodies, one for each joint that can have it: armature, damping, friction, stiffness, offset, rotor (default: none)"),
    "contacts": ("--contacts", "items", False, "CONTACT,...",
        "Contacts with the world for the functions of the group constraints: frames as in --frames, with :point (3 rows, default), :weld (6 rows), :normal (1 row) or :friction (2 rows) behind them; the last two take an axis, @x,y,z of the world or @local:x,y,z of the frame (default z of the world). For contact_step alone :sphere=RADIUS, a sphere about the frame's origin"),
    "eliminate": ("--eliminate", "names", False, "LOOP,...",
        "Loops of the robot's file that leave fewer coordinates in place of constraints, besides those that it marks with eliminate=\"true\": all functions take the independent coordinates alone"),
    "stabilisation": ("--stabilisation", "numbers", False, "KP,KD",
        "Baumgarte's terms: constraints get the acceleration - KP e - KD de, e and de being their position and velocity errors (default 0,0)"),
    "contact_joints": ("--contact-joints", "items", True, "PART,...",
        "What joints add to the contacts of contact_step and contact_step_warm: limits, friction (Coulomb's, in the place of the smoothed one)"),
    "actuated": ("--actuated", "names", True, "JOINT,...",
        "Joints with motors, for constrained_inverse_dynamics (default: all but a floating base, free joints and those that loops go through). Write \\, for a comma in a name"),
    "integrator": ("--integrator", "word", False, "semi_implicit|rk4",
        "Steps of the functions of the group steps. semi_implicit: the new velocity moves the position, and damping and springs of joints act on the new state (default); rk4: the classic method of Runge and Kutta, four times the dynamics"),
    "lanes": ("--lanes", "word", False, "auto|off",
        "auto: equal limbs, and axes, may be computed side by side in vector lanes (default); off: never"),
    "name": ("--name", "word", False, "NAME",
        "Namespace and beginning of file names (default: the robot's name)"),
    "scalar": ("--scalar", "scalars", False, "LIST",
        "Scalars the .cpp files are compiled for: double (default), float or double,float"),
    "batch": ("--batch", "nothing", False, "",
        "Also writes NAME::batch::FUNCTION: every function for many states a call, in SIMD lanes"),
    "functions": ("--functions", "items", True, "LIST",
        "Functions and groups separated by commas, or all (default: dynamics,derivatives,kinematics)"),
    "with_derivatives": ("--with-derivatives", "nothing", False, "",
        "Adds the functions that hold first derivatives of those of --functions: aba_derivatives and aba_vjp for aba"),
    "formulation": ("--formulation", "pairs", False, "FUNCTION=NAME",
        "Computes FUNCTION by the formulation NAME; repeat the option for several functions (default: see --optimise-for; loops for large robots)"),
    "optimise_for": ("--optimise-for", "word", False, "speed|latency|size|flops",
        "How formulations are chosen. speed: the least predicted time of a call (default on x86-64); latency: the same of a call that finds nothing in the caches; code of 12 KB and more and results of 2 to 128 KB are read first (on Cortex-M, which has no caches to fill, size); size: the least estimated code; flops: the fewest operations (default on Cortex-M)"),
    "choices": ("--choices", "file", False, "FILE",
        "Takes the formulations that featherline tune measured to be the fastest; --formulation takes precedence"),
    "max_code": ("--max-code", "number", False, "SIZE",
        "Takes another formulation of a function whose machine code is longer, by estimate; generate stops if all are too long. SIZE is in bytes: 2000, 1k or 1.5KiB (k is 1024)"),
    "max_stack": ("--max-stack", "number", False, "SIZE",
        "Stops if a function needs more stack, by estimate, together with everything it calls"),
    "max_image": ("--max-image", "number", False, "SIZE",
        "Stops if the machine code of all functions and what they share (sincos, tables) is longer, by estimate"),
    "verify": ("--no-verify", "nothing", False, "",
        "Skips the comparison of all functions with the reference solver"),
    "accept": ("--accept", "items", False, "KIND,...",
        "Leaves out warnings of these kinds, also for --werror. A warning ends with its kind in brackets; the page Robots of the guide lists them all"),
    "werror": ("--werror", "nothing", False, "",
        "A warning stops the run with exit code 1"),
}
