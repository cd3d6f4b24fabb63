import { MemoryRight } from '@loci/contract/rights'
import type { Config } from '../../../ground/config/config.ts'
import { mcpPath } from '../../../ground/mcp-path.ts'
import { oauthPaths } from './paths.ts'

const title = 'Loci'

/** The authorization server's metadata (RFC 8414). */
export const serverMetadata = (issuer: string, { clientDocuments }: Pick<Config, 'clientDocuments'>) => ({
  issuer,
  authorization_endpoint: issuer + oauthPaths.authorize,
  token_endpoint: issuer + oauthPaths.token,
  registration_endpoint: issuer + oauthPaths.register,
  revocation_endpoint: issuer + oauthPaths.revoke,
  scopes_supported: [...MemoryRight.options, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  revocation_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments,
})

/**
 * The protected resource's metadata, which names its authorization server (RFC 9728). `path` is that of MCP or of one
 * of its spaces.
 */
export const resourceMetadata = (issuer: string, path: string = mcpPath) => ({
  resource: issuer + path,
  resource_name: title,
  authorization_servers: [issuer],
  scopes_supported: MemoryRight.options,
  bearer_methods_supported: ['header'],
})
