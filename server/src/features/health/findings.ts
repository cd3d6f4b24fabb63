import { createHash } from 'node:crypto'
import {
  type HealthCounts,
  type HealthCure,
  type HealthItem,
  type HealthKind,
  type HealthSeverity,
  type HealthSubject,
  healthItemsMax,
  healthKinds,
} from '@loci/contract/health'
import type { HealthEntity, HealthFact } from './health-source.ts'

const severities: Record<HealthKind, HealthSeverity> = {
  secret: 'high',
  rivals: 'medium',
  stale: 'medium',
  duplicate: 'low',
  not_standalone: 'low',
  orphan: 'low',
  expired: 'low',
  too_long: 'low',
  never_recalled: 'low',
}

const subjectsMax = 5
const contentMax = 500

export type HealthFinding = {
  kind: HealthKind
  subjects: readonly HealthSubject[]
  evidence: string
  cure: HealthCure
}

/** Collects what a check finds: counts all of it, and keeps a bounded number of items of each kind. */
export type HealthFindings = {
  add: (finding: HealthFinding) => void
  counts: () => HealthCounts
  items: () => HealthItem[]
}

export function createHealthFindings(): HealthFindings {
  const kept = new Map<HealthKind, HealthItem[]>(healthKinds.map((kind) => [kind, []]))
  const counts = Object.fromEntries(healthKinds.map((kind) => [kind, 0])) as HealthCounts
  return {
    add(finding) {
      counts[finding.kind] += 1
      const items = kept.get(finding.kind)!
      if (items.length < healthItemsMax) items.push(toItem(finding))
    },
    counts: () => counts,
    items: () => [...kept.values()].flat(),
  }
}

function toItem({ kind, subjects, evidence, cure }: HealthFinding): HealthItem {
  const named = subjects.map(keyOfSubject).sort()
  const id = `hlt_${createHash('sha256')
    .update(JSON.stringify([kind, named]))
    .digest('hex')
    .slice(0, 20)}`
  return {
    id,
    kind,
    severity: severities[kind],
    subjects: subjects.slice(0, subjectsMax),
    evidence: subjects.length > subjectsMax ? `${evidence} The first ${subjectsMax} are shown.` : evidence,
    cure,
  }
}

const keyOfSubject = ({ entity, observation, place }: HealthSubject) =>
  observation?.id ??
  (observation === undefined ? entity.id : undefined) ??
  `${place} ${entity.name} ${observation?.content}`

export const toEntitySubject = ({ id, name, type, place }: HealthEntity): HealthSubject => ({
  entity: { ...(id && { id }), name, type },
  ...(place && { place }),
})

/** `content` in place of its own where that holds a secret. */
export function toFactSubject(
  { id, content, createdAt, at, replaces, place }: HealthFact,
  entity: HealthEntity,
  shown = content,
): HealthSubject {
  const cut = shown.length > contentMax ? `${shown.slice(0, contentMax - 1).toWellFormed()}…` : shown
  return {
    entity: { ...(entity.id && { id: entity.id }), name: entity.name, type: entity.type },
    observation: {
      ...(id && { id }),
      content: cut,
      ...(createdAt && { createdAt }),
      ...(at && { at }),
      ...(replaces && { replaces: [...replaces] }),
    },
    ...(place && { place }),
  }
}
