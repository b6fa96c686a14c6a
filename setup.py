"""What pyproject.toml cannot say of the build: a wheel has the page inside, or is refused."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PAGE = Path("bluebear/server/static/index.html")


class BuildWithPage(build_py):
    """Copies the packages. Exits with one sentence where the page is missing."""

    def run(self) -> None:
        if not self.editable_mode and not PAGE.is_file():
            raise SystemExit(
                f"{PAGE} is missing: run `make page` (it needs Node 22 or newer), then build again."
            )
        super().run()


setup(cmdclass={"build_py": BuildWithPage})
