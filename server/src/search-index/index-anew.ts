import type { Logger } from 'pino'
import type { Scope } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { lockAccount } from '../graph/counters.repo.ts'
import { indexNewEntities, indexObservations, settleIndex } from './index-graph.ts'
import type { Index } from './posting-lists.ts'
import { listEntitiesToIndex, listObservationsToIndex, listOutdatedSpaces } from './rows-to-index.repo.ts'
import { clearIndex, findIndexedSpace, indexVersion } from './search-index.repo.ts'

const rowsPerPage = 1_000
const spacesPerPage = 100

/** Makes the search index of a space anew from its rows. The caller holds the account's lock. */
export async function indexAnew(index: Index, scope: Scope): Promise<void> {
  await clearIndex(index.db, scope)
  for await (const page of pagesOf((after) => listEntitiesToIndex(index.db, scope, after))) {
    await indexNewEntities(index, scope, page, [])
  }
  for await (const page of pagesOf((after) => listObservationsToIndex(index.db, scope, after))) {
    await indexObservations(index, scope, page)
  }
}

/**
 * Makes anew what an older analyser indexed, space by space; nothing to do but after an update of the program. A
 * question is analysed like the texts it is to find, so nothing is served before.
 */
export async function renewIndexes(db: Db, dialect: Dialect, log: Logger): Promise<void> {
  for (;;) {
    const outdated = await listOutdatedSpaces(db, indexVersion, spacesPerPage)
    if (outdated.length === 0) return
    log.info({ spaces: outdated.length }, 'the search index is being rebuilt after an update')
    for (const scope of outdated) {
      await dialect.transaction(db, async (tx) => {
        await lockAccount(tx, dialect, scope.accountId)
        const space = await findIndexedSpace(tx, scope)
        // Another process may have been faster.
        if (space !== undefined && space.version < indexVersion) await indexAnew({ db: tx, dialect }, scope)
      })
    }
    await settleIndex({ db, dialect })
  }
}

async function* pagesOf<T extends { id: string }>(
  list: (page: { after: string; limit: number }) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: T[] = await list({ after, limit: rowsPerPage })
    if (page.length > 0) yield page
    after = page.at(-1)?.id
  }
}
