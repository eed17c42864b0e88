/**
 * Acts, as they are sent and recorded: a field at its default may be missing.
 * @import { Card, Rank, Suit } from "./cards.js"
 * @import { Seat, Side } from "./seats.js"
 *
 * @typedef {Record<Side, number>} Totals points by side
 * @typedef {"first_deal" | "claim" | "false_claim" | "renuncio" | "concession" | "unclaimed" | "target" | "abandonment" | "tute"
 *   | "ruling"} How way in which a partida ends
 * @typedef {"partida" | "points" | "dealer" | "annul_act" | "annul_deal" | "replay_deal" | "renuncio" | "warning" | "nothing"} Effect
 *
 * @typedef {object} Fields fields of each kind of act
 * @property {{dealer: Seat, cut?: number | null, removed?: Card, cutter?: Seat, packets?: "" | "3+3" | "one_by_one"}} deal
 * @property {{hands?: Record<Seat, number>}} misdeal
 * @property {{seat: Seat, cards: number}} wrong_deal
 * @property {{card: Card}} pinta
 * @property {{seat: Seat, cards: Card[], moment?: "dealt" | "now"}} hand
 * @property {{cards: Card[]}} stock
 * @property {{seat: Seat, card: Card}} card
 * @property {{seat: Seat, card?: Card}} draw
 * @property {{seat: Seat, fault: string, card?: Card}} wrong_draw
 * @property {{seat: Seat, suit?: Suit, shown?: boolean | null}} cante
 * @property {{by: Seat, seat: Seat, suit?: Suit}} ask_suit
 * @property {{seat: Seat, card?: Card}} swap
 * @property {{seat: Seat, rank: Rank, shown?: boolean | null}} tute
 * @property {{seat: Seat, trick: number}} review
 * @property {{seat: Seat, cards?: Card[], void?: Suit[], whole?: boolean}} show
 * @property {{incident: string, seat?: Seat, card?: Card, text?: string}} incident
 * @property {{by: Seat, against: Seat, trick?: number, deal?: number}} denounce
 * @property {{seat: Seat}} claim
 * @property {{seat: Seat}} claim_rest
 * @property {{totals?: Totals}} count
 * @property {{side: Side}} concede
 * @property {{side: Side}} abandon
 * @property {{}} time
 * @property {{text?: string}} suspend
 * @property {{}} resume
 * @property {{replayed?: boolean, text?: string}} annul
 * @property {{seat: Seat, points?: number | null}} trick
 * @property {{winner: Side, how?: How, totals?: Totals, text?: string}} result
 * @property {{effect: Effect, text: string, side?: Side, seat?: Seat, points?: number, line?: number}} ruling
 *
 * @typedef {keyof Fields} Kind
 */
/**
 * An act of one kind.
 * @template {Kind} K
 * @typedef {{kind: K} & Fields[K]} ActOf
 */
/** @typedef {{[K in Kind]: ActOf<K>}[Kind]} Act an act of a table */
/**
 * @typedef {{line: number, how: "replace" | "insert", act: Act} | {line: number, how: "withdraw", act?: null}} Change
 * @typedef {{kind: "amend", changes: Change[], text?: string}} Amendment a correction of earlier lines
 * @typedef {{line: number, act: Act}} Entry an act that stands
 * @typedef {{line: number, act: Act | Amendment, queued?: boolean}} Recorded a line of the log; `queued`: the service does not have it yet
 */
export {};
