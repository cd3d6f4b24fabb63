import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DialectName, testConfig } from '../../../test/harness.ts'
import { type ServerProcess, startServerProcess } from '../../../test/server-process.ts'
import type { Config } from '../../ground/config/config.ts'
import { closeContext, openContext } from '../../open-context.ts'
import { checkAll } from '../checks/checks.service.ts'

const rounds = 2
const atOnce = 4

describe.each<DialectName>(['sqlite', 'postgres'])('proposals on a server that is killed (%s)', (dialect) => {
  let config: Config
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ config, remove } = await testConfig(dialect))
  })
  afterAll(() => remove?.())

  const clientOf = ({ url }: ServerProcess, token: string) =>
    createRestClient({ baseUrl: url, token: () => token })

  test('are there if they were acknowledged, and are decided as a whole or not at all', async () => {
    let server = await startServerProcess(config)
    const anonymous = createRestClient({ baseUrl: server.url })
    const { token } = await anonymous.register({
      body: { email: 'k@example.com', password: 'correct horse battery', firstName: 'K', lastName: 'K' },
    })
    const { apiKey } = await clientOf(server, token).createKey({ body: { name: 'k', writes: 'propose' } })
    const proposed = new Set<string>()
    const accepted = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const [agent, person] = [clientOf(server, apiKey), clientOf(server, token)]
      let isOver = false
      const work = Array.from({ length: atOnce }, async (_, writer) => {
        for (let i = 0; !isOver; i += 1) {
          const name = `r${round} w${writer} ${i}`
          const created = await agent.createEntity({
            body: { name, type: 't', observations: [`${name} is`] },
          })
          proposed.add(String((created as { proposalId?: string }).proposalId))
          const { proposals } = await person.listProposals({ query: { limit: '1' } })
          for (const { id } of proposals) {
            await person.acceptProposal({ params: { id }, body: {} })
            accepted.add(id)
          }
        }
      }).map((running) => running.catch(() => {}))
      const enough = accepted.size + 5
      for (const end = Date.now() + 60_000; accepted.size < enough && Date.now() < end; ) await sleep(2)
      await server.kill()
      isOver = true
      await Promise.all(work)
      server = await startServerProcess(config)
    }
    const rest = clientOf(server, token)
    const statusOf = new Map<string, string>()
    let setsTold = 0
    for (const status of ['open', 'accepted'] as const) {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await rest.listProposals({ query: { status, limit: '100', ...(cursor && { cursor }) } })
        for (const { id, setId } of page.proposals) {
          statusOf.set(id, status)
          if (setId !== undefined) setsTold += 1
        }
        cursor = page.nextCursor
      }
    }
    for (const id of proposed) expect([id, statusOf.has(id)]).toEqual([id, true])
    for (const id of accepted) expect([id, statusOf.get(id)]).toEqual([id, 'accepted'])
    const inForce = [...statusOf.values()].filter((status) => status === 'accepted').length
    expect([(await rest.listEntities()).total, setsTold]).toEqual([inForce, inForce])
    await server.stop()
    const ctx = await openContext(config, pino({ level: 'silent' }))
    const found: string[] = []
    for await (const { message } of checkAll(ctx)) found.push(message)
    await closeContext(ctx)
    expect(found).toEqual([])
  }, 180_000)
})
