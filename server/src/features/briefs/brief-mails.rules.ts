import type { Brief, BriefItem, BriefKind } from '@loci/contract/briefs'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import type { MailContent } from '../mails/mail-content.ts'
import type { Waiting } from '../proposals/waiting.service.ts'

const sendAtHour = 7
const thingsMax = 10
const linesMax = 3
const lineMax = 200
const titleMax = 120
/** Apps choose their names themselves. */
const nameMax = 40

/** The next Monday at 7:00 UTC. */
export function nextMonday(now: number): number {
  const midnight = Math.floor(now / dayMs) * dayMs
  const daysAhead = (8 - new Date(midnight).getUTCDay()) % 7
  const at = midnight + daysAhead * dayMs + sendAtHour * hourMs
  return at > now ? at : at + 7 * dayMs
}

export type BriefMailPlace = { space: string; url: string; inboxUrl: string; stopUrl: string }
export type BriefMailTells = { news: Brief | undefined; waiting: Waiting | undefined }

/** The week in one mail: what waits for a decision, then what happened. Undefined if there is nothing to tell. */
export function toBriefMail(
  { news, waiting }: BriefMailTells,
  place: BriefMailPlace,
  now: number,
): MailContent | undefined {
  const toDecide = waiting === undefined || waiting.count === 0 ? undefined : waiting
  if (news === undefined && toDecide === undefined) return undefined
  const { recalled } = news ?? {}
  return {
    subject: news
      ? `Your week in ${place.space}`
      : `${toDecide!.count} ${toDecide!.count === 1 ? 'waits' : 'wait'} for your decision in ${place.space}`,
    paragraphs: [
      ...(toDecide ? [waitingIn(toDecide, place, now)] : []),
      ...(news ? [`${sumUp(news.items)} in ${place.space} since the last mail.`] : []),
    ],
    ...(news && thingsIn(news)),
    ...(recalled &&
      recalled.times > 0 && {
        facts: [
          ['Recalled', `${recalled.times} times`],
          ['Of these, nothing found', `${recalled.notFound}`],
        ] as const,
      }),
    action: news ? { label: 'Read and decide', url: place.url } : { label: 'Decide', url: place.inboxUrl },
    footnote: 'You get this mail each Monday because you asked for it.',
    unsubscribeUrl: place.stopUrl,
  }
}

/** Nothing of what is proposed: no agent can put words into a mail that nobody has accepted. */
function waitingIn({ count, proposers, others, drafts, since }: Waiting, place: BriefMailPlace, now: number) {
  const from = [
    ...proposers.map((one) => `${cut(one.name, nameMax)} ${one.count}`),
    ...(others > 0 ? [`others ${others}`] : []),
    ...(drafts > 0 ? [`sentences of conversations ${drafts}`] : []),
  ]
  const days = since === undefined ? 0 : Math.floor((now - since) / dayMs)
  const oldest = days < 1 ? '' : ` The oldest has waited ${days} ${days === 1 ? 'day' : 'days'}.`
  return `${count} ${count === 1 ? 'waits' : 'wait'} for your decision in ${place.space}: ${from.join(', ')}.${oldest}`
}

/** A group for each thing, the latest first. */
function thingsIn({ items, isComplete }: Brief): Pick<MailContent, 'groups' | 'closing'> {
  const things = [...Map.groupBy(items, ({ entity }) => entity.id).values()]
  const left = things.length - thingsMax
  return {
    groups: things.slice(0, thingsMax).map(groupOf),
    closing: [
      ...(left > 0 ? [`And ${left} more ${left === 1 ? 'thing' : 'things'}.`] : []),
      ...(isComplete ? [] : ['There was more; History has all of it.']),
    ],
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
  const facts = `${items.length} ${items.length === 1 ? 'fact' : 'facts'}`
  return counts.length === 1 ? `${facts} ${words[items[0]!.kind]}` : `${facts}: ${counts.join(', ')}`
}

function groupOf(items: readonly BriefItem[]) {
  const left = items.length - linesMax
  return {
    name: cut(items[0]!.entity.name, titleMax),
    lines: [...items.slice(0, linesMax).map(lineOf), ...(left > 0 ? [`And ${left} more.`] : [])],
  }
}

function lineOf({ kind, content, observationId, rival }: BriefItem): string {
  const text = cut(content)
  if (kind === 'forgotten') return observationId === undefined ? 'Forgotten.' : `Forgotten: ${text}`
  if (kind === 'rival') return `"${text}" may contradict "${cut(rival?.content ?? '')}".`
  return kind === 'changed' ? `Now: ${text}` : text
}

/** In one line. */
function cut(text: string, max = lineMax): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max).toWellFormed()}…`
}
