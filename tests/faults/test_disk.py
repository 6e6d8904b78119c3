"""The simulated disk keeps synced data and may lose everything else."""

from sanssouci.dealer import BulkStream

from .crash_images import OUTCOMES, PAGE, SECTOR, everything, nothing, pieces
from .disk import Disk, Image
from .journal import FOLDER, Name, Rename, Step, Sync, Truncate, Write

A = 1
NEW: tuple[Step, ...] = (Name("a", A), Sync(FOLDER))


def after(*steps: Step) -> Disk:
    """A disk after some steps."""
    disk = Disk()
    for step in steps:
        disk.apply(step)
    return disk


def all_images(disk: Disk) -> set[tuple[tuple[str, bytes], ...]]:
    """The images of hundreds of cuts."""
    chance = BulkStream(1)
    return {tuple(outcome(disk, chance).items()) for _ in range(200) for outcome in OUTCOMES}


def image(**files: bytes) -> tuple[tuple[str, bytes], ...]:
    """A folder with these files."""
    return tuple(files.items())


def safe(disk: Disk) -> Image:
    """The folder after the worst cut."""
    return nothing(disk, BulkStream(1))


def test_synced_data_is_safe() -> None:
    """No outcome changes data written before a sync. A sync of another file does not count."""
    assert all_images(after(*NEW, Write(A, 0, b"old"), Sync(A))) == {image(a=b"old")}
    assert safe(after(*NEW, Write(A, 0, b"old"), Sync(2))) == {"a": b""}


def test_an_unsynced_write_may_be_lost() -> None:
    """A rewritten sector is the old one or the new one."""
    disk = after(*NEW, Write(A, 0, b"old"), Sync(A), Write(A, 0, b"new"))
    assert all_images(disk) == {image(a=b"old"), image(a=b"new")}


def test_writes_are_torn_at_sectors_and_reordered() -> None:
    """Each sector is written or not, independently of the others. A sector is never torn."""
    old, new = b"-" * 3 * SECTOR, b"+" * 2 * SECTOR
    disk = after(*NEW, Write(A, 0, old), Sync(A), Write(A, SECTOR // 2, new))
    found = {dict(files)["a"] for files in all_images(disk)}
    half = SECTOR // 2
    expected = {
        b"-" * half + first * half + second * SECTOR + third * half + b"-" * half
        for first in (b"-", b"+")
        for second in (b"-", b"+")
        for third in (b"-", b"+")
    }
    assert found == expected


def test_writes_are_split_at_sector_boundaries() -> None:
    """Writes are split at multiples of the sector size in the file, without losing data."""
    write = Write(A, 500, bytes(range(256)) * 32)
    for size in (SECTOR, PAGE):
        found = [piece for piece in pieces([write], size) if isinstance(piece, Write)]
        assert b"".join(piece.data for piece in found) == write.data
        assert [piece.offset for piece in found][1:] == list(range(size, 500 + 8192, size))
    assert pieces([Truncate(A, 3)], SECTOR) == [Truncate(A, 3)]


def test_a_file_may_have_grown_without_its_data() -> None:
    """Missing data is zeros. A truncated file may still be long."""
    assert image(a=bytes(3)) in all_images(after(*NEW, Write(A, 0, b"new")))
    disk = after(*NEW, Write(A, 0, b"old"), Sync(A), Truncate(A, 1))
    assert all_images(disk) == {image(a=b"old"), image(a=b"o")}


def test_names_are_safe_after_a_sync_of_the_folder() -> None:
    """A synced file may have no name yet. Deleting and renaming may be lost, but only in order."""
    assert safe(after(Name("a", A), Write(A, 0, b"x"), Sync(A))) == {}
    disk = after(*NEW, Rename("a", "b"), Name("c", 2), Name("b", None))
    expected = [image(a=b""), image(b=b""), image(b=b"", c=b""), image(c=b"")]
    assert all_images(disk) == set(expected)


def test_a_recreated_name_is_a_new_file() -> None:
    """The old content comes back with the old name, never a mixture."""
    disk = after(
        *NEW, Write(A, 0, b"old"), Sync(A), Name("a", None), Name("a", 2), Write(2, 0, b"n"), Sync(2)
    )
    assert all_images(disk) == {image(a=b"old"), (), image(a=b"n")}
    assert everything(disk, BulkStream(1)) == {"a": b"n"}
