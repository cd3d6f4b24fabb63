import { randomUUID } from 'node:crypto'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { test as base, expect } from '@playwright/test'
import { startServer } from './server.ts'

/** Somebody with an account of their own. */
export type Person = { email: string; password: string; token: string; apiKey: string; rest: RestClient }

type WorkerFixtures = { serverUrl: string; newPerson: () => Promise<Person> }
type TestFixtures = {
  /** A person with an empty memory, signed in in `page`. */
  person: Person
}

export const password = 'Correct-horse-7'

/** Puts the person on a paid plan, in its trial, by way of the hosted checkout. */
export async function subscribe({ rest }: Person, planId: string) {
  const { plans } = await rest.listPlans()
  const priceId = plans.find(({ id }) => id === planId)!.priceId!
  const returns = { successUrl: 'http://127.0.0.1/', cancelUrl: 'http://127.0.0.1/' }
  const { url } = await rest.createCheckout({ body: { priceId, ...returns } })
  const body = new URLSearchParams({ action: 'on_file' })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(answer.status).toBe(303)
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const running = process.env.LOCI_E2E_URL
      if (running) return use(running)
      const server = await startServer()
      await use(server.url)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  newPerson: [
    async ({ serverUrl }, use) => {
      await use(async () => {
        const email = `${randomUUID()}@example.com`
        const anonymous = createRestClient({ baseUrl: serverUrl })
        const { token, user } = await anonymous.register({
          body: { email, password, firstName: 'Ada', lastName: 'Lovelace' },
        })
        const rest = createRestClient({ baseUrl: serverUrl, token: () => token })
        return { email, password, token, apiKey: user.apiKey!, rest }
      })
    },
    { scope: 'worker' },
  ],
  baseURL: ({ serverUrl }, use) => use(serverUrl),
  person: async ({ newPerson, page }, use) => {
    const person = await newPerson()
    // Once: a token that the page removes must stay removed.
    await page.addInitScript((token) => {
      if (sessionStorage.getItem('seeded')) return
      sessionStorage.setItem('seeded', 'yes')
      localStorage.setItem('auth_token', token)
    }, person.token)
    await use(person)
  },
})

export { expect }
