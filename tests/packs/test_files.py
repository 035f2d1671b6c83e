"""The files of packs: in folders, and in archives that may be anything."""

from __future__ import annotations

import io
import random
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.errors import PackError
from fracas.packs.files import (
    MAX_FILES,
    MAX_UNPACKED,
    PackFiles,
    in_archive,
    in_folder,
    in_memory,
    pack_folders,
)


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}\n", "utf-8")
    return folder


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def contents(pack: PackFiles) -> dict[str, bytes]:
    return {name: pack.read(name) for name in pack.names}


def refused(content: bytes) -> tuple[str, str]:
    """Code and message of the one problem."""
    with pytest.raises(PackError) as caught:
        in_archive(content)
    (problem,) = caught.value.problems
    assert (problem.path, problem.hint) == ("", None)
    return problem.code, problem.message


# --- Folders ----------------------------------------------------------------------------------------------


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path / "p", "pack.yaml", "weapons.yaml", "weapons/b.yaml", "weapons/a.yaml", "README.md", "a.yml"
    )
    pack = in_folder(tmp_path / "p")
    assert pack.names == ("a.yml", "pack.yaml", "weapons.yaml", "weapons/a.yaml", "weapons/b.yaml")
    assert (pack.label, pack.folder) == ("p", tmp_path / "p")
    assert pack.read("weapons/a.yaml") == b"this is weapons/a.yaml\n"
    assert pack.name("weapons/a.yaml") == "p/weapons/a.yaml"
    with pytest.raises(OSError, match=r"armor\.yaml"):
        pack.read("armor.yaml")


def test_what_messages_call_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "p", "pack.yaml")
    assert in_folder(tmp_path / "p", "else/where").name("pack.yaml") == "else/where/pack.yaml"
    assert in_folder(tmp_path / "p", "").name("pack.yaml") == "pack.yaml"
    monkeypatch.chdir(tmp_path / "p")
    assert in_folder(Path()).label == "p"
    assert in_folder(Path("../p")).label == "p"


def test_hidden_files_and_folders_are_no_pack_files(tmp_path: Path) -> None:
    names = (
        ".github/workflows/check.yaml",
        ".pre-commit-config.yaml",
        "weapons/.draft.yaml",
        "weapons/.old/a.yaml",
    )
    write(tmp_path, "pack.yaml", *names)
    assert in_folder(tmp_path).names == ("pack.yaml",)


def test_a_pack_in_a_hidden_folder(tmp_path: Path) -> None:
    """Only what lies hidden inside the pack is hidden."""
    write(tmp_path / ".packs" / "p", "pack.yaml", "weapons.yaml")
    assert in_folder(tmp_path / ".packs" / "p").names == ("pack.yaml", "weapons.yaml")


def test_packs_inside_a_pack_are_packs_of_their_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        "pack.yaml",
        "weapons.yaml",
        "inner/pack.yaml",
        "inner/weapons.yaml",
        "inner/deep/armor.yaml",
    )
    assert in_folder(tmp_path).names == ("pack.yaml", "weapons.yaml")
    assert in_folder(tmp_path / "inner").names == ("deep/armor.yaml", "pack.yaml", "weapons.yaml")


def test_folders_of_packs(tmp_path: Path) -> None:
    write(tmp_path, "b/pack.yaml", "a/pack.yaml", "no/weapons.yaml", "a/deeper/pack.yaml", "x/y/pack.yaml")
    assert pack_folders(tmp_path) == [tmp_path / "a", tmp_path / "b"]
    assert pack_folders(tmp_path / "a") == [tmp_path / "a"]
    assert pack_folders(tmp_path / "no") == []
    assert pack_folders(tmp_path / "missing") == []
    write(tmp_path, "pack.yaml")
    assert pack_folders(tmp_path) == [tmp_path]


def test_files_at_hand() -> None:
    pack = in_memory({"weapons.yaml": b"b", "pack.yaml": b"a"}, "upload")
    assert (pack.names, pack.folder) == (("pack.yaml", "weapons.yaml"), None)
    assert contents(pack) == {"pack.yaml": b"a", "weapons.yaml": b"b"}


# --- Archives ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_pack_at_the_root_of_an_archive(method: int) -> None:
    (pack,) = in_archive(zipped({"weapons/a.yaml": "w", "pack.yaml": "p", "README.md": "r"}, method))
    assert (pack.label, pack.folder) == ("", None)
    assert contents(pack) == {"pack.yaml": b"p", "weapons/a.yaml": b"w"}


def test_packs_in_folders_of_an_archive() -> None:
    files = {
        "top.yaml": "outside of any pack",
        "repository/two/pack.yaml": "2",
        "repository/one/pack.yaml": "1",
        "repository/one/weapons.yaml": "w",
        "repository/one/inner/pack.yaml": "i",
        "repository/one/inner/armor.yaml": "a",
        "repository/.github/check.yaml": "hidden",
        "__MACOSX/repository/one/._pack.yaml": "hidden too",
        "repository/one/._weapons.yaml": "hidden too",
    }
    packs = in_archive(zipped(files))
    assert {pack.label: contents(pack) for pack in packs} == {
        "repository/one": {"pack.yaml": b"1", "weapons.yaml": b"w"},
        "repository/one/inner": {"pack.yaml": b"i", "armor.yaml": b"a"},
        "repository/two": {"pack.yaml": b"2"},
    }
    assert [pack.label for pack in packs] == sorted(pack.label for pack in packs)


def test_a_pack_around_other_packs() -> None:
    packs = in_archive(
        zipped({"pack.yaml": "0", "weapons.yaml": "w", "one/pack.yaml": "1", "one/a.yaml": "a"})
    )
    assert {pack.label: pack.names for pack in packs} == {
        "": ("pack.yaml", "weapons.yaml"),
        "one": ("a.yaml", "pack.yaml"),
    }


def test_backslashes_are_slashes() -> None:
    (pack,) = in_archive(zipped({"p\\pack.yaml": "p", "p\\weapons\\a.yaml": "a"}))
    assert (pack.label, pack.names) == ("p", ("pack.yaml", "weapons/a.yaml"))


@pytest.mark.parametrize(
    "name",
    [
        "../pack.yaml", "a/../../pack.yaml", "a/../pack.yaml", "/pack.yaml", "//server/pack.yaml", "..\\pack.yaml",
        "\\pack.yaml", "C:/pack.yaml", "C:\\pack.yaml", "c:pack.yaml", "a/c:b.yaml", "..", "a/..", "../../etc/passwd",
        "pa\nck.yaml", "a\x1b[2J.yaml", "\u2028.yaml",
    ],
)  # fmt: skip
def test_paths_that_lead_outside(name: str) -> None:
    code, message = refused(zipped({"pack.yaml": "p", name: "x"}))
    assert code == "bad-path"
    assert "\n" not in message
    assert "\x1b" not in message


def test_a_very_long_path_is_told_shortly() -> None:
    _, message = refused(zipped({"pack.yaml": "p", "../" + "x" * 60_000: "x"}))
    assert len(message) < 150


def test_encrypted_files() -> None:
    content = bytearray(zipped({"pack.yaml": "p"}, zipfile.ZIP_STORED))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    assert refused(bytes(content)) == ("bad-archive", "'pack.yaml' is encrypted")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing(method: int) -> None:
    code, message = refused(zipped({"pack.yaml": "p"}, method))
    assert (code, message) == ("bad-archive", "'pack.yaml' is packed in another way than ZIP's usual one")
    assert in_archive(zipped({"pack.yaml": "p"}))[0].names == ("pack.yaml",)


def test_too_many_files() -> None:
    files = {"pack.yaml": "p"} | {f"weapons/{at}.yaml": "w" for at in range(MAX_FILES - 1)}
    assert len(in_archive(zipped(files))[0].names) == MAX_FILES
    code, message = refused(zipped(files | {"README.md": "r"}))
    assert (code, message) == (
        "too-large",
        f"the archive holds {MAX_FILES + 1} files; at most {MAX_FILES} are read",
    )


def test_too_much_in_it() -> None:
    half = b"#" * (MAX_UNPACKED // 2)
    assert len(in_archive(zipped({"pack.yaml": half, "a.yaml": half}))[0].names) == 2
    code, message = refused(zipped({"pack.yaml": half, "a.yaml": half, "b.yaml": "#"}))
    assert (code, message) == ("too-large", "unpacked, the archive has more than 4,000,000 bytes")


@cache
def hundred_megabytes() -> bytes:
    return zipped({"pack.yaml": b" " * 100_000_000})


def bomb(claimed: int) -> bytes:
    """100 MB of blanks in one file, whose headers claim another size."""
    content = bytearray(hundred_megabytes())
    for signature, size in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", content, content.index(signature) + size, claimed)
    return bytes(content)


@pytest.mark.parametrize("claimed", [10, 1000, 100_000_000, 4_000_000_000])
def test_a_bomb_is_not_unpacked_whatever_its_headers_claim(claimed: int) -> None:
    content = bomb(claimed)
    assert len(content) < 150_000
    tracemalloc.start()
    try:
        code, _ = refused(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert code in ("too-large", "bad-archive")
    assert peak < 30_000_000


def test_many_small_bombs() -> None:
    code, _ = refused(
        zipped({f"weapons/{at}.yaml": b" " * 1_000_000 for at in range(50)} | {"pack.yaml": "p"})
    )
    assert code == "too-large"


def test_files_that_are_no_yaml_are_not_even_unpacked() -> None:
    (pack,) = in_archive(zipped({"pack.yaml": "p", "film.bin": b" " * 50_000_000}))
    assert pack.names == ("pack.yaml",)


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("other", ["weapons.yaml", "./weapons.yaml", "weapons.yaml/", ".//weapons.yaml"])
def test_a_file_twice(other: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pack.yaml", "p")
        archive.writestr("weapons.yaml", "one")
        archive.writestr(zipfile.ZipInfo(other.rstrip("/")), "two")
    code, message = refused(buffer.getvalue())
    assert code == "bad-archive"
    assert message.endswith("is in the archive twice")


@pytest.mark.parametrize(
    "files", [{}, {"weapons.yaml": "w"}, {"pack.yml": "p"}, {"PACK.YAML": "p"}, {".p/pack.yaml": "p"}]
)
def test_an_archive_without_a_pack(files: dict[str, str]) -> None:
    assert refused(zipped(files)) == ("no-pack", "the archive holds no pack.yaml")


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"id: a\n", b"\x1f\x8b" + bytes(50), bytes(100), b"PK\x05\x06"]
)
def test_what_is_no_archive(content: bytes) -> None:
    code, message = refused(content)
    assert code == "bad-archive"
    assert message.startswith("the archive cannot be read: ")


def test_every_truncated_archive() -> None:
    content = zipped({"pack.yaml": "p" * 50, "weapons.yaml": "w" * 50}, zipfile.ZIP_STORED)
    assert all(refused(content[:length])[0] == "bad-archive" for length in range(len(content)))


def test_damaged_archives_are_refused_or_read() -> None:
    """Whatever byte is wrong, nothing but our own error comes out."""
    chance = random.Random("damaged")
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        content = zipped({"p/pack.yaml": "id: x\n" * 50, "p/weapons.yaml": "kind: weapons\n" * 30}, method)
        codes = set()
        for at in range(len(content)):
            damaged = bytearray(content)
            damaged[at] ^= chance.randrange(1, 256)
            try:
                in_archive(bytes(damaged))
            except PackError as error:
                codes.add(error.problems[0].code)
        assert "bad-archive" in codes


@given(st.binary(max_size=300).map(lambda tail: b"PK\x03\x04" + tail) | st.binary(max_size=300))
def test_any_bytes(content: bytes) -> None:
    with pytest.raises(PackError):
        in_archive(content)


def test_packs_nested_deep_are_told_apart_fast() -> None:
    files = {"a/" * depth + "pack.yaml": str(depth) for depth in range(MAX_FILES)}
    start = time.process_time()
    packs = in_archive(zipped(files))
    assert time.process_time() - start < 3
    assert [pack.names for pack in packs] == [("pack.yaml",)] * MAX_FILES
    assert packs[-1].read("pack.yaml") == str(MAX_FILES - 1).encode()
