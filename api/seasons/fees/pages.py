"""The page of fees and prizes of an evening or a season, for whoever collects them; its file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, form_value, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.languages import language, say
from api.http.services import await_position_in_request, pending_texts
from api.http.spreadsheets import Cell, print_csv
from api.money.amounts import print_amount, prize_dicts_in_text, prize_lines, read_amount_or_none
from api.seasons import views
from api.seasons.fees import schemas
from api.seasons.fees.account import (
    FeeAccountData,
    Payable,
    PayerData,
    fee_account,
    fees_act_of_body,
    load_session_or_season,
    other_payers_of_club,
    payment_act,
    preset_terms,
    record_fees_act,
)
from api.seasons.fees.prizes import prizes_with_words
from projections.facts import view_of
from projections.seasons.views import PrizeIdData
from referee.events import FeesSet
from referee.log.streams import Answer

blp = Blueprint("fees_pages", __name__)
_SESSION: Final = "/jornadas/<uuid:session_id>/cuotas"
_SEASON: Final = "/temporadas/<uuid:season_id>/cuotas"
_AMOUNTS: Final = ("fee", "kept")


@blp.get(_SESSION)
@guard.requires("club:manage")
def show_session_fees(session_id: UUID) -> Response:
    """Fee, prizes and who has paid of an evening"""
    await_position_in_request()
    return _account_page(Payable("session", session_id), [], 200)


@blp.post(_SESSION)
@guard.requires("club:manage")
def set_session_fees(session_id: UUID) -> AnyResponse:
    """Set the fee and the prizes of an evening"""
    return _set_fees(Payable("session", session_id))


@blp.post(f"{_SESSION}/pagos")
@guard.requires("club:manage")
def record_session_payment(session_id: UUID) -> AnyResponse:
    """Note that somebody has paid for the evening, or has not"""
    return _record_payment(Payable("session", session_id))


@blp.get(f"{_SESSION}.csv")
@guard.requires("club:manage")
def download_session_fees(session_id: UUID) -> Response:
    """Who has paid for the evening, and who gets what, for a spreadsheet"""
    await_position_in_request()
    return _account_file(Payable("session", session_id))


@blp.get(_SEASON)
@guard.requires("club:manage")
def show_season_fees(season_id: UUID) -> Response:
    """Fee, prizes and who has paid of a season"""
    await_position_in_request()
    return _account_page(Payable("season", season_id), [], 200)


@blp.post(_SEASON)
@guard.requires("club:manage")
def set_season_fees(season_id: UUID) -> AnyResponse:
    """Set the fee and the prizes of a season"""
    return _set_fees(Payable("season", season_id))


@blp.post(f"{_SEASON}/pagos")
@guard.requires("club:manage")
def record_season_payment(season_id: UUID) -> AnyResponse:
    """Note that somebody has paid for the season, or has not"""
    return _record_payment(Payable("season", season_id))


@blp.get(f"{_SEASON}.csv")
@guard.requires("club:manage")
def download_season_fees(season_id: UUID) -> Response:
    """Who has paid for the season, and who gets what, for a spreadsheet"""
    await_position_in_request()
    return _account_file(Payable("season", season_id))


def _set_fees(of_what: Payable) -> AnyResponse:
    def write() -> Answer:
        body = forms.load_by_schema(schemas.FeesIn, _body_of_form())
        made, version = forms.meta_of_form(), forms.version_of_form("version")
        with pending_texts() as put:
            return put.erase_if_replayed(
                record_fees_act(of_what, fees_act_of_body(body, put), made, version)
            )

    return _redirect_or_explain(of_what, *attempt_write(write))


def _body_of_form() -> Body:
    """Fee and prizes of the form, as a request has them.

    :raises ma.ValidationError: what was typed is no amount
    """
    amounts = {one: read_amount_or_none(form_value(one) or "0") for one in _AMOUNTS}
    if faults := [one for one, cents in amounts.items() if cents is None]:
        raise ma.ValidationError({one: [FieldFault("not_an_amount")] for one in faults})
    return {**amounts, "prizes": prize_dicts_in_text(form_value("prizes"))}


def _record_payment(of_what: Payable) -> AnyResponse:
    who = {one: form_value(one) for one in ("person", "pair") if form_value(one)}

    def write() -> Answer:
        body = forms.load_by_schema(schemas.PaymentIn, {**who, "paid": form_value("paid") == "yes"})
        return record_fees_act(of_what, payment_act(of_what, body), forms.meta_of_form())

    return _redirect_or_explain(of_what, *attempt_write(write), to=next(iter(who.values()), ""))


def _redirect_or_explain(
    of_what: Payable, answer: Answer | None, wrong: FieldErrors, status: int, to: str = ""
) -> AnyResponse:
    """Redirect to the account at the line of a payer; after a refusal the page with the faults."""
    if answer is None:
        return _account_page(of_what, wrong, status)
    there = f"#q-{to}" if to else ""
    return redirect(f"{of_what.page_path}/cuotas?wait={answer.position}{there}", 303)


def _account_page(of_what: Payable, wrong: FieldErrors, status: int) -> Response:
    account, terms = fee_account(of_what), load_session_or_season(of_what).fees.terms
    of, lang = account.of, language()
    return page(
        "seasons/fees/fees.html",
        account=account,
        is_set=terms is not None,
        here=of_what.page_path,
        title=_title(of_what),
        span=of_what.span,
        typed=_fields_in_form() if wrong else _fields_of_terms(terms or preset_terms(of_what)),
        others=other_payers_of_club(account.payers, of) if account.fee else [],
        money=lambda cents: print_amount(cents, lang),
        prizes=prize_lines([(one.amount, one.words) for one in account.prizes], lang),
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


def _title(of_what: Payable) -> str:
    """The evening by its day, or the season by its name."""
    if of_what.span == "season":
        return views.complete_season_view(of_what.id).name or say("grammar.nameless", language())
    return views.complete_session_view(of_what.id).date


def _fields_in_form() -> dict[str, str]:
    return {one: form_value(one) for one in (*_AMOUNTS, "prizes")}


def _fields_of_terms(terms: FeesSet) -> dict[str, str]:
    """Fee and prizes as one would type them."""
    lang = language()
    prizes = prizes_with_words([view_of(PrizeIdData, one) for one in terms.prizes])
    lines = prize_lines([(one.amount, one.words) for one in prizes], lang)
    amounts = {one: getattr(terms, one) for one in _AMOUNTS}
    shown = {one: print_amount(cents, lang) if cents else "" for one, cents in amounts.items()}
    return {**shown, "prizes": "\n".join(lines)}


def _account_file(of_what: Payable) -> Response:
    text = print_account(fee_account(of_what), language())
    response = Response(text.encode(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="cuotas.csv"'
    response.headers["Cache-Control"] = "no-store"
    return response


def print_account(account: FeeAccountData, lang: str) -> str:
    """A line for each who paid or has to, with place and prize; a prize that nobody has is last."""
    head = [say("season.pair" if account.of == "pairs" else "season.player", lang)]
    head += [say(f"fees.file_{one}", lang) for one in ("paid", "amount", "club")]
    head += [say("season.place", lang), say("fees.file_prize", lang)]
    shared = _prize_words_by_winner(account, lang)
    rows = [
        _row(one, account, shared.get(one.pair or one.person, []), lang) for one in account.payers
    ]
    left = [["", "", "", "", "", one] for one in shared.get("", ())]
    return print_csv(head, [*rows, *left], lang)


def _prize_words_by_winner(account: FeeAccountData, lang: str) -> dict[str, list[str]]:
    """Prizes in words by who gets them; those that nobody has yet under an empty id."""
    found: dict[str, list[str]] = {}
    words = prize_lines([(one.amount, one.words) for one in account.prizes], lang)
    for prize, what in zip(account.prizes, words, strict=True):
        said = say("fees.place", lang, n=prize.place) + " " + what
        winners = prize.winners
        if len(winners) > 1:
            said = say("fees.shared", lang, prize=said, n=len(winners))
        for who in [one.pair or one.person for one in winners] or [""]:
            found.setdefault(who, []).append(said)
    return found


def _row(one: PayerData, account: FeeAccountData, prizes: Sequence[str], lang: str) -> list[Cell]:
    amounts = [account.fee, account.kept] if one.paid else [0, 0]
    return [
        one.name or say("grammar.nameless", lang),
        say("fees.yes" if one.paid else "fees.no", lang),
        *(Decimal(cents).scaleb(-2) for cents in amounts),
        "" if one.place is None else one.place,
        " + ".join(prizes),
    ]
