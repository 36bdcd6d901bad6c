"""What a row digest covers is encoded as JSON encodes it, whichever way it is made."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st
from memstation.store.digests import row_digest

VALUES = st.lists(
    st.one_of(
        st.none(),
        st.integers(),
        st.floats(),
        st.text(),
        st.sampled_from(["", "\u2028", "\x7f", "\ufffd", '"\\', "\U0001f600", "台北"]),
    ),
    max_size=24,
)


@given(VALUES)
def test_a_row_is_encoded_as_json_encodes_it(told: list[object]) -> None:
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=True)
    assert row_digest(b"salt", told) == hashlib.blake2b(b"salt" + text.encode(), digest_size=16).digest()
