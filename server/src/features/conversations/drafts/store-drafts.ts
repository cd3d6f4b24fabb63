import { createHash } from 'node:crypto'
import { createPace } from '../../../ground/lib/pace.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { reserveIds } from '../../../rows/counters.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import type { StoredTurn } from '../turns.repo.ts'
import { insertDrafts } from './drafts.repo.ts'
import { type FoundDraft, findDrafts } from './find-drafts.ts'

/** What was decided long ago is settled: nobody would go through the drafts of a year of transcripts. */
const ageMaxMs = 30 * dayMs

/** Drafts what turns say that looks worth remembering, in the transaction that stores them. */
export async function storeDrafts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { accountId, spaceId }: Scope,
  turns: readonly StoredTurn[],
): Promise<void> {
  const recent = turns.filter(({ at }) => at > now() - ageMaxMs)
  const pace = createPace()
  const found: (FoundDraft & { turn: StoredTurn })[] = []
  for (const turn of recent) {
    await pace()
    found.push(...findDrafts(turn).map((draft) => ({ turn, ...draft })))
  }
  if (found.length === 0) return
  const first = await reserveIds(db, accountId, found.length)
  const rows = found.map(({ turn, kind, content }, i) => ({
    ...{ account_id: accountId, space_id: spaceId, id: first + i },
    ...{ conversation_id: turn.conversationId, turn_id: turn.id, kind, content, at: turn.at },
    ...{ content_hash: hashOf(content), status: 'open', decided_at: null },
  }))
  await insertDrafts(db, [...new Map(rows.map((row) => [row.content_hash, row])).values()])
}

/** The same for sentences that differ only in case, signs and spaces. */
const hashOf = (content: string) =>
  createHash('sha256')
    .update(
      content
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .digest('base64url')
    .slice(0, 16)
