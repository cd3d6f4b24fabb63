import { toIso } from '../src/ground/lib/time.ts'
import type { TestServer } from './harness.ts'
import { connect } from './oauth.ts'

/** Tokens of every kind that were once valid, each ended in a different way, keyed by that way. */
export async function endCredentials(server: TestServer): Promise<Record<string, string>> {
  const { clock, anonymous } = server
  const person = await server.signUp('ended')
  const { rest } = person
  const key = async (expiresAt?: string) =>
    rest.createKey({ body: { name: 'key', ...(expiresAt === undefined ? {} : { expiresAt }) } })
  const deleted = await key()
  await rest.deleteKey({ params: { id: deleted.id } })
  const expired = await key(toIso(clock.now + 1))
  clock.now += 1
  const loggedOut = (await anonymous.login({ body: person })).token
  const { sessions } = await rest.listSessions()
  await rest.deleteSession({ params: { id: sessions.find(({ current }) => !current)!.id } })
  await rest.rollPersonalKey()
  const { tokens: disconnected } = await connect(server, person)
  const { connections } = await rest.listConnections()
  await rest.deleteConnection({ params: { id: connections[0]!.id } })
  const gone = await server.signUp('gone')
  await gone.rest.deleteAccount({ body: { password: gone.password } })
  return {
    'a deleted key': deleted.apiKey,
    'an expired key': expired.apiKey,
    'a session that was ended': loggedOut,
    'a rolled personal key': person.apiKey,
    'a token of an app that was disconnected': disconnected.access_token,
    'a refresh token': disconnected.refresh_token,
    'a session of a deleted account': gone.token,
    'the personal key of a deleted account': gone.apiKey,
  }
}
