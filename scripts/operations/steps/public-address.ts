import assert from 'node:assert/strict'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { documented, take } from '../declared.ts'
import { configure, here, type Place, publicUrl, shell } from '../place.ts'
import { type RunningProxy, startCaddy, startHaproxy, startNginx } from '../proxies.ts'
import { withTraffic } from '../traffic.ts'
import { unitEnvironment } from '../unit.ts'

const variables = documented('LOCI_PUBLIC_URL=https://loci.example.com')
const doctor = documented('loci doctor')

export const ada = {
  email: 'ada@example.com',
  password: 'engines weave algebra',
  firstName: 'A',
  lastName: 'L',
}

/** Puts the three variables of the page into the file of the unit. */
export async function setPublicAddress(place: Place): Promise<void> {
  const lines = here(place, take(variables)).trim().split('\n')
  await configure(place, Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string])))
}

export type Guest = { rest: RestClient; apiKey: string }

/** The first account, made through the proxy. */
export async function signUp(place: Place): Promise<Guest> {
  const baseUrl = publicUrl(place)
  const { token, user } = await createRestClient({ baseUrl }).register({ body: ada })
  // Under the load of the restarts a fast machine stores more than the free plan allows.
  await shell(place, `loci account set-plan ${ada.email} power-user`, await unitEnvironment(place))
  return { rest: createRestClient({ baseUrl, token: () => token }), apiKey: user.apiKey! }
}

export const proxies = [startNginx, startCaddy, startHaproxy]

/** Everything that the page says a proxy must let through. */
export async function checkProxy(
  place: Place,
  { rest, apiKey }: Guest,
  { name }: RunningProxy,
): Promise<void> {
  const counts = await withTraffic(publicUrl(place), apiKey, async () => {
    await importLarge(rest, name)
    await searchLong(rest)
  })
  assert.deepEqual([counts.failed, counts.missed, counts.reasons], [0, 0, []], `through ${name}`)
  assert.ok(counts.stored > 0)
  await examine(place)
}

/** Larger than nginx takes by default, and longer than it buffers. */
async function importLarge(rest: RestClient, name: string): Promise<void> {
  const lines = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({
      type: 'entity',
      name: `Through ${name} ${index}`,
      entityType: 'note',
      observations: [`${index} ${'word '.repeat(3_000)}`],
    }),
  )
  const { import: report } = await rest.import({ body: lines.join('\n') })
  assert.deepEqual([report.state, report.problems.total], ['finished', 0])
}

async function searchLong(rest: RestClient): Promise<void> {
  await rest.search({ query: { query: 'word '.repeat(1_500) } })
}

/** The doctor calls the public address as anybody would, and must find nothing wrong with it. */
async function examine(place: Place): Promise<void> {
  const said = await shell(place, `${take(doctor)} --json || true`, await unitEnvironment(place))
  const findings = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; state: string })
  for (const check of ['address', 'certificate', 'proxy'])
    assert.equal(findings.find((one) => one.check === check)?.state, 'ok', said)
}
