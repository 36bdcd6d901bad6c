"""Aliases: join names, part them, suggest, dismiss. Builds decisions; the ledger takes them.

A join never closes a fact: it says that two names are one in search, in the graph, and to the gate when it looks for
rejected values. Each join is kept as it was told, so that each can be taken back alone (`domain.aliases`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstation.domain.aliases import Aliases
from memstation.domain.decisions import Decision, Order, Statement
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.names import fold_name, is_blank, order_key, visible
from memstation.domain.origins import OPERATOR
from memstation.guard import shape
from memstation.store.ledger import Looking

MOST = 20_000
"""Names in one list of suggestions."""

_HINT = "memstation alias list shows the names"


def join(
    looking: Looking, agent_id: str, canonical: str, alias: str, *, actor: str, reason: str = ""
) -> Decision | None:
    """Two names are one from now on; the group goes by the title of the canonical name. None when they are already.

    A name that is joined to another moves, with all that stand under it. An accepted suggestion of the same two names
    is settled by the same decision.

    Args:
        looking: what to read.
        agent_id: whose names.
        canonical: the name that stays the title, or one that stands under it.
        alias: the name that joins it.
        actor: who decides. Agents may join; they may not move what the operator joined, nor join again what he parted.
        reason: why, for the log.

    Raises:
        InvalidInput: a name is empty, too long, or both are the same.
        Refused: it would go in a circle, or it is not for this actor to decide.
    """
    agent, title, name = shape.agent_of(agent_id), name_given(canonical, "name"), name_given(alias, "alias")
    if fold_name(title) == fold_name(name):
        raise InvalidInput(
            "A name cannot be joined with itself", "{alias!r} and {canonical!r} are the same name already",
            alias=name, canonical=title,
        )  # fmt: skip
    names = looking.aliases(agent)
    if names.are_one(title, name):
        _refuse_circle(names, title, name)
        return None
    if actor != OPERATOR:
        _refuse_against_operator(looking, names, agent, title, name)
    orders: list[Statement] = [Order("alias", "joined", agent, subject=name, value=title)]
    orders += _settling(looking, agent, title, name, "accepted")
    return Decision("join", actor, tuple(orders), agent, reason)


def part(looking: Looking, agent_id: str, alias: str, *, actor: str, reason: str = "") -> Decision:
    """A name stands alone again, with the names that were joined to it: only its own join is taken out.

    Raises:
        InvalidInput: the name is empty or too long.
        NotFound: it is joined to none.
        Refused: it is the title of its group, or an agent asks.
    """
    agent, name = shape.agent_of(agent_id), name_given(alias, "alias")
    if actor != OPERATOR:
        raise Refused("Only the operator takes names apart", "{actor} may join names", actor=actor)
    names = looking.aliases(agent)
    link = names.link_of(name)
    if link is None:
        _, *others = names.together(name)
        if others:
            raise Refused(
                "It is the name that others stand under", "{others} would have to be taken out",
                "take those out one by one", others=", ".join(names.spelled(other) for other in others[:5]),
            )  # fmt: skip
        raise NotFound("That name is joined to none", "{name!r} stands alone", _HINT, name=name)
    order = Order("alias", "parted", agent, subject=link.alias, value=link.canonical)
    return Decision("part", actor, (order,), agent, reason)


def suggest(
    looking: Looking, agent_id: str, pairs: Iterable[tuple[str, str]], *, actor: str, reason: str = ""
) -> Decision | None:
    """Names that may be one are kept for the operator to confirm; nothing is joined. None when none of them is new.

    Left out are those that are one already, those that wait already, and those that were dismissed.

    Args:
        looking: what to read.
        agent_id: whose names.
        pairs: (canonical, alias) each, at most 20,000.
        actor: who suggests.
        reason: where they come from, which is shown beside them.

    Raises:
        InvalidInput: a name is empty, too long or both are the same; or there are too many.
    """
    agent = shape.agent_of(agent_id)
    names, known = looking.aliases(agent), _suggestions(looking, agent)
    orders: dict[bytes, Order] = {}
    for place, (canonical, alias) in enumerate(pairs):
        if place == MOST:
            raise InvalidInput(
                "Too many at once",
                "{most:,} names can be suggested together",
                "suggest them in several lists",
                most=MOST,
            )
        title, name = name_given(canonical, "name"), name_given(alias, "alias")
        if names.are_one(title, name):
            if fold_name(title) == fold_name(name):
                raise InvalidInput("A name cannot be joined with itself", "{alias!r}", alias=name)
            continue
        key = order_key("suggestion", agent, name, title)
        if known.get(key) not in ("suggested", "dismissed"):
            orders[key] = Order("suggestion", "suggested", agent, subject=name, value=title)
    return Decision("suggest", actor, tuple(orders.values()), agent, reason) if orders else None


def dismiss(
    looking: Looking, agent_id: str, pairs: Sequence[tuple[str, str]], *, actor: str, reason: str = ""
) -> Decision:
    """Suggested names are two, and are not suggested again.

    Args:
        looking: what to read.
        agent_id: whose names.
        pairs: (canonical, alias) each.
        actor: who decides.
        reason: why, for the log.

    Raises:
        InvalidInput: none is named.
        NotFound: one is not suggested (any more).
    """
    agent = shape.agent_of(agent_id)
    orders: list[Statement] = []
    for canonical, alias in pairs:
        title, name = name_given(canonical, "name"), name_given(alias, "alias")
        settling = _settling(looking, agent, title, name, "dismissed")
        if not settling:
            raise NotFound("That is not suggested", "{alias} -> {canonical}", _HINT, alias=name, canonical=title)
        orders += settling
    if not orders:
        raise InvalidInput("Nothing is named", "name at least one suggestion", _HINT)
    return Decision("dismiss", actor, tuple(dict.fromkeys(orders)), agent, reason)


def name_given(value: object, what: str) -> str:
    """A name as it is kept: repaired and without white space around it.

    Raises:
        InvalidInput: not text, too long, broken, or nothing that can be seen.
    """
    name = shape.text_of(value, what, shape.NAME_CHARS, blank=False).strip()
    if isinstance(value, str) and name != value.strip():
        # What could not be read is the same for all broken names: joining one would join others.
        raise InvalidInput("The {what} is broken", "{name!r} has characters that no text has", what=what, name=name)
    if is_blank(visible(name).replace("\ufffd", "")):
        raise InvalidInput("The {what} is empty", "it must say something", what=what)
    return name


def _refuse_circle(names: Aliases, title: str, name: str) -> None:
    path = names.path(title)
    if fold_name(name) in [fold_name(step) for step in path]:
        raise Refused(
            "They are one name already, the other way round", "{path}", "take {title} out first, then join them anew",
            path=" -> ".join(path), title=title,
        )  # fmt: skip


def _refuse_against_operator(looking: Looking, names: Aliases, agent: str, title: str, name: str) -> None:
    """What the operator decided about a name is not for an agent to change."""
    link = names.link_of(name)
    if link is not None and looking.actor_of(link.seq) == OPERATOR:
        raise Refused(
            "The operator joined that name", "{alias} stands under {canonical}", alias=name, canonical=link.canonical
        )
    after = names.joined(name, title)
    for one, other in looking.kept_apart(agent):
        if after.are_one(one, other) and not names.are_one(one, other):
            raise Refused("The operator said that these are two names", "{one} is not {other}", one=one, other=other)


def _suggestions(looking: Looking, agent: str) -> dict[bytes, str]:
    """What rules of each suggestion; the same two names the other way round have the same answer."""
    found: dict[bytes, str] = {}
    for order in looking.ruling("suggestion", agent):
        one, other = order.subject or "", order.value or ""
        found[order_key("suggestion", agent, one, other)] = order.verdict
        found.setdefault(order_key("suggestion", agent, other, one), order.verdict)
    return found


def _settling(looking: Looking, agent: str, title: str, name: str, verdict: str) -> list[Statement]:
    """Orders that answer the suggestions of two names, in either direction."""
    orders: list[Statement] = []
    for alias, canonical in ((name, title), (title, name)):
        told = looking.orders_of(order_key("suggestion", agent, alias, canonical))
        if any(order.rules and order.verdict == "suggested" for order in told):
            orders.append(Order("suggestion", verdict, agent, subject=alias, value=canonical))
    return orders
