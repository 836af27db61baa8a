/** What happened since the viewer's last turn: for the fixed line of the status, and the recap. */

import { cardName, say, type Names } from '../lib/words.svelte';
import type { LogLine } from '../session/session.svelte';
import { ownSide } from './describe';

export interface Told {
  id: number;
  text: string;
  /** Was it done to the viewer's car? */
  onYou: boolean;
}

export interface News {
  /** All that was done to the viewer's car, in few words; empty if nothing was. */
  onYou: string;
  /** The newest event that `onYou` does not tell. */
  last: string;
  /** Everything that others did, each as a sentence: first what was done to the viewer's car. */
  round: Told[];
}

/** The newest line that is shown in full has at most so many letters of a name. */
const NAME = 12;

/**
 * The news at a table. In the viewer's turn, what they drew in it is not news to them.
 *
 * @param hand the number of the hand: nothing of an earlier one is told
 */
export function newsOf(log: LogLine[], names: Names, hand: number, isTurn: boolean): News {
  // What was taken back did not happen.
  const back = log.map((line) => isBack(line) && line.hand === hand).lastIndexOf(true);
  const kept = back < 0 ? log : log.slice(back);
  const told = kept.filter(
    (line) => line.hand === hand && line.event && (line.kind === 'event' || isBack(line)),
  );
  const since = names.you === null ? [] : sinceLastTurn(told, names.you, isTurn);
  const own = ownSide(names);
  const others = since.filter((line) => !line.mine && !isBack(line));
  const round = others
    .map((line) => ({ id: line.id, text: line.text, onYou: isOnSide(line, own) }))
    .sort((a, b) => Number(b.onYou) - Number(a.onYou));
  const last = told.filter(({ event }) => event?.type !== 'drawn').at(-1);
  const isTold = last === undefined || (isOnSide(last, own) && !last.mine);
  return {
    onYou: own === null ? '' : onYou(since, own, names),
    last: isTold ? '' : last.text,
    round,
  };
}

/** The fixed line: what was done to the viewer always, the rest if it fits. */
export function fixedLine(asked: string, { onYou, last }: News, room: number): string {
  const asks = last.endsWith(asked) ? '' : asked;
  const short = [asks, onYou].filter(Boolean).join(' ');
  const whole = [short, last].filter(Boolean).join(' ');
  return whole.length <= room || short === '' ? whole : short;
}

/** The lines after the viewer's last turn; with those of the turn they are in. */
function sinceLastTurn(told: LogLine[], you: number, isTurn: boolean): LogLine[] {
  let from = told.length;
  if (isTurn) while (from > 0 && told[from - 1]?.mine) from--;
  while (from > 0 && !endsTurn(told[from - 1], you)) from--;
  return told.slice(from);
}

function endsTurn(line: LogLine | undefined, you: number): boolean {
  const event = line?.event;
  return (event?.type === 'played' || event?.type === 'discarded') && event.seat === you;
}

/** Did the viewer go back to an earlier decision here? */
function isBack({ event }: LogLine): boolean {
  return event?.type === 'told' && event.code === 'went_back';
}

/** Was something done to this side by somebody else, or did its Autoroute end? */
function isOnSide({ event, mine }: LogLine, side: number | null): boolean {
  if (mine || side === null || event === undefined) return false;
  return (event.type === 'played' || event.type === 'expired') && event.side === side;
}

/**
 * The cards that others have laid on this side, but for those that a coup fourré has answered, and
 * the coups fourrés of others: nobody should miss one.
 */
function onYou(since: LogLine[], side: number, names: Names): string {
  const cards: { card: string; seat: number }[] = [];
  const sentences: string[] = [];
  for (const line of since) {
    const { event } = line;
    if (event?.type === 'countered' && event.side === side) {
      const at = cards.map(({ card }) => card).lastIndexOf(event.hazard);
      if (at >= 0) cards.splice(at, 1);
    } else if (event?.type === 'countered' && !line.mine) {
      sentences.push(line.text);
    } else if (isOnSide(line, side)) {
      if (event?.type === 'played') cards.push(event);
      else sentences.push(line.text);
    }
  }
  const list = cards.map(({ card, seat }) =>
    say('table', 'card_from', { card: cardName(card), name: shortened(names.seats[seat] ?? '') }),
  );
  if (list.length > 0) sentences.unshift(say('table', 'on_your_car', { cards: list.join(', ') }));
  return sentences.join(' ');
}

function shortened(name: string): string {
  return name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`;
}
