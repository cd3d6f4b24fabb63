import type { ImportProblem } from '@loci/contract/imports'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { toIso } from '../../ground/lib/time.ts'
import { type OpenImport, openPath } from '../imports/open-import.ts'
import { openSpool, type SpoolPlace } from '../imports/open-import-file.ts'
import { type ImportUnit, type ObservationToImport, originOf, readUnits } from '../imports/read-units.ts'
import { findAlikeNames } from './alike-names.ts'
import { createFactSpool, type FactSpool } from './fact-spool.ts'
import type { BrokenRelation, HealthEntity, HealthFact, HealthSource } from './health-source.ts'

/** A memory in a file or folder, and what in it could not be read. */
export type FileSource = HealthSource & {
  format: string
  skipped: readonly string[]
  problems: readonly ImportProblem[]
  close: () => Promise<void>
}

const problemsKeptMax = 100
const brokenKeptMax = 1_000
const entitiesPerPage = 1_000
/** A relation of Basic Memory, as its own line: `- implements [[Search]]`. */
const relationLine = /^[\p{L}\p{N}_ -]{1,40} \[\[[^\]]+\]\](?: \([^)]*\))?$/u

/** Opens any file or folder that can be imported, without storing it anywhere. */
export async function openFileSource(place: SpoolPlace, path: string): Promise<FileSource> {
  const opened = await openPath(place, path)
  const spool = await openSpool(place)
  const facts = createFactSpool(spool)
  try {
    const reader = await readMemory(opened, facts)
    return {
      ...reader,
      format: opened.format ?? 'JSON lines',
      skipped: opened.skipped,
      close: async () => {
        await spool.close()
      },
    }
  } catch (error) {
    await spool.close()
    throw error
  } finally {
    await opened.file.close()
  }
}

async function readMemory(opened: OpenImport, facts: FactSpool) {
  const entities: HealthEntity[] = []
  const byName = new Map<string, HealthEntity>()
  const waiting: WaitingRelation[] = []
  const problems: ImportProblem[] = []
  const entityNamed = (name: string, type = 'unknown'): HealthEntity => {
    const known = byName.get(name)
    if (known !== undefined) return known
    const entity = { number: entities.length, name, type, relations: 0, observations: 0 }
    entities.push(entity)
    byName.set(name, entity)
    return entity
  }
  for await (const unit of readUnits(opened.file, { offset: 0, line: 1, item: 0 })) {
    await breathe()
    problems.push(...unit.problems.slice(0, problemsKeptMax - problems.length))
    if (unit.entity !== undefined) describe(entityNamed(unit.entity.name, unit.entity.entityType), unit)
    if (unit.observations !== undefined) await addFacts(unit, entityNamed(unit.observations.name), facts)
    if (unit.relation !== undefined) {
      const { from, to, relationType: type, file } = unit.relation
      const relation = { from, to, type, place: placeOf(unit), isGiven: file === undefined }
      if (byName.has(from) && byName.has(to)) count(relation, byName)
      else waiting.push(relation)
    }
  }
  return { ...toSource(entities, facts, brokenOf(waiting, byName)), problems }
}

function describe(entity: HealthEntity, unit: ImportUnit): void {
  entity.type = unit.entity!.entityType
  const { aliases } = unit.entity!
  if (aliases !== undefined) entity.aliases = aliases
  entity.place ??= placeOf(unit)
}

async function addFacts(unit: ImportUnit, entity: HealthEntity, facts: FactSpool): Promise<void> {
  const place = placeOfFacts(unit, entity)
  for (const item of unit.observations!.items) {
    if (relationLine.test(item.content)) continue
    entity.observations += 1
    await facts.add({ entity: entity.number, ...toFact(item), ...(place !== entity.place && { place }) })
  }
}

const toFact = (item: ObservationToImport): Omit<HealthFact, 'number' | 'entity'> => ({
  ...(item.id !== undefined && { id: item.id }),
  content: item.content,
  ...(item.createdAt !== undefined && { createdAt: toIso(item.createdAt) }),
  ...(item.at !== undefined && { at: item.at }),
  ...(item.expiresAt !== undefined && { expiresAt: item.expiresAt }),
  ...(item.replacedBy !== undefined && { isReplaced: true }),
  ...(item.replaces !== undefined && { replaces: item.replaces }),
  ...(item.stale !== undefined && { stale: item.stale }),
})

/** `people/ada.md`, `conversations.json, entry 3`, `line 7`. */
function placeOf({ at, entity, relation }: ImportUnit): string {
  const { file, line, item } = originOf(at, { ...entity, ...relation })
  if (item !== undefined) return file === undefined ? `entry ${item}` : `${file}, entry ${item}`
  return file ?? `line ${line}`
}

/** A relation that came before one of its ends; `isGiven` if it was stored as a relation, not written as a link. */
type WaitingRelation = BrokenRelation & { isGiven: boolean }

function count({ from, to }: BrokenRelation, byName: ReadonlyMap<string, HealthEntity>): void {
  for (const entity of [byName.get(from), byName.get(to)]) if (entity !== undefined) entity.relations += 1
}

/** Of later lines about an entity only the file is known, or the line where the file has such lines itself. */
function placeOfFacts(unit: ImportUnit, { place = '' }: HealthEntity): string {
  if (unit.entity !== undefined) return placeOf(unit)
  return /^line \d+$|^$/.test(place) ? placeOf(unit) : place.replace(/, entry \d+$/, '')
}

/** Links of notes may lead to notes that nobody has written yet; a stored relation may not. */
function brokenOf(
  waiting: readonly WaitingRelation[],
  byName: ReadonlyMap<string, HealthEntity>,
): BrokenRelation[] {
  const broken: BrokenRelation[] = []
  for (const { isGiven, ...relation } of waiting) {
    count(relation, byName)
    const { from, to } = relation
    const isWhole = byName.has(from) && byName.has(to)
    if (!isGiven || isWhole || broken.length >= brokenKeptMax) continue
    broken.push(byName.has(from) ? relation : { ...relation, from: to, to: from })
  }
  return broken
}

function toSource(entities: HealthEntity[], facts: FactSpool, broken: BrokenRelation[]): HealthSource {
  return {
    counts: { entities: entities.length, observations: facts.count() },
    async *entities() {
      yield* chunksOf(entities, entitiesPerPage)
    },
    async *facts() {
      for await (const page of facts.pages()) yield page.map((fact) => withPlace(fact, entities))
    },
    factsByNumber: async (numbers) => {
      const found = await facts.byNumber(numbers)
      return new Map([...found].map(([number, fact]) => [number, withPlace(fact, entities)]))
    },
    entitiesByNumber: async (numbers) =>
      new Map(numbers.flatMap((number) => (entities[number] ? [[number, entities[number]] as const] : []))),
    alike: () => findAlikeNames(entities),
    broken,
  }
}

function withPlace(fact: HealthFact, entities: readonly HealthEntity[]): HealthFact {
  const place = fact.place ?? entities[fact.entity]?.place
  return place === undefined ? fact : { ...fact, place }
}
