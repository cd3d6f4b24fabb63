import type { RestClient } from '@loci/client/rest'
import { ApiError } from '@loci/client/rest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { countAsOf, countByScan } from '../../memory/history/list-as-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { checkAll } from '../checks/checks.service.ts'

const pick = fc.nat(1_000)
const name = fc.constantFrom('Ada', 'Bob', 'Cy', 'Dan', 'Eve')
const type = fc.constantFrom('person', 'thing')
const text = fc.constantFrom('one', 'two', 'three', 'four', 'five')
const metadata = fc.constantFrom(undefined, {}, { a: 1 }, { b: ['x'] })
const relationType = fc.constantFrom('knows', 'likes')
const texts = fc.array(text, { maxLength: 3 })

/** A write, as numbers that select its subjects among the existing ones. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create'), name, type, metadata, texts }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace'), a: pick, name, type, metadata, texts }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), a: pick, name, type }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add'),
      a: pick,
      texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('correct'), a: pick, b: pick, text, metadata }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget'), a: pick, b: pick }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('relate'), a: pick, b: pick, relationType }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retype'), a: pick, relationType }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unrelate'), a: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), a: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge'), a: pick, b: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo'), a: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), a: pick }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Refusals that are fine, since steps are chosen blindly. */
const refusals = ['entity_name_taken', 'same_entity', 'relation_exists', 'undo_conflict', 'entity_not_found']

/** The graph as reads return it, in an order that does not depend on the query. */
async function readGraph(rest: RestClient, asOf?: string) {
  const at = asOf === undefined ? {} : { asOf }
  const { entities, total } = await rest.listEntities({
    query: { include: 'observations', limit: '500', ...at },
  })
  const { relations } = await rest.listRelations({ query: { limit: '500', ...at } })
  return { entities, total, relations }
}

async function write(rest: RestClient, step: Step, made: Made): Promise<void> {
  const { entities, relations } = await readGraph(rest)
  const entityOf = (number: number) => entities[number % Math.max(1, entities.length)]
  const relationOf = (number: number) => relations[number % Math.max(1, relations.length)]
  const a = 'a' in step ? entityOf(step.a) : undefined
  switch (step.kind) {
    case 'create': {
      const body = { name: step.name, type: step.type, observations: step.texts, ...meta(step.metadata) }
      made.entities.push((await rest.createEntity({ body })).entity.id)
      return
    }
    case 'replace':
    case 'rename': {
      const { name, type } = step
      const rest_ = step.kind === 'rename' ? {} : { observations: step.texts, ...meta(step.metadata) }
      if (a !== undefined) await rest.updateEntity({ params: { id: a.id }, body: { name, type, ...rest_ } })
      return
    }
    case 'add':
      if (a !== undefined)
        await rest.createObservations({ params: { id: a.id }, body: { observations: step.texts } })
      return
    case 'correct':
    case 'forget': {
      const observation = a?.observations?.[step.b % Math.max(1, a.observations.length)]
      if (a === undefined || observation === undefined) return
      const params = { id: a.id, observationId: observation.id }
      if (step.kind === 'forget') await rest.deleteObservation({ params })
      else await rest.updateObservation({ params, body: { content: step.text, ...meta(step.metadata) } })
      return
    }
    case 'relate': {
      const b = entityOf(step.b)
      if (a === undefined || b === undefined) return
      await rest.createRelation({ body: { fromEntityId: a.id, toEntityId: b.id, type: step.relationType } })
      return
    }
    case 'retype':
    case 'unrelate': {
      const relation = relationOf(step.a)
      if (relation === undefined) return
      const params = { id: relation.id }
      if (step.kind === 'unrelate') await rest.deleteRelation({ params })
      else await rest.updateRelation({ params, body: { type: step.relationType } })
      return
    }
    case 'delete':
      if (a !== undefined) await rest.deleteEntity({ params: { id: a.id } })
      return
    case 'merge': {
      const b = entityOf(step.b)
      if (a !== undefined && b !== undefined)
        await rest.mergeEntity({ params: { id: a.id }, body: { into: b.id } })
      return
    }
    case 'undo': {
      const setId = made.sets.at(-1 - (step.a % Math.max(1, made.sets.length)))
      if (setId !== undefined) await rest.undoChangeSet({ params: { setId } })
      return
    }
    case 'restore': {
      const id = made.entities[step.a % Math.max(1, made.entities.length)]
      if (id !== undefined) await rest.restoreEntity({ params: { id } })
    }
  }
}

/** Counting back from the present must give the same as reading everything. */
async function expectSameCounts({ ctx: { db } }: TestServer, scope: Scope, seqs: readonly number[]) {
  for (const table of ['entities', 'relations'] as const) {
    for (const types of [undefined, ['person', 'knows']]) {
      for (const seq of seqs) {
        const filter = { seq, types }
        const counts = [
          await countAsOf(db, scope, table, filter),
          await countByScan(db, scope, table, filter),
        ]
        expect([table, types, seq, counts[0]]).toEqual([table, types, seq, counts[1]])
      }
    }
  }
}

/** An entity that was merged into another one is erased with it. */
async function eraseIfThere(rest: RestClient, id: string): Promise<void> {
  try {
    await rest.eraseEntity({ params: { id } })
  } catch (error) {
    expect(error).toMatchObject({ code: 'entity_not_found' })
  }
}

const meta = (metadata: Record<string, unknown> | undefined) => (metadata === undefined ? {} : { metadata })

type Made = { entities: string[]; sets: string[] }

/** Sequences per database, each some hundred calls; `HISTORY_RUNS` raises the number. */
const runs = Number(process.env.HISTORY_RUNS ?? 4)

describeOnBothDatabases('any sequence of writes', (server) => {
  test('is read back as it was at each change, and undone to the empty graph', {
    timeout: 600_000,
  }, async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const person = await server().signUp()
      const { rest } = person
      const made: Made = { entities: [], sets: [] }
      const seen = new Map<number, unknown>([[0, await readGraph(rest)]])
      for (const one of steps) {
        server().clock.now += 1_000
        try {
          await write(rest, one, made)
        } catch (error) {
          expect(error instanceof ApiError ? error.code : error).toBeOneOf(refusals)
        }
        const { changes } = await rest.listChanges({ query: { limit: '1' } })
        const [newest] = changes
        if (newest === undefined || seen.has(newest.seq)) continue
        made.sets.push(newest.setId)
        seen.set(newest.seq, await readGraph(rest))
      }
      for (const [seq, graph] of seen) expect(await readGraph(rest, String(seq)), `seq ${seq}`).toEqual(graph)
      await expectSameCounts(server(), await scopeOf(server(), person), [...seen.keys()])
      for (const setId of made.sets.toReversed()) await rest.undoChangeSet({ params: { setId } })
      expect(await readGraph(rest)).toEqual({ entities: [], total: 0, relations: [] })
      for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
      for (const id of new Set(made.entities)) await eraseIfThere(rest, id)
      await expectSameCounts(server(), await scopeOf(server(), person), [...seen.keys()])
      for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
      const { changes } = await rest.listChanges({ query: { limit: '500' } })
      expect(changes.every(({ before, after }) => before === null && after === null)).toBe(true)
    })
    await fc.assert(property, { numRuns: runs, endOnFailure: false })
  })
})
