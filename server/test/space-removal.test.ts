import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import { spaceHeader } from '@loci/contract/spaces'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { checkAll, repairAll } from '../src/features/checks/checks.service.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import { type DialectName, testConfig } from './harness.ts'
import { startServerProcess } from './server-process.ts'

describe.each<DialectName>(['sqlite', 'postgres'])(
  'a server that is killed while a space goes (%s)',
  (dialect) => {
    let config: Config
    let remove: () => Promise<void>
    let ctx: Context

    beforeAll(async () => {
      ;({ config, remove } = await testConfig(dialect))
    })
    afterAll(async () => {
      await closeContext(ctx)
      await remove()
    })

    test('leaves no half of it: it is not found any more, and a repair takes the rest', async () => {
      const server = await startServerProcess(config)
      const anonymous = createRestClient({ baseUrl: server.url })
      const { token } = await anonymous.register({
        body: { email: 's@example.com', password: 'correct horse battery', firstName: 'S', lastName: 'P' },
      })
      const rest = createRestClient({ baseUrl: server.url, token: () => token })
      ctx = await openContext(config, pino({ level: 'silent' }))
      await ctx.db.updateTable('accounts').set({ plan: 'pro' }).execute()
      const { space } = await rest.createSpace({ body: { name: 'gone' } })
      for (let round = 0; round < 2; round++) {
        const entities = Array.from({ length: 450 }, (_, i) => ({
          name: `Thing ${round} ${i}`,
          type: 'thing',
          observations: [`Number ${i} of round ${round}`, `Another of ${i}`],
        }))
        await rest.createBatch({ body: { entities, relations: [] }, headers: { [spaceHeader]: 'gone' } })
      }
      await rest.createEntity({ body: { name: 'Kept', type: 'thing', observations: ['Number 1 stays'] } })
      const count = async () => {
        const rows = await ctx.db.selectFrom('observations').select('id').where('space_id', '=', 2).execute()
        return rows.length
      }
      await rest.deleteSpace({ params: { id: space.id } })
      // The removal looks for work once a second; it is cut off wherever it is by then.
      await sleep(1_200)
      await server.kill()
      expect(
        (await ctx.db.selectFrom('spaces').select('deleted_at').where('space_id', '=', 2).execute()).length,
      ).toBeLessThan(2)
      await repairAll(ctx)
      expect(await count()).toBe(0)
      const left = await ctx.db.selectFrom('spaces').select('name').where('space_id', '=', 2).execute()
      expect(left).toEqual([])
      const mine = ctx.db
        .selectFrom('accounts')
        .select('entities')
        .where('plan', '=', 'pro')
        .where('entities', '>', 0)
      expect(await mine.execute()).toEqual([{ entities: 1 }])
      const differences: string[] = []
      for await (const { message } of checkAll(ctx)) differences.push(message)
      expect(differences).toEqual([])
    })
  },
)
