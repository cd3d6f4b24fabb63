import type { RestClient } from '@loci/client/rest'
import type { CreateEntity } from '@loci/contract/entities'
import type { ObservationInput } from '@loci/contract/observations'
import type { Person } from '../harness.ts'
import { uglyMetadata, uglyText, unspacedText } from './worst-bodies.ts'

export type UglyMemory = {
  big: string
  /** An entity whose facts are many times as long as an answer may be. */
  giant: string
  hub: string
  /** Two neighbours of the hub. */
  leaf: string
  far: string
  /** A conversation of turns of 6,000 characters; another has some of 60,000. */
  conversation: string
  /** An entity and its long observation. */
  text: [string, string]
}

/** A body may have 40,000 values; these have 500 and 42 each. */
const heavyPerCall = 50
const factsPerCall = 500

/** Larger in a run by hand: `UGLY=6` for the whole law, `UGLY=60` for a large memory. */
const usualSize = Number(process.env.UGLY ?? 2)

/** Long texts of many different words, large metadata, a deep history, and one entity with many relations. */
export async function makeUgly({ rest }: Person, size = usualSize, essays = size): Promise<UglyMemory> {
  let text: UglyMemory['text'] = ['', '']
  for (let i = 0; i < essays; i++) {
    const { entity } = await rest.createEntity({
      body: {
        name: `Essay ${i}`,
        type: `type ${i % 40}`,
        metadata: { source: uglyText(20_000, i), ...uglyMetadata(20_000) },
        observations: [`word ${uglyText(60_000, i * 50)}`],
      },
    })
    text = [entity.id, entity.observations[0]!.id]
  }
  const facts = Array.from({ length: 30 * size }, (_, i) => `word ${uglyText(2_000, i * 5)}`)
  const { entity: big } = await rest.createEntity({
    body: { name: 'Big', type: 'thing', observations: facts.splice(0, factsPerCall) },
  })
  await addFacts(rest, big.id, facts)
  const leaves = Array.from({ length: 999 }, (_, i) => ({ name: `Leaf number ${i}`, type: 'leaf' }))
  const { entities } = await rest.createBatch({
    body: { entities: [{ name: 'Hub', type: 'hub' }, ...leaves] },
  })
  const heavy = Array.from({ length: 10 * size }, (_, i) => ({
    ...{ name: `Heavy ${i}`, type: 'heavy' },
    metadata: { text: '='.repeat(40_000), numbers: Array(500).fill(i) },
  }))
  await addHeavyRelations(rest, await addHeavy(rest, heavy))
  const [hub, ...others] = entities.created
  await rest.createBatch({
    body: { relations: others.map(({ id }, i) => ({ from: hub!.id, to: id, type: `relates ${i % 50}` })) },
  })
  await addDense(rest)
  const { entity: giant } = await rest.createEntity({ body: { name: 'Giant', type: 'thing' } })
  for (let i = 0; i < size; i++) {
    const long = Array.from({ length: 5 }, (_, j) => `word ${uglyText(60_000, 400 * (5 * i + j))}`)
    await rest.createObservations({ params: { id: giant.id }, body: { observations: long } })
  }
  const unspaced = Array.from({ length: size }, (_, i) => `word ${unspacedText(60_000, i)}`)
  await rest.createEntity({ body: { name: '東京', type: 'thing', observations: unspaced.splice(0, 4) } })
  const citing = Array.from({ length: 50 * size }, (_, i) => ({
    content: `Cites ${uglyText(1_000, i)}`,
    files: Array.from({ length: 10 }, (__, j) => ({ path: `src/${i + j}.ts`, hash: 'a', repository: 'r' })),
  }))
  const { entity: citer } = await rest.createEntity({ body: { name: 'Citing', type: 'thing' } })
  await addFacts(rest, citer.id, citing)
  const observation = big.observations[0]!.id
  const params = { id: big.id, observationId: observation }
  for (let i = 0; i < size; i++) {
    await rest.updateObservation({ params, body: { content: uglyText(60_000, i * 17) } })
  }
  const { conversationId: conversation } = await rest.storeTurns({
    body: {
      conversation: { agent: 'a', externalId: 'ugly' },
      turns: Array.from({ length: 100 }, (_, i) => ({
        ...{ externalId: String(i), at: new Date(i).toISOString(), role: 'agent' },
        text: `word ${uglyText(6_000, i)}`,
      })),
    },
  })
  await rest.storeTurns({
    body: {
      conversation: { agent: 'a', externalId: 'long' },
      turns: Array.from({ length: 2 * size }, (_, i) => ({
        ...{ externalId: String(i), at: new Date(i).toISOString(), role: 'agent' },
        text: `word ${i % 2 === 0 ? uglyText(60_000, i) : unspacedText(60_000, i)}`,
      })),
    },
  })
  const [leaf, far] = [others[0]!.id, others.at(-1)!.id]
  return { big: big.id, giant: giant.id, hub: hub!.id, leaf, far, text, conversation }
}

async function addHeavy(rest: RestClient, heavy: CreateEntity[]): Promise<string[]> {
  const ids: string[] = []
  while (heavy.length > 0) {
    const { entities } = await rest.createBatch({ body: { entities: heavy.splice(0, heavyPerCall) } })
    ids.push(...entities.created.map(({ id }) => id))
  }
  return ids
}

/** Relations whose ends are all large. */
async function addHeavyRelations(rest: RestClient, ids: readonly string[]): Promise<void> {
  const relations = ids.slice(1).map((to, i) => ({ from: ids[i]!, to, type: 'follows' }))
  await rest.createBatch({ body: { relations } })
}

async function addFacts(rest: RestClient, id: string, facts: ObservationInput[]): Promise<void> {
  while (facts.length > 0)
    await rest.createObservations({ params: { id }, body: { observations: facts.splice(0, factsPerCall) } })
}

/** As many relations among few entities as one answer may have. */
async function addDense(rest: RestClient): Promise<void> {
  const names = Array.from({ length: 100 }, (_, i) => `Dense ${i}`)
  await rest.createBatch({ body: { entities: names.map((name) => ({ name, type: 'dense' })) } })
  for (let i = 0; i < 20; i++) {
    const pairs = names.slice(5 * i, 5 * i + 5).flatMap((from) => names.map((to) => ({ from, to })))
    const relations = ['a', 'b'].flatMap((type) => pairs.map((pair) => ({ ...pair, type })))
    await rest.createBatch({ body: { relations: relations.filter(({ from, to }) => from !== to) } })
  }
}
