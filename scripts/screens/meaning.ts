import type { Page } from 'playwright-core'
import { answers, type Screen } from './screen.ts'

export const embeddings = {
  state: 'catching_up',
  model: 'nomic-embed-text',
  dimensions: 768,
  embedded: 812,
  waiting: 431,
  failure: null,
}

/** Semantic search, as seen by the owner of a self-hosted server. */
export function meaningScreens(): Screen[] {
  const off = { state: 'off', model: null, dimensions: null, embedded: 0, waiting: 0, failure: null }
  const nothing = { isOffered: true, isFixed: false, chosen: null, installation: null }
  const local = { provider: 'local', model: 'bge-small-en-v1.5', url: null, hasKey: false }
  const installation = { model: local.model, step: 'model', bytesDone: 12e6, bytes: 34.7e6, failure: null }
  const failure = 'The disk of /var/lib/loci/embeddings has 31 MB left, and 450 MB are needed.'
  const states: [string, object, object, ((page: Page) => Promise<void>)?][] = [
    ['off', off, nothing],
    ['server', off, nothing, (page) => page.getByText('OpenAI API', { exact: true }).click()],
    ['fetching', off, { ...nothing, installation }],
    ['installing', off, { ...nothing, installation: { ...installation, step: 'runtime' } }],
    ['failed', off, { ...nothing, installation: { ...installation, failure } }],
    ['on', { ...embeddings, model: local.model }, { ...nothing, chosen: local }],
  ]
  return states.map(([name, status, choice, act]) => ({
    name: `settings-meaning-${name}`,
    path: '/settings#meaning',
    who: 'demo',
    route: async (page) => {
      await answers('**/api/embeddings', status)(page)
      await answers('**/api/embeddings/choice', choice)(page)
    },
    ...(act && { act }),
  }))
}
