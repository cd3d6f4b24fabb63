import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from './chromium.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 7_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 860 },
    trace: 'retain-on-failure',
    launchOptions: await chromiumLaunchOptions(),
  },
})
