import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'
import { describeAnswer } from '../../../test/invented/answers.ts'
import { openDoors } from '../../../test/invented/doors.ts'
import { inventMemory, toMemoryLines } from '../../../test/invented/memory.ts'
import { inventQuestions } from '../../../test/invented/questions.ts'

/** Conversations of two people with their agent, and notes on a system: written by us, only for minimum scores. */
const memory: Record<string, string[]> = {
  'Kitchen talk': [
    'Noor: We finally tore out the old cabinets on Saturday',
    'Tomas: Who is doing the tiling in the end?',
    'Noor: My cousin Petra, she charges half of what the studio wanted',
    'Tomas: Good. Is the oven still gas?',
    'Noor: No, induction. The electrician has to pull a three phase cable first',
  ],
  'Trip planning': [
    'Tomas: I booked the night train to Vienna for the 14th',
    'Noor: Did you get the couchette or seats?',
    'Tomas: Couchette, lower berths, because of my knee',
    'Noor: Then we can see the Bruegel room on the first morning',
    'Tomas: My sister wants to meet us there, she is allergic to peanuts so mind the snacks',
  ],
  'Checkout incident': [
    'At 02:14 the payment worker logged ERR_POOL_EXHAUSTED and stopped taking jobs',
    'Connection count to the primary had climbed to 480 of 500',
    'Root cause: retryWithBackoff never released its client after a timeout',
    'Fixed in v3.8.2 by releasing the client in a finally block',
    'Follow-up: alert when pool usage stays above 80 percent for five minutes',
  ],
  'Build notes': [
    'Compilation of the Windows target needs the long path setting',
    'Artifacts are uploaded to the staging bucket and kept for thirty days',
    'Set CACHE_DIR=/var/tmp/build to share the cache between runners',
    'The nightly job skips the end-to-end suite when nothing in web/ changed',
  ],
}

const questions: [string, string][] = [
  ['When did Noor remove the cabinets?', 'tore out'],
  ['Who does the tiling?', 'Petra'],
  ['What kind of oven is going in?', 'induction'],
  ['why was a three-phase cable needed', 'electrician'],
  ['how are they travelling to Vienna', 'night train'],
  ['Did Tomas reserve seats or a couchette?', 'lower berths'],
  ['What is his sister allergic to?', 'peanuts'],
  ['which museum room do they want to visit in the morning', 'Bruegel'],
  ['err pool exhausted', 'ERR_POOL_EXHAUSTED'],
  ['what caused the payment outage, retry with backoff?', 'retryWithBackoff'],
  ['in which version was the client leak fixed', 'v3.8.2'],
  ['alerting on connection pool usage', 'above 80 percent'],
  ['how many connections to the primary database', '480'],
  ['compile for windows', 'long path'],
  ['how long do we keep artifacts', 'thirty days'],
  ['where is the shared cache directory', 'CACHE_DIR'],
  ['when are e2e tests skipped', 'end-to-end'],
  ['electrican cabel', 'electrician'],
]

async function fill(person: Person): Promise<void> {
  for (const [name, observations] of Object.entries(memory)) {
    await person.rest.createEntity({ body: { name, type: 'note', observations } })
  }
}

describeOnBothDatabases('recall', (server) => {
  test('ranks the answers to nine of ten plain questions among the first three observations', async () => {
    const alice = await server().signUp()
    await fill(alice)
    const ranks: number[] = []
    for (const [query, answer] of questions) {
      const { observations } = await alice.rest.searchObservations({ query: { query } })
      ranks.push(observations.findIndex(({ content }) => content.includes(answer)) + 1)
    }
    const within = (k: number) => ranks.filter((rank) => rank >= 1 && rank <= k).length / ranks.length
    expect(within(1)).toBeGreaterThanOrEqual(0.7)
    expect(within(3)).toBeGreaterThanOrEqual(0.9)
    expect(within(10)).toBe(1)
  })
})

/** Asks one in this many questions on the invented memory; `bench:recall --set invented` asks all. */
const inventedEach = 5
/** Minimum share of questions with the right answer first. */
const rightFirstMin = 0.98

describeOnBothDatabases('recall of an invented memory', (server) => {
  test.each(['rest', 'mcp'] as const)('puts what is right first (%s)', async (door) => {
    const alice = await server().signUp()
    const memory = inventMemory(server().clock.now)
    await importLines(server(), alice, toMemoryLines(memory))
    const doors = await openDoors(server(), alice)
    const questions = inventQuestions(memory).filter((_, i) => i % inventedEach === 0)
    const wrong: string[] = []
    for (const { kind, text, wanted, isRight } of questions) {
      const answer = await doors[door](text)
      if (!isRight(answer)) wrong.push(`${kind}: ${text}, wanted ${wanted}, got ${describeAnswer(answer)}`)
    }
    await doors.close()
    const share = 1 - wrong.length / questions.length
    expect(share, wrong.join('\n')).toBeGreaterThanOrEqual(rightFirstMin)
  })
})
