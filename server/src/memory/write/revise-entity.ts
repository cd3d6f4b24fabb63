import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@loci/contract/metadata'
import { numberOf } from '../../ground/lib/ids.ts'
import { type StoredEntity, toEntityColumns } from '../../rows/codec.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetEntities } from './write-rows.ts'

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
  const aliases = aliasesFrom(before, fields)
  const isSame = name === before.name && type === before.type && isDeepStrictEqual(metadata, before.metadata)
  if (isSame && isDeepStrictEqual(aliases, before.aliases ?? [])) return false
  const id = numberOf('ent', before.id)
  const is = toEntityColumns({ ...before, name, type, metadata, aliases })
  await resetEntities(write, [{ before: { id, ...toEntityColumns(before) }, after: { id, ...is } }])
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
