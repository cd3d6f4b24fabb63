import { watchedFetch } from './reachability.ts'

/** Browsers let bodies of 64 KiB in all outlast a page, and some hundred requests. */
const charactersMax = 20_000
const requestsMax = 100

const inFlight = { characters: 0, requests: 0 }

/** `fetch` whose requests reach the server even if the page is left or reloaded meanwhile, as far as browsers let them. */
export const outlastingFetch: typeof fetch = async (address, init) => {
  const characters = typeof init?.body === 'string' ? init.body.length : 0
  const keepalive = inFlight.characters + characters <= charactersMax && inFlight.requests < requestsMax
  if (!keepalive) return watchedFetch(address, init)
  inFlight.characters += characters
  inFlight.requests += 1
  try {
    return await watchedFetch(address, { ...init, keepalive })
  } finally {
    inFlight.characters -= characters
    inFlight.requests -= 1
  }
}
