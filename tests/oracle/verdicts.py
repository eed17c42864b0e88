"""What the oracle says of each card, cante and swap: lawful, unlawful or open, and since which line.

Law: sections 3, 4 and 6. An act is judged again after every later line, over all worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tests.oracle.cantes import Sung, is_about, may_be_true, must_answer, named_by
from tests.oracle.cantes import broken_condition as broken_by_cante
from tests.oracle.law import EDITIONS, SUITS, accusers, lawful_cards
from tests.oracle.reading import Act, Deal, laid, once
from tests.oracle.swaps import broken_condition as broken_by_swap
from tests.oracle.worlds import Worlds, last_drawer_of, worlds_of

Verdict = tuple[str, int]
"""The answer and the line since which it holds; 0 while it is open."""
JUDGED = ("play", "canta", "cambia")


def verdicts_of(deal: Deal, words: Collection[str] = JUDGED) -> dict[int, Verdict]:
    """Verdict on every card laid, every cante and every swap of a deal, or on some, by its line."""
    deal.assert_orderly()
    assert worlds_of(deal), "the record contradicts itself"
    return dict(_verdicts(deal, words))


def _verdicts(deal: Deal, words: Collection[str]) -> Iterator[tuple[int, Verdict]]:
    for act in deal.acts:
        if act.word not in words:
            continue
        match act.word:
            case "play":
                yield act.line, play_verdict(deal, act)
            case "canta":
                yield act.line, cante_verdict(deal, act)
            case "cambia":
                is_broken = broken_by_swap(deal.cut(act.line), act)
                yield act.line, ("unlawful" if is_broken else "lawful", act.line)


def play_verdict(deal: Deal, act: Act) -> Verdict:
    """Whether a card was laid against a duty of arrastre."""
    accusing = accusers_of(deal, act)
    if not accusing:
        return "lawful", act.line

    def answer(line: int) -> str:
        return play_answer(worlds_of(deal.cut(line)), act, accusing)

    return _since(answer, _reading(deal), act.line, deal.acts[-1].line)


def accusers_of(deal: Deal, play: Act) -> set[str]:
    """Cards that make this one a breach if the seat held one of them besides."""
    number, before = deal.position(play)
    if number <= deal.gaps or not before:
        return set()
    return accusers(play.cards[0], laid(before), play.seat, deal.trump, deal.rules)


def play_answers(deal: Deal) -> dict[int, str]:
    """The answer on every card laid, by its line, without the line since which it holds."""
    deal.assert_orderly()
    plays = [act for act in deal.acts if act.word == "play"]
    return {one.line: play_answer(worlds_of(deal), one, accusers_of(deal, one)) for one in plays}


def play_answer(worlds: tuple[Worlds, ...], act: Act, accusing: set[str]) -> str:
    """Whether a seat certainly, certainly not, or perhaps held a card that accuses this play."""
    may_break = any(
        one.may_hold(act.seat, (card,), act.line) for one in worlds for card in accusing
    )
    may_obey = any(one.may_lack(act.seat, accusing, act.line) for one in worlds)
    return _answer(may_obey=may_obey, may_break=may_break)


def verdicts_listed(deal: Deal) -> dict[int, str]:
    """The same answers by listing every world, with the whole hand of the seat in each."""
    found: dict[int, str] = {}
    for act in deal.acts:
        if act.word not in ("play", "canta"):
            continue
        is_right = _judge_of_hands(deal, act)
        said = {
            is_right(one.hand(world, act.seat, act.line))
            for one in worlds_of(deal, act.line)
            for world in one.listed()
        }
        found[act.line] = _answer(may_obey=True in said, may_break=False in said)
    return found


def _judge_of_hands(deal: Deal, act: Act) -> Callable[[set[str]], bool]:
    """Whether an act of this line was right with a given hand."""
    if act.word == "play":
        number, before = deal.position(act)
        if number <= deal.gaps:
            return lambda hand: True
        card, plays = act.cards[0], laid(before)
        return lambda hand: card in lawful_cards(hand, plays, act.seat, deal.trump, deal.rules)
    suits = _broken(deal, act) or ""
    return lambda hand: any({f"R{suit}", f"S{suit}"} <= hand for suit in suits)


@once
def cante_verdict(deal: Deal, act: Act) -> Verdict:
    """Whether a cante was out of its conditions, disproved, proved, or none of these yet."""
    last = deal.acts[-1].line
    suits = _broken(deal, act)
    if suits is None:
        return "unlawful", _line_of_bar(deal, act)
    changes = [one.line for one in deal.acts if one.word == "anula" and one.line > act.line]
    stood = [line for line in [act.line, *changes] if _suits_at(deal, act, line) is not None]
    changed = [
        line for line in changes if _suits_at(deal, act, line - 1) != _suits_at(deal, act, line)
    ]
    if changed:
        said = Sung(act, act.suits or SUITS.replace(deal.trump, ""))
        then = worlds_of(deal.cut(act.line), act.line)
        if may_be_true(then, said, None) == "unlawful":
            return "unlawful", act.line  # whether the suit was sung or not
        return _after_ruling(deal, act, stood[0], changed[-1])
    for question in deal.acts:
        if question.word == "pregunta" and act.line < question.line <= last:
            before = cante_verdict(deal.cut(question.line - 1), act)
            if before[0] == "unlawful":
                return before
            if _falls_by(deal, act, question):
                return "unlawful", question.line
    named = named_by(deal, act, last)
    first = act.line
    if not act.suits and named:
        suits, first = named, _line_of_name(deal, act)
    hidden, annulled = _hidden_before(deal, act)

    def answer(line: int) -> str:
        if hidden is None or 0 < annulled <= line:
            return may_be_true(worlds_of(deal.cut(line), act.line), Sung(act, suits), None)
        worlds = worlds_of(deal.cut(line), act.line, hidden.act.line)
        return may_be_true(worlds, Sung(act, suits), hidden)

    if annulled:
        return _changed(answer, first, annulled, last)
    return _since(answer, _reading(deal, act.line), first, last)


def _hidden_before(deal: Deal, act: Act) -> tuple[Sung | None, int]:
    """The earlier 20 without a suit of a singer, and the line of the ruling that annulled it later."""
    hidden, annulled, is_void = None, 0, cante_disproved(deal)
    for one in deal.acts:
        is_hidden = one.word == "canta" and not one.suits and one.line < act.line
        if is_hidden and one.seat == act.seat and act.suits != deal.trump:
            ruling = _ruling_about(deal, one)
            if not is_void(one, act.line - 1) and not 0 < ruling < act.line:
                assert hidden is None, "the oracle knows only one earlier 20 without a suit"
                known = named_by(deal, one, deal.acts[-1].line)
                hidden, annulled = Sung(one, known or _broken(deal, one) or ""), ruling
    return hidden, annulled


@once
def _broken(deal: Deal, cante: Act) -> str | None:
    """Suits in which a cante can stand, by all that is recorded; None if it is out of its conditions."""
    then = deal.cut(cante.line)
    return broken_by_cante(deal, cante, cante_disproved(deal), cante_disproved(then))


def _suits_at(deal: Deal, cante: Act, line: int) -> str | None:
    """Suits in which a cante can stand, by the rulings until a line."""
    return _broken(deal.cut(line), cante)


def _line_of_bar(deal: Deal, cante: Act) -> int:
    """Line since which a cante is out of its conditions: its own, or that of a ruling."""
    rulings = [one.line for one in deal.acts if one.word == "anula" and one.line > cante.line]
    found = cante.line
    for line in rulings:
        if _suits_at(deal, cante, line - 1) is not None:
            found = line
    return found


def _after_ruling(deal: Deal, cante: Act, stands: int, changed: int) -> Verdict:
    """Verdict on a cante that stands since a line, and whose suits a ruling changed last at another."""

    def answer(line: int) -> str:
        suits = _suits_at(deal, cante, line) or ""
        return may_be_true(worlds_of(deal.cut(line), cante.line), Sung(cante, suits), None)

    return _changed(answer, stands, changed, deal.acts[-1].line)


def _changed(answer: Callable[[int], str], first: int, changed: int, last: int) -> Verdict:
    """The verdict as of the last line, where a ruling gave another question at a line."""
    final = answer(last)
    if final == "open":
        return "open", 0
    if first < changed and answer(changed - 1) == final:
        return final, _first(lambda line: answer(line) == final, first, changed - 1)
    return final, _first(lambda line: answer(line) == final, changed, last)


def _ruling_about(deal: Deal, act: Act) -> int:
    """Line of the ruling that annulled an act before the deal was over; 0 if none did."""
    if act.line not in deal.annulled():
        return 0
    return next(one.line for one in deal.acts if one.word == "anula" and one.about == act.line)


def _line_of_name(deal: Deal, cante: Act) -> int:
    return next(one.line for one in deal.acts if is_about(one, cante) and one.suits)


def _falls_by(deal: Deal, act: Act, question: Act) -> bool:
    """Whether a cante is void from the answer to a question on: its own, or that of another."""
    past, is_void = deal.cut(question.line), cante_disproved(deal)
    asked = next((c for c in reversed(past.acts) if _is_asked(past, c, question)), None)
    if asked is None:
        return False
    if asked is act and not question.suits:
        return must_answer(deal, question)
    same = [
        one
        for one in past.acts
        if one.word == "canta" and one.suits == question.suits and one is not asked
    ]
    same = [one for one in same if not is_void(one, question.line - 1)]
    if asked is act:
        return bool(question.suits) and any(one.line < act.line for one in same)
    if not question.suits or act not in same or act.line < asked.line:
        return False
    if is_void(asked, question.line - 1):
        return False
    worlds = worlds_of(past, asked.line)
    return may_be_true(worlds, Sung(asked, question.suits), None) != "unlawful"


def _is_asked(deal: Deal, cante: Act, question: Act) -> bool:
    """Whether this cante is the one whose suit was not known before a question."""
    is_hidden = cante.word == "canta" and not named_by(deal, cante, question.line - 1)
    return is_hidden and is_about(question, cante)


def cante_disproved(deal: Deal) -> Callable[[Act, int], bool]:
    """Whether an earlier cante is void as of a line."""

    def is_void(earlier: Act, line: int) -> bool:
        if deal.rules.edition == EDITIONS[0]:
            return _void_in_first_edition(deal.cut(line), earlier)
        suits = _broken(deal, earlier)
        if suits is not None and _broken(deal.cut(line), earlier) != suits:
            worlds = worlds_of(deal.cut(line), earlier.line)  # a ruling came later
            return may_be_true(worlds, Sung(earlier, suits), None) == "unlawful"
        answer, since = cante_verdict(deal.cut(line), earlier)
        return answer == "unlawful" and since <= line

    return is_void


@once
def _void_in_first_edition(deal: Deal, act: Act) -> bool:
    """Whether a condition other than showing it bars a cante, or a card of it was elsewhere at its line."""
    is_void = cante_disproved(deal)
    suits = broken_by_cante(deal, act, is_void, is_void, must_show=False)
    if suits is None:
        return True
    worlds = worlds_of(deal.cut(act.line), act.line)
    cards = [[(f"{rank}{suit}", act.line, True) for rank in "RS"] for suit in suits]
    may = [all(any(w.can_have(act.seat, [c]) for w in worlds) for c in pair) for pair in cards]
    asked = (q for q in deal.acts if q.word == "pregunta" and q.line > act.line)
    return not any(may) or any(_falls_by(deal, act, question) for question in asked)


def _reading(deal: Deal, *asked: int) -> Callable[[int], str]:
    """Who is taken to have drawn the turned card, as of a line."""
    return lambda line: last_drawer_of(deal.cut(line), *asked)


def _since(
    answer: Callable[[int], str], reading: Callable[[int], str], first: int, last: int
) -> Verdict:
    """The verdict as of the last line, and the first line from which it is so.

    More lines only leave fewer worlds, so what is certain stays certain as long as the turned card
    is taken to have been drawn by the same seat.
    """
    final = answer(last)
    if final == "open":
        return "open", 0

    def is_final(line: int) -> bool:
        return answer(line) == final

    begins = first
    if reading(first) != reading(last):
        begins = _first(lambda line: reading(line) == reading(last), first, last)
    since = _first(is_final, begins, last)
    if first < begins == since and is_final(begins - 1):
        return final, _first(is_final, first, begins - 1)
    return final, since


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first line from which something holds; it holds at the highest."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _answer(*, may_obey: bool, may_break: bool) -> str:
    assert may_obey or may_break, "the record contradicts itself"
    if may_obey and may_break:
        return "open"
    return "lawful" if may_obey else "unlawful"
