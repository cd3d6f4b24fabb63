/// <reference path="./oidc-provider.d.ts" />
import type { Provider } from 'oidc-provider/lib/provider.js'
import type { Context } from '../../../tenancy/context.ts'
import type { DocumentOptions } from './fetch-document.ts'

/** One's own machine has several names, with and without a port that leads here. */
const issuersMax = 16

/** Where client metadata documents come from, if not from the internet. */
export type DocumentSource = Omit<DocumentOptions, 'allowsPrivate'>

/** The authorization servers of a process, one for each of its addresses. */
export type Providers = { get: (issuer: string) => Promise<Provider> }

// Keyed by a part of the context that is the same inside and outside of transactions.
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

/** The providers created with the app. */
export const providersOf = (ctx: Context): Providers => created.get(ctx.signer)!

/** Loaded on demand: the library is large, and most servers never need it. */
async function open(ctx: Context, issuer: string, documents: DocumentSource): Promise<Provider> {
  const { createProvider } = await import('./provider.ts')
  return createProvider(ctx, issuer, documents)
}
