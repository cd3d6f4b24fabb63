import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { startTestServer, type TestServer, testConfig } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'
import { connect } from '../../../test/oauth.ts'

describe('spaces and connected apps on the command line', () => {
  let running: TestServer
  beforeAll(async () => {
    running = await startTestServer('sqlite')
  })
  afterAll(() => running.close())
  const server = () => running
  const loci = (args: string[]) => runLociInProcess(args, { env: environmentOf(server().config) })

  test('spaces are created, listed, filled, read and deleted', async () => {
    const { rest, email } = await server().signUp()
    const account = ['--account', email.toUpperCase()]
    const env = environmentOf(server().config)
    const made = await runLoci(['space', 'create', 'Work', ...account], { env })
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created the space Work \(spc_2\)/),
    })
    expect((await loci(['space', 'create', 'Work', ...account])).stderr).toContain('A space named "Work"')
    expect((await loci(['space', 'rename', 'Work', 'Office', ...account])).code).toBe(0)
    await rest.createEntity({
      body: { name: 'Desk', type: 'thing', observations: ['is oak'] },
      headers: { 'loci-space': 'Office' },
    })
    const exported = await loci(['export', '--space', 'Office', ...account])
    expect(exported.stdout).toContain('Desk')
    const listed = await loci(['space', 'list', '--json', ...account])
    expect(listed.stdout.split('\n').map((line) => line && JSON.parse(line).name)).toEqual([
      'default',
      'Office',
      '',
    ])
    expect((await loci(['space', 'delete', 'Office', '--yes', ...account])).code).toBe(0)
    expect((await loci(['space', 'delete', 'default', '--yes', ...account])).stderr).toContain(
      'The last space',
    )
  })

  test('connected apps are listed and disconnected', async () => {
    const person = await server().signUp()
    const { tokens } = await connect(server(), person)
    const [connection] = (await person.rest.listConnections()).connections
    const { id } = connection!
    const { stdout } = await loci(['connections', 'list', person.email])
    expect(stdout).toMatch(new RegExp(`${id} +Test app +${person.email} +memory:read memory:write`))
    expect((await loci(['connections', 'change', person.email, id, '--writes', 'propose'])).code).toBe(0)
    expect((await person.rest.listConnections()).connections).toMatchObject([{ id, writes: 'propose' }])
    expect((await loci(['connections', 'revoke', person.email, id])).stdout).toBe(`Disconnected ${id}.\n`)
    expect((await server().call('GET', '/api/entities', { token: tokens.access_token })).status).toBe(401)
    const again = await loci(['connections', 'revoke', person.email, id])
    expect([again.code, again.stderr]).toEqual([1, 'Connection not found\n'])
  })
})

test('memory without an account has spaces too, and a check reports what is still to be cleaned up', async () => {
  const { config, remove } = await testConfig('sqlite')
  const loci = (args: string[]) => runLociInProcess(args, { env: environmentOf(config) })
  expect((await loci(['space', 'create', 'Work'])).stdout).toBe('Created the space Work (spc_2).\n')
  expect((await loci(['space', 'delete', 'Work', '--yes'])).code).toBe(0)
  const words = '1 deleted space or account is still being cleared away; "loci check --repair" does it now.'
  const end = 'No differences found.\n'
  expect(await loci(['check'])).toMatchObject({ code: 0, stdout: `${words}\n${end}` })
  expect((await loci(['check', '--repair'])).stdout).toBe(end)
  await remove()
})
