"""Fault tests: crashes, power loss, full disks, conflicts and attacks; nothing acknowledged is lost."""
