import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../server/test/free-port.ts'
import { documented, take } from '../declared.ts'
import { root } from '../documented.ts'
import { type Place, publicUrl, shell } from '../place.ts'
import { withTraffic } from '../traffic.ts'
import { end } from '../unit.ts'
import { quickNpm } from './install.ts'

const dashboard = documented('deploy/grafana/dashboard.json')
/** Grafana's own types of a dashboard; not a dependency. Grafana itself is neither in Debian nor on npm. */
const schema = '@grafana/schema@13.2.3'
/** Often enough that a rate over the interval of {@link rateInterval} is known soon. */
const scrapeInterval = '1s'
const rateInterval = '5s'
const patienceMs = 60_000

type Panel = { title: string; targets: { expr: string }[] }

/**
 * The dashboard has the shape that Grafana gives one, and no other field; each of its panels shows something when its
 * queries are sent to a Prometheus that runs with the configuration in the home, while the server is called.
 */
export async function tryDashboard(place: Place, apiKey: string): Promise<void> {
  const text = await readFile(join(root, take(dashboard)), 'utf8')
  await requireShape(place, text)
  const { panels } = JSON.parse(text) as { panels: Panel[] }
  const prometheus = await startPrometheus(place)
  const counts = await withTraffic(publicUrl(place), apiKey, async () => {
    await prometheus.answerAll(panels)
  })
  assert.equal(counts.failed, 0)
  await prometheus.stop()
}

async function requireShape(place: Place, text: string): Promise<void> {
  const folder = join(place.home, 'grafana')
  await shell(place, `npm install --loglevel error --no-save --prefix ${folder} ${schema}`, await quickNpm())
  const file = `import type { Dashboard } from '@grafana/schema'\nexport const dashboard: Dashboard = ${text}`
  await writeFile(join(folder, 'dashboard.mts'), file)
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target esnext --types ""'
  await shell(place, `cd ${folder} && ${join(root, 'node_modules/.bin/tsc')} ${options} dashboard.mts`)
}

/** Prometheus with the scrape configuration and the alert rules of the pages. */
async function startPrometheus(place: Place) {
  const file = join(place.home, 'often.yml')
  const global = `global: { scrape_interval: ${scrapeInterval}, evaluation_interval: ${scrapeInterval} }\n`
  await writeFile(file, global + (await readFile(join(place.home, 'prometheus.yml'), 'utf8')))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(place.home, 'tsdb')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const stop = () => end(child)
  place.onRemove(stop)
  const ask = async (path: string) => {
    const answer = await fetch(`http://${address}${path}`)
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`)
    return ((await answer.json()) as { data: Answer }).data
  }
  const shows = async (expr: string) => {
    const query = encodeURIComponent(expr.replaceAll('$__rate_interval', rateInterval))
    return (await ask(`/api/v1/query?query=${query}`)).result.some(({ value: [, value] }) => value !== 'NaN')
  }
  return {
    stop,
    /** Throws unless each panel shows something soon, and each rule was evaluated. */
    async answerAll(panels: readonly Panel[]): Promise<void> {
      let empty = panels
      for (const deadline = Date.now() + patienceMs; empty.length > 0 && Date.now() < deadline; ) {
        await sleep(500)
        empty = await stillEmpty(empty, shows).catch(whileItStarts(empty))
      }
      assert.deepEqual(
        empty.map(({ title }) => title),
        [],
      )
      const rules = (await ask('/api/v1/rules')).groups.flatMap((group) => group.rules)
      assert.ok(rules.length > 10)
      assert.deepEqual(
        rules.filter(({ health }) => health !== 'ok').map(({ name, health }) => `${name}: ${health}`),
        [],
      )
    },
  }
}

type Answer = {
  result: { value: [number, string] }[]
  groups: { rules: { name: string; health: string }[] }[]
}

/** Nobody listens yet. */
const whileItStarts = (empty: readonly Panel[]) => (error: unknown) => {
  if (error instanceof TypeError) return empty
  throw error
}

async function stillEmpty(panels: readonly Panel[], shows: (expr: string) => Promise<boolean>) {
  const isShown = await Promise.all(
    panels.map(async ({ targets }) =>
      (await Promise.all(targets.map(({ expr }) => shows(expr)))).some(Boolean),
    ),
  )
  return panels.filter((_, index) => !isShown[index])
}
