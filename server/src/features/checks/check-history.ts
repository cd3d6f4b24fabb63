import { toId } from '../../ground/lib/ids.ts'
import { prefixOfTable } from '../../memory/versions/subjects.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { CheckedPart } from './checked-part.repo.ts'
import * as history from './history.repo.ts'

/**
 * Checks current and past rows against the change log: each version begins and ends with a change, and each change has
 * its version.
 */
export async function checkHistory(db: Db, scope: Scope): Promise<string[]> {
  const messages: string[] = []
  for (const table of history.historyTables) {
    for (const { id } of await history.listBrokenChains[table](db, scope)) {
      messages.push(`the versions of ${toId(prefixOfTable[table], id)} do not agree with the change log`)
    }
    for (const { seq, id } of await history.listUnknownChanges[table](db, scope)) {
      messages.push(`change ${seq} of ${toId(prefixOfTable[table], id)} has no version of the row`)
    }
  }
  for (const { seq } of await history.listLooseChanges(db, scope)) {
    messages.push(`change ${seq} is not in the set of changes that it should be in`)
  }
  return messages
}

/** Whether no history of the part differs from its change log. */
export async function isHistoryRight(db: Db, part: CheckedPart): Promise<boolean> {
  for (const table of history.historyTables) {
    if ((await history.listBrokenChains[table](db, part)).length > 0) return false
    if ((await history.listUnknownChanges[table](db, part)).length > 0) return false
  }
  return (await history.listLooseChanges(db, part)).length === 0
}
