import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testConfig } from '../../../test/harness.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import type { Config } from '../../ground/config/config.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')

let config: Config
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ config, remove } = await testConfig('sqlite'))
})
afterEach(() => remove())

async function claim(): Promise<string> {
  const env = { ...process.env, LOCI_DATA_DIR: config.dataDir, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'claim'], { env })
  return stdout
}

test('claim prints the address of the running server, not of one that was killed', async () => {
  const first = await startServerProcess(config)
  expect(await claim()).toMatch(new RegExp(`^${first.url}/signup#claim=`))
  await first.kill()
  expect(await claim()).toMatch(/^http:\/\/127\.0\.0\.1:7400\/signup#claim=/)
  const second = await startServerProcess(config)
  expect(await claim()).toMatch(new RegExp(`^${second.url}/signup#claim=`))
  await second.stop()
  expect(await claim()).toMatch(/^http:\/\/127\.0\.0\.1:7400\//)
})
