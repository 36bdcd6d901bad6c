"""What the station is given, and what it asks of the engine, which loads after first paint: it must not be imported."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from memstation.config.heads import KeptHeads
from memstation.config.keymap import Keymap
from memstation.config.problems import Problem
from memstation.config.settings import Settings
from memstation.config.state import StationState
from memstation.config.themes import Themes
from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.heads import StoreHead
from memstation.domain.purging import PurgeChoices, PurgeReport
from memstation.read.conflict_rows import AgentNames, JoinPreview
from memstation.read.review_rows import HeldCard, HeldRow, ReviewCounts
from memstation.read.rows import (
    FactDetail,
    FactRow,
    LogDetail,
    LogRow,
    Overview,
    PastDetail,
    PastMoment,
    PastRow,
    ReadCount,
)
from memstation.read.source_rows import SourceDetail, SourceRow
from memstation.station.render.adoption import Preview

if TYPE_CHECKING:
    from memstation.domain.instants import InstantLike
    from memstation.domain.memory import BatchFetch
    from memstation.read.review import HeldParts
    from memstation.recall.exporting import Near
    from memstation.recall.ranking import RetrievalWeights
    from memstation.recall.results import SearchResult

R = TypeVar("R")
Key = Hashable


class Anchors(Protocol):
    """How long a list is, and the key at the start of each of its pages."""

    @property
    def count(self) -> int:
        """Rows in all."""

    @property
    def keys(self) -> Sequence[Any]:
        """The key of the first row of each page."""


class RowSource(Protocol[R]):
    """A list of any length, read by pages. Each call is a short read of its own, safe in any thread."""

    def head(self) -> list[R]:
        """The first page."""

    def anchors(self) -> Anchors:
        """Length and page starts; may take a while."""

    def page(self, key: Any) -> list[R]:
        """The page from this key on."""

    def key(self, row: R) -> Key:
        """The identity of a row."""

    def index_of(self, key: Any) -> int | None:
        """The place of a row; None when it is not in the list."""


class Reader(Protocol):
    """The questions the station asks. Every one raises MemstationError when it cannot be answered."""

    def agents(self) -> list[str]:
        """Every agent that has memories, by name."""

    def overview(self, since: datetime | None, me: str) -> Overview:
        """What Today shows."""

    def timeline(self, query: Any) -> RowSource[FactRow]:
        """An agent's facts."""

    def fact(self, n: int) -> FactDetail | None:
        """All about one fact."""

    def past(self, query: Any) -> RowSource[PastRow]:
        """An agent's beliefs at a moment, beside those of now."""

    def past_moment(self, query: Any) -> PastMoment:
        """The point on both clocks that the query means."""

    def past_detail(self, agent_id: str, key: Any, query: Any) -> PastDetail | None:
        """All about one belief of a moment; None when it is not among them."""

    def log(self, query: Any) -> RowSource[LogRow]:
        """Every decision, newest first."""

    def decision(self, seq: int) -> LogDetail | None:
        """All about one decision."""

    def sources(self, agent_id: str | None = None) -> list[SourceRow]:
        """Every source of an agent, or of all; the weakest trust first."""

    def source(self, origin: str | None, agent_id: str | None = None) -> SourceDetail:
        """All about one source."""

    def origins(self) -> list[str]:
        """The names of all sources."""

    def reads_of(self, ids: Sequence[str]) -> ReadCount:
        """How often agents read memories."""

    def held(self, memory_id: str) -> HeldParts | None:
        """One memory that is or was held; None where there is no such one."""

    def names(self, agent_id: str) -> AgentNames:
        """Groups of names, suggestions and conflicts of an agent."""

    def named_agent(self) -> str | None:
        """The agent of whose names there is most to say; None where there is nothing of any."""

    def known_names(self, agent_id: str) -> Mapping[str, str]:
        """Every name that facts of an agent have: by folded name, as it is spelled."""

    def preview_join(self, agent_id: str, canonical: str, alias: str) -> JoinPreview:
        """What would be one if two names were joined."""

    def stamp(self) -> object:
        """Equal to the last one while nothing was written."""


class Finder(Protocol):
    """Searches a store and its graphs. Nothing that it answers counts as use."""

    def search(
        self,
        agent_id: str,
        query: str,
        limit: int = ...,
        *,
        at: InstantLike | None = None,
        known_at: InstantLike | int | None = None,
        weights: RetrievalWeights = ...,
        explain: bool = False,
        as_agent: bool = False,
    ) -> SearchResult:
        """The memories of an agent that answer a query best."""

    def around(self, agent_id: str, name: str, depth: int, width: int) -> Near | None:
        """What lies around a name in an agent's graph."""


class VerifyReport(Protocol):
    """What a check of the log found."""

    @property
    def ok(self) -> bool:
        """Whether the chain is whole and every digest right."""

    @property
    def entries(self) -> int:
        """Entries checked."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, in words."""

    @property
    def head(self) -> str:
        """Hash of the newest entry, as hex."""

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before its end."""


class Engine(Protocol):
    """The store as the station uses it."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading only."""

    @property
    def uuid(self) -> str:
        """The store's own name, whatever its file is called."""

    @property
    def reader(self) -> Reader:
        """The questions it answers."""

    @property
    def finder(self) -> Finder:
        """Searches it."""

    @property
    def weights(self) -> RetrievalWeights:
        """How much each term of a score counts."""

    def get_by_ids(self, agent: str, ids: Sequence[str]) -> BatchFetch:
        """Memories by id, at most 100; what is held is missing."""

    def preview(self, decision: Decision) -> Effects:
        """What a decision would do."""

    def apply(self, decision: Decision, expect: str | None = None) -> Applied:
        """Take a decision; Changed when `expect` is not the digest of its effects any more."""

    def preview_undo(self, seq: int) -> Effects:
        """What taking a decision back would do."""

    def propose(self, build: Callable[[Any], Decision]) -> tuple[Decision, Effects]:
        """Build a decision from what the store holds, and preview it."""

    def review_counts(self, agent: str | None = None) -> ReviewCounts:
        """How many wait for a person, of one agent or of all."""

    def queue(self, agent: str | None = None, *, lapsed: bool = False) -> list[HeldRow]:
        """What waits, at most 20,000, the weakest trust first; or what ran out undecided, the newest first."""

    def held_card(self, memory_id: str) -> HeldCard | None:
        """All about one held memory, with what approving and denying it would do; takes no lock."""

    def last_verdicts(self, actor: str, limit: int = 10) -> list[LogRow]:
        """The newest verdicts of a person."""

    def expire_due(self) -> Applied | None:
        """Let what ran out lapse; None when nothing did."""

    def decide(self, build: Callable[[Any], Decision], expect: str | None = None) -> Applied:
        """Build a decision and take it in one transaction; Changed when `expect` is not the digest of its effects."""

    def undo(self, seq: int, *, actor: str, expect: str | None = None) -> Applied:
        """Take a decision back; Changed when `expect` is not the digest of its effects any more."""

    def near_origins(self, origin: str) -> tuple[str, ...]:
        """Other sources with nearly the same name."""

    def preview_purge(
        self, agent: str | None, origin: str, since: Any = None, *, choices: PurgeChoices | None = None
    ) -> PurgeReport:
        """What purging a source would do, for an agent or for all (None)."""

    def invalidate_by_origin(
        self,
        agent: str | None,
        origin: str,
        since: Any = None,
        *,
        choices: PurgeChoices | None = None,
        actor: str = ...,
        expect: str | None = None,
    ) -> PurgeReport:
        """Purge a source; Changed when `expect` is not the digest of its effects any more."""

    def preview_undo_purge(self, seq: int) -> PurgeReport:
        """What taking a purge back would do."""

    def undo_purge(self, seq: int, *, actor: str = ..., expect: str | None = None) -> PurgeReport:
        """Take a purge back; Changed when `expect` is not the digest of its effects any more."""

    def preview_forget(self, agent: str, about: str, *, mentions: bool = False) -> Any:
        """What an erasure would reach, with the phrase that it wants."""

    def forget(self, agent: str, about: str, *, phrase: str, mentions: bool = False, actor: str = ...) -> Any:
        """Erase a person for good."""

    def verify(
        self, expect_head: str | None = None, progress: Callable[[int, int], bool] | None = None
    ) -> VerifyReport:
        """Check the whole store; `progress` is told (done, in all) and answers False to stop."""

    def back_up(self, target: Path, progress: Callable[[int, int], bool] | None = None) -> StoreHead | None:
        """Copy the store to a new file; None when `progress` stopped it."""

    def head(self) -> StoreHead:
        """The newest entry of the journal."""

    def hash_of(self, seq: int) -> str | None:
        """The hash of an entry, in hex; None when there is no such number."""

    def new_id(self) -> str:
        """An id for a new memory."""

    def close(self) -> None:
        """Let go of the file."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """How a file of the seed's system is taken over, when the operator says so. Both raise MemstationError."""

    preview: Callable[[], Preview]
    """What it would do; touches nothing. Called in a thread."""
    adopt: Callable[[], object]
    """Does it. Called in a thread."""


@dataclass
class Services:
    """Everything the station is given by the command line."""

    open_engine: Callable[[], Engine]
    """Opens the store; called in a thread after the first paint. Raises MemstationError."""
    clock: Callable[[], datetime]
    settings: Settings
    themes: Themes
    keymap: Keymap
    state: StationState
    path: Path
    """The file that `open_engine` opens; named while it is not open yet."""
    new_backup: Callable[[Path, datetime], Path] | None = None
    """The name of a copy of a store made at an instant; None where no copies are made."""
    heads: KeptHeads | None = None
    """The journal heads that were seen; None where none are kept."""
    actor: str = "operator"
    write_report: Callable[[str, datetime, str], Path] | None = None
    """Writes a text to a new file (named after a word, at an instant); raises MemstationError. None: not offered."""
    read_names: Callable[[Path], Iterator[tuple[str, str]]] | None = None
    """Reads a list of names as (name, other name) pairs; raises MemstationError or OSError. None: it is not offered."""
    read_only: bool = False
    """Asked for by the operator; a file can be read-only by itself too."""
    adoption: Adoption | None = None
    """Takes `path` over where it is the seed system's; None where that is not offered."""
    problems: list[Problem] = field(default_factory=list)
    """What was wrong at the start: settings, themes, keys. Told once."""


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Which facts the Timeline lists."""

    agent_id: str
    filter_text: str = ""
    order: Literal["learned", "start"] = "learned"


@dataclass(frozen=True, slots=True)
class PastQuery:
    """Which beliefs of a moment are listed beside those of now."""

    agent_id: str
    at: datetime | None
    """World time; None is now."""
    known_at: datetime | int | None
    """Belief time: an instant, or the last decision that was known; None is as known now."""
    filter_text: str = ""
    only_differences: bool = True


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which decisions the Log lists."""

    filter_text: str = ""
    agent_id: str | None = None
