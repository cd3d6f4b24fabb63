import { createRestClient, type RestClient } from '@loci/client/rest'

const edgesPerNode = 3
const groupSize = 100
const types = ['concept', 'person', 'company', 'technology', 'product', 'event']
/** Of so many relations, one leads anywhere, and five to the hub of the group. */
const pickMax = 20

/** An account on the largest plan with a graph of communities; answers its token. */
export async function seedCommunities(url: string, nodes: number): Promise<string> {
  const { token } = await createRestClient({ baseUrl: url }).register({
    body: { email: `n${nodes}@example.com`, password: 'demo-password', firstName: 'Demo', lastName: 'User' },
  })
  const rest = createRestClient({ baseUrl: url, token: () => token })
  await takeLargestPlan(rest, url)
  await importLines(rest, communityLines(0, nodes))
  return token
}

async function takeLargestPlan(rest: RestClient, url: string): Promise<void> {
  const { plans } = await rest.listPlans()
  const { priceId } = plans.find(({ id }) => id === 'power-user')!
  const { url: checkout } = await rest.createCheckout({
    body: { priceId: priceId!, successUrl: url, cancelUrl: url },
  })
  await fetch(checkout, {
    method: 'POST',
    body: new URLSearchParams({ action: 'on_file' }),
    redirect: 'manual',
  })
}

/** Waits until the import is finished. */
export async function importLines(rest: RestClient, lines: Iterable<string>): Promise<void> {
  const { id } = (await rest.import({ body: new Blob([...lines]), headers: { prefer: 'respond-async' } }))
    .import
  for (;;) {
    const { state, entities, relations } = (await rest.getImport({ params: { id } })).import
    if (state === 'finished') {
      console.log(`${entities.created} entities, ${relations.created} relations`)
      return
    }
    if (state !== 'running') throw new Error(`The import is ${state}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * The lines of an import that takes a graph from `from` nodes to `to`: groups of a hundred, each around its first node.
 * With `mixed`, half of what is added joins the groups that are there.
 */
export function* communityLines(from: number, to: number, mixed = false): Generator<string, void> {
  let state = 42 + from
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const name = (index: number) => `Node ${index % to}`
  const groupOf = new Map<number, number>()
  for (let index = from; index < to; index++) {
    const joins = mixed && random(2) === 0
    const group = (joins ? random(from / groupSize) : Math.floor(index / groupSize)) * groupSize
    groupOf.set(index, group)
    const observations = Array.from({ length: random(3) }, (_, number) => `Fact ${number} of ${index}`)
    const type = types[(group / groupSize) % types.length]
    yield `${JSON.stringify({ type: 'entity', name: name(index), entityType: type, observations })}\n`
  }
  for (let turn = 0; turn < edgesPerNode * (to - from); turn++) {
    const index = from + (turn % (to - from))
    const group = groupOf.get(index)!
    const pick = random(pickMax)
    const end = pick === 0 ? random(to) : pick < 6 ? group : group + random(groupSize)
    yield `${JSON.stringify({ type: 'relation', from: name(index), to: name(end), relationType: `kind ${turn % 7}` })}\n`
  }
}
