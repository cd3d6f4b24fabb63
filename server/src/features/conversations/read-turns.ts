import { AppError } from '../../ground/errors/app-error.ts'
import type { Cursor } from '../../ground/lib/cursors.ts'
import { toNumber } from '../../ground/lib/ids.ts'
import { createAnswerRoom } from '../../ground/lib/json-size.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findTurn, listTurns, type StoredTurn } from './turns.repo.ts'

/** Turns can be long: few are read at once, until the answer is full. */
const turnsPerRead = 20

type Wanted = { around: string | undefined; cursor: Cursor | undefined; limit: number }

/** Turns in order. `next` is the number to read on from, `previous` the number before which there are more. */
export type TurnsRead = { turns: StoredTurn[]; next: number | undefined; previous: number | undefined }

/** From the beginning, around a turn, or where a cursor says: forwards, or backwards if its `at` is negative. */
export async function readTurns(
  db: Db,
  scope: Scope,
  conversationId: number,
  { around, cursor, limit }: Wanted,
): Promise<TurnsRead> {
  if (around !== undefined && cursor === undefined) {
    const id = await numberOfTurn(db, scope, conversationId, around)
    const half = Math.floor(limit / 2)
    const earlier = await takeBackwards(db, scope, conversationId, { before: id, limit: half })
    const later = await takeForwards(db, scope, conversationId, { from: id, limit: limit - half })
    return { turns: [...earlier.turns, ...later.turns], next: later.next, previous: earlier.previous }
  }
  if (cursor !== undefined && cursor.at < 0) {
    const earlier = await takeBackwards(db, scope, conversationId, { before: cursor.id, limit })
    return { ...earlier, next: cursor.id }
  }
  const from = cursor?.id ?? 0
  const later = await takeForwards(db, scope, conversationId, { from, limit })
  return { ...later, previous: cursor === undefined ? undefined : cursor.id }
}

async function numberOfTurn(db: Db, scope: Scope, conversationId: number, turn: string): Promise<number> {
  const id = toNumber('trn', turn)
  const found = id === undefined ? undefined : await findTurn(db, scope, id)
  if (found?.conversationId !== conversationId) throw new AppError('turn_not_found', 'Turn not found')
  return found.id
}

async function takeForwards(
  db: Db,
  scope: Scope,
  conversationId: number,
  { from, limit }: { from: number; limit: number },
): Promise<Pick<TurnsRead, 'turns' | 'next'>> {
  const room = createAnswerRoom()
  const turns: StoredTurn[] = []
  for (let next = from; ; ) {
    const read = await listTurns(db, scope, conversationId, { from: next, limit: turnsPerRead + 1 })
    for (const turn of read.slice(0, turnsPerRead)) {
      if (turns.length === limit || room.isFull) return { turns, next: turn.id }
      turns.push(turn)
      room.take(sizeOf(turn))
    }
    if (read.length <= turnsPerRead) return { turns, next: undefined }
    next = read[turnsPerRead]!.id
  }
}

async function takeBackwards(
  db: Db,
  scope: Scope,
  conversationId: number,
  { before, limit }: { before: number; limit: number },
): Promise<Pick<TurnsRead, 'turns' | 'previous'>> {
  const room = createAnswerRoom()
  const turns: StoredTurn[] = []
  for (let end = before; ; ) {
    const read = await listTurns(db, scope, conversationId, { before: end, limit: turnsPerRead })
    for (const turn of read.toReversed()) {
      if (turns.length === limit || room.isFull) return { turns, previous: turns[0]?.id ?? before }
      turns.unshift(turn)
      room.take(sizeOf(turn))
    }
    if (read.length < turnsPerRead) return { turns, previous: undefined }
    end = read[0]!.id
  }
}

const sizeOf = ({ text, tool }: StoredTurn) => text.length + (tool?.input?.length ?? 0) + 300
