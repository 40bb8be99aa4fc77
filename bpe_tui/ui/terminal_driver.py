"""The app before a terminal: Textual's driver, made fit for keys in any encoding, and for a terminal that goes away."""

from __future__ import annotations

from threading import Thread

from textual.drivers.linux_driver import LinuxDriver

from bpe_tui.core.system import wait_for_hang_up


class TerminalDriver(LinuxDriver):
    """Reads keys from a terminal that may send bytes that are no UTF-8 (one set to Latin-1, old mouse reports)."""

    _watcher: Thread | None = None

    def run_input_thread(self) -> None:
        """Read keys until the app ends; what is read together with bytes that are no UTF-8 is dropped."""
        if self._watcher is None:
            self._watcher = Thread(target=self._end_with_terminal, name="terminal", daemon=True)
            self._watcher.start()
        while True:
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue
            return

    def _end_with_terminal(self) -> None:
        """End the app as `q` does once its terminal is closed.

        The system need not say so by a signal: behind `make run` it goes to make alone. Without this the app would read
        the end of its input again and again, with all the processor's time.
        """
        if wait_for_hang_up(self.fileno):
            self._loop.call_soon_threadsafe(self._app.exit)
