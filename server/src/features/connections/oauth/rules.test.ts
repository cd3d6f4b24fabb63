import { expect, test } from 'vitest'
import { hostOfRedirect, isSafeRedirect } from './redirects.rules.ts'
import { resourceMetadataUrl, toResource } from './resources.rules.ts'

const issuer = 'https://loci.example'

test.each([
  ['https://loci.example/mcp', {}],
  ['https://loci.example/mcp/', {}],
  ['https://LOCI.example:443', {}],
  ['https://loci.example/mcp?profile=chatgpt', {}],
  ['https://loci.example/mcp/spaces/a%20b', { space: 'a b' }],
  ['https://loci.example/api', undefined],
  ['https://loci.example/mcp/spaces/', undefined],
  ['https://loci.example/mcp/spaces/a/b', undefined],
  ['https://loci.example/mcp/spaces/%E0', undefined],
  ['https://loci.example.evil.example/mcp', undefined],
  ['https://me@loci.example/mcp', undefined],
  ['http://loci.example/mcp', undefined],
  ['urn:loci', undefined],
  ['nonsense', undefined],
])('the resource %s', (indicator, resource) => {
  expect(toResource(issuer, indicator)).toEqual(resource)
})

test('the metadata of a space is its own, that of all else MCP', () => {
  expect(resourceMetadataUrl(issuer, '/mcp/')).toBe(`${issuer}/.well-known/oauth-protected-resource/mcp`)
  expect(resourceMetadataUrl(issuer, '/mcp/spaces/work')).toBe(
    `${issuer}/.well-known/oauth-protected-resource/mcp/spaces/work`,
  )
})

test.each([
  ['https://a.example/cb', true],
  ['http://localhost:1/cb', true],
  ['http://[::1]:1/cb', true],
  ['cursor://anysphere/cb', true],
  ['http://a.example/cb', false],
  ['http://localhost.a.example/cb', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['https://a.example/#x', false],
  ['https://me:you@a.example/', false],
  ['/cb', false],
])('a code may be sent to %s: %s', (address, isSafe) => {
  expect(isSafeRedirect(address)).toBe(isSafe)
})

test('where a code goes is told by the host, or by the scheme of a program', () => {
  expect(hostOfRedirect('https://a.example:8443/cb')).toBe('a.example:8443')
  expect(hostOfRedirect('cursor://anysphere/cb')).toBe('cursor')
})
