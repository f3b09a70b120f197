"""Files of arrays and zip files: nothing that they say of themselves is believed before it is checked."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from agents.arrays.array_files import Form, read_arrays, write_arrays
from agents.arrays.zip_entries import MOST_DIRECTORY, ZipEntries
from onirim_env.errors import FileError

FORMS = {"a": Form((range(1, 50), 3), np.float32), "b": Form((), np.float16)}
ARRAYS = {"a": np.arange(12, dtype=np.float32).reshape(4, 3), "b": np.float16(0.5)}


@pytest.fixture
def file(tmp_path):
    write_arrays(tmp_path / "some.npz", ARRAYS)
    return tmp_path / "some.npz"


def refused(file, match, forms=FORMS):
    with pytest.raises(FileError, match=match) as error:
        read_arrays(file, forms, what="table")
    message = str(error.value)
    assert "\n" not in message and str(file) in message and len(message) < 500


def entries_of(**contents):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(f"{name}.npy", data)
    return content.getvalue()


def header(shape, descr="<f4"):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def test_arrays_are_read_as_they_were_written(file):
    read = read_arrays(file, FORMS)
    for name, values in ARRAYS.items():
        assert read[name].dtype == values.dtype
        np.testing.assert_array_equal(read[name], values)
    by_columns = {"a": np.asfortranarray(ARRAYS["a"]), "b": ARRAYS["b"], "other": np.zeros(9)}
    write_arrays(file, by_columns)
    assert set(read_arrays(file, FORMS)) == {"a", "b"}
    np.testing.assert_array_equal(read_arrays(file, FORMS)["a"], ARRAYS["a"])


def test_the_first_table_of_forms_that_fits_counts(file):
    assert set(read_arrays(file, {"c": FORMS["a"]}, {"a": FORMS["a"]})) == {"a"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"a": np.zeros((50, 3), np.float32)}, r"float32 \(50, 3\), not float32 \(1 to 49, 3\)"),
        ({"a": np.zeros((4, 2), np.float32)}, r"float32 \(4, 2\)"),
        ({"a": np.zeros(12, np.float32)}, r"float32 \(12\)"),
        ({"a": np.zeros((4, 3), ">f4")}, r">f4 \(4, 3\)"),
        ({"a": np.zeros((4, 3), np.int32)}, "int32"),
        ({"a": np.array([[None]])}, "object"),
        ({"b": np.zeros(0, np.float16)}, r"b.npy is float16 \(0\), not float16 \(\)"),
    ],
)
def test_arrays_of_another_form_are_refused(file, changed, words):
    write_arrays(file, {**ARRAYS, **changed})
    refused(file, words)


def test_a_missing_array_is_named(file):
    refused(file, r"has no entry c\.npy", {"c": Form((1,), np.float32)})


@pytest.mark.parametrize(
    "content",
    [
        header((10**6, 10**6)),
        header((4, 3)) + bytes(40),
        header((4, 3)) + bytes(56),
        header((4, 3), "|O") + bytes(48),
        header("4, 3"),
        header("(" * 900),
        header("-" * 900),
        header((-4, -3)) + bytes(48),
        b"\x93NUMPY\x03\x00",
        b"",
        bytes(60),
    ],
)
def test_headers_that_lie_are_refused(file, content):
    file.write_bytes(entries_of(a=content, b=header(())))
    refused(file, r"a\.npy")


@pytest.mark.long
def test_a_deflate_bomb_is_refused_before_it_is_unpacked(file):
    bomb = entries_of(a=header((4, 3)) + bytes(400_000_000))
    assert len(bomb) < 1_000_000
    file.write_bytes(bomb)
    # The same, but the directory and the entry say that it is small.
    small = file.with_name("small.npz")
    size, lie = (400_000_000 + len(header((4, 3)))), len(header((4, 3))) + 48
    small.write_bytes(bomb.replace(size.to_bytes(4, "little"), lie.to_bytes(4, "little")))
    tracemalloc.start()
    refused(file, r"a\.npy has 400,000,000 bytes of numbers, not 48")
    refused(small, r"a\.npy is damaged")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_every_cut_and_every_flipped_byte_is_read_rightly_or_refused(file):
    content = file.read_bytes()
    for length in range(len(content)):
        file.write_bytes(content[:length])
        refused(file, "table")
    for place in range(len(content)):
        file.write_bytes(content[:place] + bytes([content[place] ^ 0x41]) + content[place + 1 :])
        try:
            read = read_arrays(file, FORMS)
        except FileError as error:
            assert str(file) in str(error) and "\n" not in str(error)
        else:
            np.testing.assert_array_equal(read["a"], ARRAYS["a"])


def test_a_directory_of_very_many_entries_is_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("x", b"")
    one = content.getvalue()
    start = one.index(b"PK\x01\x02")
    entry = one[start : one.index(b"PK\x05\x06")]
    many = MOST_DIRECTORY // len(entry) + 1
    end = bytearray(one[one.index(b"PK\x05\x06") :])
    end[12:16] = (many * len(entry)).to_bytes(4, "little")
    with pytest.raises(FileError, match="too many entries"):
        ZipEntries(one[:start] + entry * many + bytes(end), "file x")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_without_a_limit_are_not_unpacked(packing, file):
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("a.npy", header((4, 3)) + bytes(48))
    refused(file, "packed in a way")
