import { keptPerson } from './fill.ts'

/** Requests to a kept database; each version must return what the first one returned. */
const addresses = [
  '/auth/me',
  '/api/entities?include=observations',
  '/api/entities?include=observations&asOf=12',
  '/api/entities/types',
  '/api/relations',
  '/api/relations?asOf=12',
  '/api/relations/graph/data',
  '/api/changes?limit=500',
  '/api/billing/subscription',
  '/api/billing/payment-methods',
  '/api/billing/invoices',
]

/** Names to find by a search, by query. */
const searches = {
  'who wrote the first program': 'Ada Lovelace',
  'Lucasian chair': 'Charles Babbage',
  'C. Babbage': 'Charles Babbage',
  詳細: 'Notes — 詳細 🧮',
}

/** Signs in, and returns the responses by address. */
export async function readAnswers(url: string): Promise<Record<string, unknown>> {
  const { email, password } = keptPerson
  const { token } = await call(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const headers = { authorization: `Bearer ${token}` }
  const answers: Record<string, unknown> = {}
  for (const address of addresses) answers[address] = await call(url + address, { headers })
  for (const [query, name] of Object.entries(searches)) {
    const { results } = await call(`${url}/api/search?query=${encodeURIComponent(query)}`, { headers })
    const found = results as { entity: { name: string } }[]
    if (found[0]?.entity.name !== name)
      throw new Error(`A search for ${query} found ${JSON.stringify(found[0])}`)
  }
  return answers
}

async function call(url: string, options: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, options)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}
