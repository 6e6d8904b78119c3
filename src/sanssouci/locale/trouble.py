"""What the operating system says when it cannot do something, in sentences that every language has."""

import errno

from .catalogue import Complaint

_KEYS = {
    errno.EACCES: "trouble.no_rights",
    errno.EADDRNOTAVAIL: "trouble.no_address",
    errno.EAFNOSUPPORT: "trouble.no_address",
    errno.EBUSY: "trouble.busy",
    errno.EDQUOT: "trouble.no_space",
    errno.EEXIST: "trouble.exists",
    errno.EIO: "trouble.failing",
    errno.EISDIR: "file.folder",
    errno.ELOOP: "trouble.loop",
    errno.EMFILE: "trouble.many_files",
    errno.ENAMETOOLONG: "trouble.long_name",
    errno.ENFILE: "trouble.many_files",
    errno.ENOENT: "trouble.missing",
    errno.ENOEXEC: "trouble.no_program",
    errno.ENOMEM: "trouble.no_memory",
    errno.ENOSPC: "trouble.no_space",
    errno.ENOTDIR: "trouble.no_folder",
    errno.EPERM: "trouble.no_rights",
    errno.EROFS: "trouble.read_only",
}


def trouble(error: Exception) -> Complaint | str:
    """The reason why a file, a folder or an address cannot be had; a rare one as the system says it.

    A ``ValueError`` is Python's word for a name that no system takes. Of any other error only its class is
    told: its text may quote what was read.
    """
    if isinstance(error, OSError):
        key = _KEYS.get(error.errno or 0)
        return Complaint(key) if key else error.strerror or type(error).__name__
    return Complaint("trouble.no_name") if isinstance(error, ValueError) else type(error).__name__
