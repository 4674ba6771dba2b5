"""Random calls of every function: good ones in odd layouts must give what plain arrays give, wrong ones must raise."""
import sys

import leg
import numpy as np
from dlpack_producer import Producer, alive

CALLS = 400  # of each function; all functions share the code that is tested
random = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)


QUATERNIONS = [joint.idx_q + (3 if joint.type == "floating" else 0) for joint in leg.joints
               if joint.type in ("floating", "spherical")]


def positions(shape):
    """With unit quaternions."""
    q = random.normal(size=shape + (leg.nq,))
    for first in QUATERNIONS:
        q[..., first : first + 4] /= np.linalg.norm(q[..., first : first + 4], axis=-1, keepdims=True)
    return q


def states(name, shape):
    """All at once: one by one they would take half the time of this test."""
    if name in ("q", "q0", "q1"):
        return positions(shape)
    if name == "p":
        return np.tile(leg.parameter_defaults, shape + (1,))
    if name == "active":
        return random.integers(0, 2, shape + (len(leg.constraints),)).astype(float)
    if name == "p_wanted":
        return random.normal(size=shape + (len(leg.frames), 3))
    if name == "R_wanted":
        R = np.linalg.qr(random.normal(size=shape + (len(leg.frames), 3, 3)))[0]
        return R * np.linalg.det(R)[..., None, None]
    return random.normal(size=shape + (leg.nv,))


def names_of(function):
    text = function.__text_signature__[1:].split("*")[0]
    return [name.split("=")[0].strip() for name in text.split(",") if name.strip()]


def arguments(function, count):
    given = {}
    for name in names_of(function):
        if name == "link":
            given[name] = str(random.choice(leg.link_names))
        elif name == "frame":
            given[name] = "local"
        else:
            given[name] = states(name, () if count is None else (count,))
    return given


def results(value):
    return value if isinstance(value, (tuple, list)) else (value,)


def spread(x):
    """The same numbers with gaps between them."""
    return np.repeat(x, 3, axis=-1)[..., ::3]


class Own(np.ndarray):
    pass


# Other arrays with the same numbers.
GOOD = [
    lambda x: x,
    np.asfortranarray,
    spread,
    lambda x: x[..., ::-1].copy()[..., ::-1],
    lambda x: x.astype(">f8"),
    lambda x: x.tolist(),
    lambda x: x.view(Own),
    Producer,
    lambda x: Producer(spread(x)),
    memoryview,
    lambda x: np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(x.shape),  # not aligned
]


def without_norm(x):
    x = x.copy()
    x[..., 3] = random.choice([np.nan, np.inf, 2.0])
    return x


# What no function may take.
WRONG = [
    lambda x: x[..., :-1],
    lambda x: np.concatenate([x, x], axis=-1),
    lambda x: np.zeros((0,)),
    lambda x: x.reshape(x.shape + (1,)),
    lambda x: np.zeros((2, 2) + x.shape),
    lambda x: x.astype(complex),
    lambda x: x.astype(str),
    lambda x: x.astype(object),
    lambda x: x.astype(np.longdouble),
    lambda x: x.astype("M8[s]"),
    lambda x: None,
    lambda x: 1.5,
    lambda x: "text",
    lambda x: [[1.0], [2.0, 3.0]],
    lambda x: {"q": 1},
    lambda x: object(),
    lambda x: x.astype([("a", float)]),
    lambda x: Producer(x[..., :-1]),
    lambda x: Producer(x[None, None]),
    lambda x: Producer(x.astype(random.choice([complex, np.longdouble, object]))),
    lambda x: Producer(x, device=(int(random.integers(2, 20)), 0), device_type=2),
    lambda x: Producer(x, device_type=2),
    lambda x: Producer(x, device=random.choice([None, "cpu", 1])),
    lambda x: Producer(x, data=None),
    lambda x: Producer(x, rank=int(random.choice([-1, 9, 2**31 - 1]))),
    lambda x: Producer(x, lanes=int(random.choice([0, 2]))),
    lambda x: Producer(x, name=random.choice([b"dltensor_versioned", b""])),
    lambda x: memoryview(x.tobytes()),
]


def close(a, b):
    return all(np.allclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True) for x, y in zip(results(a), results(b)))


def must_raise(function, *positional, **named):
    try:
        value = function(*positional, **named)
    except (ValueError, TypeError) as error:
        assert function.__name__ in str(error) and len(str(error)) > 20, error
        return
    raise AssertionError(f"{function.__name__} took {positional} {named} and gave {value}")


def good_call(function, given, plain):
    for name, value in given.items():
        if isinstance(value, np.ndarray) and value.size:
            given[name] = GOOD[random.integers(len(GOOD))](value)
    assert close(function(**given), plain), function


def good_out(function, given, plain):
    out = tuple(np.zeros_like(x) for x in results(plain))  # zeros_like keeps the layout
    value = function(**given, out=out if len(out) > 1 else out[0])
    assert close(value, plain) and all(x is y for x, y in zip(results(value), out)), function
    shown = tuple(map(random.choice([Producer, memoryview]), out))
    value = function(**given, out=shown if len(shown) > 1 else shown[0])
    assert all(x is y for x, y in zip(results(value), shown)) and close(out, plain), function


def threads(function, given, plain):
    assert close(function(**given, threads=int(random.integers(1, 9))), plain), function
    must_raise(function, **given, threads=random.choice([0, -1, 1.5, True, "2", None]))


def wrong_input(function, given, plain):
    name = random.choice([n for n in given if isinstance(given[n], np.ndarray)])
    wrong = WRONG + ([lambda x: -x - 0.5] if name == "active" else [])
    if name == "active" and not function.__name__.startswith("constrained_inverse"):  # which takes weights
        wrong = wrong + [lambda x: x + 0.5]
    spoil = random.choice(wrong + [without_norm] if name in ("q", "q0", "q1") else wrong)
    must_raise(function, **{**given, name: spoil(given[name])})


def plain_count(given):
    """The number of states, None for one."""
    inputs = [x for n, x in given.items() if n in ("q", "q0")]
    return len(inputs[0]) if inputs[0].ndim > 1 else None


def wrong_out(function, given, plain):
    outs = [np.zeros_like(x) for x in results(plain)]
    k = random.integers(len(outs))
    x = outs[k]
    wrong = [x.astype(np.float16), np.zeros(x.shape + (1,)), np.zeros(x.size + 1), "out", 1, x.astype(int)]
    if x.size and x.ndim and x.shape[-1] > 1:
        wrong += [spread(x)]
    if x.size and not x.flags.c_contiguous:
        wrong += [np.zeros(x.shape)]  # row by row
    fixed = x.copy(order="K")
    fixed.flags.writeable = False
    wrong += [fixed, memoryview(fixed), Producer(x, device_type=2), Producer(np.zeros(x.shape + (1,)))]
    outs[k] = wrong[random.integers(len(wrong))]
    must_raise(function, **given, out=tuple(outs) if len(outs) > 1 else outs[0])


def shared_out(function, given, plain):
    inputs = [x for x in given.values() if isinstance(x, np.ndarray)]
    first = results(plain)[0]
    same = [x for x in inputs if x.shape == first.shape]
    if same and len(results(plain)) == 1:
        must_raise(function, **given, out=same[0])


def wrong_names(function, given, plain):
    name = str(random.choice(list(given)))
    if name != "frame":
        must_raise(function, **{k: v for k, v in given.items() if k != name})
    must_raise(function, **given, other=1)
    must_raise(function, *given.values(), 1)
    must_raise(function, *given.values(), **{name: given[name]})
    if "link" in given:
        for link in (-1, len(leg.link_names), "nobody", None, 1.5, True, "\udcff", 2**70):
            must_raise(function, **{**given, "link": link})
    if "frame" in given:
        must_raise(function, **{**given, "frame": random.choice(["body", 3, None])})


def large_results():
    """Memory of large results that are gone serves later ones, in any order, and never two at a time."""
    given = arguments(leg.mass_matrix, 5000)
    first = leg.mass_matrix(**given)
    place, M = first.ctypes.data, first.copy()
    del first
    again = leg.mass_matrix(**given)
    assert again.ctypes.data == place and np.array_equal(again, M)
    kept = {}
    for _ in range(60):
        given = arguments(leg.rnea_derivatives, int(random.integers(100, 900)))
        value = leg.rnea_derivatives(**given)
        state = {name: x[-1] for name, x in given.items()}
        assert close([x[-1] for x in value], leg.rnea_derivatives(**state))  # zeros are zeros again
        kept[int(random.integers(5))] = [(x, x.copy()) for x in (value[0], value[1][7:])]
        assert all(np.array_equal(x, copy) for pairs in kept.values() for x, copy in pairs)


def main():
    kinds = [good_call, good_out, threads, wrong_input, wrong_input, wrong_out, shared_out, wrong_names]
    for name in leg.functions:
        function = getattr(leg, name)
        for _ in range(CALLS):
            kind = kinds[random.integers(len(kinds))]
            count = [None, 1, 5, 70, 0][random.integers(5 if kind in (good_call, good_out) else 4)]  # nothing is wrong with 0
            given = arguments(function, count)
            plain = function(**given)
            for x in results(plain):
                assert np.all(np.isfinite(x)), name
            kind(function, given, plain)
    large_results()
    assert not alive, f"{len(alive)} tensors were not deleted"
    print(f"{CALLS} calls of each of {len(leg.functions)} functions")


main()
