"""Edit, then approve: in a dialog or in the operator's editor. It must not write what was not shown first."""

from __future__ import annotations

from functools import partial

from textual.app import SuspendNotSupported

from memstation.domain.errors import MemstationError
from memstation.read.review_rows import HeldCard
from memstation.station.background import told
from memstation.station.dialogs.edit_held import EditDialog, EditDraft
from memstation.station.dialogs.proposal import Proposed
from memstation.station.editing import as_text, edited, from_text
from memstation.station.screens.review import proposals
from memstation.station.screens.review.deciding import Deciding
from memstation.station.words import _


class Rewriting(Deciding):
    """The two verbs that write."""

    def do_review_edit(self) -> None:
        """Write what it should have said, then approve that."""
        if not self._is_unseen("review.edit") and (card := self.card) is not None:
            self._edit(card, (self._drafts or {}).get(card.row.id))

    def do_review_editor(self) -> None:
        """The same in the operator's editor; what it does is shown before it is done."""
        if self._is_unseen("review.editor") or (card := self.card) is None:
            return
        record = card.record
        words = record.content if record.object and record.content != record.object else ""
        try:
            text = edited(self.station, as_text(record.object or record.content, words))
        except (MemstationError, SuspendNotSupported) as error:
            self.station.fail(told(error))
            return
        value, words = from_text(text, has_words=bool(words))
        self._edit(card, EditDraft(value, words), is_written=True)

    def _edit(self, card: HeldCard, draft: EditDraft | None, *, is_written: bool = False) -> None:
        """Ask what it should say, beginning with a draft."""
        assert self.engine is not None
        build = partial(proposals.editing, self.station.station_actor(), card.row, self.engine.new_id())
        dialog = EditDialog(card.record, partial(self.proposed, build), draft, is_written=is_written)
        self.station.push_screen(dialog, partial(self._edited, dialog, card, build))

    def _edited(
        self,
        dialog: EditDialog,
        card: HeldCard,
        build: partial[proposals.Build],
        answer: Proposed[EditDraft] | None,
    ) -> None:
        if not dialog.is_written:
            self._drafts = {**(self._drafts or {}), card.row.id: dialog.kept}
        if answer is None:
            kept = dialog.kept != dialog.first and not dialog.is_written
            words = _("Nothing was decided; what you wrote is kept.") if kept else _("Nothing was decided.")
            self.station.say([(words, "muted")])
        else:
            self._decide(build(answer.draft), answer.effects.digest, "edit", [card.row])
