import type { Logger } from 'pino'
import { followInThread } from '../../features/transcripts/follow-in-thread.ts'
import { allowedAgents } from '../../features/transcripts/permissions.ts'
import { type Config, readSurroundings } from '../../ground/config/config.ts'
import { type DirectoryLock, tryLockDirectory } from '../../ground/directory-lock.ts'
import { createPeriodicWork, type PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { followLock, type TurnTarget } from './turn-sink.ts'

/** How soon a yes, or its end, takes effect. */
const lookMs = 5 * secondMs
/** After a refusal, such as a full plan. */
const restMs = 60 * secondMs

type Followed = { agents: string; close: () => Promise<void> }

/**
 * Follows the agents that the person has allowed with `loci connect`, as long as this process runs and no other one
 * of the machine does so. Before that it reads nothing of theirs.
 */
export function followHere(
  config: Config,
  log: Logger,
  findTarget: () => Promise<TurnTarget>,
): Pick<PeriodicWork, 'close'> {
  let lock: DirectoryLock | undefined
  let followed: Followed | undefined
  let restsUntil = 0

  async function end(): Promise<void> {
    await followed?.close()
    followed = undefined
    lock?.release()
    lock = undefined
  }

  async function begin(agents: readonly string[]): Promise<void> {
    lock ??= tryLockDirectory(config.dataDir, followLock)
    if (lock === undefined) return
    const { sink, placesFolder } = await findTarget()
    const order = { surroundings: readSurroundings(), agents, placesFolder: placesFolder('followed') }
    const thread = followInThread(order, sink, {
      onTrouble: (path, message) => log.warn({ path, message }, 'a transcript could not be read or stored'),
      onEnd(error) {
        log.error({ err: error }, 'no more conversations are stored; trying again in a minute')
        followed = undefined
        restsUntil = performance.now() + restMs
      },
    })
    followed = { agents: agents.join(), close: thread.close }
    log.info({ agents }, 'following conversations')
  }

  async function look(): Promise<void> {
    if (performance.now() < restsUntil) return
    const agents = allowedAgents(config.dataDir, config.remoteUrl)
    if (agents.join() === (followed?.agents ?? '')) return
    await end()
    if (agents.length > 0) await begin(agents)
  }

  const looks = createPeriodicWork(lookMs, look, (error) => {
    log.error({ err: error }, 'conversations cannot be followed; trying again in a minute')
    restsUntil = performance.now() + restMs
  })
  looks.start()
  return {
    async close() {
      await looks.close()
      await end()
    },
  }
}
