import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../ground/errors/app-error.ts'
import { baseUrlOf, isOwnAddress } from '../../tenancy/base-url.ts'
import { accountNamedIn, spaceNamedIn } from './credentials.ts'
import { toRawAnswer } from './raw-answer.ts'
import { trustProxyOption } from './trusted-proxies.ts'

describe('the space that a request names', () => {
  const header = (text: string) => ({ 'loci-space': text })
  const asNodeReads = (text: string) => Buffer.from(text).toString('latin1')

  test.each([
    ['a header', header('work'), {}, 'work'],
    ['a header before a query', header('work'), { space: 'home' }, 'work'],
    ['a query', {}, { space: 'home' }, 'home'],
    ['an empty header', header(''), { space: 'home' }, 'home'],
    ['UTF-8 in a header', header(asNodeReads('größe 大')), {}, 'größe 大'],
    ['Latin-1 in a header', header('gr\u00f6\u00dfe'), {}, 'größe'],
    ['percent encoding', header('gr%C3%B6%C3%9Fe'), {}, 'größe'],
    ['a percent sign', header('100% mine'), {}, '100% mine'],
    ['nothing', {}, {}, undefined],
    ['an empty query', {}, { space: '' }, undefined],
    ['an object', {}, { space: { a: 1 } }, undefined],
    ['no query at all', {}, undefined, undefined],
  ])('in %s', (_, headers, query, space) => {
    expect(spaceNamedIn({ headers, query })).toBe(space)
  })

  test('is not its account', () => {
    expect(accountNamedIn({ headers: header('work'), query: { account: 'acc_1' } })).toBe('acc_1')
  })
})

describe('the address of the server', () => {
  const request = { protocol: 'http', host: 'loci.local:8080' } as FastifyRequest

  test('is the configured one, or the one that the caller used', () => {
    expect(baseUrlOf({ publicUrl: 'https://loci.example' }, request)).toBe('https://loci.example')
    expect(baseUrlOf({ publicUrl: undefined }, request)).toBe('http://loci.local:8080')
  })

  test.each([
    ['http://loci.local:8080/x', true],
    ['https://loci.local:8080', true],
    ['https://loci.example/settings', true],
    ['https://loci.local', false],
    ['https://loci.example.evil.com', false],
    ['https://evil.com/?loci.example', false],
    ['https://user@evil.com', false],
    ['javascript://loci.example/%0aalert(1)', false],
    ['ftp://loci.example', false],
    ['/settings', false],
    ['', false],
  ])('%j is its own: %s', (address, isOwn) => {
    expect(isOwnAddress({ publicUrl: 'https://loci.example' }, request, address)).toBe(isOwn)
  })
})

test('a number of proxies means that many hops', () => {
  const trusts = trustProxyOption(2) as (address: string, hop: number) => boolean
  expect([0, 1, 2, 3].map((hop) => trusts('203.0.113.7', hop))).toEqual([true, true, false, false])
  expect(trustProxyOption(['10.0.0.0/8'])).toEqual(['10.0.0.0/8'])
  expect(trustProxyOption(false)).toBe(false)
})

describe('a refusal on a bare socket', () => {
  const partsOf = (answer: string) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const [status = '', ...lines] = head.split('\r\n')
    return { status, headers: Object.fromEntries(lines.map((line) => line.split(': '))), body }
  }

  test('is complete HTTP with the length of its body in bytes', () => {
    const { status, headers, body } = partsOf(toRawAnswer(new AppError('not_found', 'Nichts für größe')))
    expect(status.trim()).toBe('HTTP/1.1 404')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    expect(headers).not.toHaveProperty('www-authenticate')
    expect(JSON.parse(body).error).toMatchObject({ code: 'not_found', message: 'Nichts für größe' })
  })

  test('asks for credentials, and names an error only if some were sent', () => {
    const error = new AppError('not_authenticated', 'No')
    expect(partsOf(toRawAnswer(error)).headers['www-authenticate']).toBe('Bearer realm="loci"')
    expect(partsOf(toRawAnswer(error, true)).headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('says when to retry', () => {
    const error = new AppError('shutting_down', 'Later', { retryAfter: 5 })
    expect(partsOf(toRawAnswer(error)).headers['retry-after']).toBe('5')
  })
})
