import type { ObservationHit } from '@loci/contract/search'
import { toNumber } from '../../ground/lib/ids.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { listConversationsOfProject } from '../conversations/conversations.service.ts'
import type { TurnsQuery } from './recall-turns.ts'

/** A fact of the file or project at hand, relative to an equal one of another. The same as of turns. */
const nearFactor = 1.3

/**
 * The hits with those further up that rest on the file that the question is asked from, or were kept in a conversation
 * of its project: as many as are about as good are passed. The others keep their order.
 */
export async function favourNear(
  ctx: Context,
  actor: Actor,
  hits: readonly ObservationHit[],
  about: TurnsQuery['about'],
): Promise<ObservationHit[]> {
  if (hits.length < 2 || (about?.file === undefined && about?.project === undefined)) return [...hits]
  const near = await findNear(ctx, actor, hits, about)
  const ordered: ObservationHit[] = []
  for (const hit of hits) {
    let place = ordered.length
    if (near.has(hit.id))
      while (
        place > 0 &&
        !near.has(ordered[place - 1]!.id) &&
        ordered[place - 1]!.score < hit.score * nearFactor
      )
        place--
    ordered.splice(place, 0, hit)
  }
  return ordered
}

async function findNear(
  ctx: Context,
  actor: Actor,
  hits: readonly ObservationHit[],
  { file, project }: NonNullable<TurnsQuery['about']>,
): Promise<Set<string>> {
  const ids = hits.map(({ id }) => id)
  const stored = await findObservations(ctx.db, actor, ids)
  const inProject = await conversationsOf(ctx, actor, stored, project)
  const isNear = ({ files, source }: StoredObservation) =>
    (file !== undefined && files?.some(({ path }) => isSameFile(path, file))) ||
    inProject.has(conversationIn(source))
  return new Set(stored.filter(isNear).map(({ id }) => id))
}

/** One is the other, or ends with it after a slash: agents name files from the root of the machine or of a project. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [`/${one.replaceAll('\\', '/')}`, `/${other.replaceAll('\\', '/')}`]
  return a.endsWith(b) || b.endsWith(a)
}

/** The conversations of a project among the sources of facts, for callers who may know of them. */
async function conversationsOf(
  ctx: Context,
  actor: Actor,
  stored: readonly StoredObservation[],
  project: string | undefined,
): Promise<Set<string | undefined>> {
  if (project === undefined || !hasRight(actor, 'conversations:read')) return new Set()
  const ids = stored.flatMap(({ source }) => toNumber('cnv', conversationIn(source) ?? '') ?? [])
  return new Set(await listConversationsOfProject(ctx, actor, ids, project))
}

const conversationIn = (source: StoredObservation['source']): string | undefined =>
  source !== undefined && 'conversationId' in source ? source.conversationId : undefined
