import { textChunksOf } from '../../ground/lib/chunks.ts'
import { reserveIds } from '../../rows/counters.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type TurnParts, turnTextOf } from '../analyse/turn-text.ts'
import { toTextPassages } from './index-graph.ts'
import type { Index } from './posting-lists.ts'
import { dropPassages, type IndexWrite, storePassages } from './store-passages.ts'
import { addToTurnIndex } from './turn-index.repo.ts'
import { turnScopeOf } from './turn-scope.ts'

/** A turn with its number, which is one of the account's. */
export type TurnToIndex = TurnParts & { id: number }

const charactersPerSlice = 250_000

/**
 * Makes turns searchable, in the transaction that stores them and under the account's lock.
 * @param index of the transaction
 * @param renewal during a rebuild
 */
export async function indexTurns(
  index: Index,
  scope: Scope,
  turns: readonly TurnToIndex[],
  renewal: Pick<IndexWrite, 'renews' | 'numbers'> = {},
): Promise<void> {
  const write = { ...toTurnIndexWrite(index, scope), ...renewal }
  for (const some of textChunksOf(turns.map(toText), charactersPerSlice)) {
    const words = new Map<string, string>()
    await storePassages(write, turnScopeOf(scope), await toTextPassages(some, words), words)
  }
}

/** Takes turns out of the index, with the texts that they were stored with. */
export async function unindexTurns(index: Index, scope: Scope, turns: readonly TurnToIndex[]): Promise<void> {
  const write = toTurnIndexWrite(index, scope)
  for (const some of textChunksOf(turns.map(toText), charactersPerSlice))
    await dropPassages(write, turnScopeOf(scope), await toTextPassages(some, new Map()))
}

const toText = (turn: TurnToIndex) => ({ id: turn.id, content: turnTextOf(turn) })

export const toTurnIndexWrite = ({ db, dialect }: Index, scope: Scope): IndexWrite => ({
  db,
  dialect,
  takeIds: (count) => reserveIds(db, scope.accountId, count),
  addToIndex: (delta) => addToTurnIndex(db, scope, delta),
})
