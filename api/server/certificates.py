"""Certificates for a club without a public host name: a small private authority.

Tablets install the root once. It is limited to its hosts by a name constraint, so a stolen key of
it cannot impersonate others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
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

from referee.log.durable import FILE_MODE, write_file_atomically

TLS_VARIABLES: Final = ("GUINOTE_TLS_CERT", "GUINOTE_TLS_KEY")
"""PEM files of the certificate with its chain, and of its private key."""
Host: TypeAlias = str
PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey

ROOT_DAYS: Final = 3650
SERVER_DAYS: Final = 820
"""Apple's devices refuse server certificates that are valid for more than 825 days."""
_EARLIER: Final = timedelta(days=1)  # a tablet's clock may be behind
ROOT: Final = "root.crt"
"""File of the certificate of an authority; its key is beside it."""
_PUBLIC_MODE: Final = 0o644
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


def write_certificate_files(folder: Path, hosts: tuple[Host, ...], now: datetime) -> Certificates:
    """Write a certificate for these hosts, signed by the folder's authority, made if missing.

    ``hosts``: names and addresses as they are typed into a browser.

    :raises OtherHosts: the authority is not for one of them
    """
    certificate, key = make_certificate_and_key(folder, hosts, now)
    found = Certificates(folder / ROOT, folder / "server.crt", folder / "server.key")
    _write_key(found.key, key)
    found.certificate.write_text(certificate, "ascii")
    return found


def make_certificate_and_key(
    folder: Path, hosts: tuple[Host, ...], now: datetime, limits: tuple[Host, ...] = ()
) -> tuple[str, PrivateKey]:
    """Make a key and a certificate for these hosts, as PEM text; the authority is made if missing.

    ``limits``: Hosts and networks of a new authority.
    """
    hosts = tuple(dict.fromkeys(str(ip_address_of(host) or host) for host in hosts))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    root_file, root_key_file = folder / ROOT, folder / "root.key"
    if root_file.exists():
        root = x509.load_pem_x509_certificate(root_file.read_bytes())
        root_key = _read_key(root_key_file)
    else:
        root_key = ec.generate_private_key(ec.SECP256R1())
        root = _root_certificate(root_key, limits or hosts, now)
        _write_key(root_key_file, root_key)
        write_file_atomically(root_file, root.public_bytes(Encoding.PEM).decode(), _PUBLIC_MODE)
    if unknown := sorted(host for host in hosts if not may_certify(root, host)):
        raise OtherHosts(", ".join(unknown))
    key = ec.generate_private_key(ec.SECP256R1())
    signed = _server_certificate(key, hosts, root, root_key, now)
    return signed.public_bytes(Encoding.PEM).decode(), key


def _root_certificate(key: PrivateKey, hosts: tuple[Host, ...], now: datetime) -> x509.Certificate:
    name = _x509_name(f"Guiñote {hosts[0]}"[:64])
    return (
        _certificate_builder(name, name, key, now, now + timedelta(days=ROOT_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(_name_constraints(hosts), critical=True)
        .sign(key, hashes.SHA256())
    )


def _server_certificate(
    key: PrivateKey,
    hosts: tuple[Host, ...],
    root: x509.Certificate,
    root_key: PrivateKey,
    now: datetime,
) -> x509.Certificate:
    issuer = root_key.public_key()
    until = min(now + timedelta(days=SERVER_DAYS), root.not_valid_after_utc)
    return (
        _certificate_builder(_x509_name(_SERVER), root.subject, key, now, until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_alternative_names(hosts)), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)
        .sign(root_key, hashes.SHA256())
    )


def _certificate_builder(
    subject: x509.Name, issuer: x509.Name, key: PrivateKey, now: datetime, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _x509_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
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


def ip_address_of(host: Host) -> IPv4Address | IPv6Address | None:
    """IP address that a host is; None if the host is a name."""
    try:
        return None if "%" in host else ip_address(host)  # a zone is not part of a host name
    except ValueError:
        return None


def _alternative_names(hosts: Iterable[Host]) -> list[x509.GeneralName]:
    addresses = {host: ip_address_of(host) for host in hosts}
    return [
        x509.DNSName(host) if address is None else x509.IPAddress(address)
        for host, address in addresses.items()
    ]


def _name_constraints(hosts: Iterable[Host]) -> x509.NameConstraints:
    """Name constraint that limits a root certificate to these hosts."""
    addresses = [one for one in map(_network_of, hosts) if one is not None]
    names = [host for host in hosts if _network_of(host) is None]
    permitted: list[x509.GeneralName] = [x509.DNSName(one) for one in names or [_NO_NAME]]
    permitted += map(x509.IPAddress, addresses)
    barred = [] if addresses else [x509.IPAddress(ip_network(one)) for one in _EVERY_ADDRESS]
    return x509.NameConstraints(permitted, barred or None)


def _network_of(host: Host) -> IPv4Network | IPv6Network | None:
    """IP network that an address or a network is; None if it is a name."""
    try:
        return None if "%" in host else ip_network(host)
    except ValueError:
        return None


def may_certify(root: x509.Certificate, host: Host) -> bool:
    """Whether the name constraint of a root permits a host."""
    found = root.extensions.get_extension_for_class(x509.NameConstraints).value
    address, permitted = ip_address_of(host), found.permitted_subtrees or ()
    if address is None:
        return x509.DNSName(host) in permitted
    networks = [ip_network(str(one.value)) for one in permitted if isinstance(one, x509.IPAddress)]
    return any(address in one for one in networks)


def private_key_pem(key: PrivateKey) -> str:
    """Private key as PEM text."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _write_key(file: Path, key: PrivateKey) -> None:
    write_file_atomically(file, private_key_pem(key), FILE_MODE)


def _read_key(file: Path) -> PrivateKey:
    found = load_pem_private_key(file.read_bytes(), None)
    assert isinstance(found, ec.EllipticCurvePrivateKey), "made by this module"
    return found
