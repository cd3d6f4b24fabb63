import { periodOf } from '@loci/contract/fact-times'
import type { StaleFile } from '@loci/contract/observations'
import { inLine } from '../../ground/lib/for-models.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import type { GraphPart } from './graph-part.ts'
import { quote } from './not-found.ts'

const filesTold = 3
const factsTold = 12

/** Which files an observation rests on have changed or gone, in a line for models. */
export function remarkOf(stale: readonly StaleFile[]): string {
  const told = stale.slice(0, filesTold).map(({ path, lines, reason }) => {
    const where = lines === undefined ? inLine(path) : `${inLine(path)} (lines ${inLine(lines)})`
    return `${where} ${reason === 'gone' ? 'is gone' : 'has changed'}`
  })
  const others = stale.length > filesTold ? `, and ${stale.length - filesTold} more` : ''
  return `${told.join(', ')}${others}`
}

/** Keeps what is to be said about an observation that a part takes. */
export function keepRemarks(
  { remarks, ends }: GraphPart,
  { id, stale, until }: Pick<StoredObservation, 'id' | 'stale' | 'until'>,
): void {
  if (stale !== undefined) remarks.set(id, remarkOf(stale))
  if (until !== undefined) ends.set(id, until)
}

/** Which observations of a part have ended, by their places in it, as a sentence; none if there are none. */
export function noticeOfEnded({ ids, ends }: GraphPart, now: number): string[] {
  if (ends.size === 0) return []
  const facts = [...ids].flatMap(([name, own]) =>
    own.flatMap((id, index) => {
      const until = ends.get(id)
      const end = until === undefined ? undefined : periodOf(until)?.to
      return end === undefined || end > now ? [] : [`${quote(name)} ${index + 1} [${id}] until ${until}`]
    }),
  )
  if (facts.length === 0) return []
  const others = facts.length > factsTold ? `; and ${facts.length - factsTold} more` : ''
  return [`No longer true: ${facts.slice(0, factsTold).join('; ')}${others}.`]
}

/** Which observations of a part are stale, by their places in it, as a sentence; none if there are none. */
export function noticeOfStale({ ids, remarks }: GraphPart): string[] {
  if (remarks.size === 0) return []
  const facts = [...ids].flatMap(([name, own]) =>
    own.flatMap((id, index) => {
      const remark = remarks.get(id)
      return remark === undefined ? [] : [`${quote(name)} ${index + 1} [${id}]: ${remark}`]
    }),
  )
  const others = facts.length > factsTold ? `; and ${facts.length - factsTold} more` : ''
  return [
    `May be outdated, since files changed: ${facts.slice(0, factsTold).join('; ')}${others}. ` +
      'Correct or confirm them with update_observation.',
  ]
}
