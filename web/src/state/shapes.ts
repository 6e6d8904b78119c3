/** What the server says, by short names; the types are generated from its description. */

import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type TableView = Schemas["TableView"];
export type ChairView = Schemas["ChairView"];
export type GameView = Schemas["GameView"];
export type GardenView = Schemas["Garden"];
export type Options = Schemas["Options"];
export type Score = Schemas["Score"];
export type Ending = Schemas["Ending"];
export type Stage = TableView["stage"];
export type Edition = Schemas["Terms"]["edition"];
export type Expansion = Schemas["Terms"]["expansions"][number];

export type Update = Schemas["Update"];
export type TableEvent = Update["events"][number];
export type PlayEvent = Schemas["PlayEvent"];
export type Done = Schemas["Done"];
export type Refused = Schemas["Refused"];
export type Problem = Schemas["Problem"];
export type Command = Schemas["SocketCommand"]["command"];
export type SocketCommand = Schemas["SocketCommand"];
export type Hello = Schemas["Hello"];
export type TicketAnswer = Schemas["TicketAnswer"];
export type NewTable = Schemas["NewTable"];
