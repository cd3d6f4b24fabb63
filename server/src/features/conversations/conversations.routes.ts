import { inPieces } from '../../doors/http/long-answer.ts'
import type { Handlers } from '../../doors/http/routes.ts'
import { readConversation } from './conversations.service.ts'
import { countConversations } from './count-conversations.ts'
import { deleteConversation } from './delete-conversation.ts'
import { eraseConversation } from './erase-conversation.ts'
import { findInConversation } from './find-in-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { searchTurns } from './search-turns.ts'
import { storeTurns } from './store-turns.ts'

/** A page with more is sent in pieces. */
const turnsAtOnceMax = 20

export const conversationRoutes = {
  countConversations: ({ ctx, actor }) => countConversations(ctx, actor),
  listConversations: ({ ctx, actor, query }) => listConversations(ctx, actor, query),
  readConversation: async ({ ctx, actor, params, query, reply }) => {
    const answer = await readConversation(ctx, actor, params.id, query)
    return answer.turns.length > turnsAtOnceMax ? inPieces(reply, answer) : answer
  },
  findInConversation: ({ ctx, actor, params, query }) => findInConversation(ctx, actor, params.id, query),
  searchTurns: ({ ctx, actor, query }) => searchTurns(ctx, actor, query),
  storeTurns: ({ ctx, actor, body }) => storeTurns(ctx, actor, body),
  deleteConversation: ({ ctx, actor, params }) => deleteConversation(ctx, actor, params.id),
  eraseConversation: ({ ctx, actor, params }) => eraseConversation(ctx, actor, params.id),
} satisfies Partial<Handlers>
