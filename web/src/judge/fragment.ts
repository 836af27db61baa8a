/**
 * A text in the fragment of an address, which browsers never send to a server: base64url, so that
 * no messenger breaks the link.
 */

export function toFragment(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The text of a fragment, with or without its `#`; null if it is none of ours. */
export function fromFragment(fragment: string): string | null {
  const letters = fragment.replace(/^#/, '');
  if (!/^[\w-]+$/.test(letters)) return null;
  try {
    const bytes = atob(letters.replace(/-/g, '+').replace(/_/g, '/'));
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}
