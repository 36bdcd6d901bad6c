"""A one-line field in a row: the filter, and what a dialog asks for. It must not act on a letter while it has focus."""

from __future__ import annotations

from textual.widgets import Input

from memstation.station.render.safe import typed


class Field(Input):
    """A compact text field."""

    def __init__(self, value: str = "", *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(value, placeholder=placeholder, id=id, compact=True, select_on_focus=False, max_length=500)
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """What was typed or pasted, without what cannot be shown or stored."""
        return typed(value)
