// Serves the examples with the built package: npx vite --config examples/vite.config.ts
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const pages = ['viem', 'ethers', 'bundler-client', 'starter'];

export default defineConfig({
  root: here('.'),
  resolve: {
    alias: [
      { find: /^tollkeeper-snap\/(.*)$/u, replacement: here('../dist/$1/index.js') },
    ],
  },
  build: {
    outDir: here('../dist/examples'),
    emptyOutDir: true,
    rollupOptions: { input: pages.map((page) => here(`${page}/index.html`)) },
  },
});
