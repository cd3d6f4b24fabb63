import type { BriefItem, BriefKind } from '@loci/contract/briefs'
import { writerOf } from '../../ui/writer-name.ts'

export type Grouping = 'thing' | 'agent'
export type BriefGroup = {
  key: string
  title: string
  /** Of the thing; absent for an agent and for what was forgotten. */
  entity?: BriefItem['entity']
  items: BriefItem[]
}

/** Items by thing or by who wrote them: first what disagrees, then what is unread, and what was forgotten at the end. */
export function groupItems(items: readonly BriefItem[], by: Grouping): BriefGroup[] {
  const forgotten = items.filter(({ kind }) => kind === 'forgotten')
  const others = items.filter(({ kind }) => kind !== 'forgotten')
  const groups = [
    ...Map.groupBy(others, (item) => (by === 'thing' ? item.entity.id : writerOf(item.by))),
  ].map(([key, ofKey]): BriefGroup => {
    const { entity } = ofKey[0]!
    const sorted = ofKey.toSorted((a, b) => weightOf(a) - weightOf(b))
    return by === 'thing'
      ? { key, title: entity.name, entity, items: sorted }
      : { key, title: key, items: sorted }
  })
  const weigh = ({ items: ofGroup }: BriefGroup) => Math.min(...ofGroup.map(weightOf))
  const sorted = groups.toSorted((a, b) => weigh(a) - weigh(b))
  return forgotten.length === 0
    ? sorted
    : [...sorted, { key: 'forgotten', title: 'Forgotten', items: forgotten }]
}

const weightOf = ({ kind, isRead }: BriefItem) => (isRead ? 2 : kind === 'rival' ? 0 : 1)

export const kindWords: Record<BriefKind, { sign: string; word: string; label: string }> = {
  learned: { sign: '+', word: 'learned', label: 'Learned' },
  changed: { sign: '~', word: 'changed', label: 'Changed' },
  rival: { sign: '≠', word: 'may not hold', label: 'May not both hold' },
  forgotten: { sign: '−', word: 'forgotten', label: 'Forgotten' },
}

/** `5 learned, 1 changed` */
export function sumUp(items: readonly BriefItem[]): string {
  const kinds: BriefKind[] = ['rival', 'learned', 'changed', 'forgotten']
  return kinds
    .map((kind) => ({ kind, count: items.filter((item) => item.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kindWords[kind].word}`)
    .join(', ')
}
