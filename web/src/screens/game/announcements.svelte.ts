/** What is said of a table by itself: each turn once, as it comes, whether it is one's own now, and what is staged. */
import { liveRegion } from "../../app/announce.svelte";
import type { TableSession } from "../../app/tableSession.svelte";
import { isAwaited } from "../../game/standIns";
import { turnsOf } from "../../game/eventLog";
import { tn, t, type MessageKey } from "../../i18n/i18n.svelte";
import { describeTurn } from "../../board/describe";
import type { TurnComposer } from "./turnComposer.svelte";

/** To be called while a component is set up. */
export function announceTable(session: TableSession, composer: TurnComposer): void {
  let heard = session.log.seq;
  $effect(() => {
    const { log, view, names } = session;
    const news = turnsOf(log.entries).filter(({ seq }) => seq > heard);
    heard = log.seq;
    for (const turn of news)
      liveRegion.announce(describeTurn(session.chairsBySeat[turn.seat ?? 0]?.name ?? "", turn, names));
    if (view !== null && view.options !== null && isAwaited(view, view.you.chair ?? -1))
      liveRegion.announce(t("table.your_turn"), { about: "turn" });
  });
  $effect(() => {
    const { staging } = composer;
    if (staging?.begun !== true) return;
    const next = t(staging.need === null ? "turn.ready" : (`turn.need_${staging.need}` as MessageKey));
    const told = staging.tile === null ? next : `${tn("points", staging.points.total)}. ${next}`;
    liveRegion.announce(told, { about: "turn" });
  });
}
