import { SearchBody } from '@loci/contract/search'
import { z } from 'zod'
import { search } from '../../../../features/search/search.service.ts'
import { estimateTokens } from '../../../../ground/lib/tokens.ts'
import { keepRecall } from '../../../../tenancy/usage/keep-recall.ts'
import { defineTool, reads } from '../../tool.ts'
import { limitedQuery } from '../shapes.ts'
import { pageOf } from './page-of.ts'

const resultsMax = 10

/**
 * With the name and form that ChatGPT requires of a search (developers.openai.com/apps-sdk, company
 * knowledge).
 */
export const searchTool = defineTool({
  name: 'search',
  title: 'Search memory',
  description:
    'Find entities of the memory by a question or words. Answers their ids; open one with `fetch` to read what is ' +
    'remembered about it.',
  input: z.object({ query: limitedQuery.describe('The question, or words to look for') }),
  output: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })).describe('Best first'),
  }),
  annotations: reads,
  right: 'memory:read',
  operation: 'query',
  async run(ctx, actor, { query }) {
    const startedAt = performance.now()
    const found = await search(ctx, actor, SearchBody.parse({ query, limit: resultsMax, expand: true }))
    const results = found.results.map(({ entity }) => ({
      id: entity.id,
      title: entity.name,
      url: pageOf(ctx, actor, entity.id),
    }))
    keepRecall(ctx, actor, {
      ...{ question: query, understood: {}, told: [], missed: [], maxTokens: 0 },
      entities: found.results.map(({ entity }) => entity.id),
      tokens: estimateTokens(JSON.stringify(results)),
      ms: performance.now() - startedAt,
    })
    return { structured: { results } }
  },
})
