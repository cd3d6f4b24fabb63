import { join } from 'node:path'
import { createRestClient, type RestClient, type RestOptions } from '@loci/client/rest'
import pino from 'pino'
import { checkAll } from '../src/features/checks/checks.service.ts'
import type { Config } from '../src/ground/config/config.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import { arrayOf } from './array-of.ts'
import { type Callers, type Round, rounds } from './killed-rounds.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const killAtStep = join(import.meta.dirname, 'kill-at-step.js')

/** `done`: for each kill, whether the operation was done. */
type Killed = { steps: number; done: boolean[]; wrong: string[] }

/**
 * Kills servers at steps of an operation of `rounds`; the next one looks at what the kill left. `choose` gets the number
 * of steps that the operation takes undisturbed, and returns at which to kill. A step beyond its end kills the server
 * once it has answered.
 */
export async function killAtSteps(
  config: Config,
  operation: string,
  choose: (steps: number) => readonly number[],
): Promise<Killed> {
  const wrong: string[] = []
  const done: boolean[] = []
  let server = await start(config)
  const toCallers = await openAccount(server, operation)
  const begin = (name: string) => rounds[operation]!(toCallers(server), name)
  const undisturbed = await begin('round 0.')
  const steps = (await run(undisturbed, toCallers, server, Number.MAX_SAFE_INTEGER))!
  const { stored: whole } = await undisturbed.settle(toCallers(server), true)
  for (const step of choose(steps)) {
    const round = await begin(`round ${step}.`)
    const wasAnswered = (await run(round, toCallers, server, step)) !== undefined
    await server.kill()
    for (const difference of await differences(config)) wrong.push(`step ${step}: ${difference}`)
    server = await start(config)
    try {
      const { isDone, stored } = await round.settle(toCallers(server), wasAnswered)
      if (stored !== whole) wrong.push(`step ${step}: ${stored}`)
      done.push(isDone)
    } catch (error) {
      wrong.push(`step ${step}: ${error}`)
    }
  }
  await server.stop()
  return { steps, done, wrong }
}

const start = (config: Config) => startServerProcess(config, { execArgv: ['--import', killAtStep] })

/** The number of steps that it took; undefined if the server was killed. */
async function run(
  round: Round,
  toCallers: ToCallers,
  server: ServerProcess,
  step: number,
): Promise<number | undefined> {
  let taken: number | undefined
  const armed = toCallers(server, {
    headers: () => ({ 'kill-at-step': String(step) }),
    fetch: async (...request) => {
      const response = await fetch(...request)
      taken = Number(response.headers.get('step'))
      return response
    },
  })
  await round.call(armed).catch((error) => {
    // What `fetch` throws if the connection ends.
    if (!(error instanceof TypeError)) throw error
  })
  return taken
}

type ToCallers = (server: ServerProcess, options?: Partial<RestOptions>) => Callers

/** A new account, which accepts by rule what its second agent proposes. */
async function openAccount({ url }: ServerProcess, operation: string): Promise<ToCallers> {
  const email = `${operation.replaceAll(/\W/g, '')}@example.com`
  const { token } = await createRestClient({ baseUrl: url }).register({
    body: { email, password: 'correct horse battery', firstName: 'K', lastName: 'K' },
  })
  const person = createRestClient({ baseUrl: url, token: () => token })
  const { apiKey } = await person.createKey({ body: { name: 'agent', writes: 'propose' } })
  const agent = createRestClient({ baseUrl: url, token: () => apiKey })
  if (operation === 'propose by a rule') await makeRules(person, agent)
  return ({ url: baseUrl }, options = {}) => ({
    person: createRestClient({ baseUrl, token: () => token, ...options }),
    agent: createRestClient({ baseUrl, token: () => apiKey, ...options }),
  })
}

async function makeRules(person: RestClient, agent: RestClient): Promise<void> {
  await agent.createEntity({ body: { name: 'First', type: 'machine' } })
  const [proposal] = (await person.listProposals()).proposals
  for (const type of ['machine', 'place'])
    await person.createAcceptRule({ body: { proposalId: proposal!.id, type } })
  await person.acceptProposal({ params: { id: proposal!.id }, body: {} })
}

async function differences(config: Config): Promise<string[]> {
  const ctx = await openContext(config, pino({ level: 'silent' }))
  const found = (await arrayOf(checkAll(ctx))).map(({ message }) => message)
  await closeContext(ctx)
  return found
}
