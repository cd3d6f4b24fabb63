import type { Draft, KeepDraft } from '@loci/contract/drafts'
import type { EditedChange, Proposal, ProposedChange } from '@loci/contract/proposals'
import { writerOf } from '../../ui/writer-name.ts'

/** What waits in the inbox: a proposal, or a draft in the shape of one. */
export type Item = Proposal & { draft?: Draft }

export function itemOfDraft(draft: Draft): Item {
  const { id, status, by, at, source, changes, decidedAt } = draft
  return {
    ...{ draft, id, status, at, rivals: [], restsOn: [] },
    by: { kind: 'local', id: '', name: by.agent, client: by.agent },
    source: { ...source, quote: changes[0]!.content },
    changes: changes.map(({ operation, content, entity }) => ({
      operation,
      subject: { kind: 'observation', id, entityName: entity.name, entityType: entity.type },
      before: null,
      after: { content },
    })),
    changesCount: changes.length,
    ...(decidedAt !== undefined && { decidedAt }),
  }
}

/** What deciding on it is called. */
export const verbsOf = ({ draft }: Item) =>
  draft
    ? { accept: 'Keep', accepted: 'kept', reject: 'Drop', rejected: 'dropped' }
    : { accept: 'Accept', accepted: 'accepted', reject: 'Reject', rejected: 'rejected' }

export type Group = {
  key: string
  by: Item['by']
  conversationId: string | undefined
  /** The conversation's title, if one of them tells it. */
  title?: string
  proposals: Item[]
}

/** Proposals under the agent and the conversation that they are from, in the order of the first of each. */
export function groupProposals(proposals: readonly Item[]): Group[] {
  const groups = new Map<string, Group>()
  for (const proposal of proposals) {
    const conversationId = proposal.source?.conversationId
    const key = `${writerOf(proposal.by)} ${conversationId ?? ''}`
    const group = groups.get(key) ?? { key, by: proposal.by, conversationId, proposals: [] }
    group.proposals.push(proposal)
    if (proposal.draft) group.title = proposal.draft.conversationTitle
    groups.set(key, group)
  }
  return [...groups.values()]
}

const isFact = ({ subject, after }: ProposedChange) => subject.kind === 'observation' && after !== null

/** The changes that put a fact into words, which can be edited before they are accepted. */
export const factsOf = ({ changes }: Proposal): ProposedChange[] => changes.filter(isFact)

export const contentOf = ({ after }: ProposedChange): string => String(after?.content ?? '')

/** What a person decided about a proposal besides accepting it. */
export type Choices = {
  /** New words, by the id of the fact. */
  texts: Readonly<Record<string, string>>
  /** Known facts that it replaces. */
  replaces: readonly string[]
}

/** What was typed: new words, by the id of the fact, and for a draft the entity that it goes to. */
export type Edited = { texts: Choices['texts']; about?: string }

const replacesOf = ({ after }: ProposedChange): string[] =>
  Array.isArray(after?.replaces) ? after.replaces.map(String) : []

/** A known fact is replaced only where the proposal says so. */
export const presetChoices = (proposal: Proposal): Choices => ({
  texts: {},
  replaces: proposal.changes.flatMap(replacesOf),
})

/** The edits to send: what differs from the proposal. */
export function editsOf(proposal: Proposal, { texts, replaces }: Choices): EditedChange[] {
  const facts = factsOf(proposal)
  const first = facts[0]?.subject.id
  const known = new Set(proposal.rivals.map(({ id }) => id))
  return facts.flatMap((fact) => {
    const { id } = fact.subject
    const text = texts[id]?.trim()
    const was = replacesOf(fact)
    // What is chosen beside the known facts is about the first fact; others keep what they say.
    const now =
      id === first
        ? [...was.filter((old) => !known.has(old)), ...replaces.filter((old) => known.has(old))]
        : was
    const isReworded = text !== undefined && text !== '' && text !== contentOf(fact)
    const replacesOthers = [...now].sort().join() !== [...was].sort().join()
    if (!isReworded && !replacesOthers) return []
    const after = { ...(isReworded && { content: text }), ...(replacesOthers && { replaces: now }) }
    return [{ subject: { id }, leaveOut: false, after }]
  })
}

/** What is sent to keep a draft: what differs from what was said. */
export function keptAs(
  item: Item,
  { texts, about }: Edited,
): Omit<KeepDraft, 'entity'> & { entity?: { name: string } } {
  const [fact] = factsOf(item)
  const [text, name] = [texts[item.id]?.trim(), about?.trim()]
  return {
    ...(text && text !== contentOf(fact!) && { content: text }),
    ...(name && name !== fact!.subject.entityName && { entity: { name } }),
  }
}

const pronoun = /^\W*(it|this|that|these|those|they|he|she|its|their|his|her)(?!\p{L})/iu

/** The word of a draft for which it does not stand alone: a pronoun that begins it. */
export const unclearWordOf = (item: Item): string | undefined =>
  item.draft && pronoun.exec(contentOf(item.changes[0]!))?.[1]

const adding = ['entity_created', 'observation_added', 'relation_created']

/** The type of entity whose rule would cover a proposal: it only adds, and to entities of this type alone. */
export function ruleTypeOf({ draft, changes, changesCount }: Item): string | undefined {
  const isWhole = draft === undefined && changes.length === changesCount
  if (!isWhole || !changes.every((change) => adding.includes(change.operation))) return undefined
  if (changes.some((change) => replacesOf(change).length > 0)) return undefined
  const types = new Set(
    changes.flatMap(({ subject, after }) =>
      subject.kind === 'entity' ? [String(after?.type ?? '')] : (subject.entityType ?? []),
    ),
  )
  return types.size === 1 ? [...types][0] : undefined
}

/** What a proposal is about, in a few words, for messages. */
export function nameOf({ changes }: Proposal): string {
  const { subject, after } = changes[0]!
  if (subject.kind === 'observation') return `Fact on ${subject.entityName ?? 'an entity'}`
  if (subject.kind === 'relation') return 'Relation'
  return String(after?.name ?? subject.name ?? 'Entity')
}

/** The first words of what is proposed. */
export function wordsOf(proposal: Item): string {
  const [fact] = factsOf(proposal)
  return fact ? `${fact.subject.entityName ?? ''} ${contentOf(fact)}` : nameOf(proposal)
}
