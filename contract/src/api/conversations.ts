import {
  ConversationMatches,
  ConversationResponse,
  ConversationsResponse,
  FindInConversationQuery,
  ImportedConversations,
  ListConversationsQuery,
  ReadConversationQuery,
  StoreTurns,
  StoreTurnsResponse,
} from '../conversations.ts'
import { bodyBytesMax, endpoints } from '../endpoint.ts'
import { ImportQuery, importTypes } from '../imports.ts'
import { empty, json } from './statuses.ts'

const tag = 'Conversations'
const counts = { resource: 'conversation' }
const refusal =
  'You can read this memory, but not its conversations. This needs the right conversations:read.'

export const conversationsApi = endpoints({
  listConversations: {
    method: 'GET',
    path: '/api/conversations',
    access: 'conversations:read',
    tag,
    summary: 'List conversations, the newest first, or by project or agent',
    refusal,
    counts,
    ...json,
    query: ListConversationsQuery,
    response: ConversationsResponse,
  },
  readConversation: {
    method: 'GET',
    path: '/api/conversations/:id',
    access: 'conversations:read',
    tag,
    summary: 'Read a conversation, from its beginning or around a turn',
    refusal,
    counts,
    ...json,
    query: ReadConversationQuery,
    response: ConversationResponse,
  },
  findInConversation: {
    method: 'GET',
    path: '/api/conversations/:id/matches',
    access: 'conversations:read',
    tag,
    summary: 'Find the turns of a conversation that contain a text, in order',
    refusal,
    counts,
    ...json,
    query: FindInConversationQuery,
    response: ConversationMatches,
  },
  importConversations: {
    method: 'POST',
    path: '/api/conversations/import',
    access: 'conversations:write',
    tag,
    summary:
      'Store the conversations in an export of ChatGPT or Claude; those that are there already gain what is new',
    counts,
    uncounted: true,
    ...json,
    query: ImportQuery,
    consumes: importTypes,
    response: ImportedConversations,
  },
  storeTurns: {
    method: 'POST',
    path: '/api/conversations/turns',
    access: 'conversations:write',
    tag,
    summary: 'Store turns of a conversation; those that are there already are left as they are',
    counts,
    uncounted: true,
    ...json,
    body: StoreTurns,
    bodyBytesMax,
    response: StoreTurnsResponse,
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/api/conversations/:id',
    access: 'conversations:write',
    tag,
    summary: 'Delete a conversation; there is no undo',
    counts,
    ...empty,
  },
  eraseConversation: {
    method: 'POST',
    path: '/api/conversations/:id/erase',
    access: 'conversations:write',
    tag,
    summary: 'Delete a conversation so that no sentence of it is left in the files of the database',
    counts: { ...counts, type: 'delete' },
    remote: true,
    ...empty,
  },
})
