import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createRestClient } from '@loci/client/rest'
import type { MadePasskey, Passkey, PasskeyProof } from '@loci/contract/second-factors'
import type { Person, TestServer } from './harness.ts'

type Options = Record<string, unknown>
type Credential = { id: string; rpId: string; privateKey: KeyObject; counter: number; userHandle: string }

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An in-memory authenticator as a browser would use it (https://www.w3.org/TR/webauthn-3/). */
export function createAuthenticator(origin: string, { verifies = true, counts = true } = {}) {
  const credentials: Credential[] = []
  const clientData = (type: string, challenge: unknown, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const dataOf = (rpId: string, counter: number, attested?: Buffer) => {
    const bits = flags.present | (verifies ? flags.verified : 0) | (attested ? flags.attested : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(bits, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }
  return {
    credentials,
    /** Creates a passkey for the server's request. */
    make(options: Options): MadePasskey {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const rpId = (options.rp as { id: string }).id
      const id = randomBytes(16)
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      )
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const authData = dataOf(rpId, 0, attested)
      credentials.push({
        id: id.toString('base64url'),
        rpId,
        privateKey,
        counter: 0,
        userHandle: (options.user as { id: string }).id,
      })
      return {
        ...named(id.toString('base64url')),
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
          attestationObject: cbor(
            new Map<string, Cbor>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', authData],
            ]),
          ).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Signs with the newest passkey; `change` tampers with the signed data. */
    prove(options: Options, change: { origin?: string; counter?: number } = {}): PasskeyProof {
      const credential = credentials.at(-1)!
      if (counts) credential.counter += 1
      const authenticatorData = dataOf(credential.rpId, change.counter ?? credential.counter)
      const client = clientData('webauthn.get', options.challenge, change.origin)
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()]),
        credential.privateKey,
      )
      return {
        ...named(credential.id),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: credential.userHandle,
        },
      }
    },
  }
}

/** Gives a person a passkey, on a server reached by host name. */
export async function addPasskey(
  { url }: Pick<TestServer, 'url'>,
  { token, password }: Person,
): Promise<Passkey> {
  const origin = url.replace('127.0.0.1', 'localhost')
  const rest = createRestClient({ baseUrl: origin, token: () => token })
  const { options } = await rest.beginPasskey({ body: { password } })
  const body = { name: 'Laptop', passkey: createAuthenticator(origin).make(options) }
  return (await rest.addPasskey({ body })).passkey
}

const named = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})

const sha256 = (text: string) => createHash('sha256').update(text).digest()

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** The part of CBOR (RFC 8949) that an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
