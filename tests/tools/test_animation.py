"""The moving picture shows at each moment the lines of the scene whose time it is, and needs nothing from outside."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bpe_tui.ui.recording import film_training
from tools.animation import SVG, Scene, animated, still
from tools.pictures import FOLDER, LESSONS, STILLS, WALK, opened

PICTURES = [FOLDER / f"{name}.svg" for name in ("walk", *STILLS, *LESSONS)]
SECONDS = (1.0, 0.5, 2.5)


def texts(parent: ElementTree.Element) -> list[tuple[float, float, str]]:
    """Place and text of everything written in a picture or a part of it, without blanks."""
    return sorted(
        (float(each.attrib["y"]), float(each.attrib["x"]), (each.text or "").replace("\xa0", " "))
        for each in parent.iter(f"{SVG}text")
        if "textLength" in each.attrib and (each.text or "").strip()
    )


def visible(picture: ElementTree.Element, share: float) -> ElementTree.Element:
    """What is to be seen when a share of the time has passed, going by the keyframes."""
    style = picture.findtext(f"{SVG}style") or ""
    shown = ElementTree.Element("g")
    for part in picture.iter(f"{SVG}g"):
        name = part.get("class", "").partition(" ")[2]
        rule = re.search(rf"@keyframes {name}\{{(.*?\}})\}}", style) if name else None
        if rule is not None:
            frames = re.findall(r"([\d.]+)%\{visibility:(\w+)\}", rule[1])
            now = [state for start, state in frames if float(start) <= 100 * share][-1]
            if now == "visible":
                shown.extend(part)
        elif "transform" not in part.attrib:
            shown.extend(part)
    return shown


async def test_each_moment_shows_its_scene() -> None:
    pauses = await film_training(opened("hug"), [("space", False), ("u", False)], (80, 24))
    scenes = [
        Scene(pause.picture, seconds, caption=f"scene {place}")
        for place, (pause, seconds) in enumerate(zip(pauses, SECONDS, strict=True))
    ]
    picture = ElementTree.fromstring(animated(scenes, "a title"))
    style = picture.findtext(f"{SVG}style") or ""
    assert f"{sum(SECONDS):g}s step-end infinite" in style
    passed = 0.0
    for place, scene in enumerate(scenes):
        for share in (passed + 0.01, passed + scene.seconds - 0.01):
            found = texts(visible(picture, share / sum(SECONDS)))
            assert [text for *_, text in found].count(f"scene {place}") == 1
            wanted = [each for each in texts(ElementTree.fromstring(scene.picture)) if each[2].strip()]
            assert [each for each in found if not each[2].startswith("scene")] == wanted
        passed += scene.seconds
    lasting = [part for part in picture.iter(f"{SVG}g") if part.get("class") and "visibility" not in part.attrib]
    assert [text for part in lasting for *_, text in texts(part)].count("scene 2") == 1  # where nothing moves
    alone = ElementTree.fromstring(still(pauses[1].picture, "a title"))
    assert texts(alone) == texts(ElementTree.fromstring(pauses[1].picture))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_pictures_need_no_script_no_font_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1_000_000
    assert not re.search(r"<script|<image|<foreignObject|@font-face|@import|url\(| href", text)
    assert re.findall(r"https?://[^\"<\s]*", text) == ["http://www.w3.org/2000/svg"]


def test_the_walk_is_as_long_as_one_likes_to_look() -> None:
    assert 12 <= sum(seconds for _key, seconds, *_ in WALK) <= 20
    assert "thug" in ElementTree.fromstring((FOLDER / "walk.svg").read_text(encoding="utf-8")).itertext()


def test_every_picture_is_shown_somewhere() -> None:
    pages = [FOLDER.parents[1] / "README.md", *FOLDER.parent.glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w-]+\.svg)", page.read_text(encoding="utf-8"))}
    assert {path.name for path in FOLDER.iterdir()} == shown
