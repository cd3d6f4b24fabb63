import type { Brief, BriefItem, BriefKind } from '@loci/contract/briefs'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import type { MailContent } from '../mails/mail-content.ts'

const sendAtHour = 7
const thingsMax = 10
const linesMax = 3
const lineMax = 200

/** The next Monday at 7:00 UTC. */
export function nextMonday(now: number): number {
  const midnight = Math.floor(now / dayMs) * dayMs
  const daysAhead = (8 - new Date(midnight).getUTCDay()) % 7
  const at = midnight + daysAhead * dayMs + sendAtHour * hourMs
  return at > now ? at : at + 7 * dayMs
}

export type BriefMailPlace = { space: string; url: string; stopUrl: string }

/** The week in sentences: a paragraph for each thing, the latest first. */
export function toBriefMail({ items, recalled, isComplete }: Brief, place: BriefMailPlace): MailContent {
  const things = [...Map.groupBy(items, ({ entity }) => entity.id).values()]
  const left = things.length - thingsMax
  return {
    subject: `Your week in ${place.space}`,
    paragraphs: [
      `${sumUp(items)} in ${place.space} since the last mail.`,
      ...things.slice(0, thingsMax).map(paragraphOf),
      ...(left > 0 ? [`And ${left} more ${left === 1 ? 'thing' : 'things'}.`] : []),
      ...(isComplete ? [] : ['There was more; History has all of it.']),
    ],
    ...(recalled.times > 0 && {
      facts: [
        ['Recalled', `${recalled.times} times`],
        ['Of these, nothing found', `${recalled.notFound}`],
      ] as const,
    }),
    action: { label: 'Read and decide', url: place.url },
    footnote: `You get this mail each Monday because you asked for it. Stop it: ${place.stopUrl}`,
    unsubscribeUrl: place.stopUrl,
  }
}

const words: Record<BriefKind, string> = {
  learned: 'learned',
  changed: 'changed',
  rival: 'contradicted',
  forgotten: 'forgotten',
}

function sumUp(items: readonly BriefItem[]): string {
  const counts = (Object.keys(words) as BriefKind[]).flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [`${count} ${words[kind]}`]
  })
  const facts = items.length === 1 ? 'fact' : 'facts'
  return `${items.length} ${facts}: ${counts.join(', ')}`
}

function paragraphOf(items: readonly BriefItem[]): string {
  const lines = items.slice(0, linesMax).map(sentenceOf)
  const left = items.length - linesMax
  return [`${items[0]!.entity.name}: ${lines.join(' ')}`, ...(left > 0 ? [`And ${left} more.`] : [])].join(
    ' ',
  )
}

function sentenceOf({ kind, content, observationId, rival }: BriefItem): string {
  const text = cut(content)
  if (kind === 'forgotten') return observationId === undefined ? 'Forgotten.' : `Forgotten: "${text}"`
  if (kind === 'rival') return `"${text}" may contradict "${cut(rival?.content ?? '')}".`
  return kind === 'changed' ? `Now "${text}"` : `"${text}"`
}

/** In one line. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= lineMax ? line : `${line.slice(0, lineMax).toWellFormed()}…`
}
