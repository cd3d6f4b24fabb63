import type { BriefMail, SetBriefMail } from '@loci/contract/briefs'
import { z } from 'zod'
import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { dayOf, toIso } from '../../ground/lib/time.ts'
import { findNewestSeq } from '../../memory/log/log.repo.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import { findCallerMember } from '../../tenancy/auth/callers.repo.ts'
import { listSpaceNames } from '../../tenancy/auth/spaces.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { countWaiting } from '../proposals/waiting.service.ts'
import * as mails from './brief-mails.repo.ts'
import { nextMonday, toBriefMail } from './brief-mails.rules.ts'
import { getBriefSince } from './briefs.service.ts'

const mailsPerRound = 20

export async function getBriefMail(ctx: Context, actor: Actor): Promise<BriefMail> {
  const stored = await mails.findBriefMail(ctx.db, actor)
  return {
    isOn: stored?.news ?? false,
    tellsWaiting: stored?.waiting ?? false,
    isPossible: await canBeMailed(ctx, actor),
    nextAt: stored === undefined ? null : toIso(stored.nextAt),
  }
}

const canBeMailed = async ({ config, db }: Context, { userId }: Actor) =>
  config.mail !== undefined && (await mails.findConfirmedEmail(db, userId)) !== undefined

/** What happened before the news were turned on is not mailed. Throws `mail_off`. */
export async function setBriefMail(
  ctx: Context,
  actor: Actor,
  { isOn, tellsWaiting }: SetBriefMail,
): Promise<BriefMail> {
  if ((isOn || tellsWaiting) && !(await canBeMailed(ctx, actor)))
    throw new AppError('mail_off', 'This server sends no mail, or your address is not confirmed')
  await transact(ctx, actor.accountId, async ({ db, now }) => {
    const stored = await mails.findBriefMail(db, actor)
    const { news = false, waiting = false } = stored ?? {}
    const parts = { news: isOn ?? news, waiting: tellsWaiting ?? waiting }
    if (!parts.news && !parts.waiting) return mails.deleteBriefMail(db, actor)
    const { accountId, spaceId, userId } = actor
    const at = now()
    const begun = { nextAt: stored?.nextAt ?? nextMonday(at), seq: await findNewestSeq(db, actor), at }
    const since = news && stored !== undefined ? stored : begun
    await mails.saveBriefMail(db, { accountId, spaceId, userId, ...since, ...parts })
  })
  return getBriefMail(ctx, actor)
}

/** Queues all mails that are due, until none is left or `goOn`, called before each, returns false. */
export async function queueBriefMails(ctx: Context, goOn: GoOn = async () => true): Promise<void> {
  for (;;) {
    const due = await mails.listDueBriefMails(ctx.db, ctx.now(), mailsPerRound)
    for (const one of due) {
      if (!(await goOn())) return
      await queueOne(ctx, one)
    }
    if (due.length < mailsPerRound) return
  }
}

/** A week in which there is nothing to tell has no mail. Whoever left the account is forgotten. */
async function queueOne(ctx: Context, due: mails.StoredBriefMail): Promise<void> {
  const { accountId, spaceId, userId } = due
  const member = await findCallerMember(ctx.db, accountId, userId)
  const spaces = await listSpaceNames(ctx.db, accountId)
  const space = spaces.find((one) => one.spaceId === spaceId)
  const to = await mails.findConfirmedEmail(ctx.db, userId)
  if (member === undefined || space === undefined)
    return transact(ctx, accountId, ({ db }) => mails.deleteBriefMail(db, due))
  const reader = actorOn({ kind: 'session', accountId, userId, role: member.role }, { accountId, spaceId })
  const brief = await getBriefSince(ctx, reader, { seq: due.seq, at: due.at, read: [] })
  const news = due.news && brief.items.length > 0 ? brief : undefined
  const waiting = due.waiting ? await countWaiting(ctx, reader) : undefined
  const account = await mails.findAccountId(ctx.db, accountId)
  const place = { space: space.name, ...addressesOf(ctx, due, account) }
  const content = toBriefMail({ news, waiting }, place, ctx.now())
  await transact(ctx, accountId, async (inner) => {
    const at = inner.now()
    const next = { nextAt: nextMonday(at), seq: brief.seq, at }
    if (!(await mails.moveBriefMail(inner.db, due, next))) return
    if (to === undefined || content === undefined) return
    const id = `brief-${spaceId}-${userId}-${dayOf(due.nextAt)}`
    await queueMail(inner, { accountId, id, to, content, expiresAt: next.nextAt })
  })
}

function addressesOf(
  { config, secretBox }: Context,
  { accountId, spaceId, userId }: mails.BriefMailKey,
  account = '',
) {
  const base = publicAddress(config)
  const token = Buffer.from(
    secretBox.seal(JSON.stringify({ weeklyMail: [accountId, spaceId, userId] })),
    'base64',
  ).toString('base64url')
  const place = `?account=${account}&space=${toId('spc', spaceId)}`
  return {
    url: `${base}/dashboard${place}`,
    inboxUrl: `${base}/inbox${place}`,
    stopUrl: `${base}/weekly-mail/${token}`,
  }
}

const Token = z.object({ weeklyMail: z.tuple([z.number(), z.number(), z.string()]) })

/** Ends the mail that a link in it names; false if it names none. */
export async function stopBriefMail(ctx: Context, token: string): Promise<boolean> {
  const key = readToken(ctx, token)
  if (key === undefined) return false
  await transact(ctx, key.accountId, ({ db }) => mails.deleteBriefMail(db, key))
  return true
}

export function readToken({ secretBox }: Context, token: string): mails.BriefMailKey | undefined {
  const opened = secretBox.open(token)
  if (opened === undefined) return undefined
  const parsed = Token.safeParse(JSON.parse(opened))
  if (!parsed.success) return undefined
  const [accountId, spaceId, userId] = parsed.data.weeklyMail
  return { accountId, spaceId, userId }
}
