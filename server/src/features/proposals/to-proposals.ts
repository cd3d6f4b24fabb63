import type { ChangeActor } from '@loci/contract/change-actor'
import type { Observation, Rival } from '@loci/contract/observations'
import type { KnownFact, Proposal, ProposedChange } from '@loci/contract/proposals'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findActorsByNumber } from '../../memory/log/log.repo.ts'
import type { StoredProposal } from '../../memory/write/proposals/proposals.repo.ts'
import { showProposedChanges } from '../../memory/write/proposals/show-changes.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Added, listRivals } from '../entities/rivals.service.ts'

/** Stored proposals as callers see them. */
export async function toProposals(
  ctx: Context,
  actor: Actor,
  stored: readonly StoredProposal[],
): Promise<Proposal[]> {
  const numbers = stored.flatMap(({ actorId, decidedBy }) => [
    actorId,
    ...(decidedBy === null ? [] : [decidedBy]),
  ])
  const actors = await findActorsByNumber(ctx.db, actor.accountId, [...new Set(numbers)])
  const changes = await showProposedChanges(ctx.db, actor, stored)
  const rivals: Rival[][] = []
  for (const [i, { status }] of stored.entries())
    rivals.push(status === 'open' ? await listRivals(ctx, actor, factsIn(changes[i]!)) : [])
  const entities = await findEntitiesOf(ctx, actor, rivals.flat())
  return stored.map((proposal, i) => ({
    ...toHead(proposal, actors),
    source: sourceIn(changes[i]!),
    changes: changes[i]!,
    changesCount: proposal.stepsCount,
    rivals: rivals[i]!.flatMap((rival): KnownFact[] => {
      const entity = entities.get(rival.id)
      return entity === undefined ? [] : [{ ...rival, entity }]
    }),
  }))
}

const unknownActor: ChangeActor = { kind: 'system', id: '', name: '' }

function toHead(
  { id, status, at, actorId, tool, restsOn, note, decidedAt, decidedBy, setSeq }: StoredProposal,
  actors: ReadonlyMap<number, ChangeActor>,
) {
  return {
    id: toId('prp', id),
    status,
    by: actors.get(actorId) ?? unknownActor,
    at: toIso(at),
    ...(tool === null ? {} : { tool }),
    restsOn: restsOn.map((one) => toId('prp', one)),
    ...(note === null ? {} : { note }),
    ...(decidedBy === null ? {} : { decidedBy: actors.get(decidedBy) ?? unknownActor }),
    ...(decidedAt === null ? {} : { decidedAt: toIso(decidedAt) }),
    ...(setSeq === null ? {} : { setId: toId('set', setSeq) }),
  }
}

type Fact = Pick<Observation, 'content' | 'replaces' | 'source'>

const factOf = ({ operation, after }: ProposedChange): Fact | undefined =>
  operation.startsWith('observation') && after !== null ? (after as Fact) : undefined

function sourceIn(changes: readonly ProposedChange[]): Proposal['source'] {
  return changes.map((change) => factOf(change)?.source).find((source) => source !== undefined) ?? null
}

/** Facts of later calls have higher ids, and can be rivals too. */
const anyTime = toId('obs', Number.MAX_SAFE_INTEGER)

/** The new facts, by their entities. */
function factsIn(changes: readonly ProposedChange[]): Added[] {
  const added = new Map<string, Added & { observations: { id: string; content: string }[] }>()
  const created = new Set(
    changes.filter(({ operation }) => operation === 'entity_created').map(({ subject }) => subject.id),
  )
  for (const change of changes) {
    const fact = factOf(change)
    const { entityId: id = '', entityName: name = '' } = change.subject
    if (fact === undefined || change.operation !== 'observation_added') continue
    const of = added.get(id) ?? { id, name, observations: [], isNew: created.has(id) }
    of.observations.push({ id: anyTime, content: fact.content })
    added.set(id, of)
  }
  return [...added.values()]
}

/** The entities of facts, by the facts' ids. */
async function findEntitiesOf(
  { db }: Context,
  actor: Actor,
  facts: readonly Rival[],
): Promise<Map<string, KnownFact['entity']>> {
  const stored = await findObservations(db, actor, [...new Set(facts.map(({ id }) => id))])
  const entities = await findEntitiesById(db, actor, [...new Set(stored.map(({ entityId }) => entityId))])
  const byId = new Map(entities.map(({ id, name, type }) => [id, { id, name, type }]))
  return new Map(
    stored.flatMap(({ id, entityId }) => {
      const entity = byId.get(entityId)
      return entity === undefined ? [] : [[id, entity] as const]
    }),
  )
}
