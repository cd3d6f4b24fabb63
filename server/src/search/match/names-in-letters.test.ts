import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const german = [
  'Müller',
  'Köhler',
  'Schröder',
  'Jäger',
  'Krüger',
  'Schäfer',
  'Günther',
  'Förster',
  'Böhm',
  'Grüner',
]
const people = [
  ...[...german, 'Vögel', 'Bäcker', 'Weiß'].map((name) => ({
    name,
    asked: ['Was macht %?', 'Wer ist Anna %?'],
  })),
  ...['Mäkinen', 'Hämäläinen', 'Väisänen', 'Lähteenmäki', 'Järvinen'].map((name) => ({
    name,
    asked: ['Mitä % tekee?', 'Kuka on Anna %?'],
  })),
  ...['Peña', 'Núñez', 'Ibáñez'].map((name) => ({ name, asked: ['¿Qué hace %?', '¿Quién es Anna %?'] })),
  ...['Lefèvre', 'Désiré', 'Wójcik', 'Иванова', 'Παπαδοπούλου'].map((name) => ({ name, asked: [] })),
]
const english = ['What does % do?', 'Who is Anna %?', "Where is %'s office?", '%']
const factsOf = (name: string) => [
  `Keeps the books (${people.findIndex((one) => one.name === name)})`,
  'Office in Ulm',
]

/** Letters alone, as somebody types who has no such keys. */
const plain = (name: string) =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u0308]/g, '')

describeOnBothDatabases('a name with other letters than those of English', (server) => {
  let agent: Client
  beforeAll(async () => {
    const person = await server().signUp()
    const entities = people.map(({ name }) => ({
      name: `Anna ${name}`,
      type: 'person',
      observations: factsOf(name),
    }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  })
  afterAll(() => agent.close())

  test.each(people)('is known in every question about $name', async ({ name, asked }) => {
    for (const written of [name, plain(name)]) {
      for (const question of [...english, ...asked]) {
        const query = question.replace('%', written)
        const { structured, text } = await ask(agent, 'recall', { query })
        const { observations = [] } = structured as { observations?: { entity: { name: string } }[] }
        expect(observations[0]?.entity.name, query).toBe(`Anna ${name}`)
        expect(text, query).not.toContain(JSON.stringify(written))
      }
    }
  })
})

describeOnBothDatabases('a word of a text in another language', (server) => {
  test('is found by an English question', async () => {
    const { rest } = await server().signUp()
    const observations = ['Herr Müller kommt am Montag zu uns', 'La señora Peña no viene con nosotros']
    await rest.createEntity({ body: { name: 'Calendar', type: 'note', observations } })
    for (const [query, text] of [
      ['When does Müller come?', observations[0]],
      ['Is Peña coming?', observations[1]],
    ]) {
      const answer = await rest.searchObservations({ query: { query: query! } })
      expect(answer.observations[0]?.content, query).toBe(text)
      expect(answer.understood.unknown ?? [], query).not.toContainEqual(expect.stringMatching(/Müller|Peña/))
    }
  })
})
