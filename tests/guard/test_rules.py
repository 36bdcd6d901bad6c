"""Every rule of every pack catches what it says it catches, and spares what it says it spares."""

from __future__ import annotations

from importlib.resources import files

import pytest
from memstation.guard.packs import FAMILIES, LANGUAGES, Rule, drawn_matcher, matcher, pack, written_matcher
from memstation.guard.scanning import rules, scan

RULES = rules()
CATCHES = [(rule, text) for rule in RULES for text in rule.catches]
SPARES = [(rule, text) for rule in RULES for text in rule.spares]


@pytest.mark.parametrize(("rule", "text"), CATCHES, ids=[f"{rule.name}-{at}" for at, (rule, _) in enumerate(CATCHES)])
def test_a_rule_catches_its_example(rule: Rule, text: str) -> None:
    found = {finding.rule: finding for finding in scan(text).findings}
    assert found[rule.name].severity == rule.severity
    assert 0 <= found[rule.name].start < found[rule.name].end <= len(text)


@pytest.mark.parametrize(("rule", "text"), SPARES, ids=[f"{rule.name}-{at}" for at, (rule, _) in enumerate(SPARES)])
def test_a_rule_spares_its_example(rule: Rule, text: str) -> None:
    assert scan(text).findings == ()


def test_every_rule_shows_both_and_no_two_share_a_name() -> None:
    assert all(rule.catches and rule.spares and rule.patterns for rule in RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_family_has_a_rule_and_every_file_is_a_pack() -> None:
    assert {rule.family for rule in RULES} == set(FAMILIES)
    there = {file.name.removesuffix(".toml") for file in (files("memstation.guard") / "rules").iterdir()}
    assert there - {"__pycache__"} == set(LANGUAGES)


def test_every_pattern_can_be_compiled() -> None:
    scripts = sorted(set(LANGUAGES.values()))
    every = [one for script in scripts for one in matcher(script).patterns]
    every += [*written_matcher().patterns, *drawn_matcher().patterns]
    assert all(pattern.search(b"x") is None for pattern in every if "hidden" not in pattern.rule.name)
    assert {pattern.rule.name for pattern in every} == {rule.name for rule in RULES}


def test_every_language_holds_the_common_families() -> None:
    common = {"instruction override", "system-prompt extraction", "role hijack", "data exfiltration"}
    common |= {"memory manipulation", "tool abuse"}
    for language in LANGUAGES:
        if language != "any":
            assert common <= {rule.family for rule in pack(language).rules}, language
