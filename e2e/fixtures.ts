import { randomUUID } from 'node:crypto'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { test as base, expect, type Page } from '@playwright/test'
import { startPostgres, testSecret } from '../server/test/postgres.ts'
import { type RunningServer, startServer } from './server.ts'

/** A person with their own account. */
export type Person = {
  email: string
  password: string
  token: string
  apiKey: string
  url: string
  rest: RestClient
}

export type WorkerOptions = {
  /** The database of the test server. */
  database: 'sqlite' | 'postgres'
}
type WorkerFixtures = WorkerOptions & {
  /** Further environment variables of the test server. */
  environment: Record<string, string>
  server: Pick<RunningServer, 'url' | 'run'>
  serverUrl: string
  newPerson: () => Promise<Person>
}
type TestFixtures = {
  /** A person with an empty memory, signed in on `page`. */
  person: Person
}

export const password = 'Correct-horse-7'

/** Starts the trial of a paid plan for the person, through the hosted checkout. */
export async function subscribe({ rest, url: home }: Person, planId: string) {
  const { plans } = await rest.listPlans()
  const priceId = plans.find(({ id }) => id === planId)!.priceId!
  const returns = { successUrl: `${home}/`, cancelUrl: `${home}/` }
  const { url } = await rest.createCheckout({ body: { priceId, ...returns } })
  const body = new URLSearchParams({ action: 'on_file' })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(answer.status).toBe(303)
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ['sqlite', { scope: 'worker', option: true }],
  environment: [{}, { scope: 'worker' }],
  server: [
    async ({ database, environment }, use) => {
      const running = process.env.LOCI_E2E_URL
      if (running)
        return use({
          url: running,
          run: async () => {
            test.skip(true, 'Not on this machine')
            return ''
          },
        })
      const postgres = database === 'postgres' ? await startPostgres() : undefined
      const server = await startServer({
        LOCI_PASSWORD: password,
        ...environment,
        ...(postgres && { DATABASE_URL: postgres.url, LOCI_SECRET: testSecret }),
      })
      await use(server)
      await server.stop()
      await postgres?.stop()
    },
    { scope: 'worker' },
  ],
  serverUrl: [({ server }, use) => use(server.url), { scope: 'worker' }],
  newPerson: [
    async ({ serverUrl }, use) => {
      await use(async () => {
        const email = `${randomUUID()}@example.com`
        const anonymous = createRestClient({ baseUrl: serverUrl })
        const { token, user } = await anonymous.register({
          body: { email, password, firstName: 'Ada', lastName: 'Lovelace' },
        })
        const rest = createRestClient({ baseUrl: serverUrl, token: () => token })
        return { email, password, token, apiKey: user.apiKey!, url: serverUrl, rest }
      })
    },
    { scope: 'worker' },
  ],
  baseURL: ({ serverUrl }, use) => use(serverUrl),
  person: async ({ newPerson, page }, use) => {
    const person = await newPerson()
    await signIn(page, person.token)
    await use(person)
  },
})

/** Signs in pages opened from now on; only once, since a token that the page removes must stay removed. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('seeded')) return
    sessionStorage.setItem('seeded', 'yes')
    localStorage.setItem('auth_token', stored)
  }, token)
}

export { expect }
