import { createRandom, pick } from '../../server/test/random.ts'
import type { LoadCall } from './load.ts'
import { sentence } from './sample-graph.ts'

const subjects = ['harbour', 'garden', 'invoice', 'kitchen', 'release', 'meeting', 'library', 'station']
const things = ['review', 'plan', 'report', 'repair', 'opening', 'backup', 'survey', 'budget']
const syllables = 'ba den fo gir ka lum mo nes pra qui ro sti ta vel wo zan'.split(' ')
const frequentWords = ['agent', 'service', 'user', 'place', 'log', 'day', 'new']
const rareWords = 'amber birch cobalt dahlia ember falcon granite hazel indigo juniper'.split(' ')
const factsPerRareWord = 5

/** Calls of one server, each with the next of seeded ids, words and names. Two servers get the same lists. */
export function seededCalls(key: string, ids: readonly string[]): Record<string, LoadCall> {
  const random = createRandom(1)
  const oneOf = <T>(values: readonly T[]) => pick(random, values)
  const headers = { authorization: `Bearer ${key}` }
  const jsonHeaders = { ...headers, 'content-type': 'application/json' }
  const get = (path: () => string): LoadCall => ({ method: 'GET', path, headers })
  const post = (path: string, body: () => object): LoadCall => ({
    ...{ method: 'POST', path: () => path, headers: jsonHeaders },
    body: () => JSON.stringify(body()),
  })
  let count = 0
  const create = (name: () => string) => post('/api/entities', () => toEntity(name(), ++count))
  const madeUp = () => `${oneOf(syllables)}${oneOf(syllables)}${oneOf(syllables)}`
  const pairs = ids.length * (ids.length - 1)
  return {
    'read by id': get(() => `/api/entities/${oneOf(ids)}`),
    'list of 20': get(() => '/api/entities?limit=20'),
    'search, a rare word': get(() => `/api/search?query=${oneOf(rareWords)}`),
    'search, three words': get(() => {
      const query = [oneOf(rareWords), oneOf(frequentWords), oneOf(frequentWords)]
      return `/api/search?query=${query.join('%20')}`
    }),
    'create, known words': create(() => `${oneOf(subjects)} ${oneOf(things)}`),
    'create, invented words': create(() => `${madeUp()} ${madeUp()}`),
    'relation create': post('/api/relations', () => {
      const [from, offset] = [count % ids.length, Math.floor(count / ids.length) % (ids.length - 1)]
      const type = `knows #${Math.floor(count++ / pairs)}`
      return { fromEntityId: ids[from], toEntityId: ids[(from + 1 + offset) % ids.length], type }
    }),
  }
}

/** The number makes names unique; a replay of recorded statements renews what stands after the mark. */
const toEntity = (name: string, count: number) => ({
  name: `${name} #${count}`,
  type: 'note',
  observations: [sentence(count)],
})

/** Bodies of entities whose facts have the rare words that are searched for. */
export function rareFacts(): object[] {
  return rareWords.flatMap((word) =>
    Array.from({ length: factsPerRareWord }, (_, i) => ({
      name: `Colour of ${word} ${i}`,
      type: 'note',
      observations: [`${sentence(i)} and ${word}`],
    })),
  )
}
