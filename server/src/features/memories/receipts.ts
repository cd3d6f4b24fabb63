import type { Observation } from '@loci/contract/observations'
import { inLine } from '../../ground/lib/for-models.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { shorten } from './not-found.ts'
import { findOtherWriters, findWriters } from './other-writers.ts'

/** Who wrote observations and where they are from, by their ids, in lines for models. */
export type Receipts = { writers: ReadonlyMap<string, string>; sources: ReadonlyMap<string, string> }

/** Of all observations if the caller asks for it, else of those that others wrote. */
export async function findReceipts(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
  isAsked = false,
): Promise<Receipts> {
  const writers = await (isAsked ? findWriters(ctx, actor, ids) : findOtherWriters(ctx, actor, ids))
  const rows = await findObservations(ctx.db, actor, isAsked ? ids : [...writers.keys()])
  const sources = rows.flatMap(({ id, source }) =>
    source === undefined ? [] : [[id, inWords(source)] as const],
  )
  return { writers, sources: new Map(sources) }
}

/** What `with` of a tool asks for. */
export const asksForSource = (parts: readonly string[] | undefined) => parts?.includes('source') === true

const quoteMax = 300

function inWords({ conversationId, turnId, url, title, quote }: NonNullable<Observation['source']>): string {
  const turn = turnId === undefined ? '' : ` turn ${inLine(turnId)}`
  const parts = [
    title && inLine(title),
    url && inLine(url),
    conversationId && `conversation ${inLine(conversationId)}${turn}`,
    quote && JSON.stringify(shorten(quote, quoteMax)),
  ]
  return parts.filter(Boolean).join(', ')
}
