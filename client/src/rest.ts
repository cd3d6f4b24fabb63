import { api } from '@loci/contract/api'
import { createClient, type RestClient, type RestOptions } from './call.ts'

export type { CallInput, RestClient, RestOptions } from './call.ts'
export { ApiError } from './call.ts'

/** Creates a client for the REST interface. */
export function createRestClient(options: RestOptions): RestClient {
  return createClient(api, options)
}
