// npx playwright test --config examples/playwright
import { fileURLToPath } from 'node:url';

import { defineConfig } from '@playwright/test';
import chromium from '@sparticuz/chromium';

const baseURL = 'http://127.0.0.1:5175';

export default defineConfig({
  // Uses the built package instead of the paths of this repository.
  tsconfig: fileURLToPath(new URL('package.tsconfig.json', import.meta.url)),
  outputDir: '../../dist/playwright-results',
  workers: 1,
  use: {
    baseURL,
    // Leave these out to use Playwright's own browser.
    launchOptions: {
      executablePath: await chromium.executablePath(),
      // A single process would end with the first closed page.
      args: chromium.args.filter((each) => each !== '--single-process'),
    },
  },
  webServer: {
    command:
      'npx vite --config examples/vite.config.ts --host 127.0.0.1 --port 5175 --strictPort',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    url: `${baseURL}/viem/`,
  },
});
