import { defineConfig } from '@playwright/test'
import { keepScratchInMemory } from '../scripts/memory-scratch.ts'
import { chromiumLaunchOptions } from './chromium.ts'
import type { WorkerOptions } from './fixtures.ts'

keepScratchInMemory()

export default defineConfig<object, WorkerOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  // More than cores: tests also wait for animations and delays.
  workers: 3,
  // A busy machine can stretch any wait; the last line of `npm test` says how many passed only then.
  retries: 1,
  timeout: 300_000,
  // The whole run; it usually takes a fifth of it. What ran by then is reported.
  globalTimeout: 30 * 60_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../.cache/playwright.json' }]],
  projects: [
    // Without animations, which take a tenth of the run to draw in software.
    { name: 'sqlite', use: { contextOptions: { reducedMotion: 'reduce' } } },
    // With animations. One worker, so that PostgreSQL starts once.
    { name: 'postgres', grep: /@both/, fullyParallel: false, use: { database: 'postgres' } },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 860 },
    // Recording traces slows every test by a third; use `--trace=retain-on-failure` when needed.
    screenshot: 'only-on-failure',
    launchOptions: await chromiumLaunchOptions(),
  },
})
