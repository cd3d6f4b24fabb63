import { isStorableText } from '@loci/contract/text'
import { z } from 'zod'
import { hostOfRedirect, isSafeRedirect } from './redirects.rules.ts'

const Text = (max: number) => z.string().max(max).refine(isStorableText)

/**
 * The fields that a client registers with (RFC 7591). All others are ignored: the client gets a code through a person
 * who allowed it, proves with PKCE that it made the request, and has no secret.
 */
export const Registration = z.object({
  redirect_uris: z
    .array(Text(2_048).refine(isSafeRedirect, { error: 'redirect' }), { error: 'redirect' })
    .min(1, { error: 'redirect' })
    .max(20, { error: 'redirect' }),
  client_name: Text(200).trim().optional().catch(undefined),
  client_uri: Text(2_048).optional().catch(undefined),
  grant_types: z.array(z.string()).max(20).optional().catch(undefined),
})
export type Registration = z.output<typeof Registration>

/** The client of a registration, as returned to it. */
export function toClientMetadata(id: string, registration: Registration, issuedAt: number): object {
  const { redirect_uris, client_name, client_uri, grant_types = ['refresh_token'] } = registration
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    ...(client_name ? { client_name } : {}),
    ...(isWebAddress(client_uri) ? { client_uri } : {}),
    redirect_uris,
    application_type: 'native',
    grant_types: ['authorization_code', ...grant_types.filter((type) => type === 'refresh_token')],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

const isWebAddress = (address = '') => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** Control characters, and those that turn the direction of the text after them, such as the host. */
const unshown = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A client as shown to people, who know it by its name and by the host that receives the code. */
export function describeClient(
  client: {
    clientId: string
    clientName?: string | undefined
    clientIdMetadataDocument?: boolean | undefined
  },
  redirectUri: string,
): { name: string; host: string; isVerified: boolean } {
  const isVerified = client.clientIdMetadataDocument === true
  const host = isVerified ? new URL(client.clientId).host : hostOfRedirect(redirectUri)
  const name = client.clientName?.replaceAll(unshown, '').trim().slice(0, 200).toWellFormed()
  return { name: name || host, host, isVerified }
}
