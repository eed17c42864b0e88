"""The files of a release: the wheel, the lock of what it needs, their hashes, and a signature.

    python3 dev.py package --windows FOLDER     # if it is to have a zip for Windows
    python3 dev.py release KEY FOLDER

KEY is a private Ed25519 key in PEM (``openssl genpkey -algorithm ed25519``) of whoever publishes;
its public half goes into the folder. ``docs/operating/upgrade.md`` says how a release is checked.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

ROOT: Final = Path(__file__).resolve().parent.parent
SUMS: Final = "SHA256SUMS"


def read_key(file: Path) -> Ed25519PrivateKey:
    """The private key of a file.

    :raises SystemExit: it holds no such key
    """
    try:
        key = load_pem_private_key(file.read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise SystemExit(f"{file}: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SystemExit(f"{file}: no Ed25519 key")
    return key


def write_release(wheel: Path, key: Ed25519PrivateKey, folder: Path) -> None:
    """Write the files of a release into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    files = (wheel, ROOT / "deploy" / "requirements.lock", ROOT / "CHANGELOG.md")
    zips = folder.glob("guinote-windows.zip")
    copies = sorted([*(Path(shutil.copy(file, folder)) for file in files), *zips])
    sums = "".join(f"{hashlib.sha256(c.read_bytes()).hexdigest()}  {c.name}\n" for c in copies)
    (folder / SUMS).write_text(sums, "utf-8")
    (folder / f"{SUMS}.sig").write_bytes(key.sign(sums.encode()))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "release.pub").write_bytes(public)
    sys.stdout.write(sums)


def main(uv: str, key_file: str, folder: str) -> None:
    """Build the wheel, and write the release of it."""
    key, built = read_key(Path(key_file)), Path(folder) / "built"
    subprocess.run([uv, "build", "-q", "--wheel", "--out-dir", built, ROOT], check=True)
    (wheel,) = built.glob("*.whl")
    write_release(wheel, key, Path(folder))
    shutil.rmtree(built)


if __name__ == "__main__":
    main(*sys.argv[1:])
