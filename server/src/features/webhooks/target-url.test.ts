import { expect, test } from 'vitest'
import { toTargetUrl } from './target-url.rules.ts'

test.each([
  ['https://example.com/hook?token=x', 'https://example.com/hook?token=x'],
  ['https://EXAMPLE.com', 'https://example.com/'],
  ['https://example.com:8443/#part', 'https://example.com:8443/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
])('takes %s', (url, normal) => expect(toTargetUrl(url, false)).toBe(normal))

test.each([
  'nonsense',
  '/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'http://example.com/',
  'https://user:secret@example.com/',
  'https://localhost/',
  'https://localhost./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[fd00::1]/',
])('refuses %s', (url) =>
  expect(() => toTargetUrl(url, false)).toThrow(expect.objectContaining({ code: 'webhook_url_refused' })),
)

test.each(['http://127.0.0.1:9999/hook', 'http://receiver.internal/', 'https://[::1]/'])(
  'takes %s where private addresses are allowed',
  (url) => expect(toTargetUrl(url, true)).toBe(url),
)
