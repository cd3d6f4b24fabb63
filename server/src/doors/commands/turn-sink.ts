import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { localSink } from '../../features/conversations/local-sink.ts'
import { serverSink } from '../../features/transcripts/server-sink.ts'
import type { TurnSink } from '../../features/transcripts/turn-batches.ts'
import { type Config, ConfigError, readConfig } from '../../ground/config/config.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { type AccountOption, onAccount } from './account-option.ts'
import { commandRights } from './command-rights.ts'

/** Where conversations go, and how far each transcript went there. */
export type TurnTarget = { sink: TurnSink; placesFolder: (purpose: 'followed' | 'imported') => string }

/** One process of a machine follows at a time. */
export const followLock = 'follow.lock'

/**
 * Runs `work` with the place where conversations are kept: the server at LOCI_URL, or else the database of this
 * machine. Throws {@link ConfigError}.
 */
export async function withTurnTarget(
  options: AccountOption,
  work: (target: TurnTarget) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  if (config.remoteUrl !== undefined) return work(remoteTarget(config, options.space))
  await onAccount(options, 'watch', (ctx, actor) => work(localTarget(ctx, actor)))
}

/** Throws {@link ConfigError} without a key. */
export function remoteTarget(config: Config, space: string | undefined): TurnTarget {
  const { remoteUrl, apiKey } = config
  if (remoteUrl === undefined || apiKey === undefined)
    throw new ConfigError('Say whose conversations these are: set LOCI_API_KEY beside LOCI_URL.')
  return {
    sink: serverSink(remoteUrl, apiKey, space),
    placesFolder: (purpose) => placesFolderOf(config, purpose, [remoteUrl, apiKey, space]),
  }
}

/** Throws `not_permitted`. */
export function localTarget(ctx: Context, actor: Actor): TurnTarget {
  requireAllowed(actor, commandRights.watch)
  const { accountId, spaceId } = actor
  return {
    sink: localSink(ctx, actor),
    placesFolder: (purpose) =>
      placesFolderOf(ctx.config, purpose, [ctx.config.databaseUrl, accountId, spaceId]),
  }
}

/** Of each target apart: what one has stored, another has not. */
function placesFolderOf({ dataDir }: Config, purpose: string, target: readonly unknown[]): string {
  const name = createHash('sha256').update(JSON.stringify(target)).digest('hex').slice(0, 16)
  return join(dataDir, purpose, name)
}
