"""What each room may import besides itself and the standard library: what it does, and no more.

A name stands for the package and all that is inside it; the longest entry that a module lies in
counts. ``test_architecture.py`` compares the table with the program.
"""

from __future__ import annotations

ROOMS: dict[str, str] = {
    # the write side
    "referee": "",
    "referee.rules": "",
    "referee.events": "referee.rules msgspec",
    "referee.table": "referee.events referee.rules msgspec",
    # what a card was worth; the engine is loaded at the first question
    "referee.analysis": "referee.rules msgspec",
    "referee.analysis.engine": "referee.rules wasmtime",
    "referee.analysis.deals": "referee.rules referee.table msgspec",
    "referee.analysis.reports": "referee.rules referee.table msgspec",
    "referee.analysis.costs": "referee.rules referee.table",
    "referee.analysis.claims": "referee.events referee.rules referee.table msgspec",
    "referee.analysis.puzzles": "referee.rules referee.table",
    # a draw is committed to by a hash of canonical JSON
    "referee.aggregates": "referee.events referee.rules referee.table msgspec",
    "referee.aggregates.tournament": (
        "referee.aggregates referee.events referee.rules msgspec rfc8785"
    ),
    "referee.aggregates.league": "referee.events msgspec",
    "referee.aggregates.road": "referee.events msgspec",
    # a publication has digests of canonical JSON
    "referee.aggregates.publication": "referee.events msgspec rfc8785",
    "referee.aggregates.ranking": "referee.aggregates.publication referee.events msgspec",
    "referee.kinds": "referee.aggregates referee.events referee.log",
    # handlers load, have an aggregate decide, and save
    "referee.handlers": (
        "referee.aggregates referee.events referee.kinds referee.log referee.rules msgspec"
    ),
    "referee.access": "",
    "referee.access.addresses": "referee.aggregates referee.events",
    "referee.access.admission": (
        "referee.aggregates referee.events referee.handlers referee.log referee.rules"
    ),
    "referee.access.tables": "referee.log referee.store msgspec",
    "referee.access.attempts": "referee.events referee.store",
    "referee.access.keys": "referee.events referee.log referee.store eventsourcing werkzeug",
    "referee.access.passwords": "zxcvbn",
    # secrets are sealed as names are, under a key of their own
    "referee.access.password_recovery": "referee.events referee.people",
    "referee.access.webhooks": "referee.events referee.people referee.store",
    "referee.access.second_factor": "referee.events referee.people pyotp",
    "referee.access.security_log": "referee.log referee.store msgspec",
    "referee.record": "referee.aggregates referee.events referee.rules msgspec",
    # the law as a library of its own: what a partida is, without a log
    "referee.library": (
        "referee.aggregates referee.events referee.record referee.rules referee.table msgspec"
    ),
    "referee.release": "",
    "referee.system": "",
    "referee.log": "referee.events referee.release referee.system eventsourcing msgspec",
    "referee.log.merkle": "msgspec rfc8785",
    "referee.log.postgres": "referee.log eventsourcing msgspec psycopg",
    "referee.store": "referee.log referee.release eventsourcing",
    "referee.store.server": "referee.log referee.release psycopg",
    "referee.people": (
        "referee.events referee.log referee.store referee.system cryptography msgspec"
    ),
    "referee.application": "",
    # names and accounts are verified beside the log
    "referee.audit": (
        "referee.access referee.aggregates referee.events referee.kinds referee.log "
        "referee.people referee.rules referee.store referee.system cryptography msgspec"
    ),
    # the read side
    "projections": "msgspec",
    # its lines have the form of those of the server, and so has its end
    "projections.process": (
        "referee.log projections api.monitoring.log_lines api.server.faults eventsourcing"
    ),
    "projections.facts": "referee.events referee.table msgspec",
    # every stream is folded here, once for all projections
    "projections.runner": (
        "referee.aggregates referee.events referee.kinds referee.log referee.system msgspec"
    ),
    "projections.audit_trail": "referee.events referee.log projections.runner msgspec",
    "projections.legality": (
        "referee.aggregates referee.events referee.rules referee.table projections.facts "
        "projections.runner msgspec"
    ),
    "projections.scores": (
        "referee.aggregates referee.events referee.rules referee.table projections.facts "
        "projections.legality projections.runner projections.views msgspec"
    ),
    "projections.board": (
        "referee.aggregates referee.events referee.rules referee.table projections.facts "
        "projections.legality projections.runner projections.scores projections.views msgspec"
    ),
    "projections.cases": (
        "referee.aggregates referee.events referee.kinds referee.log projections.audit_trail "
        "projections.facts projections.runner projections.scores projections.views msgspec"
    ),
    "projections.replay": (
        "referee.aggregates referee.events referee.log referee.rules referee.table "
        "projections.facts projections.legality projections.scores projections.views msgspec"
    ),
    # pyarrow is an extra, read where a file is written
    "projections.study": (
        "referee.aggregates referee.kinds referee.log referee.rules referee.table "
        "projections.runner pyarrow"
    ),
    "projections.players": "referee.aggregates referee.events projections.runner",
    "projections.club_rules": "referee.aggregates referee.events referee.log projections.runner",
    "projections.seasons": (
        "referee.aggregates referee.events referee.rules referee.table projections.board "
        "projections.facts projections.runner projections.views msgspec"
    ),
    "projections.ratings": (
        "referee.aggregates referee.events projections.players projections.runner "
        "projections.seasons glicko2"
    ),
    "projections.puzzles": (
        "referee.aggregates referee.analysis referee.rules referee.table projections.runner msgspec"
    ),
    "projections.tournaments": (
        "referee.aggregates.tournament referee.events projections.board projections.facts "
        "projections.runner projections.views msgspec"
    ),
    "projections.leagues": (
        "referee.aggregates.league referee.events projections.facts projections.runner "
        "projections.views msgspec"
    ),
    "projections.publication": (
        "referee.aggregates referee.events referee.rules projections.runner projections.seasons msgspec"
    ),
    # also worked out by the command, without a log
    "projections.rankings": (
        "referee.aggregates referee.audit.house_files referee.audit.result_files referee.events "
        "referee.log.mapper projections.ratings projections.runner msgspec"
    ),
    "projections.roads": ("referee.aggregates.road referee.events projections.runner msgspec"),
    # what others are told of
    "projections.notifications": "referee.aggregates referee.events referee.log msgspec",
    # common to every room of the API
    "api": "",
    "api.http": (
        "referee.access referee.access.addresses referee.aggregates.access referee.aggregates.league.state referee.aggregates.road "
        "referee.aggregates.publication referee.aggregates.ranking "
        "referee.aggregates.settings referee.application referee.audit referee.events referee.log.faults referee.log.mapper "
        "referee.log.streams referee.people referee.rules referee.system projections.board "
        "projections.facts projections.legality projections.rankings projections.runner flask flask_smorest jinja2 "
        "marshmallow msgspec python_calamine webargs werkzeug"
    ),
    "api.http.access": (
        "referee.access referee.aggregates.access referee.events referee.system api.http flask "
        "werkzeug"
    ),
    "api.http.clock": "referee.log.mapper api.http flask",
    "api.http.acts": "referee.events api.http marshmallow msgspec",
    # a small file beside the log
    "api.http.access.reach": "referee.log.durable referee.system api.http",
    "api.html": (
        "referee.events referee.log.streams referee.rules api.http flask icalendar markupsafe "
        "marshmallow segno werkzeug"
    ),
    # what an evening, a season and a tournament cost, and their prizes
    "api.money": "api.http marshmallow",
    # what the document of the API says beside the schemas
    "api.document": "referee.rules api.html api.http flask werkzeug",
    # how the service is, for whoever runs it
    "api.monitoring": (
        "referee.access.security_log referee.aggregates.partida "
        "referee.aggregates.league.state referee.aggregates.road referee.aggregates.tournament.rules "
        "referee.aggregates.publication referee.aggregates.ranking "
        "referee.audit.auditor referee.audit.notary "
        "referee.events referee.log.faults referee.log.mapper referee.log.streams referee.rules "
        "api.http flask msgspec prometheus_client structlog"
    ),
    # rooms, in the order of their imports
    "api.profiles": (
        "referee.aggregates referee.events referee.rules projections.legality "
        "projections.views api.html api.http flask marshmallow msgspec"
    ),
    "api.profiles.own": (
        "referee.aggregates referee.events referee.log.streams referee.rules "
        "projections.club_rules projections.seasons projections.views api.html api.http "
        "api.profiles flask marshmallow msgspec werkzeug"
    ),
    "api.audit": (
        "referee.audit referee.events referee.log.mapper projections.audit_trail "
        "projections.facts api.html api.http flask msgspec werkzeug"
    ),
    "api.tablet": "referee.rules api.brand api.help api.html api.http flask",
    "api.club": (
        "referee.aggregates referee.events referee.log.streams referee.rules "
        "projections.players projections.scores projections.seasons projections.tournaments "
        "projections.views api.html api.http api.publication flask marshmallow msgspec "
        "werkzeug"
    ),
    # kept until the season ends
    "api.club.phones": (
        "referee.aggregates referee.application referee.events referee.log.faults "
        "referee.log.streams projections.seasons projections.tournaments api.club api.html api.http flask marshmallow"
    ),
    # what is erased with a person is looked for in the whole log
    "api.club.mentions": (
        "referee.application referee.events referee.log.mapper referee.people api.http msgspec"
    ),
    "api.tournaments": (
        "referee.aggregates.tournament referee.events referee.log.streams "
        "projections.facts projections.players projections.tournaments projections.views "
        "api.audit api.html api.http api.money api.profiles flask icalendar marshmallow "
        "msgspec"
    ),
    "api.tournaments.desk": (
        "referee.access.addresses referee.aggregates.tournament referee.events "
        "referee.log.streams projections.facts api.club api.html api.http "
        "api.money api.tournaments flask markupsafe marshmallow msgspec werkzeug"
    ),
    "api.leagues": (
        "referee.access.addresses referee.aggregates.league referee.events "
        "referee.log.streams projections.leagues projections.views api.audit api.club "
        "api.html api.http flask icalendar marshmallow msgspec werkzeug"
    ),
    "api.roads": (
        "referee.aggregates referee.audit.checkpoint referee.audit.house_files "
        "referee.audit.lists referee.audit.proofs referee.events referee.log.streams "
        "projections.roads projections.views api.audit api.brand api.club api.html api.http "
        "api.tournaments flask marshmallow msgspec werkzeug"
    ),
    "api.publication": (
        "referee.access referee.aggregates referee.audit referee.events referee.kinds "
        "referee.log.faults referee.log.streams projections.publication api.audit api.html api.http flask msgspec "
        "werkzeug"
    ),
    "api.rankings": (
        "referee.aggregates referee.audit referee.events referee.log.streams "
        "projections.rankings api.audit api.backups.places api.html api.http api.outgoing api.publication api.uploads flask "
        "marshmallow msgspec werkzeug"
    ),
    "api.puzzles": "referee.analysis referee.rules projections.puzzles api.html api.http flask msgspec",
    "api.board": (
        "referee.events referee.rules referee.system projections.board projections.legality "
        "projections.seasons projections.tournaments projections.views api.html api.http "
        "api.puzzles api.tournaments flask marshmallow msgspec"
    ),
    "api.seasons": (
        "referee.aggregates referee.analysis referee.events referee.handlers.seasons "
        "referee.log.streams referee.rules projections.board projections.facts "
        "projections.players projections.puzzles projections.ratings projections.scores "
        "projections.seasons projections.tournaments projections.views api.board api.club "
        "api.html api.http api.money api.profiles flask icalendar marshmallow msgspec "
        "werkzeug"
    ),
    "api.seasons.day": "referee.events referee.log.streams api.html api.http flask werkzeug",
    "api.embed": "api.board api.html api.http api.leagues api.seasons api.tournaments flask",
    "api.previews": (
        "referee.aggregates referee.events referee.handlers.encuentros projections.facts "
        "projections.legality projections.scores projections.seasons projections.tournaments "
        "api.http api.profiles api.seasons flask marshmallow"
    ),
    "api.encuentros": (
        "referee.aggregates referee.application referee.events referee.kinds "
        "referee.log.streams referee.people referee.record referee.rules referee.table "
        "projections.board projections.cases projections.facts projections.legality "
        "projections.replay projections.scores projections.seasons projections.tournaments "
        "projections.views api.audit api.html api.http api.previews api.profiles flask "
        "marshmallow msgspec"
    ),
    "api.cases": (
        "referee.aggregates referee.analysis referee.audit referee.events referee.kinds "
        "referee.log.mapper referee.log.streams referee.rules referee.table "
        "projections.audit_trail projections.cases projections.facts projections.legality "
        "projections.replay projections.scores projections.views api.audit api.encuentros "
        "api.html api.http api.previews api.profiles flask markupsafe marshmallow msgspec "
        "werkzeug"
    ),
    "api.results": (
        "referee.access referee.aggregates referee.events referee.log.streams referee.rules "
        "projections.board projections.scores projections.seasons api.board "
        "api.cases api.encuentros api.html api.http flask markupsafe marshmallow msgspec werkzeug"
    ),
    # a file of results becomes evenings of the club
    "api.results.files": (
        "referee.aggregates.encuentro referee.aggregates.session "
        "referee.aggregates.session_tables referee.events referee.log.streams referee.rules "
        "projections.seasons api.club api.html api.http api.profiles api.results api.seasons "
        "flask marshmallow msgspec"
    ),
    "api.replay": (
        "referee.aggregates referee.analysis referee.events referee.kinds "
        "referee.record referee.rules referee.table projections.facts projections.legality "
        "projections.replay projections.views api.audit api.cases api.encuentros api.html "
        "api.http api.profiles flask jinja2 marshmallow msgspec segno werkzeug"
    ),
    "api.door": (
        "referee.aggregates.encuentro referee.audit.proofs referee.events referee.rules "
        "referee.analysis api.audit api.brand api.cases api.encuentros api.html api.http api.replay "
        "flask jinja2 markupsafe msgspec"
    ),
    # shortest records of the rules, replayed under both values
    "api.examples": (
        "referee.aggregates referee.events referee.record referee.rules referee.table "
        "api.html api.http api.profiles api.replay flask msgspec"
    ),
    "api.accounts": (
        "referee.access referee.aggregates.access referee.aggregates.settings referee.events "
        "referee.log.durable referee.log.streams referee.release referee.rules api.encuentros "
        "api.html api.http flask msgspec pyotp werkzeug"
    ),
    "api.accounts.apps": (
        "referee.access referee.aggregates.access referee.errors referee.events "
        "referee.log.streams projections.views api.accounts api.html api.http flask "
        "marshmallow msgspec werkzeug"
    ),
    "api.backups": (
        "referee.events referee.log.durable referee.release api.html api.http api.uploads flask msgspec "
        "werkzeug"
    ),
    "api.uploads": "referee.log.durable",
    "api.brand": (
        "referee.events referee.log.streams referee.people.persons api.accounts api.html "
        "api.http flask marshmallow msgspec werkzeug"
    ),
    "api.webhooks": (
        "referee.access.webhooks referee.aggregates.webhooks referee.events referee.kinds "
        "referee.log projections.notifications projections.runner.log projections.views api.html api.http "
        "api.outgoing "
        "flask marshmallow msgspec werkzeug"
    ),
    "api.outgoing": "api.http marshmallow",
    "api.home": (
        "referee.errors referee.rules projections.cases projections.seasons "
        "projections.tournaments api.board api.club api.encuentros api.html api.http "
        "api.monitoring.readiness api.profiles api.seasons api.tournaments flask msgspec"
    ),
    "api.help": "referee.errors api.html api.http flask markupsafe",
    "api.search": (
        "api.club api.help api.html api.http api.leagues api.seasons api.tournaments flask"
    ),
    "api.demo": (
        "referee.aggregates referee.application referee.events referee.kinds referee.log.mapper "
        "referee.log.streams referee.people referee.record referee.rules api.encuentros "
        "api.html api.http flask"
    ),
    # an application of its own, which knows no club from inside
    "api.lobby": (
        "referee.access.attempts referee.store api.accounts.mail api.brand.brand api.html api.http "
        "api.monitoring.readiness api.monitoring.security_contact flask werkzeug"
    ),
    # composition
    "api.server": (
        "referee projections api cryptography eventsourcing flask gunicorn msgspec "
        "waitress werkzeug zeroconf"
    ),
    "api.server.https": (
        "referee.log.durable referee.log.faults projections.runner.runner api.accounts.house_https "
        "api.http.access.reach api.server cryptography"
    ),
    "api.server.moving": ("referee api.backups.releases api.http.access.tokens api.server msgspec"),
    "api.server.restoration": (
        "referee projections.runner.log projections.runner.runner api.backups api.server msgspec"
    ),
    "api.server.faults": (
        "referee.log referee.people referee.system api.http api.server eventsourcing flask msgspec"
    ),
    "api.cli": "referee projections api click msgspec segno",
}
