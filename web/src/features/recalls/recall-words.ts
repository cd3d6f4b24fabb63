import type { RecallReason } from '@loci/contract/recalls'

/** Why a row came, in the reader's words; most of them go on with the number of words that matched. */
export const reasonText: Record<RecallReason, string> = {
  rule: 'Standing rule',
  words: 'Your words',
  name: 'Named in the question',
  linked: 'Linked to the best results',
  neighbour: 'Beside a row with your words',
  meaning: 'Similar in meaning',
  time: 'From the time asked about',
  listed: 'Of the type asked for',
}

/** `3 words of the question`; a word that occurs twice counts once. */
export function matchedWords(content: string, highlights: readonly [number, number][]): number {
  return new Set(highlights.map(([start, end]) => content.slice(start, end).toLowerCase())).size
}

export type RowMark = 'new' | 'moved' | 'gone'

/** How each row of an answer stands to the earlier one: new, at another place, or gone. */
export function markRows(
  before: readonly { observationId: string; rank: number }[],
  now: readonly { observationId: string; rank: number }[],
): Map<string, RowMark> {
  const ranks = new Map(before.map(({ observationId, rank }) => [observationId, rank]))
  const marks = new Map<string, RowMark>()
  for (const { observationId, rank } of now) {
    const earlier = ranks.get(observationId)
    if (earlier === undefined) marks.set(observationId, 'new')
    else if (earlier !== rank) marks.set(observationId, 'moved')
    ranks.delete(observationId)
  }
  for (const observationId of ranks.keys()) marks.set(observationId, 'gone')
  return marks
}

/** In the reader's calendar. */
export function todayHere(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
