"""The packaged model, computed here: the same vectors as by the runtime for models, in a fraction of its memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.embedding import packaged
from hardwon.embedding.onnx_file import OnnxModel
from hardwon.embedding.onnx_tensors import tensors

numpy = pytest.importorskip("numpy")
pytest.importorskip("tokenizers")
pytest.importorskip(packaged.PACKAGE)

TEXTS = [
    "why does make test hang?",
    "The build fails with ECONNREFUSED 127.0.0.1:5432 as long as the database is not up. " * 12,
    "x",
    "cache TTL is 90 seconds",
]


def test_it_gives_what_the_runtime_gives() -> None:
    """To the sixth place, for short texts, long ones and ones that are cut."""
    pytest.importorskip("onnxruntime")
    ours = packaged.PackagedModel(packaged.checked(packaged.found()), "plain").embed(TEXTS)
    theirs = OnnxModel("plain", packaged.found(), packaged.tokenizer()).embed(TEXTS)
    assert ours.shape == theirs.shape == (len(TEXTS), 384)
    assert float(numpy.abs(ours - theirs).max()) < 1e-6


def test_a_vector_does_not_depend_on_what_stands_beside_it() -> None:
    """Vectors are stored, and a question has to meet the same one however it was made."""
    model = packaged.load()
    alone = numpy.concatenate([model.embed([text]) for text in TEXTS])
    together = model.embed([*TEXTS, *TEXTS])
    assert float(numpy.abs(together[: len(TEXTS)] - alone).max()) < 1e-6
    assert float(numpy.abs(together[len(TEXTS) :] - alone).max()) < 1e-6


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux says what a process takes up")
def test_a_loaded_model_takes_less_than_70_megabytes() -> None:
    """Of a process of its own, with all that it imports, after long texts; most of it is numpy and the vocabulary."""
    script = """
import re
from pathlib import Path
from hardwon.embedding import choose
from hardwon.settings.keys import Vectors

def megabytes():
    return int(re.search(r"^Rss: +([0-9]+)", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)[1]) * 1024 / 1e6

before = megabytes()
model = choose.load(Vectors(), lambda text: text)
model.embed(["the tests need a database "] * 8)
choose.give_back()
print(megabytes() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 70


def test_only_what_is_known_is_read_from_a_file() -> None:
    """Every number stands where the file has it: nothing is copied."""
    content = packaged.checked(packaged.found())
    found = tensors(content)
    assert found["inner.embeddings.word_embeddings.weight_q"].shape == (30522, 384)
    assert found["inner.embeddings.LayerNorm.bias"].dtype == numpy.float32
    assert not any(one.flags.owndata for one in found.values())
