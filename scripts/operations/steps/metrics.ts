import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documented, notRun, take } from '../declared.ts'
import { root } from '../documented.ts'
import { configure, here, type Place, shell } from '../place.ts'
import type { Unit } from '../unit.ts'

const scrape = documented('scrape_configs:')
const alerts = documented('deploy/prometheus/alerts.yml')
const token = 'token-of-the-operations-page'

notRun(
  'Grafana is not in Debian; metrics.test.ts holds that every metric that it shows exists',
  'deploy/grafana/dashboard.json',
)

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
  const answer = await fetch(`${unit.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  assert.match(text, /loci_backup_timestamp_seconds [1-9]/)
  await writeFile(join(place.home, 'metrics'), text)
  // Names that its client library for Node gives.
  await shell(place, "grep -v 'nodejs_active_.*_total' metrics | promtool check metrics")
  assert.equal((await fetch(`${unit.url}/metrics`)).status, 401)
}
