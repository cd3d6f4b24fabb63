import { stateOf } from '@loci/contract/observations'
import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { createRandom } from '../../../test/random.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { checkAll } from '../checks/checks.service.ts'

const steps = 40

describeOnBothDatabases(
  'facts that are replaced, undone, merged, deleted, restored and expired',
  (server) => {
    const observationsOf = async ({ rest }: Person, asOf?: number) => {
      const query = { ...(asOf === undefined ? {} : { asOf: String(asOf) }) }
      const { entities } = await rest.listEntities({ query: { limit: '500', ...query } as never })
      const whole = await Promise.all(
        entities.map(({ id }) => rest.getEntity({ params: { id }, query: query as never })),
      )
      return whole
        .flatMap(({ entity }) => entity.observations.map((one) => ({ ...one, entityId: entity.id })))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
    }

    test.each([1, 2, 3])(
      'have one state each, and asOf agrees with what was read then (%s)',
      async (seed) => {
        const person = await server().signUp()
        const { rest } = person
        const random = createRandom(seed)
        const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
        for (const name of ['A', 'B', 'C'])
          await rest.createEntity({ body: { name, type: 'thing', observations: [`${name} is new`] } })
        const deleted: string[] = []
        const seen = new Map<number, Awaited<ReturnType<typeof observationsOf>>>()

        const actions = [
          async () => {
            const all = await observationsOf(person)
            const [old, owner] = [pick(all), pick(all)]
            if (old === undefined || owner === undefined) return
            const body = {
              content: `Fact ${random()}`,
              at: `20${10 + Math.floor(random() * 15)}`,
              replaces: [old.id],
            }
            await rest.createObservations({ params: { id: owner.entityId }, body })
          },
          async () => {
            const all = await observationsOf(person)
            const [one, other] = [pick(all), pick(all)]
            if (one === undefined || other === undefined) return
            const params = { id: one.entityId, observationId: one.id }
            await rest.updateObservation({ params, body: { replaces: random() < 0.5 ? [] : [other.id] } })
          },
          async () => {
            const { changes } = await rest.listChanges({ query: { limit: '40' } as never })
            const change = pick(changes)
            if (change !== undefined) await rest.undoChangeSet({ params: { setId: change.setId } })
          },
          async () => {
            const one = pick(await observationsOf(person))
            if (one === undefined) return
            await rest.deleteObservation({ params: { id: one.entityId, observationId: one.id } })
          },
          async () => {
            const { entities } = await rest.listEntities({ query: {} })
            const [one, into] = [pick(entities), pick(entities)]
            if (one === undefined || into === undefined) return
            if (random() < 0.5) await rest.mergeEntity({ params: { id: one.id }, body: { into: into.id } })
            else {
              deleted.push(one.id)
              await rest.deleteEntity({ params: { id: one.id } })
            }
          },
          async () => {
            const id = pick(deleted)
            if (id !== undefined) await rest.restoreEntity({ params: { id } })
          },
          async () => {
            const one = pick(await observationsOf(person))
            if (one === undefined) return
            const expiresAt = new Date(server().clock.now + (random() - 0.5) * 4 * dayMs).toISOString()
            const params = { id: one.entityId, observationId: one.id }
            await rest.updateObservation({ params, body: { expiresAt: random() < 0.3 ? null : expiresAt } })
          },
        ]

        for (let step = 0; step < steps; step++) {
          server().clock.now += 60_000
          // What the state of the graph does not allow is refused, and changes nothing.
          await pick(actions)!().catch((error: { status?: number }) => {
            if (![400, 404, 409].includes(error.status ?? 0)) throw error
          })
          const all = await observationsOf(person)
          const byId = new Map(all.map((one) => [one.id, one]))
          for (const one of all) {
            expect(one.state ?? 'current').toBe(stateOf(one, server().clock.now))
            if (one.replacedBy !== undefined) expect(byId.get(one.replacedBy)?.replaces).toContain(one.id)
            for (const id of one.replaces ?? []) {
              const replaced = byId.get(id)
              if (replaced !== undefined) expect(replaced.replacedBy).toBe(one.id)
            }
          }
          const { changes } = await rest.listChanges({ query: { limit: '1' } })
          seen.set(changes[0]!.seq, all)
        }
        for (const [seq, then] of seen) {
          const past = await observationsOf(person, seq)
          const told = ({ state: _, ...fields }: (typeof then)[number]) => fields
          expect(past.map(told)).toEqual(then.map(told))
        }
        for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
      },
      120_000,
    )
  },
)
