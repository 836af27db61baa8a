/**
 * Who this browser is to the server. The cookie that says so is not for scripts to see: a note
 * beside it tells that there is one.
 */

const KNOWN = 'millebornes.guest';
const SIGNED_OUT = 'millebornes.signedOut';

class Guest {
  #isKnown = false;
  /** This device was somebody, and is nobody now: the first page says so. */
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
      // The next page asks once more than it needs to.
    }
  }

  signOut(): void {
    this.#isKnown = false;
    this.isSignedOut = true;
    try {
      localStorage.removeItem(KNOWN);
    } catch {
      // The next page asks, and is told.
    }
  }

  /** Begins anew with the first page, which says why. */
  startAgain(): void {
    try {
      sessionStorage.setItem(SIGNED_OUT, '1');
    } catch {
      // Whoever has just signed out knows it.
    }
    location.assign('/');
  }
}

/** Was there such a note? It is told once. */
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
