import { expect, test } from 'vitest'
import { spaceNamed } from '../../../test/spaces.ts'
import { pathOf, serverNameOf } from './memory-address.ts'

const main = spaceNamed('default', 'spc_1')

const ofSpace = (
  name: string,
  { others = [], foreignAccount }: { others?: string[]; foreignAccount?: string } = {},
) => {
  const space = spaceNamed(name, 'spc_2')
  const spaces = [main, space, ...others.map((other, index) => spaceNamed(other, `spc_${index + 3}`))]
  return { foreignAccount, space, spaces }
}

test("the default space of one's own account is the server's own name and address, also once it is renamed", () => {
  const memory = {
    foreignAccount: undefined,
    space: spaceNamed('Home', 'spc_1'),
    spaces: [spaceNamed('Home', 'spc_1')],
  }
  expect([serverNameOf(memory), pathOf(memory)]).toEqual(['loci', '/mcp'])
  expect(serverNameOf({ ...memory, foreignAccount: 'Nora Vik' })).toBe('loci-nora-vik')
})

test('a space is named after its own name, in letters that every client accepts', () => {
  expect(pathOf(ofSpace('Client work'))).toBe('/mcp/spaces/spc_2')
  expect(serverNameOf(ofSpace('Client work'))).toBe('loci-client-work')
  expect(serverNameOf(ofSpace(' Über  Crème & Co. '))).toBe('loci-uber-creme-co')
  expect(serverNameOf(ofSpace('仕事'))).toBe('loci-spc_2')
  expect(serverNameOf(ofSpace('Client work', { others: ['client-work'] }))).toBe('loci-spc_2')
  expect(serverNameOf(ofSpace('Client work', { foreignAccount: 'Nora Vik' }))).toBe(
    'loci-nora-vik-client-work',
  )
})

test('with a long name there is still room for the name of a tool', () => {
  const name = serverNameOf(ofSpace('A very long name of a space, written by somebody thorough'))
  expect(name).toBe('loci-a-very-long-name-of-a-space')
  expect(name.length).toBeLessThanOrEqual(32)
})
