import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/149.0 Safari/537.36 Edg/149.0`,
    'Edge on Windows',
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/149.0 Safari/537.36`, 'Chrome on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/19.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/149.0 Safari/537.36`, 'Chrome on ChromeOS'],
  ['node', 'node'],
  ['curl/8.14.1', 'curl'],
  ['', 'Unknown device'],
])('%s is a computer: %s', (userAgent, name) => {
  expect(deviceOf(userAgent)).toEqual({ name, mobile: false })
})

test.each([
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} CriOS/149.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [`Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) ${webkit} Version/19.0 Safari/604.1`, 'Safari on iPad'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${webkit} SamsungBrowser/30.0 Chrome/140.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
])('%s is carried about: %s', (userAgent, name) => {
  expect(deviceOf(userAgent)).toEqual({ name, mobile: true })
})
