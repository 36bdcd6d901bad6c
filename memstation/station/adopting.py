"""Offers to adopt a file of the seed's system, then opens it. It must not touch the file before the yes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memstation.domain.errors import Adoptable, MemstationError
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.notice import CannotOpenDialog
from memstation.station.render.adoption import Preview, adoption_rows, what_it_is
from memstation.station.services import Adoption
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.station.app import StationApp


def not_opened(app: StationApp, error: MemstationError) -> None:
    """Offer to adopt the file where that can be; else say why it stays closed."""
    adoption = app.services.adoption
    if not isinstance(error, Adoptable) or adoption is None:
        _cannot_open(app, error)
        return
    app.say([(say("Looking at {path}, which DuDuClaw made ..", path=app.services.path.name), "muted")])
    app.in_thread("open", adoption.preview, partial(_ask, app, error, adoption), partial(_cannot_open, app))


def _cannot_open(app: StationApp, error: MemstationError) -> None:
    app.say([(_("This file cannot be opened."), "withdrawn")])
    app.push_screen(CannotOpenDialog(error))


def _ask(app: StationApp, error: MemstationError, adoption: Adoption, preview: Preview) -> None:
    """Ask, with all that is to be known before."""
    app.say([])
    dialog = ConfirmDialog(
        _("Adopt this file of another program?"), adoption_rows(preview), summary=[(what_it_is(preview), "strong")],
        yes=_("Yes, adopt it"), no=_("No, leave it"), is_danger=True,
    )  # fmt: skip
    app.push_screen(dialog, partial(_answered, app, error, adoption))


def _answered(app: StationApp, error: MemstationError, adoption: Adoption, yes: bool | None) -> None:
    """Adopt and open; after a no the file is as it was, and stays closed."""
    if not yes:
        _cannot_open(app, error)
        return
    app.say([(say("Adopting {path} ..", path=app.services.path.name), "muted")])
    app.in_thread("open", adoption.adopt, lambda _report: app.open_store(), partial(_cannot_open, app))
