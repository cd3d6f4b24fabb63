// How long a reviewer waits for the inbox: 100 proposals of two agents, each accepted or rejected by its key as soon
// as it is shown in focus, and whether what was decided is what had the focus.
//   npm run bench:reviewer     (after npm run build --workspace web)
import { createRestClient, type RestClient } from '@loci/client/rest'
import { launchChromium } from '../e2e/chromium.ts'
import { decidedIds, proposeFacts, reviewInbox } from '../e2e/review-inbox.ts'
import { startServer } from '../e2e/server.ts'
import { print, quantile } from './lib/report.ts'

const decisions = 100
const password = 'Correct-horse-7'
const server = await startServer({ LOCI_BILLING: 'off' })
const browser = await launchChromium()
try {
  const person = { email: 'ada@example.org', password, firstName: 'Ada', lastName: 'Lovelace' }
  const { token } = await createRestClient({ baseUrl: server.url }).register({ body: person })
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  await seed(rest)
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token)
  const page = await context.newPage()
  await page.goto(`${server.url}/inbox`)
  await page.locator('[data-proposal][data-focus]').waitFor()
  const began = performance.now()
  const { accepted, rejected, ms } = await reviewInbox(page, decisions)
  const seconds = (performance.now() - began) / 1_000
  // Rejections are sent when the time for Undo is over, or when the page is left.
  await page.goto(`${server.url}/dashboard`)
  for (let tries = 0; tries < 100 && (await rest.listProposals()).open > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 300))
  const mistakes = [
    ...differences(accepted, await decidedIds(rest, 'accepted')),
    ...differences(rejected, await decidedIds(rest, 'rejected')),
  ]
  print('A scripted reviewer', [
    {
      decisions,
      'seconds in all': seconds.toFixed(1),
      'ms a decision, median': quantile(ms, 0.5).toFixed(0),
      '95th percentile': quantile(ms, 0.95).toFixed(0),
      longest: Math.max(...ms).toFixed(0),
      mistakes: mistakes.length,
    },
  ])
  for (const id of mistakes) console.log(`Decided otherwise: ${id}`)
} finally {
  await browser.close()
  await server.stop()
}

async function seed(rest: RestClient): Promise<void> {
  const subjects: string[] = []
  for (const name of ['Toll', 'Loom', 'Engine', 'Harbour']) {
    const observations = [`${name} is known already`, 'Fact 3 was worth keeping']
    const { entity } = await rest.createEntity({ body: { name, type: 'project', observations } })
    subjects.push(entity.id)
  }
  for (const name of ['codex', 'cursor']) {
    const { apiKey } = await rest.createKey({ body: { name, writes: 'propose' } })
    const agent = createRestClient({ baseUrl: server.url, token: () => apiKey })
    await proposeFacts(agent, { count: decisions / 2, subjects, from: name })
  }
}

function differences(one: readonly string[], other: readonly string[]): string[] {
  const [first, second] = [new Set(one), new Set(other)]
  return [...first.symmetricDifference(second)]
}
