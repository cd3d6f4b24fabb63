import { isDeepStrictEqual } from 'node:util'
import type {
  FactsResponse,
  ListCitedQuery,
  ListSourcedQuery,
  ListStaleQuery,
  VerifyObservations,
  VerifyResponse,
} from '@loci/contract/cited-files'
import { isTold, type Observation } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { allPages } from '../../ground/lib/all-pages.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { cutAfter, decodeCursor, toPage } from '../../ground/lib/cursors.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { createAnswerRoom, jsonSize } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { citeFiles, confirmFiles } from '../../memory/write/cite-files.ts'
import { type ChangeSet, writeGraph } from '../../memory/write/write-graph.ts'
import { type StoredObservation, toToldObservation } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { listCiting, listSourced, listStale } from './cited-files.repo.ts'
import { compareFiles, type FilesNow, filesNow } from './cited-files.rules.ts'

const rowsPerRead = 100
const rowsPerWrite = 100

/** Compares the files of observations with how they are now, and marks those that have changed or gone. */
export async function verifyObservations(
  ctx: Context,
  actor: Actor,
  { repository, files }: VerifyObservations,
): Promise<VerifyResponse> {
  const now = filesNow(repository, files)
  const answer: VerifyResponse = { stale: [], confirmed: 0 }
  const differing: string[] = []
  const pace = createPace()
  for await (const row of citing(ctx, actor, repository)) {
    await pace()
    const compared = compareFiles(row, now)
    answer.stale.push(...compared.found)
    if (compared.isSeen && compared.found.length === 0) answer.confirmed += 1
    if (differs(row, compared)) differing.push(row.id)
  }
  await markAll(ctx, actor, now, differing)
  return answer
}

const differs = (row: StoredObservation, { files, stale }: Pick<Observation, 'files' | 'stale'>) =>
  !isDeepStrictEqual(files, row.files) || !isDeepStrictEqual(stale, row.stale)

/** The facts that are told and rest on files of a repository. */
async function* citing(ctx: Context, actor: Actor, repository: string): AsyncGenerator<StoredObservation> {
  const list = (last?: StoredObservation) => {
    const after = last === undefined ? 0 : numberOf('obs', last.id)
    return listCiting(ctx.db, actor, { repository, after, limit: rowsPerRead })
  }
  for await (const rows of allPages(rowsPerRead, list)) yield* rows.filter((row) => isTold(row, ctx.now()))
}

/** Writes what the comparison found, as one set of changes unless others write in between. */
async function markAll(ctx: Context, actor: Actor, now: FilesNow, ids: readonly string[]): Promise<void> {
  let set: ChangeSet | undefined
  for (const chunk of chunksOf(ids, rowsPerWrite)) {
    set = await writeGraph(
      ctx,
      actor,
      async (write) => {
        for (const row of await findObservations(write.db, write.scope, chunk)) {
          const compared = compareFiles(row, now)
          if (differs(row, compared)) await citeFiles(write, row, compared)
        }
        return { first: write.setSeq, last: write.lastSeq() }
      },
      set,
    )
  }
}

/** Lets an observation rest on its files as they are now. Throws `observation_not_found`. */
export async function confirmObservation(ctx: Context, actor: Actor, id: string): Promise<Observation> {
  const confirmed = await writeGraph(ctx, actor, async (write) => {
    const [row] = await findObservations(write.db, write.scope, [id])
    if (row === undefined) throw new AppError('observation_not_found', 'Observation not found')
    if (row.stale === undefined) return row
    return citeFiles(write, row, { files: confirmFiles(row), stale: undefined })
  })
  return toToldObservation(confirmed, ctx.now())
}

/** A page of the facts that are told and rest on files of a repository. */
export async function listCitedObservations(
  ctx: Context,
  actor: Actor,
  { repository, limit, cursor }: ListCitedQuery,
): Promise<FactsResponse> {
  const after = decodeCursor('cited', cursor)?.id ?? 0
  const found = await listCiting(ctx.db, actor, { repository, after, limit: limit + 1 })
  return toFacts(ctx, actor, 'cited', found, limit)
}

/** A page of the facts whose files have changed or gone. */
export async function listStaleObservations(
  ctx: Context,
  actor: Actor,
  { limit, cursor }: ListStaleQuery,
): Promise<FactsResponse> {
  const after = decodeCursor('stale', cursor)?.id ?? 0
  return toFacts(ctx, actor, 'stale', await listStale(ctx.db, actor, { after, limit: limit + 1 }), limit)
}

/** A page of the facts whose source is a conversation; those that have ended are among what it led to. */
export async function listSourcedObservations(
  ctx: Context,
  actor: Actor,
  { conversation, limit, cursor }: ListSourcedQuery,
): Promise<FactsResponse> {
  const after = decodeCursor('sourced', cursor)?.id ?? 0
  const found = await listSourced(ctx.db, actor, { conversation, after, limit: limit + 1 })
  return toFacts(ctx, actor, 'sourced', found, limit, () => true)
}

const keyOf = ({ id }: Pick<Observation, 'id'>) => ({ at: 0, id: numberOf('obs', id) })

async function toFacts(
  ctx: Context,
  actor: Actor,
  list: string,
  found: StoredObservation[],
  limit: number,
  isListed = (row: StoredObservation) => isTold(row, ctx.now()),
): Promise<FactsResponse> {
  const { rows, nextCursor } = toPage(list, found, limit, keyOf)
  const owners = [...new Set(rows.map(({ entityId }) => entityId))]
  const entities = new Map((await findEntitiesById(ctx.db, actor, owners)).map((one) => [one.id, one]))
  const [room, fitting, told] = [
    createAnswerRoom(),
    [] as StoredObservation[],
    [] as FactsResponse['observations'],
  ]
  for (const row of rows) {
    if (room.isFull) break
    fitting.push(row)
    const { id, name, type } = entities.get(row.entityId)!
    const fact = { ...toToldObservation(row, ctx.now()), entity: { id, name, type } }
    if (!isListed(row)) continue
    told.push(fact)
    room.take(jsonSize(fact))
  }
  return { observations: told, nextCursor: cutAfter(list, rows, fitting, keyOf) ?? nextCursor }
}
