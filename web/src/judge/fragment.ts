/**
 * A text in the fragment of an address, which browsers never send to a server: base64url, so that
 * no messenger breaks the link. It ends with a mark of its own: a link that was cut short has none.
 */

const END = '\0';

export function toFragment(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text + END), (byte) =>
    String.fromCharCode(byte),
  );
  return btoa(bytes.join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The text of a fragment, with or without its `#`; null if it is none of ours. */
export function fromFragment(fragment: string): string | null {
  const letters = fragment.replace(/^#/, '');
  if (!/^[\w-]+$/.test(letters)) return null;
  try {
    const bytes = atob(letters.replace(/-/g, '+').replace(/_/g, '/'));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    );
    return text.endsWith(END) ? text.slice(0, -END.length) : null;
  } catch {
    return null;
  }
}
