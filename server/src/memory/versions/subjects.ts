import type { ChangeSubject } from '@loci/contract/changes'
import { toId } from '../../ground/lib/ids.ts'
import type { VersionedTable } from '../../rows/columns.ts'
import type { Operation } from '../../rows/operations.ts'

export const prefixOfTable = { entities: 'ent', observations: 'obs', relations: 'rel' } as const
export const kindOfTable = {
  entities: 'entity',
  observations: 'observation',
  relations: 'relation',
} as const satisfies Record<VersionedTable, ChangeSubject['kind']>

/** The operations by which a row begins, changes and ends. */
export const operationsOf = {
  entities: { begin: 'entity_created', change: 'entity_updated', end: 'entity_deleted' },
  observations: { begin: 'observation_added', change: 'observation_updated', end: 'observation_deleted' },
  relations: { begin: 'relation_created', change: 'relation_updated', end: 'relation_deleted' },
} as const satisfies Record<VersionedTable, Record<string, Operation>>

/** A row as changes and conflicts name it, as far as it is known. */
export function changeSubjectOf(table: VersionedTable, id: number, row: object | undefined): ChangeSubject {
  const subject: ChangeSubject = { kind: kindOfTable[table], id: toId(prefixOfTable[table], id) }
  if (row !== undefined && 'name' in row) subject.name = String(row.name)
  if (row !== undefined && 'entity_id' in row) subject.entityId = toId('ent', Number(row.entity_id))
  return subject
}
