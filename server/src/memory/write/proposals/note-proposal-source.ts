import type { Observation } from '@loci/contract/observations'
import type { Db } from '../../../store/db.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import { findProposals, type StoredProposal } from './proposals.repo.ts'
import { updateOrigin } from './proposals.writes.repo.ts'
import { conversationOf, withSource } from './proposed-steps.ts'

/**
 * Notes where open proposals are from whose facts do not say so. `isMeant`: whether a proposal can be from there. The
 * caller holds the account's lock.
 */
export async function noteProposalSource(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  {
    source,
    isMeant,
  }: { source: NonNullable<Observation['source']>; isMeant: (proposal: StoredProposal) => boolean },
): Promise<void> {
  for (const proposal of await findProposals(db, scope, ids)) {
    if (proposal.status !== 'open' || !isMeant(proposal) || conversationOf(proposal.steps) !== null) continue
    const steps = withSource(proposal.steps, JSON.stringify(source))
    await updateOrigin(db, scope, proposal.id, { steps, conversationId: conversationOf(steps) })
  }
}
