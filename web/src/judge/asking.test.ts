import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError, api } from '../lib/api';
import type { JudgeAnswer } from '../lib/protocol';
import { Asking } from './asking.svelte';

const answerTo = (text: string) => ({ text }) as unknown as JudgeAnswer;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('only the last of several quick changes is asked about', async () => {
  const judge = vi.spyOn(api, 'judge').mockImplementation(async (text) => answerTo(text));
  const asking = new Asking();
  asking.about({ text: 'one', edition: 'article' });
  asking.about({ text: 'two', edition: 'article' });
  expect(asking.isWaiting).toBe(true);
  await vi.runAllTimersAsync();
  expect(judge.mock.calls).toEqual([['two', 'article']]);
  expect(asking.answer).toEqual(answerTo('two'));
  expect(asking.isWaiting).toBe(false);
});

test('an answer about an older text is ignored', async () => {
  const done: ((answer: JudgeAnswer) => void)[] = [];
  vi.spyOn(api, 'judge').mockImplementation(() => new Promise((resolve) => done.push(resolve)));
  const asking = new Asking();
  asking.about({ text: 'one', edition: 'article' });
  await vi.runAllTimersAsync();
  asking.about({ text: 'two', edition: 'article' });
  await vi.runAllTimersAsync();
  done[1]?.(answerTo('two'));
  done[0]?.(answerTo('one'));
  await vi.runAllTimersAsync();
  expect(asking.answer).toEqual(answerTo('two'));
});

test('trouble is told, and the same can be asked again', async () => {
  const judge = vi
    .spyOn(api, 'judge')
    .mockRejectedValueOnce(new ApiError(429, 'too_many', 'Wait.'));
  judge.mockResolvedValueOnce(answerTo('one'));
  const asking = new Asking();
  asking.about({ text: 'one', edition: 'article' });
  await vi.runAllTimersAsync();
  expect(asking.trouble).toBe('Wait.');
  expect(asking.answer).toBeNull();
  asking.again();
  await vi.runAllTimersAsync();
  expect(asking.trouble).toBe('');
  expect(asking.answer).toEqual(answerTo('one'));
});

test('without a question there is no answer', async () => {
  const judge = vi.spyOn(api, 'judge').mockImplementation(async (text) => answerTo(text));
  const asking = new Asking();
  asking.about({ text: 'one', edition: 'article' });
  asking.about(null);
  await vi.runAllTimersAsync();
  expect(judge).not.toHaveBeenCalled();
  expect(asking.isWaiting).toBe(false);
});
