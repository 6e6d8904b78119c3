"""Simulates a disk that loses power: what is safe, what is pending, and what may be left of it.

The assumptions are slightly more pessimistic than ext4 and similar file systems:

- Changes to a file are safe once a later sync of it (fsync or fdatasync) has returned.
- Of later changes, any subset may reach the disk: each sector of each write separately, in any order. A
  sector (512 bytes) is atomic: it is the old one or a new one.
- A file may have grown without its data, and then contains zeros. A change of size is lost or kept like a
  write.
- Directory entries (created, deleted and renamed files) are safe after a sync of the folder, not of the file.
  As such file systems journal them, a prefix of the unsynced ones survives, in order.
- Memory shared by connections (``-shm``) is not a file and does not survive.
"""

from dataclasses import dataclass, field

from .journal import FOLDER, Mark, Name, Rename, Step, Sync, Truncate, Write


@dataclass(frozen=True, slots=True)
class Grow:
    """A file has grown, but its data is missing."""

    file: int
    size: int


Change = Write | Truncate | Grow
Entry = Name | Rename
Image = dict[str, bytes]
"""The contents of the files in a folder, by name."""


@dataclass
class Disk:
    """The synced state, and all changes since."""

    contents: dict[int, bytearray] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    def apply(self, step: Step) -> None:
        """Apply a recorded step of the program."""
        match step:
            case Write() | Truncate():
                self.changes.append(step)
            case Name() | Rename():
                self.entries.append(step)
            case Sync(file) if file == FOLDER:
                for entry in self.entries:
                    _enter(self.names, entry)
                self.entries.clear()
            case Sync(file):
                for change in self.changes:
                    if change.file == file:
                        _change(self.contents.setdefault(file, bytearray()), change)
                self.changes = [change for change in self.changes if change.file != file]
            case Mark():
                pass

    def image(self, changes: list[Change], entries: int) -> Image:
        """The folder if these changes, and the first ``entries`` directory changes, have reached the disk."""
        names = dict(self.names)
        for entry in self.entries[:entries]:
            _enter(names, entry)
        contents = {file: bytearray(self.contents.get(file, b"")) for file in names.values()}
        for change in changes:
            if change.file in contents:
                _change(contents[change.file], change)
        return {name: bytes(contents[file]) for name, file in sorted(names.items())}

    def whole(self) -> Image:
        """The folder as the program sees it."""
        return self.image(self.changes, len(self.entries))


def _enter(names: dict[str, int], entry: Entry) -> None:
    match entry:
        case Name(name, None):
            names.pop(name, None)
        case Name(name, int() as file):
            names[name] = file
        case Rename(old, new):
            names[new] = names.pop(old)


def _change(content: bytearray, change: Change) -> None:
    end = change.offset + len(change.data) if isinstance(change, Write) else change.size
    if end > len(content):
        content.extend(bytes(end - len(content)))
    match change:
        case Write(_, offset, data):
            content[offset:end] = data
        case Truncate():
            del content[end:]
        case Grow():
            pass
