import { ListDraftsQuery } from '@loci/contract/drafts'
import { inLine } from '../../ground/lib/for-models.ts'
import { dayOfIso, minuteMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { listDrafts } from '../conversations/drafts/list-drafts.ts'
import type { RecalledTurn, TurnsQuery } from './recall-turns.ts'

/** "What is not yet saved?" asks for the drafts themselves, as the start of a session does. */
const asking = /\bnot (?:yet )?(?:been )?(?:saved|kept|remembered)\b/i
const toldMax = 5
/** What was said in a session that is under way is before the reader's eyes. */
const underWayMs = 2 * minuteMs

export const asksForDrafts = ({ query, conversations }: TurnsQuery) =>
  conversations === 'only' && asking.test(query)

/** The newest open drafts, of the project at hand if one is named. Throws `not_permitted`. */
export async function takeDrafts(
  ctx: Context,
  actor: Actor,
  { about = {} }: TurnsQuery,
): Promise<RecalledTurn[]> {
  if (!hasRight(actor, 'conversations:read')) throw notPermitted('conversations:read')
  const query = ListDraftsQuery.parse({ project: about.project })
  const { drafts } = await listDrafts(ctx, actor, query)
  return drafts
    .filter(({ at }) => Date.parse(at) <= ctx.now() - underWayMs)
    .slice(0, toldMax)
    .map(({ at, by, source, kind, changes }) => ({
      id: source.turnId,
      at: dayOfIso(at),
      who: `${inLine(by.agent)}${by.project ? ` in ${inLine(by.project.name)}` : ''}, ${by.role} ${kind}`,
      text: changes[0]?.content ?? '',
    }))
}
