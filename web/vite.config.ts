import { fileURLToPath } from 'node:url';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { compress } from './plugins/compress.ts';
import { words } from './plugins/words.ts';

// The server that `npm run dev` talks to.
const server = process.env.MILLEBORNES_SERVER ?? 'http://127.0.0.1:8954';
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [words(here('../src/millebornes/words')), svelte(), compress()],
  build: {
    target: 'es2022',
    outDir: here('../src/millebornes/web'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Content from data: addresses is not allowed for fonts, and a file can be kept for ever.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Six characters tell versions apart as well as eight, and scripts name each other often.
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash:6].js',
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: server, ws: true } },
  },
  // Tests run the code of the browser, not Svelte's for servers.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: {
    environment: './plugins/page.ts',
    include: ['src/**/*.test.ts', 'plugins/**/*.test.ts'],
    passWithNoTests: false,
  },
});
