import { entityNameMax } from '@loci/contract/entities'
import { toNumber } from '../../../ground/lib/ids.ts'
import type { Caller } from '../../../tenancy/auth/actor.ts'
import { notProposable } from '../../../tenancy/auth/reviewing.ts'
import { applySteps } from '../apply-steps.ts'
import type { GraphWrite } from '../write-graph.ts'
import {
  findCreatorsOf,
  findNamedIn,
  findProposals,
  type Proposer,
  type StoredProposal,
} from './proposals.repo.ts'
import { toSteps } from './to-steps.ts'

const textsMax = 5_000
const builtOnMax = 100

/** A caller by itself, without the person's other keys. */
export const proposerOf = ({
  kind,
  keyId,
  connectionId,
  userId,
}: Caller): Proposer & { ref: string; kind: string } => ({
  kind,
  ref: keyId ?? connectionId ?? userId,
})

export const isOf = ({ kind, ref }: StoredProposal, caller: Caller) => {
  const proposer = proposerOf(caller)
  return proposer.kind === kind && proposer.ref === ref
}

/**
 * Applies the open proposals of the caller that create what a call names, by name or id, and those on which they rest,
 * so that the call can build on them. Returns their numbers.
 */
export async function applyOwn(write: GraphWrite, caller: Caller, input: unknown): Promise<number[]> {
  const applied: number[] = []
  for (const proposal of await findNamedProposals(write, caller, input)) {
    const { steps, conflicts } = await toSteps(write, proposal)
    // It could not be accepted either, so nothing can build on it.
    if (conflicts.length > 0) continue
    await applySteps(write, steps, { ending: proposal.steps.isMerge ? 'entity_merged' : 'entity_deleted' })
    applied.push(proposal.id)
  }
  return applied
}

/** Oldest first. */
async function findNamedProposals(
  { db, scope }: GraphWrite,
  caller: Caller,
  input: unknown,
): Promise<StoredProposal[]> {
  const texts = textsIn(input)
  const ids = texts.flatMap((text) => numberIn(text) ?? [])
  const wanted = [
    ...(await findCreatorsOf(db, scope, ids)).values(),
    ...(await findNamedIn(db, scope, texts)),
  ]
  const found = new Map<number, StoredProposal>()
  for (let next = wanted; next.length > 0; ) {
    const more = (await findProposals(db, scope, next)).filter(
      (proposal) => proposal.status === 'open' && isOf(proposal, caller),
    )
    for (const proposal of more) found.set(proposal.id, proposal)
    if (found.size > builtOnMax)
      throw notProposable(`This builds on more than ${builtOnMax} proposals that wait for a review.`)
    next = more.flatMap(({ restsOn }) => restsOn).filter((id) => !found.has(id))
  }
  return [...found.values()].sort((a, b) => a.id - b.id)
}

const numberIn = (text: string) => toNumber('ent', text) ?? toNumber('obs', text) ?? toNumber('rel', text)

/** The texts of a call that could be names or ids. */
function textsIn(input: unknown): string[] {
  const texts = new Set<string>()
  const collect = (value: unknown): void => {
    if (texts.size >= textsMax) return
    if (typeof value === 'string' && value.length <= entityNameMax) texts.add(value)
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item)
  }
  collect(input)
  return [...texts]
}
