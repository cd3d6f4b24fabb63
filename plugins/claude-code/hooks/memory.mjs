// Calls tools of the Loci that runs on this machine, or else of the plugin's own server, as Claude Code does: over
// standard input and output.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask } from './socket.mjs'

const isWindows = process.platform === 'win32'
/** A server whose input has ended stores its counts and ends by itself. */
const graceMs = 2_000
/** Whoever sets one of these may mean another memory. */
export const elsewhere = [
  ...['CLAUDE_PLUGIN_OPTION_ADDRESS', 'CLAUDE_PLUGIN_OPTION_API_KEY'],
  ...['LOCI_URL', 'LOCI_API_KEY', 'DATABASE_URL', 'MEMORY_FILE_PATH'],
]
/** Nobody asked for these reads, so they are not counted as operations (docs/mcp.md). */
const check = { 'dev.loci/check': true }

/** Thrown when the memory does not answer in time. */
export class Late extends Error {}

/**
 * Runs `work` with a function that calls a tool and returns its result in fields, or undefined if there is no such
 * entity. Throws {@link Late} if it takes longer than `answerMs`, or a server longer than `startMs` to start, as one
 * that is being installed does. Nothing that was started outlives the call.
 */
export async function withMemory(work, { startMs, answerMs }) {
  let timer
  let giveUp
  const late = new Promise((_, reject) => {
    giveUp = () => reject(new Late('no answer in time'))
  })
  const within = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, ms)
  }
  const run = async () => {
    within(answerMs)
    const running = await findRunning(answerMs)
    if (running !== undefined) return work(running)
    within(startMs)
    return withOwnServer(work, { onStarted: () => within(answerMs), late })
  }
  return Promise.race([run(), late]).finally(() => clearTimeout(timer))
}

/** Calls tools of the Loci that runs, if it keeps the memory that a server started here would open. */
async function findRunning(answerMs) {
  if (elsewhere.some((name) => process.env[name])) return undefined
  const call = (name, args) => ask({ tool: name, arguments: args }, answerMs)
  // One of an older version knows no tools.
  const first = await call('search_nodes', { query: 'Loci', limit: 1 }).catch(() => undefined)
  if (first?.result === undefined) return undefined
  return async (name, args) => fieldsOf((await call(name, args)).result)
}

async function withOwnServer(work, { onStarted, late }) {
  const server = startServer()
  const end = () => endGroup(server)
  process.once('exit', end)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  try {
    const failure = new Promise((_, reject) => {
      server.on('error', reject)
      server.stdin.on('error', reject)
      server.on('exit', () => reject(new Error('the server ended without an answer')))
    })
    const result = await Promise.race([work(connect(server, onStarted)), failure, late])
    server.stdin.end()
    await Promise.race([once(server, 'exit'), delay(graceMs)])
    return result
  } finally {
    end()
  }
}

function startServer() {
  const { CLAUDE_PLUGIN_OPTION_ADDRESS: url, CLAUDE_PLUGIN_OPTION_API_KEY: key, ...env } = process.env
  if (url) env.LOCI_URL = url
  if (key) env.LOCI_API_KEY = key
  const start = fileURLToPath(new URL('../start.mjs', import.meta.url))
  const stdio = ['pipe', 'pipe', 'inherit']
  return spawn(process.execPath, [start], { env, stdio, detached: !isWindows, windowsHide: true })
}

/** Ends the server with everything that it started. */
function endGroup({ pid }) {
  if (pid === undefined) return
  if (isWindows) {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

function connect(server, onStarted) {
  const waiting = new Map()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.({ result, error })
  })
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let last = 0
  const request = (method, params) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      send({ id: last, method, params })
    })
  const clientInfo = { name: 'claude-code', title: 'Claude Code', version: '1' }
  void request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }).then(onStarted)
  send({ method: 'notifications/initialized' })
  return async (name, args) => {
    const { result, error } = await request('tools/call', { name, arguments: args, _meta: check })
    if (error !== undefined) throw new Error(error.message)
    return fieldsOf(result)
  }
}

/** `recall` answers in lines for models; its fields stand beside them. */
function fieldsOf(result) {
  if (!result.isError) return result._meta?.['dev.loci/found'] ?? result.structuredContent
  if (result._meta?.['dev.loci/error']?.code === 'entity_not_found') return undefined
  throw new Error(result.content[0].text)
}
