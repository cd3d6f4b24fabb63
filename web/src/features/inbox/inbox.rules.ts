import type { EditedChange, Proposal, ProposedChange } from '@loci/contract/proposals'
import { writerOf } from '../../ui/writer-name.ts'

export type Group = {
  key: string
  by: Proposal['by']
  conversationId: string | undefined
  proposals: Proposal[]
}

/** Proposals under the agent and the conversation that they are from, in the order of the first of each. */
export function groupProposals(proposals: readonly Proposal[]): Group[] {
  const groups = new Map<string, Group>()
  for (const proposal of proposals) {
    const conversationId = proposal.source?.conversationId
    const key = `${writerOf(proposal.by)} ${conversationId ?? ''}`
    const group = groups.get(key) ?? { key, by: proposal.by, conversationId, proposals: [] }
    group.proposals.push(proposal)
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

/** What a proposal is about, in a few words, for messages. */
export function nameOf({ changes }: Proposal): string {
  const { subject, after } = changes[0]!
  if (subject.kind === 'observation') return `Fact on ${subject.entityName ?? 'an entity'}`
  if (subject.kind === 'relation') return 'Relation'
  return String(after?.name ?? subject.name ?? 'Entity')
}
