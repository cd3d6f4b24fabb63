import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'

let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loci-manners-'))
  for (const name of ['ada', 'bob']) await loci('user', 'create', `${name}@example.com`)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const place = () => ({ env: { LOCI_DATA_DIR: dir, DATABASE_URL: '' } })
const loci = (...args: string[]) => runLoci(args, place())
const inProcess = (...args: string[]) => runLociInProcess(args, place())

test.each([
  ['frobnicate', 'There is no command \'frobnicate\'. Run "npm exec loci -- --help" for help.'],
  ['exprot', 'There is no command \'exprot\'. Did you mean export? Run "npm exec loci -- --help" for help.'],
  ['import', 'Missing required argument \'path\'. Run "npm exec loci -- import --help" for help.'],
  ['export --fromat x', "Unknown option '--fromat'. Did you mean --format?"],
  ['user create ada@example.com --password x', "Unknown option '--password'. "],
  ['user create', 'Missing required argument \'email\'. Run "npm exec loci -- user create --help" for help.'],
  ['key frob', "Unknown command 'frob'."],
  ['export', 'This database has several accounts. Say whose memory is meant with --account EMAIL.'],
  ['serve --port 70000', 'PORT must be at most 65535'],
  ['serve --host http://0.0.0.0', 'HOST must be a name or an address of this machine, without a port'],
])('loci %s says what is wrong in a sentence', async (line, sentence) => {
  // By the program itself where it would serve, and once beside.
  const run = line === 'frobnicate' || line.startsWith('serve') ? loci : inProcess
  const { code, stdout, stderr } = await run(...line.split(' '))
  expect(stderr).toContain(sentence)
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
})

test('the help of serve names its options and every variable', async () => {
  const { code, stdout } = await loci('serve', '--help')
  expect(code).toBe(0)
  for (const word of [
    '--port',
    '--host',
    '--data-dir',
    'LOCI_BILLING',
    'STRIPE_SECRET_KEY',
    'LOCI_SIGN_UP',
    'LOCI_SESSION_NETWORKS',
  ]) {
    expect(stdout).toContain(word)
  }
})

test('options take precedence over the environment on either side of the command', async () => {
  const other = join(dir, 'other')
  for (const args of [
    ['--data-dir', other, 'user', 'list'],
    ['user', 'list', '--data-dir', other],
  ]) {
    expect((await loci(...args)).stdout).not.toContain('ada@example.com')
  }
  expect((await loci('user', 'list')).stdout).toContain('ada@example.com')
})
