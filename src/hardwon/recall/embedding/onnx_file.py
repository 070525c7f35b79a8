"""Any sentence model as a local ONNX file: a folder with `model.onnx` and `tokenizer.json`.

The vector of a text is the mean of its tokens' vectors, padding left out, made one long. Texts are run in groups of the
same length rather than padded to the longest: that is faster, and a vector can't depend on what stands beside it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.recall.embedding.model import NoModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from hardwon.recall.embedding.model import Vectors

MOST_TOKENS = 256
GROUP = 8
"""Texts that are run at once; more are no faster on one core, and take more memory."""
INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
AGAIN = "copy model.onnx and tokenizer.json of one model there anew."
"""The next step with files that do not belong together, or are not whole."""


class _Tokenizing:
    """What the tokenizers raise is an Exception of no sort of its own: this and nothing else becomes a sentence."""

    def __init__(self, problem: str) -> None:
        self.problem = problem

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if kind is Exception:
            raise NoModel(f"{self.problem} ({_first_line(error)}): {AGAIN}") from error


class OnnxModel:
    def __init__(self, name: str, file: Path, tokenizer: Tokenizer, content: bytes | None = None) -> None:
        """`content` is what is run, if it is not what stands in the file."""
        import onnxruntime

        self.name, self._file = name, file
        options = onnxruntime.SessionOptions()
        # One core and no waiting in circles: whoever types in the meantime comes first.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Memory for a long text is given back after it; keeping it buys nothing that can be measured.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                content or str(file), options, providers=["CPUExecutionProvider"]
            )
        except _reasons() as error:
            raise NoModel(f"{file} can't be run as an ONNX model ({_first_line(error)}): {AGAIN}") from error
        self._session._model_bytes = None  # 23 MB that it would hold for as long as it lives, and never reads again
        self._inputs = [one.name for one in self._session.get_inputs()]
        if unknown := set(self._inputs) - INPUTS:
            raise NoModel(f"{file} wants {', '.join(sorted(unknown))}, which no text has: {AGAIN}")
        self._output = _output(self._session, file)
        self._tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_TOKENS)
        self.dims = int(self.embed(["one"]).shape[1])

    def understands(self, text: str) -> bool:
        return bool(text.strip())

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:  # noqa: ARG002
        import numpy

        tokens = self._tokens(texts)
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        found: dict[int, Vectors] = {}
        for _, same in itertools.groupby(order, key=lambda index: len(tokens[index])):
            for group in _batched(list(same)):
                found.update(zip(group, self._run([tokens[index] for index in group]), strict=True))
        rows = numpy.stack([found[index] for index in range(len(texts))])
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / numpy.maximum(lengths, 1e-12)
        return unit

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        with _Tokenizing(f"The tokenizer of {self.name} can't cut a text"):
            return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def _run(self, tokens: list[list[int]]) -> Vectors:
        import numpy

        ids = numpy.array(tokens, dtype=numpy.int64)
        known = {
            "input_ids": ids,
            "attention_mask": numpy.ones_like(ids),
            "token_type_ids": numpy.zeros_like(ids),
        }
        try:
            (answer,) = self._session.run([self._output], {name: known[name] for name in self._inputs})
        except _reasons() as error:
            raise NoModel(
                f"{self._file} can't be run on what its tokenizer makes of a text, up to number {ids.max()} "
                f"({_first_line(error)}): {AGAIN}"
            ) from error
        mean: Vectors = answer if answer.ndim == 2 else answer.mean(axis=1)
        return mean.astype(numpy.float32, copy=False)


def _batched(indices: list[int]) -> list[list[int]]:
    return [indices[at : at + GROUP] for at in range(0, len(indices), GROUP)]


def load(folder: Path) -> OnnxModel:
    """The model in a folder."""
    from tokenizers import Tokenizer

    words = folder / "tokenizer.json"
    called = name(folder)
    try:
        known = json.loads(words.read_text(encoding="utf-8"))
    except ValueError as error:
        raise NoModel(f"{words} is not a tokenizer ({_first_line(error)}): {AGAIN}") from error
    if not isinstance(known, dict) or not isinstance(known.get("model"), dict):
        raise NoModel(f'{words} is not a tokenizer, for it has no "model": {AGAIN}')
    with _Tokenizing(f"{words} is not a tokenizer"):
        tokenizer = Tokenizer.from_file(str(words))
    return OnnxModel(called, folder / "model.onnx", tokenizer)


def name(folder: Path) -> str:
    """After the folder and a hash of both files: another model, or one that cuts texts in another way, makes other
    vectors."""
    for file in ("model.onnx", "tokenizer.json"):
        if not (folder / file).is_file():
            raise NoModel(f"vectors.model names the folder {folder}, which has no {file}: put it there.")
    try:
        both = digest(folder / "model.onnx") + digest(folder / "tokenizer.json")
    except OSError as error:
        raise NoModel(f"{error.filename} can't be read ({error.strerror}): make it readable.") from error
    return f"{folder.name}@{hashlib.sha256(both.encode()).hexdigest()[:12]}"


def digest(file: Path) -> str:
    with file.open("rb") as content:
        return str(hashlib.file_digest(content, "sha256").hexdigest())


def _reasons() -> tuple[type[Exception], ...]:
    """Everything that the runtime raises; its errors have nothing in common."""
    from onnxruntime.capi import onnxruntime_pybind11_state as reasons

    return tuple(one for one in vars(reasons).values() if isinstance(one, type) and issubclass(one, Exception))


def _output(session: Any, file: Path) -> str:
    """The output with a vector per text, or else the one with a vector per token."""
    outputs = {str(one.name): len(one.shape) for one in session.get_outputs()}
    for name in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
        if name in outputs:
            return name
    for name, dimensions in outputs.items():
        if dimensions == 3:
            return name
    raise NoModel(f"{file} gives neither last_hidden_state nor sentence_embedding, but {', '.join(outputs)}: {AGAIN}")


def _first_line(error: BaseException | None) -> str:
    line, _, _ = str(error).strip().partition("\n")
    return line[:200]
