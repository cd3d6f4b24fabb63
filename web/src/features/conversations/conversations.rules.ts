import type { FactOfEntity } from '@loci/contract/cited-files'
import type { Conversation, ConversationOrder, ConversationsOnly, Turn } from '@loci/contract/conversations'
import type { Draft } from '@loci/contract/drafts'
import type { Proposal } from '@loci/contract/proposals'
import type { TurnConversation, TurnHit } from '@loci/contract/turn-search'
import { formatTime } from '../../lib/format.ts'
import { formatShortDay } from '../../lib/relative-time.ts'
import { splitAtRemovals } from '../../ui/removals.ts'

/** A conversation whose last turn is younger is still going on. */
const liveMs = 2 * 60_000

export const isGoingOn = ({ endedAt }: Conversation, now: number): boolean =>
  now - Date.parse(endedAt) < liveMs

export const titleOf = ({ title }: Pick<Conversation, 'title'>): string =>
  title.trim() || 'Untitled conversation'

const dayOf = (iso: string) => new Date(iso).toDateString()

/** `09:41–11:08` of one day, `since Thu, 13 Feb` of several. */
export function spanOf({ startedAt, endedAt }: Conversation, now: number): string {
  const [start, end] = [formatTime(startedAt), formatTime(endedAt)]
  if (dayOf(startedAt) !== dayOf(endedAt)) return `since ${formatShortDay(new Date(startedAt), now)}`
  return start === end ? start : `${start}–${end}`
}

export type ListItem =
  | {
      kind: 'group'
      key: string
      first: Conversation
      conversations: number
      facts: number
      isWhole: boolean
    }
  | { kind: 'conversation'; key: string; conversation: Conversation }

const groupOf = {
  day: ({ endedAt }: Conversation) => dayOf(endedAt),
  project: ({ project }: Conversation) => project?.name ?? '',
  agent: ({ agent }: Conversation) => agent,
} satisfies Record<ConversationOrder, (conversation: Conversation) => string>

/** Conversations under the day on which they ended, or their project or agent. The last group can have more to load. */
export function groupConversations(
  conversations: readonly Conversation[],
  order: ConversationOrder,
  hasMore: boolean,
): ListItem[] {
  const items: ListItem[] = []
  let group: Extract<ListItem, { kind: 'group' }> | undefined
  for (const conversation of conversations) {
    const key = `${order} ${groupOf[order](conversation)}`
    if (group?.key !== key) {
      group = { kind: 'group', key, first: conversation, conversations: 0, facts: 0, isWhole: true }
      items.push(group)
    }
    group.conversations += 1
    group.facts += conversation.facts
    items.push({ kind: 'conversation', key: conversation.id, conversation })
  }
  if (group) group.isWhole = !hasMore
  return items
}

/** What an address says, which anybody can write. */
export const orderIn = (text: string | undefined): ConversationOrder =>
  text === 'project' || text === 'agent' ? text : 'day'
export const onlyIn = (text: string | undefined): ConversationsOnly | undefined =>
  text === 'facts' || text === 'to_decide' || text === 'failed' ? text : undefined

/** What was said, or the tools that were used between two things that were said. */
export type Block = { kind: 'said'; turn: Turn } | { kind: 'tools'; id: string; turns: Turn[] }

export function groupTurns(turns: readonly Turn[]): Block[] {
  const blocks: Block[] = []
  for (const turn of turns) {
    const last = blocks.at(-1)
    if (turn.role !== 'tool') blocks.push({ kind: 'said', turn })
    else if (last?.kind === 'tools') last.turns.push(turn)
    else blocks.push({ kind: 'tools', id: turn.id, turns: [turn] })
  }
  return blocks
}

export const hasFailed = ({ tool }: Turn): boolean =>
  tool?.ok === false || (tool?.exitCode !== undefined && tool.exitCode !== 0)

/** `5 files`, `1 failed`, in words. */
export function summarizeTools(turns: readonly Turn[]) {
  return {
    tools: turns.length,
    failed: turns.filter(hasFailed).length,
    files: new Set(turns.flatMap(({ files = [] }) => files)).size,
    tookMs: Date.parse(turns.at(-1)!.at) - Date.parse(turns[0]!.at),
  }
}

/** `38 s`, `2 min`, `1 h`; undefined below a second. */
export function formatTook(ms: number): string | undefined {
  if (ms < 1_000) return undefined
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}

/** How many secrets were removed from these turns. */
export const removedFrom = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { text, tool }) => sum + countIn(text) + countIn(tool?.input ?? ''), 0)

const countIn = (text: string) =>
  splitAtRemovals(text).filter((piece) => 'removed' in piece && piece.removed !== 'private').length

export const idOfBlock = (block: Block): string => (block.kind === 'said' ? block.turn.id : block.id)

/** The block that holds each turn. */
export function blocksOfTurns(blocks: readonly Block[]): Map<string, string> {
  return new Map(
    blocks.flatMap((block): [string, string][] =>
      block.kind === 'said'
        ? [[block.turn.id, block.turn.id]]
        : block.turns.map(({ id }) => [id, block.id] as [string, string]),
    ),
  )
}

/** A sentence that nobody has decided on yet, beside its words. */
export type LedDraft = { id: string; source: Draft['source'] & { quote: string }; draft: Draft }
/** What an agent proposed and nobody has decided on yet. */
export type LedProposal = { id: string; source: Proposal['source']; proposal: Proposal }
/** What stands beside the words that it rests on. */
export type Led = FactOfEntity | LedDraft | LedProposal

/** Drafts beside their words, but for those on which a fact rests already. */
export function besideOf(drafts: readonly Draft[], facts: readonly FactOfEntity[]): LedDraft[] {
  const quotes = facts.flatMap(({ source }) =>
    source?.quote === undefined ? [] : [`${source.turnId} ${source.quote}`],
  )
  return drafts
    .map((draft) => ({
      ...{ id: draft.id, draft },
      source: { ...draft.source, quote: draft.changes[0]!.content },
    }))
    .filter(({ source }) => !quotes.includes(`${source.turnId} ${source.quote}`))
}

export const proposalsOf = (proposals: readonly Proposal[]): LedProposal[] =>
  proposals.map((proposal) => ({ id: proposal.id, source: proposal.source, proposal }))

/** The entity and the text of the first fact of a proposal. */
export function firstFactOf({ changes }: Proposal): { name: string; type: string; content: string } {
  const change = changes.find(({ operation }) => operation.startsWith('observation'))
  const { entityName: name = '', entityType: type = '' } = change?.subject ?? {}
  const content: unknown = Reflect.get(change?.after ?? {}, 'content')
  return { name, type, content: typeof content === 'string' ? content : '' }
}

type Sourced = {
  id: string
  source?: { turnId?: string | undefined; quote?: string | undefined } | null | undefined
}

/** Facts whose turn is shown, in the order of the conversation, and the others. */
export function splitFacts<Fact extends Sourced>(facts: readonly Fact[], turns: readonly Turn[]) {
  const places = new Map(turns.map(({ id }, index) => [id, index]))
  const placeOf = ({ source }: Fact) => places.get(source?.turnId ?? '') ?? -1
  return {
    shown: facts.filter((fact) => placeOf(fact) !== -1).sort((one, other) => placeOf(one) - placeOf(other)),
    others: facts.filter((fact) => placeOf(fact) === -1),
  }
}

export type FoundConversation = { conversation: TurnConversation; hits: TurnHit[] }

/** Turns that were found, under their conversations; those with the best turn first. */
export function groupHits(hits: readonly TurnHit[]): FoundConversation[] {
  const groups = Map.groupBy(hits, ({ conversation }) => conversation.id)
  return [...groups.values()].map((group) => ({ conversation: group[0]!.conversation, hits: group }))
}
