"""Stored names: the table of every event that may be on the log."""

from __future__ import annotations

from referee import events
from referee.events import Fact

NAMES: dict[str, type[Fact]] = {
    # acts of a partida
    "DealStarted.1": events.DealStarted,
    "Misdealt.1": events.Misdealt,
    "WrongDealFound.1": events.WrongDealFound,
    "PintaTurned.1": events.PintaTurned,
    "HandEntered.1": events.HandEntered,
    "StockEntered.1": events.StockEntered,
    "CardPlayed.1": events.CardPlayed,
    "CardDrawn.1": events.CardDrawn,
    "WrongDraw.1": events.WrongDraw,
    "CanteAnnounced.1": events.CanteAnnounced,
    "PintaSwapped.1": events.PintaSwapped,
    "TuteAnnounced.1": events.TuteAnnounced,
    "TrickReviewed.1": events.TrickReviewed,
    "CardsShown.1": events.CardsShown,
    "IncidentNoted.1": events.IncidentNoted,
    "RenuncioDenounced.1": events.RenuncioDenounced,
    "ClaimMade.1": events.ClaimMade,
    "CountEntered.1": events.CountEntered,
    "Conceded.1": events.Conceded,
    "Abandoned.1": events.Abandoned,
    "TimeCalled.1": events.TimeCalled,
    "PlaySuspended.1": events.PlaySuspended,
    "PlayResumed.1": events.PlayResumed,
    "DealAnnulled.1": events.DealAnnulled,
    "TrickEntered.1": events.TrickEntered,
    "ResultEntered.1": events.ResultEntered,
    "RulingGiven.1": events.RulingGiven,
    "LogAmended.1": events.LogAmended,
    # conclusions of a partida
    "PartidaOpened.1": events.PartidaOpened,
    "DealerDue.1": events.DealerDue,
    "DealCounted.1": events.DealCounted,
    "VueltasBegun.1": events.VueltasBegun,
    "ClaimJudged.1": events.ClaimJudged,
    "PartidaWon.1": events.PartidaWon,
    "ConclusionRevised.1": events.ConclusionRevised,
    # acts of an encuentro
    "EncuentroOpened.1": events.EncuentroOpened,
    "DrawMade.1": events.DrawMade,
    "PlayersSeated.1": events.PlayersSeated,
    "PlayerSubstituted.1": events.PlayerSubstituted,
    "PartidaStarted.1": events.PartidaStarted,
    "EncuentroRuled.1": events.EncuentroRuled,
    # conclusions of an encuentro
    "OutcomeFollowed.1": events.OutcomeFollowed,
    "CotoWon.1": events.CotoWon,
    "EncuentroWon.1": events.EncuentroWon,
    "EncuentroRevised.1": events.EncuentroRevised,
    "CaseFollowed.1": events.CaseFollowed,
    # the result of an encuentro
    "CodeGiven.1": events.CodeGiven,
    "ResultReported.1": events.ResultReported,
    "ResultConfirmed.1": events.ResultConfirmed,
    "ResultContested.1": events.ResultContested,
    "ResultMadeOfficial.1": events.ResultMadeOfficial,
    "ResultReopened.1": events.ResultReopened,
    # acts of a case
    "CaseOpened.1": events.CaseOpened,
    "EvidenceAttached.1": events.EvidenceAttached,
    "CaseRuled.1": events.CaseRuled,
    "Appealed.1": events.Appealed,
    "AppealDecided.1": events.AppealDecided,
    "CaseClosed.1": events.CaseClosed,
    # access to the house
    "RoleGranted.1": events.RoleGranted,
    "DevicePaired.1": events.DevicePaired,
    "AccessRevoked.1": events.AccessRevoked,
    # seasons and sessions
    "SeasonOpened.1": events.SeasonOpened,
    "ScoringSet.1": events.ScoringSet,
    "SeasonClosed.1": events.SeasonClosed,
    "SessionOpened.1": events.SessionOpened,
    "PlayerCame.1": events.PlayerCame,
    "PlayerLeft.1": events.PlayerLeft,
    "TablesDrawn.1": events.TablesDrawn,
    "TablesOpened.1": events.TablesOpened,
    "SessionClosed.1": events.SessionClosed,
}
"""Stored names. A published one is never edited: its successor is ``.2``, and an upcast."""
