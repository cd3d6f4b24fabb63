import { expect, test } from 'vitest'
import { toReadableLine } from './readable-line.ts'

const time = Date.parse('2026-11-22T10:00:00Z')

test('a line begins with time, level and message, followed by its fields', () => {
  const line = {
    level: 30,
    time,
    pid: 1,
    hostname: 'h',
    reqId: 'req_1',
    caller: { kind: 'local' },
    msg: 'request',
  }
  expect(toReadableLine(JSON.stringify(line))).toMatch(
    /^\d\d:00:00 INFO {2}request reqId=req_1 caller=\{"kind":"local"\}\n$/,
  )
})

test('an error is followed by its stack', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at one' }
  expect(toReadableLine(JSON.stringify({ level: 50, time, err, msg: 'failed' }))).toMatch(
    /ERROR failed\n {4}Error: no\n {8}at one\n$/,
  )
})

test('control characters are shown, not obeyed', () => {
  const shown = toReadableLine(JSON.stringify({ level: 40, time, msg: 'a\u001b[2Jb\r\nc\u009b' }))
  expect(shown.trimEnd()).toMatch(/a\\u001b\[2Jb\\u000d\\u000ac\\u009b/)
  expect(shown.trimEnd()).not.toMatch(/\p{Cc}/u)
})

test('anything that is not JSON stays as it is', () => {
  expect(toReadableLine('plain\n')).toBe('plain\n')
})
