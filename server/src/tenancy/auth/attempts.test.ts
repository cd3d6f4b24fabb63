import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { dayMs } from '../../ground/lib/time.ts'

describeOnBothDatabases('attempts counted before the clock was set back', (server) => {
  test('lock nobody out, and new ones count as usual', async () => {
    const { email, password } = await server().signUp()
    const signIn = async (word: string) =>
      (await server().call('POST', '/auth/login', { body: { email, password: word } })).status
    const fail = async () => {
      const statuses: number[] = []
      for (let i = 0; i < 11; i++) statuses.push(await signIn(`guess ${i}`))
      return statuses
    }
    const full = [...Array(10).fill(401), 429]
    expect(await fail()).toEqual(full)
    server().clock.now -= 2 * dayMs
    expect(await signIn(password)).toBe(200)
    expect((await server().signUp()).token).toBeDefined()
    expect(await fail()).toEqual(full)
  })
})
