/** The screen for the current address. */

import { SCREENS } from './protocol';

export type Screen = keyof typeof SCREENS | 'lost';

/** The address of a table. */
export function tablePath(table: string): string {
  return SCREENS.table.replace('{table}', table);
}

const NAMES = Object.keys(SCREENS) as (keyof typeof SCREENS)[];

/** The parts of the path that fill the braces of a screen's address, after the whole path. */
function match(name: keyof typeof SCREENS): RegExpExecArray | null {
  return RegExp(`^${SCREENS[name].replace(/{\w+}/, '([\\w-]{1,64})')}$`).exec(path);
}

let path = $state(globalThis.location?.pathname ?? '/');
const screen = $derived<Screen>(NAMES.find(match) ?? 'lost');
const table = $derived(match('table')?.[1] ?? null);

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

/** Has the screen changed since the page was loaded? */
export function hasMoved(): boolean {
  return moved;
}

/** Navigates to another screen. */
export function go(to: string): void {
  if (to === path) return;
  moved = true;
  globalThis.history?.pushState(null, '', to);
  path = to;
  globalThis.scrollTo?.(0, 0);
}

/** The path that a click on a link navigates to within the page; null leaves it to the browser. */
export function pathOfClick(event: MouseEvent): string | null {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || modified) return null;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return null;
  // A fragment link, such as the skip link.
  if (link.hash && link.pathname === location.pathname) return null;
  return link.pathname;
}

globalThis.addEventListener?.('popstate', () => {
  moved = true;
  path = location.pathname;
});
