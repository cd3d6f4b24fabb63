import { createRestClient } from '@loci/client/rest'
import { SecondStep } from '@loci/contract/second-factors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTwin } from '../../../../test/accounts.ts'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../../test/harness.ts'
import { minuteMs } from '../../../ground/lib/time.ts'

const origin = 'https://loci.example.com'

describe.each<DialectName>(['sqlite', 'postgres'])('a passkey (%s)', (dialect) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(dialect, { publicUrl: origin })
  })
  afterAll(() => server?.close())

  /** A user with a passkey. */
  async function withPasskey(settings?: Parameters<typeof createAuthenticator>[1]) {
    const person = await server.signUp()
    const { rest, password } = person
    const device = createAuthenticator(origin, settings)
    const { options } = await rest.beginPasskey({ body: { password } })
    const added = await rest.addPasskey({ body: { name: 'Laptop', passkey: device.make(options) } })
    return { person, rest, device, ...added }
  }
  const ask = async () => (await server.anonymous.passkeyLoginOptions({ body: {} })).options
  const signIn = (passkey: object) => server.call('POST', '/auth/login/passkey', { body: { passkey } })
  const firstStep = async ({ email, password }: Person) => {
    const { body } = await server.call('POST', '/auth/login', { body: { email, password } })
    return SecondStep.parse(body.error.details[0])
  }

  test('signs in without a password, in any process, and each challenge works once', async () => {
    const { person, rest, device, passkey, recoveryCodes } = await withPasskey()
    expect(recoveryCodes).toHaveLength(10)
    expect(passkey).toMatchObject({ name: 'Laptop', synced: false, lastUsedAt: null })
    const options = await ask()
    expect(options).toMatchObject({ rpId: 'loci.example.com', userVerification: 'required' })
    const proof = device.prove(options)
    const twin = await openTwin(server)
    const { token, user } = await twin.anonymous.loginWithPasskey({ body: { passkey: proof } })
    expect(user.id).toBe(person.userId)
    expect((await server.call('GET', '/auth/me', { token })).status).toBe(200)
    await twin.close()
    expect((await signIn(proof)).status, 'replayed').toBe(401)
    const [used] = (await rest.secondFactors()).passkeys
    expect(used?.lastUsedAt).not.toBeNull()
  })

  test('is refused with another origin, an old or foreign challenge, and a counter that went back', async () => {
    const { rest, device } = await withPasskey()
    const refused = async (passkey: object) => (await signIn(passkey)).body.error?.code
    expect(await refused(device.prove(await ask(), { origin: 'https://loci.example.org' }))).toBe(
      'invalid_credentials',
    )
    const { options: other } = await rest.proofOptions()
    expect(await refused(device.prove(other)), 'for another purpose').toBe('invalid_credentials')
    expect(await refused(device.prove({ challenge: 'bm9uZSBvZiBvdXJz' }))).toBe('invalid_credentials')
    expect((await signIn(device.prove(await ask()))).status).toBe(200)
    expect(await refused(device.prove(await ask(), { counter: 1 })), 'a copy').toBe('invalid_credentials')
    const old = await ask()
    server.clock.now += 6 * minuteMs
    expect(await refused(device.prove(old))).toBe('invalid_credentials')
    const stranger = createAuthenticator(origin)
    const { options } = await rest.beginPasskey({
      body: { passkey: device.prove((await rest.proofOptions()).options) },
    })
    stranger.make(options)
    expect(await refused(stranger.prove(await ask())), 'never added').toBe('invalid_credentials')
    const { rest: _, device: bare } = await withPasskey({ counts: false })
    expect((await signIn(bare.prove(await ask()))).status, 'synced ones do not count').toBe(200)
    expect((await signIn(bare.prove(await ask()))).status).toBe(200)
  })

  test('that verified no finger, face or PIN is not accepted', async () => {
    await expect(withPasskey({ verifies: false })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'passkey' }],
    })
  })

  test('serves as a second factor after the password', async () => {
    const { person, device, recoveryCodes } = await withPasskey()
    const { token, methods } = await firstStep(person)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const { options } = await server.anonymous.passkeyLoginOptions({ body: { token } })
    expect(options.allowCredentials).toMatchObject([{ id: device.credentials[0]!.id }])
    const other = await withPasskey()
    const finish = (body: object) =>
      server.call('POST', '/auth/login/second-factor', { body: { token, ...body } })
    expect((await finish({})).status).toBe(400)
    expect((await finish({ passkey: other.device.prove(options) })).status, "another person's").toBe(401)
    expect((await finish({ passkey: device.prove(options) })).status).toBe(200)
    const again = await firstStep(person)
    const code = recoveryCodes![0]!
    expect((await server.anonymous.finishLogin({ body: { token: again.token, code } })).user.id).toBe(
      person.userId,
    )
  })

  test('is renamed and removed by its owner, who confirms with the passkey', async () => {
    const { person, rest, device, passkey } = await withPasskey()
    const params = { id: passkey.id }
    expect(await rest.renamePasskey({ params, body: { name: ' Old laptop ' } })).toMatchObject({
      passkey: { name: 'Old laptop' },
    })
    const stranger = await server.signUp('stranger')
    for (const refused of [
      () => stranger.rest.renamePasskey({ params, body: { name: 'Mine' } }),
      () => stranger.rest.deletePasskey({ params, body: { password: stranger.password } }),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'passkey_not_found' })
    }
    await expect(rest.deletePasskey({ params, body: { password: person.password } })).rejects.toMatchObject({
      details: [{ path: 'code' }],
    })
    const { options } = await rest.proofOptions()
    await rest.deletePasskey({ params, body: { passkey: device.prove(options) } })
    expect(await rest.secondFactors()).toEqual({ totp: null, passkeys: [], recoveryCodes: 0 })
    expect((await signIn(device.prove(await ask()))).status).toBe(401)
    const { email, password } = person
    expect((await server.anonymous.login({ body: { email, password } })).user.secondFactor).toBe(false)
  })
})

test('a server addressed by IP says where passkeys work', async () => {
  const server = await startTestServer('sqlite')
  const { rest, password } = await server.signUp()
  await expect(rest.beginPasskey({ body: { password } })).rejects.toMatchObject({
    status: 409,
    code: 'passkeys_unavailable',
    message: expect.stringContaining('http://localhost:'),
  })
  const local = createRestClient({ baseUrl: server.url.replace('127.0.0.1', 'localhost') })
  expect((await local.passkeyLoginOptions({ body: {} })).options).toMatchObject({ rpId: 'localhost' })
  await server.close()
})
