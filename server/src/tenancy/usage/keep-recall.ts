import { redactSecrets } from '../../ground/redact/redact-secrets.ts'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import type { Recall } from './recalls.repo.ts'

/** A longer question is cut. */
const questionMax = 300
const entitiesMax = 12

export type ToldAnswer = Pick<
  Recall,
  'question' | 'understood' | 'told' | 'missed' | 'entities' | 'tokens' | 'maxTokens' | 'ms'
>

/** How `loci exam` introduces itself: nobody wanted to know what it asks. */
export const examClient = 'loci-exam'

/**
 * Keeps what an agent asked, without secrets, and was told, off the caller's path; recalls of the last second are lost
 * in a crash. `shown` are the facts of an answer that lists entities.
 */
export function keepRecall(
  ctx: Context,
  actor: Actor,
  { question, ...answer }: ToldAnswer,
  shown: readonly string[] = [],
): void {
  if (ctx.config.recallDays === 0 || actor.client === examClient) return
  const { text, redacted } = redactSecrets(question)
  const { unknown, guesses, ...understood } = answer.understood
  const recall = {
    id: ctx.newId('rcl'),
    at: ctx.now(),
    kind: actor.kind,
    ref: actor.keyId ?? actor.connectionId ?? actor.userId,
    userId: actor.userId,
    client: actor.client ?? null,
    ...answer,
    question: text.slice(0, questionMax).toWellFormed(),
    // What is said of single words would tell a secret again.
    understood: redacted > 0 ? understood : answer.understood,
    entities: answer.entities.slice(0, entitiesMax),
    found: answer.told.length + answer.entities.length > 0,
    ms: Math.round(answer.ms),
  }
  ctx.usage.keepRecall(actor, recall, [...answer.told.map(({ observationId }) => observationId), ...shown])
}

/** Counts facts that were told without a question, because their entities were opened. */
export function countOpened(ctx: Context, actor: Actor, told: readonly string[]): void {
  if (told.length > 0 && actor.client !== examClient) ctx.usage.keepRecall(actor, undefined, told)
}
