"""The network in PyTorch: a store of positions on the device, and gradient steps."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from sanssouci.network import BITS, BUCKETS, OUTPUTS, SCALE, mirror_inputs
from sanssouci.rules import ROUNDS

from .quantise import FloatArrays

ACTIVE_INPUTS = 250
"""About how many inputs are set: the first weights give hidden values of about 1."""
EARLIEST_DECAY = 10
EXPANSIONS = 4
"""None, rewards, wild boar, both."""
RATE_SHARES = {"by_round": 0.2, "by_expansions": 0.2}
"""These weights see a part of the positions only, so their steps are smaller."""
_LARGE_HIDDEN = 40.0
_ROUNDS_MASK = (1 << 18) - 1
_EXPANSIONS_SHIFT = 25


@dataclass(frozen=True, slots=True)
class Losses:
    """Root mean squared errors in points, and the cross-entropy of the win."""

    own: float
    other: float
    win: float


class Store:
    """The newest positions; the oldest are overwritten."""

    def __init__(self, capacity: int, words: int, device: torch.device) -> None:
        self._words = torch.zeros((capacity, words), dtype=torch.int64, device=device)
        self._targets = torch.zeros((capacity, OUTPUTS), dtype=torch.float32, device=device)
        self._next = 0
        self.size = 0

    def add(self, words: npt.NDArray[np.int64], targets: npt.NDArray[np.float32]) -> None:
        """Add positions; ``[n, words]`` and ``[n, 3]``."""
        capacity = len(self._words)
        while len(words):
            room = min(len(words), capacity - self._next)
            place = slice(self._next, self._next + room)
            self._words[place] = torch.tensor(words[:room])  # arrays of a cluster are read-only
            self._targets[place] = torch.tensor(targets[:room])
            self._next = (self._next + room) % capacity
            self.size = min(self.size + room, capacity)
            words, targets = words[room:], targets[room:]

    def sample(self, batch: int) -> tuple[Tensor, Tensor]:
        """Positions drawn with replacement."""
        chosen = torch.randint(self.size, (batch,), device=self._words.device)
        return self._words[chosen], self._targets[chosen]


def _output_weights(parts: dict[str, Tensor]) -> Tensor:
    """``[buckets, 3, hidden]``"""
    return (parts["shared"] + parts["by_round"] + parts["by_expansions"]).flatten(0, 1)


class Trainer:
    """Weights, their moving average, and the optimiser."""

    def __init__(self, words: int, hidden: int, device: torch.device, average: float = 0.9995) -> None:
        inputs = BITS * words
        self._device, self._average, self.steps = device, average, 0
        self._taken_over = 0
        """Hidden units that another network has trained."""
        generator = torch.Generator().manual_seed(1)
        weights = torch.randn((inputs, hidden), generator=generator) / ACTIVE_INPUTS**0.5
        shared = torch.randn((OUTPUTS, hidden), generator=generator) / hidden**0.5
        self._parameters = {
            "weights": weights,
            "bias": torch.zeros(hidden),
            # Output weights are the sum of three parts. Weights of each bucket alone see too few positions:
            # they were mostly noise, and cost half a point of strength.
            "shared": shared,
            "by_round": torch.zeros((ROUNDS, 1, OUTPUTS, hidden)),
            "by_expansions": torch.zeros((1, EXPANSIONS, OUTPUTS, hidden)),
            "output_bias": torch.zeros((BUCKETS, OUTPUTS)),
        }
        self._parameters = {
            name: value.to(device).requires_grad_() for name, value in self._parameters.items()
        }
        self._mean = {name: value.detach().clone() for name, value in self._parameters.items()}
        groups = [
            {"params": [value], "share": RATE_SHARES.get(name, 1.0)}
            for name, value in self._parameters.items()
        ]
        self._optimiser = torch.optim.Adam(groups, lr=1e-3, fused=device.type == "cuda")
        self._mirror = torch.from_numpy(mirror_inputs(words)).to(device)
        self._bytes = torch.arange(8, dtype=torch.uint8, device=device)
        self._round_bits = 1 << torch.arange(ROUNDS, device=device)
        self._sums = torch.zeros(OUTPUTS + 1, device=device)

    def step(self, words: Tensor, targets: Tensor, rate: float) -> None:
        """One gradient step, on the mirrored positions every second time."""
        for group in self._optimiser.param_groups:
            group["lr"] = rate * group["share"]
        inputs = self._unpack(words)
        weights = self._parameters["weights"]
        if self.steps % 2:
            weights = weights.index_select(0, self._mirror)
        if self.steps == 0:
            self._centre(inputs)
        hidden = inputs @ weights + self._parameters["bias"]
        outputs, last = self._outputs(words, hidden)
        wanted = targets / SCALE
        own = ((outputs[:, 0] - wanted[:, 0]) ** 2 * ~last).mean()
        other = ((outputs[:, 1] - wanted[:, 1]) ** 2).mean()
        win = functional.binary_cross_entropy_with_logits(outputs[:, 2], targets[:, 2])
        too_large = (functional.relu(hidden.abs() - _LARGE_HIDDEN) ** 2).mean()
        loss = own + 0.5 * other + 0.1 * win + 0.01 * too_large
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        self.steps += 1
        with torch.no_grad():
            kept = min(self._average, (1 + self.steps) / (EARLIEST_DECAY + self.steps))
            torch._foreach_lerp_(list(self._mean.values()), list(self._parameters.values()), 1 - kept)
            self._sums += torch.stack((own.detach(), other.detach(), win.detach(), torch.ones_like(win)))

    def take_over(self, floats: FloatArrays) -> None:
        """Begin with the units of a finished network of the same inputs, which may be narrower.

        Added units have no output weights yet: at first the wider network judges as the finished one does,
        except for the calibration of its chances to win, which a sum of parts cannot represent.
        """
        width = self._taken_over = floats["bias"].size
        outputs = torch.from_numpy(floats["outputs"]).view(ROUNDS, EXPANSIONS, OUTPUTS, width)
        shared = outputs.mean((0, 1))
        with torch.no_grad():
            for name, value in {
                "weights": torch.from_numpy(floats["weights"]),
                "bias": torch.from_numpy(floats["bias"]),
                "shared": shared,
                "by_round": outputs.mean(1, keepdim=True) - shared,
                "by_expansions": outputs.mean(0, keepdim=True) - shared,
            }.items():
                self._parameters[name][..., :width] = value.to(self._device)
            self._parameters["shared"][:, width:] = 0
            self._parameters["output_bias"].copy_(torch.from_numpy(floats["output_bias"]))
            for name, mean in self._mean.items():
                mean.copy_(self._parameters[name])

    def _centre(self, inputs: Tensor) -> None:
        """Let every new unit be active in about half of these positions; one that never is learns nothing."""
        new = slice(self._taken_over, None)
        with torch.no_grad():
            self._parameters["bias"][new] = -(inputs @ self._parameters["weights"][:, new]).mean(0)

    def _unpack(self, words: Tensor) -> Tensor:
        """``[n, 64 * words]``: one float for each bit."""
        octets = words.view(torch.uint8).unsqueeze(-1)
        return (octets >> self._bytes & 1).flatten(1).to(torch.float32)

    def _outputs(self, words: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """``[n, 3]``: the outputs of each position's bucket; ``[n]``: whether it is the last round."""
        # Not by a logarithm: on a GPU, log2(8) is a little less than 3.
        rounds = (words[:, :1] & _ROUNDS_MASK >= self._round_bits).sum(1) - 1
        bucket = 4 * rounds + (words[:, 0] >> _EXPANSIONS_SHIFT & 3)
        matrix = _output_weights(self._parameters).flatten(0, 1)
        every = functional.relu(hidden) @ matrix.T
        chosen = every.view(-1, BUCKETS, OUTPUTS)[torch.arange(len(words), device=words.device), bucket]
        return chosen + self._parameters["output_bias"][bucket], rounds == ROUNDS - 1

    def losses(self) -> Losses:
        """The mean losses since the last call."""
        own, other, win, steps = self._sums.tolist()
        self._sums.zero_()
        steps = max(steps, 1.0)
        return Losses(SCALE * (own / steps) ** 0.5, SCALE * (other / steps) ** 0.5, win / steps)

    def averaged(self) -> FloatArrays:
        """The moving average of the weights, as the player uses them."""
        found = {name: self._mean[name] for name in ("weights", "bias", "output_bias")}
        found["outputs"] = _output_weights(self._mean)
        return {name: value.detach().float().cpu().numpy() for name, value in found.items()}

    def state(self) -> dict[str, Any]:
        """Everything that a later run continues from."""
        return {
            "steps": self.steps,
            "mean": {name: value.half().cpu() for name, value in self._mean.items()},
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from a state; the optimiser's moments begin anew, from the averaged weights."""
        self.steps = state["steps"]
        with torch.no_grad():
            for name, value in self._parameters.items():
                value.copy_(state["mean"][name].to(self._device))
                self._mean[name].copy_(value)
