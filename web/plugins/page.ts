import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** Node, but with Svelte's code for browsers: only there do effects run. */
export default {
  ...builtinEnvironments.node,
  name: 'page',
  viteEnvironment: 'client',
} satisfies Environment;
