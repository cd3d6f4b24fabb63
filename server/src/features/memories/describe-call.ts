import { isDeepStrictEqual } from 'node:util'
import type { Change, ChangeOperation } from '@loci/contract/changes'
import { inLine } from '../../ground/lib/for-models.ts'
import { stateOf, subjectsOf } from './change-subjects.ts'
import { entityInLine, relationInLine } from './in-line.ts'
import { quote, shorten } from './not-found.ts'

/** The changes of one call, newest first. */
export type RecordedCall = { changes: Change[] }

/** One call in words. */
export type DescribedCall = {
  /** Number of its oldest change. */
  number: number
  at: string
  by: string
  what: string
  entities: string[]
  /** Number of further entities. */
  more: number
  details: string[]
}

const entitiesTold = 6
const detailCharactersMax = 160
const nameCharactersMax = 80

const phrases: Record<ChangeOperation, [verb: string, one: string, many: string]> = {
  entity_created: ['created', 'entity', 'entities'],
  observation_added: ['added', 'observation', 'observations'],
  relation_created: ['created', 'relation', 'relations'],
  entity_updated: ['updated', 'entity', 'entities'],
  observation_updated: ['corrected', 'observation', 'observations'],
  relation_updated: ['updated', 'relation', 'relations'],
  observation_deleted: ['deleted', 'observation', 'observations'],
  relation_deleted: ['deleted', 'relation', 'relations'],
  entity_deleted: ['deleted', 'entity', 'entities'],
  entity_merged: ['merged', 'entity', 'entities'],
  entity_erased: ['erased', 'entity', 'entities'],
  observation_erased: ['erased', 'observation', 'observations'],
}

const idsTold = 5

/** Who made a change: the program's name, or else the kind of credentials. */
export const authorOf = ({ actor }: Change) => actor.client ?? actor.kind

/** Describes a call, with details of its newest changes. */
export function describeCall(
  { changes }: RecordedCall,
  names: ReadonlyMap<string, string>,
  detailsTold: number,
): DescribedCall {
  const newest = changes[0]!
  const inOrder = changes.toReversed()
  const entities = new Set(inOrder.flatMap((change) => namesOf(change, names)))
  return {
    number: inOrder[0]!.seq,
    at: `${newest.at.slice(0, 16)}Z`,
    by: authorOf(newest),
    what: summarize(inOrder),
    entities: [...entities].slice(0, entitiesTold),
    more: Math.max(0, entities.size - entitiesTold),
    details: changes
      .slice(0, detailsTold)
      .toReversed()
      .map((change) => describe(change, names)),
  }
}

/** What changes did, counted by kind: "created 1 entity, added 2 observations". */
export function summarize(changes: readonly Change[]): string {
  const counts = Map.groupBy(changes, ({ operation }) => operation)
  const parts = Object.entries(phrases).flatMap(([operation, [verb, one, many]]) => {
    const count = counts.get(operation as ChangeOperation)?.length ?? 0
    return count === 0 ? [] : [`${verb} ${count} ${count === 1 ? one : many}`]
  })
  return parts.join(', ')
}

/** The current or last names of the entities that a change concerns. */
function namesOf(change: Change, names: ReadonlyMap<string, string>): string[] {
  return subjectsOf(change).map(({ id, name }) => names.get(id) ?? name ?? 'a deleted entity')
}

/** A change on one line: "+" marks additions, "-" deletions. Texts are in quotes, so that they end where they end. */
function describe(change: Change, names: ReadonlyMap<string, string>): string {
  const [first = '', second = ''] = namesOf(change, names).map((name) => shorten(name, nameCharactersMax))
  const { operation, subject, before, after } = change
  if (change.erased === true && before === null && after === null)
    return `${operation.replace('_', ' ')}: erased since`
  const { content = '', type = '', relationType = '' } = stateOf(change)
  const sign = after === null ? '-' : '+'
  if (operation.startsWith('observation')) {
    const fact = `${inLine(first)}: ${quote(content, detailCharactersMax)} [${subject.id}]`
    if (operation !== 'observation_updated' || before === null || after === null) return `${sign} ${fact}`
    return before.content === content
      ? `${fact} ${describeFields(before, after)}`
      : `${sign} ${fact} (was ${quote(String(before.content), detailCharactersMax)})`
  }
  const relation = relationInLine({ from: first, relationType, to: second })
  if (operation === 'relation_updated') return `${relation} (was ${inLine(String(before?.type ?? 'erased'))})`
  if (operation.startsWith('relation')) return `${sign} ${relation}`
  const entity = entityInLine({ name: first, entityType: type })
  if (operation === 'entity_merged') return `merged ${entity}`
  return operation === 'entity_updated' ? describeUpdate(first, change) : `${sign} ${entity}`
}

/** What changed of an observation besides its text. In a merge, nothing but its entity changes. */
function describeFields(before: State, after: State): string {
  const [wasStale, isStale] = [before.stale !== undefined, after.stale !== undefined]
  if (wasStale !== isStale) return isStale ? 'is stale' : 'is confirmed'
  if (before.replacedBy !== after.replacedBy)
    return after.replacedBy === undefined ? 'is no longer replaced' : `is replaced by ${after.replacedBy}`
  const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'updatedAt')
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return changed.map((name) => describeField(name, before, after)).join(', ') || 'was moved here'
}

function describeField(name: string, before: State, after: State): string {
  if (name === 'replaces') {
    const [was, is] = [before, after].map(({ replaces }) =>
      Array.isArray(replaces) ? replaces.map(String) : [],
    )
    const more = is!.filter((id) => !was!.includes(id))
    return more.length > 0 ? `replaces ${more.slice(0, idsTold).join(', ')}` : 'replaces fewer'
  }
  const value = after[name]
  if (value === undefined) return `has no ${name} now`
  return typeof value === 'string' ? `${name} is now ${inLine(value)}` : `has another ${name}`
}

function describeUpdate(name: string, { before, after }: Change): string {
  if (before?.name !== after?.name || before?.type !== after?.type)
    return `${describeState(after)} (was ${describeState(before)})`
  const [was, is] = [before?.aliases, after?.aliases].map((aliases) => JSON.stringify(aliases ?? []))
  return was === is
    ? `${inLine(name)}: metadata is now ${shorten(JSON.stringify(after?.metadata), detailCharactersMax)}`
    : `${inLine(name)}: other names are now ${shorten(is ?? '', detailCharactersMax)}`
}

type State = NonNullable<Change['after']>

const describeState = (state: Change['after']) =>
  entityInLine({
    name: shorten(String(state?.name), nameCharactersMax),
    entityType: String(state?.type),
  })
