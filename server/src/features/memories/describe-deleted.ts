import { shownName } from '../../ground/lib/for-models.ts'
import { dayOfIso, toIso } from '../../ground/lib/time.ts'
import { listLogged } from '../../memory/log/log.repo.ts'
import { findCurrent, findEverNamed, findLastPast } from '../../memory/versions/versions.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Only the first names are looked up. */
const namesMax = 3

/**
 * Which of these names deleted entities had, and how they come back: sentences with a leading space, or an empty
 * string.
 */
export async function describeDeleted(ctx: Context, scope: Scope, names: readonly string[]): Promise<string> {
  const sentences: string[] = []
  for (const name of names.slice(0, namesMax)) {
    const deletion = await findDeletion(ctx, scope, name)
    if (deletion === undefined) continue
    const { setSeq, at } = deletion
    sentences.push(
      ` ${JSON.stringify(shownName(name))} was deleted on ${dayOfIso(toIso(at))}; undo_changes ${JSON.stringify({ number: setSeq })} brings it back.`,
    )
  }
  return sentences.join('')
}

/** The last change that ended an entity that has had this name. */
async function findDeletion({ db }: Context, scope: Scope, name: string) {
  const numbers = await findEverNamed(db, scope, name)
  if (numbers.length === 0) return undefined
  const current = await findCurrent(db, scope, 'entities', numbers)
  const gone = numbers.filter((number) => !current.has(number))
  const last = await findLastPast(db, scope, 'entities', gone)
  const end = Math.max(0, ...[...last.values()].map(({ until }) => until ?? 0))
  if (end === 0) return undefined
  const range = { after: end - 1, before: end + 1 }
  const [deletion] = await listLogged(db, scope, range, { order: 'desc', limit: 1 })
  return deletion
}
