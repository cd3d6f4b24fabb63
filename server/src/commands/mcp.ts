import { readConfig } from '../config.ts'
import { tryLockDirectory } from '../directory-lock.ts'
import { findLocalActor } from '../features/users/local-actor.ts'
import { serveMcpOverStdio } from '../mcp/stdio.ts'
import { closeContext, createLog, openContext } from '../open-context.ts'

/** MCP on standard input and output: of the server at LOCI_URL, or on the database of this machine. */
export async function mcp(): Promise<void> {
  const config = readConfig()
  const log = createLog({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel })
  if (config.remoteUrl !== undefined) {
    // Agents wait for us to start, so each way loads only what it needs.
    const { runBridge } = await import('../mcp/bridge.ts')
    return runBridge(config.remoteUrl, config.apiKey, log)
  }
  const ctx = await openContext(config, log, {
    mayMigrate: config.databaseUrl !== undefined || !serverRuns(config.dataDir),
  })
  try {
    await serveMcpOverStdio(ctx, await findLocalActor(ctx))
  } finally {
    await closeContext(ctx)
  }
}

/** True when a server has the data directory; it would not know a schema newer than its own. */
function serverRuns(dataDir: string): boolean {
  const lock = tryLockDirectory(dataDir)
  lock?.release()
  return lock === undefined
}
