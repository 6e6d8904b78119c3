"""The disk that loses power keeps what it must, and loses what it may."""

from sanssouci.dealer import BulkStream

from .disk import Disk, Image
from .fates import FATES, PAGE, SECTOR, everything, nothing, pieces
from .journal import FOLDER, Name, Rename, Step, Sync, Truncate, Write

A = 1
NEW: tuple[Step, ...] = (Name("a", A), Sync(FOLDER))


def after(*steps: Step) -> Disk:
    """A disk to which this was done."""
    disk = Disk()
    for step in steps:
        disk.take(step)
    return disk


def all_images(disk: Disk) -> set[tuple[tuple[str, bytes], ...]]:
    """What hundreds of cuts leave."""
    chance = BulkStream(1)
    return {tuple(fate(disk, chance).items()) for _ in range(200) for fate in FATES}


def image(**files: bytes) -> tuple[tuple[str, bytes], ...]:
    """A folder with these files."""
    return tuple(files.items())


def safe(disk: Disk) -> Image:
    """What is there after the worst cut."""
    return nothing(disk, BulkStream(1))


def test_what_was_synced_is_safe() -> None:
    """No fate touches what was written before a sync; the sync of another file is none."""
    assert all_images(after(*NEW, Write(A, 0, b"old"), Sync(A))) == {image(a=b"old")}
    assert safe(after(*NEW, Write(A, 0, b"old"), Sync(2))) == {"a": b""}


def test_a_later_write_may_be_there_or_not() -> None:
    """A sector that was written again is the old one or the new one."""
    disk = after(*NEW, Write(A, 0, b"old"), Sync(A), Write(A, 0, b"new"))
    assert all_images(disk) == {image(a=b"old"), image(a=b"new")}


def test_writes_are_torn_at_sectors_and_reordered() -> None:
    """Each sector comes or does not, the second also without the first; a sector is never torn."""
    old, new = b"-" * 3 * SECTOR, b"+" * 2 * SECTOR
    disk = after(*NEW, Write(A, 0, old), Sync(A), Write(A, SECTOR // 2, new))
    found = {dict(files)["a"] for files in all_images(disk)}
    half = SECTOR // 2
    wanted = {
        b"-" * half + first * half + second * SECTOR + third * half + b"-" * half
        for first in (b"-", b"+")
        for second in (b"-", b"+")
        for third in (b"-", b"+")
    }
    assert found == wanted


def test_pieces_end_where_sectors_do() -> None:
    """A write is cut at multiples of the sector's size in the file, and nothing of it is lost."""
    write = Write(A, 500, bytes(range(256)) * 32)
    for size in (SECTOR, PAGE):
        found = [piece for piece in pieces([write], size) if isinstance(piece, Write)]
        assert b"".join(piece.data for piece in found) == write.data
        assert [piece.offset for piece in found][1:] == list(range(size, 500 + 8192, size))
    assert pieces([Truncate(A, 3)], SECTOR) == [Truncate(A, 3)]


def test_a_file_may_have_grown_without_its_bytes() -> None:
    """Where the bytes have not come there are zeros; a shorter file may still be long."""
    assert image(a=bytes(3)) in all_images(after(*NEW, Write(A, 0, b"new")))
    disk = after(*NEW, Write(A, 0, b"old"), Sync(A), Truncate(A, 1))
    assert all_images(disk) == {image(a=b"old"), image(a=b"o")}


def test_names_are_safe_when_the_folder_is() -> None:
    """A synced file may have no name yet; deleting and renaming may be undone, in order only."""
    assert safe(after(Name("a", A), Write(A, 0, b"x"), Sync(A))) == {}
    disk = after(*NEW, Rename("a", "b"), Name("c", 2), Name("b", None))
    wanted = [image(a=b""), image(b=b""), image(b=b"", c=b""), image(c=b"")]
    assert all_images(disk) == set(wanted)


def test_a_name_that_is_made_again_is_another_file() -> None:
    """The old content comes back with the old name, never half of each."""
    disk = after(
        *NEW, Write(A, 0, b"old"), Sync(A), Name("a", None), Name("a", 2), Write(2, 0, b"n"), Sync(2)
    )
    assert all_images(disk) == {image(a=b"old"), (), image(a=b"n")}
    assert everything(disk, BulkStream(1)) == {"a": b"n"}
