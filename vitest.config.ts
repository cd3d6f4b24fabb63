import { defineConfig } from 'vitest/config'
import { ByEnvironment } from './scripts/by-environment.ts'
import { KeepUnhandledErrors } from './scripts/keep-unhandled-errors.ts'
import { keepScratchInMemory } from './scripts/memory-scratch.ts'
import { compiledCode } from './server/test/compiled-code.ts'

keepScratchInMemory()

export default defineConfig({
  // The web app's build derives this module from the contract.
  resolve: { alias: { 'virtual:rest-table': new URL('./web/test/rest-table.ts', import.meta.url).pathname } },
  test: {
    include: ['{contract,client,graph-engine,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/test/global-setup.ts'],
    env: compiledCode,
    // More than cores: many tests wait for processes, timers and the disk.
    maxWorkers: 3,
    // Loading the server again for each file takes a seventh of the run. Tests leave nothing behind that affects
    // others.
    isolate: false,
    sequence: { sequencer: ByEnvironment },
    unstubGlobals: true,
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }], new KeepUnhandledErrors()],
    // On a busy machine a second, which is the default, is short.
    expect: { poll: { timeout: 60_000 } },
    // As in the browser's tests; the end of `npm test` names those that passed only then.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
