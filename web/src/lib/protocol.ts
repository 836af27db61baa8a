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
  | Stopping;

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
  /** On the viewer's turn: why each other way to lay a card of the hand is refused. */
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

/** One step of a record played again: a deal or a move, and the table after it. */
export interface ReplayStep {
  /** As the record writes it; null: a deal. */
  move: string | null;
  /** Who moved; None for a deal, and for an attack that was let stand. */
  seat: number | null;
  events: Event[];
  /** As a spectator saw it, but without any deadline. Records do not tell who was a bot: every seat is a person's. */
  table: TableView;
  /** The cards of every seat; `?` is a face that the record does not tell. */
  hands: string[][];
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
  /** What `add_bot` calls it. */
  level: string;
}

/** The id that opens the table, for its link. */
export interface Created {
  /** Whoever knows it can come in; the link to pass on is `/t/` and this. */
  table: string;
}

/** An edition, with every rule. */
export interface EditionInfo {
  /** The id of a printed edition, or `house-` and a hash of all rules. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is like, in one line; for house rules, that of their parent. */
  character: string;
  /** The printed edition that house rules change; null: it is printed itself. */
  parent: string | null;
  /** How many can play. */
  player_counts: number[];
  /** Player counts that play in teams of two. */
  teams_at: number[];
  /** Player counts that may choose a trip of 700. */
  short_trip_at: number[];
  /** Every rule, in the order of the house-rules page. */
  rules: FieldInfo[];
}

/** What was wrong, and what is allowed. */
export interface ErrorBody {
  /** Stable, for programs. */
  code: string;
  /** The same for people, in the language of the request. */
  sentence: string;
}

/** One rule of an edition. */
export interface FieldInfo {
  /** Its key in house rules. */
  name: string;
  /** As in house rules: a number, a text, a list, true or false, or a table. */
  value: unknown;
  /** What the rule says, in English. */
  means: string;
  /** Where the edition says so. */
  source: string;
}

/** A finished game. */
export interface GameInfo {
  /** The id of its record. */
  game: string;
  /** When it ended, in milliseconds since 1970. */
  ended: number;
  /** The id of its edition. */
  edition: string;
  /** Who played, by seat. */
  names: string[];
  /** The points of each side; empty if it was not played to its end. */
  totals: number[];
}

/** A guest's token. Programs keep it and send it as a bearer token; browsers get a cookie. */
export interface GuestInfo {
  /** null: you are a guest already, by the token or cookie that you sent. */
  token: string | null;
}

/** The process answers, and says what it is. */
export interface Health {
  /** Always `ok`. */
  status: string;
  /** Always `millebornes`: it is no other program that answers here. */
  program: string;
}

/** House rules as TOML text. */
export interface HouseRules {
  /** The text of a house-rules file: its `parent`, and what is played differently. */
  toml: string;
}

/** Come to a table: to a free seat, to this seat, or only to watch. */
export interface JoinTable {
  /** Your name at the table; a number is added if it is taken. */
  name: string;
  /** The seat wanted, from 0; null: any free one. */
  seat?: number | null;
  /** Only to watch. */
  watch?: boolean;
}

/** A code that moves a guest to another device, once, within ten minutes. */
export interface LinkCode {
  /** What the other device sends to be the same guest. */
  code: string;
}

/** A guest's running and recent games. */
export interface MyGames {
  /** Tables that are not closed, the newest first. */
  running: TableInfo[];
  /** Games that have ended, the newest first. */
  recent: GameInfo[];
}

/** A guest wants in: nothing to tell yet. */
export type NewGuest = Record<string, never>;

/** A table to open. Times are milliseconds. */
export interface NewTable {
  /** Your name at the table. */
  name: string;
  /** The id of a printed edition; null: `winning-moves`. */
  edition?: string | null;
  /** House rules as TOML text; they take the place of `edition`. */
  house_rules?: string | null;
  /** How many seats there are; the edition says which counts can play. */
  players?: number;
  /** Teams of two, or each for themselves; null: as the edition says. */
  teams?: boolean | null;
  /** A trip of 700, where there is a choice. */
  short_trip?: boolean;
  /** Listed in the lobby; else found by its link only. */
  is_open?: boolean;
  /** Time for a turn, before a bot plays on; null: take your time. */
  clock?: number | null;
  /** How long a side with a person may answer an attack. */
  window?: number;
  /** The same for a side of bots only. */
  bot_window?: number;
  /** How long a bot seems to think. */
  pace?: number;
  /** One person and bots: hints and going back are allowed, and the record says so. */
  practice?: boolean;
  /** What the decks of a practice table are made from; null: drawn by chance. */
  seed?: string | null;
}

/** A table in the lobby. */
export interface OpenTable {
  /** The id that opens it. */
  table: string;
  /** The id of its edition. */
  edition: string;
  /** What people call that edition. */
  edition_name: string;
  /** How many seats there are. */
  players: number;
  /** Who is seated already. */
  names: string[];
  /** How many seats are free. */
  free: number;
  /** Time for a turn in milliseconds; null: take your time. */
  clock: number | null;
}

/** Is all well? */
export interface Status {
  /** `ready` or `starting`. */
  status: string;
}

/** A table in short. */
export interface TableInfo {
  /** The id that opens it. */
  table: string;
  /** `lobby`, `playing` or `over`. */
  phase: string;
  /** The id of its edition. */
  edition: string;
  /** How many seats there are. */
  players: number;
  /** Who sits there, by seat; empty where nobody does. */
  names: string[];
  /** When it was opened, in milliseconds since 1970. */
  created: number;
}
