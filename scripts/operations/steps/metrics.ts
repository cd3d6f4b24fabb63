import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documented, take } from '../declared.ts'
import { root } from '../documented.ts'
import { configure, here, type Place, shell } from '../place.ts'
import type { Unit } from '../unit.ts'

const scrape = documented('scrape_configs:')
const alerts = documented('deploy/prometheus/alerts.yml')
const token = 'token-of-the-operations-page'

/** Prometheus' own tool reads the block, the rules and what the server answers. */
export async function measure(place: Place, unit: Unit): Promise<void> {
  await configure(place, { LOCI_METRICS_TOKEN: token })
  await unit.restart()
  await mkdir(join(place.root, 'etc/prometheus'), { recursive: true })
  await writeFile(join(place.root, 'etc/prometheus/loci-token'), token)
  const rules = join(root, take(alerts))
  await writeFile(
    join(place.home, 'prometheus.yml'),
    `${here(place, take(scrape))}rule_files: ['${rules}']\n`,
  )
  await shell(place, 'promtool check config prometheus.yml')
  const worlds = join(import.meta.dirname, '../alerts.yml')
  await shell(place, `promtool test rules ${worlds}`)
  const named = (text: string) => [...text.matchAll(/alert(?:name=|: )"?(\w+)/g)].map(([, name]) => name)
  const tried = new Set(named(await readFile(worlds, 'utf8')))
  assert.deepEqual(
    named(await readFile(rules, 'utf8')).filter((name) => !tried.has(name)),
    [],
  )
  const answer = await fetch(`${unit.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  assert.match(text, /loci_backup_timestamp_seconds [1-9]/)
  await writeFile(join(place.home, 'metrics'), text)
  // Names that its client library for Node gives.
  await shell(place, "grep -v 'nodejs_active_.*_total' metrics | promtool check metrics")
  assert.equal((await fetch(`${unit.url}/metrics`)).status, 401)
}
