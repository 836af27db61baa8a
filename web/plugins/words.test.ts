import { languages, load, loadPage } from 'millebornes:words';
import { describe, expect, it } from 'vitest';

describe('the words of the page', () => {
  it('lists every language by its own name, the default first', () => {
    expect(languages[0]).toEqual({ code: 'en', name: 'English' });
    expect(languages).toContainEqual({ code: 'fr', name: 'Français' });
  });

  it('loads a language on demand, with what the page needs and no more', async () => {
    for (const { code, name } of languages) {
      const words = await load(code);
      expect(words.language).toBe(name);
      expect(words.cards['ROLL']).toBeTypeOf('string');
      expect(words.web).toBeTypeOf('object');
      expect(words.stakes['window_choice']).toContain('{safety}');
      expect(words).not.toHaveProperty('ui');
      expect(words).not.toHaveProperty('commands');
      expect(words).not.toHaveProperty('pages');
    }
  });

  it('loads the words of a page by themselves', async () => {
    for (const { code } of languages) {
      expect(Object.keys(await loadPage('score-pad', code))).toContain('pad');
    }
  });
});
