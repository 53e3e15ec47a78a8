"""The arguments with which the program is started."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple, Union

from .errors import Unavailable
from .options import Path

#: The program's own limit of requests at a time. It is higher than this package's, so that the program never stops reading.
_limit_of_program = 100_000


@dataclass(frozen=True)
class Configuration:
    """The arguments of `Offstage`, which can be pickled."""

    program: Optional[str]
    cache: Union[str, bool]
    jobs: Optional[int]
    limit: int
    fonts: Optional[str]
    sandbox: Optional[bool]
    allow_hosts: Tuple[str, ...]
    via: Optional[str]
    arguments: Tuple[str, ...]

    def command(self) -> List[str]:
        """The program and its arguments.

        Raises:
            Unavailable: the program is not installed.
        """
        name = self.program or os.environ.get("OFFSTAGE") or "offstage"
        program = shutil.which(name)
        if program is None:
            raise Unavailable(f"there is no program {name}; install Offstage, or name it in the variable OFFSTAGE")
        command = [program, "pipe", "--quiet", f"--limit={_limit_of_program}"]
        if isinstance(self.cache, str):
            command.append(f"--cache={self.cache}")
        elif not self.cache:
            command.append("--no-cache")
        if self.jobs is not None:
            command.append(f"--jobs={self.jobs}")
        if self.fonts is not None:
            command.append(f"--fonts={self.fonts}")
        if self.sandbox is not None:
            command.append("--sandbox" if self.sandbox else "--no-sandbox")
        command += [f"--allow-host={host}" for host in self.allow_hosts]
        if self.via is not None:
            command.append(f"--via={self.via}")
        return command + list(self.arguments)


def configuration(
    program: Optional[Path],
    cache: Union[Path, bool],
    jobs: Optional[int],
    limit: int,
    fonts: Optional[Path],
    sandbox: Optional[bool],
    allow_hosts: Sequence[str],
    via: Optional[str],
    arguments: Sequence[str],
) -> Configuration:
    if limit < 1:
        raise ValueError(f"limit takes a number of at least 1, not {limit}")
    return Configuration(
        program=None if program is None else os.fspath(program),
        cache=cache if isinstance(cache, bool) else os.path.abspath(cache),
        jobs=jobs,
        limit=limit,
        fonts=None if fonts is None else os.path.abspath(fonts),
        sandbox=sandbox,
        allow_hosts=tuple(allow_hosts),
        via=via,
        arguments=tuple(arguments),
    )
