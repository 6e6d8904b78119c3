/** The server's types, some with shorter names; docs/protocol.md explains their fields. */
import type { components, SocketCommand, TableView, Terms, Update } from "./schema";

export type * from "./schema";

type Schemas = components["schemas"];

export type GardenView = Schemas["Garden"];
export type Ending = Schemas["GameEnd"];
export type Stage = TableView["stage"];
export type TableEvent = Update["events"][number];
export type Command = SocketCommand["command"];
export type GivenCommand = Schemas["CommandBody"];
export type Problem = Schemas["ErrorBody"];
export type Join = Schemas["JoinBody"];
export type NewTable = Schemas["TableBody"];
export type NewChair = Schemas["ChairBody"];
export type Created = Schemas["CreatedAnswer"];
export type Seated = Schemas["SeatAnswer"];
export type Ticket = Schemas["TicketAnswer"];
export type Steps = Schemas["StepsAnswer"];
export type Hint = Schemas["HintAnswer"];
export type Player = Schemas["PlayerEntry"];
export type Reach = Schemas["ReachAnswer"];
export type ServerInfo = Schemas["EditionsAnswer"];
export type Words = Schemas["WordsAnswer"];
export type Rules = Schemas["RulesAnswer"];
export type Edition = Terms["edition"];
export type Expansion = Terms["expansions"][number];
export type Language = Words["language"];
export type RealTable = Schemas["ScoreSheetBody"];
export type RealSeat = Schemas["SeatBody"];
export type Scores = Schemas["ScoresAnswer"];
export type Boards = Schemas["BoardsAnswer"];
export type Review = Schemas["ReviewAnswer"];
export type Statistics = Schemas["StatisticsAnswer"];
export type PastPosition = Schemas["PastAnswer"];
export type Daily = Schemas["DailyAnswer"];
export type Lesson = Schemas["LessonAnswer"];
export type LessonResult = Schemas["LessonVerdict"];
