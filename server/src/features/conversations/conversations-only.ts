import { type ConversationsOnly, conversationsOnlyMax } from '@loci/contract/conversations'
import { numbersOf } from '../../ground/lib/ids.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { listNamedAsSource, listWithFailures } from './conversation-counts.repo.ts'
import { conversationsWith } from './conversations.service.ts'
import { countToDecide } from './to-decide.ts'

/** The numbers of the conversations that `only` finds. Some may be deleted. */
export async function findConversationsOnly(
  db: Context['db'],
  actor: Actor,
  only: ConversationsOnly,
): Promise<number[]> {
  if (only === 'to_decide') return [...(await countToDecide(db, actor)).keys()]
  if (only === 'failed') return listWithFailures(db, actor, conversationsOnlyMax)
  return numbersOf('cnv', await listNamedAsSource(db, actor, conversationsOnlyMax))
}

/** The numbers of the conversations that named a file and that `only` finds; undefined for all. */
export async function findNarrowed(
  db: Context['db'],
  actor: Actor,
  { file, only }: { file?: string | undefined; only?: ConversationsOnly | undefined },
): Promise<readonly number[] | undefined> {
  const ofFile = file === undefined ? undefined : await conversationsWith(db, actor, file)
  if (only === undefined) return ofFile
  const found = await findConversationsOnly(db, actor, only)
  const members = new Set(ofFile)
  return ofFile === undefined ? found : found.filter((id) => members.has(id))
}
