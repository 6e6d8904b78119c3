/** Short names for what the server sends; their fields are explained in docs/protocol.md. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type TableView = Schemas["TableView"];
export type ChairView = Schemas["ChairView"];
export type GameView = Schemas["GameView"];
export type GardenView = Schemas["Garden"];
export type SetupView = Schemas["SetupView"];
export type Options = Schemas["Options"];
export type Score = Schemas["Score"];
export type Ending = Schemas["Ending"];
export type Terms = Schemas["Terms"];
export type Update = Schemas["Update"];
export type TableEvent = Update["events"][number];
export type Command = Schemas["SocketCommand"]["command"];
export type GivenCommand = Schemas["GiveCommand"];
export type CommandDone = Schemas["CommandAnswer"];
export type Problem = Schemas["Problem"];
export type NewTable = Schemas["NewTable"];
export type NewChair = Schemas["NewChair"];
export type Created = Schemas["CreatedAnswer"];
export type Seated = Schemas["SeatAnswer"];
export type Ticket = Schemas["TicketAnswer"];
export type Hint = Schemas["HintAnswer"];
export type OwnTable = Schemas["OwnTable"];
export type ListedTable = Schemas["ListedTable"];
export type Player = Schemas["PlayerEntry"];
export type House = Schemas["EditionsAnswer"];
export type Words = Schemas["WordsAnswer"];
export type Rules = Schemas["RulesAnswer"];
export type Edition = Terms["edition"];
export type Expansion = Terms["expansions"][number];
export type Language = Words["language"];
