import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Every styled element carries one of these: short ones keep the scripts small.
    cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}`,
  },
};
