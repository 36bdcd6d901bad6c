"""The registry: every command the station has, once. It must not import textual, nor do anything itself.

Bindings, footer, palette, the ``?`` screen, the check of ``[keys]`` and the README's key table come from here. A
command's method is ``do_`` and its id with a low line for the dot (``undo.mine`` is `Everywhere.do_undo_mine`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memstation.config.keymap import Keymap
from memstation.station.render.safe import Safe
from memstation.station.words import N_, _

Danger: TypeAlias = Literal["-", "0", "0/1", "1", "2"]
"""- reads or moves; 0 does it at once with undo; 1 asks with a preview; 2 a typed name; 0/1 at once, or asks."""
Scope: TypeAlias = Literal["All", "List", "Today", "Timeline", "Past", "Review", "Sources", "Names", "Find", "Log",
                           "Dialog"]  # fmt: skip
Group: TypeAlias = Literal["decide", "move", "back", "always"]

ONE = ("",)


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the operator can do."""

    id: str
    title: str
    keys: tuple[str, ...]
    scope: Scope
    danger: Danger = "-"
    short: str = ""
    """What the footer calls it; the title where it is empty."""
    help: str = ""
    """One sentence more than the title says."""
    steps: tuple[str, ...] = ONE
    """What the keys do in turn: the method gets the step of the key that was pressed."""
    group: Group = "move"
    palette: bool = True

    @property
    def decides(self) -> bool:
        """Whether it writes to the store."""
        return self.danger != "-"

    @property
    def method(self) -> str:
        """The name of the method that does it."""
        return "do_" + self.id.replace(".", "_")

    def label(self) -> Safe:
        """What the footer calls it."""
        return _(self.short or self.title)


COMMANDS: tuple[Command, ...] = (
    Command("room.go", N_("Go to a room"), ("1", "2", "3", "4", "5", "7", "8"), "All",
            steps=("today", "timeline", "review", "sources", "names", "find", "log"),
            group="always", palette=False, short=N_("rooms")),
    Command("agent.choose", N_("Choose the agent"), ("@",), "All", group="always", short=N_("agent")),
    Command("palette.open", N_("All commands"), (":", "ctrl+p"), "All", group="always", palette=False,
            short=N_("commands")),
    Command("help.open", N_("Keys of this screen"), ("?", "f1"), "All", group="always", short=N_("keys")),
    Command("view.back", N_("Back (loses nothing)"), ("escape",), "All", group="move", palette=False,
            short=N_("back"), help=N_("One step a press: field, filter, then back along the way you came.")),
    Command("view.up", N_("One level back"), ("q",), "All", group="move", palette=False, short=N_("back")),
    Command("app.quit", N_("Quit"), ("ctrl+q",), "All", group="always", short=N_("quit")),
    Command("theme.choose", N_("Choose the colours"), (), "All", group="always",
            help=N_("Until you quit; theme in config.toml keeps it.")),
    Command("all.erase", N_("Erase a person's memories"), (), "All", "2", group="decide",
            help=N_("Shows first what would go, and wants a phrase typed. It cannot be taken back.")),
    Command("file.backup", N_("Copy the store to a backup"), (), "All", group="always",
            help=N_("Into the data folder, while you go on. memstation restore backup brings it back.")),
    Command("pane.next", N_("Next, previous pane"), ("tab", "shift+tab"), "All", steps=("1", "-1"), palette=False,
            short=N_("next list")),
    Command("undo.mine", N_("Undo your last decision"), ("u",), "All", "0/1", group="back", short=N_("undo"),
            help=N_("Only what you decided yourself. Asks when it is older than this session.")),
    Command("redo.mine", N_("Do it again"), ("U",), "All", "0/1", group="back", short=N_("redo"),
            help=N_("Takes your last undo back.")),
    Command("list.move", N_("One line"), ("up", "down", "k", "j"), "List", steps=("-1", "1"), palette=False),
    Command("list.ends", N_("First, last"), ("g", "G", "home", "end"), "List", steps=("first", "last"),
            palette=False),
    Command("list.page", N_("Page"), ("pageup", "pagedown", "ctrl+b", "ctrl+f"), "List", steps=("-1", "1"),
            palette=False),
    Command("list.filter", N_("Filter"), ("/",), "List", short=N_("filter")),
    Command("item.open", N_("Open"), ("enter",), "List", short=N_("open")),
    Command("item.copy_id", N_("Copy the id"), ("y",), "List", short=N_("copy id")),
    Command("item.copy_text", N_("Copy the text"), ("Y",), "List", short=N_("copy text")),
    Command("today.seen", N_("Mark as seen"), (".",), "Today", short=N_("mark as seen"), group="decide",
            help=N_("What changed until now is no longer new at your next visit.")),
    Command("list.order", N_("Other order or grouping"), ("o",), "Timeline", short=N_("order")),
    Command("item.why", N_("Why?"), ("w",), "Timeline", short=N_("why")),
    Command("fact.correct", N_("Correct .."), ("c",), "Timeline", "1", short=N_("correct"), group="decide",
            help=N_("It was never true, it stopped being true on a day, or the value is wrong.")),
    Command("fact.add", N_("Tell the agent a fact"), ("+",), "Timeline", "0", short=N_("tell"), group="decide"),
    Command("fact.many", N_("Holds many values / one"), ("m",), "Timeline", "1", short=N_("many"), group="decide"),
    Command("past.show", N_("Show the past .."), ("t",), "Timeline", short=N_("past"),
            help=N_("What was believed on a day, beside what is believed now.")),
    Command("past.leave", N_("Back to now"), ("t",), "Past", short=N_("to now")),
    Command("past.diff", N_("Only differences / all"), ("=",), "Past", short=N_("all")),
    Command("past.earlier", N_("A day back"), (",",), "Past", short=N_("day back")),
    Command("past.later", N_("A day on"), (".",), "Past", short=N_("day on")),
    Command("review.approve", N_("Approve"), ("a",), "Review", "0/1", short=N_("approve"), group="decide",
            help=N_("One at once; marks, a group, and what could do harm ask first.")),
    Command("review.deny", N_("Deny"), ("d",), "Review", "0/1", short=N_("deny"), group="decide",
            help=N_("It is withdrawn, and its value stays rejected until you lift it.")),
    Command("review.promote", N_("Approve with full trust .."), (), "Review", "1", group="decide",
            help=N_("It is trusted like your own words; who told it stays known.")),
    Command("review.skip", N_("Skip for now"), ("s",), "Review", short=N_("skip"), group="decide",
            help=N_("To the end of the list until you leave the program; its time goes on.")),
    Command("review.edit", N_("Edit, then approve"), ("e",), "Review", "0", short=N_("edit"), group="decide",
            help=N_("What you write is yours; the held one ends as replaced, not as rejected.")),
    Command("review.editor", N_("Edit in your editor"), ("E",), "Review", "0", group="decide"),
    Command("review.extend", N_("24 more hours"), ("+",), "Review", "0", short=N_("24 h more"), group="decide"),
    Command("review.hold_burst", N_("Hold the burst's earlier facts"), ("H",), "Review", "1", group="decide",
            help=N_("What the same burst brought before the limit is in use; this makes it wait, too.")),
    Command("review.restore", N_("Bring back what ran out"), ("r",), "Review", "0", group="back"),
    Command("review.load_new", N_("Show the new ones"), (".",), "Review", short=N_("new ones")),
    Command("mark.toggle", N_("Mark, go on"), ("space",), "Review", short=N_("mark")),
    Command("mark.range", N_("Mark a range"), ("v",), "Review", short=N_("range"),
            help=N_("Once where it begins, once where it ends.")),
    Command("mark.all", N_("Mark all in the filter / none"), ("*",), "Review", short=N_("all/none")),
    Command("list.next", N_("Next, previous undecided"), ("n", "N"), "Review", steps=("1", "-1"), palette=False),
    Command("list.fold", N_("Fold, unfold"), ("left", "right", "h", "l"), "Review", steps=("fold", "unfold"),
            palette=False),
    Command("source.purge", N_("Purge its source .."), ("P",), "Sources", "2", short=N_("purge"), group="decide",
            help=N_("Withdraws what it told, and what it displaced comes back. Shows first what would change.")),
    Command("source.block", N_("Block the source, or let it write"), ("B",), "Sources", "1", short=N_("block"),
            group="decide", help=N_("What a blocked source writes is held for you.")),
    Command("fact.trust", N_("Set its trust .."), ("T",), "Timeline", "1", short=N_("trust"), group="decide",
            help=N_("1 is that of your own words; who told it stays known.")),
    Command("source.trust", N_("Set the source's trust .."), ("T",), "Sources", "1", short=N_("trust"),
            group="decide"),
    Command("names.join", N_("Join a name"), ("+",), "Names", "1", short=N_("join a name"), group="decide",
            help=N_("Shows first what would be one; no fact closes. tab swaps which name stays.")),
    Command("names.part", N_("Take a name out"), ("-",), "Names", "0", short=N_("take out"), group="decide",
            help=N_("Search goes back to exactly what it was.")),
    Command("names.accept", N_("Accept the suggestion"), ("a",), "Names", "0/1", short=N_("accept"), group="decide",
            help=N_("At once; it asks where facts would disagree, or a name would leave another.")),
    Command("names.dismiss", N_("Dismiss, never again"), ("d",), "Names", "0", short=N_("dismiss"), group="decide",
            help=N_("A suggestion, or a conflict that is none; a conflict comes back when its values change.")),
    Command("names.list", N_("Read a list of names .."), (), "Names", "1", group="decide",
            help=N_("CSV or JSONL; what it says is only suggested.")),
    Command("find.as_agent", N_("As the agent sees it, and back"), ("i",), "Find", short=N_("as the agent"),
            help=N_("Exactly what a search of the agent's gives, in its order; it is not counted as use.")),
    Command("find.links", N_("Links around it"), ("L",), "Find", short=N_("links"),
            help=N_("The names that its own lead to, with the trust of each link; what is held has its mark.")),
    Command("find.walk", N_("Links of the name it leads to, and back"), ("left", "right", "h", "l"), "Find",
            steps=("back", "on"), palette=False,
            help=N_("Among the links; enter opens the memory, or searches for the name on top.")),
    Command("find.about", N_("Find what mentions it"), ("L",), "Timeline", short=N_("mentions"),
            help=N_("Searches the agent's memories for what the row is about; there it shows the links, too.")),
    Command("find.left_out", N_("With what agents are not told, and back"), ("=",), "Find", short=N_("left out"),
            help=N_("Held, withdrawn, closed and planned memories that have a word of it, below the hits.")),
    Command("undo.this", N_("Take this one back"), ("z",), "Log", "1", short=N_("take back"),
            group="back", help=N_("Shows first what would change. Taking back a taking-back is allowed.")),
    Command("log.verify", N_("Check the whole log"), ("V",), "Log", short=N_("check"), group="decide",
            help=N_("Walks the chain of all decisions and compares each with what the store holds.")),
    Command("dialog.answer", N_("Yes (the key is never the verb's) / no"), ("y", "n"), "Dialog",
            steps=("yes", "no"), palette=False),
    Command("dialog.option", N_("Choose an option"), ("1", "2", "3"), "Dialog", steps=("1", "2", "3"), palette=False),
    Command("dialog.tick", N_("Tick a choice"), ("r",), "Dialog", palette=False),
    Command("dialog.also", N_("Also hold the earlier ones"), ("H",), "Dialog", palette=False),
    Command("purge.scope", N_("One agent, or all"), ("g",), "Dialog", palette=False),
    Command("purge.block", N_("Block the source"), ("b",), "Dialog", palette=False),
    Command("purge.made", N_("Keep what was made from it"), ("m",), "Dialog", palette=False),
    Command("purge.since", N_("Only what was told since"), ("s",), "Dialog", palette=False),
    Command("purge.list", N_("List what came back"), ("l",), "Dialog", palette=False),
    Command("purge.report", N_("Write a report to a file"), ("w",), "Dialog", palette=False),
    Command("dialog.go", N_("Go on"), ("c",), "Dialog", palette=False),
    Command("dialog.back", N_("Take it back"), ("z",), "Dialog", palette=False),
    Command("dialog.list", N_("Look through what would change"), ("up", "down", "k", "j"), "Dialog",
            steps=("-1", "1"), palette=False),
    Command("dialog.page", N_("A page of it"), ("pageup", "pagedown"), "Dialog", steps=("-1", "1"), palette=False),
    Command("dialog.close", N_("No, close"), ("escape",), "Dialog", palette=False),
    Command("dialog.button", N_("Reach the button"), ("tab", "shift+tab"), "Dialog", steps=("1", "-1"),
            palette=False),
    Command("dialog.press", N_("Press it"), ("enter",), "Dialog", palette=False),
)  # fmt: skip

BY_ID: dict[str, Command] = {command.id: command for command in COMMANDS}

FOOTERS: dict[str, tuple[str, ...]] = {
    "Today": ("item.open", "pane.next", "agent.choose", "undo.mine", "today.seen", "palette.open", "help.open"),
    "Timeline": ("item.open", "item.why", "fact.correct", "past.show", "list.filter", "undo.mine", "help.open"),
    "Past": ("past.leave", "past.diff", "past.earlier", "past.later", "item.open", "fact.correct", "help.open"),
    "Review": ("review.approve", "review.deny", "review.skip", "review.edit", "mark.toggle", "undo.mine", "help.open"),
    "Sources": ("item.open", "source.purge", "source.block", "source.trust", "list.filter", "undo.mine", "help.open"),
    "Names": ("names.join", "names.part", "names.accept", "names.dismiss", "item.open", "undo.mine", "help.open"),
    "Find": ("list.filter", "item.open", "item.why", "find.links", "find.as_agent", "agent.choose", "help.open"),
    "Log": ("item.open", "undo.this", "log.verify", "list.filter", "undo.mine", "palette.open", "help.open"),
}
"""At most seven a room, in order; the last is never left out."""

DOMAINS: dict[str, tuple[str, ...]] = {
    "Today": ("All", "List", "Today"),
    "Timeline": ("All", "List", "Timeline", "source.purge"),
    "Past": ("All", "List", "Past", "item.why", "fact.correct", "fact.add", "fact.many"),
    "Review": ("All", "List", "Review", "list.order", "item.why", "undo.this", "source.purge"),
    "Sources": ("All", "List", "Sources", "list.order"),
    "Names": ("All", "List", "Names", "fact.correct", "fact.many", "find.about"),
    "Find": ("All", "List", "Find", "item.why", "past.show"),
    "Log": ("All", "List", "Log"),
    "dialogs": ("Dialog",),
}
"""The scopes that are live together, and single commands of others: no key may stand twice in one of them. The verbs of
the Timeline are live in its past to say why they are off there."""

_SHOWN = {"pageup": "pgup", "pagedown": "pgdn"}


def commands_of(room: str) -> tuple[Command, ...]:
    """The commands that are live in a room, in the order of the registry."""
    live = DOMAINS[room]
    return tuple(command for command in COMMANDS if command.scope in live or command.id in live)


def shown_key(key: str) -> str:
    """The key as the operator reads it."""
    return _SHOWN.get(key, key)


def shown_keys(command: Command, keymap: Keymap, first: bool = False) -> str:
    """The keys of a command as the operator reads them; the first one only for the footer. Empty for none."""
    keys = [shown_key(key) for key in keymap.of(command.id)]
    return " ".join(keys[:1] if first else keys)


def key_table_markdown(keymap: Keymap | None = None) -> str:
    """The README's key table: where, keys, command id, what it does, danger."""
    rows = ["| where | keys | command | what it does | danger |", "|---|---|---|---|---|"]
    for command in COMMANDS:
        keys = keymap.of(command.id) if keymap else command.keys
        cells = " ".join(f"`{shown_key(key)}`" for key in keys) or "palette"
        rows.append(f"| {command.scope} | {cells} | `{command.id}` | {command.title} | {command.danger} |")
    return "\n".join(rows) + "\n"
