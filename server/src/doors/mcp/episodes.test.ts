import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, expectNotShown, expectShown } from '../../../test/agent.ts'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp, connectOverStdio } from '../../../test/mcp-clients.ts'
import { fillDataDirectory } from '../../../test/sqlite-template.ts'
import { dayMs } from '../../ground/lib/time.ts'

const person = (name: string, ...observations: string[]) => ({ name, entityType: 'person', observations })
const create = (client: Client, ...entities: object[]) => ask(client, 'create_entities', { entities })
const add = (client: Client, entityName: string, ...contents: string[]) =>
  ask(client, 'add_observations', { observations: [{ entityName, contents }] })
const relate = (client: Client, from: string, relationType: string, to: string) =>
  ask(client, 'create_relations', { relations: [{ from, relationType, to }] })
const recall = (client: Client, query: string) => ask(client, 'recall', { query })

/** Most characters of a result in either form. */
const charactersMax = 45_000

describeOnBothDatabases('what agents do, over HTTP', (server) => {
  const letTimePass = () => {
    server().clock.now += 1_000
  }
  episodes(async () => connectOverHttp(server(), (await server().signUp()).apiKey, 'auto'), letTimePass)
  episodesOfTime(server)

  test('two writers at once', async () => {
    const { apiKey } = await server().signUp()
    await writeAtOnce(() => connectOverHttp(server(), apiKey, 'auto'))
  })
})

describe('what agents do, over stdio', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'loci-episodes-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const newDirectory = async () => {
    const dataDir = await mkdtemp(join(root, 'data-'))
    fillDataDirectory(dataDir)
    return dataDir
  }

  episodes(
    async () => connectOverStdio({ LOCI_DATA_DIR: await newDirectory() }, 'auto'),
    () => {},
  )

  test('two writers at once', async () => {
    const dataDir = await newDirectory()
    await writeAtOnce(() => connectOverStdio({ LOCI_DATA_DIR: dataDir }, 'auto'))
  })
})

/**
 * Each runs on its own memory and is judged by what a model sees in either form of a result.
 * `letTimePass` is for a stopped clock.
 */
function episodes(connect: () => Promise<Client>, letTimePass: () => void): void {
  const episode = (title: string, play: (client: Client) => Promise<void>) =>
    test(title, async () => {
      const client = await connect()
      await play(client)
      await client.close()
    })

  episode('remembers a preference of somebody who is not there yet', async (client) => {
    const refused = await add(client, 'User', 'Prefers tabs over spaces')
    expect(refused.isError).toBe(true)
    expectShown(refused, 'User', 'create_entities')
    await create(client, person('User', 'Prefers tabs over spaces'))
    const misspelt = await add(client, 'user', 'Writes TypeScript')
    expect(misspelt.isError).toBe(true)
    expectShown(misspelt, /"?User"?/)
    expectShown(await add(client, 'User', 'Writes TypeScript'), 'Writes TypeScript')
    expectShown(await recall(client, 'What does the user prefer?'), 'User', 'Prefers tabs over spaces')
  })

  episode('corrects a fact', async (client) => {
    await create(client, person('Ada Lovelace', 'Lives in Paris', 'Plays the harp'))
    const remove = (text: string) =>
      ask(client, 'delete_observations', {
        deletions: [{ entityName: 'Ada Lovelace', observations: [text] }],
      })
    const missed = await remove('Lives in Pari')
    expect(missed.structured.success).toBe(false)
    expectShown(missed, 'Lives in Pari', /Lives in Paris/)
    expect((await remove('Lives in Paris')).structured.success).toBe(true)
    await add(client, 'Ada Lovelace', 'Lives in Lisbon')
    const answer = await recall(client, 'Where does Ada live?')
    expectShown(answer, 'Ada Lovelace', 'Lives in Lisbon')
    expectNotShown(answer, 'Paris')
  })

  episode('knows what it knows of somebody', async (client) => {
    await create(
      client,
      person('John_Smith', 'Speaks fluent Spanish', 'Graduated in 2019', 'Prefers morning meetings'),
      person('Bob', 'Eats steak every Friday', 'Speaks French'),
      { name: 'Anthropic', entityType: 'organization', observations: [] },
    )
    await relate(client, 'John_Smith', 'works_at', 'Anthropic')
    for (const query of ['John_Smith', 'Who is John Smith?', 'What do you know about John Smith?']) {
      const answer = await recall(client, query)
      expectShown(answer, 'Speaks fluent Spanish', 'Graduated in 2019', 'Prefers morning meetings')
      expectShown(answer, 'John_Smith', /works.at/, 'Anthropic')
    }
  })

  episode('knows who works where', async (client) => {
    await create(
      client,
      person('Ada Lovelace', 'Likes tea'),
      person('Grace Hopper', 'Works on a Mac'),
      { name: 'Acme', entityType: 'company', observations: [] },
      { name: 'checkout-service', entityType: 'service', observations: ['Uses Stripe'] },
    )
    await relate(client, 'Ada Lovelace', 'works_at', 'Acme')
    await relate(client, 'Ada Lovelace', 'owns', 'checkout-service')
    expectShown(await recall(client, 'Where does Ada Lovelace work?'), 'Ada Lovelace', /works.at/, 'Acme')
    expectShown(await recall(client, 'Who works at Acme?'), 'Ada Lovelace', /works.at/, 'Acme')
    expectShown(await recall(client, 'Who owns checkout-service?'), 'Ada Lovelace', 'owns')
  })

  episode('knows what happened today', async (client) => {
    await create(client, person('Ada', 'Signed the contract with Acme'))
    for (const query of ['What happened today?', 'What happened this week?', 'recently']) {
      expectShown(await recall(client, query), 'Signed the contract with Acme')
    }
  })

  episode('deletes, and says what was not there', async (client) => {
    await create(client, person('Ada', 'Likes tea'), person('Bob', 'Likes coffee'))
    const remove = (...entityNames: string[]) => ask(client, 'delete_entities', { entityNames })
    expect((await remove('Ada')).structured.success).toBe(true)
    const again = await remove('Ada')
    expect(again.structured.success).toBe(false)
    expectShown(again, 'Ada')
    const answer = await recall(client, 'Ada')
    expectNotShown(answer, 'Likes tea')
    expectShown(answer, /\S/)
  })

  episode('merges two twins by hand', async (client) => {
    await create(client, { name: 'checkout-service', entityType: 'service', observations: ['Uses Stripe'] })
    await create(client, { name: 'Payments team', entityType: 'team', observations: [] })
    const twin = { name: 'Checkout Service', entityType: 'service', observations: ['Written in Go'] }
    expectShown(await create(client, twin), 'checkout-service', 'merge_entities')
    await relate(client, 'Payments team', 'owns', 'Checkout Service')
    const both = await ask(client, 'open_nodes', { names: ['checkout-service', 'Checkout Service'] })
    expectShown(both, 'Uses Stripe', 'Written in Go', 'Payments team')
    await add(client, 'checkout-service', 'Written in Go')
    await relate(client, 'Payments team', 'owns', 'checkout-service')
    await ask(client, 'delete_entities', { entityNames: ['Checkout Service'] })
    const merged = await recall(client, 'What do you know about the checkout service?')
    expectShown(merged, 'Uses Stripe', 'Written in Go', 'Payments team')
    expectNotShown(merged, 'Checkout Service')
  })

  episode('writes a large dump and reads it page by page', async (client) => {
    const names = Array.from({ length: 150 }, (_, i) => `Module ${i}`)
    const facts = (name: string) =>
      Array.from({ length: 8 }, (_, i) => `Fact ${i} of ${name}: ${'it does one thing well. '.repeat(3)}`)
    const entities = names.map((name) => ({ name, entityType: 'module', observations: facts(name) }))
    const written = await create(client, ...entities)
    expectShown(written, '150', /1,?200/)
    expectFits(written)
    const read: { name: string; observations: string[] }[] = []
    for (let after: string | undefined, page = 0; page < 20; page++) {
      const part = await ask(client, 'read_graph', after === undefined ? {} : { after })
      expectFits(part)
      read.push(...(part.structured.entities as typeof read))
      if (part.structured.notice === undefined) break
      expect(Object.keys(part.structured)[0]).toBe('notice')
      expect(part.text.split('\n')[0]).toContain('read_graph')
      after = JSON.parse(/"after": ?("(?:[^"\\]|\\.)*")/.exec(part.structured.notice as string)?.[1] ?? '')
    }
    expect(read.map(({ name }) => name)).toEqual(names)
    expect(read.map(({ name, observations }) => [name, observations])).toEqual(
      names.map((name) => [name, facts(name)]),
    )
  })

  episode('catches up on what changed', async (client) => {
    await create(client, person('Ada', 'Likes tea'))
    letTimePass()
    await add(client, 'Ada', 'Plays the harp', 'Lives in Lisbon', 'Speaks Portuguese')
    letTimePass()
    await create(client, person('Bob', 'Likes coffee'))
    const answer = await ask(client, 'list_changes')
    expectShown(answer, 'Ada', 'Bob', 'test-agent')
    const calls = answer.structured.changes as { entities: string[] }[]
    expect(calls.map(({ entities }) => entities)).toEqual([['Bob'], ['Ada'], ['Ada']])
    const ofBob = await ask(client, 'list_changes', { entity: 'Bob' })
    expectShown(ofBob, 'Bob')
    expectNotShown(ofBob, 'Ada')
  })
}

/** Episodes over several days. */
function episodesOfTime(server: () => TestServer): void {
  const day = () => new Date(server().clock.now).toISOString().slice(0, 10)

  test('knows what happened last week', async () => {
    const client = await connectOverHttp(server(), (await server().signUp()).apiKey, 'auto')
    await create(client, person('Ada', 'Signed the contract with Acme'))
    server().clock.now += 7 * dayMs
    await create(client, person('Bob', 'Broke his leg'))
    const lastWeek = await recall(client, 'What happened last week?')
    expectShown(lastWeek, 'Signed the contract with Acme')
    expectNotShown(lastWeek, 'Broke his leg')
    const today = await recall(client, 'What happened today?')
    expectShown(today, 'Broke his leg')
    expectNotShown(today, 'Signed the contract')
    await client.close()
  })

  test('shows two contradictory facts with their dates', async () => {
    const client = await connectOverHttp(server(), (await server().signUp()).apiKey, 'auto')
    await create(client, { name: 'Acme', entityType: 'company', observations: ['Was founded in 1999'] })
    const before = day()
    server().clock.now += 2 * dayMs
    await add(client, 'Acme', 'Was founded in 2001')
    const answer = await recall(client, 'When was Acme founded?')
    expectShown(answer, 'Was founded in 1999', 'Was founded in 2001', before, day())
    await client.close()
  })
}

async function writeAtOnce(connect: () => Promise<Client>): Promise<void> {
  const [one, other] = await Promise.all([connect(), connect()])
  await create(one, person('Shared'))
  const facts = Array.from({ length: 20 }, (_, i) => i)
  await Promise.all(
    facts.flatMap((i) => [add(one, 'Shared', `One ${i}`), add(other, 'Shared', `Other ${i}`)]),
  )
  for (const client of [one, other]) {
    const { structured } = await ask(client, 'open_nodes', { names: ['Shared'] })
    const [{ observations }] = structured.entities as [{ observations: string[] }]
    const expected = facts.flatMap((i) => [`One ${i}`, `Other ${i}`])
    expect([...observations].sort()).toEqual(expected.sort())
    await client.close()
  }
}

function expectFits({ text, structured }: { text: string; structured: object }): void {
  expect(text.length).toBeLessThanOrEqual(charactersMax)
  expect(JSON.stringify(structured).length).toBeLessThanOrEqual(charactersMax)
}
