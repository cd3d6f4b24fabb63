import { ConversationCounts } from '../conversation-counts.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const conversationCountsApi = endpoints({
  countConversations: {
    method: 'GET',
    path: '/api/conversations/counts',
    access: 'conversations:read',
    tag: 'Conversations',
    summary: 'Count conversations by agent and project',
    refusal: 'You can read this memory, but not its conversations. This needs the right conversations:read.',
    counts: { resource: 'conversation' },
    ...json,
    response: ConversationCounts,
  },
})
