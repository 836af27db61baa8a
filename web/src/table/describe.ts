/** Sentences about the table: what is asked, the state of a car, why a card cannot be played. */

import type { Rules } from '../lib/figures';
import { list } from '../lib/format';
import { MEMO, type HandView, type TableView } from '../lib/protocol';
import { cardName, reasonText, say, type Names } from '../lib/words.svelte';
import type { Lane } from '../road/sides';
import { cardOf, playsOf, targetOf } from './moves';

export function sideOf(seat: number, names: Names): number {
  return seat % names.sides.length;
}

export function ownSide(names: Names): number | null {
  return names.you === null ? null : sideOf(names.you, names);
}

export function seatsOf(side: number, names: Names): number[] {
  return names.seats.map((_, seat) => seat).filter((seat) => sideOf(seat, names) === side);
}

/** A side by the names of its people; the viewer's own is "you". */
export function sideName(side: number, names: Names): string {
  const alone = names.seats.length === names.sides.length;
  if (alone && side === ownSide(names)) return say('table', 'you');
  return names.sides[side] ?? '';
}

/** The cars on the road. */
export function lanesOf(hand: HandView, names: Names): Lane[] {
  return hand.sides.map((side, at) => ({
    side: at,
    name: sideName(at, names),
    miles: side.miles,
    rolling: side.rolling,
    limited: side.limited,
    hazard: side.hazard,
    you: at === ownSide(names),
    points: side.points,
  }));
}

/** What the table waits for, as a sentence for this viewer. */
export function whatIsAsked(table: TableView, names: Names): string {
  const { asked, you } = table;
  if (asked === null) return '';
  const first = asked.seats[0] ?? 0;
  const name = names.seats[first] ?? '';
  const isYou = you !== null && asked.seats.includes(you);
  switch (asked.what) {
    case 'turn': {
      if (!isYou) return say('table', 'turn_of', { name });
      const hazard = table.hand?.sides[ownSide(names) ?? 0]?.hazard;
      const remedy = MEMO.find((row) => row.hazard === hazard)?.remedy;
      const canPlay = table.hand?.legal_moves.some((token) => targetOf(token)?.kind !== 'discard');
      const asks = say('table', canPlay ? 'ask_turn' : 'ask_discard');
      if (!hazard || !remedy) {
        const side = table.hand?.sides[ownSide(names) ?? 0];
        if (side?.rolling === false) {
          const waits = say('table', 'turn_waiting', { card: cardName('ROLL') });
          return canPlay ? waits : `${waits} ${asks}`;
        }
        if (side?.limited && canPlay) return say('table', 'turn_limited');
        return asks;
      }
      const stopped = say('table', 'turn_stopped', {
        hazard: cardName(hazard),
        remedy: cardName(remedy),
      });
      return canPlay ? stopped : `${stopped} ${asks}`;
    }
    case 'window': {
      const side = names.sides[asked.side ?? 0] ?? '';
      if (!isYou) {
        const isTeam = seatsOf(asked.side ?? 0, names).length > 1;
        return say('table', isTeam ? 'attacked_of_team' : 'attacked_of', { side });
      }
      return attackText(table, names);
    }
    case 'extension':
      return isYou ? say('table', 'extension_ask') : say('table', 'extension_of', { name });
    case 'deal':
      return say('table', 'dealing');
    case 'next':
      return say('table', 'hand_over');
    case 'over':
      return say('table', 'match_over');
  }
}

/** Shown after a long wait: to the player who is asked, and to those who may go on. */
export function stallText(table: TableView, names: Names): string {
  const { asked, you } = table;
  if (you === null || table.seats[you]?.away || !asked?.stall) return '';
  if (asked.seats.includes(you)) return say('table', 'stall_you');
  return say('table', 'stall_others', { name: names.seats[asked.seats[0] ?? 0] ?? '' });
}

/** How many of the needed votes for a bot there are; empty if one is enough. */
export function votesText({ asked }: TableView): string {
  if (!asked?.stall || asked.stall.needed === 1) return '';
  const { votes, needed } = asked.stall;
  return say('table', 'stall_votes', { votes: votes.length, needed });
}

/** The attack that can be answered now. */
export function attackText(table: TableView, names: Names): string {
  const { asked } = table;
  if (asked === null || asked.hazard === null) return '';
  const side = asked.side ?? 0;
  return say('table', side === ownSide(names) ? 'attacked' : 'attacked_other', {
    attacker: names.seats[asked.attacker ?? 0] ?? '',
    hazard: cardName(asked.hazard),
    side: names.sides[side] ?? '',
  });
}

/** Why a card cannot be played anywhere now. For a hazard each car may have a different reason. */
export function whyNot(card: string, hand: HandView, names: Names): string {
  const sentences = hand.refused
    .filter((refusal) => cardOf(refusal.move) === card)
    .map((refusal) => reasonText(refusal, names));
  return [...new Set(sentences)].slice(0, 2).join(' ');
}

/** The reason, after the card's name unless it already starts with it. */
export function reasonOf(card: string, reason: string): string {
  const name = cardName(card);
  return reason.startsWith(name) ? reason : say('table', 'card_reason', { card: name, reason });
}

/** The accessible name of a card in the hand: its name and what can be done with it. */
export function cardLabel(card: string, hand: HandView, names: Names): string {
  const name = cardName(card);
  const plays = playsOf(card, hand.legal_moves);
  if (plays.length > 0) {
    const victims = plays.flatMap(({ target }) =>
      target.kind === 'side' ? [names.sides[target.side] ?? ''] : [],
    );
    if (victims.length === 0) return say('table', 'card_playable', { card: name });
    return say('table', 'card_targets', { card: name, names: list(victims) });
  }
  const reason = whyNot(card, hand, names);
  return reason ? say('table', 'card_refused', { card: name, reason }) : name;
}

/** What to do with the chosen card. */
export function choiceText(
  card: string,
  hand: HandView,
  names: Names,
  rules: Rules | null,
): string {
  const plays = playsOf(card, hand.legal_moves);
  const [first] = plays;
  const name = cardName(card);
  if (first === undefined) return whyNot(card, hand, names);
  if (plays.length > 1) return say('table', 'selected_targets', { card: name });
  const guarded = MEMO.filter((row) => row.safety === card).map((row) => row.hazard);
  const guards = guarded.map(cardName);
  if (guards.length > 0) {
    const own = hand.sides[ownSide(names) ?? 0];
    const ended = guarded.filter((one) => (one === 'LIM' ? own?.limited : own?.hazard === one));
    if (ended.length > 0)
      return say('table', 'selected_cure', { hazards: list(ended.map(cardName)) });
    const isRoll = card === 'ROW' && rules?.get('row_replaces_roll') === true;
    return say('table', isRoll ? 'selected_row' : 'selected_safety', { hazards: list(guards) });
  }
  if (first.target.kind === 'side') {
    const side = names.sides[first.target.side] ?? '';
    return say('table', 'selected_one', { card: name, side });
  }
  return say('table', 'selected_play', { card: name });
}

/** The label of the button for a move. */
export function moveName(token: string, names: Names): string {
  const card = cardName(cardOf(token) ?? '?');
  const target = targetOf(token);
  if (target === null) return card;
  if (target.kind === 'discard') return say('table', 'discard_card', { card });
  if (target.kind === 'own') return say('table', 'play_here', { card });
  return say('table', 'play_on', { card, side: names.sides[target.side] ?? '' });
}

/** The move that a hint suggests. */
export function hintMove(move: string, names: Names): string {
  if (move === '-') return say('table', 'hint_decline');
  if (move === 'ext') return say('table', 'hint_extend');
  if (move === 'end') return say('table', 'hint_finish');
  if (move.endsWith('!')) return say('table', 'hint_coup');
  const card = cardName(cardOf(move) ?? '?');
  const target = targetOf(move);
  if (target?.kind === 'discard') return say('table', 'hint_discard', { card });
  if (target?.kind !== 'side') return say('table', 'hint_play', { card });
  return say('table', 'hint_attack', { card, side: names.sides[target.side] ?? '' });
}

/** The state of a side in one sentence, for screen readers. */
export function sideState(table: TableView, side: number, names: Names): string {
  const shown = table.hand?.sides[side];
  if (shown === undefined || table.hand === null) return sideName(side, names);
  const parts = [say('table', 'miles_of', { miles: shown.miles, trip: table.hand.trip })];
  if (shown.hazard !== null) {
    parts.push(say('table', 'state_hazard', { hazard: cardName(shown.hazard) }));
  } else {
    parts.push(say('table', shown.rolling ? 'state_rolling' : 'state_waiting'));
  }
  if (shown.limited) parts.push(say('table', 'state_limited'));
  if (shown.autoroute !== null) {
    parts.push(say('table', 'autoroute_left', { turns: shown.autoroute.turns }));
  }
  if (shown.safeties.length > 0) {
    const cards = shown.safeties.map((safety) => {
      const card = cardName(safety);
      return shown.crosswise.includes(safety) ? say('table', 'state_crosswise', { card }) : card;
    });
    parts.push(say('table', 'state_safeties', { cards: list(cards) }));
  }
  parts.push(say('table', 'points', { points: shown.points }));
  for (const seat of seatsOf(side, names)) {
    if (seat === names.you) continue;
    const count = table.seats[seat]?.cards ?? 0;
    parts.push(
      names.seats.length === names.sides.length
        ? say('table', 'cards_held', { count })
        : say('table', 'cards_of', { name: names.seats[seat] ?? '', count }),
    );
  }
  return say('table', 'state_side', { side: sideName(side, names), parts: parts.join(', ') });
}
