import { colourTokens, type SeatColours } from "../game/colours";

/** Gives each seat the colour of its player on the whole page, while the calling component is shown. */
export function useSeatColours(chairs: () => SeatColours): void {
  // As text: the colours of the page are set anew only when they change, since that styles the whole page anew.
  const palette = $derived(JSON.stringify(colourTokens(chairs())));
  $effect(() => {
    const { style } = document.documentElement;
    const tokens = JSON.parse(palette) as ReturnType<typeof colourTokens>;
    for (const [token, value] of tokens) style.setProperty(token, value);
    return () => tokens.forEach(([token]) => style.removeProperty(token));
  });
}
