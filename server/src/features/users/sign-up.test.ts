import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../test/harness.ts'
import { createUser } from './users.service.ts'

test.each([
  ['invited', /by invitation only/],
  ['closed', /takes no new accounts/],
] as const)('where sign-up is %s, strangers are refused and the operator is not', async (signUp, message) => {
  const server = await startTestServer('sqlite', { signUp })
  const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const body = { ...person, firstName: 'Ada', lastName: 'Lovelace' }
  await expect(server.anonymous.register({ body })).rejects.toMatchObject({
    status: 403,
    code: 'sign_up_closed',
    message: expect.stringMatching(message),
  })
  await createUser(server.ctx, body)
  expect((await server.anonymous.login({ body: person })).user.email).toBe(person.email)
  await server.close()
})
