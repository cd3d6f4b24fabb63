import { ApiError, type RestClient } from '@loci/client/rest'
import type { Proposal } from '@loci/contract/proposals'

/** Whose calls a server answers: of a reviewer, and of an agent whose writes wait for one. */
export type Callers = { person: RestClient; agent: RestClient }

/** An operation on a proposal, once, on entities of its own. */
export type Round = {
  call: (callers: Callers) => Promise<unknown>
  /** After a restart: whether it is done, and what is stored once it was done again. Throws if anything is wrong. */
  settle: (callers: Callers, wasAnswered: boolean) => Promise<{ isDone: boolean; stored: string }>
}
type Place = { name: string; placeId: string; quayId: string; factId: string }
type Propose = (agent: RestClient, place: Place) => Promise<unknown>

const create: Propose = (agent, { name }) => {
  const crane = { name: `Crane ${name}`, type: 'machine', observations: ['Lifts 40 t', 'Is red'] }
  const stands = { from: crane.name, to: `Harbour ${name}`, type: 'stands_in' }
  return agent.createBatch({
    headers: { 'idempotency-key': name },
    body: { entities: [crane], relations: [stands] },
  })
}

const replace: Propose = (agent, { placeId, factId }) =>
  agent.createObservations({
    params: { id: placeId },
    body: { content: 'It has ten berths', replaces: [factId] },
  })

const merge: Propose = (agent, { placeId, quayId }) =>
  agent.mergeEntity({ params: { id: quayId }, body: { into: placeId } })

/** What can be killed, by name. */
export const rounds: Record<string, (callers: Callers, name: string) => Promise<Round>> = {
  propose: roundOfProposing(1),
  'propose by a rule': roundOfProposing(0),
  'accept new entities': roundOfDeciding(create, accept()),
  'accept a replaced fact': roundOfDeciding(replace, accept()),
  'accept a merge': roundOfDeciding(merge, accept()),
  'accept, edited': roundOfDeciding(replace, accept({ content: 'It has eleven berths' })),
  reject: roundOfDeciding(create, ({ person }, { id }) =>
    person.rejectProposal({ params: { id }, body: {} }),
  ),
  'decide on several': roundOfDeciding(create, async ({ person }, { id }) => {
    const { failed } = await person.decideProposals({ body: { accept: [id] } })
    if (failed[0] !== undefined) throw new ApiError(409, failed[0] as never)
  }),
}

type Decide = (callers: Callers, proposal: Proposal) => Promise<unknown>

function accept(after?: { content: string }): Decide {
  return ({ person }, { id, changes }) => {
    const added = changes.find(({ operation }) => operation === 'observation_added')
    const edits = after && added ? [{ subject: added.subject, after }] : []
    return person.acceptProposal({ params: { id }, body: { changes: edits } })
  }
}

/** `waiting`: how many wait for a reviewer once it is over. */
function roundOfProposing(waiting: 0 | 1) {
  return async (callers: Callers, name: string): Promise<Round> => {
    const place = await createPlace(callers, name)
    const before = await graphOf(callers, name)
    return {
      call: ({ agent }) => create(agent, place),
      settle: async (later, wasAnswered) => {
        const open = await openOf(later)
        const isDone = waiting === 1 ? open.length === 1 : (await graphOf(later, name)) !== before
        if (wasAnswered && !isDone) throw new Error('It was answered, and is gone')
        if (open.length > waiting) throw new Error(`${open.length} proposals wait`)
        if (waiting === 1 && (await graphOf(later, name)) !== before) throw new Error('It is applied')
        await create(later.agent, place)
        const [proposal, ...others] = await openOf(later)
        if (others.length > 0) throw new Error('It waits twice')
        if (waiting === 1) await later.person.acceptProposal({ params: { id: proposal!.id }, body: {} })
        return { isDone, stored: await graphOf(later, name) }
      },
    }
  }
}

function roundOfDeciding(propose: Propose, decide: Decide) {
  return async (callers: Callers, name: string): Promise<Round> => {
    const place = await createPlace(callers, name)
    await propose(callers.agent, place)
    const [proposal] = await openOf(callers)
    const before = await graphOf(callers, name)
    return {
      call: (now) => decide(now, proposal!),
      settle: async (later, wasAnswered) => {
        const isOpen = (await openOf(later)).length === 1
        const between = await graphOf(later, name)
        if (isOpen && wasAnswered) throw new Error('It was answered, and is open')
        if (isOpen && between !== before) throw new Error('It is open, and applied')
        const code = await decide(later, proposal!).then(
          () => undefined,
          (error: ApiError) => error.code,
        )
        if (code !== (isOpen ? undefined : 'proposal_decided'))
          throw new Error(`Deciding again on one that is ${isOpen ? 'open' : 'decided'}: ${code}`)
        const after = await graphOf(later, name)
        if (!isOpen && after !== between) throw new Error('Deciding again changed it')
        return { isDone: !isOpen, stored: after }
      },
    }
  }
}

async function createPlace({ person }: Callers, name: string): Promise<Place> {
  const of = (noun: string, fact: string) => ({
    name: `${noun} ${name}`,
    type: 'place',
    observations: [fact],
  })
  const { entity: place } = await person.createEntity({ body: of('Harbour', 'It has nine berths') })
  const { entity: quay } = await person.createEntity({ body: of('Quay', 'It is long') })
  return { name, placeId: place.id, quayId: quay.id, factId: place.observations[0]!.id }
}

const openOf = async ({ person }: Callers) => (await person.listProposals()).proposals

/** What is stored about a round, without what differs between rounds. */
async function graphOf({ person }: Callers, name: string): Promise<string> {
  const lines = (await (await person.export()).text()).split('\n').filter((line) => line.includes(name))
  const numbers = new Map<string, number>()
  return lines
    .join('\n')
    .replaceAll(name, 'NAME')
    .replace(/\b(ent|obs|rel)_\w+/g, (id) => `#${numbers.get(id) ?? numbers.set(id, numbers.size).size}`)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}
