"""Certificates for a club without a public host name: a small private authority.

Tablets install the root once. It is limited to its hosts by a name constraint, so a stolen key of
it cannot impersonate others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Final, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

TLS_VARIABLES: Final = ("GUINOTE_TLS_CERT", "GUINOTE_TLS_KEY")
"""PEM files of the certificate with its chain, and of its private key."""
Host: TypeAlias = str
PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey

ROOT_DAYS: Final = 3650
SERVER_DAYS: Final = 820
"""Apple's devices refuse server certificates that are valid for more than 825 days."""
_EARLIER: Final = timedelta(days=1)  # a tablet's clock may be behind
_KEY_MODE: Final = 0o600
_EVERY_ADDRESS: Final = ("0.0.0.0/0", "::/0")
_NO_NAME: Final = "nobody.invalid"
_SERVER: Final = "Guiñote, servidor"  # no name of a host: clients would hold it against the limits


class OtherHosts(Exception):  # noqa: N818 - it says what was asked for
    """The authority in the folder was made for other hosts."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files of a certificate: the root for tablets, and the pair for the server."""

    root: Path
    certificate: Path
    key: Path


def make_certificate(folder: Path, hosts: tuple[Host, ...], now: datetime) -> Certificates:
    """A certificate for these hosts. The authority in the folder signs it, and is made if missing.

    ``hosts``: names and addresses as they are typed into a browser.

    :raises OtherHosts: the authority is not for one of them
    """
    hosts = tuple(dict.fromkeys(str(address_of(host) or host) for host in hosts))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    root_file, root_key_file = folder / "root.crt", folder / "root.key"
    if root_file.exists():
        root = x509.load_pem_x509_certificate(root_file.read_bytes())
        root_key = _read_key(root_key_file)
        if unknown := sorted(set(hosts) - _hosts_of_root(root)):
            raise OtherHosts(", ".join(unknown))
    else:
        root_key = ec.generate_private_key(ec.SECP256R1())
        root = _root(root_key, hosts, now)
        _write_key(root_key_file, root_key)
        root_file.write_bytes(root.public_bytes(Encoding.PEM))
    key = ec.generate_private_key(ec.SECP256R1())
    signed = _server(key, hosts, root, root_key, now)
    found = Certificates(root_file, folder / "server.crt", folder / "server.key")
    _write_key(found.key, key)
    found.certificate.write_bytes(signed.public_bytes(Encoding.PEM))
    return found


def _root(key: PrivateKey, hosts: tuple[Host, ...], now: datetime) -> x509.Certificate:
    name = _name(f"Guiñote {hosts[0]}"[:64])
    return (
        _begin(name, name, key, now, ROOT_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(_only_for(hosts), critical=True)
        .sign(key, hashes.SHA256())
    )


def _server(
    key: PrivateKey,
    hosts: tuple[Host, ...],
    root: x509.Certificate,
    root_key: PrivateKey,
    now: datetime,
) -> x509.Certificate:
    issuer = root_key.public_key()
    return (
        _begin(_name(_SERVER), root.subject, key, now, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_names(hosts)), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)
        .sign(root_key, hashes.SHA256())
    )


def _begin(
    subject: x509.Name, issuer: x509.Name, key: PrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def address_of(host: Host) -> IPv4Address | IPv6Address | None:
    """A host as an address; None if it is a name."""
    try:
        return None if "%" in host else ip_address(host)  # a zone is not part of a host name
    except ValueError:
        return None


def _names(hosts: Iterable[Host]) -> list[x509.GeneralName]:
    addresses = {host: address_of(host) for host in hosts}
    return [
        x509.DNSName(host) if address is None else x509.IPAddress(address)
        for host, address in addresses.items()
    ]


def _only_for(hosts: Iterable[Host]) -> x509.NameConstraints:
    """Name constraint of a root. Kinds that are not named are excluded."""
    addresses = [one for one in map(address_of, hosts) if one is not None]
    names = [host for host in hosts if address_of(host) is None]
    permitted: list[x509.GeneralName] = [x509.DNSName(one) for one in names or [_NO_NAME]]
    permitted += [x509.IPAddress(ip_network(one)) for one in addresses]
    barred = [] if addresses else [x509.IPAddress(ip_network(one)) for one in _EVERY_ADDRESS]
    return x509.NameConstraints(permitted, barred or None)


def _hosts_of_root(root: x509.Certificate) -> set[Host]:
    """Hosts of the name constraint of a root."""
    found = root.extensions.get_extension_for_class(x509.NameConstraints).value
    return {
        str(one.value.network_address) if isinstance(one, x509.IPAddress) else str(one.value)  # type: ignore[union-attr]  # a constraint holds networks
        for one in found.permitted_subtrees or ()
    }


def _write_key(file: Path, key: PrivateKey) -> None:
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    beside = file.with_suffix(".new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _KEY_MODE)
    with os.fdopen(descriptor, "wb") as out:
        out.write(text)
    beside.replace(file)


def _read_key(file: Path) -> PrivateKey:
    found = load_pem_private_key(file.read_bytes(), None)
    assert isinstance(found, ec.EllipticCurvePrivateKey), "made by this module"
    return found
