/** What is said of a table by itself: each turn once, as it comes, whether it is one's own now, and what is staged. */
import { voice } from "../../app/announce.svelte";
import type { Place } from "../../app/tableSession.svelte";
import { isAwaited } from "../../game/standIns";
import { turnsOf } from "../../game/eventLog";
import { count, say, type Key } from "../../i18n/i18n.svelte";
import { describeTurn } from "../../board/describe";
import type { Play } from "./turnComposer.svelte";

/** To be called while a component is set up. */
export function speakOf(place: Place, play: Play): void {
  let heard = place.chronicle.seq;
  $effect(() => {
    const { chronicle, view, names } = place;
    const news = turnsOf(chronicle.tellings).filter(({ seq }) => seq > heard);
    heard = chronicle.seq;
    for (const turn of news) voice.say(describeTurn(place.bySeat[turn.seat ?? 0]?.name ?? "", turn, names));
    if (view !== null && view.options !== null && isAwaited(view, view.you.chair ?? -1))
      voice.say(say("table.your_turn"), { about: "turn" });
  });
  $effect(() => {
    const { staging } = play;
    if (staging?.begun !== true) return;
    const next = say(staging.need === null ? "turn.ready" : (`turn.need_${staging.need}` as Key));
    const told = staging.tile === null ? next : `${count("points", staging.points.total)}. ${next}`;
    voice.say(told, { about: "turn" });
  });
}
