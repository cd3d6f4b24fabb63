import { createRestClient, type RestClient } from '@loci/client/rest'

/** The owner of the kept data. */
export const keptPerson = {
  email: 'kept@example.com',
  password: 'kept since the first layout',
  firstName: 'Kim',
  lastName: 'Kept',
}

/** Fills an empty server with some of everything: a graph with a history, an API key, a card and a plan on trial. */
export async function fill(url: string): Promise<void> {
  const { token } = await createRestClient({ baseUrl: url }).register({ body: keptPerson })
  const rest = createRestClient({ baseUrl: url, token: () => token })
  await fillGraph(rest)
  await rest.createKey({ body: { name: 'agent', permissions: [] } })
  const { clientSecret } = await rest.createSetupIntent({ body: {} })
  const card = { number: '4242 4242 4242 4242', expMonth: 12, expYear: 2090, cvc: '123' }
  await rest.confirmTestCard({ body: { ...card, clientSecret } })
  const { url: checkout } = await rest.createCheckout({
    body: {
      priceId: 'price_sandbox_starter',
      successUrl: `${url}/dashboard?success=true`,
      cancelUrl: `${url}/billing?canceled=true`,
    },
  })
  const paying = { method: 'POST', body: new URLSearchParams({ action: 'on_file' }) }
  const { status } = await fetch(checkout, { ...paying, redirect: 'manual' })
  if (status !== 303) throw new Error(`The checkout returned ${status}`)
}

async function fillGraph(rest: RestClient): Promise<void> {
  const create = async (name: string, type: string, observations: string[], metadata = {}) =>
    (await rest.createEntity({ body: { name, type, observations, metadata } })).entity
  const ada = await create('Ada Lovelace', 'person', ['Wrote the first program', 'Born on 10 December 1815'])
  const engine = await create('Analytical Engine', 'machine', ['Was never finished'], { parts: 25_000 })
  const charles = await create('Charles Babbage', 'person', ['Designed the engine'])
  const twin = await create('C. Babbage', 'person', ['Held the Lucasian chair'])
  const gone = await create('Difference Engine', 'machine', ['Was built in 1991'])
  const long = 'The mill does the arithmetic and the store keeps the numbers. '.repeat(60)
  await create('Notes — 詳細 🧮', 'document', [long, 'Übersetzung aus dem Französischen'])
  const relate = (from: { id: string }, to: { id: string }, type: string) =>
    rest.createRelation({ body: { fromEntityId: from.id, toEntityId: to.id, type } })
  await relate(ada, engine, 'wrote_for')
  const { relation } = await relate(charles, engine, 'drew')
  await relate(twin, ada, 'corresponded_with')
  await relate(gone, charles, 'designed_by')
  await rest.updateRelation({ params: { id: relation.id }, body: { type: 'designed' } })
  const [first] = ada.observations!
  await rest.updateObservation({
    params: { id: ada.id, observationId: first!.id },
    body: { content: 'Wrote the first published program', metadata: { source: 'Menabrea' } },
  })
  await rest.updateEntity({
    params: { id: engine.id },
    body: { name: 'The Analytical Engine', type: 'machine', observations: ['Was designed in 1837'] },
  })
  await rest.mergeEntity({ params: { id: twin.id }, body: { into: charles.id } })
  await rest.deleteEntity({ params: { id: gone.id } })
  const { changes } = await rest.listChanges({ query: { limit: '1' } })
  await rest.undoChangeSet({ params: { setId: changes[0]!.setId } })
  await rest.deleteEntity({ params: { id: gone.id } })
}
