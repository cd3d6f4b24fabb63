import type { BriefItem } from '@loci/contract/briefs'
import type { Change } from '@loci/contract/changes'

/** A longer text is cut. */
const textMax = 600

export const cutText = (text: string) =>
  text.length <= textMax ? text : `${text.slice(0, textMax).toWellFormed()}…`

/**
 * What the changes, newest first, did to facts: one item for each fact, in its last state. What came and went in between
 * is left out, as is what the reader did in the browser.
 */
export function toItems(changes: readonly Change[], read: ReadonlySet<number>, userId: string): BriefItem[] {
  const items: BriefItem[] = []
  const seen = new Set<string>()
  const born = new Set(
    changes.flatMap(({ operation, subject }) =>
      operation === 'observation_added' || operation === 'entity_created' ? [subject.id] : [],
    ),
  )
  const goneEntities = new Set(
    changes.flatMap(({ operation, subject }) => (operation === 'entity_deleted' ? [subject.id] : [])),
  )
  const wordings = wordingsBefore(changes)
  for (const change of changes) {
    const { seq, setId, at, actor, subject, operation } = change
    if (seen.has(subject.id)) continue
    const item = toItem(change, { born, goneEntities, wordings })
    if (item === undefined) continue
    seen.add(subject.id)
    if (item.isNothing || (actor.kind === 'session' && actor.id === userId)) continue
    const isEntity = operation === 'entity_deleted'
    items.push({
      ...{ seq, setId, at, by: actor, isRead: read.has(seq) },
      kind: item.kind,
      entity: isEntity
        ? { id: subject.id, name: subject.name ?? '', type: String(change.before?.type ?? '') }
        : { id: subject.entityId ?? '', name: subject.entityName ?? '', type: subject.entityType ?? '' },
      ...(!isEntity && { observationId: subject.id }),
      content: cutText(item.content),
      ...(item.before !== undefined && { before: cutText(item.before) }),
    })
  }
  return items
}

type Item = Pick<BriefItem, 'kind' | 'content'> & { before?: string | undefined; isNothing?: boolean }
type Surroundings = {
  born: ReadonlySet<string>
  goneEntities: ReadonlySet<string>
  wordings: Wordings
}

/** Undefined for changes that say nothing about a fact. */
function toItem({ operation, subject, before, after }: Change, around: Surroundings): Item | undefined {
  const { born, goneEntities, wordings } = around
  const content = textOf(after) ?? textOf(before) ?? ''
  if (operation === 'entity_deleted')
    return { kind: 'forgotten', content: subject.name ?? '', isNothing: born.has(subject.id) }
  if (operation === 'observation_deleted') {
    // What was stored and deleted since, or went with its whole entity.
    const isNothing = born.has(subject.id) || goneEntities.has(subject.entityId ?? '')
    return { kind: 'forgotten', content, isNothing }
  }
  if (operation === 'observation_updated') {
    // An update that leaves the text alone is about its replacement, its files or its dates.
    if (textOf(before) === textOf(after)) return undefined
    return born.has(subject.id)
      ? { kind: 'learned', content }
      : { kind: 'changed', content, before: wordings.first.get(subject.id) }
  }
  if (operation !== 'observation_added') return undefined
  const replaced = replacedBy(after)
  return replaced.length === 0
    ? { kind: 'learned', content }
    : { kind: 'changed', content, before: replaced.map((id) => wordings.any.get(id)).find(Boolean) }
}

/** The wording of each fact before the first of the changes, and any wording of a fact that they touch. */
type Wordings = { first: ReadonlyMap<string, string>; any: ReadonlyMap<string, string> }

function wordingsBefore(changes: readonly Change[]): Wordings {
  const [first, any] = [new Map<string, string>(), new Map<string, string>()]
  for (const { subject, before, after } of changes) {
    const [old, now] = [textOf(before), textOf(after)]
    // Later ones are older.
    if (old !== undefined && old !== now) first.set(subject.id, old)
    const known = old ?? now
    if (known !== undefined) any.set(subject.id, known)
  }
  return { first, any }
}

type State = Change['after']

const textOf = (state: State) => (typeof state?.content === 'string' ? state.content : undefined)

const replacedBy = (state: State): string[] =>
  Array.isArray(state?.replaces) ? state.replaces.map(String) : []
