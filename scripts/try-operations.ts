// Does what docs/install.md, docs/operations.md and the pages beside them say, in an operator's order, in an empty home:
// every block, command and file of them, or a reason why not. `npm run test:operations`. Needs Linux, and Debian's
// packages nginx, caddy, haproxy, openssl, systemd, unzip, prometheus and age.
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { countRun, listForgotten, listNotRun, listUnknown } from './operations/declared.ts'
import { configure, makePlace } from './operations/place.ts'
import { makeAuthority, startNginx } from './operations/proxies.ts'
import { backUp, exportAll } from './operations/steps/backups.ts'
import { renderChart } from './operations/steps/chart.ts'
import { startClone } from './operations/steps/clone.ts'
import { helpOfAll, runBeside } from './operations/steps/commands.ts'
import { restartContainers } from './operations/steps/compose.ts'
import { tryDashboard } from './operations/steps/dashboard.ts'
import { install, quickNpm } from './operations/steps/install.ts'
import { measure } from './operations/steps/metrics.ts'
import { closeSignUp, deleteAccount, sendMail } from './operations/steps/people.ts'
import { checkProxy, proxies, setPublicAddress, signUp } from './operations/steps/public-address.ts'
import { rotateSecret } from './operations/steps/secrets.ts'
import { moveToPostgres, restartBehind, startTwo } from './operations/steps/several-processes.ts'
import { upgrade } from './operations/steps/upgrade.ts'
import { startUnit } from './operations/unit.ts'

/** `--render` only renders the chart anew. */
const { values, positionals } = parseArgs({
  options: { render: { type: 'boolean', default: false } },
  allowPositionals: true,
})
/** Of each process behind each proxy. */
const rounds = Number(positionals[0] ?? 1)
const begun = performance.now()
const place = await makePlace()

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now()
  const result = await work()
  console.log(`${((performance.now() - from) / 1_000).toFixed(1).padStart(6)} s  ${title}`)
  return result
}

if (values.render) {
  await renderChart(place, true)
  await place.remove()
  process.exit()
}

try {
  const authority = await step('a local authority', () => makeAuthority(place))
  await step('install from the packed tarball; units verified', () => install(place))
  await configure(place, { NODE_EXTRA_CA_CERTS: authority, LOCI_BURST_LIMIT: 'off' })
  await setPublicAddress(place)
  const unit = await startUnit(place)
  let guest: Awaited<ReturnType<typeof signUp>> | undefined
  for (const start of proxies) {
    const proxy = await start(place, false)
    guest ??= await step('first account', () => signUp(place))
    await step(`behind ${proxy.version}`, () => checkProxy(place, guest!, proxy))
    await proxy.stop()
  }
  const { apiKey } = guest!
  const front = await startNginx(place, false)
  await step('sign-up closed, people made by command', () => closeSignUp(place, unit))
  await step('mail', () => sendMail(place, unit))
  await step('commands beside the server', () => runBeside(place))
  await step('backup, restored elsewhere', () => backUp(place))
  await step('exports, and a vault read back', () => exportAll(place))
  await step('another secret', () => rotateSecret(place, unit, apiKey))
  await step('metrics', () => measure(place, unit))
  await step('the dashboard', () => tryDashboard(place, apiKey))
  await front.stop()
  await unit.stop()
  await step('the chart', () => renderChart(place, false))
  await step('every command has its help', () => helpOfAll(place))
  await step('upgrade of an old database', () => upgrade(place))
  const url = await step('move to PostgreSQL', () => moveToPostgres(place))
  const contained = await step('restarts of two containers, as processes', () =>
    restartContainers(place, url, apiKey, rounds),
  )
  const servers = await startTwo(place)
  const processes = await step('restarts of two processes', () =>
    restartBehind(place, servers, apiKey, rounds),
  )
  const restarts = [contained, ...processes]
  console.table(restarts, [
    'proxy',
    'restarts',
    'calls',
    'failed',
    'longestMs',
    'stored',
    'sockets',
    'missed',
  ])
  for (const { failed, missed, reasons } of restarts) assert.deepEqual([failed, missed, reasons], [0, 0, []])
  await step('deletion of an account', () => deleteAccount(place, url))
  for (const server of servers) await server.stop()
  await step('a clone', async () => startClone(place, await quickNpm()))
} finally {
  await place.remove()
}
for (const { beginning, reason } of listNotRun()) console.log(`not run: ${beginning.trim()} (${reason})`)
console.log(`${countRun()} texts run in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
assert.deepEqual([listForgotten(), listUnknown()], [[], []])
