import { afterEach, describe, expect, it, vi } from 'vitest';

import { memoryBox, settle } from '../session/testing';

/** The module as a page that is loaded now finds it. */
async function loaded(kept: object | string | null = null, languages = ['de-DE', 'fr-CA', 'en']) {
  const box = memoryBox();
  if (kept !== null) {
    box.setItem('millebornes', typeof kept === 'string' ? kept : JSON.stringify(kept));
  }
  const heard = new EventTarget();
  vi.stubGlobal('localStorage', box);
  vi.stubGlobal('navigator', { languages });
  vi.stubGlobal('addEventListener', heard.addEventListener.bind(heard));
  vi.resetModules();
  const module = await import('./prefs.svelte');
  return { ...module, box, heard };
}

afterEach(() => vi.unstubAllGlobals());

describe('prefs', () => {
  it('start with the browser’s settings', async () => {
    const { prefs } = await loaded();
    expect(prefs).toEqual({
      language: 'fr',
      isLanguageChosen: false,
      theme: 'system',
      sound: false,
      motion: 'full',
      name: '',
      last: null,
      lastBots: [],
      wins: {},
      lastWin: '',
      offered: [],
    });
    expect((await loaded(null, ['ja'])).prefs.language).toBe('en');
  });

  it('take the language of a link until the person chooses one', async () => {
    vi.stubGlobal('location', { search: '?lang=en' });
    const { prefs, chooseLanguage, box } = await loaded();
    expect(prefs).toMatchObject({ language: 'en', isLanguageChosen: false });
    chooseLanguage('fr');
    await settle();
    const kept = box.getItem('millebornes');
    expect((await loaded(kept)).prefs.language).toBe('fr');
  });

  it.each([
    [
      'the language of a link stays with its page',
      { language: 'en', isLanguageChosen: false },
      'fr',
    ],
    ['an older version kept a choice', { language: 'en' }, 'en'],
    ['a link asks for a language that is not there', null, 'fr'],
  ])('say in which language: %s', async (_why, kept, language) => {
    vi.stubGlobal('location', { search: kept ? '' : '?lang=xx' });
    expect((await loaded(kept)).prefs.language).toBe(language);
  });

  it('are stored', async () => {
    const { prefs, box } = await loaded();
    prefs.theme = 'dark';
    prefs.last = { name: 'Ann', players: 4 };
    prefs.lastBots.push('sunday-driver');
    await settle();
    const kept = JSON.parse(box.getItem('millebornes') ?? '') as object;
    expect((await loaded(kept)).prefs).toMatchObject({
      theme: 'dark',
      last: { name: 'Ann', players: 4 },
      lastBots: ['sunday-driver'],
    });
  });

  it.each<[string, object | string]>([
    ['no JSON', '{'],
    ['a text', '"x"'],
    ['wrong kinds', { theme: 7, language: 'xx', motion: null, lastBots: {}, last: 'x', name: 1 }],
    ['wins that are no numbers', { wins: { learner: 'many' }, offered: [7], lastWin: 3 }],
  ])('make the best of a store that holds %s', async (_what, kept) => {
    const { prefs } = await loaded(kept);
    expect(prefs).toMatchObject({ theme: 'system', language: 'fr', last: null, lastBots: [] });
    expect(prefs).toMatchObject({ wins: {}, offered: [], lastWin: '' });
  });

  it('follow another tab', async () => {
    const { prefs, heard } = await loaded();
    const change = { key: 'millebornes', newValue: '{"language":"en","sound":true}' };
    heard.dispatchEvent(Object.assign(new Event('storage'), change));
    expect(prefs).toMatchObject({ language: 'en', sound: true });
  });

  it('work in a browser without storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    vi.resetModules();
    const { prefs } = await import('./prefs.svelte');
    prefs.name = 'Ann';
    await settle();
    expect(prefs.name).toBe('Ann');
  });
});

describe('motion', () => {
  it('has a pace', async () => {
    const { prefs, pace, isStill } = await loaded();
    expect([pace(), isStill()]).toEqual([1, false]);
    prefs.motion = 'fast';
    expect([pace(), isStill()]).toEqual([0.4, false]);
    prefs.motion = 'off';
    expect([pace(), isStill()]).toEqual([0, true]);
  });

  it('is off for people who prefer reduced motion', async () => {
    const { pace, isStill } = await loaded();
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    expect([pace(), isStill()]).toEqual([0, true]);
  });
});
