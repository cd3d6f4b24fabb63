import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

export type SampleEntity = { name: string; entityType: string; observations: string[] }
export type SampleRelation = { from: string; to: string; relationType: string }

const words =
  'the agent found that this service calls another one when a user signs in from a new place and then it wrote down what it saw in the log of the day'.split(
    ' ',
  )
const types = ['person', 'service', 'decision', 'place', 'document']
/** The number of entities that a search for the {@link rareWord} finds, however large the graph. */
const rareEntities = 10
export const rareWord = 'heliotrope'

export const nameOf = (index: number) => `Entity ${index}`

/** A sentence of ordinary length, different for each number. */
export function sentence(number: number): string {
  const start = (number * 7) % words.length
  return `On day ${number} ${[...words.slice(start), ...words.slice(0, start)].slice(0, 12).join(' ')}`
}

/** The entity at `index` of a graph of `count`: three sentences; ten entities have a rare word. */
export function sampleEntity(index: number, count: number): SampleEntity {
  const rare = index % Math.ceil(count / rareEntities) === 0 ? ` near the ${rareWord}` : ''
  const observations = [0, 1, 2].map((part) => `${sentence(index * 3 + part)}${rare}`)
  return { name: nameOf(index), entityType: types[index % types.length]!, observations }
}

/** Each entity is related to the previous one. */
export function sampleRelation(index: number): SampleRelation {
  return { from: nameOf(index), to: nameOf(index - 1), relationType: 'follows' }
}

/** Writes a graph of `count` entities in the reference server's format, which our import also reads. */
export async function writeSampleFile(path: string, count: number): Promise<void> {
  const file = createWriteStream(path)
  const write = async (value: object) => {
    if (!file.write(`${JSON.stringify(value)}\n`)) await once(file, 'drain')
  }
  for (let i = 0; i < count; i++) await write({ type: 'entity', ...sampleEntity(i, count) })
  for (let i = 1; i < count; i++) await write({ type: 'relation', ...sampleRelation(i) })
  file.end()
  await once(file, 'close')
}
