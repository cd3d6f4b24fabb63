import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { areSimilarNames } from '../find/find-similar-names.ts'

describe('names are similar', () => {
  test.each([
    ['case and accents', 'josé garcía', 'Jose Garcia'],
    ['punctuation', 'check-out service', 'Checkout Service'],
    ['a letter', 'Kuberntes', 'Kubernetes'],
    ['two letters of a long word', 'Kubrnets cluster', 'Kubernetes cluster'],
    ['the order of words', 'Lovelace, Ada', 'Ada Lovelace'],
    ['a title', 'Dr. Ada Lovelace', 'Ada Lovelace'],
    ['a plural', 'Design systems', 'design system'],
    ['a surname that was added', 'Ada', 'Ada Lovelace'],
    ['another alphabet', 'Москва', 'москва'],
    ['the way of writing a sharp s', 'Hauptstraße', 'Hauptstrasse'],
    ['the width of letters', 'Ｌｏｃｉ', 'Loci'],
    ['underscores and capitals', 'user_service', 'UserService'],
    ['an apostrophe', 'O’Brien', "O'Brien"],
    ['spaces between initials', 'J. R. R. Tolkien', 'JRR Tolkien'],
    ['a hyphen before a number', 'Route-66', 'route 66'],
    ['what follows a plus', 'Ctrl+C', 'ctrl c'],
    ['simplified letters', '東京', '东京'],
    ['an emoji that is the same', '🎉', '🎉'],
  ])('but for %s', (_, one, other) => {
    const type = 'person'
    expect(areSimilarNames({ name: one, type }, { name: other, type })).toBe(true)
    expect(areSimilarNames({ name: other, type }, { name: one, type })).toBe(true)
  })

  test.each([
    ['numbers', 'Session 11', 'Session 12'],
    ['versions', 'Node 24', 'Node 26'],
    ['a single letter', 'Team A', 'Team B'],
    ['a short word', 'cat', 'car'],
    ['a part of what they name', 'Berlin', 'Berlin office'],
    ['the thing itself', 'Ada Lovelace', 'Grace Hopper'],
    ['a sign that belongs to them', 'C', 'C++'],
    ['two signs', 'C++', 'C#'],
    ['a sign at the end', 'Disney', 'Disney+'],
    ['where the point stands', 'Version 2.1', 'Version 21'],
    ['where numbers are split', 'Chapter 1.12', 'Chapter 11.2'],
    ['a zero', 'item 10', 'item 100'],
    ['an emoji', '👍', '👎'],
    ['letters and nothing', '???', 'Ada'],
    ['a quarter', 'Q1 2024', 'Q2 2024'],
    ['a direction', 'North Korea', 'South Korea'],
  ])('never where they differ by %s', (_, one, other) => {
    expect(areSimilarNames({ name: one, type: 'thing' }, { name: other, type: 'thing' })).toBe(false)
  })
})

describeOnBothDatabases('creating an entity', (server) => {
  let alice: Person
  let agent: Client
  beforeAll(async () => {
    alice = await server().signUp()
    agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    for (const name of ['Ada Lovelace', 'Kubernetes cluster', 'Checkout service', 'Session 1'])
      await create(name)
    await (await server().signUp('bob')).rest.createEntity({ body: { name: 'Grace Hopper', type: 'person' } })
  })
  afterAll(() => agent.close())

  const create = async (name: string) => {
    const { similar } = await alice.rest.createEntity({ body: { name, type: 'person' } })
    return similar.map((entity) => entity.name)
  }

  test.each([
    ['ADA LOVELACE', ['Ada Lovelace']],
    ['Dr. Lovelace, Ada', ['Ada Lovelace', 'ADA LOVELACE']],
    ['Kubernets cluster', ['Kubernetes cluster']],
    ['check-out service', ['Checkout service']],
    ['Session 2', []],
    ['Grace Hoper', []],
    ['???', []],
  ])('"%s" answers with the entities of the account that may be the same: %j', async (name, expected) => {
    expect(await create(name)).toEqual(expected)
  })

  test('tells the agent to extend what exists, and creates the entity all the same', async () => {
    const entities = ['Ada Lovelce', 'Charles Babbage'].map((name) => ({
      name,
      entityType: 'person',
      observations: [],
    }))
    const { content, structuredContent } = await agent.callTool({
      name: 'create_entities',
      arguments: { entities },
    })
    expect(structuredContent).toMatchObject({ entities, similar: [{ name: 'Ada Lovelce' }] })
    expect(JSON.stringify(content)).toContain('merge_entities')
    const opened = await agent.callTool({ name: 'open_nodes', arguments: { names: ['Ada Lovelce'] } })
    expect(opened.structuredContent).toMatchObject({ entities: [{ name: 'Ada Lovelce' }] })
  })
})
