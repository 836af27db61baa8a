/** The log of a table, as lines of text. */

import type { Event, Frame, Past, TableView } from '../lib/protocol';
import { emoteName, namesOf, say, tell, type Names } from '../lib/words.svelte';

import { framesOf } from './past';

export interface LogLine {
  id: number;
  seq: number;
  kind: 'event' | 'chat' | 'emote' | 'reaction' | 'told' | 'refusal';
  /** In the current language. */
  readonly text: string;
  name?: string;
  member?: number;
  /** The seat of a bot that reacts. */
  seat?: number;
  emote?: string;
  mine: boolean;
  hand: number;
  /** What happened, in the first line about it. */
  event?: Event;
}

/** Whether the revealed shuffle checks out; null if this page could not check it. */
export type Verdict = boolean | null;

/** Older lines are dropped. A match has some 600. */
const LENGTH = 1500;

/** Not worth a line: the page handles the shuffle by itself. */
const SILENT = new Set(['fair_commit', 'fair_ready']);

export class Log {
  /** Newest last. */
  lines = $state.raw<LogLine[]>([]);
  /** The id of the next line. */
  #next = 0;

  /**
   * Writes what happened in a frame. `before` is the table as it was; `hadAnswer`: in the window
   * that was open then, the viewer could call a coup fourré.
   */
  tell(frame: Frame, before: TableView | null, verdict: Verdict, hadAnswer = false): void {
    this.#write(linesOf(frame, before, { verdict, hadAnswer }, this.#next));
  }

  /** Puts what happened before this page in front, once: the inputs up to `until`. */
  recall(past: Past, until: number, member: number | null): void {
    const lines: LogLine[] = [];
    for (const { frame, before } of framesOf(past, member)) {
      if (frame.seq > until) break;
      // What was held then is not known: that the attack stands is true in any case.
      lines.push(...linesOf(frame, before, UNKNOWN, lines.length));
    }
    // Their ids come before those of all lines that this page wrote itself.
    for (const line of lines) line.id -= lines.length;
    this.lines = [...lines, ...this.lines].slice(-LENGTH);
  }

  refuse(sentence: string, seq: number, hand: number): void {
    this.#write([{ id: this.#next, seq, kind: 'refusal', text: sentence, mine: true, hand }]);
  }

  #write(lines: LogLine[]): void {
    if (lines.length === 0) return;
    this.#next += lines.length;
    this.lines = [...this.lines, ...lines].slice(-LENGTH);
  }
}

/** What only this page knows. */
interface Known {
  verdict: Verdict;
  hadAnswer: boolean;
}

const UNKNOWN: Known = { verdict: null, hadAnswer: false };

function linesOf(frame: Frame, before: TableView | null, known: Known, firstId: number): LogLine[] {
  const { table, seq } = frame;
  const hand = table.hand?.number ?? 0;
  let id = firstId;
  const lines: LogLine[] = [];
  for (const event of frame.events) {
    if (!isWorthTelling(event, before, table)) continue;
    const mine = isMine(event, table);
    if (event.type === 'chat') {
      const { member, name, text } = event;
      lines.push({ id: id++, seq, kind: 'chat', text, name, member, mine, hand });
    } else if (event.type === 'emote') {
      const { member, name, emote } = event;
      const line = { id: id++, seq, kind: 'emote' as const, name, member, emote, mine, hand };
      lines.push(spoken(line, () => emoteName(emote)));
    } else if (event.type === 'bot_emote') {
      const { seat, name, emote } = event;
      const line = { id: id++, seq, kind: 'reaction' as const, name, seat, emote, mine, hand };
      lines.push(spoken(line, () => say('chat', 'line', { name, text: emoteName(emote) })));
    } else {
      const isNews = event.type === 'told' || event.type === 'fair_revealed';
      const kind: LogLine['kind'] = isNews ? 'told' : 'event';
      const told = () => sentences(event, namesOf(table), known);
      for (const at of told().keys()) {
        const line = { id: id++, seq, kind, mine, hand, ...(at === 0 ? { event } : {}) };
        lines.push(spoken(line, () => told()[at] ?? ''));
      }
    }
  }
  return lines;
}

/** A line whose text is made when it is read, so that it follows the language. */
function spoken(line: Omit<LogLine, 'text'>, text: () => string): LogLine {
  return Object.defineProperty(line, 'text', { get: text, enumerable: true }) as LogLine;
}

function sentences(event: Event, names: Names, { verdict, hadAnswer }: Known): string[] {
  if (event.type === 'passed') return [say('table', hadAnswer ? 'let_stand' : 'stands')];
  if (event.type === 'fair_revealed' && verdict !== null) {
    return [verdict ? say('told', 'fair_verified') : say('told', 'fair_wrong')];
  }
  return tell(event, names);
}

function isWorthTelling(event: Event, before: TableView | null, table: TableView): boolean {
  switch (event.type) {
    case 'drawn':
      // Other seats' draws are not news.
      return event.seat === table.you;
    case 'passed':
      // For those who wait for the answer, and those who may give it.
      return isOwn(event.side, table) || isConcerned(before, table);
    case 'told': {
      const isAboutYou = event.seat !== null && event.seat === table.you;
      const isConnection = event.code === 'connected' || event.code === 'disconnected';
      return !SILENT.has(event.code) && !(isAboutYou && isConnection);
    }
    default:
      return true;
  }
}

function isOwn(side: number, { you, hand }: TableView): boolean {
  return you !== null && hand !== null && you % hand.sides.length === side;
}

function isConcerned(before: TableView | null, { you }: TableView): boolean {
  const asked = before?.asked ?? null;
  return you !== null && asked !== null && (asked.attacker === you || asked.seats.includes(you));
}

function isMine(event: Event, table: TableView): boolean {
  const { you, member } = table;
  switch (event.type) {
    case 'chat':
    case 'emote':
      return event.member === member;
    case 'dealt':
      return event.dealer === you;
    case 'drawn':
    case 'played':
    case 'discarded':
    case 'countered':
    case 'extended':
    case 'told':
      return you !== null && event.seat === you;
    default:
      return false;
  }
}
