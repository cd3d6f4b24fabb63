import { breathe } from '../../ground/lib/pace.ts'
import { indexTurns, unindexTurns } from '../../search/store/index-turns.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteFiles, listFilesContaining } from './conversation-files.repo.ts'
import {
  addConversationBytes,
  findConversation,
  listConversationsAfter,
  type StoredConversation,
  updateConversationRow,
} from './conversations.repo.ts'
import { deleteDraftsOfTurn } from './drafts/drafts.repo.ts'
import {
  bytesOfTurn,
  findTurn,
  listTurnsContaining,
  nextTurnNumbers,
  type StoredTurn,
  updateTurnTexts,
} from './turns.repo.ts'

const turnsPerRead = 200
const conversationsPerRead = 200
const mark = '[redacted: secret]'

/**
 * Replaces texts by a mark wherever they stand in the turns of a space, and in the titles and projects of conversations;
 * paths with them are forgotten. Reads all turns, since the index knows words and not places. Returns how many turns it
 * changed.
 */
export async function removeFromTurns(ctx: Context, scope: Scope, texts: readonly string[]): Promise<number> {
  const removed = texts.filter((text) => text.trim() !== '').toSorted((a, b) => b.length - a.length)
  let changed = 0
  for (let after = 0; removed.length > 0; ) {
    await breathe()
    const { last, count } = await nextTurnNumbers(ctx.db, scope, after, turnsPerRead)
    if (count === 0) break
    for (const id of await listTurnsContaining(ctx.db, scope, { after, upTo: last, texts: removed })) {
      const isChanged = await transact(ctx, scope.accountId, (inner) => removeFrom(inner, scope, id, removed))
      if (isChanged) changed++
    }
    after = last
  }
  if (removed.length > 0) await removeFromConversations(ctx, scope, removed)
  return changed
}

/** What is kept of a conversation as a whole, whether one of its turns has the texts or not. */
async function removeFromConversations(ctx: Context, scope: Scope, texts: readonly string[]): Promise<void> {
  for (let after = 0; ; ) {
    await breathe()
    const page = await listConversationsAfter(ctx.db, scope, { after, limit: conversationsPerRead })
    const last = page.at(-1)?.id
    if (last === undefined) return
    const files = await listFilesContaining(ctx.db, scope, { after, upTo: last, texts })
    const ofFiles = files.filter(({ path }) => replaceAll(path, texts) !== path)
    const changed = page.filter((conversation) => cleared(conversation, texts) !== conversation)
    await transact(ctx, scope.accountId, async ({ db }) => {
      if (ofFiles.length + changed.length === 0) return
      await lockAccount(db, scope.accountId)
      await deleteFiles(db, scope, ofFiles)
      for (const { id } of changed) {
        const conversation = await findConversation(db, scope, id)
        if (conversation) await updateConversationRow(db, scope, cleared(conversation, texts))
      }
    })
    after = last
  }
}

/** The same conversation if neither its title nor its project contains one of the texts. */
function cleared(conversation: StoredConversation, texts: readonly string[]): StoredConversation {
  const title = replaceAll(conversation.title, texts)
  const told = Object.entries(conversation.project ?? {}) as [string, string][]
  const project = told.map(([field, text]) => [field, replaceAll(text, texts)] as const)
  const isSame = title === conversation.title && project.every(([, text], i) => text === told[i]![1])
  if (isSame) return conversation
  return {
    ...conversation,
    title,
    ...(conversation.project && { project: { ...conversation.project, ...Object.fromEntries(project) } }),
  }
}

async function removeFrom(
  ctx: Context,
  scope: Scope,
  id: number,
  texts: readonly string[],
): Promise<boolean> {
  const { db } = ctx
  await lockAccount(db, scope.accountId)
  const before = await findTurn(db, scope, id)
  if (before === undefined) return false
  const after = without(before, texts)
  const conversation = await findConversation(db, scope, before.conversationId)
  if (conversation === undefined || after === before) return false
  await unindexTurns(ctx, scope, [before])
  await updateTurnTexts(db, scope, after)
  await indexTurns(ctx, scope, [after])
  await deleteDraftsOfTurn(db, scope, id)
  const bytes = bytesOfTurn(after) - bytesOfTurn(before)
  await updateConversationRow(db, scope, { ...conversation, bytes: conversation.bytes + bytes })
  await addConversationBytes(db, scope.accountId, bytes)
  return true
}

/** The same turn if it contains none of the texts in the case in which they were stored. */
function without(turn: StoredTurn, texts: readonly string[]): StoredTurn {
  const { tool, files } = turn
  const text = replaceAll(turn.text, texts)
  const input = tool?.input === undefined ? undefined : replaceAll(tool.input, texts)
  const left = files?.filter((path) => replaceAll(path, texts) === path)
  const isSame = text === turn.text && input === tool?.input && left?.length === files?.length
  if (isSame) return turn
  return { ...turn, text, tool: tool && { ...tool, ...(input !== undefined && { input }) }, files: left }
}

const replaceAll = (text: string, texts: readonly string[]) =>
  texts.reduce((left, removed) => left.replaceAll(removed, () => mark), text)
