import type { BulkResponse, MergedResponse } from '@loci/contract/entity-bulk'
import { AppError } from '../../ground/errors/app-error.ts'
import { numbersOf, toId } from '../../ground/lib/ids.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { findCurrent } from '../../memory/versions/versions.repo.ts'
import { analyseStored } from '../../memory/write/analyse-stored.ts'
import { mergeStoredEntities } from '../../memory/write/merge-entities.ts'
import { removeEntities as removeStored } from '../../memory/write/remove-entities.ts'
import { retypeStoredEntities } from '../../memory/write/retype-entities.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { toShownEntity } from '../../rows/codec.ts'
import type { Versions } from '../../rows/columns.ts'
import { findEntitiesById, findEntity } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** Deletes entities with their observations and relations, as one set of changes. */
export async function deleteEntities(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<BulkResponse> {
  const analysed = await analyseStored(ctx.db, actor, numbersOf('ent', ids))
  return writeGraph(ctx, actor, async (write) => {
    const found = await findEntitiesById(write.db, write.scope, ids)
    await removeStored(write, found, analysed)
    return toAnswer(write, found.length)
  })
}

/** Sets the type of entities, as one set of changes; entities that already have it are not counted. */
export async function retypeEntities(
  ctx: Context,
  actor: Actor,
  { ids, type }: { ids: readonly string[]; type: string },
): Promise<BulkResponse> {
  return writeGraph(ctx, actor, async (write) => {
    const found = await findEntitiesById(write.db, write.scope, ids)
    return toAnswer(write, await retypeStoredEntities(write, found, type))
  })
}

/** Merges entities into one, as one set of changes. Throws `entity_not_found` if the target does not exist. */
export async function mergeInto(
  ctx: Context,
  actor: Actor,
  { ids, into }: { ids: readonly string[]; into: string },
): Promise<MergedResponse> {
  return writeGraph(ctx, actor, async (write) => {
    await getRow(write, into)
    let merged = 0
    for (const id of new Set(ids)) {
      await breathe()
      const source = id === into ? undefined : await findRow(write, id)
      if (source === undefined) continue
      // Read again: each merge changes the target.
      await mergeStoredEntities(write, source, await getRow(write, into))
      merged += 1
    }
    const entity = (await findEntity(write.db, write.scope, into))!
    return { ...toAnswer(write, merged), entity: toShownEntity(entity) }
  })
}

async function findRow({ db, scope }: GraphWrite, id: string): Promise<Versions['entities'] | undefined> {
  const numbers = numbersOf('ent', [id])
  return [...(await findCurrent(db, scope, 'entities', numbers)).values()][0]
}

async function getRow(write: GraphWrite, id: string): Promise<Versions['entities']> {
  const row = await findRow(write, id)
  if (row === undefined) throw new AppError('entity_not_found', 'Target entity not found')
  return row
}

const toAnswer = (write: GraphWrite, changed: number): BulkResponse => ({
  changed,
  setId: changed === 0 ? null : toId('set', write.setSeq),
})
