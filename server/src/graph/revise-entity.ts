import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@loci/contract/metadata'
import { reindexEntity } from '../search-index/index-graph.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import type { StoredEntity } from './entities.repo.ts'
import { updateEntityRow } from './entities.writes.repo.ts'
import { numberOf } from './numbers-of.ts'
import { copyToPast } from './past-rows.writes.repo.ts'
import { bytesOf } from './stored-bytes.ts'
import type { GraphWrite } from './write-graph.ts'

export type RevisedFields = {
  name: string
  type: string
  metadata: Metadata
  /** Its new aliases; unchanged if omitted. The caller has checked new ones. */
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
  const aliases = aliasesFrom(had, fields)
  const areAliasesSame = isDeepStrictEqual(aliases, had)
  const isSame = name === before.name && type === before.type && isDeepStrictEqual(metadata, before.metadata)
  if (isSame && areAliasesSame) return false
  const { db, scope, at } = write
  const id = numberOf('ent', before.id)
  const types = type === before.type ? {} : { before: before.type, after: type }
  const seq = write.record({ operation: 'entity_updated', subjectId: id }, types)
  await copyToPast(db, scope, 'entities', [{ id, until: seq }])
  const json = JSON.stringify(metadata)
  write.addBytes(
    bytesOf(name, type, json) - bytesOf(before.name, before.type, JSON.stringify(before.metadata)),
  )
  const aliasesJson = aliases.length === 0 ? null : JSON.stringify(aliases)
  if (!areAliasesSame)
    await replaceAliases(db, scope, id, {
      before: JSON.stringify(had),
      after: aliasesJson,
    })
  await updateEntityRow(db, scope, id, {
    name,
    type,
    metadata: json,
    aliases: aliasesJson,
    version: before.version + 1,
    updated_at: at,
    since: seq,
    since_observations: before.observationsCount,
  })
  await reindexEntity(write, scope, {
    before: { ...before, id },
    after: { id, name, aliases, type, metadata },
  })
  return true
}

/** Kept aliases stay in order; the entity's own name is excluded. */
function aliasesFrom(had: readonly string[], { name, aliases = had }: RevisedFields): string[] {
  const kept = had.filter((alias) => aliases.includes(alias))
  return [...new Set([...kept, ...aliases])].filter((alias) => alias !== name)
}
