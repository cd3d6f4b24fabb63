import type { Conversation } from '@loci/contract/conversations'
import { toId } from '../../ground/lib/ids.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { readConversation } from '../conversations/conversations.service.ts'
import { listConversations } from '../conversations/list-conversations.ts'
import { type ExamFactRow, listFactsToAsk } from './exams.repo.ts'
import { type ExamConversation, type ExamFact, makeQuestions } from './make-questions.rules.ts'
import type { ExamQuestion } from './score-answers.rules.ts'

const factsPerPage = 500
const factsMax = 20_000
const conversationsMax = 500
const conversationsPerPage = 100
const turnsRead = 100

/** Questions with known answers, made from the memory and the conversations of a space. The same memory gives the same. */
export async function questionsFrom(ctx: Context, actor: Actor): Promise<ExamQuestion[]> {
  const found = await listNewest(ctx, actor)
  const conversations: ExamConversation[] = []
  for (const conversation of found) conversations.push(await readBeginning(ctx, actor, conversation))
  return makeQuestions(await readFacts(ctx, actor), conversations)
}

/** The newest conversations, the oldest of them first. */
async function listNewest(ctx: Context, actor: Actor): Promise<Conversation[]> {
  const found: Conversation[] = []
  for (let cursor: string | null | undefined; cursor !== null && found.length < conversationsMax; ) {
    const page = await listConversations(ctx, actor, {
      query: '',
      limit: conversationsPerPage,
      ...(cursor && { cursor }),
    })
    found.push(...page.conversations)
    cursor = page.nextCursor
  }
  return found.sort((one, other) => one.startedAt.localeCompare(other.startedAt))
}

async function readBeginning(
  ctx: Context,
  actor: Actor,
  { id, startedAt }: Conversation,
): Promise<ExamConversation> {
  const { turns } = await readConversation(ctx, actor, id, { limit: turnsRead })
  const prompt = turns.find(({ role, text }) => role === 'person' && text.trim() !== '')?.text.trim()
  return { id, startedAt, prompt, files: [...new Set(turns.flatMap(({ files = [] }) => files))] }
}

async function readFacts({ db, now }: Context, actor: Actor): Promise<ExamFact[]> {
  const facts: ExamFact[] = []
  for (let after = 0; facts.length < factsMax; ) {
    const rows = await listFactsToAsk(db, actor, { after, limit: factsPerPage, now: now() })
    facts.push(...rows.map(toFact))
    if (rows.length < factsPerPage) break
    after = rows.at(-1)!.id
  }
  return facts
}

function toFact({ content, entity, at, source, files }: ExamFactRow): ExamFact {
  const { conversationId } = JSON.parse(source ?? '{}') as { conversationId?: number | string }
  return {
    ...{ content, entity, at },
    conversationId: typeof conversationId === 'number' ? toId('cnv', conversationId) : conversationId,
    files: (JSON.parse(files ?? '[]') as { path: string }[]).map(({ path }) => path),
  }
}
