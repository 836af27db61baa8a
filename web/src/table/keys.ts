/** Keyboard commands at the table. */

export type Command =
  | { do: 'step'; by: number }
  | { do: 'end'; last: boolean }
  | { do: 'play' | 'discard' | 'help' | 'hint' | 'cancel' }
  | { do: 'number'; number: number }
  | { do: 'letter'; letter: string };

/** Text without accents and case, for finding cards by letter. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** The command of a key; null if the key belongs to the browser or a field. */
export function commandOf(event: KeyboardEvent): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return { do: 'step', by: -1 };
    case 'ArrowRight':
    case 'ArrowDown':
      return { do: 'step', by: 1 };
    case 'Home':
    case 'End':
      return { do: 'end', last: event.key === 'End' };
    case 'Enter':
    case ' ':
      return { do: 'play' };
    case 'Escape':
      return { do: 'cancel' };
    case '?':
      return { do: 'help' };
  }
  if (/^[0-9]$/.test(event.key)) return { do: 'number', number: Number(event.key) };
  if (!/^\p{L}$/u.test(event.key)) return null;
  const letter = folded(event.key);
  if (letter === 'd') return { do: 'discard' };
  if (letter === 'h') return { do: 'hint' };
  return { do: 'letter', letter };
}
