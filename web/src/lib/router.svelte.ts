/** Which screen the address names. */

export type Screen = 'home' | 'new' | 'table' | 'lost';

const TABLE = /^\/t\/([A-Za-z0-9_-]{1,64})$/;

let path = $state(globalThis.location?.pathname ?? '/');
const table = $derived(TABLE.exec(path)?.[1] ?? null);
const screen = $derived<Screen>(
  path === '/' ? 'home' : path === '/new' ? 'new' : table !== null ? 'table' : 'lost',
);

export const route: {
  readonly path: string;
  readonly screen: Screen;
  readonly table: string | null;
} = {
  get path() {
    return path;
  },
  get screen() {
    return screen;
  },
  get table() {
    return table;
  },
};

let moved = false;

/** Is this another screen than the one that the page was loaded with? */
export function hasMoved(): boolean {
  return moved;
}

/** Goes to another screen, as a link would. */
export function go(to: string): void {
  if (to === path) return;
  moved = true;
  globalThis.history?.pushState(null, '', to);
  path = to;
  globalThis.scrollTo?.(0, 0);
}

/** The path of a link that a plain click follows within the page; null: the browser's own affair. */
export function pathOfClick(event: MouseEvent): string | null {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || modified) return null;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return null;
  // A jump within the page, such as the skip link.
  if (link.hash && link.pathname === location.pathname) return null;
  return link.pathname;
}

globalThis.addEventListener?.('popstate', () => {
  moved = true;
  path = location.pathname;
});
