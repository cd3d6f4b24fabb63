import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOwner } from '../../../../bench/lib/actors.ts'
import { openTwin, restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { createRandom, pick } from '../../../test/random.ts'
import { ownStatementsOf } from '../../../test/statements-of.ts'
import { recallMemories } from '../../features/memories/recall-memories.ts'
import { search, searchObservations } from '../../features/search/search.service.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findSearchedSpace } from './read-space.ts'

const words = 'harbour lantern orchid copper violin saffron meadow glacier ferry compass'.split(' ')
const types = ['place', 'person', 'project']
const relationTypes = ['owns', 'knows', 'part of']
const questions = [
  'where is the copper lantern',
  'who owns the saffron project',
  'what do I know about Orchid Meadow',
  'glacer ferri',
]
const rounds = 5

describeOnBothDatabases('a space in memory', (server, dialect) => {
  let alice: Person
  let actor: Actor
  /** Another process on the same database. */
  let twin: Awaited<ReturnType<typeof openTwin>>
  let rest: Person['rest']
  /** Vectors are not kept within transactions. */
  let ctx: Context

  beforeAll(async () => {
    alice = await server().signUp()
    actor = await findOwner(server().ctx, alice.accountId)
    twin = await openTwin(server())
    rest = restWith(twin, alice.apiKey)
    ctx = { ...server().ctx, config: { ...server().config, hasWordVectors: false } }
  })
  afterAll(() => twin.close())

  const random = createRandom(11)
  const sentence = (count: number) => Array.from({ length: count }, () => pick(random, words)).join(' ')

  async function ask(from: Context) {
    const answers: unknown[] = []
    for (const query of questions) {
      const asked = { query, limit: 20, context: 2, expand: true, explain: true }
      answers.push(await searchObservations(from, actor, asked), await search(from, actor, asked))
      const { recalled } = await recallMemories(from, actor, { ...asked, maxTokens: 2_000, isPreview: true })
      answers.push(recalled)
    }
    return answers
  }

  /** Transactions are never answered from memory. */
  const askWithout = () => ctx.dialect.transaction(ctx.db, (tx) => ask({ ...ctx, db: tx }))

  type Thing = { id: string; of: string }
  const entities: string[] = []
  const observations: Thing[] = []
  const oneOf = () => pick(random, entities)
  const keep = (of: string, stored: readonly { id: string }[]) =>
    observations.push(...stored.map(({ id }) => ({ id, of })))

  async function create(): Promise<void> {
    const name = `${sentence(2)} ${entities.length}`
    const body = { name, type: pick(random, types), observations: [sentence(5), sentence(8), sentence(400)] }
    const { entity } = await rest.createEntity({ body })
    entities.push(entity.id)
    keep(entity.id, entity.observations)
  }

  async function add(): Promise<void> {
    const id = oneOf()
    const stored = await rest.createObservations({ params: { id }, body: { observations: [sentence(6)] } })
    keep(id, stored.observations)
  }

  async function revise(): Promise<void> {
    const { id: observationId, of: id } = pick(random, observations)
    const body = { content: sentence(pick(random, [4, 300])) }
    await rest.updateObservation({ params: { id, observationId }, body })
  }

  async function remove(): Promise<void> {
    const { id: observationId, of: id } = pick(random, observations)
    await rest.deleteObservation({ params: { id, observationId } })
  }

  async function undo(): Promise<void> {
    const [set] = (await rest.listChanges({ query: { limit: '1' } })).changes
    await rest.undoChangeSet({ params: { setId: set!.setId } })
  }

  const rename = () =>
    rest.updateEntity({ params: { id: oneOf() }, body: { name: sentence(3), type: pick(random, types) } })
  const merge = () => rest.mergeEntity({ params: { id: oneOf() }, body: { into: oneOf() } })
  const relate = () =>
    rest.createRelation({
      body: { fromEntityId: oneOf(), toEntityId: oneOf(), type: pick(random, relationTypes) },
    })
  const writes = [create, add, revise, remove, undo, rename, merge, relate, relate]

  test('answers as the database does, whatever another process writes', async () => {
    for (let i = 0; i < 6; i++) await create()
    for (let i = 0; i < 3; i++) await ask(ctx)
    let fromMemory = 0
    for (let round = 0; round < rounds; round++) {
      // Some are refused, since what they are about is gone.
      for (let i = 0; i < 6; i++) await pick(random, writes)().catch(() => undefined)
      expect(await ask(ctx)).toEqual(await askWithout())
      if ((await findSearchedSpace(ctx, actor))?.memory !== undefined) fromMemory++
    }
    expect(fromMemory).toBe(rounds)
  })

  test('needs few statements', async () => {
    const [statementsMax, triesMax] = [5, 10]
    const spent: number[] = []
    for (const query of questions) {
      const recall = () => recallMemories(ctx, actor, { query, maxTokens: 2_000, context: 1, expand: true })
      await recall()
      // Reads that miss each other on a busy machine take two transactions instead of one.
      let fewest = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < triesMax && fewest > statementsMax; tried += 1)
        fewest = Math.min(fewest, (await ownStatementsOf(recall)).length)
      spent.push(fewest)
    }
    expect(Math.max(...spent), `${spent} on ${dialect}`).toBeLessThanOrEqual(statementsMax)
    expect(Math.min(...spent)).toBeGreaterThan(0)
  })
})
