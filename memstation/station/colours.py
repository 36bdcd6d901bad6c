"""A theme of ours as a theme of textual's. It must hold no colour: all come from the theme's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from textual.theme import Theme as TextualTheme

from memstation.config.themes import Theme

# Roles that borrow the ink of another one, with the weight that sets them apart.
_BORROWED = {
    "changed": ("marked", ""),
    "warning": ("tainted", ""),
    "token": ("tainted", "reverse"),
    "strong": ("text", "bold"),
}


def theme_variables(theme: Theme) -> dict[str, str]:
    """The theme's colours as TCSS variables ``$mem-<role>`` and ``$mem-<role>-style``."""
    variables = {f"mem-{name}-bg": color for name, color in theme.surfaces.items()}
    variables["mem-cursor-text"] = theme.cursor_text or theme.roles["text"].color
    for role, ink in theme.roles.items():
        _put(variables, role, ink.color, ink.weights)
    for role, (lender, weight) in _BORROWED.items():
        ink = theme.roles[lender]
        _put(variables, role, ink.color, (*ink.weights, *([weight] if weight not in ("", *ink.weights) else [])))
    for name, pair in theme.pairs.items():
        _put(variables, name, f"{pair.text} on {pair.background}", ("bold",))
        variables[f"mem-{name}"] = pair.text
        variables[f"mem-{name}-bg"] = pair.background
    return variables


def _put(variables: dict[str, str], role: str, color: str, weights: Sequence[str]) -> None:
    # TCSS takes colour and weights apart; a style in content takes both in one, and knows no "none".
    variables[f"mem-{role}"] = color
    variables[f"mem-{role}-style"] = " ".join(weights) or "none"
    variables[f"mem-{role}-ink"] = " ".join([color, *weights])


def painted_styles(theme: Theme, *, colour: bool) -> Mapping[str, Style]:
    """The styles of widgets that are painted line by line: each role's, and those laid over whole lines.

    They come from the theme and not from the style sheet, since the toolkit would work out each of them anew for
    every widget and every change of focus.
    """
    variables = theme_variables(theme)
    styles = {
        name[len("mem-") : -len("-ink")]: Style.parse(ink) for name, ink in variables.items() if name.endswith("-ink")
    }
    cursor = Style(bgcolor=variables["mem-cursor-bg"], color=theme.cursor_text, reverse=None if colour else True)
    over = {
        "over--titles": Style(color=variables["mem-muted"]),
        "over--cursor": cursor,
        "over--cursor-away": Style(bgcolor=variables["mem-panel-bg"]),
    }
    return styles | over


def textual_theme(theme: Theme) -> TextualTheme:
    """The theme for textual, under our name for it."""
    roles, surfaces = theme.roles, theme.surfaces
    return TextualTheme(
        name=theme.name,
        primary=roles["key"].color,
        secondary=roles["muted"].color,
        accent=roles["key"].color,
        warning=roles["held"].color,
        error=roles["withdrawn"].color,
        success=roles["current"].color,
        foreground=roles["text"].color,
        background=surfaces["background"],
        surface=surfaces["background"],
        panel=surfaces["panel"],
        dark=theme.dark,
        variables={
            **theme_variables(theme),
            "input-cursor-background": roles["text"].color,
            "input-cursor-foreground": surfaces["background"],
            "input-selection-background": surfaces["cursor"],
        },
    )
