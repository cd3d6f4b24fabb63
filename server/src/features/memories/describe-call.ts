import type { Change, ChangeOperation } from '@loci/contract/changes'
import { stateOf, subjectsOf } from './change-subjects.ts'
import { shorten } from './not-found.ts'

/** The changes of one call, newest first. */
export type Call = { changes: Change[] }

/** One call in words. */
export type DescribedCall = {
  /** Of its oldest change. */
  number: number
  at: string
  by: string
  what: string
  entities: string[]
  details: string[]
}

const entitiesTold = 10
const detailCharactersMax = 160
const nameCharactersMax = 80

const phrases: Record<ChangeOperation, [verb: string, one: string, many: string]> = {
  entity_created: ['created', 'entity', 'entities'],
  observation_added: ['added', 'observation', 'observations'],
  relation_created: ['created', 'relation', 'relations'],
  entity_updated: ['updated', 'entity', 'entities'],
  relation_updated: ['updated', 'relation', 'relations'],
  observation_deleted: ['deleted', 'observation', 'observations'],
  relation_deleted: ['deleted', 'relation', 'relations'],
  entity_deleted: ['deleted', 'entity', 'entities'],
}

/** Who made a change: the program by its own name, else the kind of credentials. */
export const authorOf = ({ actor }: Change) => actor.client ?? actor.kind

/** A call in words; of its single changes the newest are told. */
export function describeCall(
  { changes }: Call,
  names: ReadonlyMap<string, string>,
  detailsTold: number,
): DescribedCall {
  const newest = changes[0]!
  const inOrder = changes.toReversed()
  return {
    number: inOrder[0]!.seq,
    at: `${newest.at.slice(0, 16)}Z`,
    by: authorOf(newest),
    what: summarize(inOrder),
    entities: listEntities(inOrder, names),
    details: changes
      .slice(0, detailsTold)
      .toReversed()
      .flatMap((change) => describe(change, names)),
  }
}

function summarize(changes: readonly Change[]): string {
  const counts = Map.groupBy(changes, ({ operation }) => operation)
  const parts = Object.entries(phrases).flatMap(([operation, [verb, one, many]]) => {
    const count = counts.get(operation as ChangeOperation)?.length ?? 0
    return count === 0 ? [] : [`${verb} ${count} ${count === 1 ? one : many}`]
  })
  return parts.join(', ')
}

function listEntities(changes: readonly Change[], names: ReadonlyMap<string, string>): string[] {
  const touched = new Set(changes.flatMap((change) => namesOf(change, names)))
  const told = [...touched].slice(0, entitiesTold).map((name) => shorten(name, nameCharactersMax))
  return touched.size > entitiesTold ? [...told, `and ${touched.size - entitiesTold} more`] : told
}

/** The entities that a change is about, by the names they have now or had last. */
function namesOf(change: Change, names: ReadonlyMap<string, string>): string[] {
  return subjectsOf(change).map(({ id, name }) => names.get(id) ?? name ?? 'a deleted entity')
}

/** A change in a line: "+" is new, "-" is gone. What the summary says already is left out. */
function describe(change: Change, names: ReadonlyMap<string, string>): string[] {
  const { operation, subjectId, before, after } = change
  const state = stateOf(change)
  const sign = after === null ? '-' : '+'
  if (operation.startsWith('observation')) {
    const [entity = ''] = namesOf(change, names)
    return [
      `${sign} ${shorten(entity, nameCharactersMax)}: ${shorten(state.content ?? '', detailCharactersMax)} (${subjectId})`,
    ]
  }
  const [from, to] = namesOf(change, names)
  const ends = [from, state.relationType, to]
  if (operation === 'relation_updated')
    return [`${toText(ends)} (was ${shorten(String(before?.type), nameCharactersMax)})`]
  if (operation.startsWith('relation')) return [`${sign} ${toText(ends)}`]
  if (operation !== 'entity_updated')
    return [`${sign} ${shorten(state.name ?? '', nameCharactersMax)} (${state.type})`]
  const was = [before?.name, before?.type].map((text) => shorten(String(text), nameCharactersMax))
  const isSame = before?.name === after?.name && before?.type === after?.type
  return isSame
    ? []
    : [`${shorten(state.name ?? '', nameCharactersMax)} (${state.type}) (was ${was[0]} (${was[1]}))`]
}

const toText = (parts: readonly (string | undefined)[]) =>
  parts.map((part) => shorten(part ?? '', nameCharactersMax)).join(' ')
