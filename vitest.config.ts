import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,client,server,web}/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
