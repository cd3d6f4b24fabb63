import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { confirmActor } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'

/**
 * Returns a function that checks whether the key of this process is still valid; undefined if it runs
 * without a key. The function throws `not_authenticated` once the key is revoked or expired.
 */
export function confirmationOfKey(ctx: Context, actor: Actor): (() => Promise<void>) | undefined {
  const { apiKey } = ctx.config
  if (apiKey === undefined) return undefined
  return async () => {
    try {
      await confirmActor(ctx, apiKey, actor)
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_authenticated' ? noLongerGood(error) : error
    }
  }
}

const noLongerGood = (cause: AppError) =>
  new AppError(
    'not_authenticated',
    'The key in LOCI_API_KEY is no longer valid. Set a valid one, then start `loci mcp` again.',
    { cause },
  )
