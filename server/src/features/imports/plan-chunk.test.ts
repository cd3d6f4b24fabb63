import { describe, expect, test } from 'vitest'
import type { StoredEntity } from '../../rows/codec.ts'
import { startOfImport } from './import-progress.ts'
import { planChunk } from './plan-chunk.ts'
import type { ImportUnit } from './read-units.ts'

let line = 0
const place = (unit: Omit<ImportUnit, 'at' | 'after' | 'problems'>): ImportUnit => {
  line += 1
  const at = { offset: line * 100, line, item: 0 }
  return { at, after: { offset: (line + 1) * 100, line: line + 1, item: 0 }, problems: [], ...unit }
}
const texts = (...contents: string[]) => contents.map((content) => ({ content }))
const entity = (name: string, ...contents: string[]) =>
  place({
    entity: { type: 'entity', name, entityType: 'person' } as never,
    observations: { name, isMore: false, items: texts(...contents) },
  })
const more = (name: string, ...contents: string[]) =>
  place({ observations: { name, isMore: true, items: texts(...contents) } })
const relation = () =>
  place({ relation: { type: 'relation', from: 'Ada', to: 'Bob', relationType: 'knows' } as never })
const stored = (...names: string[]) =>
  new Map(names.map((name) => [name, { id: `ent_${name}`, name } as StoredEntity]))

function plan(units: ImportUnit[], { present = stored(), room = 100, progress = startOfImport } = {}) {
  const chunk = planChunk(progress, units, present, room)
  return {
    ...chunk,
    drafted: chunk.drafts.map(({ name, observations }) => [
      name,
      ...observations.map(({ content }) => content),
    ]),
    added: chunk.additions.map(({ entity: to, lines, isNew }) => [
      to.name,
      isNew,
      ...lines.map((one) => one.content),
    ]),
  }
}

describe('a chunk of an import', () => {
  test('creates what is new and adds to what is there', () => {
    const { drafted, added, existing, observations } = plan([entity('Ada', 'a', 'b'), entity('Bob', 'c')], {
      present: stored('Bob'),
    })
    expect(drafted).toEqual([['Ada', 'a', 'b']])
    expect(added).toEqual([['Bob', false, 'c']])
    expect([existing, observations]).toEqual([1, 3])
  })

  test('joins lines about one entity, and stores none of its texts twice', () => {
    const { drafted, existing, observations } = plan([entity('Ada', 'a', 'b'), entity('Ada', 'b', 'c', 'c')])
    expect(drafted).toEqual([['Ada', 'a', 'b', 'c']])
    expect([existing, observations]).toEqual([1, 5])
  })

  test('keeps equal texts within the part of a long line that continues', () => {
    expect(plan([entity('Ada', 'a', 'a'), more('Ada', 'a')]).drafted).toEqual([['Ada', 'a', 'a', 'a']])
  })

  test('knows that the entity of the line before was new, over the end of a chunk', () => {
    const first = plan([entity('Ada', 'a')])
    expect(first.progress.createdLast).toBe('Ada')
    const second = plan([more('Ada', 'a'), more('Bob', 'b')], {
      present: stored('Ada', 'Bob'),
      progress: first.progress,
    })
    expect(second.added).toEqual([
      ['Ada', true, 'a'],
      ['Bob', false, 'b'],
    ])
    expect(second.progress.createdLast).toBeUndefined()
  })

  test('tells of observations for an entity that does not exist, by line, and goes on', () => {
    const lost = more('Zoë', 'x')
    const { progress, drafted, observations } = plan([lost, entity('Ada', 'a')])
    expect(progress.problems).toEqual({
      total: 1,
      first: [{ line: lost.at.line, message: 'Entity Zoë not found' }],
    })
    expect([drafted, observations]).toEqual([[['Ada', 'a']], 1])
  })

  test('treats names that differ in case as two', () => {
    expect(plan([entity('ada', 'x')], { present: stored('Ada') }).drafted).toEqual([['ada', 'x']])
  })

  test('stops before the first entity that has no room, and where it stopped', () => {
    const units = [entity('A'), entity('B'), entity('C')]
    const { drafted, progress } = plan(units, { room: 2 })
    expect(drafted).toEqual([['A'], ['B']])
    expect(progress).toMatchObject({ state: 'plan_limit_reached', position: units[1]!.after })
  })

  test('with no room left still adds to what is there, up to the first new entity', () => {
    const { added, drafted, progress } = plan([entity('Ada', 'a'), entity('New', 'n'), entity('Ada', 'b')], {
      ...{ room: 0, present: stored('Ada') },
    })
    expect([added, drafted]).toEqual([[['Ada', false, 'a']], []])
    expect(progress.state).toBe('plan_limit_reached')
  })

  test('that fills the room exactly has not reached the limit', () => {
    expect(plan([entity('A'), entity('A', 'x'), more('A', 'y')], { room: 1 }).progress.state).toBe('running')
  })

  test('remembers the first relation of the file only', () => {
    const [first, second] = [relation(), relation()]
    expect(plan([entity('A'), first, second]).progress.relationsFrom).toEqual(first.at)
  })

  test('does not change the progress that it was given', () => {
    const before = structuredClone(startOfImport)
    plan([more('Zoë', 'x'), entity('A')])
    expect(startOfImport).toEqual(before)
  })
})
