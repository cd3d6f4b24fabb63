import { serverSink } from '../../features/transcripts/server-sink.ts'
import type { TurnSink } from '../../features/transcripts/turn-batches.ts'
import { type Config, ConfigError } from '../../ground/config/config.ts'

/** Where conversations are kept: at the server of LOCI_URL. Throws {@link ConfigError} if none is named. */
export function turnSinkOf({ remoteUrl, apiKey }: Config): TurnSink {
  if (remoteUrl === undefined || apiKey === undefined)
    throw new ConfigError('Say which server keeps the conversations: set LOCI_URL and LOCI_API_KEY.')
  return serverSink(remoteUrl, apiKey)
}
