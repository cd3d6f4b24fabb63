import { type FactOfEntity, FactsResponse, type FileNow, VerifyResponse } from '@loci/contract/cited-files'
import { listLimitMax } from '@loci/contract/lists'
import { spaceHeader } from '@loci/contract/spaces'
import { z } from 'zod'
import { listCitedObservations, verifyObservations } from '../../features/cited-files/cited-files.service.ts'
import { type Config, ConfigError } from '../../ground/config/config.ts'
import { type AccountOption, onAccount } from './account-option.ts'

/** A memory whose facts cite files: on this machine, or behind the address in LOCI_URL. */
export type CitedFacts = {
  list: (repository: string) => Promise<FactOfEntity[]>
  verify: (repository: string, files: FileNow[]) => Promise<VerifyResponse>
}

type Page = { repository: string; limit: number; cursor?: string }

export async function withCitedFacts(
  { remoteUrl, apiKey }: Config,
  options: AccountOption,
  work: (memory: CitedFacts) => Promise<void>,
): Promise<void> {
  if (remoteUrl !== undefined) return work(behind(remoteUrl, apiKey, options.space))
  await onAccount(options, 'verify', async (ctx, actor) => {
    await work({
      list: (repository) => pagesOf(repository, (page) => listCitedObservations(ctx, actor, page)),
      verify: (repository, files) => verifyObservations(ctx, actor, { repository, files }),
    })
  })
}

async function pagesOf(
  repository: string,
  read: (page: Page) => Promise<FactsResponse>,
): Promise<FactOfEntity[]> {
  const facts: FactOfEntity[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read({ repository, limit: listLimitMax, ...(cursor && { cursor }) })
    facts.push(...page.observations)
    cursor = page.nextCursor
  }
  return facts
}

function behind(url: string, apiKey: string | undefined, space: string | undefined): CitedFacts {
  if (apiKey === undefined) throw new ConfigError('LOCI_URL is set, so LOCI_API_KEY must be set too.')
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(space === undefined ? {} : { [spaceHeader]: encodeURIComponent(space) }),
  }
  const call = async <S extends z.ZodType>(
    schema: S,
    path: string,
    init: RequestInit = {},
  ): Promise<z.output<S>> => {
    const answer = await fetch(`${url}/api/observations/${path}`, { headers, ...init }).catch((cause) => {
      throw new ConfigError(`${url} cannot be reached.`, { cause })
    })
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return schema.parse(body)
    const { data } = z.object({ error: z.object({ message: z.string() }) }).safeParse(body)
    throw new ConfigError(data?.error.message ?? `${url} answered with ${answer.status}.`)
  }
  return {
    list: (repository) =>
      pagesOf(repository, (page) =>
        call(FactsResponse, `cited?${new URLSearchParams({ ...page, limit: String(page.limit) })}`),
      ),
    verify: (repository, files) =>
      call(VerifyResponse, 'verify', { method: 'POST', body: JSON.stringify({ repository, files }) }),
  }
}
