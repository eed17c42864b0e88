"""Which faults each kind of house goes through, in this order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from tests.chaos.houses import ChaosHouse, OneComputer, TwoComputers
from tests.chaos.strikes import (
    clocks,
    crowds,
    disks,
    folders,
    networks,
    pages,
    persons,
    processes,
    releases,
    server_disks,
    upgrades,
)

Strike: TypeAlias = Callable[[ChaosHouse], str | None]
StrikeOfOne: TypeAlias = Callable[[OneComputer], str | None]
StrikeOfTwo: TypeAlias = Callable[[TwoComputers], str | None]

PROCESSES: Final[tuple[Strike, ...]] = (
    *(processes.worker_killed, processes.projector_killed, processes.notary_killed),
    *(processes.master_killed, processes.computer_killed, processes.computer_frozen),
    *(processes.views_damaged, crowds.bodies_half_sent, pages.many_boards),
    persons.person_erased,
)
OF_SQLITE: Final[tuple[StrikeOfOne, ...]] = (
    *(*PROCESSES, processes.journal_lost, folders.accounts_missing, folders.key_missing),
    folders.log_page_damaged,
)
OF_A_RELEASE: Final[tuple[StrikeOfOne, ...]] = (releases.release_changed,)
# years back first: acts of an hour ahead would be witnesses against the right clock for an hour
OF_A_LIBC: Final[tuple[StrikeOfOne, ...]] = (
    *(clocks.clock_years_back, clocks.clock_forward, clocks.clock_back, disks.disk_failing),
    pages.pages_of_a_failing_disk,
)
OF_A_DISK: Final[tuple[StrikeOfOne, ...]] = (
    *(
        disks.disk_full,
        folders.started_on_a_full_disk,
        disks.disk_gone,
        disks.power_cut,
        disks.power_cut,
        disks.power_cut,
    ),
)
OF_AN_UNFLUSHED_DISK: Final = (disks.power_cut_unflushed,)
OF_POSTGRESQL: Final[tuple[StrikeOfTwo, ...]] = (
    *PROCESSES,
    *(networks.connections_cut, networks.network_half_open, networks.network_slow),
    *(networks.backend_killed, networks.server_killed, networks.server_frozen),
    pages.pages_without_postgresql,
)
OF_TWO_LIBCS: Final[tuple[StrikeOfTwo, ...]] = (clocks.clocks_apart,)
OF_WIRES: Final[tuple[StrikeOfTwo, ...]] = (networks.network_half_open_long,)
OF_SERVER_DISKS: Final[tuple[StrikeOfTwo, ...]] = (
    *(server_disks.computer_disk_full, server_disks.computer_disk_gone),
    *(server_disks.server_disk_full, server_disks.server_disk_gone),
    *(server_disks.server_power_cut, server_disks.every_power_cut, server_disks.every_power_cut),
)
LAST: Final[tuple[StrikeOfTwo, ...]] = (networks.failed_over, server_disks.server_files_damaged)
"""Nothing stands by after any of them, so each has a house of its own."""
OF_AN_UPGRADE: Final = (
    *(upgrades.first_beside_this, upgrades.first_left_behind),
    *(upgrades.later_beside_this, upgrades.this_left_behind),
)
SHORT: Final[tuple[StrikeOfTwo, ...]] = (
    *(processes.computer_killed, networks.connections_cut, networks.failed_over),
)
"""What the test command does of it."""
