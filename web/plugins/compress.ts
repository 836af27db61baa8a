import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, ResolvedConfig } from 'vite';

/** Below this size a packet holds the file anyway. */
const SMALLEST = 1024;
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest)$/;

/** Writes `.br` and `.gz` beside each file, so that the server never compresses. */
export function compress(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'compress',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle() {
      const folder = config.build.outDir;
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const path = join(folder, name);
        const content = readFileSync(path);
        if (content.length < SMALLEST) continue;
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
