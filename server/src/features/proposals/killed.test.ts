import { describe, expect, test } from 'vitest'
import { type DialectName, testConfig } from '../../../test/harness.ts'
import { killAtSteps } from '../../../test/step-kills.ts'

// `npm run bench:proposal-kills` kills at each step of each operation.
describe.each<DialectName>(['sqlite', 'postgres'])('a server on %s that is killed', (dialect) => {
  test.each(['propose', 'accept new entities'])(
    'while it has to %s does so as a whole or not at all',
    async (operation) => {
      const { config, remove } = await testConfig(dialect, { migrated: true })
      try {
        const { done, wrong } = await killAtSteps(config, operation, (steps) => [steps >> 1, steps])
        expect(wrong).toEqual([])
        expect(done).toEqual([false, true])
      } finally {
        await remove()
      }
    },
  )
})
