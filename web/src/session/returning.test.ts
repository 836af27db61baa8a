import { beforeEach, describe, expect, it } from 'vitest';

import { Returning } from './returning';
import { seatView, tableView } from './testing';

let asked: number;
let isHidden: boolean;
let returning: Returning;
const at = (away: boolean) => tableView({ seats: [seatView({ away }), seatView()] });

beforeEach(() => {
  asked = 0;
  isHidden = false;
  returning = new Returning(
    () => asked++,
    () => isHidden,
  );
});

describe('a person who was away', () => {
  it('has the seat back at once after a lost line', () => {
    returning.see(at(false));
    returning.lose();
    returning.see(at(true));
    expect(asked).toBe(1);
  });

  it('has it back when the page is opened again', () => {
    returning.see(at(true));
    expect(asked).toBe(1);
  });

  it('has it back only once the page is visible', () => {
    isHidden = true;
    returning.see(at(true));
    returning.back();
    expect(asked).toBe(0);
    isHidden = false;
    returning.back();
    expect(asked).toBe(1);
  });

  it('has it back with the first touch after a missed clock', () => {
    returning.see(at(false));
    returning.see(at(true));
    returning.back();
    expect(asked).toBe(0);
    returning.touch();
    expect(asked).toBe(1);
  });

  it('asks once, while the bot makes the move that took too long', () => {
    returning.see(at(false));
    returning.see(at(true));
    returning.touch();
    returning.see(at(true));
    returning.touch();
    expect(asked).toBe(1);
    returning.see(at(false));
    returning.see(at(true));
    returning.touch();
    expect(asked).toBe(2);
  });

  it('asks for nothing while the seat is theirs, or without a seat', () => {
    returning.see(at(false));
    returning.touch();
    returning.see(tableView({ you: null, seats: [seatView({ away: true })] }));
    returning.touch();
    returning.see({ ...at(true), phase: 'over' });
    returning.touch();
    expect(asked).toBe(0);
  });
});
