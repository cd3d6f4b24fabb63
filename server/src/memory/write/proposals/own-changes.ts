import type { ProposedChange } from '@loci/contract/proposals'
import type { Db } from '../../../store/db.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import { proposerOf } from './own-proposals.ts'
import { findProposals, listProposalSizes } from './proposals.repo.ts'
import { showProposedChanges } from './show-changes.ts'

/** The newest open proposals of a caller that its own reads look at. */
const readMax = 200
const bytesMax = 1024 * 1024

/** What the caller proposed and nobody has decided on, oldest first; of an entity, if its number is given. */
export async function listOwnChanges(db: Db, actor: Actor, entityId?: number): Promise<ProposedChange[]> {
  const filter = { status: 'open', of: proposerOf(actor), entityId } as const
  const found = await listProposalSizes(db, actor, filter, {
    before: Number.MAX_SAFE_INTEGER,
    limit: readMax,
  })
  let bytes = 0
  const ids = found.filter((row) => {
    bytes += row.bytes
    return bytes <= bytesMax
  })
  const proposals = await findProposals(
    db,
    actor,
    ids.map(({ id }) => id),
  )
  return (await showProposedChanges(db, actor, proposals)).flat()
}
