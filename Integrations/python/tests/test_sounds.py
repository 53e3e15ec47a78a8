"""Waveforms of sound files."""

from __future__ import annotations

import math
import struct
import wave
from pathlib import Path

import pytest
from conftest import assert_is_png

from offstage import Offstage


@pytest.fixture
def tone(tmp_path: Path) -> Path:
    """A WAV file with four seconds of a tone."""
    path = tmp_path / "tone.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        samples = (int(20_000 * math.sin(frame / 3)) for frame in range(32_000))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return path


def test_markers_and_regions_are_one_or_several(shared_offstage: Offstage, tone: Path) -> None:
    def drawn(**options: object) -> bytes:
        picture = shared_offstage.render_file(tone, waveform="filled", **options)  # type: ignore[arg-type]
        assert_is_png(picture)
        return picture.data

    plain = drawn()
    one = drawn(marker=1)
    assert one != plain and drawn(marker=[1]) == one and drawn(marker="0:01") == one
    several = drawn(marker=[1, "0:02.5"])
    assert several not in (plain, one) and drawn(marker=(1, 2.5)) == several
    region = drawn(region="1,2")
    assert region != plain and drawn(region=["1,2"]) == region
    assert drawn(region=["1,2", "3,4"]) not in (plain, region)


def test_a_list_is_for_markers_and_regions_alone(shared_offstage: Offstage, tone: Path) -> None:
    with pytest.raises(TypeError, match="played cannot be list"):
        shared_offstage.render_file(tone, played=[0.5])  # type: ignore[arg-type]
