"""Positions: coordinates of which quaternions are four, and the tangent space."""

from __future__ import annotations

from typing import Any, List, NamedTuple

import numpy as np
import torch

from .native import import_native

_native = import_native()
Tensor = torch.Tensor

#: As in native/positions.cpp.
_KINDS = ("plain", "planar", "spherical", "floating")


class _Piece(NamedTuple):
    """Entries of q and of v that belong together: a run of coordinates that add, or those of one joint."""

    kind: str
    q: slice
    v: slice


def _pieces(robot: Any) -> List[_Piece]:
    pieces: List[_Piece] = []
    begin_q = begin_v = 0

    def add_plain(end_q: int, end_v: int) -> None:
        if end_q > begin_q:
            pieces.append(_Piece("plain", slice(begin_q, end_q), slice(begin_v, end_v)))

    joints = sorted((joint for joint in robot.joints if joint.type in ("floating", "spherical", "planar")),
                    key=lambda joint: joint.idx_q)
    for joint in joints:
        add_plain(joint.idx_q, joint.idx_v)
        begin_q, begin_v = joint.idx_q + joint.nq, joint.idx_v + joint.nv
        pieces.append(_Piece(joint.type, slice(joint.idx_q, begin_q), slice(joint.idx_v, begin_v)))
    add_plain(robot.nq, robot.nv)
    return pieces


class Positions:
    """What turns derivatives along steps of a position into those by its coordinates, and back. All of it is made of
    operations of PyTorch, which differentiates it again. Where nobody asks for that, compiled code does the same."""

    def __init__(self, robot: Any) -> None:
        self.pieces = _pieces(robot)
        self.is_plain = all(piece.kind == "plain" for piece in self.pieces)
        self._table = np.array([(_KINDS.index(piece.kind), piece.q.start, piece.v.start, piece.q.stop - piece.q.start)
                                for piece in self.pieces], np.int32).reshape(-1, 4)

    def unit(self, q: Tensor) -> Tensor:
        """The position that is meant: with quaternions divided by their lengths."""
        if not any(piece.kind in ("floating", "spherical") for piece in self.pieces):
            return q
        if _is_final(q):
            return self._compiled(_native.unit_positions, q)
        return torch.cat([x for piece in self.pieces for x in _unit(piece.kind, q[..., piece.q])], -1)

    def by_coordinates(self, q: Tensor, w: Tensor) -> Tensor:
        """Derivatives by the coordinates of q, of any length, out of those along steps of the position that is meant."""
        if self.is_plain:
            return w
        if _is_final(q):
            return self._compiled(_native.derivatives_by_coordinates, q, w)
        return torch.cat([x for piece in self.pieces for x in _by_coordinates(piece.kind, q[..., piece.q], w[..., piece.v])],
                         -1)

    def along_steps(self, q: Tensor, g: Tensor) -> Tensor:
        """Derivatives along steps out of those by coordinates."""
        if self.is_plain:
            return g
        return torch.cat([_along_steps(piece.kind, q[..., piece.q], g[..., piece.q]) for piece in self.pieces], -1)

    def _compiled(self, function: Any, q: Tensor, *more: Tensor) -> Tensor:
        out = torch.empty(q.shape, dtype=q.dtype)
        function(self._table, *(x.detach().reshape(-1, x.shape[-1]).contiguous().numpy() for x in (q, *more)),
                 out.view(-1, out.shape[-1]).numpy())
        return out


def _is_final(q: Tensor) -> bool:
    """Whether nothing will be differentiated again, in memory that compiled code reads."""
    return not torch.is_grad_enabled() and q.device.type == "cpu"


def _unit(kind: str, q: Tensor) -> List[Tensor]:
    if kind in ("plain", "planar"):
        return [q]
    unit = q[..., -4:] / _length(q)
    return [q[..., :-4], unit] if kind == "floating" else [unit]


def _length(q: Tensor) -> Tensor:
    """torch.linalg.vector_norm() takes twelve times as long."""
    return q[..., -4:].pow(2).sum(-1, keepdim=True).sqrt()


def _by_coordinates(kind: str, q: Tensor, w: Tensor) -> List[Tensor]:
    """A step d turns the unit quaternion by q (d/2, 1). So its derivative by coordinates is 2 q (w, 0), which is normal to
    it: of q / |q| it is this, divided by |q|."""
    if kind == "plain":
        return [w]
    if kind == "planar":
        return [_turned(q[..., 2:], w[..., :2]), w[..., 2:]]
    scale = 1.0 / _length(q)
    unit = q[..., -4:] * scale
    u, s, turn = unit[..., :3], unit[..., 3:], (2.0 * scale) * w[..., -3:]
    parts = [s * turn + _cross(u, turn), -(u * turn).sum(-1, keepdim=True)]
    return [_rotated(u, s, w[..., :3]), *parts] if kind == "floating" else parts


def _along_steps(kind: str, q: Tensor, g: Tensor) -> Tensor:
    """A step d changes the unit quaternion by q (d/2, 0), and x by R d."""
    if kind == "plain":
        return g
    if kind == "planar":
        return torch.cat([_turned(-q[..., 2:], g[..., :2]), g[..., 2:]], -1)
    u, s, gu, gs = q[..., -4:-1], q[..., -1:], g[..., -4:-1], g[..., -1:]
    turn = 0.5 * (s * gu - gs * u - _cross(u, gu))
    return torch.cat([_rotated(u, -s, g[..., :3]), turn], -1) if kind == "floating" else turn


def _rotated(u: Tensor, s: Tensor, x: Tensor) -> Tensor:
    """R x of the quaternion (u, s)."""
    y = 2.0 * _cross(u, x)
    return x + s * y + _cross(u, y)


def _cross(a: Tensor, b: Tensor) -> Tensor:
    return torch.cross(a, b, dim=-1)


def _turned(angle: Tensor, x: Tensor) -> Tensor:
    """In the plane."""
    c, s = angle.cos(), angle.sin()
    first, second = x[..., :1], x[..., 1:]
    return torch.cat([c * first - s * second, s * first + c * second], -1)


