import { secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../context.ts'
import { createLease, type Lease } from './lease.ts'

/** How long the lease of a process that was killed keeps others from its work. */
export const leaseMs = 15 * secondMs

/** Answers whether this process may still do the work. */
export type GoOn = () => Promise<boolean>

type Work = { name: string; isOver: () => boolean; run: (goOn: GoOn) => Promise<void> }

/**
 * Runs work in one process at a time. Its first `goOn` takes the lease, which is renewed until the work ends, however
 * long its steps, and then released. Returns false if another process has the lease.
 */
export async function underLease(ctx: Context, { name, isOver, run }: Work): Promise<boolean> {
  const lease = createLease(ctx, name, leaseMs)
  let isMine = true
  let release: (() => Promise<void>) | undefined
  const goOn = async () => {
    if (isOver()) return false
    isMine = await lease.hold()
    if (isMine) release ??= keepRenewing(lease)
    return isMine
  }
  await run(goOn).finally(() => release?.())
  return isMine
}

/** Returns the function that releases the lease, after a renewal under way, which would take it back. */
function keepRenewing(lease: Lease): () => Promise<void> {
  let renewal: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewal = renewal.then(() => lease.hold()).catch(() => {})
  }, leaseMs / 5).unref()
  return async () => {
    clearInterval(timer)
    await renewal
    await lease.release()
  }
}
