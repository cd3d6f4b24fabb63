import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import * as traces from './traces.repo.ts'

/**
 * Removes what other tables of a space know of erased entities and observations by their texts, not by their numbers.
 * Within the transaction that erases them.
 */
export async function eraseTraces(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  { entities = [] }: { entities?: readonly number[] } = {},
): Promise<void> {
  await traces.forgetWebhookAnswers(db, scope)
  await forgetImportProblems(db, scope)
  await traces.deleteUnusedTypes(db, scope)
  if (entities.length === 0) return
  await traces.deleteRegionNames(db, scope, entities)
  const erased = new Set(entities)
  for (const { id, title, entities: shown } of await traces.listShareTitles(db, scope))
    if (title !== '' && shown.some((number) => erased.has(number)))
      await traces.setShareTitle(db, scope, { id, title: '' })
}

/** Their number stays; the messages quote names. An import that goes on later sees each entity as one that may exist. */
async function forgetImportProblems(db: Context['db'], scope: Scope): Promise<void> {
  for (const { id, progress } of await traces.listImportProgress(db, scope)) {
    const known = JSON.parse(progress)
    const { createdLast: _forgotten, ...kept } = known
    const after = JSON.stringify({ ...kept, problems: { ...known.problems, first: [] } })
    if (after !== progress) await traces.setImportProgress(db, scope, { id, before: progress, after })
  }
}
