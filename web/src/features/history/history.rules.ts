import type { ChangeActor } from '@loci/contract/change-actor'
import type { ChangeCountsResponse, ChangeOperation } from '@loci/contract/changes'
import type { HistoryFilter } from '../../lib/filters.ts'
import { isAgent, writerOf } from '../../ui/writer-name.ts'

/** The operations behind each choice of "What changed". */
export const operationsOf: Readonly<Record<string, readonly ChangeOperation[]>> = {
  observations: ['observation_added', 'observation_updated', 'observation_deleted', 'observation_erased'],
  relations: ['relation_created', 'relation_updated', 'relation_deleted'],
  entities: ['entity_created', 'entity_updated', 'entity_deleted', 'entity_erased'],
  merges: ['entity_merged'],
}

/** The part of a filter that selects a writer: agents by name, whoever they work for; all others by id. */
export type WriterFilter = Pick<HistoryFilter, 'client' | 'actorId'>

export const writerFilterOf = ({ client, id }: Pick<ChangeActor, 'client' | 'id'>): WriterFilter =>
  client === undefined ? { actorId: id, client: undefined } : { client, actorId: undefined }

export const isSameWriter = (a: WriterFilter, b: WriterFilter): boolean =>
  a.client === b.client && a.actorId === b.actorId

export type WriterCount = { name: string; isAgent: boolean; filter: WriterFilter; count: number }

type Counts = ChangeCountsResponse['counts']

/** Writers with their changes of one kind, the most active first; those without any are included. */
export function countWriters(counts: Counts, kind: string | undefined): WriterCount[] {
  const writers = new Map<string, Omit<WriterCount, 'count'>>()
  for (const { actor } of counts) {
    const filter = writerFilterOf(actor)
    const key = JSON.stringify(filter)
    // A person and a program with the person's key are one writer, named by the person.
    if (!writers.has(key) || actor.kind === 'session')
      writers.set(key, { name: writerOf(actor), isAgent: isAgent(actor), filter })
  }
  return [...writers.values()]
    .map((writer) => ({ ...writer, count: countOfKind(counts, kind, writer.filter) }))
    .sort((a, b) => b.count - a.count)
}

/** The changes of one kind by one writer, or by all. */
export function countOfKind(counts: Counts, kind: string | undefined, writer: WriterFilter): number {
  return counts
    .filter(({ operation }) => isOfKind(operation, kind))
    .filter(({ actor }) => isBy(actor, writer))
    .reduce((sum, { count }) => sum + count, 0)
}

/** As the server filters: a key's id includes all agents that use the key, a person's id does not. */
function isBy({ kind, id, client }: ChangeActor, writer: WriterFilter): boolean {
  if (writer.actorId !== undefined && writer.actorId !== id) return false
  if (writer.client !== undefined) return writer.client === client
  return writer.actorId === undefined || client === undefined || !['session', 'personal_key'].includes(kind)
}

const isOfKind = (operation: ChangeOperation, kind: string | undefined): boolean =>
  kind === undefined || (operationsOf[kind]?.includes(operation) ?? true)
