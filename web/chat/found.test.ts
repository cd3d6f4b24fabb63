import { expect, test } from 'vitest'
import { readFound } from './found.ts'
import { Known } from './known.ts'

const works = { from: 'Ada', to: 'Acme', relationType: 'works_at' }

test('for recall: entities of facts first, ends of relations around them', () => {
  const found = readFound({
    observations: [
      { entity: { name: 'Ada', entityType: 'person' }, content: 'Likes tea' },
      { entity: { name: 'Ada', entityType: 'person' }, content: 'Codes' },
    ],
    relations: [works],
    entities: [{ name: 'Grace', entityType: 'person' }],
  })
  expect(found.names).toEqual(['Ada'])
  expect(found.nodes.map(({ name, type }) => [name, type])).toEqual([
    ['Ada', 'person'],
    ['Grace', 'person'],
    ['Acme', ''],
  ])
  expect(found.edges).toMatchObject([{ fromEntityId: 'Ada', toEntityId: 'Acme', relationType: 'works_at' }])
  expect(found.facts.get('Ada')).toEqual(['Likes tea', 'Codes'])
})

test('for explore_entity and open_nodes, whose facts are objects and strings', () => {
  const explored = readFound({
    entity: {
      name: 'Ada',
      entityType: 'person',
      observationsCount: 7,
      observations: [{ id: 'o', content: 'Codes' }],
    },
    entities: [{ name: 'Acme', entityType: 'company', observationsCount: 2 }],
    relations: [works],
  })
  expect(explored.names).toEqual(['Ada'])
  expect(explored.nodes[0]).toMatchObject({ id: 'Ada', observationsCount: 7 })
  expect(explored.facts.get('Ada')).toEqual(['Codes'])
  const opened = readFound({ entities: [{ name: 'Ada', entityType: 'person', observations: ['Codes'] }] })
  expect(opened.names).toEqual(['Ada'])
  expect(opened.facts.get('Ada')).toEqual(['Codes'])
})

test('facts are shown without Markdown signs', () => {
  const observations = ['Deploys **only** from `release`']
  const { facts } = readFound({ entities: [{ name: 'Ada', entityType: 'person', observations }] })
  expect(facts.get('Ada')).toEqual(['Deploys only from release'])
})

test('relations alone name what was found, and nothing finds nothing', () => {
  expect(readFound({ relations: [works] }).names).toEqual(['Ada', 'Acme'])
  for (const nothing of [undefined, {}, 'text', null]) expect(readFound(nothing).nodes).toEqual([])
})

test('a later answer adds what is new, refines what is known, and removes nothing', () => {
  const known = new Known()
  known.take(readFound({ relations: [works] }))
  const change = known.take(
    readFound({
      entity: { name: 'Acme', entityType: 'company', observationsCount: 3 },
      relations: [works, { from: 'Acme', to: 'Rome', relationType: 'in' }],
    }),
  )
  expect([...change.nodes!].map(({ name, type }) => [name, type])).toEqual([
    ['Acme', 'company'],
    ['Rome', ''],
  ])
  expect([...change.edges!]).toHaveLength(1)
  expect(known.edgesOf('Acme')).toHaveLength(2)
  known.take(readFound({ relations: [works] }))
  expect(known.nodes.get('Acme')).toMatchObject({ type: 'company', observationsCount: 3 })
})
