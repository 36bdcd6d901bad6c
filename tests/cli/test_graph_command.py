"""The graph from the command line: files in three formats, and a neighbourhood as a tree, hostile names included."""

from __future__ import annotations

import json

import networkx as nx
from cli_runs import Program
from memstation import MemoryEntry, TemporalMeta, open_engine
from memstation.commandline.graphing import tree_lines
from memstation.recall.exporting import components

ODD = 'x"y\\z\x1b[31m</node>'


def told(program: Program) -> None:
    for subject, predicate, object_ in (
        ("user", "city", "Taipei"), ("user", "boss", "老闆"), ("老闆", "drinks", "tea"), ("user", "likes", ODD),
        ("user", "mood", None),
    ):  # fmt: skip
        triple = ["--subject", subject, "--predicate", predicate]
        program.add(f"{subject} {predicate}", *triple, *(["--object", object_] if object_ else []))


def test_it_is_written_in_three_formats(program: Program) -> None:
    told(program)
    files = {form: program.home / f"graph.{form}" for form in ("json", "graphml", "dot")}
    for file in files.values():
        ran = program("graph", "export", "dudu", str(file))
        assert ran.code == 0 and "5 links written" in ran.out
        assert program("graph", "export", "dudu", str(file)).code == 1
    found = json.loads(files["json"].read_text())
    assert not found["truncated"] and found["nodes"][0] == {"name": "user", "entity": "user", "degree": 4}
    assert {edge["predicate"] for edge in found["edges"]} == {"city", "boss", "drinks", "likes", "mood"}
    assert all(edge["trust"] == 1.0 and not edge["held"] for edge in found["edges"])
    told_again = nx.read_graphml(files["graphml"])
    assert told_again.nodes["user"]["degree"] == 4 and told_again.number_of_edges() == 5
    dot = files["dot"].read_text()
    assert '"老闆" -> "tea"' in dot and "\x1b" not in dot and dot.count("{") == 1
    few = program("graph", "export", "dudu", str(program.home / "few.json"), "--limit", "2")
    assert few.code == 0 and "there are more" in few.err
    assert program("graph", "export", "dudu", "-", "--limit", "2").err == few.err
    every = program("graph", "export", "dudu", str(program.home / "every.json"), "--limit", "2", "--all")
    assert "5 links written" in every.out and not every.err
    assert program("graph", "export", "dudu", "-", "--limit", "0").code == 2
    assert json.loads(program.alone("graph", "export", "dudu", "-")[1]) == found


def test_a_word_that_wants_another_shows_its_help(program: Program) -> None:
    for group in ("graph", "alias", "review", "rejected"):
        ran = program(group)
        assert (ran.code, ran.out) == (2, ""), group
        assert ran.err.startswith(f"Usage: memstation {group}") and "\nCommands:\n" in ran.err


def test_a_neighbourhood_is_a_tree(program: Program) -> None:
    told(program)
    program("add", "dudu", "likes coffee", "--subject", "老闆", "--predicate", "likes", "--object", "咖啡")
    ran = program("graph", "show", "dudu", "USER")
    assert ran.code == 0 and ran.lines[0] == "user" and "\x1b" not in ran.out
    assert "|- boss > 老闆  trust 1.00" in ran.lines and "|  |- likes > 咖啡  trust 1.00" in ran.lines
    assert any(line.endswith("mood  trust 1.00") for line in ran.lines)
    back = program("graph", "show", "dudu", "tea", "--depth", "1")
    assert back.lines == ["tea", "`- < drinks 老闆  trust 1.00"]
    assert program("graph", "show", "dudu", "nobody").code == 1
    found = program("graph", "show", "dudu", "tea", "--depth", "1", "--json").json
    assert found["name"] == "tea" and found["links"][0]["to"]["name"] == "老闆"


def test_what_is_held_is_marked(program: Program) -> None:
    told(program)
    with open_engine(program.store) as engine:
        meta = TemporalMeta("user", "city", "Atlantis", origin="channel:x")
        held = engine.store_temporal(MemoryEntry("dudu", "drowned"), meta).id
        graph = engine.export_graph("dudu")
        edge = next(edge for edge in graph.edges if edge.memory_id == held)
        assert edge.held and edge.object == "atlantis"
        assert ["atlantis"] in components(graph) and len(components(graph)[0]) == 5
        engine.add_alias("dudu", "tea", "咖啡")
        assert not engine.finder.export("dudu", 10, with_held=False).edges[0].held
    assert "city > Atlantis  trust 0.30  held" in program("graph", "show", "dudu", "user").out


def test_what_is_cut_is_counted_and_what_is_held_is_never_cut_unsaid(program: Program) -> None:
    told(program)
    with open_engine(program.store) as engine:
        for city in ("Atlantis", "Lemuria"):
            meta = TemporalMeta("user", "city", f"{city} {'beneath the sea ' * 9}", origin="channel:x")
            assert engine.store_temporal(MemoryEntry("dudu", "drowned"), meta).status == "held"
    lines = program("graph", "show", "dudu", "user", "--width", "3").lines
    assert lines[-1] == "`- 3 more links, 2 of them held" and len([line for line in lines if line[:3] == "|- "]) == 3
    assert program("graph", "show", "dudu", "user", "--width", "5").lines[-1] == "`- 1 more link, 1 of them held"
    found = program("graph", "show", "dudu", "user", "--width", "3", "--json").json
    assert (found["more"], found["more_held"]) == (3, 2)
    narrow = [line for line in tree_lines_of(program, 40) if "held" in line]
    assert len(narrow) == 2 and all(line.endswith("trust 0.30  held") and len(line) == 40 for line in narrow)


def tree_lines_of(program: Program, cells: int) -> list[str]:
    with open_engine(program.store) as engine:
        near = engine.finder.around("dudu", "user", 2, 12)
    assert near is not None
    return list(tree_lines(near, cells))


def test_names_that_hang_together(program: Program) -> None:
    told(program)
    program("add", "dudu", "odd", "--subject", "Kiosk", "--predicate", "sells", "--object", "maps")
    lines = program("graph", "components", "dudu").lines
    assert len(lines) == 2 and lines[0].startswith("5 names: ") and lines[1] == "2 names: Kiosk, maps"
    assert program("graph", "components", "dudu", "--most", "1").lines[1] == "and 1 smaller group"
    few = program("graph", "components", "dudu", "--limit", "1", "--json").json
    assert few == {"components": [["Kiosk", "maps"]], "count": 1, "truncated": True}
