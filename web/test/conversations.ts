import type { FactOfEntity } from '@loci/contract/cited-files'
import type { ConversationCounts } from '@loci/contract/conversation-counts'
import type { Conversation, ConversationResponse, Turn } from '@loci/contract/conversations'
import { storedAt } from './memory.ts'

export const conversationOf = (title: string, more: Partial<Conversation> = {}): Conversation => ({
  id: `cnv_${title.toLowerCase().replace(/\W+/g, '_')}`,
  agent: 'claude-code',
  externalId: title,
  project: { name: 'toll', branch: 'main' },
  title,
  startedAt: storedAt,
  endedAt: storedAt,
  turns: 1,
  bytes: 1_500,
  facts: 0,
  ...more,
})

export const noCounts: ConversationCounts = {
  ...{ conversations: 0, turns: 0, bytes: 0, facts: 0, only: { facts: 0, to_decide: 0, failed: 0 } },
  ...{ isComplete: true, serverDays: null, agents: [], projects: [] },
}

export const turnOf = (seq: number, text: string, more: Partial<Turn> = {}): Turn => ({
  id: `trn_${seq}`,
  seq,
  at: storedAt,
  role: 'person',
  text,
  ...more,
})

export const toolTurn = (seq: number, name: string, more: Partial<Turn> = {}): Turn =>
  turnOf(seq, '', { role: 'tool', tool: { name, input: `${name} it`, ok: true }, ...more })

export const pageOf = (
  conversation: Conversation,
  turns: Turn[],
  more: Partial<ConversationResponse> = {},
): ConversationResponse => ({ conversation, turns, nextCursor: null, previousCursor: null, ...more })

export const factFrom = (turnId: string, content: string, quote?: string): FactOfEntity => ({
  id: `obs_${content.toLowerCase().replace(/\W+/g, '_')}`,
  content,
  createdAt: storedAt,
  source: { conversationId: 'cnv_1', turnId, ...(quote && { quote }) },
  entity: { id: 'ent_toll', name: 'Toll', type: 'project' },
})
