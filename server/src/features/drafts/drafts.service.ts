import type { Draft, KeepDraft, KeptResponse } from '@loci/contract/drafts'
import { dayOf } from '../../ground/lib/time.ts'
import { findEntityNamed } from '../../rows/entities.repo.ts'
import { findObservationsWith } from '../../rows/observations.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { closeDraft, getDraft } from '../conversations/drafts/list-drafts.ts'
import { addNamedObservations, createNamedEntities } from '../memories/memories.service.ts'

/**
 * Keeps a draft as a fact with its turn as source, of the day on which it was said. Keeping it again changes nothing.
 * Throws `draft_not_found`, `draft_decided`, `not_permitted`, `plan_limit_reached`.
 */
export async function keepDraft(
  ctx: Context,
  actor: Actor,
  id: string,
  { content, entity }: KeepDraft,
): Promise<KeptResponse> {
  if (!hasRight(actor, 'conversations:read')) throw notPermitted('conversations:read')
  return transact(ctx, actor.accountId, async (inner) => {
    const stored = await getDraft(inner, actor, id)
    const draft = await closeDraft(inner, actor, { id, status: 'accepted' })
    const [change] = draft.changes
    const about = entity ?? change!.entity
    const text = content ?? change!.content
    const fact = { content: text, at: dayOf(stored.at), source: draft.source }
    if (stored.status === 'open') await addFact(inner, actor, about, fact)
    return { draft, ...(await findFact(inner, actor, about.name, text)) }
  })
}

type Fact = Parameters<typeof addNamedObservations>[2][number]['contents'][number]

async function addFact(
  ctx: Context,
  actor: Actor,
  { name, type }: { name: string; type: string },
  fact: Fact,
) {
  const isThere = (await findEntityNamed(ctx.db, actor, name)) !== undefined
  if (isThere) await addNamedObservations(ctx, actor, [{ entityName: name, contents: [fact] }])
  else await createNamedEntities(ctx, actor, [{ name, entityType: type, observations: [fact] }])
}

async function findFact({ db }: Context, actor: Actor, name: string, content: string) {
  const entity = await findEntityNamed(db, actor, name)
  const [fact] = entity === undefined ? [] : await findObservationsWith(db, actor, entity.id, [content])
  return { entityId: entity?.id ?? '', observationId: fact?.id ?? '' }
}

/** Drops a draft; the same sentence is not drafted again. Throws `draft_not_found`, `draft_decided`. */
export async function dropDraft(ctx: Context, actor: Actor, id: string): Promise<{ draft: Draft }> {
  return { draft: await closeDraft(ctx, actor, { id, status: 'rejected' }) }
}
