import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, expectNotShown, expectShown } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp, connectOverStdio } from '../../../test/mcp-clients.ts'
import { fillDataDirectory } from '../../../test/sqlite-template.ts'

const languages = {
  English: {
    person: 'Maya',
    twin: 'Maya Lindt',
    lives: (city: string) => `Maya lives in ${city}`,
    cities: ['Berlin', 'Lisbon', 'Rome'],
    where: 'Where does Maya live?',
    job: 'Maya works at Acme',
    whichJob: 'Where does Maya work?',
    project: 'Falcon',
    renamed: 'Kestrel',
    stores: 'Sessions are stored in Redis',
    whichStore: 'Where does Falcon store sessions?',
    freeze: 'Deploys are frozen for Black Friday',
    isFrozen: 'Are deploys frozen?',
    slip: ['The launch is in Feburary', 'The launch is in February'],
    book: 'Handbook',
  },
  German: {
    person: 'Jana',
    twin: 'Jana Müller',
    lives: (city: string) => `Jana wohnt in ${city}`,
    cities: ['Bremen', 'Hamburg', 'Köln'],
    where: 'Wo wohnt Jana?',
    job: 'Jana arbeitet bei Acme',
    whichJob: 'Wo arbeitet Jana?',
    project: 'Falke',
    renamed: 'Turmfalke',
    stores: 'Sitzungen werden in Redis gespeichert',
    whichStore: 'Wo speichert Falke die Sitzungen?',
    freeze: 'Auslieferungen sind bis Montag gesperrt',
    isFrozen: 'Sind Auslieferungen gesperrt?',
    slip: ['Der Start ist im Feburar', 'Der Start ist im Februar'],
    book: 'Handbuch',
  },
  Japanese: {
    person: '花子',
    twin: '田中花子',
    lives: (city: string) => `花子は${city}に住んでいる`,
    cities: ['大阪', '京都', '札幌'],
    where: '花子はどこに住んでいますか',
    job: '花子は東京電力で働いている',
    whichJob: '花子はどこで働いていますか',
    project: '隼計画',
    renamed: '鷹計画',
    stores: 'セッションはRedisに保存する',
    whichStore: '隼計画のセッションはどこに保存しますか',
    freeze: 'デプロイは凍結中である',
    isFrozen: 'デプロイは凍結中ですか',
    slip: ['開始は二月でる', '開始は二月である'],
    book: '手引き',
  },
} as const

type Words = (typeof languages)[keyof typeof languages]
/** Lets so much time pass that a moment lies between two calls, and tells it. */
type Pass = () => Promise<string>
type Fact = string | { content: string; [field: string]: unknown }

const create = (client: Client, name: string, ...observations: Fact[]) =>
  ask(client, 'create_entities', { entities: [{ name, entityType: 'person', observations }] })
const add = (client: Client, entityName: string, ...contents: Fact[]) =>
  ask(client, 'add_observations', { observations: [{ entityName, contents }] })
const update = (client: Client, args: object) => ask(client, 'update_observation', args)
const recall = (client: Client, query: string, more: object = {}) => ask(client, 'recall', { query, ...more })

/** The id of the fact that a question finds with this text. */
async function idOf(client: Client, query: string, content: string): Promise<string> {
  const { structured } = await recall(client, query)
  const facts = structured.observations as { id: string; content: string }[]
  return facts.find((fact) => fact.content === content)!.id
}

type Play = (client: Client, words: Words, pass: Pass) => Promise<void>

const plays: Record<string, Play> = {
  'somebody moves house': async (client, { person, lives, cities: [old, home], where }) => {
    await create(client, person, lives(old))
    const added = await add(client, person, lives(home))
    const [rival] = added.structured.rivals as { id: string; content: string }[]
    expect(rival!.content).toBe(lives(old))
    await update(client, {
      entityName: person,
      observation: lives(home),
      at: '2026-02',
      replaces: [rival!.id],
    })
    const answer = await recall(client, where)
    expectShown(answer, lives(home), '2026-02')
    expectNotShown(answer, lives(old))
  },

  'a project is renamed': async (client, { project, renamed, stores, whichStore }) => {
    await create(client, project, stores)
    await ask(client, 'update_entity', { name: project, newName: renamed })
    expectShown(await recall(client, whichStore), renamed, stores)
    for (const name of [project, renamed])
      expectShown(await ask(client, 'explore_entity', { name }), renamed, stores)
  },

  'a decision is reversed twice': async (client, { person, lives, cities, where }) => {
    await create(client, person, lives(cities[0]))
    for (const [at, index] of [
      ['2025', 1],
      ['2026-03', 2],
    ] as const) {
      const before = lives(cities[index - 1]!)
      const replaces = [await idOf(client, where, before)]
      await add(client, person, { content: lives(cities[index]!), at, replaces })
    }
    const answer = await recall(client, where)
    expectShown(answer, lives(cities[2]))
    expectNotShown(answer, lives(cities[0]))
    expectNotShown(answer, lives(cities[1]))
  },

  'a reversal is taken back': async (client, { person, lives, cities: [old, home], where }) => {
    await create(client, person, lives(old))
    await add(client, person, { content: lives(home), replaces: [await idOf(client, where, lives(old))] })
    const { structured } = await ask(client, 'list_changes', { limit: 1 })
    const [last] = structured.changes as { number: number }[]
    await ask(client, 'undo_changes', { number: last!.number })
    const answer = await recall(client, where)
    expectShown(answer, lives(old))
    expectNotShown(answer, lives(home))
  },

  'a temporary freeze ends': async (client, { project, freeze, isFrozen }, pass) => {
    // On a busy machine a short one may have ended before it is asked for.
    for (let lasts = 1_500; ; lasts *= 3) {
      const name = `${project} ${lasts}`
      const end = Date.parse(await pass()) + lasts
      await create(client, name, { content: freeze, expiresAt: new Date(end).toISOString() }, 'x')
      const during = await recall(client, isFrozen)
      if (!during.text.includes(freeze) && lasts < 30_000) continue
      expectShown(during, freeze)
      while (Date.parse(await pass()) < end);
      expectNotShown(await recall(client, isFrozen), freeze)
      expectNotShown(await ask(client, 'open_nodes', { names: [name] }), freeze)
      return
    }
  },

  'what did we believe then?': async (client, { person, lives, cities: [old, home], where }, pass) => {
    await create(client, person, lives(old))
    const then = await pass()
    await add(client, person, { content: lives(home), replaces: [await idOf(client, where, lives(old))] })
    const answer = await recall(client, where, { asOf: then })
    expectShown(answer, lives(old))
    expectNotShown(answer, lives(home))
    expectShown(await ask(client, 'open_nodes', { names: [person], asOf: then }), lives(old))
  },

  'a deleted fact is still in the past': async (client, { person, job, whichJob }, pass) => {
    await create(client, person, job)
    const then = await pass()
    await ask(client, 'delete_observations', { deletions: [{ entityName: person, observations: [job] }] })
    expectNotShown(await recall(client, whichJob), job)
    expectShown(await ask(client, 'explore_entity', { name: person, asOf: then }), job)
  },

  'a slip of the pen is corrected': async (client, { project, slip: [wrong, right] }) => {
    await create(client, project, wrong)
    const before = await idOf(client, project, wrong)
    await update(client, { entityName: project, observation: wrong, newObservation: right })
    const answer = await recall(client, project)
    expectShown(answer, right, before)
    expectNotShown(answer, wrong)
  },

  'the new fact was wrong, and the old one holds again': async (client, words) => {
    const {
      person,
      lives,
      cities: [old, home],
      where,
    } = words
    await create(client, person, lives(old))
    await add(client, person, { content: lives(home), replaces: [await idOf(client, where, lives(old))] })
    await ask(client, 'delete_observations', {
      deletions: [{ entityName: person, observations: [lives(home)] }],
    })
    expectShown(await recall(client, where), lives(old))
  },

  'somebody moves back': async (client, { person, lives, cities: [old, home], where }) => {
    await create(client, person, lives(old))
    await add(client, person, { content: lives(home), replaces: [await idOf(client, where, lives(old))] })
    const back = { content: lives(old), at: '2026-09', replaces: [await idOf(client, where, lives(home))] }
    expect((await add(client, person, back)).structured).toMatchObject({
      results: [{ addedObservations: [lives(old)] }],
    })
    const answer = await recall(client, where)
    expectShown(answer, lives(old), '2026-09')
    expectNotShown(answer, lives(home))
  },

  'two entities are one': async (client, { person, twin, lives, cities: [old, home], where, job }) => {
    await create(client, person, lives(old))
    await add(client, person, { content: lives(home), replaces: [await idOf(client, where, lives(old))] })
    await create(client, twin, { content: job, at: '2019', until: '2024-03' })
    await ask(client, 'merge_entities', { names: [twin], into: person })
    const explored = await ask(client, 'explore_entity', { name: twin })
    expectShown(explored, lives(home), job, '2024-03')
    expectNotShown(explored, lives(old))
  },

  'where is it from, and when was it?': async (client, { person, job, whichJob, book }) => {
    const source = { title: book, quote: job }
    await create(client, person, { content: job, at: '2019', until: '2024-03', source })
    expectShown(await recall(client, whichJob, { with: ['source'] }), job, '2019', '2024-03', book)
    const within = { after: '2020-01-01', before: '2021-01-01' }
    expectShown(await recall(client, whichJob, within), job)
    expectNotShown(await recall(client, whichJob, { after: '2025-01-01' }), job)
  },
}

/** One on a memory of its own, judged by what a model sees in either form of a result. */
async function perform(play: Play, words: Words, connect: () => Promise<Client>, pass: Pass): Promise<void> {
  const client = await connect()
  await play(client, words, pass)
  await client.close()
}

describeOnBothDatabases('facts in time, as agents live them over HTTP', (server) => {
  const pass = async () => {
    server().clock.now += 1_000
    const moment = new Date(server().clock.now).toISOString()
    server().clock.now += 1_000
    return moment
  }
  const connect = async () => connectOverHttp(server(), (await server().signUp()).apiKey, 'auto')
  describe.each(Object.entries(languages))('in %s', (_, words) => {
    test.each(Object.entries(plays))('%s', (_title, play) => perform(play, words, connect, pass))
  })
})

describe('facts in time, as agents live them over stdio', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'loci-episodes-in-time-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const pass = async () => {
    await delay(400)
    const moment = new Date().toISOString()
    await delay(400)
    return moment
  }
  const connect = async () => {
    const dataDir = await mkdtemp(join(root, 'data-'))
    fillDataDirectory(dataDir)
    return connectOverStdio({ LOCI_DATA_DIR: dataDir }, 'auto')
  }
  // Each starts a process, so the languages take turns; over HTTP every play is in every language.
  const turns = Object.entries(plays).map(([title, play], index) => {
    const [language, words] = Object.entries(languages)[index % 3]!
    return { title, language, play, words }
  })
  test.each(turns)('$title, in $language', ({ play, words }) => perform(play, words, connect, pass))
})
