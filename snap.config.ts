// How mm-snap builds and serves the snap.
import { readFileSync } from 'node:fs';

import type { SnapConfig } from '@metamask/snaps-cli';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};

const config: SnapConfig = {
  input: 'src/index.ts',
  output: { path: 'dist', filename: 'bundle.js' },
  server: { port: 8080 },
  // eth-sig-util takes Buffers; nothing else of Node is needed.
  polyfills: { buffer: true },
  environment: {
    TOLLKEEPER_LOG_LEVEL: process.env.TOLLKEEPER_LOG_LEVEL ?? 'off',
    TOLLKEEPER_COMPANION_ORIGIN:
      process.env.TOLLKEEPER_COMPANION_ORIGIN ?? 'http://localhost:8000',
    TOLLKEEPER_VERSION: version,
  },
};

export default config;
