"""Errors of the operating system as translatable messages."""

import errno

from .catalogue import UserError

_KEYS = {
    errno.EACCES: "os_error.no_rights",
    errno.EADDRNOTAVAIL: "os_error.no_address",
    errno.EAFNOSUPPORT: "os_error.no_address",
    errno.EBUSY: "os_error.busy",
    errno.EDQUOT: "os_error.no_space",
    errno.EEXIST: "os_error.exists",
    errno.EIO: "os_error.failing",
    errno.EISDIR: "file.folder",
    errno.ELOOP: "os_error.loop",
    errno.EMFILE: "os_error.many_files",
    errno.ENAMETOOLONG: "os_error.long_name",
    errno.ENFILE: "os_error.many_files",
    errno.ENOENT: "os_error.missing",
    errno.ENOEXEC: "os_error.no_program",
    errno.ENOMEM: "os_error.no_memory",
    errno.ENOSPC: "os_error.no_space",
    errno.ENOTDIR: "os_error.no_folder",
    errno.EPERM: "os_error.no_rights",
    errno.EROFS: "os_error.read_only",
}


def os_error_reason(error: Exception) -> UserError | str:
    """Why a file, a folder or an address cannot be used; rare errors have the text of the system.

    Python raises ``ValueError`` for a name that no system accepts. For any other error only its class is
    returned, because its text may quote the data that was read.
    """
    if isinstance(error, OSError):
        key = _KEYS.get(error.errno or 0)
        return UserError(key) if key else error.strerror or type(error).__name__
    return UserError("os_error.no_name") if isinstance(error, ValueError) else type(error).__name__
