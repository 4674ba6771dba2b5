"""Runs a kernel of NAME.ptx on the processor: the threads of one block, side by side in numpy arrays.

Those threads run next whose instruction comes first, so threads that went different ways meet again, and none passes a
barrier of its warp alone.
"""

import re

import numpy as np

_types = {"f32": np.float32, "f64": np.float64, "b32": np.int32, "u32": np.int32, "s32": np.int32, "b64": np.int64,
          "u64": np.int64, "s64": np.int64, "b16": np.int16, "u16": np.int16, "s16": np.int16, "u8": np.int8, "s8": np.int8,
          "pred": np.bool_}
_compare = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
            "gtu": lambda a, b: ~(a <= b), "ltu": lambda a, b: ~(a >= b)}
_ieee = {"0f": (np.uint32, np.float32), "0d": (np.uint64, np.float64)}

#: Where arrays of the device and the shared memory begin.
DEVICE, SHARED = 1 << 20, 1 << 12


class Kernel:
    """A kernel of a module, and what is seen of it.

    Attributes:
        instructions: (guard, opcode, operands), each with the place that a branch goes to.
    """

    def __init__(self, ptx, name):
        text = re.search(rf"\.visible \.entry {name}\((.*?)\n}}", ptx, re.S)[1]
        self.name, self.block = name, int(re.search(r"\.maxntid (\d+)", text)[1])
        self.threads = int(re.search(rf" {name}_threads = (\d+);", ptx)[1])
        self.states = self.block // self.threads
        self.instructions, self.labels = [], {}
        for line in text[text.index("\n{") + 2:].split("\n"):
            line = line.split("//")[0].strip()
            if line.endswith(":"):
                self.labels[line[:-1]] = len(self.instructions)
            elif line and not line.startswith("."):
                guard, code, operands = re.fullmatch(r"(?:@(!?%p\d+)\s+)?(\S+?)\s*(?:\s(.*))?;", line).groups()
                self.instructions.append((guard, code, re.findall(r"\[[^]]*\]|[^,\s]+", operands or "")))

    def opcodes(self):
        return {code for _, code, _ in self.instructions}

    def run(self, arrays, count, stride, block=0, threads=None, steps=1, part=(0, 1)):
        """Runs one block. `part`: its place in the second dimension, and of how many. `arrays` are changed. Returns, for each access to them, the entries that the threads touched, and
        whether threads ever went different ways before they ended."""
        return _Run(self, arrays, (count, stride, steps), (block, part), threads or self.block).run()


class _Run:
    def __init__(self, kernel, arrays, amount, block, threads):
        self.kernel, self.threads, (self.block, self.part) = kernel, threads, block
        self.memory, self.bases = arrays, [DEVICE * (k + 1) for k in range(len(arrays))]
        self.parameters = np.array([*amount, *self.bases], np.int64)
        self.shared = np.zeros(48 * 1024 // 4, np.float32)
        self.registers, self.symbols, self.accesses = {}, {}, []

    def run(self):
        at, end = np.zeros(self.threads, int), len(self.kernel.instructions)
        diverged, waits = False, np.zeros(self.threads, bool)
        while True:
            if (waits | (at >= end)).all():  # at a barrier of the block, which all have reached
                waits[:] = False
            place = at[~waits].min()
            if place >= end:
                return self.accesses, diverged
            active = (at == place) & ~waits
            diverged = diverged or bool(((at != place) & (at < end)).any())
            guard, code, operands = self.kernel.instructions[place]
            if guard is not None:
                asked = self.registers[guard.lstrip("!")]
                active = active & (~asked if guard[0] == "!" else asked)
            at[(at == place) & ~waits] += 1
            if code in ("bra", "bra.uni"):
                at[active] = self.kernel.labels[operands[0]]
            elif code == "ret":
                at[active] = end
            elif code == "bar.sync":
                waits |= active
            elif not code.startswith("bar."):
                self.step(code, operands, active)

    def value(self, text, kind):
        if text in self.registers:
            return self.registers[text]
        if text == "%ctaid.x":
            return np.full(self.threads, self.block)
        if text in ("%ctaid.y", "%nctaid.y"):
            return np.full(self.threads, self.part[text == "%nctaid.y"])
        if text == "%tid.x":
            return np.arange(self.threads)
        if text[:2] in _ieee:
            bits, real = _ieee[text[:2]]
            return np.array(int(text[2:], 16), bits).view(real)
        if re.fullmatch(r"-?\d+", text):
            return np.array(int(text)).astype(_types[kind])
        return self.symbols.setdefault(text, 0 if "_param_" in text else SHARED)

    def address(self, text):
        base, _, offset = text.strip("[]").partition("+")
        return np.broadcast_to(self.value(base, "s64") + int(offset or 0), self.threads).astype(np.int64)

    def put(self, register, value, active, kind):
        value = np.broadcast_to(np.asarray(value), self.threads).astype(_types[kind])
        old = self.registers.get(register)
        self.registers[register] = value if old is None else np.where(active, value, old)

    def step(self, code, operands, active):
        name, _, rest = code.partition(".")
        kind = code.rsplit(".", 1)[1]
        if name in ("ld", "st"):
            return self.move(name, rest.split(".")[0], kind, operands, active)
        values = [self.value(text, kind) for text in operands[1:]]
        with np.errstate(all="ignore"):
            if name == "shfl":
                return self.shuffle(rest.split(".")[1], operands, active)
            if name == "setp":
                return self.put(operands[0], _compare[rest.split(".")[0]](*values), active, "pred")
            if name == "cvt":
                if kind == "u32":
                    values[0] = np.asarray(values[0]).astype(np.int32).view(np.uint32)
                kind = rest.split(".")[0]
            if name == "mov":
                result = np.asarray(values[0])
                if kind[0] == "b":  # bits of a number
                    result = result.view(_types[kind])
                    if operands[0].startswith("%f"):
                        kind = "f" + kind[1:]
                        result = result.view(_types[kind])
            else:
                result = self.compute(name, rest, kind, *values)
            self.put(operands[0], result, active, "s64" if code.startswith("mul.wide") else kind)

    def shuffle(self, how, operands, active):
        """Threads that have not ended are all here."""
        words = self.value(operands[1], "b32")
        words = words.view(np.int32) if words.dtype.itemsize == 4 else words
        own, other = np.arange(self.threads), np.asarray(self.value(operands[2], "b32"), int)
        source = own ^ other if how == "bfly" else own // 32 * 32 + other
        assert active[source[active]].all(), "a shuffle with a thread that has ended or is elsewhere"
        self.put(operands[0], words[np.minimum(source, self.threads - 1)], active, "b32")

    @staticmethod
    def compute(name, rest, kind, a, b=None, c=None):
        if name in ("cvta", "cvt"):
            return a
        if name == "mul" and rest.startswith("wide"):
            return a.astype(np.int64) * b
        if name == "mul" and rest.startswith("hi"):
            return a.astype(np.int64) * b >> 32
        if name == "fma" or name == "mad":
            if kind == "f32":  # rounded once
                return a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)
            return _fused(a, b, c) if kind == "f64" else a * b + c
        if name == "shr":
            unsigned = {"64": np.uint64, "32": np.uint32, "16": np.uint16}[kind[1:]]
            return a >> b if kind[0] == "s" else a.view(unsigned) >> b
        if name == "selp":
            return np.where(c, a, b)
        return {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "div": lambda: a / b, "neg": lambda: -a,
                "sqrt": lambda: np.sqrt(a), "rcp": lambda: 1 / a, "and": lambda: a & b, "or": lambda: a | b,
                "xor": lambda: a ^ b, "shl": lambda: a << b, "min": lambda: np.minimum(a, b),
                "abs": lambda: np.abs(a), "not": lambda: ~a}[name]()

    def move(self, name, space, kind, operands, active):
        where = self.address(operands[1] if name == "ld" else operands[0])
        if space == "param":
            return self.put(operands[0], self.parameters[where // 8], active, kind)
        if space == "shared":
            return self.move_in(self.shared.view(_types[kind]), SHARED, name, kind, operands, where, active)
        for k in np.unique(where[active] // DEVICE - 1):  # arrays that some threads touch
            touch = active & (where // DEVICE - 1 == k)
            memory = self.memory[k].reshape(-1).view(_types[kind])
            self.accesses.append((where[touch] - self.bases[k]) // memory.itemsize)
            self.move_in(memory, self.bases[k], name, kind, operands, where, touch)

    def move_in(self, memory, base, name, kind, operands, where, active):
        entries = (where[active] - base) // memory.itemsize
        if name == "st":
            value = np.broadcast_to(self.value(operands[1], kind), self.threads)[active]
            memory[entries] = value.view(_types[kind]) if value.dtype.itemsize == memory.itemsize else value
        else:
            result = np.zeros(self.threads, _types[kind])
            result[active] = memory[entries]
            self.put(operands[0], result, active, kind)


def _fused(a, b, c):
    """a b + c with the error of the product added back (Dekker), which is nearly a fused operation."""
    def halves(x):
        high = x * 134217729.0
        high = high - (high - x)
        return high, x - high

    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    product = a * b
    (ah, al), (bh, bl) = halves(a), halves(b)
    error = ((ah * bh - product) + ah * bl + al * bh) + al * bl
    total = product + c
    part = total - product
    return total + ((product - (total - part)) + (c - part) + error)
