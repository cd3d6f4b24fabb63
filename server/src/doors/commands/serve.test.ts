import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, '../../../bin/loci.js')

test('a server whose port is taken says so and exits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-serve-'))
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const env = { ...process.env, PORT: String(port), LOCI_DATA_DIR: dataDir, DATABASE_URL: '' }
  const ended = promisify(execFile)(process.execPath, [main, 'serve'], { env, timeout: 60_000 })
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port}`) })
  other.close()
  rmSync(dataDir, { recursive: true })
})

test('the start is one line that says what runs, after one for each variable that is misspelt', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-serve-'))
  const env = {
    ...process.env,
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOCI_LOG_FORMAT: 'text',
    LOCI_SIGNUP: 'closed',
  }
  const server = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  for await (const piece of server.stderr) {
    log += piece
    if (log.includes('started')) break
  }
  expect(log).toMatch(
    /^\d\d:\d\d:\d\d INFO {2}started version=\S+ node=v\d\S+ database=sqlite billing=sandbox embedder=none signUp=open metrics=false traces=false listening=127\.0\.0\.1:\d+ address=http:\S+$/m,
  )
  expect(log).toContain('WARN  Loci has no variable LOCI_SIGNUP, so it has no effect')
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true })
})
