// Written by `make regenerate` from the Python types. Do not edit.

export const PROTOCOL_VERSION = 1;

export const EMOTES = [
  'bravo',
  'ouch',
  'thanks',
  'sorry',
  'hurry',
  'haha',
  'hello',
  'bye',
] as const;

// What the page says to a table.

export type In =
  | Join
  | Sit
  | Stand
  | AddBot
  | Kick
  | Start
  | Move
  | Next
  | Commit
  | Reveal
  | Chat
  | Emote
  | Mute
  | Return
  | Leave
  | Rematch
  | Hint
  | Back;

/** Come to the table under a name: to a free seat, to this seat, or only to watch. */
export interface Join {
  type: 'join';
  name: string;
  seat?: number | null;
  watch?: boolean;
}

/** Before the start: take this free seat. */
export interface Sit {
  type: 'sit';
  seat: number;
}

/** Before the start: leave the seat and watch. */
export interface Stand {
  type: 'stand';
}

/** The host, before the start: a bot of this level sits down. */
export interface AddBot {
  type: 'add_bot';
  seat: number;
  level: string;
}

/** The host, before the start: this seat is free again, whoever sits there. */
export interface Kick {
  type: 'kick';
  seat: number;
}

/** The host: every seat is taken, let us play. */
export interface Start {
  type: 'start';
}

/** A move that answers one decision. The same id is never played twice. */
export interface Move {
  type: 'move';
  decision: number;
  id: string;
  move: string;
}

/** The score has been read: on to the next hand. */
export interface Next {
  type: 'next';
  decision: number;
}

/** K of this seat for the shuffle of a hand (MB-FAIR-1). */
export interface Commit {
  type: 'commit';
  hand: number;
  commit: string;
}

/** E of this seat for the shuffle of a hand (MB-FAIR-1). */
export interface Reveal {
  type: 'reveal';
  hand: number;
  entropy: string;
}

/** A line to everybody at the table. */
export interface Chat {
  type: 'chat';
  text: string;
}

/** One of the emotes the table offers. */
export interface Emote {
  type: 'emote';
  emote: string;
}

/** Hear no more (or again) of one member of the table. */
export interface Mute {
  type: 'mute';
  member: number;
  on?: boolean;
}

/** Take the seat back from the bot that played on. */
export interface Return {
  type: 'return';
}

/** Go away. During a match a bot plays on; the seat can be taken back. */
export interface Leave {
  type: 'leave';
}

/** After the match: again, with the seats rotated. */
export interface Rematch {
  type: 'rematch';
}

/** At a practice table: what would you play, and why? */
export interface Hint {
  type: 'hint';
  decision: number;
}

/** At a practice table: go back to an earlier decision of this hand. */
export interface Back {
  type: 'back';
  decision: number;
}

// What a table says to the page.

export type Out =
  | Frame
  | Rejected
  | Hinted
  | Superseded
  | Stopping
  | Closed;

/** One accepted input: what happened, and the table afterwards. `now` is server time. */
export interface Frame {
  type: 'frame';
  seq: number;
  now: number;
  events: Event[];
  table: TableView;
}

/** A message that changed nothing: why, and the table as it is. */
export interface Rejected {
  type: 'rejected';
  code: string;
  sentence: string;
  params: Record<string, string | number>;
  id: string | null;
  table: TableView | null;
}

/** A hint: a move and its reason. */
export interface Hinted {
  type: 'hinted';
  decision: number;
  move: string;
  code: string;
  params: Record<string, string | number>;
}

/** A newer connection of the same guest is the active one now. */
export interface Superseded {
  type: 'superseded';
}

/** The server stops for a while; come back and resume. */
export interface Stopping {
  type: 'stopping';
}

/** The table is closed. */
export interface Closed {
  type: 'closed';
  code: string;
}

// What happened.

export type Event =
  | Dealt
  | Drawn
  | Played
  | Discarded
  | Passed
  | Countered
  | Expired
  | Extended
  | HandEnded
  | MatchEnded
  | ChatSaid
  | Emoted
  | Told
  | FairRevealed;

/** A new hand. */
export interface Dealt {
  type: 'dealt';
  number: number;
  dealer: number;
  hands: string[][];
  pile: number;
}

/** A seat drew a card. */
export interface Drawn {
  type: 'drawn';
  seat: number;
  card: string;
}

/** A seat laid a card on a side; `cleared` went to the discard pile. */
export interface Played {
  type: 'played';
  seat: number;
  card: string;
  side: number;
  cleared: string[];
}

/** A seat discarded a card. */
export interface Discarded {
  type: 'discarded';
  seat: number;
  card: string;
}

/** Nobody called a coup fourré. */
export interface Passed {
  type: 'passed';
  side: number;
  hazard: string;
}

/** A coup fourré. */
export interface Countered {
  type: 'countered';
  seat: number;
  card: string;
  hazard: string;
  side: number;
  cleared: string[];
}

/** An Autoroute has ended. */
export interface Expired {
  type: 'expired';
  side: number;
}

/** A seat called the extension. */
export interface Extended {
  type: 'extended';
  seat: number;
}

/** The hand is over. */
export interface HandEnded {
  type: 'hand_ended';
  completed_by: number | null;
  sheets: Sheet[];
  totals: number[];
}

/** The match is over; no winner means a draw. */
export interface MatchEnded {
  type: 'match_ended';
  totals: number[];
  winner: number | null;
}

/** A member said something. */
export interface ChatSaid {
  type: 'chat';
  member: number;
  name: string;
  text: string;
}

/** A member showed an emote. */
export interface Emoted {
  type: 'emote';
  member: number;
  name: string;
  emote: string;
}

/** Something at the table changed: a code and who it is about. */
export interface Told {
  type: 'told';
  code: 'bot_added' | 'bot_plays_on' | 'connected' | 'disconnected' | 'fair_commit' | 'fair_ready' | 'joined' | 'left' | 'rematch' | 'rematch_wanted' | 'returned' | 'sat' | 'seat_freed' | 'started' | 'stood' | 'watching' | 'went_back';
  name: string;
  seat: number | null;
}

/** The shuffle of the hand that has ended, for everybody to check (MB-FAIR-1). */
export interface FairRevealed {
  type: 'fair_revealed';
  hand: number;
  transcript: Record<string, unknown>;
}

// The parts of a table.

/** What the table waits for. */
export interface Asked {
  what: 'deal' | 'extension' | 'next' | 'over' | 'turn' | 'window';
  /** Whose answer; in a window every seat asked, answered or not. */
  seats: number[];
  decision: number;
  /** Server time in milliseconds; null: no hurry. */
  deadline: number | null;
  attacker: number | null;
  side: number | null;
  hazard: string | null;
  winner: number | null;
}

/** Where the next shuffle stands (MB-FAIR-1). */
export interface Fair {
  hand: number;
  ctx: string;
  commit: string;
  stage: 'commit' | 'ready' | 'reveal';
  commits: Record<string, string>;
  deadline: number | null;
}

/** The hand as the viewer may know it. */
export interface HandView {
  number: number;
  dealer: number;
  trip: number;
  /** The side that called the extension. */
  called: number | null;
  /** The side that completed the trip. */
  completed: number | null;
  /** Was the pile empty before the first draw of the turn in progress? */
  began_empty: boolean;
  pile: number;
  discard: string[];
  sides: SideView[];
  /** The viewer's own hand. */
  cards: string[];
  /** The viewer's legal moves now. */
  moves: string[];
  refused: Refusal[];
  /** What hangs on the viewer's answer, when asked in a window or about the extension. */
  stakes: Stake[];
  /** Legal moves that are hardly meant, so ask first: a safety discarded, the card that completes the trip passed by. */
  doubts: Record<string, 'safety' | 'winning'>;
  sheets: Sheet[] | null;
}

/** A card that cannot be played, and why: the words turn it into a sentence. */
export interface Refusal {
  move: string;
  code: string;
  params: Record<string, string | number>;
}

/** Who sits where. */
export interface SeatView {
  kind: 'bot' | 'empty' | 'person';
  name: string;
  member: number | null;
  /** A bot's level. */
  level: string | null;
  connected: boolean;
  /** A bot plays on for this person. */
  away: boolean;
  /** How many cards it holds. */
  cards: number;
}

/** The score sheet of one side for one hand. */
export interface Sheet {
  miles: number;
  safeties: number;
  all_four: number;
  coups_fourres: number;
  trip: number;
  delayed_action: number;
  safe_trip: number;
  shut_out: number;
  extension: number;
  total: number;
}

/** The cards in front of one side, and what they mean for its car. */
export interface SideView {
  battle: string[];
  speed: string[];
  distance: string[];
  safeties: string[];
  crosswise: string[];
  /** Turns that the Autoroute still protects. */
  autoroute: number | null;
  /** Who laid it: the turns counted are those of this seat. */
  autoroute_seat: number | null;
  miles: number;
  rolling: boolean;
  limited: boolean;
  /** The hazard that stops the car. */
  hazard: string | null;
  /** In the match so far. */
  points: number;
}

/** Something that hangs on the viewer's answer: the words turn it into a sentence. */
export interface Stake {
  code: string;
  params: Record<string, string | number>;
}

/** The whole table as one viewer may know it. */
export interface TableView {
  phase: 'closed' | 'lobby' | 'over' | 'playing';
  edition: string;
  players: number;
  teams: boolean;
  practice: boolean;
  is_open: boolean;
  clock: number | null;
  /** The member who may start, add bots and kick. */
  host: number;
  /** The viewer's seat; null: watching. */
  you: number | null;
  member: number | null;
  seats: SeatView[];
  watching: string[];
  /** The bots that can be seated. */
  levels: string[];
  asked: Asked | null;
  hand: HandView | null;
  fair: Fair | null;
  /** Seats that are ready for the next hand, or want a rematch. */
  continued: number[];
  /** The members that the viewer hears nothing of. */
  muted: number[];
  /** At a practice table: the decisions that the viewer may go back to. */
  back: number[];
}

// What the REST interface takes and gives.

/** A bot that can be seated. */
export interface BotInfo {
  level: string;
}

/** The id that opens the table, for its link. */
export interface Created {
  table: string;
}

/** An edition, with every rule. */
export interface EditionInfo {
  id: string;
  name: string;
  character: string;
  parent: string | null;
  player_counts: number[];
  teams_at: number[];
  short_trip_at: number[];
  rules: FieldInfo[];
}

/** What was wrong, and what is allowed. */
export interface ErrorBody {
  code: string;
  sentence: string;
}

/** One rule of an edition. */
export interface FieldInfo {
  name: string;
  value: unknown;
  means: string;
  source: string;
}

/** A finished game. */
export interface GameInfo {
  game: string;
  ended: number;
  edition: string;
  names: string[];
  totals: number[];
}

/** A guest's token. Programs keep it and send it as a bearer token; browsers get a cookie. */
export interface GuestInfo {
  token: string | null;
}

/** House rules as TOML text. */
export interface HouseRules {
  toml: string;
}

/** Come to a table: to a free seat, to this seat, or only to watch. */
export interface JoinTable {
  name: string;
  seat?: number | null;
  watch?: boolean;
}

/** A code that moves a guest to another device, once, within ten minutes. */
export interface LinkCode {
  code: string;
}

/** A guest's running and recent games. */
export interface MyGames {
  running: TableInfo[];
  recent: GameInfo[];
}

/** A guest wants in: nothing to tell yet. */
export type NewGuest = Record<string, never>;

/** A table to open. Times are milliseconds. */
export interface NewTable {
  name: string;
  edition?: string | null;
  house_rules?: string | null;
  players?: number;
  /** Teams of two? null: as the edition says for so many players. */
  teams?: boolean | null;
  short_trip?: boolean;
  is_open?: boolean;
  clock?: number | null;
  window?: number;
  bot_window?: number;
  pace?: number;
  practice?: boolean;
  seed?: string | null;
}

/** A table in the lobby. */
export interface OpenTable {
  table: string;
  edition: string;
  edition_name: string;
  players: number;
  names: string[];
  free: number;
  clock: number | null;
}

/** Is all well? */
export interface Status {
  status: string;
}

/** A table in short. */
export interface TableInfo {
  table: string;
  phase: string;
  edition: string;
  players: number;
  names: string[];
  created: number;
}
