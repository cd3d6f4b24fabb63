import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type DirectoryLock, tryLockDirectory } from '../../ground/directory-lock.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { callTool } from './server.ts'
import type { Tool } from './tool.ts'
import { exploreEntityTool } from './tools/explore-entity.ts'
import { changesByOthersTool } from './tools/hooks/changes-by-others.ts'
import { promptContextTool } from './tools/hooks/prompt-context.ts'
import { recallTool } from './tools/recall.ts'
import { searchNodesTool } from './tools/search-nodes.ts'

const lookMs = 5 * secondMs
const patienceMs = 5 * secondMs
const questionBytesMax = 2_000_000
/** Of the name of a socket on macOS and Linux. */
const pathBytesMax = 100

/** As in `plugins/claude-code/hooks/socket.mjs`, which runs without this program. */
function socketOf(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'hooks.sock')
  return `\\\\.\\pipe\\loci-${createHash('sha256').update(dataDir.toLowerCase()).digest('hex').slice(0, 32)}`
}

/**
 * Answers the hooks of this machine's agents on a socket in the data directory, which only this user can open, as long
 * as no other process does so: starting a program at each prompt would keep people waiting.
 */
export function answerHooks(
  ctx: Context,
  log: Logger,
  findActor: () => Promise<Actor>,
): { close: () => Promise<void> } {
  const { dataDir } = ctx.config
  const path = socketOf(dataDir)
  const stop = new AbortController()
  let lock: DirectoryLock | undefined
  let server: Server | undefined

  async function repeat(): Promise<void> {
    while (!stop.signal.aborted && server === undefined) {
      lock = tryLockDirectory(dataDir, 'hooks.lock')
      if (lock !== undefined) {
        // Left behind by a process that was killed.
        if (process.platform !== 'win32') rmSync(path, { force: true })
        server = await listen(path, (socket) => reply(ctx, socket, findActor))
      }
      await delay(lookMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }

  const running =
    Buffer.byteLength(path) > pathBytesMax
      ? Promise.resolve()
      : repeat().catch((error) => log.warn({ err: error }, 'the hooks of agents cannot be answered'))
  return {
    async close() {
      stop.abort()
      await running
      await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)))
      lock?.release()
    },
  }
}

function listen(path: string, answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, answer)
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

/** What the hook of a session's start calls, by name. */
const startTools = new Map<string, Tool>(
  [exploreEntityTool, recallTool, searchNodesTool, changesByOthersTool, promptContextTool].map((tool) => [
    tool.name,
    tool,
  ]),
)

/** One line of JSON is asked, one is answered. */
function reply(ctx: Context, socket: Socket, findActor: () => Promise<Actor>): void {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(patienceMs, () => socket.destroy())
  const answer = async () => {
    const asked: unknown = JSON.parse(await readQuestion(socket))
    socket.end(`${JSON.stringify(await answerTo(ctx, await findActor(), asked))}\n`)
  }
  answer().catch(() => socket.destroy())
}

/** The result of a tool that is named, or else the context of a prompt. */
async function answerTo(ctx: Context, actor: Actor, asked: unknown): Promise<object> {
  const named = startTools.get(Reflect.get(Object(asked), 'tool'))
  if (named !== undefined) {
    const args: unknown = Reflect.get(Object(asked), 'arguments')
    return { result: await callTool(ctx, actor, { tool: named, args, isCheck: true }) }
  }
  const call = { tool: promptContextTool, args: asked, isCheck: true }
  const { content, isError } = await callTool(ctx, actor, call)
  const [part] = content
  const output = part?.type === 'text' && isError !== true ? JSON.parse(part.text) : {}
  return { context: output.hookSpecificOutput?.additionalContext ?? null }
}

/** By events, since reading a stream to its end in a loop closes the half that answers. */
function readQuestion(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (socket.bytesRead > questionBytesMax) reject(new Error('a hook sends too much'))
    })
    socket.once('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.once('close', () => reject(new Error('a hook went away')))
  })
}
