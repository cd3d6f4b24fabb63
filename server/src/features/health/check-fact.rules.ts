import type { StaleFile } from '@loci/contract/observations'
import { isTold } from '@loci/contract/observations'
import { dayMs } from '../../ground/lib/time.ts'
import { estimateTokens } from '../../ground/lib/tokens.ts'
import { type HealthFinding, toFactSubject } from './findings.ts'
import type { HealthEntity, HealthFact } from './health-source.ts'
import { hideSecrets } from './hide-secrets.rules.ts'
import { proposeWording } from './propose-wording.rules.ts'
import { findSaidEnd } from './said-end.rules.ts'
import { findUnclear } from './stands-alone.rules.ts'
import { partsOf } from './text-parts.rules.ts'

/** Longer texts are several facts, or a document. */
export const tooLongFrom = 1_700
const keptAfterExpiryDays = 30

/** What is wrong with a fact as it stands, without looking at others. */
export function checkFact(fact: HealthFact, entity: HealthEntity, now: number): HealthFinding[] {
  const secret = hideSecrets(fact.content)
  // Also in facts that are no longer told: they are still stored.
  if (secret !== undefined)
    return [
      {
        kind: 'secret',
        subjects: [toFactSubject(fact, entity, secret.hidden)],
        evidence: secret.kinds.map(describeSecret).join(' '),
        cure: { action: 'erase', content: secret.hidden },
      },
    ]
  if (fact.isReplaced) return []
  return [expired(fact, entity, now), ...(isCurrent(fact, now) ? checkTold(fact, entity) : [])].filter(
    (found) => found !== undefined,
  )
}

/** How long a fact has to be there, and counted, before it is missed. */
const untoldDays = 30

/** A current fact that nobody was told in the time in which that was counted. */
export function findUntold(
  fact: HealthFact,
  entity: HealthEntity,
  { now, since }: { now: number; since: number | undefined },
): HealthFinding | undefined {
  if (since === undefined || fact.isTold !== false || fact.createdAt === undefined) return undefined
  const from = Math.max(since, Date.parse(fact.createdAt))
  if (!isCurrent(fact, now) || now - from < untoldDays * dayMs) return undefined
  return {
    kind: 'never_recalled',
    subjects: [toFactSubject(fact, entity)],
    evidence: `Told to nobody who asked since ${toDay(new Date(from).toISOString())}.`,
    cure: { action: 'forget' },
  }
}

/** Whether it is told to those who ask. */
export const isCurrent = (fact: HealthFact, now: number): boolean =>
  !fact.isReplaced && isTold({ expiresAt: fact.expiresAt }, now)

const checkTold = (fact: HealthFact, entity: HealthEntity) => [
  stale(fact, entity),
  tooLong(fact, entity) ?? unclear(fact, entity),
]

const describeSecret = (kind: string) =>
  kind === 'password' || kind === 'secret' || kind === 'code'
    ? `Looks like a ${kind}.`
    : `Looks like a secret: ${kind.replaceAll('-', ' ')}.`

function expired(fact: HealthFact, entity: HealthEntity, now: number): HealthFinding | undefined {
  if (fact.expiresAt === undefined) return saidToBeOver(fact, entity, now)
  if (Date.parse(fact.expiresAt) > now) return undefined
  const until = new Date(Date.parse(fact.expiresAt) + keptAfterExpiryDays * dayMs).toISOString()
  return {
    kind: 'expired',
    subjects: [toFactSubject(fact, entity)],
    evidence: `Not told since ${toDay(fact.expiresAt)}, and deleted after ${toDay(until)}.`,
    cure: { action: 'forget' },
  }
}

/** It is told all the same: only its text says that it is over. */
function saidToBeOver(fact: HealthFact, entity: HealthEntity, now: number): HealthFinding | undefined {
  const end = findSaidEnd(fact.content)
  if (end === undefined || end > now) return undefined
  return {
    kind: 'expired',
    subjects: [toFactSubject(fact, entity)],
    evidence: `By its own words it was over after ${toDay(new Date(end - 1).toISOString())}.`,
    cure: { action: 'forget' },
  }
}

function stale(fact: HealthFact, entity: HealthEntity): HealthFinding | undefined {
  const [first, ...others] = fact.stale ?? []
  if (first === undefined) return undefined
  const more =
    others.length === 0
      ? ''
      : ` So ${others.length === 1 ? 'has one more file' : `have ${others.length} more files`}.`
  return {
    kind: 'stale',
    subjects: [toFactSubject(fact, entity)],
    evidence: `${describeFile(first)}${more}`,
    cure: { action: 'confirm' },
  }
}

const describeFile = ({ path, lines, reason }: StaleFile) =>
  `${path}${lines === undefined ? '' : `:${lines}`} ${reason === 'gone' ? 'is gone' : 'has changed'}.`

function tooLong(fact: HealthFact, entity: HealthEntity): HealthFinding | undefined {
  const { content } = fact
  if (content.length < tooLongFrom) return undefined
  const parts = partsOf(content)
  const inParts = parts.length > 1 ? `, in ${parts.length} parts` : ''
  const tokens = estimateTokens(content).toLocaleString('en-US')
  return {
    kind: 'too_long',
    subjects: [toFactSubject(fact, entity)],
    evidence: `${content.length.toLocaleString('en-US')} characters, about ${tokens} tokens${inParts}.`,
    cure: { action: 'split', ...(parts.length > 1 && { parts }) },
  }
}

function unclear(fact: HealthFact, entity: HealthEntity): HealthFinding | undefined {
  const found = findUnclear(fact.content, entity.name)
  if (found === undefined) return undefined
  const words = found.words.map((word) => `“${word}”`)
  const last = words.pop()!
  const named = words.length === 0 ? last : `${words.join(', ')} and ${last}`
  const written = fact.createdAt === undefined ? '' : `; written on ${toDay(fact.createdAt)}`
  const content = proposeWording(fact, entity)
  return {
    kind: 'not_standalone',
    subjects: [toFactSubject(fact, entity)],
    evidence: `${named}${written}.`,
    cure: { action: 'reword', ...(content && { content }) },
  }
}

/** "14 October 2026". */
export const toDay = (moment: string): string =>
  new Date(moment).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
