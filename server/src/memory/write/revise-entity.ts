import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@loci/contract/metadata'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf, type StoredEntity, toEntityColumns } from '../../rows/codec.ts'
import { reindexEntities } from '../../search/store/index-graph.ts'
import { copyToPast } from '../versions/past-rows.writes.repo.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import { updateRow } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'

/** Merges and imports can add more. */
export const ownAliasesMax = 100

export type RevisedFields = {
  name: string
  type: string
  metadata: Metadata
  /** Its new aliases; unchanged if omitted. The caller has checked new ones. A rename adds the old name. */
  aliases?: readonly string[] | undefined
}

/**
 * Changes fields of an entity, as a new version; does nothing if they are the same. The caller has
 * checked the name. Returns whether anything changed.
 */
export async function reviseEntity(
  write: GraphWrite,
  before: StoredEntity,
  fields: RevisedFields,
): Promise<boolean> {
  const { name, type, metadata } = fields
  const had = before.aliases ?? []
  const aliases = aliasesFrom(before, fields)
  const areAliasesSame = isDeepStrictEqual(aliases, had)
  const isSame = name === before.name && type === before.type && isDeepStrictEqual(metadata, before.metadata)
  if (isSame && areAliasesSame) return false
  const { db, scope, at } = write
  const id = numberOf('ent', before.id)
  const types = type === before.type ? {} : { before: before.type, after: type }
  const seq = write.record({ operation: 'entity_updated', subjectId: id }, types)
  await copyToPast(db, scope, 'entities', [{ id, until: seq }])
  const [was, is] = [toEntityColumns(before), toEntityColumns({ ...before, name, type, metadata, aliases })]
  write.addBytes(bytesOf('entities', is) - bytesOf('entities', was))
  if (!areAliasesSame) await replaceAliases(db, scope, id, { before: was.aliases, after: is.aliases })
  await updateRow(
    db,
    scope,
    { table: 'entities', id },
    {
      ...is,
      version: before.version + 1,
      updated_at: at,
      since: seq,
      since_observations: before.observationsCount,
    },
  )
  await reindexEntities(write, scope, [
    { before: { ...before, id }, after: { id, name, aliases, type, metadata } },
  ])
  return true
}

/** Kept aliases stay in order, then come new ones and the old name of a renamed entity; its own name is excluded. */
function aliasesFrom(before: StoredEntity, { name, aliases }: RevisedFields): string[] {
  const { aliases: had = [] } = before
  const wanted = aliases ?? had
  const kept = had.filter((alias) => wanted.includes(alias))
  const others = [...new Set([...kept, ...wanted])].filter((alias) => alias !== name && alias !== before.name)
  const keepsName = name !== before.name && others.length < ownAliasesMax
  return keepsName ? [...others, before.name] : others
}
