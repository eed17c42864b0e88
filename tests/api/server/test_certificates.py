"""Certificates of a club with its own authority, and the commands that make and use them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cryptography import x509

from api.server import certificates
from api.server.certificates import Certificates
from api.server.wiring import now
from tests.api.cli.test_cli import guinote

HOSTS = ("127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates.write_certificate_files(tmp_path_factory.mktemp("tls"), HOSTS, now())


def test_a_root_vouches_for_its_hosts_only(tmp_path: Path, tls: Certificates) -> None:
    root = x509.load_pem_x509_certificate(tls.root.read_bytes())
    limits = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert oct(tls.key.stat().st_mode & 0o777) == oct(0o600)
    assert oct(tls.root.with_suffix(".key").stat().st_mode & 0o777) == oct(0o600)
    made = ("certificate", "mesas.local", "--out", str(tmp_path / "tls"))
    assert guinote(*made)[0] == 0
    root_before = (tmp_path / "tls" / "root.crt").read_bytes()
    assert guinote(*made)[0] == 0
    assert (tmp_path / "tls" / "root.crt").read_bytes() == root_before
    code, _, said = guinote(
        "certificate", "mesas.local", "10.0.0.7", "--out", str(tmp_path / "tls")
    )
    assert (code, "10.0.0.7" in said, "Traceback" in said) == (1, True, False)


def test_an_address_is_the_same_in_every_writing(tmp_path: Path) -> None:
    for address in ("0:0::1", "0:0::1", "::1"):
        assert certificates.write_certificate_files(
            tmp_path, (address,), now()
        ).certificate.exists()


@pytest.mark.parametrize(
    "host", ["fe80::1%eth0", "mesas local", "10.0.0.7:8443", "https://mesas", "-", "ñ.local"]
)
def test_an_invalid_host_is_reported(tmp_path: Path, host: str) -> None:
    code, _, said = guinote("certificate", "--out", str(tmp_path / "tls"), "--", host)
    assert (code, "Traceback" in said) == (1, False)
    assert not (tmp_path / "tls").exists()


def test_certificate_files_that_do_not_fit_are_reported_in_one_line(
    tmp_path: Path, tls: Certificates
) -> None:
    other = certificates.write_certificate_files(tmp_path / "other", HOSTS, now())
    locked = tmp_path / "locked.key"
    command = [
        "openssl",
        "ec",
        "-in",
        other.key,
        "-aes256",
        "-passout",
        "pass:1234",
        "-out",
        locked,
    ]
    subprocess.run(command, check=True, capture_output=True)
    for certificate, key in (
        (tls.certificate, other.key),
        (tls.certificate, tls.certificate),
        (tls.certificate, tmp_path / "none.key"),
        (other.certificate, locked),
    ):
        code, _, said = guinote("serve", "--tls", str(certificate), str(key), data=tmp_path)
        assert code == 1
        assert (said.count("\n"), "Traceback" in said) == (1, False), said
