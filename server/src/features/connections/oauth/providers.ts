/// <reference path="./oidc-provider.d.ts" />
import type { Provider } from 'oidc-provider/lib/provider.js'
import type { Context } from '../../../context.ts'
import type { DocumentOptions } from './fetch-document.ts'

/** Names by which one's own machine calls itself, with and without a port that leads here. */
const issuersMax = 16

/** Where descriptions of programs come from, unless from the internet. */
export type DocumentSource = Omit<DocumentOptions, 'allowsPrivate'>

/** The authorization servers of a process, one for each address that it has. */
export type Providers = { get: (issuer: string) => Promise<Provider> }

// By a part of the context that is the same in and outside of transactions.
const created = new WeakMap<Context['signer'], Providers>()

export function createProviders(ctx: Context, documents: DocumentSource): Providers {
  const byIssuer = new Map<string, Promise<Provider>>()
  const providers: Providers = {
    get(issuer) {
      if (byIssuer.size >= issuersMax && !byIssuer.has(issuer)) byIssuer.clear()
      const provider = byIssuer.get(issuer) ?? open(ctx, issuer, documents)
      byIssuer.set(issuer, provider)
      return provider
    },
  }
  created.set(ctx.signer, providers)
  return providers
}

/** Those that were created with the app. */
export const providersOf = (ctx: Context): Providers => created.get(ctx.signer)!

/** The library is large, and most servers never need it. */
async function open(ctx: Context, issuer: string, documents: DocumentSource): Promise<Provider> {
  const { createProvider } = await import('./provider.ts')
  return createProvider(ctx, issuer, documents)
}
