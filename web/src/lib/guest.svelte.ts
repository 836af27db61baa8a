/**
 * Whether the server knows this browser as a guest. Scripts cannot see the cookie, so a note
 * in local storage records that there is one.
 */

const KNOWN = 'millebornes.guest';
const SIGNED_OUT = 'millebornes.signedOut';

class Guest {
  #isKnown = false;
  /** This device has been signed out; the first page says so. */
  isSignedOut = $state(taken(SIGNED_OUT));

  get isKnown(): boolean {
    try {
      return this.#isKnown || localStorage.getItem(KNOWN) !== null;
    } catch {
      return this.#isKnown;
    }
  }

  note(): void {
    this.#isKnown = true;
    try {
      localStorage.setItem(KNOWN, '1');
    } catch {
      // The next page makes one more request than it needs to.
    }
  }

  signOut(): void {
    this.#isKnown = false;
    this.isSignedOut = true;
    try {
      localStorage.removeItem(KNOWN);
    } catch {
      // The next page finds out from the server.
    }
  }

  /** Reloads at the first page, which says that this device was signed out. */
  startAgain(): void {
    try {
      sessionStorage.setItem(SIGNED_OUT, '1');
    } catch {
      // The person has just signed out and knows it.
    }
    location.assign('/');
  }
}

/** Reads and removes a note: was it there? */
function taken(note: string): boolean {
  try {
    const isThere = sessionStorage.getItem(note) !== null;
    sessionStorage.removeItem(note);
    return isThere;
  } catch {
    return false;
  }
}

export const guest = new Guest();
