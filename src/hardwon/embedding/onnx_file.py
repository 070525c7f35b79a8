"""Any sentence model as a local ONNX file: a folder with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.embedding.model import NoModel
from hardwon.embedding.sentences import AGAIN, Sentences, Tokenizing, first_line

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from hardwon.embedding.model import Vectors

INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class OnnxModel:
    def __init__(self, name: str, file: Path, tokenizer: Tokenizer) -> None:
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
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except _reasons() as error:
            raise NoModel(f"{file} can't be run as an ONNX model ({first_line(error)}): {AGAIN}") from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        if unknown := set(self._inputs) - INPUTS:
            raise NoModel(f"{file} wants {', '.join(sorted(unknown))}, which no text has: {AGAIN}")
        self._output = _output(self._session, file)
        self._sentences = Sentences(name, tokenizer, self._run)
        self.dims = self._sentences.dims

    def understands(self, text: str) -> bool:
        return bool(text.strip())

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:  # noqa: ARG002
        return self._sentences.embed(texts)

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
                f"({first_line(error)}): {AGAIN}"
            ) from error
        found: Vectors = answer
        return found


def load(folder: Path) -> OnnxModel:
    """The model in a folder."""
    from tokenizers import Tokenizer

    words = folder / "tokenizer.json"
    called = name(folder)
    try:
        known = json.loads(words.read_text(encoding="utf-8"))
    except ValueError as error:
        raise NoModel(f"{words} is not a tokenizer ({first_line(error)}): {AGAIN}") from error
    if not isinstance(known, dict) or not isinstance(known.get("model"), dict):
        raise NoModel(f'{words} is not a tokenizer, for it has no "model": {AGAIN}')
    with Tokenizing(f"{words} is not a tokenizer"):
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
