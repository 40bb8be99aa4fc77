"""The app before a terminal: Textual's driver, made fit for keys in any encoding."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Reads keys from a terminal that may send bytes that are no UTF-8: one set to Latin-1, old mouse reports."""

    def run_input_thread(self) -> None:
        """Read keys until the app ends; what is read together with bytes that are no UTF-8 is dropped."""
        while True:
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue
            return
