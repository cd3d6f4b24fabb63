import type { HealthReport } from '@loci/contract/health'
import { breathe } from '../../ground/lib/pace.ts'
import { checkFact, findUntold, isCurrent } from './check-fact.rules.ts'
import { compareFacts } from './compare-facts.ts'
import { createFactKeys, type FactKeys } from './fact-keys.ts'
import { readFactWords } from './fact-words.rules.ts'
import { createHealthFindings, type HealthFindings, toEntitySubject } from './findings.ts'
import type { HealthEntity, HealthSource } from './health-source.ts'

type Options = { now: number; onProgress?: ((checked: number) => void) | undefined }

/**
 * Looks for what is wrong with a memory. Reads each fact once, and once more those that share words with others of
 * their entity; keeps some 150 bytes of each in memory. Yields to other work in between.
 */
export async function checkMemory(source: HealthSource, { now, onProgress }: Options): Promise<HealthReport> {
  const findings = createHealthFindings()
  const entities = await readEntities(source, findings)
  const keys = createFactKeys()
  const observations = await readFacts(source, { now, onProgress, entities, keys, findings })
  await compareFacts(keys, { source, findings, entityOf: (number) => entities.get(number) })
  await addAlike(source, findings)
  return {
    checkedAt: new Date(now).toISOString(),
    checked: { entities: entities.size, observations },
    items: findings.items(),
    counts: findings.counts(),
  }
}

type Entities = ReadonlyMap<number, HealthEntity>

/** Where nothing is linked at all, links are not how this memory works. */
async function readEntities(source: HealthSource, findings: HealthFindings): Promise<Entities> {
  const entities = new Map<number, HealthEntity>()
  let linked = 0
  for await (const page of source.entities())
    for (const entity of page) {
      await breathe()
      entities.set(entity.number, entity)
      if (entity.relations > 0) linked += 1
    }
  if (linked > 0)
    for (const entity of entities.values()) {
      await breathe()
      if (entity.relations === 0 && (entity.observations === 0 || !standsForAll(entity)))
        addOrphan(entity, findings)
    }
  for (const { from, to, type, place } of source.broken ?? [])
    findings.add({
      kind: 'orphan',
      subjects: [{ entity: { name: from, type: 'relation' }, ...(place && { place }) }],
      evidence: `The relation ${type} leads to “${to}”, and there is no such entity.`,
      cure: { action: 'relate' },
    })
  return entities
}

function addOrphan(entity: HealthEntity, findings: HealthFindings): void {
  const isEmpty = entity.observations === 0
  findings.add({
    kind: 'orphan',
    subjects: [toEntitySubject(entity)],
    evidence: isEmpty
      ? 'No observations and no relations.'
      : 'No relation leads here, so it is found by its words only.',
    cure: { action: isEmpty ? 'forget' : 'relate' },
  })
}

type Reading = Options & { entities: Entities; keys: FactKeys; findings: HealthFindings }

async function readFacts(
  source: HealthSource,
  { now, onProgress, entities, keys, findings }: Reading,
): Promise<number> {
  let checked = 0
  for await (const page of source.facts()) {
    for (const fact of page) {
      await breathe()
      checked += 1
      const entity = entities.get(fact.entity)
      if (entity === undefined) continue
      const found = checkFact(fact, entity, now)
      for (const finding of found) findings.add(finding)
      // Comparing it with others would show it.
      if (found.some(({ kind }) => kind === 'secret')) continue
      const untold = findUntold(fact, entity, { now, since: source.toldSince })
      if (untold !== undefined) findings.add(untold)
      if (isCurrent(fact, now)) keys.add(fact, readFactWords(fact.content, entity.name))
    }
    onProgress?.(checked)
  }
  return checked
}

async function addAlike(source: HealthSource, findings: HealthFindings): Promise<void> {
  const alike = await source.alike()
  const numbers = [...new Set(alike.flatMap(({ pair }) => pair))]
  const entities = await source.entitiesByNumber(numbers)
  for (const { pair, reasons } of alike) {
    const subjects = pair.flatMap((number) => entities.get(number) ?? []).map(toEntitySubject)
    if (subjects.length < 2) continue
    findings.add({
      kind: 'duplicate',
      subjects,
      evidence: `${reasons.slice(0, 2).join('. ')}.`,
      cure: { action: 'merge' },
    })
  }
}

const names =
  /^(?:(?:default|the|current)[_ ])?user$|^me$|^(?:general|misc|my|house|coding|working)?[_ -]?(?:notes|preferences|rules|conventions|guidelines|instructions|memory|memories|glossary)$/i
const types =
  /^(?:rules?|conventions?|preferences?|guidelines?|instructions?|polic(?:y|ies)|user|profile|glossary)$/i

/** Whether an entity stands for the whole memory, its person or its rules: everything else would lead to it. */
const standsForAll = ({ name, type }: HealthEntity): boolean => names.test(name) || types.test(type)
