import { describe, expect, it } from 'vitest';

import { checksum, decode, decodeDraft, encode, encodeDraft } from './code';
import { draftOf, emptyDraft, type Match } from './match';

const TWO: Match = {
  edition: 'winning-moves',
  toml: null,
  teams: false,
  short: false,
  dealer: 1,
  names: ['Léa', 'Max'],
  hands: [
    {
      miles: [700, 475],
      completed_by: 0,
      with_200s: [0],
      pile_empty: true,
      safeties: [
        { card: 'ACE', side: 0 },
        { card: 'ROW', side: 1, crosswise: true },
      ],
    },
    { miles: [700, 975], caller: 0 },
  ],
};
const SIX: Match = {
  edition: 'dujardin-2019',
  toml: 'parent = "dujardin-2019"\nname = "Chez Zoé · «nous»"\n',
  teams: true,
  short: true,
  dealer: 5,
  names: ["J.-C. 'le pilote'", '(Bob)', '50 %', 'a.b~c', '🚗', 'Ida & Pia'],
  hands: [{ miles: [1000, 0, 25], completed_by: 0 }],
};

const body = (match: Match) => encode(match).slice(0, -4);
/** A text whose checksum is right, so that what else is wrong with it is found. */
const sealed = (text: string) => `${text}.${checksum(text)}`;

describe('the text of a match', () => {
  it.each([TWO, SIX, { ...TWO, hands: [] }])('is read as it was written', (match) => {
    expect(decode(encode(match))).toEqual(match);
  });

  it('is short, and stays whole wherever a link is pasted', () => {
    expect(encode(TWO)).toBe('1.winning-moves.-.s-21.L%C3%A9a.Max.0-1010--b0s0j.-0000----0s13.nbq');
    const ten = { ...TWO, hands: Array.from({ length: 10 }, () => TWO.hands[0] as never) };
    expect(encode(ten).length).toBeLessThan(200);
    expect(encode(SIX)).toMatch(/^[\w.%-]+$/);
  });

  const good = body(TWO);
  it.each([
    ['nothing', ''],
    ['something else', 'content'],
    ['another version', good.replace('1.', '2.')],
    ['a name that was cut off', '1.winning-moves.-.s-21.L%C3'],
    ['too few names', '1.winning-moves.-.s-21.Ann'],
    ['an empty name', '1.winning-moves.-.s-20.Ann.'],
    ['a name that is too long', `1.winning-moves.-.s-20.Ann.${'x'.repeat(25)}`],
    ['a name with a line break', '1.winning-moves.-.s-20.Ann.B%0Ab'],
    ['an edition that is a path', '1.../etc.-.s-20.Ann.Bob'],
    ['a dealer who is not there', '1.winning-moves.-.s-22.Ann.Bob'],
    ['three players in teams', '1.winning-moves.-.t-30.Ann.Bob.Cem'],
    ['nine players', '1.winning-moves.-.s-90.a.b.c.d.e.f.g.h.i'],
    ['rules that are not text', '1.winning-moves.gICA.s-20.Ann.Bob'],
    ['a third side that finished', good.replace('.0-', '.2-')],
    ['a third side that has a safety', good.replace('--b', '--c')],
    ['a third side that played a 200', good.replace('0-101', '0-104')],
    ['a hand without its miles', good.replace('0s0j', '0s__')],
    ['a hand that nobody has finished entering', good.replace('.0-', '._-')],
    ['too many hands', good + '.-0000----0000'.repeat(60)],
    ['spaces', good.replace('.Max', '.Max ').replace('----', '--  ')],
  ])('is not read from %s', (_what, text) => {
    expect(decode(sealed(text))).toBeNull();
  });

  it('is not read from a link that was cut off anywhere, not even between two hands', () => {
    const whole = encode(TWO);
    for (let end = 0; end < whole.length; end++) expect(decode(whole.slice(0, end))).toBeNull();
    expect(decode(good)).toBeNull();
    expect(decode(body({ ...TWO, hands: [] }))).toBeNull();
  });

  it('is not read with any letter changed, but for the case of escapes', () => {
    const whole = encode(TWO);
    for (let at = 0; at < whole.length; at++)
      expect(decode(`${whole.slice(0, at)}~${whole.slice(at + 1)}`)).toBeNull();
    expect(decode(whole.replace('%C3%A9', '%c3%a9'))).toEqual(TWO);
  });

  it('is not read from any garbage, and nothing is thrown', () => {
    for (let at = 0; at < good.length; at++) {
      for (const char of ['', '.', '%', '-', '_', '9', 'z', '\u0000', 'é']) {
        const changed = good.slice(0, at) + char + good.slice(at + 1);
        const found = decode(sealed(changed));
        // What can be read is written in the same way again, but for the case of escapes.
        if (found) expect(decode(encode(found))).toEqual(found);
      }
    }
  });
});

describe('the hand that is being entered', () => {
  it('is kept with what is missing', () => {
    const draft = { ...emptyDraft(3), miles: [null, 125, 0], isPileEmpty: true };
    expect(decodeDraft(encodeDraft(draft), 3)).toEqual(draft);
    const again = draftOf(TWO.hands[0] as never);
    expect(decodeDraft(encodeDraft(again), 2)).toEqual(again);
    expect(decodeDraft(encodeDraft(draft), 2)).toBeNull();
    expect(decodeDraft('', 2)).toBeNull();
  });
});
