/**
 * Types for the parts of oidc-provider used here; the package has none. The parts are imported one by one, because the
 * package's own entry point warns about every runtime that is not a long-term support release.
 */
declare module 'oidc-provider/lib/provider.js' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Payload = Record<string, unknown>

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    findByUserCode(code: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Client {
    clientId: string
    clientName?: string
    clientUri?: string
    redirectUris: string[]
    /** True for a client whose identifier is the address of its metadata. */
    clientIdMetadataDocument?: boolean
    grantTypeAllowed(type: string): boolean
  }

  export interface Interaction {
    uid: string
    params: Record<string, string | undefined>
    returnTo: string
    /** Seconds since 1970. */
    exp: number
  }

  export interface Grant {
    jti: string
  }

  export interface OidcContext {
    ip: string
    status: number
    body: unknown
    req: IncomingMessage
    redirect(address: string): void
    oidc: {
      client: Client
      params: Record<string, string | undefined>
      result?: { consent?: Payload }
      entities: { Interaction?: { result?: Payload }; RotatedRefreshToken?: { jti: string } }
      provider: Provider
    }
  }

  /** The class from which a model of the library creates its tokens. */
  interface Model {
    prototype: { generateTokenId(this: unknown): string }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    /** The request that is being answered. */
    static readonly ctx: OidcContext | undefined
    proxy: boolean
    AccessToken: Model
    RefreshToken: Model
    Client: { new (metadata: Payload): Client; find(id: string): Promise<Client | undefined> }
    Grant: { find(id: string): Promise<Grant | undefined> }
    on(event: string, listener: (...args: never[]) => void): this
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(request: IncomingMessage, response: ServerResponse, result: Payload): Promise<string>
  }
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { OidcContext } from 'oidc-provider/lib/provider.js'

  export class Check {
    constructor(reason: string, description: string, error: string, check: (ctx: OidcContext) => boolean)
    static REQUEST_PROMPT: true
    static NO_NEED_TO_PROMPT: false
  }
  export class Prompt {
    constructor(info: { name: string; requestable: boolean }, ...checks: Check[])
  }
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export class OIDCProviderError extends Error {
    statusCode: number
    error: string
    error_description?: string
    allow_redirect: boolean
  }
  export class InvalidRequest extends OIDCProviderError {
    constructor(description: string)
  }
  export class InvalidGrant extends OIDCProviderError {
    constructor(detail: string)
  }
  export class InvalidClientAuth extends OIDCProviderError {
    constructor(detail: string)
  }
  export class TemporarilyUnavailable extends OIDCProviderError {
    constructor(description: string, detail: string)
  }
  export class InvalidTarget extends OIDCProviderError {}
  export class SessionNotFound extends OIDCProviderError {}
}
