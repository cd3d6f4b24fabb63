import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { patience } from '../../../test/socket.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')
/** util-linux's `script` gives a program its own terminal; other versions take other options. */
const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'loci-prompt-'))
})
afterAll(() => rm(place, { recursive: true }))

/** Runs a command on a terminal and types each answer when its question appears; returns all output. */
async function converse(args: string, answers: readonly (readonly [string, string])[]) {
  const child = spawn('script', ['-qec', `"${process.execPath}" "${main}" ${args}`, '/dev/null'], {
    env: { ...process.env, LOCI_DATA_DIR: join(place, 'data') },
  })
  let shown = ''
  child.stdout.on('data', (data) => {
    shown += data
  })
  const closed = once(child, 'close')
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(shown).toContain(question), patience)
    child.stdin.write(answer)
  }
  const [code] = await closed
  return { code, shown }
}

describe.skipIf(!hasTerminals)('terminal prompts', () => {
  const secret = 'quite a long secret'

  test('do not echo passwords and passphrases', async () => {
    const user = await converse('user create ada@example.com --password-stdin', [
      ['Password: ', `${secret}\r`],
      ['Password again: ', `${secret}\r`],
    ])
    expect([user.code, user.shown]).toEqual([0, expect.stringContaining('Created ada@example.com')])
    expect(user.shown).not.toContain(secret)
    const file = join(place, 'backup')
    const backup = await converse(`backup "${file}" --encrypt`, [
      ['New passphrase: ', `${secret}\r`],
      ['New passphrase again: ', `${secret}\r`],
    ])
    expect([backup.code, backup.shown]).toEqual([0, expect.stringContaining('without the passphrase')])
    expect(backup.shown).not.toContain(secret)
  })

  test('refuse two different entries, and end with a sentence on Ctrl+C', async () => {
    const command = 'user create bea@example.com --password-stdin'
    const differing = await converse(command, [
      ['Password: ', `${secret}\r`],
      ['Password again: ', 'another\r'],
    ])
    expect([differing.code, differing.shown]).toEqual([
      1,
      expect.stringContaining('The two are not the same.'),
    ])
    const consent = await converse('user delete ada@example.com', [['to go on: ', 'no\r']])
    expect([consent.code, consent.shown]).toEqual([
      1,
      expect.stringMatching(/go on: .*no\s+Nothing was changed/s),
    ])
    const stopped = await converse(command, [['Password: ', '\u0003']])
    expect([stopped.code, stopped.shown]).toEqual([1, 'Password: \r\nNothing was changed.\r\n'])
  })
})
