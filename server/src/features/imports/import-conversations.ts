import { type ImportedConversations, StoreTurns } from '@loci/contract/conversations'
import { importLineBytesMax } from '@loci/contract/imports'
import { AppError } from '../../ground/errors/app-error.ts'
import { readLines } from '../../ground/lib/lines.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { storeTurns } from '../conversations/store-turns.ts'
import { toStorable } from '../transcripts/storable-batch.ts'
import { storeConversation } from '../transcripts/store-conversation.ts'
import type { TurnSink } from '../transcripts/turn-batches.ts'
import { startOfFile } from './import-progress.ts'
import type { OpenImport } from './open-import.ts'
import { agentOf, conversationsIn } from './read-conversations.ts'

/**
 * Stores the conversations of an opened export, one after the other; sent again, it goes on where it ended. Throws
 * `validation_failed` for other files, `plan_limit_reached`, and the reason of `signal`. Closes the file.
 */
export async function importConversations(
  ctx: Context,
  actor: Actor,
  { file, format }: OpenImport,
  signal: AbortSignal,
): Promise<ImportedConversations> {
  try {
    const sink: TurnSink = (batch) => {
      signal.throwIfAborted()
      return storeTurns(ctx, actor, StoreTurns.parse(toStorable(batch)))
    }
    const done: ImportedConversations = { conversations: 0, stored: 0, known: 0, redacted: 0 }
    for await (const conversation of conversationsIn(agentOf(format), textsOf(file))) {
      const { stored, known, redacted } = await storeConversation(conversation, sink)
      done.conversations++
      done.stored += stored
      done.known += known
      done.redacted += redacted
    }
    return done
  } finally {
    await file.close()
  }
}

/** The lines that the export was converted to. */
async function* textsOf(file: OpenImport['file']): AsyncGenerator<string> {
  for await (const { text } of readLines(file, startOfFile, importLineBytesMax)) {
    if (text === undefined) throw new AppError('body_too_large', 'A message of the export is too large')
    if (text !== '') yield text
  }
}
