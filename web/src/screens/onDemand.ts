/** Parts that a first game does not need. They are loaded together, because small files compress badly. */
export { default as SettingsDialog } from "../app/SettingsDialog.svelte";
export { default as GardenDialog } from "../board/GardenDialog.svelte";
export { default as OfferDialog } from "../features/offers/OfferDialog.svelte";
export { default as HintPanel } from "./game/HintPanel.svelte";
export { default as StandInVote } from "./game/StandInVote.svelte";
export { default as ShortcutsDialog } from "./game/ShortcutsDialog.svelte";
export { default as DealCommitment } from "./DealCommitment.svelte";
export { default as Lobby } from "./Lobby.svelte";
export { default as NewGame } from "./NewGame.svelte";
export { default as PickSides } from "./PickSides.svelte";
export { default as TableLinks } from "./TableLinks.svelte";
