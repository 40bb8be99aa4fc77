"""Writes the settings that the learner changes in the app, behind the screen."""

from __future__ import annotations

import asyncio
from threading import Lock
from typing import TYPE_CHECKING

from textual.worker import Worker

from bpe_tui.core.errors import SettingsError
from bpe_tui.formats.settings import write_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App


class SettingsWriter:
    """Takes changes, and writes them in a thread: the last value of each setting."""

    def __init__(self, app: App[None], failed: Callable[[str], object]) -> None:
        """`failed` hears why a change could not be written."""
        self._app = app
        self._failed = failed
        self._waiting: dict[str, str | bool | float] = {}
        self._lock = Lock()

    def keep(self, name: str, value: str | bool | float) -> None:
        """Have a setting remembered."""
        self._waiting[name] = value
        _worker: Worker[None] = self._app.run_worker(self._write_behind, group="settings")

    async def _write_behind(self) -> None:
        try:
            await asyncio.to_thread(self.write)
        except SettingsError as error:
            self._failed(str(error))

    def write(self) -> None:
        """Write what waits. Raises `SettingsError`."""
        with self._lock:
            changes, self._waiting = self._waiting, {}
            if changes:
                write_settings(changes)
