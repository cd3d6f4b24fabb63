import type { Draft, DraftsResponse, ListDraftsQuery } from '@loci/contract/drafts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { decodeCursor, toPage } from '../../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../../ground/lib/ids.ts'
import { dayMs, fromIso, toIso } from '../../../ground/lib/time.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { countOpenDrafts, decideDraft, findDraft, listDraftRows, type StoredDraft } from './drafts.repo.ts'

const weekMs = 7 * dayMs
/** What people and their rules are kept about, where nothing else is named. */
const user = { name: 'user', type: 'person' }

/** A page of drafts, newest first, and how many are open. Throws `invalid_cursor`. */
export async function listDrafts(
  { db, now }: Context,
  actor: Actor,
  { status, project, conversation, since, limit, cursor }: ListDraftsQuery,
): Promise<DraftsResponse> {
  const after = since === undefined ? undefined : fromIso(since)
  // No conversation has the number 0.
  const conversationId = conversation === undefined ? undefined : (toNumber('cnv', conversation) ?? 0)
  const wanted = {
    status,
    project,
    conversationId,
    since: after,
    limit: limit + 1,
    cursor: decodeCursor('drafts', cursor),
  }
  const found = await listDraftRows(db, actor, wanted)
  const { rows, nextCursor } = toPage('drafts', found, limit, ({ at, id }) => ({ at, id }))
  const { open, recent } = await countOpenDrafts(db, actor, now() - weekMs)
  return { drafts: rows.map(toDraft), open, thisWeek: recent, nextCursor }
}

/** Throws `draft_not_found`. */
export async function getDraft({ db }: Pick<Context, 'db'>, actor: Actor, id: string): Promise<StoredDraft> {
  const number = toNumber('drf', id)
  const found = number === undefined ? undefined : await findDraft(db, actor, number)
  if (found === undefined) throw new AppError('draft_not_found', 'Draft not found')
  return found
}

/** Decides on a draft. Throws `draft_not_found`, and `draft_decided` if somebody has decided otherwise. */
export async function closeDraft(
  ctx: Pick<Context, 'db' | 'now'>,
  actor: Actor,
  { id, status }: { id: string; status: 'accepted' | 'rejected' },
): Promise<Draft> {
  const draft = await getDraft(ctx, actor, id)
  if (draft.status === status) return toDraft(draft)
  const decidedAt = ctx.now()
  if (await decideDraft(ctx.db, actor, draft.id, { status, at: decidedAt }))
    return toDraft({ ...draft, status, decidedAt })
  throw new AppError('draft_decided', `This draft was ${draft.status} already.`)
}

/** A fact of their own life, whatever they were working on. */
const ofSpeaker = /\b(?:i|my)\b(?!\/)/i

export function toDraft({
  id,
  status,
  kind,
  content,
  at,
  role,
  agent,
  project,
  title,
  ...row
}: StoredDraft): Draft {
  const isOfWork = kind === 'decision' || kind === 'fix' || (kind === 'fact' && !ofSpeaker.test(content))
  const isOfProject = project !== null && isOfWork
  const entity = isOfProject ? { name: project, type: 'project' } : user
  return {
    ...{ id: toId('drf', id), status, kind, at: toIso(at) },
    by: { role, agent, ...(project !== null && { project: { name: project } }) },
    source: { conversationId: toId('cnv', row.conversationId), turnId: toId('trn', row.turnId) },
    conversationTitle: title,
    changes: [{ operation: 'observation_added', content, entity }],
    ...(row.decidedAt !== null && { decidedAt: toIso(row.decidedAt) }),
  }
}
