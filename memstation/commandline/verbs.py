"""What all commands have in common: translated help, an example, the store's option, errors in one line, exit codes.

Nothing heavy is imported here or by the modules of the commands: `memstation --help` must be quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from memstation.domain.errors import MemstationError
from memstation.station.render.safe import safe_line
from memstation.words import N_, told, translated

DONE, NOT_DONE, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

Function = TypeVar("Function", bound=Callable[..., Any])


class Translated(click.Option):
    """An option whose help is translated when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option's line in the help."""
        record = super().get_help_record(ctx)
        if record is None or not self.help:
            return record
        return record[0], record[1].replace(self.help, translated(self.help), 1)


class _Exemplified:
    """Help with an example, shown in the operator's language."""

    help: str | None

    def __init__(self, *args: Any, example: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.example = example

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence, for the list of commands."""
        text = translated(self.help or "")
        return text.split(". ")[0].rstrip(".")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, then the example."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translated(self.help or ""))
            if self.example:
                formatter.write_paragraph()
                formatter.write_text(told(N_("Example:")))
                formatter.write(f"    {self.example}\n")


class Verb(_Exemplified, click.Command):
    """A command with an example."""


class Verbs(_Exemplified, click.Group):
    """Commands about one thing behind a word (``memstation review approve``), with the example to begin with.

    The word alone shows its help, as a wrong usage.
    """

    command_class = Verb

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help where no command follows."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color, err=True)
            raise click.exceptions.Exit(WRONG_USAGE)
        return super().parse_args(ctx, args)


class Root(click.Group):
    """The program: translates what went wrong into one line and an exit code."""

    command_class = Verb

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the program is."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translated(self.help or ""))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; whoever reads the output may have had enough before its end."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            _let_go_of_stdout()
            return DONE

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """Run, and leave with the exit code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A locale that lacks a letter must not stop a listing half way.
                stream.reconfigure(errors="backslashreplace")
        run: Callable[..., Any] = super().main
        code = self._run(lambda: run(*args, standalone_mode=False, **more))
        if standalone_mode:
            sys.exit(code)
        return code

    @staticmethod
    def _run(run: Callable[[], Any]) -> int:
        try:
            code = run()
            return code if isinstance(code, int) else DONE
        except MemstationError as error:
            return fail(error.title, error.detail, error.hint)
        except click.UsageError as error:
            hint = f"{error.ctx.command_path} --help" if error.ctx is not None else "memstation --help"
            return fail(told(N_("wrong usage")), error.format_message().replace("\n", " "), hint, WRONG_USAGE)
        except click.ClickException as error:
            return fail(error.format_message())
        except (click.Abort, KeyboardInterrupt):
            return fail(told(N_("stopped")), code=INTERRUPTED)
        except OSError as error:
            return fail(told(N_("the system refused")), str(error))
        except Exception as error:
            if os.environ.get("MEMSTATION_DEBUG"):
                raise
            return fail(
                told(N_("a fault of this program")), f"{type(error).__name__}: {error}",
                told(N_("MEMSTATION_DEBUG=1 shows where")),
            )  # fmt: skip


def fail(title: str, detail: str = "", hint: str = "", code: int = NOT_DONE) -> int:
    """Say on one line of stderr what went wrong. Returns the exit code."""
    warn(title, detail, hint)
    return code


def warn(title: str, detail: str = "", hint: str = "") -> None:
    """The same, of something that does not stop the command."""
    text = safe_line(title) + (f": {safe_line(detail)}" if detail else "") + (f" ({safe_line(hint)})" if hint else "")
    click.echo(f"memstation: {text}", err=True)


def _let_go_of_stdout() -> None:
    """Whoever read our output has had enough: the flush at exit must not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def option(*names: str, **more: Any) -> Callable[[Function], Function]:
    """An option with translated help."""
    return click.option(*names, cls=Translated, **more)


FILE = click.Path(path_type=Path)

store_option = option(
    "--store", type=FILE, metavar="FILE", help=N_("The store; else MEMSTATION_STORE, else your own. See: paths.")
)
json_option = option("--json", "as_json", is_flag=True, help=N_("Machine-readable output."))
dry_option = option("--dry-run", "dry", is_flag=True, help=N_("Show what would happen, and write nothing."))
reason_option = option("--reason", default="", metavar="TEXT", help=N_("Why; kept in the log."))
