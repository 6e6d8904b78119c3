/** Announces a game to screen readers: each turn once, whether it is the viewer's, and what is staged. */
import { liveRegion } from "../../app/announce.svelte";
import { describeTurn } from "../../board/describe";
import { turnsOf } from "../../game/eventLog";
import { t, tn, type MessageKey } from "../../i18n/i18n.svelte";
import type { LiveGame } from "./liveGame.svelte";

/** To be called while a component is set up. */
export function announceGame(live: LiveGame): void {
  const { session, composer } = live;
  let announcedSeq = session.log.seq;
  $effect(() => {
    const { log, view, names } = session;
    const news = turnsOf(log.entries).filter(({ seq }) => seq > announcedSeq);
    announcedSeq = log.seq;
    for (const turn of news) liveRegion.announce(describeTurn(live.nameOf(turn.seat), turn, names));
    if (view?.options && session.awaited && !session.animating)
      liveRegion.announce(t("table.your_turn"), { about: "turn" });
  });
  $effect(() => {
    const { staging } = composer;
    if (staging?.begun !== true) return;
    const next = t(staging.need === null ? "turn.ready" : (`turn.need_${staging.need}` as MessageKey));
    const text = staging.tile === null ? next : `${tn("points", staging.points.total)}. ${next}`;
    liveRegion.announce(text, { about: "turn" });
  });
}
