import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entityRow, observationRow, relationRow } from '../../../test/rows.ts'
import { countSteps, countsOfSteps, runsOf, type Step, type Steps, sortSteps } from './row-changes.ts'

const noSteps: Steps = { entities: [], observations: [], relations: [] }
const insert = <Row>(after: Row) => ({ before: undefined, after })
const remove = <Row>(before: Row) => ({ before, after: undefined })

describe('steps in groups', () => {
  const [ada, bob, cy] = [1, 2, 3].map((id) => entityRow({ id })) as [Entity, Entity, Entity]
  type Entity = ReturnType<typeof entityRow>

  test('a row without a before state is inserted, one without an after state is deleted', () => {
    const renamed = { ...cy, name: 'Cyrus' }
    expect(sortSteps<'entities'>([insert(ada), remove(bob), { before: cy, after: renamed }])).toEqual({
      coming: [ada],
      going: [bob],
      resets: [{ before: cy, after: renamed }],
    })
  })

  test('a step with neither state has no effect and is not counted', () => {
    const nothing: Step<'entities'> = { before: undefined, after: undefined }
    expect(sortSteps([nothing])).toEqual({ coming: [], going: [], resets: [] })
    expect(countSteps({ ...noSteps, entities: [nothing, insert(ada)] })).toBe(1)
  })

  test('rows of each group keep the order of the steps', () => {
    const { coming, going } = sortSteps([insert(cy), remove(bob), insert(ada), remove(ada)])
    expect(coming.map(({ id }) => id)).toEqual([3, 1])
    expect(going.map(({ id }) => id)).toEqual([2, 1])
  })

  test('steps of all three tables are counted together', () => {
    const observations = [insert(observationRow({ id: 4, entity_id: 1 }))]
    const relations = [remove(relationRow({ id: 5, from_id: 1, to_id: 2 }))]
    expect(countSteps({ entities: [insert(ada)], observations, relations })).toBe(3)
    expect(countSteps(noSteps)).toBe(0)
  })
})

describe('the difference that steps make to the counts of entities', () => {
  const observationsOf = (observations: Step<'observations'>[]) =>
    Object.fromEntries(countsOfSteps({ ...noSteps, observations }).observations)
  const degreesOf = (relations: Step<'relations'>[]) =>
    Object.fromEntries(countsOfSteps({ ...noSteps, relations }).degrees)
  const observation = observationRow({ id: 9, entity_id: 1 })
  const relation = relationRow({ id: 9, from_id: 1, to_id: 2 })

  test('an observation counts for the entity that gains or loses it', () => {
    expect(observationsOf([insert(observation), insert({ ...observation, id: 10 })])).toEqual({ 1: 2 })
    expect(observationsOf([remove(observation)])).toEqual({ 1: -1 })
  })

  test('a moved observation is subtracted from one entity and added to the other', () => {
    const moved = { before: observation, after: { ...observation, entity_id: 2 } }
    expect(observationsOf([moved])).toEqual({ 1: -1, 2: 1 })
  })

  test('an observation whose text changes makes no difference', () => {
    const corrected = { before: observation, after: { ...observation, content: 'Lives in Lisbon' } }
    expect(observationsOf([corrected])).toEqual({ 1: 0 })
  })

  test('a relation counts at both ends, and twice for an entity related to itself', () => {
    expect(degreesOf([insert(relation)])).toEqual({ 1: 1, 2: 1 })
    expect(degreesOf([remove({ ...relation, to_id: 1 })])).toEqual({ 1: -2 })
  })

  test('a relation with one moved end changes the counts of the old and the new end', () => {
    const moved = { before: relation, after: { ...relation, to_id: 3 } }
    expect(degreesOf([moved])).toEqual({ 1: 0, 2: -1, 3: 1 })
  })

  test('steps and their reverse cancel out', () => {
    const end = fc.integer({ min: 1, max: 4 })
    const row = fc.record({ from: end, to: end })
    const step = fc.record({ before: fc.option(row), after: fc.option(row) })
    const toStep = ({ from, to }: { from: number; to: number }) =>
      relationRow({ id: 1, from_id: from, to_id: to })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const there = steps.map(({ before, after }) => ({
          before: before === null ? undefined : toStep(before),
          after: after === null ? undefined : toStep(after),
        }))
        const back = there.map(({ before, after }) => ({ before: after, after: before }))
        return Object.values(degreesOf([...there, ...back])).every((delta) => delta === 0)
      }),
    )
  })
})

describe('relations that change alike', () => {
  const relation = (id: number, from_id: number, to_id: number, type = 'knows') =>
    relationRow({ id, from_id, to_id, type })
  const reset = (before: ReturnType<typeof relation>, change: Partial<typeof before>) => ({
    before,
    after: { ...before, ...change },
  })

  test('are one run, in their order, with only the columns that change', () => {
    const resets = [
      reset(relation(1, 7, 2), { from_id: 8 }),
      reset(relation(2, 7, 3), { from_id: 8 }),
      reset(relation(3, 4, 7), { to_id: 8 }),
      reset(relation(4, 7, 7), { from_id: 8, to_id: 8 }),
      reset(relation(5, 1, 2), { type: 'likes' }),
    ]
    expect(runsOf('relations', resets)).toEqual([
      { ids: [1, 2], columns: { from_id: 8 } },
      { ids: [3], columns: { to_id: 8 } },
      { ids: [4], columns: { from_id: 8, to_id: 8 } },
      { ids: [5], columns: { type: 'likes' } },
    ])
  })

  test('are not joined across a relation that changes otherwise', () => {
    const alike = [reset(relation(1, 7, 2), { from_id: 8 }), reset(relation(3, 7, 3), { from_id: 8 })]
    const other = reset(relation(2, 1, 2), { type: 'likes' })
    expect(runsOf('relations', [alike[0]!, other, alike[1]!]).map(({ ids }) => ids)).toEqual([[1], [2], [3]])
  })
})
