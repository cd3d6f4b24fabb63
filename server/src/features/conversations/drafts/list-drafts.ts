import type { Draft, DraftsResponse, ListDraftsQuery } from '@loci/contract/drafts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { decodeCursor, toPage } from '../../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../../ground/lib/ids.ts'
import { dayMs, fromIso, toIso } from '../../../ground/lib/time.ts'
import { findNamed } from '../../../rows/entities.repo.ts'
import type { Db } from '../../../store/db.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { Scope } from '../../../tenancy/scope.ts'
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
  return { drafts: await toDrafts(db, actor, rows), open, thisWeek: recent, nextCursor }
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
  const before = await getDraft(ctx, actor, id)
  const at = ctx.now()
  const isDecided = before.status === status
  if (!isDecided && !(await decideDraft(ctx.db, actor, before.id, { status, at })))
    throw new AppError('draft_decided', `This draft was ${before.status} already.`)
  const [draft] = await toDrafts(ctx.db, actor, [isDecided ? before : { ...before, status, decidedAt: at }])
  return draft!
}

const wordsMax = 4
const article = /^(?:the|our) /i

/** What could be a name at the beginning of a sentence, the longest first: "Dana's team", "Dana's", "Dana". */
function beginningsOf(content: string): string[] {
  return [content, content.replace(article, '')].flatMap((beginning) => {
    const words = beginning.split(/\s+/, wordsMax)
    return words.flatMap((_, i) => {
      const name = words.slice(0, words.length - i).join(' ')
      return [name.replace(/[,;:.!]$/, ''), ...(/['’]s$/.test(name) ? [name.slice(0, -2)] : [])]
    })
  })
}

async function toDrafts(db: Db, scope: Scope, rows: readonly StoredDraft[]): Promise<Draft[]> {
  const beginnings = new Map(rows.filter(tellsOfThings).map((row) => [row.id, beginningsOf(row.content)]))
  const named = await findNamed(db, scope, [...beginnings.values()].flat())
  return rows.map((row) => {
    const name = beginnings.get(row.id)?.find((one) => named.has(one))
    return toDraft(row, name === undefined ? subjectOf(row) : named.get(name)!)
  })
}

const tellsOfThings = ({ kind }: StoredDraft) => kind === 'fact' || kind === 'fix'

/** A fact of their own life, whatever they were working on. */
const ofSpeaker = /\b(?:i|my)\b(?!\/)/i

/** The project or the user, where the sentence does not begin with the name of an entity. */
function subjectOf({ kind, content, project }: StoredDraft): Draft['changes'][number]['entity'] {
  const isOfWork = kind === 'decision' || kind === 'fix' || (kind === 'fact' && !ofSpeaker.test(content))
  return project !== null && isOfWork ? { name: project, type: 'project' } : user
}

function toDraft(
  { id, status, kind, content, at, role, agent, project, title, ...row }: StoredDraft,
  { name, type }: { name: string; type: string },
): Draft {
  return {
    ...{ id: toId('drf', id), status, kind, at: toIso(at) },
    by: { role, agent, ...(project !== null && { project: { name: project } }) },
    source: { conversationId: toId('cnv', row.conversationId), turnId: toId('trn', row.turnId) },
    conversationTitle: title,
    changes: [{ operation: 'observation_added', content, entity: { name, type } }],
    ...(row.decidedAt !== null && { decidedAt: toIso(row.decidedAt) }),
  }
}
