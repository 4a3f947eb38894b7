import { defineConfig } from '@playwright/test';

const baseURL = 'http://localhost:5173';

export default defineConfig({
  testDir: 'test',
  use: { baseURL },
  webServer: { command: 'npm run dev -- --strictPort', url: baseURL },
});
