import { fitsLimit, unlimited } from '@loci/contract/plans'
import {
  type CreateWebhook,
  everyEvent,
  type NewWebhook,
  oldSecretHours,
  type UpdateWebhook,
  type Webhook,
} from '@loci/contract/webhooks'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { hourMs, toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { limitsInForce, wayOut } from '../../tenancy/usage/plan-in-force.ts'
import { recordAudit } from '../audit/record-audit.ts'
import * as deliveries from './deliveries.repo.ts'
import { newSigningSecret } from './sending/sign.ts'
import { toTargetUrl } from './target-url.rules.ts'
import * as webhooks from './webhooks.repo.ts'

/** Maximum for an account whose plan has no limit, so that a list can show all. */
const webhooksMax = 200

/** Oldest first. */
export async function listWebhooks(ctx: Context, actor: Actor): Promise<Webhook[]> {
  return (await webhooks.listWebhookRows(ctx.db, actor.accountId)).map(toWebhook)
}

/** Number of endpoints that count towards the plan's limit. */
export async function countWebhooks(ctx: Context, actor: Actor): Promise<number> {
  return webhooks.countWebhookRows(ctx.db, actor.accountId)
}

/** Throws `webhook_not_found`. */
export async function getWebhook(ctx: Context, actor: Actor, id: string): Promise<Webhook> {
  return toWebhook(await requireWebhook(ctx, actor, id))
}

function toWebhook(webhook: webhooks.StoredWebhook): Webhook {
  const { id, url, events, description, spaces, status, disabledReason } = webhook
  const moment = (at: number | null) => (at === null ? null : toIso(at))
  return {
    id,
    url,
    events,
    description,
    spaces: spaces?.map((number) => toId('spc', number)) ?? null,
    status,
    disabledReason,
    disabledAt: moment(webhook.disabledAt),
    failingSince: moment(webhook.failingSince),
    lastSuccessAt: moment(webhook.lastSuccessAt),
    createdAt: toIso(webhook.createdAt),
  }
}

/**
 * The endpoint gets changes from now on. Throws `webhook_url_refused`, `space_not_found`, `plan_limit_reached`.
 */
export async function createWebhook(ctx: Context, actor: Actor, input: CreateWebhook): Promise<NewWebhook> {
  const url = toTargetUrl(input.url, ctx.config.webhooksAllowPrivate)
  const secret = newSigningSecret()
  const { accountId } = actor
  return transact(ctx, accountId, async (inner) => {
    await requirePlace(inner, actor)
    const spaces = input.spaces === undefined ? null : await toSpaceNumbers(inner, actor, input.spaces)
    const webhook = {
      accountId,
      id: inner.newId('whk'),
      url,
      description: input.description,
      events: toEvents(input.events),
      spaces,
      secret: inner.secretBox.seal(secret),
      createdAt: inner.now(),
    }
    await webhooks.insertWebhook(inner.db, webhook)
    await beginNow(inner, webhook)
    await recordAudit(inner, actor, { action: 'webhook_created', subject: toSubject(webhook) })
    inner.changes.announce(actor)
    return { webhook: await getWebhook(inner, actor, webhook.id), secret }
  })
}

/** Only the origin of the URL, since the rest may contain a secret of the receiver. */
const toSubject = ({ id, url }: Pick<webhooks.StoredWebhook, 'id' | 'url'>) => ({
  kind: 'webhook' as const,
  id,
  name: new URL(url).origin,
})

/** `*` includes all others. */
const toEvents = (events: readonly string[]) =>
  events.includes(everyEvent) ? [everyEvent] : [...new Set(events)]

/** Converts ids or names to numbers, sorted. */
async function toSpaceNumbers({ db }: Context, actor: Actor, wanted: readonly string[]): Promise<number[]> {
  const spaces = await webhooks.listSpacesWithNewestChange(db, actor.accountId)
  const numbers = wanted.map((text) => {
    const space = spaces.find(({ spaceId, name }) => toId('spc', spaceId) === text || name === text)
    if (space === undefined) throw new AppError('space_not_found', `There is no space ${text}`)
    return space.spaceId
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}

type Endpoint = Pick<webhooks.StoredWebhook, 'accountId' | 'id' | 'spaces'>

/** Skips all changes until now. */
async function beginNow({ db }: Context, { accountId, id, spaces }: Endpoint): Promise<void> {
  const present = await webhooks.listSpacesWithNewestChange(db, accountId)
  const cursors = present.filter(({ spaceId }) => spaces === null || spaces.includes(spaceId))
  await webhooks.replaceCursors(db, { accountId, id }, cursors)
}

/** Locks the account, so that endpoints created concurrently are counted one after the other. */
async function requirePlace({ config, db }: Context, { accountId }: Actor): Promise<void> {
  const { plan } = await lockAccount(db, accountId)
  requireRoom(config, plan, await webhooks.countWebhookRows(db, accountId), 'create')
}

function requireRoom(config: Context['config'], plan: string, used: number, verb: string): void {
  const limit = limitsInForce(config, plan).maxWebhooks
  if (limit === unlimited) {
    if (used < webhooksMax) return
    const message = `An account has ${webhooksMax} webhook endpoints at most. Delete those that nobody uses any more.`
    throw new AppError('plan_limit_reached', message, { details: [{ limit: webhooksMax, used, plan }] })
  }
  if (fitsLimit(limit, used)) return
  const allowed =
    limit === 0 ? 'no webhook endpoints' : limit === 1 ? '1 webhook endpoint' : `${limit} webhook endpoints`
  const message = `Your plan allows ${allowed}. ${wayOut(config, `${verb} more`)}`
  throw new AppError('plan_limit_reached', message, { details: [{ limit, used, plan }] })
}

/**
 * A re-enabled endpoint gets changes from then on; disabling one abandons its pending retries.
 * Throws `webhook_not_found`, `webhook_url_refused`, `space_not_found`, `plan_limit_reached`.
 */
export async function updateWebhook(
  ctx: Context,
  actor: Actor,
  id: string,
  input: UpdateWebhook,
): Promise<Webhook> {
  const url = input.url === undefined ? undefined : toTargetUrl(input.url, ctx.config.webhooksAllowPrivate)
  const { accountId } = actor
  return transact(ctx, accountId, async (inner) => {
    const { plan } = await lockAccount(inner.db, accountId)
    const before = await webhooks.lockWebhook(inner.db, accountId, id)
    if (before === undefined) throw notFound()
    const spaces = input.spaces == null ? input.spaces : await toSpaceNumbers(inner, actor, input.spaces)
    const changed = {
      ...before,
      url: url ?? before.url,
      description: input.description ?? before.description,
      events: input.events === undefined ? before.events : toEvents(input.events),
      spaces: spaces === undefined ? before.spaces : spaces,
      ...toStatus(before, input.status, inner.now()),
    }
    if (changed.status !== before.status) {
      if (changed.status === 'disabled') await giveUp(inner, changed)
      else
        requireRoom(
          inner.config,
          plan,
          await webhooks.countWebhookRows(inner.db, accountId, 'active'),
          'enable',
        )
    }
    await webhooks.updateWebhookRow(inner.db, changed)
    if (changed.status !== before.status) await beginNow(inner, changed)
    else if (spaces !== undefined) await followSpaces(inner, changed)
    await recordAudit(inner, actor, {
      action: 'webhook_changed',
      subject: toSubject(changed),
      details: { status: changed.status },
    })
    inner.changes.announce(actor)
    return getWebhook(inner, actor, id)
  })
}

function toStatus(before: webhooks.StoredWebhook, status: Webhook['status'] | undefined, now: number) {
  if (status === undefined || status === before.status) return {}
  if (status === 'disabled') return { status, disabledReason: 'owner' as const, disabledAt: now }
  return { status, disabledReason: null, disabledAt: null, failingSince: null }
}

/** Abandons deliveries that wait for a retry. */
async function giveUp({ db }: Pick<Context, 'db'>, webhook: deliveries.WebhookKey): Promise<void> {
  await deliveries.failWaiting(db, webhook)
  await deliveries.renewRetryAt(db, webhook)
}

/** Spaces that it already follows keep their cursor; new ones start now. */
async function followSpaces({ db }: Context, webhook: Endpoint): Promise<void> {
  const known = new Map((await webhooks.listCursors(db, webhook)).map(({ spaceId, seq }) => [spaceId, seq]))
  const present = await webhooks.listSpacesWithNewestChange(db, webhook.accountId)
  const wanted = present.filter(({ spaceId }) => webhook.spaces === null || webhook.spaces.includes(spaceId))
  await webhooks.replaceCursors(
    db,
    webhook,
    wanted.map(({ spaceId, seq }) => ({ spaceId, seq: known.get(spaceId) ?? seq })),
  )
}

/** Throws `webhook_not_found`. */
export async function deleteWebhook(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { accountId } = actor
  await transact(ctx, accountId, async (inner) => {
    const webhook = await webhooks.lockWebhook(inner.db, accountId, id)
    if (webhook === undefined) throw notFound()
    await webhooks.markWebhookDeleted(inner.db, accountId, id, inner.now())
    await recordAudit(inner, actor, { action: 'webhook_deleted', subject: toSubject(webhook) })
    inner.changes.announce(actor)
  })
}

/** Returns the new secret; the old one also signs for a day. Throws `webhook_not_found`. */
export async function rollSecret(ctx: Context, actor: Actor, id: string): Promise<string> {
  const { accountId } = actor
  const secret = newSigningSecret()
  await transact(ctx, accountId, async (inner) => {
    const { db, secretBox, now } = inner
    const webhook = await webhooks.lockWebhook(db, accountId, id)
    if (webhook === undefined) throw notFound()
    await webhooks.setSecrets(db, {
      accountId,
      id,
      secret: secretBox.seal(secret),
      oldSecret: webhook.secret,
      oldSecretUntil: now() + oldSecretHours * hourMs,
    })
    await recordAudit(inner, actor, { action: 'webhook_secret_rolled', subject: toSubject(webhook) })
  })
  return secret
}

const notFound = () => new AppError('webhook_not_found', 'Webhook not found')

/** Throws `webhook_not_found`. */
export async function requireWebhook(
  { db }: Pick<Context, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
  id: string,
): Promise<webhooks.StoredWebhook> {
  const webhook = await webhooks.findWebhook(db, accountId, id)
  if (webhook === undefined) throw notFound()
  return webhook
}
