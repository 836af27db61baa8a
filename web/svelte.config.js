import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const source = fileURLToPath(new URL('./src', import.meta.url));
const components = readdirSync(source, { recursive: true })
  .filter((file) => file.endsWith('.svelte'))
  .sort();

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    discloseVersion: false,
    // The class that scopes a component's styles stands on every styled element. The number of
    // its file is unique, and shorter than a hash.
    cssHash: ({ filename, css, hash }) => {
      const number = components.indexOf(relative(source, filename));
      return number < 0 ? `svelte-${hash(css)}` : `_${number.toString(36)}`;
    },
  },
};
