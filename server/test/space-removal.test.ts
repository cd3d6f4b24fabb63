import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { spaceHeader } from '@loci/contract/spaces'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAll, repairAll } from '../src/features/checks/checks.service.ts'
import type { Config } from '../src/ground/config/config.ts'
import { toNumber } from '../src/ground/lib/ids.ts'
import { minuteMs } from '../src/ground/lib/time.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import type { Context } from '../src/tenancy/context.ts'
import { arrayOf } from './array-of.ts'
import { type DialectName, testConfig } from './harness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

describe.each<DialectName>(['sqlite', 'postgres'])(
  'a server that is killed while a space or an account goes (%s)',
  (dialect) => {
    let config: Config
    let remove: () => Promise<void>
    let ctx: Context
    let server: ServerProcess
    let rest: RestClient

    beforeAll(async () => {
      ;({ config, remove } = await testConfig(dialect))
      server = await startServerProcess(config)
      const { token } = await createRestClient({ baseUrl: server.url }).register({
        body: { email: 's@example.com', password: 'correct horse battery', firstName: 'S', lastName: 'P' },
      })
      rest = createRestClient({ baseUrl: server.url, token: () => token })
      ctx = await openContext(config, pino({ level: 'silent' }))
      await ctx.db.updateTable('accounts').set({ plan: 'pro' }).execute()
      await rest.createEntity({ body: { name: 'Kept', type: 'thing', observations: ['Number 1 stays'] } })
    })
    afterAll(async () => {
      await server?.stop()
      await closeContext(ctx)
      await remove()
    })

    async function createLargeSpace(name: string): Promise<{ id: string; spaceId: number }> {
      const { space } = await rest.createSpace({ body: { name } })
      for (let round = 0; round < 2; round++) {
        const entities = Array.from({ length: 450 }, (_, i) => ({
          name: `Thing ${round} ${i}`,
          type: 'thing',
          observations: [`Number ${i} of round ${round}`, `Another of ${i}`],
        }))
        await rest.createBatch({ body: { entities, relations: [] }, headers: { [spaceHeader]: name } })
      }
      return { id: space.id, spaceId: toNumber('spc', space.id)! }
    }

    const count = async (spaceId: number) =>
      (await ctx.db.selectFrom('observations').select('id').where('space_id', '=', spaceId).execute()).length
    const isThere = async (spaceId: number) =>
      (await ctx.db.selectFrom('spaces').select('name').where('space_id', '=', spaceId).execute()).length > 0

    /** Nothing is left of the space, the counters of the account have followed, and search agrees with the rows. */
    async function expectGone(spaceId: number): Promise<void> {
      expect([await count(spaceId), await isThere(spaceId)]).toEqual([0, false])
      const totals = ctx.db.selectFrom('accounts').select('entities').where('plan', '=', 'pro')
      expect(await totals.where('entities', '>', 0).execute()).toEqual([{ entities: 1 }])
      expect(await arrayOf(checkAll(ctx))).toEqual([])
    }

    test('is followed by another, which deletes the rest once the lease has expired', async () => {
      const lease = ctx.db.updateTable('leases').where('name', '=', 'removals')
      const isHeld = async () =>
        (await lease.set({ expires_at: Date.now() + minuteMs }).executeTakeFirst()).numUpdatedRows > 0n
      const { space } = await rest.createSpace({ body: { name: 'small' } })
      await rest.deleteSpace({ params: { id: space.id } })
      await expect.poll(isHeld).toBe(true)
      const { id, spaceId } = await createLargeSpace('taken over')
      // Only one server at a time opens an SQLite file.
      const other = dialect === 'postgres' ? await startServerProcess(config) : undefined
      const all = await count(spaceId)
      await isHeld()
      await rest.deleteSpace({ params: { id } })
      await expect.poll(() => count(spaceId), { interval: 1 }).toBeLessThan(all)
      await server.kill()
      const left = await count(spaceId)
      expect(await isThere(spaceId), 'it was killed on the way').toBe(true)
      server = other ?? (await startServerProcess(config))
      await sleep(1_500)
      expect(await count(spaceId), 'the lease is not the other’s yet').toBe(left)
      await lease.set({ expires_at: Date.now() }).execute()
      await expect.poll(() => isThere(spaceId)).toBe(false)
      await expectGone(spaceId)
    })

    test('leaves no half of it: it is no longer found, and a repair removes the rest', async () => {
      const { token } = await createRestClient({ baseUrl: server.url }).login({
        body: { email: 's@example.com', password: 'correct horse battery' },
      })
      rest = createRestClient({ baseUrl: server.url, token: () => token })
      const { id, spaceId } = await createLargeSpace('repaired')
      await rest.deleteSpace({ params: { id } })
      // The removal pauses between two looks for work; it is cut off wherever it is by then.
      await sleep(1_200)
      await server.kill()
      await repairAll(ctx)
      await expectGone(spaceId)
    })

    test('leaves no half of an account: the next server deletes the rest', async () => {
      server = await startServerProcess(config)
      const credentials = { email: 'gone@example.com', password: 'correct horse battery' }
      const anonymous = createRestClient({ baseUrl: server.url })
      const { token } = await anonymous.register({ body: { ...credentials, firstName: 'G', lastName: 'P' } })
      await ctx.db.updateTable('accounts').set({ plan: 'pro' }).execute()
      rest = createRestClient({ baseUrl: server.url, token: () => token })
      const { spaceId } = await createLargeSpace('large')
      const deleted = ctx.db.selectFrom('accounts').select('id').where('deleted_at', 'is not', null)
      const endLease = () => ctx.db.updateTable('leases').set({ expires_at: Date.now() }).execute()
      const all = await count(spaceId)
      await rest.deleteAccount({ body: { password: credentials.password } })
      await endLease()
      await expect.poll(() => count(spaceId), { interval: 1 }).toBeLessThan(all)
      await server.kill()
      expect(await deleted.execute(), 'it was killed on the way').toHaveLength(1)
      server = await startServerProcess(config)
      await endLease()
      await expect.poll(() => deleted.execute()).toEqual([])
      await expectGone(spaceId)
    })
  },
)
