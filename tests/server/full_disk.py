"""A disk that can be full: while it is, every write fails."""

from typing import Any

import apsw


class FullDisk(apsw.VFS):
    """The files of this system, on a disk that the test fills."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_full = False
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, disk: FullDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._disk.is_full:
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)
