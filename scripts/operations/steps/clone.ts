import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../server/test/free-port.ts'
import { run } from '../../pack/run.ts'
import { documented, notRun, take } from '../declared.ts'
import { root } from '../documented.ts'
import { cleanEnvironment, type Place, shell } from '../place.ts'
import { untilReady } from '../unit.ts'

const start = documented('npm start')
const inClone = ['connect', 'claim', 'import memory.jsonl', 'audit PATH', '<command> --help'].map((text) =>
  documented(`npm exec loci -- ${text}`),
)

notRun('needs GitHub and a registry', 'deploy/github/image.yml')
notRun('the whole test run', 'npm test')
notRun('goes on until it is stopped; for developers', 'npm run dev')
notRun('installs the site generator', 'npm run docs')
notRun('a benchmark', 'npm run bench:check')
notRun(
  'needs that agent; readme-example.test.ts and the tests of connect run their parts',
  'claude mcp add -s user --transport http loci http://127.0.0.1:7400/mcp --header "Authorization: Bearer KEY"',
)
notRun(
  'needs Docker, with Compose; the same processes are run without it',
  'docker build -t loci .',
  'docker run -p 127.0.0.1:7400:7400 -v loci:/data -e LOCI_PUBLIC_URL=http://localhost:7400 loci',
  'docker exec CONTAINER loci check',
  'docker compose build',
  'docker compose up --detach',
  'printf \'LOCI_SECRET=%s\\nPOSTGRES_PASSWORD=%s\\n\' "$(openssl rand -hex 32)" "$(openssl rand -hex 32)" > .env',
)
notRun(
  'needs a cluster; CITUS_DATABASE_URL=... npm run test:citus runs the tests on one',
  'create extension citus',
  "select citus_set_coordinator_host('HOST', 5432); select citus_add_node('WORKER', 5432);",
  'loci distribute',
  "select citus_add_node('WORKER', 5432); select citus_rebalance_start();",
  "select citus_drain_node('WORKER', 5432)",
  "select citus_remove_node('WORKER', 5432)",
  "select isolate_tenant_to_new_shard('accounts', NUMBER, 'CASCADE')",
  "alter role loci set lock_timeout = '10s'",
  'CITUS_DATABASE_URL=postgres://.../postgres npm run test:citus',
)

/** The README's first minute: a clone of what is committed, started, with the commands that it names. */
export async function startClone(place: Place, npm: Record<string, string>): Promise<void> {
  const folder = join(place.home, 'clone')
  await run('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${root}`, folder], place.home)
  const port = await freePort()
  const dataDir = join(place.home, '.loci')
  const env = { ...cleanEnvironment(place), ...npm, PORT: String(port), LOCI_LOG_LEVEL: 'silent' }
  const child = spawn('bash', ['-c', `exec ${take(start).trim()}`], {
    ...{ cwd: folder, env, detached: true },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  place.onRemove(() => endGroup(child))
  await untilReady(`http://127.0.0.1:${port}`, installMs)
  const entity = { type: 'entity', name: 'Vienna', entityType: 'city', observations: ['On the Danube'] }
  await writeFile(join(folder, 'memory.jsonl'), `${JSON.stringify(entity)}\n`)
  const [connect, claim, load, audit, help] = inClone.map(take)
  const said = await shell(
    place,
    `cd ${folder}; ${claim}; ${load}; ${audit!.replace('PATH', 'memory.jsonl')}; ${help!.replace('<command>', 'export')}
    ${connect} < /dev/null || [ $? = 1 ]`,
    { ...env, LOCI_DATA_DIR: dataDir },
  )
  assert.match(said, new RegExp(`http://127.0.0.1:${port}/\\S*claim`))
  assert.match(said, /entities +1 new/)
}

/** The server writes its compile cache while it ends. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid!, 'SIGTERM')
  await once(child, 'exit')
}

const installMs = 6 * 60_000
