import { breathe } from '../../ground/lib/pace.ts'
import { toDay } from './check-fact.rules.ts'
import { type FactKeys, lettersOfFact } from './fact-keys.ts'
import { readFactWords } from './fact-words.rules.ts'
import { type HealthFindings, toFactSubject } from './findings.ts'
import type { HealthEntity, HealthFact, HealthSource } from './health-source.ts'
import { findRivalry, type Rivalry } from './rival-facts.rules.ts'
import { saysSameFact } from './same-fact.rules.ts'

type Told = { fact: HealthFact; entity: HealthEntity }
type Memory = {
  source: HealthSource
  findings: HealthFindings
  entityOf: (number: number) => HealthEntity | undefined
}

const factsPerStep = 400

/** Finds facts that are there twice, and facts that may not both hold. */
export async function compareFacts(keys: FactKeys, memory: Memory): Promise<void> {
  const copied = new Set<number>()
  await forGroups(keys.copies(), memory, (group) => addCopies(group, memory, copied))
  await forGroups(keys.elsewhere(), memory, (group) => addElsewhere(group, memory, copied))
  await forGroups(keys.pairs(), memory, ([one, other]) => {
    if (one === undefined || other === undefined) return
    if (!copied.has(one.fact.number) && !copied.has(other.fact.number)) comparePair(one, other, memory)
  })
}

/** Reads the facts of many groups at once. */
async function forGroups(
  groups: AsyncIterable<readonly number[]>,
  { source, entityOf }: Memory,
  visit: (group: Told[]) => void,
): Promise<void> {
  let waiting: (readonly number[])[] = []
  let size = 0
  const flush = async () => {
    const facts = await source.factsByNumber([...new Set(waiting.flat())])
    for (const group of waiting) {
      await breathe()
      visit(
        group.flatMap((number) => {
          const fact = facts.get(number)
          const entity = fact && entityOf(fact.entity)
          return fact && entity ? [{ fact, entity }] : []
        }),
      )
    }
    waiting = []
    size = 0
  }
  for await (const group of groups) {
    waiting.push(group)
    size += group.length
    if (size >= factsPerStep) await flush()
  }
  if (waiting.length > 0) await flush()
}

/** The oldest stays. Keys can meet by chance, so texts are compared once more. */
function addCopies(group: readonly Told[], { findings }: Memory, copied: Set<number>): void {
  const same = Map.groupBy(group, ({ fact }) => `${fact.entity} ${lettersOfFact(fact.content)}`)
  for (const copies of same.values()) {
    const [first, ...others] = copies
    if (first === undefined || others.length === 0) continue
    for (const { fact } of others) copied.add(fact.number)
    const isSame = others.every(({ fact }) => fact.content === first.fact.content)
    const times = copies.length === 2 ? 'twice' : `${copies.length} times`
    findings.add({
      kind: 'duplicate',
      subjects: copies.map(({ fact, entity }) => toFactSubject(fact, entity)),
      evidence: isSame
        ? `The same text ${times}.`
        : `The same words ${times}, but for capitals and punctuation.`,
      cure: { action: 'forget' },
    })
  }
}

function addElsewhere(group: readonly Told[], { findings }: Memory, copied: Set<number>): void {
  const known = group.filter(({ fact }) => !copied.has(fact.number))
  const same = Map.groupBy(known, ({ fact }) => lettersOfFact(fact.content))
  for (const copies of same.values()) {
    if (new Set(copies.map(({ fact }) => fact.entity)).size < 2) continue
    findings.add({
      kind: 'duplicate',
      subjects: copies.map(({ fact, entity }) => toFactSubject(fact, entity)),
      evidence: `${copies.length} entities have the same words.`,
      cure: { action: 'forget' },
    })
  }
}

const rivalries: Record<Rivalry, string> = {
  opposite: 'One says the opposite of the other',
  number: 'The same statement with another number',
  day: 'The same statement with another day',
  date: 'The same statement with another date',
  value: 'The same statement with another value',
}

function comparePair(one: Told, other: Told, { findings }: Memory): void {
  if (one.fact.entity !== other.fact.entity || isLinked(one.fact, other.fact)) return
  const [a, b] = [one, other].map(({ fact, entity }) => readFactWords(fact.content, entity.name))
  const [newer, older] = isNewer(one.fact, other.fact) ? [one, other] : [other, one]
  if (saysSameFact(a!, b!)) {
    findings.add({
      kind: 'duplicate',
      subjects: [older, newer].map(({ fact, entity }) => toFactSubject(fact, entity)),
      evidence: 'The same in other words.',
      cure: { action: 'forget' },
    })
    return
  }
  const rivalry = findRivalry(a!, b!)
  if (rivalry === undefined) return
  findings.add({
    kind: 'rivals',
    subjects: [newer, older].map(({ fact, entity }) => toFactSubject(fact, entity)),
    evidence: `${rivalries[rivalry]}.${timesOf(newer.fact, older.fact)}`,
    cure: { action: 'replace' },
  })
}

const timeOf = ({ at, createdAt }: HealthFact) => at ?? createdAt ?? ''
/** What was stored last counts as newer where no times are known. */
const isNewer = (one: HealthFact, other: HealthFact) => {
  const [a, b] = [timeOf(one), timeOf(other)]
  return a === b ? one.number > other.number : a > b
}

const isLinked = (one: HealthFact, other: HealthFact) =>
  (one.id !== undefined && other.replaces?.includes(one.id)) ||
  (other.id !== undefined && one.replaces?.includes(other.id))

function timesOf(newer: HealthFact, older: HealthFact): string {
  const [from, until] = [newer, older].map(({ createdAt }) => createdAt && toDay(createdAt))
  return from === undefined || until === undefined || from === until
    ? ''
    : ` The newer was stored on ${from}, the older on ${until}.`
}
