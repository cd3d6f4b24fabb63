import type { RestClient } from '@loci/client/rest'
import type { Page } from 'playwright-core'

export type Review = {
  /** Ids in the order in which they were decided on, each as it had the focus. */
  accepted: string[]
  rejected: string[]
  /** Milliseconds from the key to the next item in focus, rendered. */
  ms: number[]
}

/**
 * Decides on the open items of the inbox by keys, each as soon as it is shown in focus: accepts those whose text says
 * so, rejects the others.
 */
export async function reviewInbox(page: Page, count: number): Promise<Review> {
  const review: Review = { accepted: [], rejected: [], ms: [] }
  for (let decided = 0; decided < count; decided += 1) {
    const { id, text } = await page.locator('[data-proposal][data-focus]').evaluate((row) => ({
      id: row.getAttribute('data-proposal')!,
      // The proposed words come first; facts that are known already stand below.
      text: row.querySelector('[dir=auto]')!.textContent,
    }))
    const isGood = text.includes('worth keeping')
    review[isGood ? 'accepted' : 'rejected'].push(id)
    const began = performance.now()
    await page.keyboard.press(isGood ? 'a' : 'r')
    await page.waitForFunction((before) => {
      const focused = document.querySelector('[data-proposal][data-focus]')
      return focused?.getAttribute('data-proposal') !== before
    }, id)
    review.ms.push(performance.now() - began)
  }
  return review
}

/** The ids that the server says were decided on, once nothing is open any more; sorted. */
export async function decidedIds(rest: RestClient, status: 'accepted' | 'rejected'): Promise<string[]> {
  const { proposals } = await rest.listProposals({ query: { status, limit: '500' } })
  return proposals.map(({ id }) => id).sort()
}

/** Proposes facts of several entities, of which two in three are worth keeping. */
export async function proposeFacts(
  agent: RestClient,
  { count, subjects, from }: { count: number; subjects: readonly string[]; from: string },
): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const content = i % 3 === 2 ? `Rumour ${i} by ${from}` : `Fact ${i} by ${from} is worth keeping`
    await agent.createObservations({ params: { id: subjects[i % subjects.length]! }, body: { content } })
  }
}
