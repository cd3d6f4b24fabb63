import { breathe } from '../../ground/lib/pace.ts'
import type { Context } from '../context.ts'
import type { Scope } from '../scope.ts'
import {
  deleteAllRecalls,
  deleteRecallRow,
  listRecallsAfter,
  type Recall,
  toQuestionKey,
} from './recalls.repo.ts'

const recallsPerRead = 200

/**
 * Stores what waits, so that nothing is stored after it was deleted. Not within a call's own transaction, for which
 * storing would wait.
 */
export async function storeWaitingRecalls({ db, usage }: Pick<Context, 'db' | 'usage'>): Promise<void> {
  if (!db.isTransaction) await usage.flush()
}

/** Deletes the recalls of a space that told or found one of these things, or whose question contains one of the names. */
export async function forgetRecalls(
  ctx: Pick<Context, 'db' | 'usage'>,
  scope: Scope,
  erased: { ids: ReadonlySet<string>; names: readonly string[] },
): Promise<void> {
  const names = erased.names.map(toQuestionKey).filter((name) => name !== '')
  const isOf = (recall: Recall) => mentionsId(recall, erased.ids) || mentionsName(recall, names)
  ctx.usage.forgetRecalls(scope, isOf)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Recall[] = await listRecallsAfter(ctx.db, scope, { after, limit: recallsPerRead })
    for (const recall of page) {
      await breathe()
      if (isOf(recall)) await deleteRecallRow(ctx.db, scope, recall.id)
    }
    after = page.length < recallsPerRead ? undefined : page.at(-1)?.id
  }
}

/** Deletes all recalls of a space, which keeps none from now on. */
export async function forgetAllRecalls(ctx: Pick<Context, 'db' | 'usage'>, scope: Scope): Promise<void> {
  ctx.usage.forgetRecalls(scope, () => true)
  await deleteAllRecalls(ctx.db, scope)
}

const mentionsId = ({ told, missed, entities }: Recall, ids: ReadonlySet<string>) =>
  [...told, ...missed].some(({ observationId }) => ids.has(observationId)) ||
  entities.some((id) => ids.has(id))

/** As whole words, in the question or in what was searched for in its place. */
function mentionsName({ question, understood }: Recall, names: readonly string[]): boolean {
  const guessed = understood.guesses?.flatMap(({ taken }) => taken) ?? []
  const said = ` ${toQuestionKey(question)} | ${guessed.map(toQuestionKey).join(' | ')} `
  return names.some((name) => said.includes(` ${name} `))
}
