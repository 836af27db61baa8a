import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const pushed: string[] = [];
let heard: EventTarget;

async function at(pathname: string) {
  heard = new EventTarget();
  vi.stubGlobal('location', { pathname, origin: 'http://here' });
  vi.stubGlobal('history', { pushState: (_: null, __: '', to: string) => pushed.push(to) });
  vi.stubGlobal('addEventListener', heard.addEventListener.bind(heard));
  vi.resetModules();
  return import('./router.svelte');
}

beforeEach(() => pushed.splice(0));
afterEach(() => vi.unstubAllGlobals());

describe('the address', () => {
  it.each([
    ['/', 'home', null],
    ['/new', 'new', null],
    ['/t/AbC-_9', 'table', 'AbC-_9'],
    ['/t/', 'lost', null],
    ['/t/a/b', 'lost', null],
    ['/elsewhere', 'lost', null],
  ])('%s names the screen %s', async (path, screen, table) => {
    const { route } = await at(path);
    expect({ ...route }).toEqual({ path, screen, table });
  });

  it('changes on navigation, forward and back', async () => {
    const { route, go } = await at('/');
    go('/t/abc');
    go('/t/abc');
    expect([route.screen, route.table]).toEqual(['table', 'abc']);
    expect(pushed).toEqual(['/t/abc']);
    heard.dispatchEvent(new Event('popstate'));
    expect(route.screen).toBe('home');
  });
});

describe('a click on a link', () => {
  const link = { origin: 'http://here', pathname: '/new', hash: '', target: '' };
  async function clicked(on: object, how: object = {}) {
    const { pathOfClick } = await at('/');
    const found = { ...link, hasAttribute: () => false, ...on };
    const event = { button: 0, target: { closest: () => found }, ...how };
    return pathOfClick(event as unknown as MouseEvent);
  }

  it('is handled within the page', async () => {
    expect(await clicked({})).toBe('/new');
  });

  it.each<[string, object, object]>([
    ['with a key held', {}, { ctrlKey: true }],
    ['with another button', {}, { button: 1 }],
    ['that is dealt with already', {}, { defaultPrevented: true }],
    ['beside a link', {}, { target: { closest: () => null } }],
    ['to another window', { target: '_blank' }, {}],
    ['to another site', { origin: 'http://there' }, {}],
    ['to a record', { pathname: '/api/games/1' }, {}],
    ['to a download', { hasAttribute: () => true }, {}],
    ['within the page', { pathname: '/', hash: '#content' }, {}],
  ])('is the browser’s own affair %s', async (_what, on, how) => {
    expect(await clicked(on, how)).toBeNull();
  });
});
