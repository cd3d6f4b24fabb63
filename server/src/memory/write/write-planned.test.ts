import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { checkAll } from '../../features/checks/checks.service.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { findCurrent } from '../versions/versions.repo.ts'
import { noteSource } from './note-source.ts'
import type { GraphReader } from './write-graph.ts'
import { writePlanned } from './write-planned.ts'

describeOnBothDatabases('a write that is planned before it begins', (server) => {
  /** Ends an observation with a planned write; `meanwhile` runs after the first plan, or instead of it if it throws. */
  async function endPlanned(meanwhile: (made: Made) => Promise<unknown>) {
    const alice = await server().signUp()
    const { rest } = alice
    const scope = await scopeOf(server(), alice)
    const actor: Actor = { kind: 'session', role: 'owner', userId: alice.userId, ...scope }
    const body = { name: 'Ada', type: 'person', observations: ['Plays chess'] }
    const { entity } = await rest.createEntity({ body })
    const id = numberOf('obs', entity.observations[0]!.id)
    const made: Made = { rest, actor, entityId: entity.id, observationId: entity.observations[0]!.id }
    let plans = 0
    const plan = async ({ db, scope }: GraphReader) => {
      plans++
      const found = await findCurrent(db, scope, 'observations', [id])
      if (plans === 1) await meanwhile(made)
      return {
        entities: [],
        observations: [...found.values()].map((before) => ({ before, after: undefined })),
        relations: [],
      }
    }
    const ended = await writePlanned(server().ctx, actor, plan, (_, { observations }) => observations.length)
    const { entity: left } = await rest.getEntity({ params: { id: entity.id } })
    expect(left.observations).toEqual([])
    expect((await rest.search({ query: { query: 'chess' } })).results).toEqual([])
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
    return { plans, ended }
  }
  type Made = {
    rest: Awaited<ReturnType<ReturnType<typeof server>['signUp']>>['rest']
    actor: Actor
    entityId: string
    observationId: string
  }

  test('is planned once if nothing has changed', async () => {
    expect(await endPlanned(async () => {})).toEqual({ plans: 1, ended: 1 })
  })

  test('is planned anew in the write if the graph has changed', async () => {
    const change = ({ rest, entityId, observationId }: Made) =>
      rest.updateObservation({
        params: { id: entityId, observationId },
        body: { content: 'Plays chess well' },
      })
    expect(await endPlanned(change)).toEqual({ plans: 2, ended: 1 })
  })

  test('is planned anew if something has changed that the log does not record', async () => {
    const note = ({ actor, observationId }: Made) =>
      transact(server().ctx, actor.accountId, ({ db }) =>
        noteSource(db, actor, [observationId], { conversation: 'conv_1', turn: 1 } as never),
      )
    expect(await endPlanned(note)).toEqual({ plans: 2, ended: 1 })
  })

  test('counts only what the plan in the write throws', async () => {
    const fail = async () => {
      throw new Error('It was read while it changed')
    }
    expect(await endPlanned(fail)).toEqual({ plans: 2, ended: 1 })
  })
})
