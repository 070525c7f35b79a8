"""The packaged model in PyTorch, with small additions that can be taught: what `recall-model` teaches.

To each of its matrices the product of two thin ones is added, and only these are taught: so they fit into a file of
less than a megabyte (`recall/embedding/taught.py`), and the model stays near to what it was. PyTorch and `onnx` are
needed here and nowhere else: `pip install torch onnx`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor
from torch.nn import functional

from hardwon.recall.embedding import packaged, taught

HEADS, LAYERS = 12, 6
RANK = 8
"""Columns of the thin matrices."""
LONGEST = 160
"""Tokens of a text while it is taught: longer ones take longer, and teach little more."""


class Encoder:
    def __init__(self, file: Path, seed: int) -> None:
        self.file = file
        graph = onnx.load(str(file)).graph
        stored = {one.name: one for one in graph.initializer}
        self.fixed = {
            name.removeprefix("inner."): torch.tensor(numpy_helper.to_array(one))
            for name, one in stored.items()
            if name.startswith("inner.") and one.data_type == onnx.TensorProto.FLOAT
        }
        for name in ("word_embeddings", "position_embeddings"):
            whole = f"inner.embeddings.{name}.weight"
            self.fixed[f"embeddings.{name}.weight"] = _unscaled(stored[f"{whole}_q"], stored[f"{whole}_scale"])
        self.names = [
            node.input[0].removesuffix("_q")
            for node in graph.node
            if node.op_type == "Cast" and node.input[0].startswith("val_") and node.input[0].endswith("_q")
        ]
        self.places = [_place(file.read_bytes(), stored, name) for name in self.names]
        self.matrices = [_unscaled(stored[f"{name}_q"], stored[f"{name}_scale"]) for name in self.names]
        made = torch.Generator().manual_seed(seed)
        self.down = [
            (torch.randn(one.shape[0], RANK, generator=made) / one.shape[0] ** 0.5).requires_grad_()
            for one in self.matrices
        ]
        self.up = [torch.zeros(RANK, one.shape[1], requires_grad=True) for one in self.matrices]
        self.tokenizer = packaged.tokenizer()
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.enable_padding()

    def __call__(self, texts: Sequence[str]) -> Tensor:
        encoded = self.tokenizer.encode_batch(list(texts))
        ids = torch.tensor([one.ids for one in encoded])
        mask = torch.tensor([one.attention_mask for one in encoded])
        hidden = self._begin(ids)
        for layer in range(LAYERS):
            hidden = self._layer(layer, hidden, mask[:, None, None, :].bool())
        there = mask[:, :, None].float()
        return functional.normalize((hidden.float() * there).sum(1) / there.sum(1), dim=-1)

    def _begin(self, ids: Tensor) -> Tensor:
        words, places = (self.fixed[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
        kind = self.fixed["embeddings.token_type_embeddings.weight"][0]
        return self._normal("embeddings.LayerNorm", words[ids] + places[: ids.shape[1]] + kind)

    def _layer(self, layer: int, hidden: Tensor, mask: Tensor) -> Tensor:
        name = f"encoder.layer.{layer}"
        one = 6 * layer

        def split(number: int, part: str) -> Tensor:
            whole = self._times(number, hidden, f"{name}.attention.self.{part}.bias")
            return whole.view(*hidden.shape[:2], HEADS, -1).transpose(1, 2)

        looked = functional.scaled_dot_product_attention(
            split(one, "query"), split(one + 1, "key"), split(one + 2, "value"), attn_mask=mask
        )
        joined = looked.transpose(1, 2).reshape(hidden.shape)
        joined = self._times(one + 3, joined, f"{name}.attention.output.dense.bias")
        hidden = self._normal(f"{name}.attention.output.LayerNorm", joined + hidden)
        wide = functional.gelu(self._times(one + 4, hidden, f"{name}.intermediate.dense.bias"))
        return self._normal(
            f"{name}.output.LayerNorm", self._times(one + 5, wide, f"{name}.output.dense.bias") + hidden
        )

    def _times(self, number: int, hidden: Tensor, bias: str) -> Tensor:
        return hidden @ self.matrices[number] + (hidden @ self.down[number]) @ self.up[number] + self.fixed[bias]

    def _normal(self, name: str, hidden: Tensor) -> Tensor:
        weight, bias = self.fixed[f"{name}.weight"], self.fixed[f"{name}.bias"]
        return functional.layer_norm(hidden.float(), weight.shape, weight, bias, 1e-12)

    def taught(self) -> list[Tensor]:
        return [*self.down, *self.up]

    def write(self, file: Path) -> None:
        """As `recall/embedding/taught.py` reads it."""
        additions = [
            taught.Addition(*place, down.detach().numpy(), up.detach().numpy())
            for place, down, up in zip(self.places, self.down, self.up, strict=True)
        ]
        file.write_bytes(taught.as_bytes(additions))


def _unscaled(whole: Any, scale: Any) -> Tensor:
    return torch.tensor(numpy_helper.to_array(whole).astype(numpy.float32) * numpy_helper.to_array(scale))


def _place(content: bytes, stored: dict[str, Any], name: str) -> tuple[int, int]:
    """Where in the file the numbers of a matrix begin, and where its scales do."""
    whole, scale = (stored[f"{name}_{part}"].raw_data for part in ("q", "scale"))
    if content.count(whole) != 1 or content.count(scale) != 1:
        raise ValueError(f"{name} stands more than once in the model's file: its place can't be told.")
    return content.find(whole), content.find(scale)
