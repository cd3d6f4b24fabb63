import { describe, expect, test } from 'vitest'
import { entityRow, observationRow, relationRow } from '../../../test/rows.ts'
import { showObservation } from '../../rows/codec.ts'
import { toEntityState, toEntityStateAtFirst, toEntityStateAtLast, toRelationState } from './states.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const minuteMs = 60_000

describe('the state of an entity', () => {
  const row = entityRow({
    id: 36,
    name: 'Ada',
    type: 'person',
    metadata: '{"born":1815,"tags":["maths"]}',
    created_at: noon,
    updated_at: noon + 5 * minuteMs,
    observations_count: 7,
    since_observations: 3,
  })

  test('has public ids, ISO times and parsed metadata', () => {
    expect(toEntityState(row, { observationsCount: 2, updatedAt: noon + 1 })).toEqual({
      id: 'ent_14',
      name: 'Ada',
      type: 'person',
      metadata: { born: 1815, tags: ['maths'] },
      observationsCount: 2,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.001Z',
    })
  })

  test('lists aliases only if the entity had any', () => {
    expect(toEntityStateAtLast(row)).not.toHaveProperty('aliases')
    const aliased = { ...row, aliases: '["Countess of Lovelace"]' }
    expect(toEntityStateAtLast(aliased).aliases).toEqual(['Countess of Lovelace'])
  })

  test('has the observations of its first moment at the start and of its last moment at the end', () => {
    expect(toEntityStateAtFirst(row, noon).observationsCount).toBe(3)
    expect(toEntityStateAtLast(row).observationsCount).toBe(7)
  })

  test('was not updated later than the change that began it', () => {
    const change = noon + minuteMs
    expect(toEntityStateAtFirst(row, change).updatedAt).toBe('2026-11-20T12:01:00.000Z')
    expect(toEntityStateAtLast(row).updatedAt).toBe('2026-11-20T12:05:00.000Z')
  })

  test('keeps the earlier time given by an import', () => {
    const imported = { ...row, updated_at: Date.UTC(2019, 4, 1) }
    expect(toEntityStateAtFirst(imported, noon).updatedAt).toBe('2019-05-01T00:00:00.000Z')
  })
})

describe('the state of an observation', () => {
  const row = observationRow({ id: 1, entity_id: 2, content: 'Plays chess', created_at: noon })

  test('leaves out what was never set', () => {
    expect(showObservation(row)).toEqual({
      id: 'obs_1',
      content: 'Plays chess',
      createdAt: '2026-11-20T12:00:00.000Z',
    })
  })

  test('says when it was corrected, and includes metadata even if empty', () => {
    const corrected = { ...row, updated_at: noon + minuteMs, metadata: '{}' }
    expect(showObservation(corrected)).toMatchObject({
      updatedAt: '2026-11-20T12:01:00.000Z',
      metadata: {},
    })
  })
})

describe('the state of a relation', () => {
  const row = relationRow({ id: 3, from_id: 1, to_id: 2, type: 'works for', created_at: noon })

  test('names its ends, and its type under both keys', () => {
    const [source, target] = [
      entityRow({ id: 1, name: 'Ada' }),
      entityRow({ id: 2, name: 'Acme', type: 'org' }),
    ]
    expect(toRelationState(row, source, target)).toEqual({
      id: 'rel_3',
      fromEntityId: 'ent_1',
      toEntityId: 'ent_2',
      type: 'works for',
      relationType: 'works for',
      createdAt: '2026-11-20T12:00:00.000Z',
      fromEntity: { name: 'Ada', type: 'thing' },
      toEntity: { name: 'Acme', type: 'org' },
    })
  })

  test('has no name for an end whose history was erased', () => {
    const { fromEntity, toEntity } = toRelationState(row, undefined, entityRow({ id: 2, name: 'Acme' }))
    expect(fromEntity).toEqual({ name: '', type: '' })
    expect(toEntity.name).toBe('Acme')
  })
})
