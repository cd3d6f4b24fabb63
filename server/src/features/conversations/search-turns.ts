import type {
  SearchTurnsQuery,
  SearchTurnsResponse,
  TurnConversation,
  TurnHit,
} from '@loci/contract/turn-search'
import { toId } from '../../ground/lib/ids.ts'
import { createAnswerRoom, jsonSize } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { fromIso, toIso } from '../../ground/lib/time.ts'
import { type FoundTurns, findTurnsAbout, type RankedTurn } from '../../search/find/find-turns.ts'
import { createHighlighter } from '../../search/find/hits.ts'
import { findTurnIndex } from '../../search/store/turn-index.repo.ts'
import { listTurnsAround } from '../../search/store/turn-texts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listConversationRows, type StoredConversation } from './conversations.repo.ts'
import { toShownTurn } from './conversations.service.ts'
import { findNarrowed } from './conversations-only.ts'
import { findTurns, type StoredTurn } from './turns.repo.ts'

/** Turns that are read from the database at once, since each can be long. */
const turnsPerRead = 10

/** Turns by relevance, each with those around it. An empty query returns nothing. */
export async function searchTurns(
  ctx: Context,
  actor: Actor,
  { query, project, agent, file, only, after, before, limit, context, near }: SearchTurnsQuery,
): Promise<SearchTurnsResponse> {
  const filter = {
    project,
    agent,
    conversations: await findNarrowed(ctx.db, actor, { file, only }),
    after: after === undefined ? undefined : fromIso(after),
    before: before === undefined ? undefined : fromIso(before),
  }
  const found = await findTurnsAbout(ctx, actor, { query: query.trim(), limit, filter, near })
  const [pace, room] = [createPace(), createAnswerRoom()]
  const highlight = createHighlighter(found.terms)
  const turns: TurnHit[] = []
  for (let from = 0; from < Math.min(limit, found.ranked.length) && !room.isFull; from += turnsPerRead) {
    const some = found.ranked.slice(from, Math.min(limit, from + turnsPerRead))
    const read = await readAround(ctx, actor, found, some, context)
    for (const hit of some) {
      await pace()
      const shown = room.isFull ? undefined : await toHit(read, hit, highlight)
      if (shown === undefined) continue
      turns.push(shown)
      room.take(jsonSize(shown))
    }
  }
  return { turns, total: found.ranked.length }
}

/** Whether any turn was ever stored in the space. */
export const isAnythingSaid = async ({ db }: Context, actor: Actor): Promise<boolean> =>
  (await findTurnIndex(db, actor)) !== undefined

type Read = {
  turns: ReadonlyMap<number, StoredTurn>
  conversations: ReadonlyMap<number, StoredConversation>
  around: ReadonlyMap<number, { before: readonly number[]; after: readonly number[] }>
}

/** The hits with the turns around them, and their conversations. */
async function readAround(
  { db }: Context,
  scope: Scope,
  found: FoundTurns,
  hits: readonly RankedTurn[],
  context: number,
): Promise<Read> {
  const isKnown = ({ turnId }: RankedTurn) => context <= neighboursKnown && found.around(turnId) !== undefined
  const unknown = hits
    .filter((hit) => context > 0 && !isKnown(hit))
    .map(({ turnId, conversationId }) => ({ id: turnId, entityId: conversationId }))
  const listed = await listTurnsAround(db, scope, unknown, { beforeMax: context, afterMax: context })
  const listedOf = new Map(listed.map((one) => [one.id, one]))
  const around = new Map(
    hits.map(({ turnId }) => {
      const { before, after } = listedOf.get(turnId) ?? found.around(turnId) ?? { before: [], after: [] }
      return [turnId, { before: before.slice(0, context).toReversed(), after: after.slice(0, context) }]
    }),
  )
  const ids = new Set([...around].flatMap(([id, { before, after }]) => [id, ...before, ...after]))
  const turns = await findTurns(db, scope, [...ids])
  const wanted = [...new Set(hits.map(({ conversationId }) => conversationId))]
  const rows = await listConversationRows(db, scope, {
    ...{ ids: wanted, words: [], cursor: undefined, limit: wanted.length },
  })
  return {
    turns: new Map(turns.map((turn) => [turn.id, turn])),
    conversations: new Map(rows.map((row) => [row.id, row])),
    around,
  }
}

/** The ranking knows as many turns on each side of its best. */
const neighboursKnown = 3

async function toHit(
  { turns, conversations, around }: Read,
  { turnId, conversationId, score }: RankedTurn,
  highlight: (text: string) => Promise<[number, number][]>,
): Promise<TurnHit | undefined> {
  const [turn, conversation] = [turns.get(turnId), conversations.get(conversationId)]
  if (turn === undefined || conversation === undefined) return undefined
  const { before, after } = around.get(turnId)!
  const show = (ids: readonly number[]) =>
    ids.flatMap((id) => (turns.has(id) ? toShownTurn(turns.get(id)!) : []))
  return {
    ...toShownTurn(turn),
    conversation: toTurnConversation(conversation),
    score: Math.round(score * 10_000) / 10_000,
    highlights: await highlight(turn.text),
    before: show(before),
    after: show(after),
  }
}

export const toTurnConversation = ({
  id,
  agent,
  project,
  title,
  startedAt,
}: StoredConversation): TurnConversation => ({
  ...{ id: toId('cnv', id), agent, title, startedAt: toIso(startedAt) },
  ...(project && { project }),
})
