import { createAnswerRoom } from '../../ground/lib/answer-room.ts'
import { decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { jsonSize } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/turns.ts'

/** Texts read by one statement. */
const textsPerRead = 100

/** A page of a ranking: the cursor keeps the number of results that the first page ranked. */
export type RankingPlace = { start: number; limit: number; wanted: number }

export function toRankingPlace({
  cursor,
  limit,
}: {
  cursor?: string | undefined
  limit: number
}): RankingPlace {
  const place = decodeCursor(cursor)
  return { start: place?.at ?? 0, limit, wanted: place?.id ?? limit }
}

/**
 * Shows the hits of a page, which ends early if the answer is full. Yields to other work in between.
 * @param textsEach texts shown for a hit, at most
 * @param load reads what several hits need, and returns what shows each of them
 */
export async function showPage<Hit, Shown>(
  ranked: readonly Hit[],
  { start, limit, wanted }: RankingPlace,
  textsEach: number,
  load: (hits: readonly Hit[]) => Promise<(hit: Hit) => Promise<Shown | undefined>>,
): Promise<{ shown: Shown[]; nextCursor: string | null }> {
  const [pace, room] = [createPace(), createAnswerRoom()]
  const hits = ranked.slice(start, start + limit)
  const hitsPerRead = Math.ceil(textsPerRead / textsEach)
  const shown: Shown[] = []
  let show: (hit: Hit) => Promise<Shown | undefined> = async () => undefined
  let end = 0
  for (; end < hits.length && !room.isFull; end++) {
    if (end % hitsPerRead === 0) show = await load(hits.slice(end, end + hitsPerRead))
    await pace()
    const one = await show(hits[end]!)
    if (one === undefined) continue
    shown.push(one)
    room.take(jsonSize(one))
  }
  await pace()
  const next = start + end
  return { shown, nextCursor: next < ranked.length ? encodeCursor({ at: next, id: wanted }) : null }
}
